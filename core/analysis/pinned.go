package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"pcpscope/core/sorting"
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
		used := map[int32][]rowShare{} // few processes are in all rows
		if len(total) > 0 {
			p.increments(s, cpuTimes, 0, len(s.at)-1, func(inst int32, k int, seconds float64) {
				if _, much := total[inst]; !much {
					return
				}
				used[inst] = append(used[inst], rowShare{int32(k), seconds / s.at[k].Since(s.at[k-1])})
			})
		}
		usual := sync.OnceValue(signal{s.at, s.cut, nil}.interval)
		for _, inst := range slices.Sorted(maps.Keys(used)) {
			rows, shares := added(used[inst])
			one := signal{s.at, s.cut, shares}
			for _, e := range one.episodesIn(rows, above(limit), h.Rules.PinnedLasting, 0, usual) {
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

// rowShare is the share of one CPU that a process used in a row, of user or of
// system time.
type rowShare struct {
	row   int32
	share float64
}

// added adds up the shares of each row, in order of rows.
func added(list []rowShare) (rows []int32, shares []float64) {
	sorting.Stable(list, func(a, b rowShare) int { return cmp.Compare(a.row, b.row) })
	for _, one := range list {
		if n := len(rows); n > 0 && rows[n-1] == one.row {
			shares[n-1] += one.share
			continue
		}
		rows, shares = append(rows, one.row), append(shares, one.share)
	}
	return rows, shares
}
