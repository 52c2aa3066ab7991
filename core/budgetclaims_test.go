package core

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// crowded opens a host's archive, and takes all but so many bytes of the session's
// budget away. What is kept besides answers has been made.
func crowded(t *testing.T, left int64) (*Session, api.SourceID) {
	t.Helper()
	files, _ := filepath.Glob("../testdata/live/web01.*")
	s, o := openAll(t, files...)
	id := o.Sources[0].ID
	if _, err := s.Overview(t.Context(), id, nil); err != nil { // names of instances stay claimed
		t.Fatal(err)
	}
	if _, err := s.Search(t.Context(), id, "i9", 0); err != nil {
		t.Fatal(err)
	}
	src, err := s.source(id)
	if err != nil {
		t.Fatal(err)
	}
	src.insight.invalidate()
	if _, err := s.Activity(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	rest := s.memory.Claim(0)
	if err := rest.Take(s.memory.Left() - left); err != nil {
		t.Fatal(err)
	}
	return s, id
}

// leftOut returns the problems of a source that are of kind memory.
func leftOut(t *testing.T, s *Session) (list []string) {
	t.Helper()
	for _, f := range s.Sources()[0].Problems {
		if f.Kind == pcp.OutOfMemory {
			list = append(list, f.Message)
		}
	}
	return list
}

// What does not fit into the session's budget is left out and said; what is
// claimed for an answer is given back after it.
func TestAnswersAreClaimed(t *testing.T) {
	said := func(t *testing.T, s *Session, text string) {
		t.Helper()
		if list := leftOut(t, s); !slices.ContainsFunc(list, func(m string) bool { return strings.Contains(m, text) }) {
			t.Errorf("the problems do not say %q: %q", text, list)
		}
	}
	t.Run("overview", func(t *testing.T) {
		s, id := crowded(t, 2<<10)
		if _, err := s.Overview(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		said(t, s, "to judge every metric")
	})
	t.Run("dashboards", func(t *testing.T) {
		s, id := crowded(t, 5*dashboardBytes+dashboardBytes/2)
		list, err := s.Dashboards(t.Context(), id)
		if err != nil || len(list) > 5 || len(list) == 0 {
			t.Fatalf("%d dashboards fit in the memory of five, %v", len(list), err)
		}
		said(t, s, "dashboards")
	})
	t.Run("search", func(t *testing.T) {
		s, id := crowded(t, 128*hitBytes)
		if _, err := s.Search(t.Context(), id, "nothing of the kind", 0); err != nil {
			t.Error(err)
		}
		if hits, err := s.Search(t.Context(), id, "a", 100_000); err == nil || pcp.AsFault(err).Kind != pcp.OutOfMemory {
			t.Errorf("%d matches fit in the memory of 128, %v", len(hits), err)
		}
	})
	t.Run("given back", func(t *testing.T) {
		s, id := crowded(t, 64<<20)
		before, _ := s.Memory()
		if _, err := s.Overview(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Dashboards(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if hits, err := s.Search(t.Context(), id, "a", 100_000); err != nil || len(hits) < 100 {
			t.Fatalf("%d matches, %v", len(hits), err)
		}
		if after, _ := s.Memory(); after > before || len(leftOut(t, s)) > 0 {
			t.Errorf("%d bytes stay claimed, and there was left out %q", after-before, leftOut(t, s))
		}
	})
}
