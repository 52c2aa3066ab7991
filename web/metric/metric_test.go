package metric

import (
	"strings"
	"testing"

	"pcpscope/core/api"
)

func TestHelpIsUnwrapped(t *testing.T) {
	got := unwrap("Counts the number of\nmilliseconds.\n\nWhen converted:\n * one\n * two\n")
	if want := "Counts the number of milliseconds.\n\nWhen converted:\n * one\n * two"; strings.ReplaceAll(got, "\n\n\n", "\n\n") != want {
		t.Errorf("unwrap = %q, want %q", got, want)
	}
}

func TestHelpIsReformatted(t *testing.T) {
	m := &api.Metric{Oneline: "x", Help: "Counts the number\nof things.\n\nWhen it is\n  indented it stays:\n- one\n- two\n\n\nEnd."}
	want := "Counts the number of things.\n\nWhen it is\n  indented it stays:\n- one\n- two\n\nEnd."
	if got := HelpText(m); got != want {
		t.Errorf("HelpText = %q, want %q", got, want)
	}
}

// The queue of a disk is a number of requests although it is counted in ms; the
// time in which a disk was busy is a percentage.
func TestUtilisation(t *testing.T) {
	for name, want := range map[string]bool{"disk.dev.avactive": true, "disk.dev.active": true, "kernel.all.cpu.user": true, "disk.dev.aveq": false, "disk.dev.read_rawactive": false, "disk.dev.response": false, "nfsclient.ops.read.rtt": false, "proc.psinfo.utime": true} {
		m := &api.Metric{Name: name, Type: "U64", Semantics: "counter", Units: "millisec"}
		if Utilisation(m, true) != want {
			t.Errorf("Utilisation(%s) = %v, want the opposite", name, !want)
		}
		if units := ShownUnits(m, true); (units == "") == want {
			t.Errorf("ShownUnits(%s) = %q, want units only if it is no utilisation", name, units)
		}
	}
}
