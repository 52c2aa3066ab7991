package app

import "pcpscope/core/pcp"

// Problems are those found while reading, or by an inspection.
func (f *Findings) Problems() []pcp.Fault {
	if f.Inspected.Done {
		return f.Inspected.Found
	}
	return f.tab.Source.Problems
}

// ShowProblem zooms to the lost data, with some context.
func (f *Findings) ShowProblem(p pcp.Fault) {
	if p.Lost == nil {
		return
	}
	around := max((p.Lost.End-p.Lost.Start)/2, 30e9)
	f.tab.Zoom(p.Lost.Start-around, p.Lost.End+around)
}
