package core

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// A step without a sample shows what was recorded in it, also where the samples around it
// are alike: three records of the value 5, 2.9 s apart, on a grid of 2 s. There is no sample
// at 6 s, as nothing follows the record at 5.8 s.
func TestStepWithoutSample(t *testing.T) {
	const n, second = 3, 1_000_000_000
	s, src := record(t, recording.Recording{Host: "few", Step: 2_900_000_000, Values: map[string]map[string]any{"kernel.all.nusers": {"": recording.Steady(n, 5.0)}}})
	first, last, wide := int64(recording.Start), int64(recording.Start)+6*second, int64(2*second)
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"kernel.all.nusers"}, Start: &api.When{Nanos: &first}, End: &api.When{Nanos: &last}, Interval: &api.When{Nanos: &wide}, Reduce: "mean", Samples: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := f.Columns[0]
	if len(c.Values) != 4 || c.Values[3] != 5 || c.High != nil || f.Reduced != "" {
		t.Errorf("values %v, highest %v, reduced %q; want 5 at the fourth point, and no band", c.Values, c.High, f.Reduced)
	}
}

// The last step, in which the archive ends, has the last record, not a mean with what was
// before it: of 5, 6 and 7, 2.9 s apart, the step from 4 to 6 s has 7 at 5.8 s.
func TestLastStepHasLastRecord(t *testing.T) {
	const n, second = 3, 1_000_000_000
	s, src := record(t, recording.Recording{Host: "rising", Step: 2_900_000_000, Values: map[string]map[string]any{"kernel.all.nusers": {"": recording.Rising(n, 5, 1)}}})
	first, last, wide := int64(recording.Start), int64(recording.Start)+6*second, int64(2*second)
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"kernel.all.nusers"}, Start: &api.When{Nanos: &first}, End: &api.When{Nanos: &last}, Interval: &api.When{Nanos: &wide}, Reduce: "mean", Samples: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Columns[0].Values; len(got) != 4 || got[0] != 5 || got[3] != 7 {
		t.Errorf("values %v, want the first to be 5 and the last to be 7", got)
	}
}

// Records come in pairs 2 ms apart, between which a clock of 10 ms ticks: 5 s a second. That
// is no rate, also in a window with nothing but a pair.
func TestWindowOfAPair(t *testing.T) {
	w := written{}
	aw := w.begin(t, "a", second(0))
	busy := pcp.Desc{PMID: rampLevel.PMID, Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}}
	aw.Desc(busy, "a.busy")
	for s := 0; s <= 200; s += 10 {
		for k := range 2 {
			aw.Record(second(s)+pcp.Time(k*2e6), []archive.ValueSet{{PMID: busy.PMID, Type: busy.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(100*s + 10*k)}}}})
		}
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"a.busy"}, Convert: "rate", Start: moment(second(95)), End: moment(second(105)), Interval: moment(10e9), Reduce: "mean", Samples: true, Statistics: &api.Range{Start: moment(second(99)), End: moment(second(101))}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Columns[0].Statistics; got != nil && got.Maximum > 0.11 {
		t.Errorf("statistics %+v, want no rate above that of 1 s in 10", got)
	}
}
