package core

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/recording"
)

// Violations last exactly as long as the logged values exceed the limit.
func TestCheckRuns(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	above := func(v float64) *float64 { return &v }
	text := func(s string) *api.When { return &api.When{Text: s} }
	check := func(q api.CheckQuery) api.Checked {
		t.Helper()
		q.Source = id
		out, err := s.CheckRule(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	all := check(api.CheckQuery{Expression: "kernel.all.load", Instances: []string{"1 minute"}, Above: above(5)})
	if all.OK || len(all.Runs) == 0 || all.Observations != 300 {
		t.Fatalf("check = %+v, want violations in 300 observations", all)
	}
	for _, r := range all.Runs {
		// Compared with the logged values: those inside are above the limit, the
		// neighbours are not.
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"kernel.all.load"}, Instances: []string{"1 minute"}, Mode: "raw"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, v := range f.Columns[0].Values {
			at := f.Start + pcp.Time(math.Round(f.Times[i]*1e9))
			if inside := at >= r.Start && at < r.End; inside && v <= 5 {
				t.Errorf("%v at %v is in the run", v, at)
			} else if inside {
				worst = max(worst, v)
			}
		}
		if worst != r.Worst || r.Seconds != float64(r.End-r.Start)/1e9 {
			t.Errorf("the run %+v has the maximum %v", r, worst)
		}
	}
	longest := 0.0
	for _, r := range all.Runs {
		longest = max(longest, r.Seconds)
	}
	for least, want := range map[float64]bool{longest - 0.001: false, longest: false, longest + 0.001: true} {
		n := int64(math.Round(least * 1e9))
		got := check(api.CheckQuery{Expression: "kernel.all.load", Instances: []string{"1 minute"}, Above: above(5), For: &api.When{Nanos: &n}})
		if got.OK != want {
			t.Errorf("for %v s: %v, %s", least, got.OK, got.Sentence)
		}
	}
	// The moment is that of the first run's start, on the clock of a zone: the
	// archive was logged in UTC.
	start := all.Runs[0].Start
	for i := range all.Runs {
		if all.Runs[i].Seconds == longest {
			start = all.Runs[i].Start
			break
		}
	}
	for zone, want := range map[string]string{"": start.Std().UTC().Format("T15:04:05.999Z"), "Asia/Kolkata": start.Std().Add(330*time.Minute).UTC().Format("T15:04:05.999") + "+05:30"} {
		got := check(api.CheckQuery{Expression: "kernel.all.load", Instances: []string{"1 minute"}, Above: above(5), Zone: zone})
		if !strings.Contains(got.Sentence, want+" on") {
			t.Errorf("in the zone %q: %s, want %s", zone, got.Sentence, want)
		}
	}
	if got := check(api.CheckQuery{Expression: "kernel.all.load", Above: above(5), For: text("1hour")}); !got.OK || !strings.Contains(got.Sentence, "never above 5 for 3600 s") {
		t.Errorf("check for an hour = %+v, want OK", got)
	}
	if got := check(api.CheckQuery{Expression: "mem.util.free > 0", Always: true}); !got.OK {
		t.Errorf("check of a condition that always holds = %+v, want OK", got)
	}
	if got := check(api.CheckQuery{Expression: "mem.util.free < 0", Always: true}); got.OK || len(got.Runs) != 1 || got.Runs[0].Seconds < 290 {
		t.Errorf("check of a condition that never holds = %+v, want one violation over the whole archive", got)
	}
	if got := check(api.CheckQuery{Expression: "mem.util.free", Below: above(0)}); !got.OK {
		t.Errorf("check below 0 = %+v, want OK", got)
	}
	for _, q := range []api.CheckQuery{
		{Expression: "kernel.all.load"}, {Expression: "kernel.all.load", Above: above(1), Always: true}, {Expression: "no.such.metric", Above: above(1)},
		{Expression: "kernel.uname.release", Above: above(1)}, {Expression: "kernel.all.load", Above: above(1), For: text("soon")},
	} {
		q.Source = id
		if out, err := s.CheckRule(t.Context(), q, nil); err == nil {
			t.Errorf("%+v gives %+v", q, out)
		}
	}
}

// Violations end at marks and where there is no value, and rates count for
// the interval before them.
func TestCheckRunsOfSeries(t *testing.T) {
	const nan = -1
	first, backwards := uint8(series.NoPrevious), uint8(series.WentBackwards)
	above := func(v float64) bool { return v > 10 }
	l := limit{"above 10", above, func(a, b float64) bool { return a > b }, "at most"}
	for _, tt := range []struct {
		values []float64
		why    []uint8
		marks  []float64
		back   bool
		want   string
	}{
		{[]float64{1, 20, 30, 1, 1}, nil, nil, false, "1-3:30"},
		{[]float64{1, 20, 30, 1, 1}, nil, nil, true, "0-2:30"},
		{[]float64{20, 20, 20}, nil, nil, false, "0-2:20"},
		{[]float64{20, 20, 20}, nil, nil, true, "0-2:20"},
		{[]float64{20, 20, 20, 20}, nil, []float64{1.5}, false, "0-1:20 2-3:20"},
		{[]float64{20, nan, 20}, []uint8{0, 15, 0}, nil, false, "0-2:20"}, // not logged in between
		{[]float64{20, 20, nan, 20, 20}, []uint8{0, 0, 4, 0, 0}, nil, false, "0-1:20 3-4:20"},
		{[]float64{1, 20, 1, 20, 1}, nil, nil, false, "1-2:20 3-4:20"},
		{[]float64{1, 1}, nil, nil, false, ""},
		{[]float64{nan, 20, 20, 1}, []uint8{first, 0, 0, 0}, nil, true, "0-2:20"},
		{[]float64{nan, 20, nan, 20}, []uint8{first, 0, first, 0}, []float64{1.5}, true, "0-1:20 2-3:20"}, // the mark is a gap
		{[]float64{nan, 20, nan, 20}, []uint8{first, 0, backwards, 0}, nil, true, "0-1:20 2-3:20"},
		{[]float64{nan, nan, 20, 20}, []uint8{4, first, 0, 0}, nil, true, "1-3:20"}, // the instance appeared
		{[]float64{nan, 20}, []uint8{first, 0}, nil, false, "1-1:20"},
	} {
		f := &api.Frame{Marks: tt.marks}
		c := &api.Column{Why: tt.why}
		for i, v := range tt.values {
			f.Times = append(f.Times, float64(i))
			if v == nan {
				v = math.NaN()
			}
			c.Values = append(c.Values, v)
		}
		runs, _ := badRuns(f, c, l, window{0, 10e9}, tt.back)
		var got []string
		for _, r := range runs {
			got = append(got, fmt.Sprintf("%d-%d:%v", r.Start/pcp.Time(time.Second), r.End/pcp.Time(time.Second), r.Worst))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v, back %v: %q, want %q", tt.values, tt.back, got, tt.want)
		}
	}
}

// "The CPUs are busy for more than 90 % during a minute": the share of idle time
// depends on the number of CPUs, which is logged once. The expected result is
// computed here from the logged counter.
func TestCheckOfUtilisation(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	raw := func(metric string) *api.Frame {
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{metric}, Mode: "raw"}, nil)
		if err != nil || len(f.Columns) != 1 || f.Columns[0].Fault != nil {
			t.Fatalf("%s: %+v, %v", metric, f, err)
		}
		return f
	}
	ncpu, idle := raw("hinv.ncpu").Columns[0].Values[0], raw("kernel.all.cpu.idle")
	const below = 50
	type run struct{ start, seconds float64 }
	var want []run
	values, n := idle.Columns[0].Values, 0
	for i := 1; i < len(values); i++ {
		seconds := idle.Times[i] - idle.Times[i-1]
		n++
		if share := 100 * (values[i] - values[i-1]) / 1000 / seconds / ncpu; share >= below {
			continue
		}
		if k := len(want) - 1; k >= 0 && math.Abs(want[k].start+want[k].seconds-idle.Times[i-1]) < 1e-9 {
			want[k].seconds += seconds
		} else {
			want = append(want, run{idle.Times[i-1], seconds})
		}
	}
	limit := float64(below)
	got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: id, Expression: "kernel.cpu.util.idle", Below: &limit}, nil)
	if err != nil || got.Observations < n-1 || len(want) == 0 || len(got.Runs) != len(want) {
		t.Fatalf("%d observations in %d runs, want %d in %d: %v; %s", got.Observations, len(got.Runs), n, len(want), err, got.Sentence)
	}
	for i, r := range got.Runs {
		if start := float64(r.Start-idle.Start) / 1e9; math.Abs(start-want[i].start) > 1e-6 || math.Abs(r.Seconds-want[i].seconds) > 1e-6 {
			t.Errorf("run %d begins at %.3f s and lasts %.3f, want %+v", i, start, r.Seconds, want[i])
		}
	}
}

