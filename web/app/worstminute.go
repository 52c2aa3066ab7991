package app

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// WorstMinute is the minute in which the strip's series was highest on average, and that
// average. If it was logged less often, it is one step of its grid.
func (p *Pulse) WorstMinute() (worst timeline.Window, mean float64, ok bool) {
	if p.minutes != nil { // those of the strip are longer
		return p.minutes.WorstMinute()
	}
	if len(p.Times) < 3 || len(p.Values) != len(p.Times) {
		return worst, 0, false
	}
	step := (p.Times[len(p.Times)-1] - p.Times[0]) / float64(len(p.Times)-1)
	n := max(1, int(math.Round(60/step)))
	if n >= len(p.Times) {
		return worst, 0, false
	}
	best := -1
	for i := 0; i+n <= len(p.Values); i++ {
		part := p.Values[i : i+n]
		if slices.ContainsFunc(part, math.IsNaN) {
			continue
		}
		sum := 0.0
		for _, v := range part {
			sum += v
		}
		if best < 0 || sum/float64(n) > mean {
			best, mean = i, sum/float64(n)
		}
	}
	if best < 0 {
		return worst, 0, false
	}
	// A rate covers the time before its sample, and samples are some milliseconds late:
	// with this allowance they still count as inside, and the window is shown with the
	// same seconds.
	late := min(step/10, 0.25)
	start := p.Start + pcp.Time((p.Times[best]-step+late)*1e9)
	return timeline.Window{Start: start, End: start + pcp.Time(float64(n)*step*1e9)}, mean, true
}

// ShowWorstMinute shows that minute, with its processes if they were logged.
func (p *Pulse) ShowWorstMinute() {
	tab := p.tab
	worst, _, ok := p.WorstMinute()
	if !ok {
		return
	}
	tab.app.Cursor.Clear()
	tab.Zoom(worst.Start, worst.End)
	if tab.Metric("proc.psinfo.utime") != nil || tab.Metric("hotproc.psinfo.utime") != nil {
		tab.app.Layout.Drawer = "processes"
	}
}

// ExplainWorstMinute explains that minute.
func (p *Pulse) ExplainWorstMinute() {
	if worst, _, ok := p.WorstMinute(); ok {
		p.tab.Explain.Of(worst.Start, worst.End)
	}
}
