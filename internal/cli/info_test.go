package cli

import (
	"slices"
	"strconv"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Of more than a thousand gaps the source lists a thousand, with as many marks as fit.
func TestGapsOfASource(t *testing.T) {
	list := slices.Concat(slices.Repeat([]api.Gap{{Why: "between archives"}}, 33), slices.Repeat([]api.Gap{{Why: "mark"}}, 967))
	for _, x := range []struct {
		src  api.Source
		want string
	}{
		{api.Source{}, "none"},
		{api.Source{GapCount: 2, Gaps: []api.Gap{{Why: "mark"}, {Why: "missing volume"}}}, "1 missing volume, 1 mark"},
		{api.Source{GapCount: 2345, Gaps: list}, "33 between archives, 2,312 marks"},
	} {
		if got := gaps(x.src); got != x.want {
			t.Errorf("%d gaps are %q, want %q", x.src.GapCount, got, x.want)
		}
	}
}

// Of more problems than are listed, the number is said, also of one.
func TestProblemsThatAreNotListed(t *testing.T) {
	for n, want := range map[int]string{5: "x: 5.", 6: "x: 1 more problem; info --json lists all", 1006: "x: 1,001 more problems; info --json lists all"} {
		src := api.Source{Name: "x"}
		for i := range n {
			src.Problems = append(src.Problems, pcp.Fault{Message: strconv.Itoa(i+1) + "."})
		}
		var r run
		r.problems(src)
		if got := r.notes[len(r.notes)-1]; got != want {
			t.Errorf("%d problems: %q, want %q", n, got, want)
		}
	}
}