// Counters are taken as rates, also where an expression is one, as pmval(1) does with a derived
// metric: 1.8 s of CPU time a second, of 2 CPUs, is 0.9.
func TestCheckOfCounterExpressions(t *testing.T) {
	nan := math.NaN()
	s, src := record(t, recording.Recording{Host: "counted", Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu": {"": []float64{2, nan, nan, nan, nan}}, "kernel.all.cpu.user": {"": []float64{0, 2000, 20_000, 38_000, 40_000}}}})
	for _, expression := range []string{"kernel.all.cpu.user / hinv.ncpu", "rate(kernel.all.cpu.user) / hinv.ncpu"} {
		above := 0.7
		got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: expression, Above: &above}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if runs := seconds(got.Runs, recording.Start); runs != "10-30:0.9" || got.Observations != 4 {
			t.Errorf("%s: %q of %d values, want 10-30:0.9 of 4; %s", expression, runs, got.Observations, got.Sentence)
		}
	}
	above := 7000.0
	got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: "kernel.all.cpu.user / hinv.ncpu", Above: &above, Convert: "none"}, nil)
	if runs := seconds(got.Runs, recording.Start); err != nil || runs != "20-40:20000" {
		t.Errorf("without conversion: %q, %v, want 20-40:20000", runs, err)
	}
}

