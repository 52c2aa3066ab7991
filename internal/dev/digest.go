package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A digest passes on what a reader of "go test -v" wants to know: how each
// package ended, what failed and why, and how much was compared with what.
type digest struct {
	to   io.Writer
	rest []byte
	held []string // lines of the test at hand, shown if it fails
}

var (
	told   = regexp.MustCompile(`\bcompared\b|^of \d+ `)
	begins = regexp.MustCompile(`^=== (RUN|CONT|PAUSE|NAME) `)
	passed = regexp.MustCompile(`^\s*--- (PASS|SKIP): `)
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
	switch {
	case begins.MatchString(s) || passed.MatchString(s) || strings.HasSuffix(s, "[no test files]") || s == "PASS":
	case strings.HasPrefix(s, "ok "):
		for _, h := range r.held {
			if told.MatchString(h) {
				fmt.Fprintln(r.to, "\t"+strings.TrimSpace(h))
			}
		}
		fmt.Fprintln(r.to, s)
		r.held = nil
	case strings.HasPrefix(s, "FAIL\t"):
		for _, h := range r.held {
			fmt.Fprintln(r.to, h)
		}
		fmt.Fprintln(r.to, s)
		r.held = nil
	default:
		r.held = append(r.held, s)
	}
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
