package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No test is forgotten: the hands together hold what grep finds.
func TestBrowserTestsAreDealt(t *testing.T) {
	dir, err := filepath.Abs("../../e2e")
	if err != nil {
		t.Fatal(err)
	}
	names, err := testNames(dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", dir, "grep", "-hE", "^func Test", "--", "*_test.go").Output()
	if err != nil {
		t.Skip("this is no clone: ", err)
	}
	want := strings.Count(string(out), "func Test") - strings.Count(string(out), "func TestMain(")
	var all []string
	for _, hand := range deal(names, 2) {
		all = append(all, hand...)
	}
	slices.Sort(all)
	if n := len(slices.Compact(slices.Clone(all))); n != want || len(all) != want {
		t.Errorf("%d tests are dealt, %d different ones, of %d", len(all), n, want)
	}
}