// A rate counts from the record before it: the first one of a recording, the first after a mark,
// and the one before the window, of which only what lies in the window counts.
func TestCheckFromTheFirstRecord(t *testing.T) {
	nan := math.NaN()
	// 100 % of a CPU from 0 s to 20 s, a mark at 30 s, 100 % from 40 s to 60 s, then nothing.
	s, src := record(t, recording.Recording{Host: "first", Step: 10e9, Values: map[string]map[string]any{
		"kernel.all.cpu.user": {"": []float64{0, 10_000, 20_000, nan, 0, 10_000, 20_000, 20_000}}}})
	for _, tt := range []struct {
		from, to float64 // seconds
		values   int
		want     string
	}{
		{0, 70, 5, "0-20:1 40-60:1"},
		{0, 10, 1, "0-10:1"},
		{5, 10, 1, "5-10:1"},
		{10, 20, 1, "10-20:1"},
		{12, 29, 1, "12-20:1"},
		{35, 50, 1, "40-50:1"},
		{55, 70, 2, "55-60:1"},
		{60, 70, 1, ""},
	} {
		for _, expression := range []string{"kernel.all.cpu.user", "2 * kernel.all.cpu.user", "2 * rate(kernel.all.cpu.user)"} {
			above, want := 0.5, tt.want
			if expression != "kernel.all.cpu.user" {
				above, want = 1, strings.ReplaceAll(want, ":1", ":2")
			}
			from, to := int64(recording.Start)+int64(tt.from*1e9), int64(recording.Start)+int64(tt.to*1e9)
			got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: expression, Above: &above, Start: &api.When{Nanos: &from}, End: &api.When{Nanos: &to}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if runs := seconds(got.Runs, recording.Start); runs != want || got.Observations != tt.values {
				t.Errorf("%s from %v s to %v s: %q of %d values, want %q of %d; %s", expression, tt.from, tt.to, runs, got.Observations, want, tt.values, got.Sentence)
			}
		}
	}
}

