package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Which metrics change in the five-minute recording of web01. Expected values
// were looked up with pmdumplog(1) 6.0.3, which prints every value.
func TestActivity(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	list, err := s.Activity(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, a := range list {
		states[a.Metric] = a.State
	}
	for name, want := range map[string]string{
		"kernel.all.load": "moving", "kernel.all.cpu.user": "moving", "hinv.ncpu": "constant", "hinv.physmem": "constant",
		"kernel.uname.release": "constant", "no.such.metric": "",
	} {
		if states[name] != want {
			t.Errorf("%s is %q, want %q", name, states[name], want)
		}
	}
	empty := 0
	for _, a := range list {
		if a.State == "empty" {
			empty++
		}
	}
	t.Logf("%d metrics, %d of them empty", len(list), empty)
}

func TestSparklines(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	lines, err := s.Sparklines(t.Context(), o.Sources[0].ID, []string{"kernel.all.load", "kernel.all.cpu.user", "kernel.uname.release", "no.such.metric", "100 * rate(kernel.all.cpu.idle) / hinv.ncpu"}, 24, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3: texts and unknown names have none", len(lines))
	}
	for _, l := range lines {
		if len(l.Values) != 24 {
			t.Errorf("%s has %d points", l.Metric, len(l.Values))
		}
	}
	if lines[0].Instance == nil || lines[1].Instance != nil {
		t.Error("load has instances, CPU time has none")
	}
	values := 0
	for _, v := range lines[2].Values {
		if !math.IsNaN(v) {
			values++
			if v < 0 || v > 101 {
				t.Errorf("idle %v %%", v)
			}
		}
	}
	if values < 20 {
		t.Errorf("idle has %d values of 24", values)
	}
	if _, err := s.Sparklines(t.Context(), o.Sources[0].ID, nil, 1, nil); pcp.AsFault(err) == nil || pcp.AsFault(err).Kind != pcp.BadArgument {
		t.Errorf("one point: %v", err)
	}
	if _, err := s.Sparklines(t.Context(), api.SourceID(99), nil, 10, nil); err == nil {
		t.Error("a source that is not open")
	}
}
