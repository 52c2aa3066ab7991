package chart

import (
	"cmp"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// The maximum number of lanes in an answer: of one rule, and of all.
const (
	lanesOfRule = 13
	lanesInAll  = 1000
)

// Lanes reduces the results of rules to what can be drawn in a number of pixels.
func Lanes(out *api.RuleResults, pixels int) {
	limit := max(1, min(lanesOfRule, lanesInAll/max(1, len(out.Rules))))
	lanes := 0
	for i := range out.Rules {
		r := &out.Rules[i]
		sorting.Stable(r.Lanes, func(a, b api.RuleLane) int { return cmp.Compare(b.True, a.True) })
		r.Lanes = r.Lanes[:min(limit, len(r.Lanes))]
		lanes += len(r.Lanes)
	}
	each := max(2, 2*pixels/max(1, lanes))
	width := max(1, (out.End-out.Start)/pcp.Time(each))
	for i := range out.Rules {
		for k := range out.Rules[i].Lanes {
			if l := &out.Rules[i].Lanes[k]; len(l.Runs) > each {
				l.Runs = joinedRuns(l.Runs, width)
			}
		}
	}
}

// joinedRuns joins runs that are shorter than a width with those after them. A
// joined run is true if any of its parts is, and otherwise unknown if any of its
// parts is.
func joinedRuns(runs []api.RuleRun, width pcp.Time) (out []api.RuleRun) {
	rank := map[string]int{"true": 2, "unknown": 1}
	for _, run := range runs {
		n := len(out) - 1
		switch {
		case n >= 0 && out[n].End-out[n].Start < width:
			last := &out[n]
			if last.End = run.End; rank[run.State] > rank[last.State] {
				last.State = run.State
			}
			if last.Says == "" {
				last.Says = run.Says
			}
		case n >= 0 && out[n].State == run.State:
			out[n].End = run.End
		default:
			out = append(out, run)
		}
	}
	return out
}