// Millions have their digits, in the limit and in the worst value.
func TestCheckWritesLargeNumbers(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "large", Step: 10e9, Values: map[string]map[string]any{"mem.util.free": {"": []float64{1, 22045400, 22045412}}}})
	above := 20_000_000.0
	got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: "mem.util.free", Above: &above}, nil)
	if err != nil || !strings.Contains(got.Sentence, "above 20000000 for") || !strings.Contains(got.Sentence, "at most 22045412.") {
		t.Errorf("%v, %s", err, got.Sentence)
	}
	below := 1234567.5
	got, err = s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: "mem.util.free / 3", Below: &below}, nil)
	if err != nil || !strings.Contains(got.Sentence, "below 1234567.5 for") || !strings.Contains(got.Sentence, "at least 0.333333.") {
		t.Errorf("%v, %s", err, got.Sentence)
	}
}

// Nothing is above or below NaN: every check would pass.
func TestCheckRefusesNaN(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "limited", Step: 10e9, Values: map[string]map[string]any{"mem.util.free": {"": []float64{1, 2}}}})
	nan := math.NaN()
	for _, q := range []api.CheckQuery{{Above: &nan}, {Below: &nan}} {
		q.Source, q.Expression = src.ID, "mem.util.free"
		got, err := s.CheckRule(t.Context(), q, nil)
		if f := pcp.AsFault(err); err == nil || f.Kind != pcp.BadArgument || f.Message != "The limit of a check must be a number; it is NaN." {
			t.Errorf("%v; %s", err, got.Sentence)
		}
	}
}

// The instances of expressions have names, and can be chosen by them.
func TestCheckOfInstances(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "full", Step: 10e9, Values: map[string]map[string]any{
		"filesys.capacity": {"/dev/sda1": recording.Steady(4, 1000.0), "/dev/sdb1": recording.Steady(4, 1000.0)},
		"filesys.used":     {"/dev/sda1": recording.Steady(4, 500.0), "/dev/sdb1": []float64{500, 950, 950, 500}}}})
	for _, tt := range []struct {
		instances []string
		above     float64
		want      string
	}{
		{nil, 0.9, "/dev/sdb1"},
		{[]string{"/dev/sdb1"}, 0.4, "/dev/sdb1"},
		{[]string{"/dev/sda1"}, 0.9, ""},
	} {
		got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: "filesys.used / filesys.capacity", Instances: tt.instances, Above: &tt.above}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range got.Runs {
			names = append(names, r.Instance.Name)
		}
		if strings.Join(names, " ") != tt.want || tt.want != "" && !strings.Contains(got.Sentence, "["+tt.want+"]") {
			t.Errorf("of %q above %v: %q, want %q; %s", tt.instances, tt.above, names, tt.want, got.Sentence)
		}
	}
}

