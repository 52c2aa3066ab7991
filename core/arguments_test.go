package core

import (
	"context"
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

const live = "../testdata/live/"

// Nonsensical arguments are rejected, not silently reinterpreted.
func TestSenselessArguments(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	id := o.Sources[0].ID
	load := []string{"kernel.all.load"}
	at := func(n pcp.Time) *api.When { i := int64(n); return &api.When{Nanos: &i} }
	start, end := at(o.Sources[0].Start), at(o.Sources[0].End)
	fetch := func(q api.Query) error {
		q.Source, q.Metrics = id, load
		_, err := s.Fetch(t.Context(), q, nil)
		return err
	}
	compare := func(q api.CompareQuery) error { q.Source = id; _, err := s.Compare(t.Context(), q, nil); return err }
	for what, err := range map[string]error{
		"fewer than no pixels":        fetch(api.Query{Pixels: -1}),
		"fewer than no points":        fetch(api.Query{Count: -1}),
		"a window that ends early":    fetch(api.Query{Start: end, End: start}),
		"such a window, as logged":    fetch(api.Query{Start: end, End: start, Mode: "raw"}),
		"such a window, in sum":       outcome(s.Summary(t.Context(), api.SummaryQuery{Source: id, Start: end, End: start}, nil)),
		"fewer than no hits":          outcome(s.Search(t.Context(), id, "load", -1)),
		"an effect below 0":           compare(api.CompareQuery{Effect: -1}),
		"an effect above 1":           compare(api.CompareQuery{Effect: 2}),
		"an effect that is no number": compare(api.CompareQuery{Effect: math.NaN()}),
		"a shift below 0":             compare(api.CompareQuery{Shift: -1}),
		"a shift that is no number":   compare(api.CompareQuery{Shift: math.NaN()}),
	} {
		if err == nil || pcp.AsFault(err).Kind != pcp.BadArgument {
			t.Errorf("%s: %v, want a fault of kind argument", what, err)
		}
	}
}

func outcome[T any](_ T, err error) error { return err }

// No list of instances means all of them, an empty one means none.
func TestNoInstances(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	for _, mode := range []string{"interp", "raw"} {
		for _, tt := range []struct {
			instances []string
			columns   int // three of kernel.all.load, and hinv.ncpu, which has no instances
		}{{nil, 4}, {[]string{}, 1}, {[]string{"5 minute"}, 2}} {
			f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"kernel.all.load", "hinv.ncpu"}, Instances: tt.instances, Mode: mode}, nil)
			if err != nil || len(f.Columns) != tt.columns {
				t.Errorf("%s: instances %q give %d columns (%v), want %d", mode, tt.instances, len(f.Columns), err, tt.columns)
			}
		}
	}
}

// pmdumplog(1) has 300 records of kernel.all.load in this archive.
func TestPixelsOfLoggedValues(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"kernel.all.load"}, Mode: "raw", Pixels: 30}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Times) != 30 || f.Columns[0].High == nil {
		t.Fatalf("%d points with an envelope %v, want 30 with one", len(f.Times), f.Columns[0].High != nil)
	}
	highest := 0.0
	for _, v := range f.Columns[0].High {
		highest = math.Max(highest, v)
	}
	if math.Abs(highest-5.38) > 0.005 { // pmlogsummary -M prints 5.380 for "1 minute"
		t.Errorf("the highest load is %g, want 5.38", highest)
	}
}

// A single point represents the whole window, too. pmlogsummary(1) prints these
// extremes; they are not at whole seconds, where a grid would have samples.
func TestOnePixel(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"mmv.sample_v1.pool.open", "kernel.all.pswitch"}, Instances: []string{"reader"}, Convert: "rate", Pixels: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Times) != 1 || len(f.Columns) != 2 || f.Columns[0].Low == nil || f.Columns[1].Low == nil {
		t.Fatalf("%d points of %+v, want 1 of 2 series with envelopes", len(f.Times), f.Columns)
	}
	for i, want := range [][]float64{{302485, 99240443}, {399.971005, 45970.605526}} {
		if c := f.Columns[i]; math.Abs(c.Low[0]-want[0]) > 1e-6 || math.Abs(c.High[0]-want[1]) > 1e-6 {
			t.Errorf("%s is between %f and %f, want %f", c.Metric, c.Low[0], c.High[0], want)
		}
	}
}

