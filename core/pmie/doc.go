// Package pmie evaluates rules in the language of pmie(1) over an archive, and
// tells when each was true, false or unknown.
//
// Parse reads a file of rules, in the part of the language that docs/rules.md
// describes; what it does not cover is refused by name, one rule at a time.
// Run evaluates the rules as pmie -a does: at the start of the archive and then
// every delta, with the values that a context in interpolated mode has at these
// times (spec/interp.md), counters as rates between successive samples, and
// units scaled to bytes, seconds and counts. Where a value is missing the result
// is unknown, and && || and ! follow Kleene's logic.
//
// The facts are from pmie(1) and from runs of pmie 6.0.3, with which
// core/runrules_test.go compares the results.
package pmie
