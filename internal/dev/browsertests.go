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

// browserTests runs the tests in a browser.
func browserTests(root string, env []string) (skipped int, err error) {
	site, err := os.MkdirTemp("", "pcpscope-site-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(site)
	if err := build.Site(build.Options{Root: root, Dist: site, Log: say}); err != nil {
		return 0, err
	}
	return browserTestsOn(&oneAtATime{to: os.Stdout}, root, site, env)
}

// browserTestsOn runs them on a site that is built. A page keeps little more
// than one core busy and is often waited for, so two processes run them side by
// side, each with a browser of its own: whichever is free takes the next test.
func browserTestsOn(to io.Writer, root, site string, env []string) (skipped int, err error) {
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
	// Go's cache does not know what the browser loaded.
	half := func() (int, error) { return testsTo(to, root, env, "-count=1", "./e2e") }
	skipped, err = sideBySide(slices.Repeat([]func() (int, error){half}, min(2, runtime.NumCPU()))...)
	if left, unread := os.ReadDir(shared); unread != nil || len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("%d tests in a browser were not run", len(left)))
	}
	return skipped, err
}

// longTests take long. Begun last, one of them would be waited for by itself.
var longTests = []string{"TestPageNeverFreezes", "TestOtherEngines", "TestAccessible", "TestGoldenDashboards", "TestDecompressionBombs"}

// longestFirst puts these in front.
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

// testNames lists the tests of a package. To ask its program for them would
// start a browser.
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

// oneAtATime is written to from several sides.
type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneAtATime) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
