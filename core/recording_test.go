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
