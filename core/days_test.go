package core

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/export"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/zone"
	"pcpscope/internal/recording"
)

func hourOf(d *api.Days, date string, hour int) int {
	at := slices.IndexFunc(d.Days, func(x api.Day) bool { return x.Date == date })
	return at*hoursOfDay + hour
}

// Hourly statistics of a real host agree with an independent computation from
// pmdumplog's output: pmdumplog -z 20170224 METRIC, each value weighted by
// the time to the next one within the hour, for a counter its rates likewise.
func TestDays(t *testing.T) {
	s, o := openAll(t, historyFiles(t, "20170223", "20170224", "20170225")...)
	for _, want := range []struct {
		metric, instance           string
		hour                       int
		average, low, high, number float64
		covered                    float64
	}{
		{"kernel.all.load", "1 minute", 4, 0.235969745420263, 0, 1.11, 120, 1},
		{"kernel.all.load", "1 minute", 5, 0.21913264655087303, 0, 0.93000001, 120, 1},
		{"kernel.all.pswitch", "", 5, 9239.377658416006, 5825.530461164794, 39161.100937310875, 120, 1},
		{"kernel.all.pswitch", "", 10, 7636.361820755014, 5829.3510862255525, 11953.141286029668, 120, 1},
		{"mem.util.free", "", 5, 2553266.584954062, 2108108, 2694700, 60, 1},
	} {
		d, err := s.Days(t.Context(), api.DaysQuery{Source: o.Sources[0].ID, Metric: want.metric, Instance: want.instance}, nil)
		if err != nil {
			t.Fatal(err)
		}
		// The printed stamps are whole microseconds.
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(b) }
		at := hourOf(&d, "2017-02-24", want.hour)
		if at < 0 || !near(d.Average[at], want.average) || !near(d.Minimum[at], want.low) || !near(d.Maximum[at], want.high) || d.Count[at] != want.number || math.Abs(d.Covered[at]-want.covered) > 1e-5 {
			t.Errorf("%s at %d: %g, %g to %g, %g observations, %g covered; want %+v", want.metric, want.hour, d.Average[at], d.Minimum[at], d.Maximum[at], d.Count[at], d.Covered[at], want)
		}
		// A chart with one point per hour shows the same values.
		day, hour := int64(d.Days[1].Start), int64(time.Hour)
		f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{want.metric}, Convert: "rate", Reduce: "mean", Start: &api.When{Nanos: &day}, Interval: &api.When{Nanos: &hour}, Count: 25}, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &f.Columns[0]
		for h := range hoursOfDay {
			if at := hoursOfDay + h; d.Average[at] != c.Values[h+1] || d.Minimum[at] != c.Low[h+1] || d.Maximum[at] != c.High[h+1] {
				t.Errorf("%s at %d: %g, %g to %g, in a chart %g, %g to %g", want.metric, h, d.Average[at], d.Minimum[at], d.Maximum[at], c.Values[h+1], c.Low[h+1], c.High[h+1])
			}
		}
		if len(d.Days) < 3 || len(d.Average) != len(d.Days)*hoursOfDay || len(d.Median) != hoursOfWeek || d.Aggregate != "" {
			t.Errorf("%s: %d days, %d hours, %d of a week, %q", want.metric, len(d.Days), len(d.Average), len(d.Median), d.Aggregate)
		}
	}
}

