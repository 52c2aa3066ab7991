package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"pcpscope/internal/build"
)

// browserTests builds the site and runs the tests in a browser.
func browserTests(root string, env []string) (skipped int, err error) {
	made, err := os.MkdirTemp("", "pcpscope-made-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(made)
	site, programs := filepath.Join(made, "site"), filepath.Join(made, "programs")
	if err := build.Site(build.Options{Root: root, Dist: site, Log: say}); err != nil {
		return 0, err
	}
	if err := compileBrowserTests(root, programs); err != nil {
		return 0, err
	}
	return browserTestsOn(&oneAtATime{to: os.Stdout}, root, site, programs, env)
}

// compileBrowserTests compiles the tests once into a folder. "go test" would
// compile and link them in each of the processes that run them.
func compileBrowserTests(root, programs string) error {
	return goCmd(root, "test", "-c", "-vet=off", "-o", programs+string(filepath.Separator), "./e2e").Run()
}

// browserTestsOn runs compiled tests on a site that is built. A page keeps
// little more than one core busy and often makes its test wait, so there is a process
// more than there are cores, up to four, each with its own browser: whichever is free
// takes the next test.
func browserTestsOn(to io.Writer, root, site, programs string, env []string) (skipped int, err error) {
	names, err := testNames(filepath.Join(root, "e2e"))
	if err != nil {
		return 0, err
	}
	shared, err := os.MkdirTemp("", "pcpscope-tests-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(shared)
	for i, name := range longestFirst(names) {
		if err := os.WriteFile(filepath.Join(shared, fmt.Sprintf("%03d %s", i, name)), nil, 0o644); err != nil {
			return 0, err
		}
	}
	env = append([]string{"PCPSCOPE_SITE=" + site, "PCPSCOPE_SHARED_TESTS=" + shared}, env...)
	process := func() (int, error) {
		cmd := goCmd(root, "tool", "test2json", "-t", "-p", "pcpscope/e2e", filepath.Join(programs, "e2e.test"), "-test.v=test2json", "-test.timeout=60m")
		cmd.Dir = filepath.Join(root, "e2e")
		return digested(cmd, to, root, env)
	}
	skipped, err = sideBySide(slices.Repeat([]func() (int, error){process}, min(4, runtime.NumCPU()+1))...)
	if left, unread := os.ReadDir(shared); unread != nil || len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("%d tests in a browser were not run", len(left)))
	}
	return skipped, err
}

// longTests are the tests that take longest. They start first: started last, one of
// them would run alone at the end.
var longTests = []string{"TestPageNeverFreezes", "TestOtherEngines", "TestAccessible", "TestGoldenDashboards", "TestDecompressionBombs"}

// longestFirst moves longTests to the front.
func longestFirst(names []string) []string {
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int {
		rank := func(name string) int {
			if i := slices.Index(longTests, name); i >= 0 {
				return i
			}
			return len(longTests)
		}
		return rank(a) - rank(b)
	})
	return names
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(\w+ \*testing\.T\)`)

// testNames lists the tests of a package by reading its files: its program would
// start a browser to list them.
func testNames(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	var names []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names, err
}

// oneAtATime is a writer for several goroutines.
type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneAtATime) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
