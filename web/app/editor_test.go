package app

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/derive"
)

// A completion of a text that has changed since is not inserted.
func TestStaleCompletionsAreIgnored(t *testing.T) {
	b, _ := opened(t)
	enter := Key{Name: "Enter", In: "derive-text", Typing: true}
	b.Editor.Editor = derive.Editor{Page: "editor", Text: "rate(disk.all.rea", Completing: true, Completes: "rate(disk.all.rea",
		Completion: api.Completion{Span: [2]int{5, 17}, Candidates: []api.Candidate{{Text: "disk.all.read"}}}}
	b.Editor.Type("rate(disk.all.read)", 19)
	if _, used := b.Press(enter); used || b.Editor.Text != "rate(disk.all.read)" {
		t.Errorf("Enter used: %t, text %q; want false, text unchanged", used, b.Editor.Text)
	}
	b.Editor.Type("rate(disk.all.rea", 17)
	if _, used := b.Press(enter); !used || b.Editor.Text != "rate(disk.all.read" {
		t.Errorf("Enter used: %t, text %q; want true, completed", used, b.Editor.Text)
	}
}
