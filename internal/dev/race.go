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

// raced are packages that start goroutines. Their tests run
// once more under the race detector, which is too slow to run everything under.
// wasm/edge is left out: its tests run another program, without the detector.
var raced = []string{"./core/columns", "./internal/fleet", "./wasm/edge/worker", "./wasm/engine/...", "./wasm/garbage", "./web/app"}

// sequential are long tests of raced packages that do one thing after another,
// with many inputs or long ones: the detector sees nothing in them that shorter
// tests lack. The run without it has them.
var sequential = []string{"TestDeepInputs", "TestDeepSessions", "TestKeptSessions", "TestPeaksOfADay", "TestFirstRecordsOfLongWindow", "TestPartsAreBounded", "TestTableOfOneMoment", "TestFullDisk",
	"TestIndexIsTheSameHoweverItIsMade"}

// atOnce matches the names of the core's tests that are concurrent. They run
// under the detector, too.
const atOnce = "AtOnce|Followed|WhileLoading|Preview|Elsewhere|Partial|Update|Cancel|Stopped|Budget"

// plain compiles all that is not the module's own without inlining: compiling everything for
// the detector takes a fifth less time, and the tests take a twentieth more.
var plain = []string{"-gcflags=all=-dwarf=false -l", "-gcflags=pcpscope/...=-dwarf=false"}

// race runs these tests if there is a C compiler: the detector needs cgo.
func race(to io.Writer, root string) (skipped int, err error) {
	if err := needCompiler(root); err != nil {
		say("tests under the race detector are skipped: %v", err)
		return 1, nil
	}
	core, err := having(root, regexp.MustCompile(`(?m)^func Test\w*(`+atOnce+`)`), "core", "internal/hostile")
	if err != nil {
		return 0, err
	}
	for _, args := range [][]string{append([]string{"-skip", "^(" + strings.Join(sequential, "|") + ")$"}, raced...), append([]string{"-run", atOnce}, core...)} {
		left, failed := testsTo(to, root, []string{"CGO_ENABLED=1"}, slices.Concat([]string{"-race", "-short"}, plain, args)...)
		skipped, err = skipped+left, errors.Join(err, failed)
	}
	return skipped, err
}

// having lists the packages below folders whose tests match a pattern. Compiling
// the others for the detector takes longer than searching them.
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