// asked counts how often the code checks for cancellation.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error { a.times++; return nil }

// A metric may have thousands of instances. Between any two of them a query
// can be cancelled, and it is abandoned if its result would not fit in memory.
func TestLongAnswersCanBeStopped(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	q := api.Query{Source: o.Sources[0].ID, Metrics: []string{"sample.bin"}, Interval: &api.When{Text: "1msec"}} // nine instances, as pminfo -f lists
	ctx := &asked{Context: t.Context()}
	if _, err := s.Fetch(ctx, q, nil); err != nil || ctx.times < 9 {
		t.Errorf("%v, asked %d times whether to go on, want once for each instance", err, ctx.times)
	}
	e := s.sources[0].newEvaluation(series.Grid{Start: o.Sources[0].Start, Step: 1, Count: maxPoints / 2})
	if e.stop(2) {
		t.Errorf("%d values are too many: %v", maxPoints, e.ended)
	}
	if !e.stop(3) || pcp.AsFault(e.ended).Kind != pcp.OutOfMemory {
		t.Errorf("more than %d values are not refused: %v", maxPoints, e.ended)
	}
	if _, err := e.frame("sample.bin"); err == nil {
		t.Error("what was given up is answered all the same")
	}
}

// Windows and grids at the limits of time are answered or refused, and never wrap around:
// 2^63 ns are 292 years.
func TestQueriesAtTheLimitsOfTime(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	at := func(n pcp.Time) *api.When { i := int64(n); return &api.When{Nanos: &i} }
	const first, last = pcp.MinTime, pcp.MaxTime
	for _, tt := range []struct {
		what string
		q    api.Query
		want []float64 // times after the start; nil if refused
	}{
		{"all of time, in steps", api.Query{Start: at(first), End: at(last), Interval: at(1)}, nil},
		{"all of time, in pixels", api.Query{Start: at(first), End: at(last), Pixels: 100}, nil},
		{"from 1970 on, in steps", api.Query{Start: at(0), End: at(last), Interval: at(1)}, nil},
		{"up to the end of the archive, in pixels", api.Query{Start: at(first), Pixels: 2}, nil},
		{"points after the end of time", api.Query{Start: at(last - 2e9), Interval: at(1e9), Count: 4}, nil},
		{"points before its beginning", api.Query{Start: at(first + 2e9), Interval: at(-1e9), Count: 4}, nil},
		{"points more than an int64 apart", api.Query{Start: at(first), Interval: at(1 << 62), Count: 3}, nil},
		{"points until the end of time", api.Query{Start: at(last - 2e9), Interval: at(1e9), Count: 3}, []float64{0, 1, 2}},
		{"points back to its beginning", api.Query{Start: at(first + 2e9), Interval: at(-1e9), Count: 3}, []float64{0, -1, -2}},
		{"no step after the end of time", api.Query{Start: at(last - 1.5e9), End: at(last), Interval: at(1e9), Reduce: "mean"}, []float64{0, 1}},
		{"from 1970 on, in pixels", api.Query{Start: at(0), End: at(last - 1), Pixels: 3}, []float64{0, float64(1<<62) / 1e9, float64(1<<63-1) / 1e9}},
	} {
		tt.q.Source, tt.q.Metrics = o.Sources[0].ID, []string{"kernel.all.load", "hinv.ncpu"}
		f, err := s.Fetch(t.Context(), tt.q, nil)
		switch {
		case err == nil && (tt.want == nil || !slices.Equal(f.Times, tt.want)):
			t.Errorf("%s: the times are %v, want %v", tt.what, f.Times[:min(len(f.Times), 5)], tt.want)
		case err != nil && (tt.want != nil || pcp.AsFault(err).Kind == pcp.Internal):
			t.Errorf("%s: %v, want %v", tt.what, err, tt.want)
		}
	}
}
