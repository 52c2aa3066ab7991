package archive

import (
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
