package core

import (
	"slices"
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

// Steps of an hour are several records, which come some milliseconds early or late. By pmdumplog(1),
// sdb, which had been idle, was first busy in the ten seconds to 14:40:55.383.
func TestSinceIsARecord(t *testing.T) {
	s, src := openReference(t)
	for _, from := range []string{"14:35:00", "14:35:13", "14:35:39", "14:36:05"} {
		x := explainBig(t, s, src.ID, from, "15:40:35")
		i := slices.IndexFunc(x.Rows, func(r api.ExplanationRow) bool { return r.Instance != nil && r.Instance.Name == "sdb" })
		if i < 0 || x.Rows[i].Since == nil {
			t.Fatalf("%q", x.Text)
		}
		if got := x.Rows[i].Since.Std().Format("15:04:05.000"); got != "14:40:55.383" {
			t.Errorf("of a window from %s on: since %s, want 14:40:55.383", from, got)
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
