package table

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// The note says over what time rates are: how much of the time from start to end is known,
// and that a single sample has none.
func TestProcessNote(t *testing.T) {
	const minute = 60 * pcp.Time(1e9)
	for _, tt := range []struct {
		end     pcp.Time
		seconds float64
		moment  bool
		want    string
	}{
		{10 * minute, 600, false, "averages over 10 min; "},
		{10 * minute, 420, false, "averages over 7 min of these 10 min; "},
		{minute, 60, true, "rates over the 1 min before it; "},
		{0, 0, true, "one sample, and rates need two; "},
		{0, 0, false, "one sample, and rates need two; "},
	} {
		if got := processNote(api.ProcessTable{End: tt.end, Seconds: tt.seconds}, tt.moment); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%v s: %q, want %q", tt.seconds, got, tt.want)
		}
	}
}

// Of active processes alone the page does not say that others were short-lived, nor that
// those that are gone have ended.
func TestNoteOnActiveProcesses(t *testing.T) {
	machine, listed := 150.0, 25.0
	out := Processes(api.ProcessTable{End: 10e9, Seconds: 10, Machine: &machine, Listed: &listed, CPUs: 4, Hot: true, Processes: []api.Process{{PID: 1, Command: "busy"}}}, true, timeline.Window{}, format.Clock{})
	if want := "rates over the 10 s before it; 1.50 CPUs used of 4, 0.25 by listed processes; 1 process, 0 new; only active ones are logged"; out.Note != want {
		t.Errorf("%q, want %q", out.Note, want)
	}
	if out.Rows != 1 || strings.Contains(out.Note, "short-lived") {
		t.Errorf("%d rows, want 1", out.Rows)
	}
}
