package archive

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// Labels nested deeper than any agent does are left out with a message and
// without exhausting the stack; those beside them are kept.
func TestDeepLabels(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n-1) + `{"b":"[[{"}` + strings.Repeat("}", n-1) }
	for depth, kept := range map[int]bool{2: true, maxLabelDepth: true, maxLabelDepth + 1: false, 6500: false, 10900: false} {
		files := memory{}
		w, err := NewWriter(Label{Version: 3, Host: "h", Start: 1e9}, files.create)
		if err != nil {
			t.Fatal(err)
		}
		m := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
		w.Desc(m, "a.b")
		w.Labels(1e9, ContextLabels, 0, []LabelSet{{pcp.NoInstance, `{"hostname":"h"}`}})
		if depth < 6500 {
			w.Labels(1e9, ItemLabels, uint32(m.PMID), []LabelSet{{pcp.NoInstance, nested(depth)}})
		} else { // the writer parses labels recursively
			w.Labels(1e9, ItemLabels, uint32(m.PMID), []LabelSet{{pcp.NoInstance, `{"x":"` + strings.Repeat("x", len(nested(depth))-8) + `"}`}})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if depth >= 6500 {
			b := files["meta"].Bytes()
			at := strings.Index(string(b), `{"x":`)
			copy(b[at:], nested(depth))
		}
		a, err := Open(t.Context(), files.group("a"))
		if err != nil {
			t.Fatal(err)
		}
		want, problems := `{"hostname":"h"}`, 1 // no volume was written
		if kept {
			want = `{"a":` + strings.Repeat(`{"a":`, depth-2) + `{"b":"[[{"}` + strings.Repeat("}", depth-2) + `,"hostname":"h"}`
		} else {
			problems++
		}
		got, _ := a.Metric(m.PMID)
		if labels := a.Labels(got, 1e9); labels != want {
			t.Errorf("nested %d deep: labels are %.100s", depth, labels)
		}
		if p := a.Problems(); len(p) != problems {
			t.Errorf("nested %d deep: the problems are %v", depth, p)
		}
	}
}

// A volume of nothing but marks is given up before they take the time and the memory
// of what can be many times its size; fewer of them are read like all records.
func TestMarksInSuccession(t *testing.T) {
	for _, c := range []struct{ marks, values int }{{maxMarks, 2}, {maxMarks + 1, 1}} {
		files := memory{}
		w, err := NewWriter(Label{Version: 3, Host: "h", Start: second}, files.create)
		if err != nil {
			t.Fatal(err)
		}
		m := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
		w.Desc(m, "a.b")
		value := func(v uint64) {
			w.Record(second, []ValueSet{{PMID: m.PMID, Type: m.Type, Values: []Value{{Inst: pcp.NoInstance, Val: v}}}})
		}
		value(0)
		from := w.VolumeSize()
		w.Mark(second)
		to := w.VolumeSize()
		value(1)
		w.Close()
		volume := files["0"].Bytes()
		files["0"] = bytes.NewBuffer(slices.Concat(volume[:from], bytes.Repeat(volume[from:to], c.marks), volume[to:]))
		delete(files, "index") // which would say that the file is too long
		a, err := Open(t.Context(), files.group("a"))
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Load(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(a.Problems())
		obs, _ := a.Observations(m.PMID)
		if len(obs.Times) != c.values || len(a.Marks()) != c.marks || strings.Contains(said, "marks in succession") != (c.values == 1) {
			t.Errorf("of %d marks %d are read, and %d values: %s", c.marks, len(a.Marks()), len(obs.Times), said)
		}
	}
}
