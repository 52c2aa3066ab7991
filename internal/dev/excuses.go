package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"pcpscope/internal/browser"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/reference"
)

// excuses are the reasons for which a test may be skipped, each with what finds
// out whether it is true here; what is the first group of the pattern. A test
// that looks for a file that was renamed, or a browser that is installed but
// does not start, must not pass for a machine that has neither.
var excuses = []struct {
	pattern *regexp.Regexp
	holds   func(root, what string) bool
}{
	{regexp.MustCompile(`^(\S+) is not installed$`), func(_, name string) bool { return !installed(name) }},
	{regexp.MustCompile(`packages of e2e/js are`), func(root, _ string) bool { return nodejs.Ready(root) != nil }},
	{regexp.MustCompile(`^there is no (/\S+)$`), func(_, file string) bool { _, err := os.Stat(file); return err != nil }},
	{regexp.MustCompile(`^pmrep does not run`), func(_, _ string) bool { return reference.PmrepVersion() == "" }},
	{regexp.MustCompile(`^what differs is known of (\S+);`), func(_, version string) bool { return reference.PmrepVersion() != version }},
	{regexp.MustCompile(`^the reference data is not beside the repository$`), func(_, _ string) bool { return reference.Path("corpus") == "" }},
	{regexp.MustCompile(`^(PCPSCOPE_\w+) is not set`), func(_, name string) bool { return os.Getenv(name) == "" }},
	{regexp.MustCompile(`under the race detector$`), func(_, _ string) bool { return true }}, // a run without it has these
	{regexp.MustCompile(`^no table of time zones`), func(_, _ string) bool { _, err := time.LoadLocation("Europe/Berlin"); return err != nil }},
}

// excused reports whether a test may be skipped for a reason. What was compared
// until then is no part of it.
func excused(root, reason string) bool {
	reason = strings.TrimPrefix(reason, "0 compared: ")
	for _, e := range excuses {
		if m := e.pattern.FindStringSubmatch(reason); m != nil {
			return e.holds(root, m[len(m)-1])
		}
	}
	return false
}

// installed reports whether a program or another browser is there.
func installed(name string) bool {
	if i := slices.IndexFunc(browser.Engines, func(e browser.Engine) bool { return e.Name == name }); i >= 0 {
		return !browser.Engines[i].Missing()
	}
	return reference.Installed(name)
}
