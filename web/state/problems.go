package state

import (
	"math"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Problems are those that reading met with, or all that an inspection found.
func (w *Work) Problems() []pcp.Fault {
	if w.Inspected.Done {
		return w.Inspected.Found
	}
	return w.Source.Problems
}

// loadProblems lists them. Their numbers are those of the pins on the strip.
func (w *Work) loadProblems() {
	list := w.Problems()
	n := len(list)
	t := TableData{Page: "problems", Name: "problems", Title: format.Plural(n, "problem"), Rows: n, SortBy: -1, Empty: "No problem was found in this source."}
	number := TableColumn{Kind: "badge", Width: "24px", Numbers: make([]float64, n), Head: "no."}
	what := TableColumn{Head: "What is wrong, and what was done", Kind: "text", Width: "minmax(0, 1fr)", Strong: true, Texts: make([]string, n), As: "what is wrong", Under: &TableColumn{Head: "what was done", Texts: make([]string, n)}}
	file := TableColumn{Head: "File", Kind: "text", Width: "minmax(0, 260px)", Mono: true, Texts: make([]string, n)}
	offset := TableColumn{Head: "Byte", Kind: "number", Width: "110px", Numbers: make([]float64, n)}
	lost := TableColumn{Head: "Lost", As: "lost (s)", Kind: "figure", Width: "170px", Strong: true, Texts: make([]string, n), Numbers: make([]float64, n), Under: &TableColumn{Head: "lost from, to", Texts: make([]string, n)}}
	show := TableColumn{Kind: "action", Width: "96px", Texts: make([]string, n)}
	whole := w.Whole()
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
			lost.Under.Texts[i] = w.Clock.Range(max(p.Lost.Start, whole.Start), min(p.Lost.End, whole.End+60e9)) // a record that is cut off would have come after the last
		}
		if notGiven(p) {
			show.Texts[i] = strings.TrimLeft(show.Texts[i]+"\n"+AddFile, "\n")
		}
		t.Marks = append(t.Marks, mark)
	}
	t.Columns = []TableColumn{number, what, file, offset, lost, show}
	w.Drawer.show(t)
}

// AddFile is the action beside a problem that a file mends.
const AddFile = "Add the file…"

// notGiven says whether a member of an archive is missing.
func notGiven(p *pcp.Fault) bool { return p.Offset == nil && strings.Contains(p.Message, "not given") }

// ShowProblem zooms to what was lost, with some of what is around it.
func (w *Work) ShowProblem(p pcp.Fault) {
	if p.Lost == nil {
		return
	}
	around := max((p.Lost.End-p.Lost.Start)/2, 30e9)
	w.Zoom(p.Lost.Start-around, p.Lost.End+around)
}
