package metric

import (
	"strings"
	"testing"

	"pcpscope/core/api"
)

func TestHelpIsUnwrapped(t *testing.T) {
	got := unwrap("Counts the number of\nmilliseconds.\n\nWhen converted:\n * one\n * two\n")
	if want := "Counts the number of milliseconds.\n\nWhen converted:\n * one\n * two"; strings.ReplaceAll(got, "\n\n\n", "\n\n") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHelpIsSetAnew(t *testing.T) {
	m := &api.Metric{Oneline: "x", Help: "Counts the number\nof things.\n\nWhen it is\n  indented it stays:\n- one\n- two\n\n\nEnd."}
	want := "Counts the number of things.\n\nWhen it is\n  indented it stays:\n- one\n- two\n\nEnd."
	if got := HelpText(m); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
