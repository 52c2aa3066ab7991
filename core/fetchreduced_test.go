package core

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// peaks are the extremes that the steps of a column saw.
func peaks(c *api.Column) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	lows, highs := c.Low, c.High
	if lows == nil {
		lows, highs = c.Values, c.Values
	}
	for i := range lows {
		if v := lows[i]; v < low {
			low = v
		}
		if v := highs[i]; v > high {
			high = v
		}
	}
	return low, high
}

// However few points a chart has, no peak is lost: the maximum of all steps is
// that of the summary, which is pmlogsummary's (see TestSummary), and the
// statistics of a column are those of the summary.
func TestNoPeakIsLost(t *testing.T) {
	names := []string{"kernel.all.load", "kernel.all.cpu.user", "kernel.all.pswitch", "disk.dev.write", "mem.util.free", "kernel.percpu.cpu.sys", "hinv.ncpu"}
	for _, a := range []string{"web01", "web01-v2"} {
		s, o := openAll(t, liveFiles(a)...)
		testPeaks(t, a, s, o.Sources[0], names)
	}
}

func testPeaks(t *testing.T, archive string, s *Session, src api.Source, names []string) {
	sums, err := s.Summary(context.Background(), api.SummaryQuery{Source: src.ID, Metrics: names, Measured: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, points := range []int{2, 7, 40} {
		f, err := s.Fetch(context.Background(), api.Query{Source: src.ID, Metrics: names, Convert: "rate", Pixels: points, Reduce: "mean", Statistics: &api.Range{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Times) > points || f.Reduced != "mean" {
			t.Errorf("%s: %d points of %d, %q", archive, len(f.Times), points, f.Reduced)
		}
		reduced := 0
		for _, want := range sums {
			at := slices.IndexFunc(f.Columns, func(c api.Column) bool {
				return c.Metric == want.Metric && (want.Instance == nil || c.Instance != nil && *c.Instance == *want.Instance)
			})
			if at < 0 {
				t.Errorf("%s: %s %v has no column", archive, want.Metric, want.Instance)
				continue
			}
			c := &f.Columns[at]
			low, high := peaks(c)
			if c.Low != nil {
				reduced++
				if high != want.Maximum || low > want.Minimum {
					t.Errorf("%s, %d points: %s %v reaches from %g to %g; the summary has %g to %g", archive, points, want.Metric, want.Instance, low, high, want.Minimum, want.Maximum)
				}
			}
			st := c.Statistics
			if st == nil || st.Average != want.TimeAverage || st.P95 != want.P95 || st.Maximum != want.Maximum || st.MaximumAt != want.MaximumAt || st.Minimum != want.Minimum || st.Count != want.Count || st.Median != want.Median {
				t.Errorf("%s: the statistics of %s %v are %+v; the summary has %+v", archive, want.Metric, want.Instance, st, want)
			}
			for i, v := range c.Values {
				if c.Low != nil && !math.IsNaN(v) && (v < c.Low[i] || v > c.High[i]) {
					t.Errorf("%s: the mean %g of %s is not between %g and %g", archive, v, want.Metric, c.Low[i], c.High[i])
				}
			}
		}
		if reduced == 0 {
			t.Errorf("%s: no column of %d points was reduced", archive, points)
		}
	}
}

// An expression of one counter has the same statistics as the counter, even
// if its number of CPUs was logged only once.
func TestReducedExpressions(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	q := api.Query{Source: id, Metrics: []string{"kernel.all.pswitch", "rate(kernel.all.pswitch)", "rate(kernel.all.pswitch) / hinv.ncpu", "hinv.ncpu"}, Convert: "rate", Pixels: 20, Reduce: "max", Statistics: &api.Range{}}
	f, err := s.Fetch(context.Background(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	counter, rate, each, cpus := &f.Columns[0], &f.Columns[1], &f.Columns[2], f.Columns[3].Values[1]
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	for _, c := range []*api.Column{rate, each} {
		by := 1.0
		if c == each {
			by = cpus
		}
		a, b := counter.Statistics, c.Statistics
		if b == nil || a.Count != b.Count || !near(b.Average*by, a.Average) || !near(b.P95*by, a.P95) || !near(b.Maximum*by, a.Maximum) || a.MaximumAt != b.MaximumAt || !near(b.Last*by, a.Last) || a.LastAt != b.LastAt {
			t.Errorf("%s has %+v, the counter %+v", c.Metric, b, a)
		}
		for i := range counter.Values {
			if math.IsNaN(counter.Values[i]) != math.IsNaN(c.Values[i]) || !math.IsNaN(c.Values[i]) && !near(c.Values[i]*by, counter.Values[i]) {
				t.Errorf("%s at %d: %g, the counter %g", c.Metric, i, c.Values[i], counter.Values[i])
			}
		}
	}
	sums, err := s.Summary(context.Background(), api.SummaryQuery{Source: id, Metrics: []string{each.Metric}}, nil)
	if err != nil || len(sums) != 1 || sums[0].Maximum != each.Statistics.Maximum || sums[0].TimeAverage != each.Statistics.Average {
		t.Errorf("the summary has %+v, %v; the statistics %+v", sums, err, each.Statistics)
	}
	q.Reduce = "often"
	if _, err := s.Fetch(context.Background(), q, nil); err == nil {
		t.Error("a reduction that there is not was taken")
	}
}

// Of counters that were logged less often than the grid's step, a chart draws the rates
// between records: interpolated counts, which are integers, differ by none from one point to
// the next, or by one too many (6.25 % here). pmdumplog 20180416 network.tcp: 74 of 158183
// segments in the first gap between records, and 89 of 30407 in the last, the highest share.
func TestSparseCounters(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "archives"), "20180416.*"))
	s, o := openAll(t, files...)
	step := int64(10e9)
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"100 * rate(network.tcp.retranssegs) / rate(network.tcp.outsegs)"},
		Interval: &api.When{Nanos: &step}, Reduce: "mean", Samples: true, Gaps: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := f.Columns[0].Values
	values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if got, want := values[len(values)/6], 100*74.0/158183; math.Abs(got-want) > 0.1*want {
		t.Errorf("in the first gap %v %% are drawn, want %v", got, want)
	}
	if got, want := slices.Max(values), 100*89.0/30407; got > 1.1*want || got < want {
		t.Errorf("at most %v %% are drawn, want %v", got, want)
	}
}

// Of dense counters a chart draws the samples that PCP's tools print, so that a panel's command
// line prints the panel's numbers. Expected values: pmrep -a web01-v2 -z -t 1sec -P 9
// -e 'p.out=delta(network.interface.out.bytes) / delta(network.interface.out.packets)', eth0
// from 03:49:22 on; "inf" leaves a gap.
func TestDenseCounters(t *testing.T) {
	s, o := openAll(t, liveFiles("web01-v2")...)
	second, start := int64(1e9), int64(o.Sources[0].Start)
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"delta(network.interface.out.bytes) / delta(network.interface.out.packets)"}, Instances: []string{"eth0"},
		Start: &api.When{Nanos: &start}, Interval: &api.When{Nanos: &second}, Reduce: "mean", Samples: true, Gaps: true}, nil)
	if err != nil || len(f.Columns) != 1 {
		t.Fatal(f, err)
	}
	for at, want := range map[int]float64{20: 81.272727273, 21: 76.076923077, 23: 78, 161: 40, 278: 47} {
		if got := f.Columns[0].Values[at]; math.Abs(got-want) > 1e-8 {
			t.Errorf("%d s after the start %v is drawn, pmrep prints %v", at, got, want)
		}
	}
}

