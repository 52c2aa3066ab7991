package app

import "pcpscope/core/pcp"

// A Break is a time range in which a source can have no values or, if Start equals End, a
// moment that no line crosses.
type Break struct {
	Start, End pcp.Time
	Label      string
	Lost       bool // data exists, but is missing here
}

// Breaks lists where logging was interrupted, the host booted, data was lost, or nothing
// was recorded.
func (tab *Tab) Breaks() []Break {
	whole := tab.Whole()
	var list []Break
	for _, g := range tab.Source.Gaps {
		switch g.Why {
		case "missing volume": // a hole
		case "mark":
			list = append(list, Break{Start: g.Start, End: g.End, Label: "logging was interrupted"})
		default:
			list = append(list, Break{Start: g.Start, End: g.End, Label: g.Why})
		}
	}
	for _, boot := range tab.Findings.Boots() {
		if boot > whole.Start && boot < whole.End {
			list = append(list, Break{Start: boot, End: boot, Label: "the host started"})
		}
	}
	for _, h := range tab.Holes() {
		list = append(list, Break{Start: h.Start, End: h.End, Label: h.Label, Lost: true})
	}
	for _, o := range tab.Findings.Unexplained() {
		list = append(list, Break{Start: o.Start, End: o.End, Label: "nothing recorded"})
	}
	return list
}
