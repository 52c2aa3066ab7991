package main

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// raced is what runs once more under the race detector, which makes everything
// many times slower: all that goes on in the page and beside it, and the tests
// of the core in which things happen at the same time.
var raced = [][]string{
	{"./wasm/...", "./web/..."},
	{"-run", "AtOnce|Followed|WhileLoading|Preview|Elsewhere|Partial|Update|Cancel|Stopped|Budget", "./core/...", "./internal/hostile"},
}

// race runs them, where there is a C compiler: the detector is linked with one.
func race(root string) (skipped int, err error) {
	if err := needCompiler(root); err != nil {
		say("tests under the race detector are skipped: %v", err)
		return 1, nil
	}
	for _, args := range raced {
		left, failed := tests(root, []string{"CGO_ENABLED=1"}, append([]string{"-race", "-short"}, args...)...)
		skipped, err = skipped+left, errors.Join(err, failed)
	}
	return skipped, err
}

// needCompiler finds the C compiler that Go would call, or installs one where
// that is possible.
func needCompiler(root string) error {
	env := exec.Command("go", "env", "CC")
	env.Dir = root
	out, err := env.Output()
	if err != nil {
		return err
	}
	words := strings.Fields(string(out))
	if len(words) == 0 {
		return errors.New("Go knows no C compiler")
	}
	if _, err := exec.LookPath(words[0]); err == nil {
		return nil
	}
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 || !slices.Contains([]string{"gcc", "cc"}, words[0]) {
		return errors.New(words[0] + " is not there")
	}
	say("installing gcc")
	return install(apt, os.Stderr, "gcc", "libc6-dev")
}
