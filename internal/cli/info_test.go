package cli

import (
	"slices"
	"testing"

	"pcpscope/core/api"
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
