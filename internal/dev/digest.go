package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A digest passes on what a reader of "go test -json" wants to know: how each
// package ended, what failed and why, what was skipped and why, and how much
// was compared with what.
type digest struct {
	to        io.Writer
	excused   func(reason string) bool // whether a test may be skipped for it
	rest      []byte                   // of a line that is not complete
	running   map[string]*tested       // by package
	skipped   int                      // tests, of all packages
	unexcused []string                 // tests that were skipped for no good reason
}

// tested is the output of a package so far. It is held back until the package ends,
// because it is printed only if the package failed.
type tested struct {
	lines  []string
	last   map[string]string // by test, what it printed last; of a skipped test that is the reason
	skips  []string
	lasted []string // tests that took long
}

// slowTest is the duration in seconds from which a test is listed, so that one sees
// why a run takes long.
const slowTest = 10

var (
	compared = regexp.MustCompile(`\bcompared\b|^of \d+ |\bseed \d+: `)
	progress = regexp.MustCompile(`^\d\d:\d\d: \d+ rounds`) // of a test that lasts an hour
	framing  = regexp.MustCompile(`^(=== (RUN|CONT|PAUSE|NAME) |\s*--- (PASS|SKIP): |PASS$|FAIL$)|\[no test files\]$`)
	// goVerdict ends a package in the output of "go test"; a compiled test that is
	// run by itself has none.
	goVerdict = regexp.MustCompile(`^(ok  |FAIL|\?   )\t`)
	position  = regexp.MustCompile(`^\s*\S+\.go:\d+: `)
)

func (r *digest) Write(p []byte) (int, error) {
	r.rest = append(r.rest, p...)
	for {
		i := bytes.IndexByte(r.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		r.line(r.rest[:i])
		r.rest = r.rest[i+1:]
	}
}

// event is one line of "go test -json"; see "go doc test2json".
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func (r *digest) line(text []byte) {
	var e event
	if json.Unmarshal(text, &e) != nil || e.Package == "" && e.Action != "build-output" {
		if !bytes.HasPrefix(text, []byte(`{"`)) { // the go command itself
			fmt.Fprintf(r.to, "%s\n", text)
		}
		return
	}
	if e.Action == "build-output" {
		fmt.Fprint(r.to, e.Output)
		return
	}
	p := r.running[e.Package]
	if p == nil {
		p = &tested{last: map[string]string{}}
		if r.running == nil {
			r.running = map[string]*tested{}
		}
		r.running[e.Package] = p
	}
	switch {
	case e.Action == "output" && progress.MatchString(e.Output):
		fmt.Fprint(r.to, "\t"+e.Output)
	case e.Action == "output":
		p.print(e.Test, strings.TrimSuffix(e.Output, "\n"))
	case e.Test == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
		delete(r.running, e.Package)
		if e.Action != "skip" && (len(p.lines) == 0 || !goVerdict.MatchString(p.lines[len(p.lines)-1])) {
			word := "ok  "
			if e.Action == "fail" {
				word = "FAIL"
			}
			p.lines = append(p.lines, fmt.Sprintf("%s\t%s\t%.3fs", word, e.Package, e.Elapsed))
		}
		r.ended(p, e.Action == "fail")
	case e.Action == "skip":
		reason := position.ReplaceAllString(p.last[e.Test], "")
		if reason == "" {
			reason = "no reason given"
		}
		p.skips = append(p.skips, e.Test+": "+reason)
		if !r.excused(reason) {
			r.unexcused = append(r.unexcused, e.Test+": "+reason)
		}
		if i := slices.Index(p.lines, p.last[e.Test]); i >= 0 {
			p.lines = slices.Delete(p.lines, i, i+1)
		}
	}
	if e.Elapsed >= slowTest && e.Test != "" && !strings.Contains(e.Test, "/") {
		p.lasted = append(p.lasted, fmt.Sprintf("%s took %.0f s", e.Test, e.Elapsed))
	}
}

func (p *tested) print(test, line string) {
	if framing.MatchString(line) {
		return
	}
	p.lines = append(p.lines, line)
	p.last[test] = line
}

// ended reports on a package whose last line is the verdict: all that was
// printed if it failed, otherwise what was compared. It writes all at once, since
// other packages may be reported at the same time.
func (r *digest) ended(p *tested, failed bool) {
	var out strings.Builder
	defer func() { io.WriteString(r.to, out.String()) }()
	for i, l := range p.lines {
		verdict := i == len(p.lines)-1
		if verdict {
			for _, s := range p.lasted {
				fmt.Fprintln(&out, "\t"+s)
			}
			for _, s := range p.skips {
				fmt.Fprintln(&out, "\tskipped "+s)
			}
		}
		switch {
		case failed || verdict:
			fmt.Fprintln(&out, l)
		case compared.MatchString(l):
			fmt.Fprintln(&out, "\t"+strings.TrimSpace(l))
		}
	}
	r.skipped += len(p.skips)
}

// flush ends the report with the output of packages that have not ended, if the run
// was stopped, and the tests that should not have been skipped.
func (r *digest) flush() {
	if len(r.rest) > 0 {
		r.line(r.rest)
	}
	for _, p := range r.running {
		for _, l := range p.lines {
			fmt.Fprintln(r.to, l)
		}
	}
	r.running, r.rest = nil, nil
	for _, u := range r.unexcused {
		fmt.Fprintln(r.to, "FAIL: skipped for a reason that does not hold here: "+u)
	}
}

// err returns the error of a run in which no test failed.
func (r *digest) err() error {
	if n := len(r.unexcused); n > 0 {
		return fmt.Errorf("%d tests were skipped for a reason that does not hold here", n)
	}
	return nil
}
