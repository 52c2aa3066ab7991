package app

import "pcpscope/core/pcp"

// A Break is a stretch of a source for which there can be no value, or a moment
// that no line crosses, where Start is End.
type Break struct {
	Start, End pcp.Time
	Label      string
	Lost       bool // there are data, but not here
}

// Breaks are those of the source: where logging was interrupted, the host
// started, data were lost, or nothing was recorded.
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