// The few minutes of one of our own archives have in their hour what the
// summary has, which is pmlogsummary's (see TestSummary); so has the
// combination of several instances.
func TestDaysOfMinutes(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	for _, q := range []api.DaysQuery{{Metric: "kernel.all.load", Instance: "5 minute"}, {Metric: "kernel.all.pswitch"}, {Metric: "mem.util.free"},
		{Metric: "kernel.percpu.cpu.user", Aggregate: "max"}, {Metric: "kernel.percpu.cpu.user"}, {Metric: "kernel.all.load"}} {
		q.Source = id
		d, err := s.Days(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		name := q.Metric
		if want := map[string]string{"max": "max(rate(kernel.percpu.cpu.user))", "sum": "sum(rate(kernel.percpu.cpu.user))", "avg": "avg(kernel.all.load)"}[d.Aggregate]; want != "" {
			name = want
		}
		sums, err := s.Summary(t.Context(), api.SummaryQuery{Source: id, Metrics: []string{name}, Measured: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := sums[slices.IndexFunc(sums, func(x api.Summary) bool { return q.Instance == "" || x.Instance.Name == q.Instance })]
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
		seen, low, high, n, mean, lasted := 0, math.Inf(1), math.Inf(-1), 0.0, 0.0, 0.0
		for i, c := range d.Count {
			if c > 0 {
				seen++
				low, high, n = min(low, d.Minimum[i]), max(high, d.Maximum[i]), n+c
				mean, lasted = mean+d.Average[i]*d.Covered[i], lasted+d.Covered[i]
			}
		}
		if seen < 1 || seen > 2 || !near(low, sum.Minimum) || !near(high, sum.Maximum) || n != float64(sum.Count) || !near(mean/lasted, sum.TimeAverage) {
			t.Errorf("%s: %d hours, %g in %g to %g, %g observations; the summary has %+v", name, seen, mean/lasted, low, high, n, sum)
		}
		if d.Observed != 1 || !math.IsNaN(d.Median[0]) || len(d.Unusual) != 0 {
			t.Errorf("%s: %d days, a band %g, unusual %+v", name, d.Observed, d.Median[0], d.Unusual)
		}
	}
	for _, bad := range []api.DaysQuery{{Metric: "no.such"}, {Metric: "kernel.uname.release"}, {Metric: "kernel.all.load", Instance: "2 minute"}, {Metric: "kernel.all.load", Aggregate: "median"}} {
		bad.Source = id
		if _, err := s.Days(t.Context(), bad, nil); err == nil {
			t.Errorf("%+v was answered", bad)
		}
	}
}

// Days have 23 and 25 hours when summer time begins and ends, and in a zone
// with a half-hour offset they begin at its midnight.
func TestCalendar(t *testing.T) {
	for _, c := range []struct {
		zone, from, to string
		days           int
		step           time.Duration
		none, twice    int // cells
	}{
		{"CET-1CEST,M3.5.0,M10.5.0/3", "2017-03-25T12:00:00Z", "2017-03-26T12:00:00Z", 2, time.Hour, 24 + 2, -1},
		{"CET-1CEST,M3.5.0,M10.5.0/3", "2017-10-28T12:00:00Z", "2017-10-29T12:00:00Z", 2, time.Hour, -1, 24 + 2},
		{"IST-5:30", "2017-10-28T18:00:00Z", "2017-10-28T19:00:00Z", 2, time.Hour, -1, -1},
		{"<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2023-09-02T12:00:00Z", "2023-09-03T12:00:00Z", 2, time.Hour, 24, -1}, // midnight does not exist
		{"CST5CDT,M3.2.0/0,M11.1.0/1", "2023-03-11T12:00:00Z", "2023-03-12T12:00:00Z", 2, time.Hour, 24, -1},
		{"EET-2EEST,M3.5.4/24,M10.5.5/1", "2017-10-26T12:00:00Z", "2017-10-27T12:00:00Z", 2, time.Hour, -1, 24}, // midnight comes twice, as in Jordan
		{"LHST-10:30LHDT-11,M10.1.0,M4.1.0", "2017-10-01T00:00:00Z", "2017-10-01T01:00:00Z", 1, 15 * time.Minute, -1, -1},
	} {
		loc, err := zone.Load(c.zone, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := func(s string) pcp.Time {
			x, err := time.Parse(time.RFC3339, s)
			if err != nil {
				t.Fatal(err)
			}
			return pcp.Time(x.UnixNano())
		}
		cal, err := calendarOf(window{at(c.from), at(c.to)}, loc)
		if err != nil {
			t.Fatal(err)
		}
		if len(cal.days) != c.days || cal.grid.Step != int64(c.step) {
			t.Errorf("%s: %d days in steps of %v", c.zone, len(cal.days), time.Duration(cal.grid.Step))
		}
		for cell, span := range cal.spans {
			hours := span.End.Since(span.Start) / 3600
			want := 1.0
			switch cell {
			case c.none:
				want = 0
			case c.twice:
				want = 2
			}
			if c.step == time.Hour && hours != want {
				t.Errorf("%s: hour %d lasts %g hours", c.zone, cell, hours)
			}
		}
		for i, d := range cal.days {
			first := 0
			if c.none == i*hoursOfDay {
				first = 1
			}
			if local := d.Start.Std().In(loc); local.Hour() != first || local.Minute() != 0 || local.Format(time.DateOnly) != d.Date || int(local.Weekday()) != d.Weekday {
				t.Errorf("%s: the day %+v begins at %v", c.zone, d, local)
			}
		}
	}
}

// Of forty days those are named that a reader of the numbers would name: by
// pmval -t 3600, 1,704 and 1,260 KiB/s were written to disks from 08:00 to 10:00
// on 23 February, where pmlogsummary has 27 to 96 of other Thursdays. That there
// is less in memory, and that there are some processes fewer after each start of
// the host, is nothing unusual, nor is time without records; a sum over instances
// is not 0 there. On 9 March sdb was 99.4 % busy from 16:38:40 on (pmlogsummary): 35 % of
// that hour, the one incident of a disk in these weeks, which does not take two hours.
func TestUnusualDays(t *testing.T) {
	s, o := month(t)
	id := o.Sources[0].ID
	list, err := s.UnusualDays(t.Context(), api.UnusualQuery{Source: id}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 || len(list) > maxUnusual || list[0].Date != "2017-02-23" || list[0].Reasons[0].Name != "Written to disks" || list[0].Reasons[0].Against != "other Thursdays" ||
		math.Abs(list[0].Reasons[0].Value-(1704+1260)/2) > 1 || list[0].Reasons[0].Low < 27 || list[0].Reasons[0].High > 96 {
		t.Fatalf("the unusual days are %+v", list)
	}
	if !slices.ContainsFunc(list, func(u api.UnusualDay) bool {
		return u.Date == "2017-03-09" && u.Reasons[0].Name == "Busiest disk" && math.Abs(u.Reasons[0].Value-35.3) < 0.5
	}) {
		t.Errorf("9 March is not unusual by its disk: %+v", list)
	}
	for _, u := range list {
		for _, r := range u.Reasons {
			if r.Name == "Processes" || r.Name == "Memory in use" && r.Value < r.High {
				t.Errorf("%s is unusual by %s", u.Date, r.Text)
			}
			if r.Value >= r.Low && r.Value <= r.High || r.Start < u.Start || r.End > u.End || !strings.Contains(u.Text, r.Text) {
				t.Errorf("%s: %+v", u.Date, r)
			}
		}
	}
	d, err := s.Days(t.Context(), api.DaysQuery{Source: id, Metric: "disk.dev.total"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at := hourOf(&d, "2017-02-26", 10); d.Aggregate != "sum" || d.Covered[at] != 0 || !math.IsNaN(d.Average[at]) || d.Count[at] != 0 {
		t.Errorf("an hour without records has %g of %g observations, %g covered", d.Average[at], d.Count[at], d.Covered[at])
	}
	if len(d.Outages) == 0 || len(d.Boots) == 0 {
		t.Errorf("%d outages, %d boots", len(d.Outages), len(d.Boots))
	}
}

// An expression evaluated in pieces has the same result as in one.
func TestPieces(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	src, err := s.source(o.Sources[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	first, last := src.span()
	values, least := pieceValues, minPiece
	defer func() { pieceValues, minPiece = values, least }()
	for _, expr := range []string{"rate(kernel.percpu.cpu.user) * 100", `movavg(kernel.all.load, "20s")`, "rate(disk.dev.total)", "delta(kernel.all.pswitch)", "hinv.ncpu > 1 ? mem.util.free : mem.util.used", `slope(mem.util.free)`} {
		b, err := src.bind(expr)
		if err != nil {
			t.Fatal(err)
		}
		pieceValues, minPiece = values, least
		whole, err := src.observedOf(t.Context(), expr, b, window{first, last}, src.extent(), false, true)
		if err != nil {
			t.Fatal(err)
		}
		pieceValues, minPiece = 1, 7
		if n := len(piecesOf(whole.obs[0].Times, b, 1)); n < 30 != b.Whole() {
			t.Errorf("%s is worked out in %d pieces", expr, n)
		}
		parts, err := src.observedOf(t.Context(), expr, b, window{first, last}, src.extent(), false, true)
		if err != nil {
			t.Fatal(err)
		}
		a, z := whole.obs[0], parts.obs[0]
		if len(a.Series) == 0 || len(a.Series) != len(z.Series) || a.Desc != z.Desc || !slices.Equal(a.Times, z.Times) {
			t.Fatalf("%s: %d series, in pieces %d", expr, len(a.Series), len(z.Series))
		}
		for i := range a.Series {
			if a.Series[i].Inst != z.Series[i].Inst {
				t.Errorf("%s: instance %d, in pieces %d", expr, a.Series[i].Inst, z.Series[i].Inst)
			}
			x, y := a.Series[i].Runs, z.Series[i].Runs
			for row := range a.Times {
				v, w := valueAt(a, x, row), valueAt(z, y, row)
				if math.IsNaN(v) != math.IsNaN(w) || math.Abs(v-w) > 1e-9*math.Abs(v) { // sums are begun again in each piece
					t.Errorf("%s: instance %d at %d is %g, in pieces %g", expr, a.Series[i].Inst, row, v, w)
				}
			}
		}
	}
}

// valueAt is what runs have at a row, NaN for nothing.
func valueAt(o *series.Observations, runs []series.Run, row int) float64 {
	v := math.NaN()
	for _, r := range runs {
		if int(r.Row&series.RowNum) > row {
			break
		}
		if v = series.Float(o.Desc.Type, r.Val); r.Row&(series.Gone|series.Failed) != 0 {
			v = math.NaN()
		}
	}
	return v
}

// Nothing is known of the hours of an outage: what was logged before does not last through
// them, and the growth over them is no rate of theirs.
func TestDaysAcrossAnOutage(t *testing.T) {
	w := written{}
	out := w.begin(t, "a", second(0)) // 22:13:20
	out.Desc(rampLevel, "ramp.level")
	out.Desc(rampCounter, "ramp.counter")
	for s := 0; s <= 24*3600; s += 60 {
		if s > 4*3600 && s < 9*3600 { // from 02:13:20 to 07:13:20
			continue
		}
		out.Record(second(s), []archive.ValueSet{
			{PMID: rampLevel.PMID, Type: rampLevel.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 7}}},
			{PMID: rampCounter.PMID, Type: rampCounter.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(10 * s)}}},
		})
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	for _, metric := range []string{"ramp.level", "ramp.counter", "2 * ramp.level", "rate(ramp.counter)"} {
		d, err := s.Days(t.Context(), api.DaysQuery{Source: id, Metric: metric}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for hour := range 10 {
			want := map[int]float64{2: 800.0 / 3600, 3: 0, 4: 0, 5: 0, 6: 0, 7: 2800.0 / 3600}
			covered, known := want[hour]
			if !known {
				covered = 1
			}
			if got := d.Covered[24+hour]; math.Abs(got-covered) > 1e-6 || (covered == 0) != math.IsNaN(d.Average[24+hour]) {
				t.Errorf("%s at %d h: %v covered, average %v; want %v", metric, hour, got, d.Average[24+hour], covered)
			}
		}
	}
}

// nowhere is an export that keeps nothing.
type nowhere struct{ export.Sink }

func (nowhere) Series(*export.Series) error                   { return nil }
func (nowhere) Samples([]pcp.Time, []float64, []string) error { return nil }

// An export in which there is nothing has the times of its window, not 1970; one beyond the
// recording is refused.
func TestExportOfNothing(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "h", Step: 10e9, Values: map[string]map[string]any{"kernel.all.nprocs": {"": recording.Steady(10, 2.0)}}})
	from := recording.Start + 12e9 // between two records
	got, err := s.Export(t.Context(), api.ExportQuery{Source: src.ID, Start: moment(from), End: moment(from + 5e9)}, nowhere{}, nil)
	if err != nil || got.Series != 0 || got.Start != from || got.End != from+5e9 {
		t.Errorf("between two records: %+v, %v", got, err)
	}
	if _, err := s.Export(t.Context(), api.ExportQuery{Source: src.ID, Start: moment(from + 3600e9), End: moment(from + 7200e9)}, nowhere{}, nil); err == nil || pcp.AsFault(err).Kind != pcp.BadArgument {
		t.Errorf("after the recording: %v", err)
	}
}

// An instance that no metric has is refused, not saved as an empty archive.
func TestUnknownInstancesAreRefused(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "h", Step: 10e9, Values: map[string]map[string]any{
		"kernel.all.load": {"1 minute": recording.Steady(10, 1.0)}, "kernel.all.nprocs": {"": recording.Steady(10, 2.0)},
	}})
	for _, metrics := range [][]string{nil, {"kernel.all.load"}, {"kernel"}} {
		for _, instance := range []string{"1 minute", "1", "nosuch"} {
			_, err := s.Export(t.Context(), api.ExportQuery{Source: src.ID, Metrics: metrics, Instances: []string{instance}}, nowhere{}, nil)
			if refused := err != nil && pcp.AsFault(err).Kind == pcp.UnknownInstance; refused != (instance == "nosuch") {
				t.Errorf("%s of %q: %v", instance, metrics, err)
			}
		}
	}
}
