package archive

import (
	"strings"
	"testing"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
)

// zeroEnded reads as some bytes with zeros behind them.
type zeroEnded []byte

func (p zeroEnded) ReadAt(to []byte, off int64) (int, error) {
	clear(to)
	if off < int64(len(p)) {
		copy(to, p[off:])
	}
	return len(to), nil
}

// A window that grows for one long record is claimed from the budget like
// everything else: what lies before the record was read, and of it a fault of
// memory is told.
func TestLongRecordIsClaimed(t *testing.T) {
	files := memory{}
	w, err := NewWriter(Label{Version: 3, Host: "h", Start: 1e9}, files.create)
	if err != nil {
		t.Fatal(err)
	}
	m := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
	w.Desc(m, "a.b")
	w.Record(1e9, []ValueSet{{PMID: m.PMID, Type: m.Type, Values: []Value{{Inst: pcp.NoInstance, Val: 1}}}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	g := files.group("a")
	v := &g.Volumes[0]
	good := int64(files["0"].Len())
	v.At = zeroEnded(append(files["0"].Bytes(), maxRecord>>24, 0, 0, 0))
	v.Size = good + maxRecord/2 + maxRecord/4
	for limit, want := range map[int64]pcp.FaultKind{24 << 20: pcp.OutOfMemory, 512 << 20: pcp.Corrupt} {
		b := budget.New(limit)
		a, err := Options{Budget: b}.Open(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Load(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if n := len(a.Records()); n != 1 {
			t.Errorf("with %d MiB there are %d records", limit>>20, n)
		}
		said := ""
		for _, p := range a.Problems() {
			said += string(p.Kind) + ": " + p.Message + " "
		}
		if !strings.Contains(said, string(want)+": ") {
			t.Errorf("with %d MiB the problems are %s", limit>>20, said)
		}
	}
}
