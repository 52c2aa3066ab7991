package core

import (
	"fmt"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Three metrics were logged once, at the end, and the load every ten seconds: it is what the
// logger records.
func TestStoryOfOneMetric(t *testing.T) {
	w := written{}
	aw := w.begin(t, "a", second(0))
	load := pcp.Desc{PMID: pcp.MakePMID(60, 2, 0), InDom: pcp.MakeInDom(60, 5), Type: pcp.Uint32, Sem: pcp.Instant}
	aw.Desc(load, "kernel.all.load")
	aw.InDom(second(0), load.InDom, []pcp.Instance{{ID: 1, Name: "1 minute"}})
	for s := 0; s <= 6000; s += 10 {
		level := uint64(1)
		if s >= 3000 {
			level = 50
		}
		aw.Record(second(s), []archive.ValueSet{{PMID: load.PMID, Type: load.Type, Values: []archive.Value{{Inst: 1, Val: level}}}})
	}
	var once []archive.ValueSet
	for i := range 3 {
		d := pcp.Desc{PMID: pcp.MakePMID(99, 0, i+1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Discrete}
		aw.Desc(d, fmt.Sprint("a.once", i))
		once = append(once, archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 7}}})
	}
	aw.Record(second(6000), once)
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	story, err := s.Story(t.Context(), api.StoryQuery{Source: id, Least: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(story.Incidents) != 1 || story.Incidents[0].At < second(2990) || story.Incidents[0].At > second(3000) {
		t.Errorf("%+v, want one incident, between 2,990 and 3,000 s", story)
	}
}
