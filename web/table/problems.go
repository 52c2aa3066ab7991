package table

import (
	"math"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// Problems lists what is wrong with a source. Their numbers are those of the pins
// on the strip.
func Problems(list []pcp.Fault, whole timeline.Window, clock format.Clock) Table {
	n := len(list)
	t := Table{Page: "problems", Name: "problems", Title: format.Plural(n, "problem"), Rows: n, SortBy: -1, Empty: "No problem was found in this source."}
	number := Column{Kind: "badge", Width: "24px", Numbers: make([]float64, n), Head: "no."}
	what := Column{Head: "What is wrong, and what was done", Kind: "text", Width: "minmax(0, 1fr)", Strong: true, Texts: make([]string, n), As: "what is wrong", Under: &Column{Head: "what was done", Texts: make([]string, n)}}
	file := Column{Head: "File", Kind: "text", Width: "minmax(0, 260px)", Mono: true, Texts: make([]string, n)}
	offset := Column{Head: "Byte", Kind: "number", Width: "110px", Numbers: make([]float64, n)}
	lost := Column{Head: "Lost", As: "lost (s)", Kind: "figure", Width: "170px", Strong: true, Texts: make([]string, n), Numbers: make([]float64, n), Under: &Column{Head: "lost from, to", Texts: make([]string, n)}}
	show := Column{Kind: "action", Width: "96px", Texts: make([]string, n)}
	for i := range list {
		p := &list[i]
		number.Numbers[i] = float64(i + 1)
		what.Texts[i], what.Under.Texts[i], file.Texts[i] = p.Message, p.Done, p.File
		offset.Numbers[i] = math.NaN()
		if p.Offset != nil {
			offset.Numbers[i] = float64(*p.Offset)
		}
		mark := ""
		if lost.Texts[i] = "nothing"; p.Lost != nil {
			mark, show.Texts[i] = "broken", "Show"
			lost.Numbers[i] = float64(p.Lost.End-p.Lost.Start) / 1e9
			lost.Texts[i] = format.Span(int64(p.Lost.End - p.Lost.Start))
			lost.Under.Texts[i] = clock.Range(max(p.Lost.Start, whole.Start), min(p.Lost.End, whole.End+60e9)) // of a truncated record, which would have come after the last
		}
		if notGiven(p) {
			show.Texts[i] = strings.TrimLeft(show.Texts[i]+"\n"+AddFile, "\n")
		}
		t.Marks = append(t.Marks, mark)
	}
	t.Columns = []Column{number, what, file, offset, lost, show}
	return t
}

// AddFile is the action beside a problem that adding a file solves.
const AddFile = "Add the file…"

// notGiven reports whether a member of an archive is missing.
func notGiven(p *pcp.Fault) bool { return p.Offset == nil && strings.Contains(p.Message, "not given") }
