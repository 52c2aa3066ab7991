package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// pinned looks for processes that use one CPU all the time: a loop without end,
// or work that a single thread cannot do fast enough.
func (h *Host) pinned(v *verdict) {
	p := h.Processes()
	if p == nil {
		return
	}
	limit := h.Rules.Pinned / 100
	for _, s := range p.parts {
		if len(s.at) == 0 || s.at[len(s.at)-1].Since(s.at[0]) < h.Rules.PinnedLasting {
			continue
		}
		total := map[int32]float64{}
		p.increments(s, cpuTimes, 0, len(s.at)-1, func(inst int32, _ int, seconds float64) { total[inst] += seconds })
		maps.DeleteFunc(total, func(_ int32, seconds float64) bool { return seconds < limit*h.Rules.PinnedLasting })
		used := map[int32][]float64{}
		if len(total) > 0 {
			p.increments(s, cpuTimes, 0, len(s.at)-1, func(inst int32, k int, seconds float64) {
				if _, much := total[inst]; !much {
					return
				}
				if used[inst] == nil {
					used[inst] = make([]float64, len(s.at))
				}
				used[inst][k] += seconds / s.at[k].Since(s.at[k-1])
			})
		}
		for _, inst := range slices.Sorted(maps.Keys(used)) {
			one := signal{s.at, s.cut, used[inst]}
			for _, e := range one.episodes(above(limit), h.Rules.PinnedLasting, 0) {
				name := cmp.Or(p.command(s.part, inst, e.End), "a process")
				metrics := []string{"proc.psinfo.utime", "proc.psinfo.stime"}
				if full := p.data.Name(s.part, inst, e.End); full != "" {
					metrics[0] += "[" + full + "]"
				}
				pid := float64(inst)
				if known, _ := p.number(s.part, inst, e.End, "psinfo.pid"); known == known {
					pid = known
				}
				v.lasting(look, e, fmt.Sprintf("a process above %s %% of one CPU for %s", Decimals(h.Rules.Pinned, 0), FormatDuration(h.Rules.PinnedLasting)),
					fmt.Sprintf("%s (PID %.0f) used %s %% of one CPU for %s", name, pid, Decimals(100*e.mean, 0), FormatDuration(e.lasted)), metrics...)
			}
		}
	}
}
