package derive

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
)

// A TextLine is one line of the editor's text as drawn.
type TextLine struct {
	Pieces []Piece
	Faults []FaultLine // those that begin here
}

// A Piece is a part of a line with one style.
type Piece struct {
	Text  string
	Kind  string // "fn", "literal", "" for the rest
	Wrong bool
}

// A FaultLine is a fault, with its position in words if the text has several
// lines.
type FaultLine struct {
	pcp.Fault
	Where string // "Line 2: "
}

var pieceOf = pattern.New(`("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|([A-Za-z][\w.]*)(\()?|(\d[\d.]*(?:[eE][-+]?\d+)?)|\[[^\]\n]*\]?|\s+|.`)

// Lines is the editor's text with its errors marked. While a change is being
// checked an error stays below the line where it was found; otherwise
// everything below would jump with each keystroke.
func (d *Editor) Lines() []TextLine {
	faults := d.CurrentFaults()
	lines := strings.Split(d.Text, "\n")
	out := make([]TextLine, len(lines))
	at := 0
	for i, text := range lines {
		out[i].Pieces = pieces(text, at, faults, i == len(lines)-1)
		at += utf16Len(text) + 1
	}
	if strings.TrimSpace(d.Text) == "" {
		return out
	}
	for _, f := range d.Faults {
		i := 0
		if f.Span != nil {
			i = min(strings.Count(UTF16Slice(d.Checked, 0, wrongSpan(&f)[0]), "\n"), len(lines)-1)
		}
		line := FaultLine{Fault: f}
		if len(lines) > 1 {
			line.Where = fmt.Sprintf("Line %d: ", i+1)
		}
		out[i].Faults = append(out[i].Faults, line)
	}
	return out
}

// CurrentFaults are the faults of the present text: none until it has been
// checked.
func (d *Editor) CurrentFaults() []pcp.Fault {
	if d.Checked != d.Text || strings.TrimSpace(d.Text) == "" {
		return nil
	}
	return d.Faults
}

// wrongSpan is the span to underline: what the fix would replace, otherwise
// the whole span of the fault.
func wrongSpan(f *pcp.Fault) [2]int {
	switch {
	case f.Fix != nil:
		return f.Fix.Span
	case f.Span != nil:
		return *f.Span
	}
	return [2]int{}
}

// pieces splits a line that begins at a given position of the text, in UTF-16
// units.
func pieces(line string, at int, faults []pcp.Fault, last bool) []Piece {
	var list []Piece
	add := func(text, kind string) {
		for _, r := range text {
			n := utf16.RuneLen(r)
			wrong := false
			for i := range faults {
				if s := wrongSpan(&faults[i]); faults[i].Span != nil && at < max(s[1], s[0]+1) && at+n > s[0] {
					wrong = true
				}
			}
			at += n
			if k := len(list) - 1; k >= 0 && list[k].Kind == kind && list[k].Wrong == wrong {
				list[k].Text += string(r)
			} else {
				list = append(list, Piece{string(r), kind, wrong})
			}
		}
	}
	for _, m := range pieceOf().FindAllStringSubmatchIndex(line, -1) {
		text := line[m[0]:m[1]]
		switch {
		case m[2] >= 0:
			add(text, "literal")
		case m[4] >= 0 && m[6] >= 0:
			add(line[m[4]:m[5]], "fn")
			add("(", "")
		case m[8] >= 0:
			add(text, "literal")
		default:
			add(text, "")
		}
	}
	for i := range faults { // what is missing at the end is marked after it
		if s := wrongSpan(&faults[i]); last && faults[i].Span != nil && s[0] >= at {
			return append(list, Piece{" ", "", true})
		}
	}
	return list
}

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }

// UTF16Slice is the part of a text between two positions in UTF-16 units,
// clipped to the text.
func UTF16Slice(s string, from, to int) string {
	units := utf16.Encode([]rune(s))
	to = max(0, min(to, len(units)))
	return string(utf16.Decode(units[max(0, min(from, to)):to]))
}
