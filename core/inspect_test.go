package core

import (
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/reference"
)

// badlog-2 can be read without problems, but pmlogcheck 7.2.1 reports that a
// counter decreases in it (spec/archive.md section 12).
func TestInspect(t *testing.T) {
	root := reference.Need(t)
	s, o := openAll(t, archiveFiles(filepath.Join(root, "corpus/bad"), "badlog-2")...)
	if len(o.Sources[0].Problems) != 0 {
		t.Errorf("problems: %v", o.Sources[0].Problems)
	}
	found, err := s.Inspect(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	reported := false
	for _, f := range found {
		reported = reported || strings.Contains(f.Message, "counter") || strings.Contains(f.Message, "decrease") || strings.Contains(f.Message, "backwards")
	}
	if !reported {
		t.Errorf("found %v, want the counter that decreases", found)
	}
}
