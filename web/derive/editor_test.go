package derive

import (
	"testing"

	"pcpscope/core/pcp"
)

// A fault is shown at its line, and stays there while a changed text is being
// checked; the underline does not, since its position may have moved.
func TestFaultsStayBeneathTheirLines(t *testing.T) {
	d := Editor{Text: "a\n+ bad\n+ c", Checked: "a\n+ bad\n+ c", Faults: []pcp.Fault{{Message: "no such", Span: &[2]int{4, 7}}}}
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
			t.Errorf("%q: faults at lines %v, underlined %t; want line %d, %t", tt.text, lines, wrong, tt.line, tt.wrong)
		}
	}
}
