package archive

import (
	"fmt"
	"slices"
	"testing"

	"pcpscope/core/pcp"
)

// described is an archive of n metrics without values, two in each folder.
func described(t *testing.T, n int) memory {
	t.Helper()
	files := memory{}
	w, err := NewWriter(Label{Version: 3, Host: "h", Start: second}, files.create)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		w.Desc(pcp.Desc{PMID: pcp.MakePMID(60, i/1000, i%1000), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}, fmt.Sprintf("f%d.deep.n%d", (n-i)/2, i))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return files
}

// The inner nodes of the name space are not names of metrics, and names are found
// in whatever order and number they are in the file.
func TestNamesAndInnerNodes(t *testing.T) {
	for _, n := range []int{1, 5, 9, 100, 2000} {
		a, err := Open(t.Context(), described(t, n).group("a"))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("f%d.deep.n%d", (n-i)/2, i))
		}
		slices.Sort(want)
		if names := a.Names(); !slices.Equal(names, want) {
			t.Errorf("of %d metrics: %q", n, names)
		}
		if list := a.Metrics(); len(list) != n || a.MetricCount() != n || list[0].Name() != want[0] || list[n-1].Name() != want[n-1] {
			t.Errorf("%d metrics, counted as %d, of %d", len(list), a.MetricCount(), n)
		}
		for _, name := range want {
			if m, known := a.Lookup(name); !known || m.Name() != name {
				t.Errorf("of %d metrics: %s is %v, %v", n, name, m, known)
			}
		}
		for _, inner := range []string{"f0", "f0.deep", "f0.deep.n", ""} {
			if m, known := a.Lookup(inner); known {
				t.Errorf("of %d metrics: %q is the name of %v", n, inner, m)
			}
		}
	}
}

// Opening an archive allocates memory for many metrics at a time.
func TestOpenAllocatesRarely(t *testing.T) {
	const n = 4000
	g := described(t, n).group("a")
	if allocs := testing.AllocsPerRun(3, func() { Open(t.Context(), g) }); allocs > n/10 {
		t.Errorf("%v allocations for %d metrics", allocs, n)
	}
}
