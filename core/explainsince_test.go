package core

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// A rate of which the record of 240 min, at 14,400 s, is the last of 100/s is 5,000/s in the next
// minute: that is known from 14,460 s on, wherever the window begins.
func TestSinceOfARate(t *testing.T) {
	vals := make([]float64, 360)
	for i := 1; i < len(vals); i++ {
		rate := 100.0
		if i > 240 && i <= 260 {
			rate = 5000
		}
		vals[i] = vals[i-1] + 60*rate
	}
	s, src := record(t, recording.Recording{Host: "switches", Step: 60e9, Values: map[string]map[string]any{"kernel.all.pswitch": {"": vals}}})
	for late := range 6 {
		start, end := moment(recording.Start+pcp.Time(14_100+10*late)*1e9), moment(recording.Start+15_600e9)
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: start, End: end}, nil)
		if err != nil || len(x.Rows) != 1 || x.Rows[0].Since == nil {
			t.Fatalf("%q, %v", x.Text, err)
		}
		if got := x.Rows[0].Since.Since(recording.Start); got != 14_460 {
			t.Errorf("of a window from %d s on: since %g s, want 14460", 14_100+10*late, got)
		}
	}
}

// From 14:40 to 14:50 all 71,698 values of proc.io in the reference archive are zero (pmdumplog),
// while rsync reads from one disk and writes to another: the agent may not read its /proc/PID/io.
// A shell of the agent's own user has some at other times.
func TestWhoUsedDisksIsUnknown(t *testing.T) {
	s, src := openReference(t)
	x := explainBig(t, s, src.ID, "14:40:00", "14:50:00")
	told := 0
	for _, u := range x.Who {
		if u.Resource != "read" && u.Resource != "write" {
			continue
		}
		if told++; u.Unreadable == "" || len(u.Commands) > 0 || u.Rest != 0 {
			t.Errorf("%+v", u)
		}
	}
	lines := 0
	for _, line := range x.Text {
		if strings.Contains(line, "Who used the disks is not known") {
			lines++
		}
	}
	if told != 2 || lines != 1 {
		t.Errorf("%d resources, %d lines in %q", told, lines, x.Text)
	}
}
