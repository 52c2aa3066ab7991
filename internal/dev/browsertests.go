package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"pcpscope/internal/build"
)

// browserTests runs the tests in a browser. A page keeps little more than one
// core busy and is often waited for, so two halves of them run side by side,
// each in a browser of its own, on a site that is built once.
func browserTests(root string, env []string) (skipped int, err error) {
	names, err := testNames(filepath.Join(root, "e2e"))
	if err != nil {
		return 0, err
	}
	site, err := os.MkdirTemp("", "pcpscope-site-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(site)
	if err := build.Site(build.Options{Root: root, Dist: site, Log: say}); err != nil {
		return 0, err
	}
	env = append([]string{"PCPSCOPE_SITE=" + site}, env...)
	out := &oneAtATime{to: os.Stdout}
	var (
		halves sync.WaitGroup
		mu     sync.Mutex
		errs   []error
	)
	for _, part := range deal(names, min(2, runtime.NumCPU())) {
		halves.Go(func() {
			// Go's cache does not know what the browser loaded.
			n, err := testsTo(out, root, env, "-count=1", "-run", "^("+strings.Join(part, "|")+")$", "./e2e")
			mu.Lock()
			defer mu.Unlock()
			skipped, errs = skipped+n, append(errs, err)
		})
	}
	halves.Wait()
	return skipped, errors.Join(errs...)
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

// deal gives n hands their share in turn: tests of one file, which take about
// as long as each other, come into different hands.
func deal(names []string, n int) [][]string {
	hands := make([][]string, n)
	for i, name := range names {
		hands[i%n] = append(hands[i%n], name)
	}
	return hands
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