// A discrete value holds from its record until the next one or the end, as
// spec/interp.md section 4 says. hinv.ncpu was logged at 0 s and at 30 s of 60.
func TestCheckOfSettings(t *testing.T) {
	nan := math.NaN()
	s, src := record(t, recording.Recording{Host: "resized", Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu": {"": []float64{4, nan, nan, 8, nan, nan, nan}}, "mem.util.free": {"": recording.Steady(7, 1.0)}}})
	for _, tt := range []struct {
		expression string
		above      float64
		from, to   int // seconds
		values     int
		want       string
	}{
		{"hinv.ncpu", 2, 0, 60, 2, "0-60:8"},
		{"hinv.ncpu", 6, 0, 60, 2, "30-60:8"},
		{"hinv.ncpu", 2, 40, 50, 1, "40-50:8"},
		{"hinv.ncpu", 2, 10, 20, 1, "10-20:4"},
		{"hinv.ncpu", 6, 10, 40, 2, "30-40:8"},
		{"hinv.ncpu", 6, 40, 500, 1, "40-60:8"}, // the recording ends
		{"2 * hinv.ncpu", 12, 40, 50, 1, "40-50:16"},
		{"hinv.ncpu", 8, 40, 50, 1, ""},
	} {
		from, to := int64(recording.Start)+int64(tt.from)*1e9, int64(recording.Start)+int64(tt.to)*1e9
		got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: tt.expression, Above: &tt.above, Start: &api.When{Nanos: &from}, End: &api.When{Nanos: &to}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if runs := seconds(got.Runs, recording.Start); runs != tt.want || got.Observations != tt.values || got.OK != (tt.want == "") {
			t.Errorf("%s above %v from %d s to %d s: %q of %d values, want %q of %d; %s", tt.expression, tt.above, tt.from, tt.to, runs, got.Observations, tt.want, tt.values, got.Sentence)
		}
	}
	from, to, limit := int64(recording.Start)+35e9, int64(recording.Start)+39e9, 0.0
	if got, err := s.CheckRule(t.Context(), api.CheckQuery{Source: src.ID, Expression: "mem.util.free", Above: &limit, Start: &api.When{Nanos: &from}, End: &api.When{Nanos: &to}}, nil); err == nil {
		t.Errorf("between two records, a metric that is no setting gives %+v", got)
	}
}

// Settings hold until a mark, or until a record lacks the instance.
func TestHeldRuns(t *testing.T) {
	nan := math.NaN()
	gone, unlogged := uint8(series.InstanceAbsent), uint8(series.NotLogged)
	above := limit{"above 10", func(v float64) bool { return v > 10 }, func(a, b float64) bool { return a > b }, "at most"}
	for _, tt := range []struct {
		values []float64 // one each second
		why    []uint8
		marks  []float64
		want   string // of the window from 1 s to 10 s
		n      int
	}{
		{[]float64{20, 30, 1}, nil, nil, "1-2:30", 2},
		{[]float64{20, nan, 30, 1}, []uint8{0, unlogged, 0, 0}, nil, "1-3:30", 3},
		{[]float64{1, nan, 20, nan}, []uint8{0, unlogged, 0, gone}, nil, "2-3:20", 2},
		{[]float64{1, 20, 20}, nil, []float64{1.5, 6}, "1-1.5:20 2-6:20", 2},
		{[]float64{20}, nil, []float64{0.5}, "", 0},
		{[]float64{20}, nil, []float64{3}, "1-3:20", 1},
		{[]float64{20, nan, 1}, []uint8{0, unlogged, 0}, nil, "1-2:20", 2},
	} {
		f := &api.Frame{Marks: tt.marks}
		for i := range tt.values {
			f.Times = append(f.Times, float64(i))
		}
		runs, n := heldRuns(f, &api.Column{Values: tt.values, Why: tt.why}, above, window{1e9, 10e9})
		if got := seconds(runs, 0); got != tt.want || n != tt.n {
			t.Errorf("%v %v, marks %v: %q of %d, want %q of %d", tt.values, tt.why, tt.marks, got, n, tt.want, tt.n)
		}
	}
}

// seconds writes runs as seconds after a time, with their worst values.
func seconds(runs []api.CheckRun, after pcp.Time) string {
	var list []string
	for _, r := range runs {
		list = append(list, fmt.Sprintf("%v-%v:%v", r.Start.Since(after), r.End.Since(after), r.Worst))
	}
	return strings.Join(list, " ")
}
