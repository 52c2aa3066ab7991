package core

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// paused writes a level every ten seconds, between pairs of seconds: in one archive, with a
// mark behind each stretch but the last as pmlogextract(1) writes it, a millisecond later.
func paused(t *testing.T, w written, name string, stretches ...int) {
	t.Helper()
	aw := w.begin(t, name, second(stretches[0]))
	aw.Desc(rampLevel, "ramp.level")
	for i := 0; i < len(stretches); i += 2 {
		if i > 0 {
			aw.Mark(second(stretches[i-1]) + pcp.Time(1e6))
		}
		for s := stretches[i]; s <= stretches[i+1]; s += 10 {
			recordLevel(aw, s)
		}
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
}

// An archive that was thinned to a record in six minutes has no gaps beside one with a record
// every ten seconds.
func TestThinnedBesideOther(t *testing.T) {
	w := written{}
	aw := w.begin(t, "a", second(0))
	aw.Desc(rampLevel, "ramp.level")
	for s := 0; s <= 24*360; s += 360 {
		recordLevel(aw, s)
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	paused(t, w, "b", 25*360, 40*360)
	v := w.overview(t)
	if r := v.Recording; r.Missing != 0 || r.Pauses != 0 {
		t.Errorf("%v s missing in %d gaps, %d pauses", r.Missing, len(r.Outages), r.Pauses)
	}
}

// A pause lasts from the last record before a mark to the first one behind it, as between
// two archives, and is none if the next record was due then.
func TestPausesAtMarks(t *testing.T) {
	for _, tt := range []struct {
		name     string
		archives [][]int
		want     api.Recording
	}{
		{"a mark", [][]int{{0, 600, 660, 1200}}, api.Recording{Pauses: 1, Paused: 60}},
		{"two archives", [][]int{{0, 600}, {660, 1200}}, api.Recording{Pauses: 1, Paused: 60}},
		{"a mark where nothing is missing", [][]int{{0, 600, 610, 1200}}, api.Recording{}},
		{"two archives where nothing is missing", [][]int{{0, 600}, {610, 1200}}, api.Recording{}},
		{"two marks", [][]int{{0, 600, 660, 1200, 1220, 1800}}, api.Recording{Pauses: 2, Paused: 80}},
		{"a mark, for ten minutes", [][]int{{0, 600, 1200, 1800}}, api.Recording{Missing: 600}},
	} {
		w := written{}
		for i, stretches := range tt.archives {
			paused(t, w, string(rune('a'+i)), stretches...)
		}
		v := w.overview(t)
		if r := v.Recording; r.Pauses != tt.want.Pauses || r.Paused != tt.want.Paused || r.Missing != tt.want.Missing {
			t.Errorf("%s: %d pauses of %v s, %v s missing, want %+v", tt.name, r.Pauses, r.Paused, r.Missing, tt.want)
		}
		if v.Recording.Restarts != "" {
			t.Errorf("%s: %s", tt.name, v.Recording.Restarts)
		}
		for _, f := range v.Findings { // is from the first pause to the end of the last one
			if last := second(map[int]int{1: 660, 2: 1220}[tt.want.Pauses]); strings.HasPrefix(f.Text, "Recording paused") && (f.Start != second(600) || f.End != last) {
				t.Errorf("%s: paused from %v to %v", tt.name, f.Start.Std(), f.End.Std())
			}
		}
	}
}

// An interval that was changed in the midst of an archive leaves no gaps; what is longer
// than the new one does.
func TestIntervalChanges(t *testing.T) {
	for _, tt := range []struct {
		name    string
		times   func(yield func(from, to, step int))
		missing float64
		lost    int // of records
	}{
		{"longer", func(yield func(from, to, step int)) { yield(0, 3600, 10); yield(4200, 9*3600, 600) }, 0, 0},
		{"shorter", func(yield func(from, to, step int)) { yield(0, 8*3600, 600); yield(8*3600+10, 9*3600, 10) }, 0, 0},
		{"longer, with an outage", func(yield func(from, to, step int)) {
			yield(0, 3600, 10)
			yield(4200, 5*3600, 600)
			yield(7*3600, 9*3600, 600)
		}, 7200, 0},
		{"an outage before", func(yield func(from, to, step int)) {
			yield(0, 3600, 10)
			yield(4800, 2*3600, 10)
			yield(2*3600+600, 9*3600, 600)
		}, 1200, 0},
		{"some records are missing", func(yield func(from, to, step int)) {
			yield(0, 3600, 10)
			yield(4200, 5*3600, 600)
			yield(5*3600+1200, 9*3600, 600)
		}, 0, 1},
	} {
		w := written{}
		aw := w.begin(t, "a", second(0))
		aw.Desc(rampLevel, "ramp.level")
		tt.times(func(from, to, step int) {
			for s := from; s <= to; s += step {
				recordLevel(aw, s)
			}
		})
		if err := aw.Close(); err != nil {
			t.Fatal(err)
		}
		v := w.overview(t)
		lost := 0
		if len(v.Coverage) > 0 {
			lost = v.Coverage[0].Missed
		}
		if r := v.Recording; r.Missing != tt.missing || tt.missing == 0 && lost != tt.lost {
			t.Errorf("%s: %v s missing in %d gaps, %d records lost; want %v s, %d records", tt.name, r.Missing, len(r.Outages), lost, tt.missing, tt.lost)
		}
	}
}

// Where pmlogreduce(1) has nothing, its records have all metrics and no values. They are
// no recording, and the host that started meanwhile was rebooted.
func TestRecordsWithoutValues(t *testing.T) {
	uptime := pcp.Desc{PMID: pcp.MakePMID(60, 26, 0), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}
	w := written{}
	aw := w.begin(t, "a", second(0))
	aw.Desc(rampLevel, "ramp.level")
	aw.Desc(uptime, "kernel.all.uptime")
	const last, first, boot = 3600, 25200, 25000 // with values before and after, in seconds
	for s := 0; s <= 40000; s += 600 {
		level, up := archive.ValueSet{PMID: rampLevel.PMID, Type: rampLevel.Type}, archive.ValueSet{PMID: uptime.PMID, Type: uptime.Type}
		if s <= last || s >= first {
			level.Values = []archive.Value{{Inst: pcp.NoInstance, Val: uint64(s)}}
		}
		if s >= first {
			up.Values = []archive.Value{{Inst: pcp.NoInstance, Val: uint64(s - boot)}}
		}
		aw.Record(second(s), []archive.ValueSet{level, up})
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	v := w.overview(t)
	if r := v.Recording; r.Missing != first-last || len(r.Outages) != 1 || r.Outages[0].Start != second(last) || r.Outages[0].End != second(first) || r.Outages[0].Why != "no values" {
		t.Errorf("recorded %+v", r)
	}
	for at, text := range map[pcp.Time]string{second(last): "The records of 6 h have no values", second(boot): "Host rebooted"} {
		if !slices.ContainsFunc(v.Findings, func(f api.Finding) bool { return f.Start == at && f.Text == text }) {
			t.Errorf("no finding %q at %v: %+v", text, at.Std(), v.Findings)
		}
	}
}

// Records of a metric with instances may be without any: there are none then.
func TestRecordsWithoutInstances(t *testing.T) {
	several := pcp.Desc{PMID: pcp.MakePMID(250, 0, 3), Type: pcp.Uint32, InDom: pcp.MakeInDom(250, 1), Sem: pcp.Instant}
	w := written{}
	aw := w.begin(t, "a", second(0))
	aw.Desc(several, "ramp.several")
	aw.InDom(second(0), several.InDom, []pcp.Instance{{ID: 1, Name: "one"}})
	for s := 0; s <= 7200; s += 10 {
		set := archive.ValueSet{PMID: several.PMID, Type: several.Type}
		if s < 600 || s > 6600 {
			set.Values = []archive.Value{{Inst: 1, Val: uint64(s)}}
		}
		aw.Record(second(s), []archive.ValueSet{set})
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	if r := w.overview(t).Recording; r.Missing != 0 {
		t.Errorf("recorded %+v", r)
	}
}

// A logger is restarted every minute: for 20 min each of its runs has one record but one, which
// has a minute of them. Then there is a pause of a minute.
func TestRestarts(t *testing.T) {
	stretches := []int{0, 3600}
	for s := 3660; s < 4860; s += 60 {
		switch s {
		case 4200:
			stretches = append(stretches, 4200, 4260)
		case 4260:
		default:
			stretches = append(stretches, s, s)
		}
	}
	w := written{}
	paused(t, w, "a", append(stretches, 4860, 12000, 12060, 15000)...)
	s, id := w.open(t)
	v, err := s.Overview(t.Context(), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	const all = "Rates are known for only 1 min of 21 min, in which the logger was restarted 20 times"
	if v.Recording.Restarts != all {
		t.Errorf("of the recording: %q", v.Recording.Restarts)
	}
	for _, want := range []api.Finding{
		{Text: all, Level: "look", Start: second(3600), End: second(4860), Lasted: 20 * 60, Times: 1},
		{Text: "Recording paused once for 1 min", Level: "know", Start: second(12000), End: second(12060), Lasted: 60, Times: 1},
	} {
		if !slices.ContainsFunc(v.Findings, func(f api.Finding) bool {
			return f.Text == want.Text && f.Level == want.Level && f.Start == want.Start && f.End == want.End && f.Lasted == want.Lasted && f.Times == want.Times
		}) {
			t.Errorf("no finding %+v in %+v", want, v.Findings)
		}
	}
	for _, tt := range []struct {
		from, to int
		want     string
	}{
		{3900, 4500, "Rates are known for only 1 min of 10 min, in which the logger was restarted 9 times"},
		{3900, 4200, "Rates are unknown for 5 min, in which the logger was restarted 5 times"},
		{3000, 4140, "Rates are unknown for 9 min, in which the logger was restarted 9 times"},
		{4195, 4265, ""}, // they are known for most of it
		{0, 3600, ""},
		{11000, 13000, ""},
	} {
		start, end := int64(second(tt.from)), int64(second(tt.to))
		said, err := s.Restarts(t.Context(), id, &api.When{Nanos: &start}, &api.When{Nanos: &end}, "")
		if err != nil || said != tt.want {
			t.Errorf("%d to %d: %q, %v; want %q", tt.from, tt.to, said, err, tt.want)
		}
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: id, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
		if told := strings.Join(append(x.Text, x.Why), " "); err != nil || strings.Contains(told, "Rates are") != (tt.want != "") || !strings.Contains(told, tt.want) {
			t.Errorf("%d to %d is explained as %q, %v", tt.from, tt.to, told, err)
		}
	}
}

// After 20 minutes of a record a minute, each with a mark after it, all is well for 15 minutes,
// till a single restart that takes a minute, and again for ten.
func TestRestartsEndWhereTheyEnd(t *testing.T) {
	stretches := []int{0, 3600}
	for s := 3660; s < 4860; s += 60 {
		stretches = append(stretches, s, s)
	}
	w := written{}
	paused(t, w, "a", append(stretches, 4860, 5760, 5820, 6420, 6480, 15000)...)
	v := w.overview(t)
	const want = "Rates are unknown for 21 min, in which the logger was restarted 21 times"
	if v.Recording.Restarts != want {
		t.Errorf("got %q, want %q", v.Recording.Restarts, want)
	}
	if !slices.ContainsFunc(v.Findings, func(f api.Finding) bool { return f.Start == second(3600) && f.End == second(4860) && f.Text == want }) {
		t.Errorf("%+v", v.Findings)
	}
}

// An agent is gone for two hours after a mark, and its metric with it; another goes on. That
// is not due to the logger, whichever of them has more records.
func TestRestartOfAgent(t *testing.T) {
	other := rampLevel
	other.PMID = pcp.MakePMID(250, 0, 4)
	for _, tt := range []struct {
		marks       []int
		first, last int // records of the agent that goes on
	}{{[]int{3600, 7200}, 0, 20000}, {[]int{3600}, 3000, 12500}} {
		w := written{}
		aw := w.begin(t, "a", second(0))
		aw.Desc(other, "agent.level")
		aw.Desc(rampLevel, "ramp.level")
		for s := 0; s <= 20000; s += 10 {
			var sets []archive.ValueSet
			values := []archive.Value{{Inst: pcp.NoInstance, Val: uint64(s)}}
			if s <= 3600 || s >= 12000 {
				sets = append(sets, archive.ValueSet{PMID: other.PMID, Type: other.Type, Values: values})
			}
			if s >= tt.first && s <= tt.last {
				sets = append(sets, archive.ValueSet{PMID: rampLevel.PMID, Type: rampLevel.Type, Values: values})
			}
			if aw.Record(second(s), sets); slices.Contains(tt.marks, s) {
				aw.Mark(second(s) + pcp.Time(1e6))
			}
		}
		if err := aw.Close(); err != nil {
			t.Fatal(err)
		}
		if r := w.overview(t).Recording; r.Missing > 0 || r.Restarts != "" {
			t.Errorf("marks at %v: %s, %v s missing", tt.marks, r.Restarts, r.Missing)
		}
	}
}

// A logger that is restarted every half a minute writes one metric at each start, also where it
// does not get as far as the other, of which alone rates are known, for 20 s.
func TestRestartsOfShortRecording(t *testing.T) {
	once := rampLevel
	once.PMID = pcp.MakePMID(250, 0, 4)
	w := written{}
	aw := w.begin(t, "a", second(0))
	aw.Desc(once, "logger.level")
	aw.Desc(rampLevel, "ramp.level")
	for s := 0; s <= 750; s += 30 {
		aw.Record(second(s), []archive.ValueSet{{PMID: once.PMID, Type: once.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 1}}}})
		if s%90 != 60 {
			recordLevel(aw, s+2)
		}
		if s == 300 {
			recordLevel(aw, s+22)
		}
		if s < 750 {
			aw.Mark(second(s+22) + pcp.Time(1e6))
		}
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := w.overview(t).Recording.Restarts, "Rates are known for only 20 s of 12 min 30 s, in which the logger was restarted 25 times"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
