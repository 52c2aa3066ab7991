package archive

import (
	"context"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// Records every 10 s have two 64-bit counters. At 50 and 60 s, the first has a 32-bit value:
// these records are damaged. The second has 32-bit values from 80 s on: its type changed.
func TestMistypedRecords(t *testing.T) {
	m := memory{}
	w, err := NewWriter(Label{Version: 3, Host: "h", Start: 0}, m.create)
	if err != nil {
		t.Fatal(err)
	}
	first := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Counter}
	second64 := pcp.Desc{PMID: pcp.MakePMID(60, 0, 2), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Counter}
	w.Desc(first, "a.first")
	w.Desc(second64, "a.second")
	for s := 0; s <= 100; s += 10 {
		a, b := first.Type, second64.Type
		if s == 50 || s == 60 {
			a = pcp.Uint32
		}
		if s >= 80 {
			b = pcp.Uint32
		}
		w.Record(pcp.Time(s)*second, []ValueSet{{PMID: first.PMID, Type: a, Values: []Value{{Inst: pcp.NoInstance, Val: 7}}}, {PMID: second64.PMID, Type: b, Values: []Value{{Inst: pcp.NoInstance, Val: 8}}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a := load(t, m.group("a"))
	if got, want := a.Mistyped(), []pcp.Time{50 * second, 60 * second}; !slices.Equal(got, want) {
		t.Errorf("damaged records at %v, want %v", got, want)
	}
}

// Of archive-20141125-000009, pmdumplog prints impossible values of hinv.ncpu, of 1318954416 or
// 33 CPUs instead of 4, at seven times from 21:02:46 to 21:08:46 in the host's zone.
func TestMistypedRecordsOfCorpus(t *testing.T) {
	g := groups(t, reference.Need(t, "corpus", "bad"))["archive-20141125-000009"]
	a, err := Open(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	times := a.Mistyped()
	if len(times) != 7 {
		t.Fatalf("damaged records at %v, want 7", times)
	}
	const layout = "2006-01-02 15:04:05"
	if from, to := times[0].Std().UTC().Format(layout), times[6].Std().UTC().Format(layout); from != "2014-11-24 02:02:46" || to != "2014-11-24 02:08:46" {
		t.Errorf("damaged records from %s to %s", from, to)
	}
}
