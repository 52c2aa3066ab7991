package state

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// What is wrong is told in the line where it was found, and stays told while
// the text that follows is being checked; what is underlined is not, as its
// place may have moved.
func TestFaultsStayBeneathTheirLines(t *testing.T) {
	d := Derive{Text: "a\n+ bad\n+ c", Checked: "a\n+ bad\n+ c", Faults: []pcp.Fault{{Message: "no such", Span: &[2]int{4, 7}}}}
	told := func() (lines []int, wrong bool) {
		for i, l := range d.Lines() {
			for range l.Faults {
				lines = append(lines, i)
			}
			for _, p := range l.Pieces {
				wrong = wrong || p.Wrong
			}
		}
		return lines, wrong
	}
	for _, tt := range []struct {
		text  string
		line  int // -1: nothing is told
		wrong bool
	}{{"a\n+ bad\n+ c", 1, true}, {"a\n+ bad\n+ cd", 1, false}, {"a", 0, false}, {"", -1, false}} {
		d.Text = tt.text
		lines, wrong := told()
		if wrong != tt.wrong || len(lines) > 1 || (tt.line < 0) != (len(lines) == 0) || len(lines) == 1 && lines[0] != tt.line {
			t.Errorf("of %q the lines %v are told, underlined %t; want line %d, %t", tt.text, lines, wrong, tt.line, tt.wrong)
		}
	}
}

// What completes a text that has been changed since is not put into it.
func TestOnlyWhatIsOfTheTextCompletesIt(t *testing.T) {
	b, _ := opened(t)
	enter := Key{Name: "Enter", In: "derive-text", Typing: true}
	b.Derive = Derive{Page: "editor", Text: "rate(disk.all.rea", Completing: true, completes: "rate(disk.all.rea",
		Completion: api.Completion{Span: [2]int{5, 17}, Candidates: []api.Candidate{{Text: "disk.all.read"}}}}
	b.Type("rate(disk.all.read)", 19)
	if _, used := b.Press(enter); used || b.Derive.Text != "rate(disk.all.read)" {
		t.Errorf("Enter is taken: %t, and makes %q", used, b.Derive.Text)
	}
	b.Type("rate(disk.all.rea", 17)
	if _, used := b.Press(enter); !used || b.Derive.Text != "rate(disk.all.read" {
		t.Errorf("Enter is taken: %t, and makes %q", used, b.Derive.Text)
	}
}
