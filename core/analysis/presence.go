package analysis

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// presence is a command of which one process was seen in these steps of a grid.
type presence struct {
	command     int // in the order of their names
	first, last int
}

// EachPresence reports, command by command, how many of its processes were seen in
// each step of a grid; NaN is where nothing was sampled. The values are only
// valid until visit returns. stop is called with the number of values processed, and
// ends the work if it returns true.
func (p *Processes) EachPresence(grid series.Grid, stop func(values int) bool, visit func(command string, vals []float64)) {
	covered := make([]bool, grid.Count)
	var list []presence
	var names []string
	number := map[string]int{}
	for _, s := range p.parts {
		from, to := rowAfter(s.at, grid.Start), rowAfter(s.at, grid.At(grid.Count-1))-1
		step := func(k int) int { return int((int64(s.at[k]-grid.Start) + grid.Step - 1) / grid.Step) }
		for k := max(0, from); k <= to; k++ {
			covered[step(k)] = true
		}
		all := p.data.Observations("psinfo.utime")
		if from > to || all == nil || all[s.part] == nil {
			continue
		}
		for i := range all[s.part].Series {
			in := &all[s.part].Series[i]
			if stop(16 + len(in.Runs)) {
				return
			}
			for r := 0; r < len(in.Runs); r++ {
				if in.Runs[r].Row&(series.Gone|series.Failed) != 0 {
					continue
				}
				row := int(in.Runs[r].Row & series.RowNum)
				for r+1 < len(in.Runs) && in.Runs[r+1].Row&(series.Gone|series.Failed) == 0 {
					r++
				}
				end := math.MaxInt
				if r+1 < len(in.Runs) {
					end = int(in.Runs[r+1].Row & series.RowNum)
				}
				first, _ := slices.BinarySearch(s.kept, row)
				after, _ := slices.BinarySearch(s.kept, end)
				first, after = max(first, from, 0), min(after, to+1)
				if first >= after {
					continue
				}
				name := cmp.Or(p.command(s.part, in.Inst, s.at[first]), "unknown")
				n, known := number[name]
				if !known {
					n = len(names)
					number[name], names = n, append(names, name)
				}
				list = append(list, presence{n, step(first), step(after - 1)})
			}
		}
	}
	sorting.Stable(list, func(a, b presence) int { return cmp.Compare(a.command, b.command) })
	vals := make([]float64, grid.Count)
	for i := 0; i < len(list); {
		clear(vals)
		n := list[i].command
		for ; i < len(list) && list[i].command == n; i++ {
			if vals[list[i].first]++; list[i].last+1 < len(vals) {
				vals[list[i].last+1]--
			}
		}
		seen := 0.0
		for k, change := range vals {
			seen += change
			if vals[k] = seen; !covered[k] {
				vals[k] = math.NaN()
			}
		}
		if stop(2 * len(vals)) {
			return
		}
		visit(names[n], vals)
	}
}
