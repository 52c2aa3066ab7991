package core

import (
	"math"
	"slices"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/dashboard"
	"pcpscope/core/pcp"
)

func web01Paths() []string {
	return []string{"../testdata/live/web01.meta", "../testdata/live/web01.index", "../testdata/live/web01.0.zst"}
}

// The hour that all of web01 lies in has the count, the time average, the
// minimum and the maximum that pmlogsummary prints of the whole archive
// (testdata/oracle/summary/web01.csv.gz), and the quantiles of what pmdumplog -z
// prints: of values by place (n-1)*q in order, of a counter those of its rates.
func TestDigest(t *testing.T) {
	s, o := openAll(t, web01Paths()...)
	from := pcp.Time(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC).UnixNano())
	d, err := s.Digest(t.Context(), o.Sources[0].ID, from, 24, []string{"kernel.all.load", "kernel.all.pswitch", "mem.util.available", "disk.dev.read", "not.logged", "kernel.uname.nodename"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		metric, instance, units                  string
		count, mean, low, high, median, p95, p99 float64
	}{
		{"kernel.all.load", "1 minute", "", 300, 2.140944, 0.73, 5.38, 1.555, 5.0170002, 5.3800001},
		{"kernel.all.pswitch", "", "count / sec", 299, 5256.285392, 399.971005, 45970.605526, 554.9974747614426, 26846.439208274, 40286.65146047832},
		{"mem.util.available", "", "Kbyte", 300, 23875978.487568, 20722052, 24209948, 24064028, 24190331.8, 24209616.88},
		{"disk.dev.read", "vda", "count / sec", 299, 45.735654, 0, 3477.495064, 0, 114.87883942333241, 810.271570066124},
	} {
		at := slices.IndexFunc(d.Series, func(x DigestSeries) bool {
			return x.Metric == want.metric && (x.Instance == nil && want.instance == "" || x.Instance != nil && x.Instance.Name == want.instance)
		})
		if at < 0 {
			t.Errorf("no %s %s", want.metric, want.instance)
			continue
		}
		f := d.Series[at].Figures
		got := []float64{f.Count[3], f.Mean[3], f.Min[3], f.Max[3], f.Median[3], f.P95[3], f.P99[3]}
		for i, v := range []float64{want.count, want.mean, want.low, want.high, want.median, want.p95, want.p99} {
			if math.Abs(got[i]-v) > 1e-6*max(1, v) {
				t.Errorf("%s %s: %v, want %+v", want.metric, want.instance, got, want)
				break
			}
		}
		if d.Series[at].Units != want.units || d.Series[at].Measure {
			t.Errorf("%+v, want units %s", d.Series[at], want.units)
		}
		for h := range 24 {
			if h != 3 && !math.IsNaN(f.Mean[h]) {
				t.Errorf("%s has %g at %d:00", want.metric, f.Mean[h], h)
			}
		}
	}
	if math.Abs(d.Recorded[3]-299.998505) > 0.1 || d.Recorded[2] != 0 || d.Recorded[4] != 0 { // from the label to the end, as pmdumplog -L has them
		t.Errorf("recorded: %v", d.Recorded)
	}
	if d.Host != "pcp-testhost" || string(d.Labels) == "{}" {
		t.Errorf("host %q, labels %s", d.Host, d.Labels)
	}
	if len(d.Findings) == 0 {
		t.Error("no finding; the page has some of this archive")
	}
}

// The hours are those of a chart with a point each hour, of each reduction,
// and measures are the expressions of the dashboards; of days that do not
// begin with an archive, also where one takes over from another.
func TestDigestOfADay(t *testing.T) {
	s, o := openAll(t, historyFiles(t, "20170223", "20170224")...)
	id, day, hour := o.Sources[0].ID, int64(time.Date(2017, 2, 24, 0, 0, 0, 0, time.UTC).UnixNano()), int64(time.Hour)
	d, err := s.Digest(t.Context(), id, pcp.Time(day), 24, []string{"kernel.all.load", "kernel.all.pswitch", "disk.dev.read_bytes"})
	if err != nil {
		t.Fatal(err)
	}
	busy := ""
	measures, err := s.sources[0].fleetMeasures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range measures {
		if m.ID == "cpu.busy" {
			busy = m.expression
		}
	}
	compared := 0
	for reduce, of := range map[string]func(Figures) []float64{
		"mean": func(f Figures) []float64 { return f.Mean }, "max": func(f Figures) []float64 { return f.Max },
		"min": func(f Figures) []float64 { return f.Min }, "p95": func(f Figures) []float64 { return f.P95 },
	} {
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"kernel.all.load", "kernel.all.pswitch", "disk.dev.read_bytes", busy}, Convert: "rate", Reduce: reduce,
			Start: &api.When{Nanos: &day}, Interval: &api.When{Nanos: &hour}, Count: 25, Gaps: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Columns {
			at := slices.IndexFunc(d.Series, func(x DigestSeries) bool {
				return (x.Metric == c.Metric || x.Metric == "cpu.busy" && c.Metric == busy) && (x.Instance == nil) == (c.Instance == nil) && (x.Instance == nil || x.Instance.Name == c.Instance.Name)
			})
			if at < 0 {
				t.Errorf("no %s %v", c.Metric, c.Instance)
				continue
			}
			for h, v := range of(d.Series[at].Figures) {
				if w := c.Values[h+1]; v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
					t.Errorf("%s of %s at %d:00: %g, in a chart %g", reduce, c.Metric, h, v, w)
				}
				compared++
			}
		}
	}
	if compared < 4*24*6 {
		t.Errorf("%d figures were compared", compared)
	}
	for _, f := range d.Findings {
		if f.Start < pcp.Time(day) || f.End > pcp.Time(day+24*hour) {
			t.Errorf("%q is from %d to %d, not of the day", f.Text, f.Start, f.End)
		}
	}
}

// IDs are stored in files and used in SQL, so they must not change.
func TestFleetMeasures(t *testing.T) {
	seen := map[string]bool{}
	for _, averaged := range []bool{false, true} {
		for _, m := range (dashboard.Accounting{MeanOfCPUs: averaged}).FleetMeasures() {
			if seen[m.ID] && !averaged || m.Name == "" || len(m.Exprs) == 0 {
				t.Errorf("measure %+v: want a unique ID, a name and expressions", m)
			}
			seen[m.ID] = true
		}
	}
	s, o := openAll(t, web01Paths()...)
	d, err := s.Digest(t.Context(), o.Sources[0].ID, o.Sources[0].Start, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, x := range d.Series {
		if has[x.Metric] = true; x.Instance != nil || !x.Measure {
			t.Errorf("series %+v: want a measure without instances", x)
		}
	}
	for id := range seen { // a Linux host logs what all of them need; this one has no swap, and its filesystems were not logged
		if !has[id] && id != "swap.used" && id != "filesystem.full" {
			t.Errorf("%s is not there", id)
		}
	}
}
