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

// The queue of a disk is a number of requests, however it was counted; the time
// in which a disk was busy is a share.
func TestUtilisation(t *testing.T) {
	for name, want := range map[string]bool{"disk.dev.avactive": true, "disk.dev.active": true, "kernel.all.cpu.user": true, "disk.dev.aveq": false, "disk.dev.read_rawactive": false, "disk.dev.response": false, "nfsclient.ops.read.rtt": false, "proc.psinfo.utime": true} {
		m := &api.Metric{Name: name, Type: "U64", Semantics: "counter", Units: "millisec"}
		if Utilisation(m, true) != want {
			t.Errorf("%s is a share of time: %v", name, !want)
		}
		if units := ShownUnits(m, true); (units == "") == want {
			t.Errorf("%s is shown in %q", name, units)
		}
	}
}
