package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// raced is what runs once more under the race detector, which makes everything
// many times slower: of the page and what is beside it, the packages that start
// goroutines. What runs in other programs than the tests (wasm/edge) gains
// nothing by it.
var raced = []string{"./wasm/edge/worker", "./wasm/engine/...", "./web/app"}

// atOnce matches the names of those tests of the core in which things happen at
// the same time. They run under the detector, too.
const atOnce = "AtOnce|Followed|WhileLoading|Preview|Elsewhere|Partial|Update|Cancel|Stopped|Budget"

// race runs them, where there is a C compiler: the detector is linked with one.
func race(to io.Writer, root string) (skipped int, err error) {
	if err := needCompiler(root); err != nil {
		say("tests under the race detector are skipped: %v", err)
		return 1, nil
	}
	core, err := having(root, regexp.MustCompile(`(?m)^func Test\w*(`+atOnce+`)`), "core", "internal/hostile")
	if err != nil {
		return 0, err
	}
	for _, args := range [][]string{raced, append([]string{"-run", atOnce}, core...)} {
		left, failed := testsTo(to, root, []string{"CGO_ENABLED=1"}, append([]string{"-race", "-short"}, args...)...)
		skipped, err = skipped+left, errors.Join(err, failed)
	}
	return skipped, err
}

// having lists the packages below folders whose tests have something: to
// compile the others for the detector takes longer than to look.
func having(root string, what *regexp.Regexp, folders ...string) (list []string, err error) {
	for _, folder := range folders {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, folder), func(file string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := os.ReadFile(file)
			name, _ := filepath.Rel(root, filepath.Dir(file))
			if p := "./" + filepath.ToSlash(name); what.Match(text) && !slices.Contains(list, p) {
				list = append(list, p)
			}
			return err
		}))
	}
	return list, err
}
