package archive

import (
	"encoding/binary"
	"testing"

	"pcpscope/core/pcp"
)

// TestSharedBlock: two instances refer to one block, and another block to
// nothing, so that the blocks still fill the record, as spec/archive.md section 5.3
// asks. libpcp accepts that; so do we.
func TestSharedBlock(t *testing.T) {
	m := memory{}
	w, err := NewWriter(Label{Version: 2, Start: 100 * second}, m.create)
	if err != nil {
		t.Fatal(err)
	}
	one := pcp.Desc{PMID: pcp.MakePMID(1, 1, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Instant}
	two := pcp.Desc{PMID: pcp.MakePMID(1, 1, 2), Type: pcp.Uint64, InDom: indom, Sem: pcp.Instant}
	w.Desc(one, "one")
	w.Desc(two, "two")
	for i := range uint64(3) {
		w.Record(pcp.Time(100+i)*second, []ValueSet{
			{PMID: one.PMID, Type: pcp.Uint64, Values: []Value{{Inst: -1, Val: i}}},
			{PMID: two.PMID, Type: pcp.Uint64, Values: []Value{{Inst: 1, Val: 10 + i}, {Inst: 2, Val: 20 + i}}},
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := load(t, m.group("a"))
	// Sets are at 16 and 36 of each record; the pairs of the second at 48
	// and 56. Let both refer to the last block.
	b := m["0"].Bytes()[whole.Records()[1].Offset:]
	copy(b[52:56], b[60:64])
	if binary.BigEndian.Uint32(b[36:]) != uint32(two.PMID) {
		t.Fatal("the record is laid out otherwise")
	}
	a := load(t, m.group("a"))
	check(t, "records", len(a.Records()), 3)
	obs, _ := a.Observations(two.PMID)
	for i, want := range [][]uint64{{10, 21, 12}, {20, 21, 22}} {
		if len(obs.Series[i].Runs) != 3 {
			t.Fatalf("runs %v", obs.Series[i].Runs)
		}
		for k, r := range obs.Series[i].Runs {
			check(t, "value", r.Val, want[k])
		}
	}
}