// A setting is in effect from when it was logged until the next time: 0 at the start, 1 at
// 10 s, 40 at 60 s. Samples would have the nearest value, 40 from 35 s on.
func TestLastOfSettings(t *testing.T) {
	w := written{}
	aw := w.begin(t, "a", second(0))
	setting := pcp.Desc{PMID: rampLevel.PMID, Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.NullInDom}
	aw.Desc(setting, "a.setting")
	for _, v := range []struct{ at, val int }{{0, 0}, {10, 1}, {60, 40}} {
		aw.Record(second(v.at), []archive.ValueSet{{PMID: setting.PMID, Type: setting.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(v.val)}}}})
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"a.setting"}, Start: moment(second(0)), End: moment(second(60)), Interval: moment(10e9), Reduce: "last"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Columns[0].Values, []float64{0, 1, 1, 1, 1, 1, 40}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A level gives way to a record 2 ms after a point: it is in the band of the step that it was
// logged in, and not in that of the next, of which it was true for no more than these. Where it
// lasts for 4 of 30 s, it is in both.
func TestBandOfLevelsThatGiveWay(t *testing.T) {
	// Records each 10 s, of which those at 20, 50, 80 s and so on follow a point.
	values := recording.Steady(16, 500.0)
	values[7], values[13] = 9000, 100 // at 70 s and 130 s
	s, src := record(t, recording.Recording{Host: "h", Step: 10e9, Values: map[string]map[string]any{"mem.util.free": {"": values}}})
	step := int64(30e9)
	for early, want := range map[int64]string{2e6: "[500 500] [500 500] [500 9000] [500 500] [100 500]", 4e9: "[500 500] [500 500] [500 9000] [500 9000] [100 500]"} {
		start, end := int64(recording.Start)+20e9-early, int64(recording.Start)+140e9-early
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"mem.util.free"}, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end},
			Interval: &api.When{Nanos: &step}, Reduce: "mean", Samples: true, Gaps: true}, nil)
		if err != nil || len(f.Columns) != 1 {
			t.Fatal(f, err)
		}
		var got []string
		for i := range f.Columns[0].Low {
			got = append(got, fmt.Sprint([]float64{f.Columns[0].Low[i], f.Columns[0].High[i]}))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("points %v s before a record: the bands are %s, want %s", float64(early)/1e9, got, want)
		}
	}
}
