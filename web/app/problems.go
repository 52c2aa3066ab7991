package app

import "pcpscope/core/pcp"

// Problems are those that reading met with, or all that an inspection found.
func (f *Findings) Problems() []pcp.Fault {
	tab := f.tab

	if f.Inspected.Done {
		return f.Inspected.Found
	}
	return tab.Source.Problems
}

// ShowProblem zooms to what was lost, with some of what is around it.
func (f *Findings) ShowProblem(p pcp.Fault) {
	tab := f.tab

	if p.Lost == nil {
		return
	}
	around := max((p.Lost.End-p.Lost.Start)/2, 30e9)
	tab.Zoom(p.Lost.Start-around, p.Lost.End+around)
}
