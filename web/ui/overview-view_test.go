package ui

import (
	"slices"
	"testing"

	"pcpscope/core/api"
)

// Findings of the same kind on different days share one line.
func TestFindingsOfEachKind(t *testing.T) {
	var list []FindingView
	for _, f := range [][2]string{{"stepped", "The clock stepped."}, {"busy", "sdb is busy."}, {"stepped", "It stepped again."}, {"full", "/ is full."}, {"stepped", "And again."}} {
		list = append(list, FindingView{Finding: api.Finding{Rule: f[0], Text: f[1]}})
	}
	var got []string
	for _, f := range ofEachKind(list) {
		got = append(got, f.Text)
	}
	if want := []string{"3 × The clock stepped.", "sdb is busy.", "/ is full."}; !slices.Equal(got, want) {
		t.Errorf("findings = %q, want %q", got, want)
	}
}
