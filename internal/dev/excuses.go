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

// A testRun is what the reasons of skipped tests are held against.
type testRun struct {
	root string   // of the module
	env  []string // of the tests, as exec.Cmd has it: the last of a name counts
	race bool     // under the race detector
}

// excuses are the reasons for which a test may be skipped, each with what finds
// out whether it is true here; what is the first group of the pattern. A test
// that looks for a file that was renamed, or a browser that is installed but
// does not start, must not pass for a machine that has neither.
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

// excused reports whether a test may be skipped for a reason. What was compared
// until then is no part of it.
func (r testRun) excused(reason string) bool {
	reason = strings.TrimPrefix(reason, "0 compared: ")
	for _, e := range excuses {
		if m := e.pattern.FindStringSubmatch(reason); m != nil {
			return e.holds(r, m[len(m)-1])
		}
	}
	return false
}

// lacks reports whether a file of the system is not there. The repository's own
// files and those beside it have no excuse: one that is missing was renamed.
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
