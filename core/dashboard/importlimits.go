package dashboard

import (
	"fmt"

	"pcpscope/core/pcp"
)

// The most that is imported of a file: as many panels and series as dashboards
// have that are generated. PCP's own files have at most 24 panels.
const (
	importedPanels = maxPanels
	importedSeries = maxSeries
	importedInAll  = 1000 // series
	importedLeft   = 200  // omissions that are listed
)

// Limited returns as much of an import as a page can show, and tells what else
// there was.
func (im Import) Limited() Import {
	left := importedInAll
	for d := range im.Dashboards {
		b := &im.Dashboards[d]
		if more := len(b.Panels) - importedPanels; more > 0 {
			b.Panels = b.Panels[:importedPanels]
			im.Left = append(im.Left, Omission{0, b.Title, fmt.Sprintf("%s more panels: a dashboard has at most %d.", pcp.Grouped(more), importedPanels)})
		}
		for p := range b.Panels {
			list := &b.Panels[p].Series
			if more := len(*list) - min(left, importedSeries); more > 0 {
				*list = (*list)[:len(*list)-more]
				im.Left = append(im.Left, Omission{0, clip(b.Panels[p].Title), fmt.Sprintf("%s more series: a panel has at most %d, a file %s.", pcp.Grouped(more), importedSeries, pcp.Grouped(importedInAll))})
			}
			left -= len(*list)
		}
	}
	if more := len(im.Left) - importedLeft; more > 0 {
		im.Left = append(im.Left[:importedLeft:importedLeft], Omission{0, "", fmt.Sprintf("And %s more lines.", pcp.Grouped(more))})
	}
	return im
}
