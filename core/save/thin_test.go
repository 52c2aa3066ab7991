package save

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// A dumped value is one that pmlogdump prints.
type dumped struct{ time, metric, inst, value string }

// parseDump reads what pmlogdump prints of records.
func parseDump(text string) []dumped {
	var list []dumped
	var at, metric string
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		f := strings.Fields(l)
		switch {
		case len(f) == 0:
			continue
		case l[0] != ' ':
			at = f[0]
			continue
		}
		i := strings.Index(l, " value ")
		if strings.HasPrefix(l, "    ") && l[4] != ' ' {
			metric = f[0]
		}
		if i < 0 {
			continue
		}
		inst := ""
		if j := strings.Index(l, "inst ["); j >= 0 {
			inst = strings.Fields(l[j+6:])[0]
		}
		list = append(list, dumped{at, metric, inst, l[i+7:]})
	}
	return list
}

// Counters on the grid, and changes of discrete values, are those that
// pmlogreduce(1) writes; instant values are means of what pmlogdump(1) prints
// of the original. See spec/thin.md section 4.
func TestThinIsThatOfPmlogreduce(t *testing.T) {
	reference.Program(t, "pmlogreduce")
	every := map[string]int{"mirage": 60, "mirage-2": 20, "babylon.percpu_v2": 10, "bozo-disk": 60, "pcp-free": 5, "cputime": 30, "ok-bigbin": 20, "iopct": 10, "old_xfs": 86400,
		"viewqa1": 60, "20041125": 300, "section-a": 10}
	archives, counters, changes, means := 0, 0, 0, 0
	for _, dir := range folders()[:min(2, len(folders()))] {
		for name, g := range groups(t, dir) {
			seconds, chosen := every[name]
			if !chosen {
				continue
			}
			a := load(t, g)
			base := t.TempDir() + "/reduced"
			original := stored(t, g)
			reference.Tool(t, "pmlogreduce", "-z", "-t", fmt.Sprint(seconds, "sec"), original, base)
			theirs, _ := dump(t, base)
			out, _ := write(t, Request{Parts: []*archive.Archive{a}, Every: pcp.Time(seconds) * second})
			pmlogcheckThinned(t, name, out)
			ours, _ := dump(t, out.store(t, "saved"))
			b := out.open(t, name)
			whole, _ := dump(t, original)
			x, y, z := compareThinned(t, name, a, b, parseDump(ours), parseDump(theirs), parseDump(whole), pcp.Time(seconds)*second)
			counters, changes, means = counters+x, changes+y, means+z
			archives++
		}
	}
	t.Logf("%d archives: %d values of counters, %d changes, %d means", archives, counters, changes, means)
	if reference.Path("corpus") != "" && (archives < 10 || counters < 5000 || means < 500) {
		t.Error("too little was compared")
	}
}

func pmlogcheckThinned(t *testing.T, name string, out files) {
	text, _ := reference.Tool(t, "pmlogcheck", out.store(t, "thinned"))
	for l := range strings.Lines(recorded.ReplaceAllString(text, "")) {
		if !strings.Contains(l, "hinv.cpu") && strings.TrimSpace(l) != "" { // see TestPCPReadsWhatIsSaved
			t.Errorf("%s: pmlogcheck: %s", name, l)
		}
	}
}

