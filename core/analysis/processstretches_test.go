package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// What processes used over a window is that of all stretches in it: here on both sides of a
// mark at 15 s, 10 and 20 s. See fourProcesses for what they used.
func TestTableAcrossAMark(t *testing.T) {
	h := fourProcesses()
	h.cuts = []pcp.Time{start + 15e9}
	p := NewHost(h).Processes()
	table, ok, err := p.Table(start, start+40e9, anyBytes)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	var got []string
	for _, r := range table.Processes {
		got = append(got, fmt.Sprintf("%d %s %.3f new=%v ended=%v", r.PID, r.Command, orZero(r.CPU), r.New, r.Ended))
	}
	// old 1 and 2 s of 30; young 0.5 s of its 3.5, as how much of the 3 s was before the mark
	// is unknown; the second 4, which began at 25 s, 0.2 s.
	want := "1 old 10.000 new=false ended=false\n2 young 1.667 new=true ended=false\n4 reused 0.667 new=true ended=false\n3 brief 0.000 new=false ended=true\n4 reused 0.000 new=false ended=true"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if table.Start != start || table.End != start+40e9 || table.Seconds != 30 || table.Started != 2 || table.Ended != 2 {
		t.Errorf("%d to %d s, %v s of it, %d began, %d ended; want 0 to 40, 30, 2, 2", (table.Start-start)/1e9, (table.End-start)/1e9, table.Seconds, table.Started, table.Ended)
	}
	if math.Abs(*table.Machine-60) > 1e-9 || math.Abs(*table.Listed-100*3.7/30) > 1e-9 || math.Abs(*table.InNoSample-100*14.3/30) > 1e-9 {
		t.Errorf("machine %v, listed %v, not sampled %v", *table.Machine, *table.Listed, *table.InNoSample)
	}
	if _, ok, _ := p.Table(start+11e9, start+19e9, anyBytes); ok {
		t.Error("a table where nothing is known")
	}
}

// A window that lies between samples, or has one, is covered by the samples around it.
func TestTableBetweenSamples(t *testing.T) {
	p := NewHost(fourProcesses()).Processes()
	for _, tt := range []struct{ from, to, first, last pcp.Time }{
		{12, 18, 10, 20}, {5, 12, 0, 20}, {5, 10, 0, 10}, {0, 10, 0, 10}, {5, 25, 0, 20}, {31, 60, 30, 40}, {-5, 5, 0, 10}, {40, 50, 30, 40},
	} {
		table, ok, err := p.Table(start+tt.from*1e9, start+tt.to*1e9, anyBytes)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if first, last := (table.Start-start)/1e9, (table.End-start)/1e9; first != tt.first || last != tt.last || table.Seconds != float64(last-first) {
			t.Errorf("%d to %d s: over %d to %d s, %v s, want %d to %d", tt.from, tt.to, first, last, table.Seconds, tt.first, tt.last)
		}
	}
}

// A process is the same under another name, if it began at the same time: it began another
// program.
func TestSameProcess(t *testing.T) {
	at := func(s pcp.Time) *pcp.Time { v := start + s*1e9; return &v }
	for _, tt := range []struct {
		a, b api.Process
		want bool
	}{
		{api.Process{Command: "bash", Started: at(0)}, api.Process{Command: "pmlogger", Started: at(1)}, true},
		{api.Process{Command: "bash", Started: at(0)}, api.Process{Command: "bash", Started: at(60)}, false},
		{api.Process{Command: "bash"}, api.Process{Command: "bash", Started: at(60)}, true},
		{api.Process{Command: "bash"}, api.Process{Command: "pmlogger"}, false},
	} {
		if got := sameProcess(&tt.a, &tt.b); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a.Command, tt.b.Command, got)
		}
	}
}

// A number that is given to another process, as collectl2pcp does, is no birth if it would
// have used more than all CPUs had: 60 s of two CPUs in ten seconds.
func TestNoBirthWithTooMuch(t *testing.T) {
	h := fourProcesses()
	h.with("psinfo.utime", counter(ms), map[int32][]float64{1: {5000, 6000, 7000, 8000, 9000}, 2: {math.NaN(), math.NaN(), 60000, 60500, 60500}})
	delete(h.obs, "psinfo.start_time")
	h.level("hinv.ncpu", "", 5, 2)
	table, _, err := NewHost(h).Processes().Table(start, start+40e9, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Processes {
		if r.PID == 2 && math.Abs(orZero(r.CPU)-100*0.5/40) > 1e-9 {
			t.Errorf("%.1f %% of a CPU, want that of 0.5 s in 40", orZero(r.CPU))
		}
	}
}
