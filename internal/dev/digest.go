package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// A digest passes on what a reader of "go test -v" wants to know: how each
// package ended, what failed and why, what was skipped and why, and how much
// was compared with what.
type digest struct {
	to      io.Writer
	rest    []byte
	held    []string // lines of the tests at hand, shown if one fails
	skipped []string // tests at hand, each with the reason
	slow    []string // tests at hand that took longest, with their times
	left    int      // tests that were skipped, of all packages
}

// slowTest is from how many seconds on a test is named: where a run has become
// too long, these are what to look at.
const slowTest = 10

var (
	told   = regexp.MustCompile(`\bcompared\b|^of \d+ |\bseed \d+: `)
	now    = regexp.MustCompile(`^\d\d:\d\d: \d+ rounds`) // of a test that lasts an hour
	begins = regexp.MustCompile(`^=== (RUN|CONT|PAUSE|NAME) `)
	passed = regexp.MustCompile(`^\s*--- PASS: `)
	took   = regexp.MustCompile(`^--- \w+: (\S+) \((\d+)\.\d+s\)`)
	skips  = regexp.MustCompile(`^\s*--- SKIP: (\S+)`)
)

func (r *digest) Write(p []byte) (int, error) {
	r.rest = append(r.rest, p...)
	for {
		i := bytes.IndexByte(r.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		r.line(string(r.rest[:i]))
		r.rest = r.rest[i+1:]
	}
}

// line sorts one line. What a test prints is held back until the package ends:
// whether it failed is only said after it.
func (r *digest) line(s string) {
	if m := took.FindStringSubmatch(s); m != nil {
		if sec, err := strconv.Atoi(m[2]); err == nil && sec >= slowTest {
			r.slow = append(r.slow, fmt.Sprintf("%s took %d s", m[1], sec))
		}
	}
	skip := skips.FindStringSubmatch(s)
	switch {
	case skip != nil:
		reason := "no reason given"
		if n := len(r.held); n > 0 { // what Skip was told is the last that the test says
			_, reason, _ = strings.Cut(strings.TrimSpace(r.held[n-1]), ": ")
			r.held = r.held[:n-1]
		}
		r.skipped = append(r.skipped, skip[1]+": "+reason)
	case now.MatchString(s):
		fmt.Fprintln(r.to, "\t"+s)
	case begins.MatchString(s) || passed.MatchString(s) || strings.HasSuffix(s, "[no test files]") || s == "PASS":
	case strings.HasPrefix(s, "ok "):
		for _, h := range r.held {
			if told.MatchString(h) {
				fmt.Fprintln(r.to, "\t"+strings.TrimSpace(h))
			}
		}
		r.ended(s)
	case strings.HasPrefix(s, "FAIL\t"):
		for _, h := range r.held {
			fmt.Fprintln(r.to, h)
		}
		r.ended(s)
	default:
		r.held = append(r.held, s)
	}
}

// ended says what a package skipped, what took long in it and how it went.
func (r *digest) ended(verdict string) {
	for _, s := range r.slow {
		fmt.Fprintln(r.to, "\t"+s)
	}
	for _, s := range r.skipped {
		fmt.Fprintln(r.to, "\tskipped "+s)
	}
	fmt.Fprintln(r.to, verdict)
	r.left += len(r.skipped)
	r.held, r.skipped, r.slow = nil, nil, nil
}

// flush shows what is left when the tests ended without a verdict.
func (r *digest) flush() {
	s := bufio.NewScanner(bytes.NewReader(r.rest))
	for s.Scan() {
		r.line(s.Text())
	}
	for _, h := range r.held {
		if h != "FAIL" {
			fmt.Fprintln(r.to, h)
		}
	}
	r.held, r.rest = nil, nil
}