func compareThinned(t *testing.T, name string, a, b *archive.Archive, ours, theirs, whole []dumped, every pcp.Time) (counters, changes, means int) {
	t.Helper()
	descs := map[string]*archive.Metric{}
	for _, m := range a.Metrics() {
		descs[m.PMID.String()] = m
	}
	type key struct{ time, metric, inst string }
	got := map[key]string{}
	for _, d := range ours {
		got[key{d.time, d.metric, d.inst}] = d.value
	}
	wrong := 0
	fail := func(format string, args ...any) {
		if wrong++; wrong <= 5 {
			t.Errorf(name+": "+format, args...)
		}
	}
	for _, d := range theirs {
		m := descs[d.metric]
		if m == nil {
			continue
		}
		v, there := got[key{d.time, d.metric, d.inst}]
		switch {
		case m.Sem == pcp.Counter:
			// We do not interpolate across a decrease, while pmlogreduce takes
			// every one for a wrap.
			if falling(a, m.PMID) {
				continue
			}
			x, _ := strconv.ParseFloat(v, 64)
			y, _ := strconv.ParseFloat(d.value, 64)
			if math.Abs(y) > 1<<53 { // a double does not hold it; see spec/thin.md section 2
				continue
			}
			if !there || v != d.value && (m.Type.Integer() || math.Abs(x-y) > 1e-12*math.Abs(y)) {
				fail("counter %s[%s] at %s is %q, pmlogreduce has %s", m.Name(), d.inst, d.time, v, d.value)
			}
			counters++
		case m.Sem == pcp.Discrete && !strings.Contains(d.value, "No values"):
			if there && v != d.value {
				fail("%s[%s] at %s is %s, pmlogreduce has %s", m.Name(), d.inst, d.time, v, d.value)
			}
			changes++
		}
	}
	// Means, from what pmlogdump prints of the original: times of the day.
	if a.Start().Std().Day() != a.End().Std().Day() {
		return counters, changes, 0
	}
	// By metric and instance, in order of time (an archive within a day).
	series := map[[2]string][]dumped{}
	for _, d := range whole {
		if m := descs[d.metric]; m != nil && m.Sem == pcp.Instant && m.Type.Numeric() {
			series[[2]string{d.metric, d.inst}] = append(series[[2]string{d.metric, d.inst}], d)
		}
	}
	grid := gridOf(a, b, every)
	for id, list := range series {
		m := descs[id[0]]
		i := 0
		for _, p := range grid {
			sum, n := 0.0, 0
			for ; i < len(list) && list[i].time <= p; i++ {
				f, err := strconv.ParseFloat(list[i].value, 64)
				if err != nil {
					continue
				}
				sum, n = sum+f, n+1
			}
			if n == 0 {
				continue
			}
			want := sum / float64(n)
			if m.Type.Integer() {
				want = math.Round(want)
			}
			v := got[key{p, id[0], id[1]}]
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || math.Abs(f-want) > 2e-7*math.Abs(want)+1e-12 {
				fail("mean of %s[%s] at %s is %q, want %v of %d", m.Name(), id[1], p, v, want, n)
			}
			means++
		}
	}
	return counters, changes, means
}

// gridOf returns the moments of the grid, and the end. See spec/thin.md section 1.
func gridOf(a, b *archive.Archive, every pcp.Time) []string {
	var list []string
	recs := a.Records()
	last := recs[len(recs)-1].Time
	for t := b.Start(); t < last; t += every {
		if t >= recs[0].Time {
			list = append(list, t.Std().Format("15:04:05.000000"))
		}
	}
	return append(list, last.Std().Format("15:04:05.000000"))
}

// falling reports whether a counter ever decreases.
func falling(a *archive.Archive, id pcp.PMID) bool {
	o, _ := a.Observations(id)
	for _, s := range o.Series {
		for i := 1; i < len(s.Runs); i++ {
			if falls(o.Desc.Type, s.Runs[i-1].Val, s.Runs[i].Val) {
				return true
			}
		}
	}
	return false
}

// A thinned window has the settings in force: what was logged before it, not across a mark
// and not as an error code; and nothing else from before.
func TestThinKeepsSettings(t *testing.T) {
	a := twoGroups(t)
	start := 1_700_000_000 * second
	for _, tt := range []struct {
		from    pcp.Time // seconds
		metrics []string
		strict  bool
		begin   pcp.Time // of the result; 0 if it does not have the setting
		notes   string
	}{
		{3600, nil, false, 3630, "Values of 1 metric that were logged before have the time of the result's start, 2023-11-14 23:13:50 UTC."},
		{3600, []string{"a.once"}, false, 3630, "Values of 1 metric that were logged before have the time of the result's start, 2023-11-14 23:13:50 UTC."},
		{3600, nil, true, 0, ""},
		{0, nil, false, 0, ""},    // it is logged at the start
		{5410, nil, false, 0, ""}, // there is a mark
	} {
		out, r := write(t, Request{Parts: []*archive.Archive{a}, Start: start + tt.from*second, End: start + (tt.from+600)*second, Metrics: tt.metrics, Strict: tt.strict, Every: 120 * second})
		b := out.open(t, "thinned")
		o, has := b.Observations(once.PMID)
		if want := tt.begin > 0 || tt.from == 0; has != want || has && (len(o.Times) != 1 || o.Times[0] != start+tt.begin*second || o.Series[0].Runs[0].Val != 8) {
			t.Errorf("from %d s: %+v (%v)", tt.from, o, has)
		}
		if got := strings.Join(r.Notes, "|"); got != tt.notes {
			t.Errorf("from %d s: %q", tt.from, got)
		}
		if c, has := b.Observations(counter.PMID); has && c.Times[0] < start+tt.from*second {
			t.Errorf("from %d s: a counter at %v", tt.from, c.Times[0]-start)
		}
		pmlogcheck(t, "thinned", out, b)
	}
}
