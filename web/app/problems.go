package app

import "pcpscope/core/pcp"

// Problems are those that reading met with, or all that an inspection found.
func (f *Findings) Problems() []pcp.Fault {
	if f.Inspected.Done {
		return f.Inspected.Found
	}
	return f.tab.Source.Problems
}

// ShowProblem zooms to what was lost, with some of what is around it.
func (f *Findings) ShowProblem(p pcp.Fault) {
	if p.Lost == nil {
		return
	}
	around := max((p.Lost.End-p.Lost.Start)/2, 30e9)
	f.tab.Zoom(p.Lost.Start-around, p.Lost.End+around)
}
