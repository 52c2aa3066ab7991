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
// under the race detector as well. Unlike "go test", it fails without a browser.
func test(root string, args []string) error {
	if err := noArguments("test", args); err != nil {
		return err
	}
	if !canInstall() {
		if err := needBrowser(); err != nil {
			return err
		}
	}
	// The stages below read the generated files at the same time.
	if err := build.Components(build.Options{Root: root, Log: say}); err != nil {
		return err
	}
	// Installing waits for the network, so compile everything at the same time.
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
	// These run side by side, because each leaves a core idle at times: at its end, and
	// while it links a program.
	out, began := &oneAtATime{to: os.Stdout}, time.Now()
	skipped, err := sideBySide(
		func() (int, error) { return testsTo(out, root, nil, packages...) },
		func() (int, error) { return race(out, root) },
		func() (int, error) {
			return 0, errors.Join(build.Site(build.Options{Root: root, Dist: site, Log: say}), compileBrowserTests(root, programs))
		},
	)
	say("%.0f s: tests outside a browser", time.Since(began).Seconds())
	// The browser tests run last and alone: they wait for the page to draw, and with
	// other tests on the same cores they would exceed their time limits.
	// Damaging inputs takes a minute however many there are, so it runs beside
	// them at low priority.
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

// vet checks all packages, and once more, as built for the browser, those with
// files of their own there. It uses the site's compiler flags, so that building
// the site finds their dependencies compiled.
func vet(root string) error {
	others, err := browserOnly(root)
	if err != nil {
		return err
	}
	program := goCmd(root, slices.Concat([]string{"vet"}, build.CompileFlags(), others)...)
	program.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	return errors.Join(goCmd(root, "vet", "./...").Run(), program.Run())
}

// browserOnly lists the packages with files for the browser alone. The others
// are the same there, and compiling what their tests import takes a minute.
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

// sayLeft reports at the end of a run how many tests were skipped: a green run says nothing
// about those.
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

// longest is the package whose tests take longest, most of them on one core.
const longest = "/internal/hostile"

// testable lists all packages except the browser's tests. The longest comes
// first: started late, it would still run on one core when all others are done.
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

// tests runs the tests of packages with further environment variables, prints a
// digest, and returns how many were skipped.
func tests(root string, env []string, args ...string) (skipped int, err error) {
	return testsTo(os.Stdout, root, env, args...)
}

// testsTo prints the digest to a writer.
func testsTo(to io.Writer, root string, env []string, args ...string) (skipped int, err error) {
	return testsBy(goCmd(root), to, root, env, args...)
}

// testsBy runs tests with a command to which the arguments of go are added, such as
// "nice go". The time limit is for tests that hang; slow machines stay below it.
func testsBy(cmd *exec.Cmd, to io.Writer, root string, env []string, args ...string) (skipped int, err error) {
	cmd.Args = append(append(cmd.Args, "test", "-json", "-vet=off", "-timeout", "60m"), args...) // vet has its own turn
	return digested(cmd, to, root, env)
}

// digested runs a command that prints events of tests as "go test -json" does,
// and prints their digest.
func digested(cmd *exec.Cmd, to io.Writer, root string, env []string) (skipped int, err error) {
	cmd.Env = append(append(os.Environ(), "PCPSCOPE_BROWSER=required"), env...)
	r := &digest{to: to, excused: testRun{root: root, env: cmd.Env, race: slices.Contains(cmd.Args, "-race")}.excused}
	cmd.Stdout = r
	err = cmd.Run()
	r.flush()
	return r.skipped, errors.Join(r.err(), err)
}

// e2e runs only the browser tests, and saves screenshots if asked to.
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
