package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// An expression over past time also uses the data before the first point of a
// window, as far as the archive has them; all others begin at the window, as
// in PCP. By hand: the load is 0, 1, 2 … every 10 s; a process exists until
// sample 20.
func TestHistory(t *testing.T) {
	const n = 100
	short := recording.Rising(n, 0, 1)
	for i := 21; i < n; i++ {
		short[i] = math.NaN()
	}
	s, src := record(t, recording.Recording{Host: "past", Step: 10e9, Values: map[string]map[string]any{
		"kernel.all.load":   {"1 minute": recording.Rising(n, 0, 1)},
		"proc.memory.vmrss": {"000001 ended": short, "000002 lasting": recording.Rising(n, 0, 1)},
	}})
	ask := func(from, count int, expr string) *api.Frame {
		t.Helper()
		start, step := int64(recording.Start)+int64(from)*10e9, int64(10e9)
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{expr}, Start: &api.When{Nanos: &start}, Interval: &api.When{Nanos: &step}, Count: count}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.Start != pcp.Time(start) || len(f.Times) != count || f.Times[0] != 0 {
			t.Errorf("%s: %d points from %v", expr, len(f.Times), f.Start)
		}
		return f
	}
	for _, tt := range []struct {
		from int
		expr string
		want []float64
	}{
		{50, `movavg(kernel.all.load, "30s")`, []float64{49, 50, 51}},           // of 48, 49, 50 …
		{1, `movavg(kernel.all.load, "30s")`, []float64{0.5, 1, 2}},             // of 0 and 1; 0, 1, 2; …
		{0, `movavg(kernel.all.load, "30s")`, []float64{0, 0.5, 1}},             // nothing lies before
		{50, `movavg(delta(kernel.all.load), "30s")`, []float64{1, 1, 1}},       // of what is one more point back
		{50, "delta(kernel.all.load)", []float64{math.NaN(), 1, 1}},             // PCP's
		{50, `60 * movslope(kernel.all.load, "1min")`, []float64{6, 6, 6}},      // 0.1 a second
		{50, `slope(movavg(kernel.all.load, "30s"))`, []float64{.05, .05, .05}}, // slope() is of the window alone: of 50, 50.5 and 51
		{50, `movavg(kernel.all.load, "30s") - 50`, []float64{-1, 0, 1}},        // within another
	} {
		f := ask(tt.from, len(tt.want), tt.expr)
		if len(f.Columns) != 1 || len(f.Columns[0].Values) != len(tt.want) {
			t.Errorf("%s: %+v", tt.expr, f.Columns)
			continue
		}
		for i, want := range tt.want {
			if got := f.Columns[0].Values[i]; !(math.Abs(got-want) < 1e-6 || got != got && want != want) {
				t.Errorf("%s from sample %d: %v, want %v", tt.expr, tt.from, f.Columns[0].Values, tt.want)
				break
			}
		}
	}
	f := ask(30, 5, `movavg(proc.memory.vmrss, "5min")`)
	if len(f.Columns) != 1 || f.Columns[0].Instance.Name != "000002 lasting" {
		t.Errorf("an ended process is present: %+v", f.Columns)
	}
	if f := ask(15, 10, `movavg(proc.memory.vmrss, "5min")`); len(f.Columns) != 2 || f.Columns[0].Values[5] != 10 || f.Columns[0].Values[9] == f.Columns[0].Values[9] {
		t.Errorf("who ends in the window: %+v", f.Columns)
	}
}
