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
	// The browser's tests come last: they wait for what people wait for, and
	// tests that compute on the same cores would make them wait longer.
	left, first := tests(root, aMinute(), packages...)
	between, second := race(root)
	more, last := browserTests(root, nil)
	sayLeft(left + between + more)
	return errors.Join(first, second, last)
}

// vet looks for mistakes in all packages, and once more in those that go into
// the program, compiled as they are for that: the site then has them compiled.
func vet(root string) error {
	program := goCmd(root, slices.Concat([]string{"vet"}, build.CompileFlags(), []string{"./core/...", "./wasm/...", "./web/..."})...)
	program.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	return errors.Join(goCmd(root, "vet", "./...").Run(), program.Run())
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
	cmd := goCmd(root, append([]string{"test", "-json", "-vet=off", "-timeout", "30m"}, args...)...) // vet has its own turn
	cmd.Env = append(append(os.Environ(), "PCPSCOPE_BROWSER=required"), env...)
	r := &digest{to: to, excused: testRun{root: root, env: cmd.Env, race: slices.Contains(args, "-race")}.excused}
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
