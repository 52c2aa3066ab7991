package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"pcpscope/internal/build"
	"pcpscope/internal/nodejs"
)

// test runs everything: vet for both targets, then all Go tests, some of them
// under the race detector as well; for those in a browser one is required here.
func test(root string, args []string) error {
	if err := noArguments("test", args); err != nil {
		return err
	}
	if !canInstall() {
		if err := needBrowser(); err != nil {
			return err
		}
	}
	// Before anything reads them.
	if err := build.Components(build.Options{Root: root, Log: say}); err != nil {
		return err
	}
	// What is installed comes over the network: meanwhile all is compiled.
	installed := make(chan bool)
	go func() { installAll(root); close(installed) }()
	err := vet(root)
	<-installed
	if err := errors.Join(err, needBrowser()); err != nil {
		return err
	}
	say("browser tests run in: %s", strings.Join(wantEngines(), ", "))
	if err := needNode(); err != nil {
		say("tests that need Node are skipped: %v", err)
	}
	if err := nodejs.Install(root); err != nil {
		say("tests that need packages of Node are skipped: %v", err)
	}
	packages, err := testable(root)
	if err != nil {
		return err
	}
	made, err := os.MkdirTemp("", "pcpscope-made-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	site, programs := filepath.Join(made, "site"), filepath.Join(made, "programs")
	// Each of these leaves a core idle now and then: at its end, or where it
	// links one program. Side by side they fill that.
	out, began := &oneAtATime{to: os.Stdout}, time.Now()
	skipped, err := sideBySide(
		func() (int, error) { return testsTo(out, root, nil, packages...) },
		func() (int, error) { return race(out, root) },
		func() (int, error) {
			return 0, errors.Join(build.Site(build.Options{Root: root, Dist: site, Log: say}), compileBrowserTests(root, programs))
		},
	)
	say("%.0f s: tests outside a browser", time.Since(began).Seconds())
	// The browser's tests come last: they wait for what people wait for, and
	// tests that compute on the same cores would make them wait longer. To damage
	// inputs takes a minute however little of it is done, so that it takes only
	// what the browser leaves.
	began = time.Now()
	more, last := sideBySide(
		func() (int, error) { return browserTestsOn(out, root, site, programs, nil) },
		func() (int, error) { return damageForAMinute(out, root) },
	)
	say("%.0f s: tests in a browser", time.Since(began).Seconds())
	sayLeft(skipped + more)
	return errors.Join(err, last)
}

// sideBySide runs parts of the tests at the same time, and adds up how many
// were skipped.
func sideBySide(parts ...func() (int, error)) (skipped int, err error) {
	var (
		all sync.WaitGroup
		mu  sync.Mutex
	)
	for _, part := range parts {
		all.Go(func() {
			n, failed := part()
			mu.Lock()
			defer mu.Unlock()
			skipped, err = skipped+n, errors.Join(err, failed)
		})
	}
	all.Wait()
	return skipped, err
}

// vet looks for mistakes in all packages, and once more in those that are other
// ones in the browser, compiled as they are for that: the site then has them
// compiled.
func vet(root string) error {
	others, err := browserOnly(root)
	if err != nil {
		return err
	}
	program := goCmd(root, slices.Concat([]string{"vet"}, build.CompileFlags(), others)...)
	program.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	return errors.Join(goCmd(root, "vet", "./...").Run(), program.Run())
}

// browserOnly lists the packages with files that are for the browser alone. All
// others are the same there, and to compile what their tests use takes a minute.
func browserOnly(root string) (list []string, err error) {
	for _, folder := range []string{"core", "wasm", "web"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, folder), func(file string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, "_js.go") && !strings.HasSuffix(file, "_wasm.go") {
				return err
			}
			name, _ := filepath.Rel(root, filepath.Dir(file))
			if p := "./" + filepath.ToSlash(name); !slices.Contains(list, p) {
				list = append(list, p)
			}
			return nil
		}))
	}
	return list, err
}

// sayLeft ends a run with how much of it did not take place: a run that is
// green says nothing about tests that it left out.
func sayLeft(n int) {
	switch n {
	case 0:
		say("no test was skipped")
	case 1:
		say("1 test was skipped; above it says why")
	default:
		say("%d tests were skipped; above it says why of each", n)
	}
}

// longest has the tests that take longest, and for the most part on one core.
const longest = "/internal/hostile"

// testable lists all packages but the browser's tests, with the longest first:
// begun late, it would keep one core busy after the others are done.
func testable(root string) ([]string, error) {
	list := exec.Command("go", "list", "./...")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	var first, rest []string
	for _, p := range strings.Fields(string(out)) {
		switch {
		case strings.HasSuffix(p, longest):
			first = append(first, p)
		case !strings.HasSuffix(p, "/e2e"):
			rest = append(rest, p)
		}
	}
	return append(first, rest...), err
}

// tests runs the tests of packages, and reports what there is to know and how
// many of them were skipped. env are variables for them.
func tests(root string, env []string, args ...string) (skipped int, err error) {
	return testsTo(os.Stdout, root, env, args...)
}

// testsTo reports to a writer.
func testsTo(to io.Writer, root string, env []string, args ...string) (skipped int, err error) {
	return testsBy(goCmd(root), to, root, env, args...)
}

// testsBy does so by a command that the arguments of go are appended to. The
// limit of time is for what hangs: a slow machine takes less.
func testsBy(cmd *exec.Cmd, to io.Writer, root string, env []string, args ...string) (skipped int, err error) {
	cmd.Args = append(append(cmd.Args, "test", "-json", "-vet=off", "-timeout", "60m"), args...) // vet has its own turn
	return digested(cmd, to, root, env)
}

// digested runs a command that prints events of tests, and reports them.
func digested(cmd *exec.Cmd, to io.Writer, root string, env []string) (skipped int, err error) {
	cmd.Env = append(append(os.Environ(), "PCPSCOPE_BROWSER=required"), env...)
	r := &digest{to: to, excused: testRun{root: root, env: cmd.Env, race: slices.Contains(cmd.Args, "-race")}.excused}
	cmd.Stdout = r
	err = cmd.Run()
	r.flush()
	return r.skipped, errors.Join(r.err(), err)
}

// e2e runs the browser tests alone, and takes pictures where asked to.
func e2e(root string, args []string) error {
	flags := flag.NewFlagSet("e2e", flag.ContinueOnError)
	pictures := flags.String("screenshots", "", "folder for pictures of the page in its states")
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has said what is wrong
	}
	if err := needBrowser(); err != nil {
		return err
	}
	var env []string
	if *pictures != "" {
		dir, err := filepath.Abs(*pictures)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		env = append(env, "PCPSCOPE_SCREENSHOTS="+dir)
	}
	var left int
	var err error
	if flags.NArg() == 0 {
		left, err = browserTests(root, env)
	} else { // tests by name
		left, err = tests(root, env, append([]string{"-count=1", "./e2e"}, flags.Args()...)...)
	}
	sayLeft(left)
	return err
}

func bench(root string, args []string) error {
	if err := needBrowser(); err != nil {
		return err
	}
	return goCmd(root, append([]string{"run", "./e2e/bench"}, args...)...).Run()
}
