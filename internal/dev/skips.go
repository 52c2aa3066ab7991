package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"pcpscope/internal/browser"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/reference"
)

// A testRun describes the run of tests, to check whether a test had a reason to be skipped.
type testRun struct {
	root string   // of the module
	env  []string // of the tests, as exec.Cmd has it: the last of a name counts
	race bool     // under the race detector
}

// excuses are the valid reasons to skip a test, each with a check whether it
// holds here; what is the first group of the pattern. Without the check, a file
// that was renamed or a browser that fails to start would look like a machine
// that has none.
var excuses = []struct {
	pattern *regexp.Regexp
	holds   func(r testRun, what string) bool
}{
	{regexp.MustCompile(`^(\S+) is not installed$`), func(_ testRun, name string) bool { return !installed(name) }},
	{regexp.MustCompile(`^no Python here has (\w+)$`), func(_ testRun, module string) bool { return reference.PythonWith(module) == "" }},
	{regexp.MustCompile(`packages of e2e/js are`), func(r testRun, _ string) bool { return nodejs.Ready(r.root) != nil }},
	{regexp.MustCompile(`^there is no (/\S+)$`), testRun.lacks},
	{regexp.MustCompile(`^pmrep does not run`), func(testRun, string) bool { return reference.PmrepVersion() == "" }},
	{regexp.MustCompile(`^what differs is known of (\S+);`), func(_ testRun, version string) bool { return reference.PmrepVersion() != version }},
	{regexp.MustCompile(`^the reference data is not beside the repository$`), func(testRun, string) bool { return reference.Path("corpus") == "" }},
	{regexp.MustCompile(`^(PCPSCOPE_\w+) is not set`), func(r testRun, name string) bool { return r.getenv(name) == "" }},
	{regexp.MustCompile(`under the race detector$`), func(r testRun, _ string) bool { return r.race }}, // a run without it has these
	{regexp.MustCompile(`^no table of time zones`), func(testRun, string) bool { _, err := time.LoadLocation("Europe/Berlin"); return err != nil }},
}

// excused reports whether a test may be skipped for a reason. The count of what
// was compared before it is ignored.
func (r testRun) excused(reason string) bool {
	reason = strings.TrimPrefix(reason, "0 compared: ")
	for _, e := range excuses {
		if m := e.pattern.FindStringSubmatch(reason); m != nil {
			return e.holds(r, m[len(m)-1])
		}
	}
	return false
}

// lacks reports whether a system file is missing. A missing file in the repository, or
// beside it, is not a valid reason: it must have been renamed.
func (r testRun) lacks(file string) bool {
	_, err := os.Stat(file)
	return err != nil && !strings.HasPrefix(file, filepath.Dir(r.root)+string(filepath.Separator))
}

func (r testRun) getenv(name string) (value string) {
	for _, entry := range r.env {
		if v, is := strings.CutPrefix(entry, name+"="); is {
			value = v
		}
	}
	return value
}

// installed reports whether a program or another browser is there.
func installed(name string) bool {
	if i := slices.IndexFunc(browser.Engines, func(e browser.Engine) bool { return e.Name == name }); i >= 0 {
		return !browser.Engines[i].Missing()
	}
	return reference.Installed(name)
}
