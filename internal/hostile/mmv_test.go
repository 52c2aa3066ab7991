package hostile

import (
	"testing"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// A section listed many times in the table of contents of an MMV file is read
// once, as PCP's agent ignores an entry whose name or item is taken: see
// spec/mmv.md sections 2.2 and 7.3.
func TestSectionsNamedAgain(t *testing.T) {
	names := func(times int) (list []string) {
		s := core.NewSession(core.Options{})
		opened, err := s.Open(t.Context(), []core.File{mmvStrings(20, 20, times)}, nil)
		if err != nil || len(opened.Sources) != 1 {
			t.Fatalf("%+v, %v", opened, err)
		}
		if problems := opened.Sources[0].Problems; times > 1 && (len(problems) == 0 || problems[0].Kind != pcp.Corrupt) {
			t.Errorf("%d times: the problems are %v", times, problems)
		}
		metrics, err := s.Metrics(opened.Sources[0].ID, "mmv")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range metrics {
			list = append(list, m.Name)
		}
		return list
	}
	if once := names(1); len(once) != 20 {
		t.Errorf("there are %d metrics", len(once))
	}
	if again := names(1000); len(again) != 20 {
		t.Errorf("with each name 1,000 times: %d metrics", len(again))
	}
}
