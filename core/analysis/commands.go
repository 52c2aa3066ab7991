package analysis

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A CommandUse is the CPU time of all processes of one command on a grid.
type CommandUse struct {
	Command string
	Values  []float64 // percent of one CPU by step; NaN where nothing was sampled
}

// TopCommandUse returns the commands that used most CPU time on a grid, at most so
// many, the largest first. Unlike Consumers it takes memory for these alone.
// stop is told of the values that were worked on, and ends the work if it
// returns true.
func (p *Processes) TopCommandUse(grid series.Grid, top int, stop func(values int) bool) []CommandUse {
	return p.UseByCommand(grid, p.TopCommands(grid, top, stop), stop)
}

// TopCommands names the commands that used most CPU time on a grid.
func (p *Processes) TopCommands(grid series.Grid, top int, stop func(values int) bool) []string {
	total := map[string]float64{}
	if p.walk(grid.Start, grid.At(grid.Count-1), stop, func(command string, _ pcp.Time, seconds float64) { total[command] += seconds }) {
		return nil
	}
	names := slices.Sorted(maps.Keys(total))
	sorting.Stable(names, func(a, b string) int { return cmp.Compare(total[b], total[a]) })
	return names[:min(top, len(names))]
}

// UseByCommand returns the CPU time of commands on a grid, 0 where one was not seen.
func (p *Processes) UseByCommand(grid series.Grid, names []string, stop func(values int) bool) []CommandUse {
	end := grid.At(grid.Count - 1)
	covered := make([]float64, grid.Count)
	step := func(t pcp.Time) int { return int((int64(t-grid.Start) + grid.Step - 1) / grid.Step) }
	for _, s := range p.parts {
		for k, t := range s.at {
			if n := step(t); !s.cut[k] && t > grid.Start && n < grid.Count {
				covered[n] += t.Since(s.at[k-1])
			}
		}
	}
	list, place := make([]CommandUse, len(names)), map[string]int{}
	for i, name := range names {
		list[i] = CommandUse{name, make([]float64, grid.Count)}
		place[name] = i
	}
	if p.walk(grid.Start, end, stop, func(command string, t pcp.Time, seconds float64) {
		if i, wanted := place[command]; wanted {
			list[i].Values[step(t)] += 100 * seconds
		}
	}) {
		return nil
	}
	for i := range list {
		for k := range covered {
			if covered[k] > 0 {
				list[i].Values[k] /= covered[k]
			} else {
				list[i].Values[k] = math.NaN()
			}
		}
	}
	return list
}

// walk tells of the CPU time of each process and sample between two times, and
// reports whether it was stopped.
func (p *Processes) walk(from, to pcp.Time, stop func(int) bool, tell func(command string, at pcp.Time, seconds float64)) bool {
	stopped := false
	for _, s := range p.parts {
		names := map[int32]string{}
		work := 0
		p.increments(s, cpuTimes, rowAfter(s.at, from), rowAfter(s.at, to)-1, func(inst int32, k int, seconds float64) {
			if work++; stopped || work%256 == 0 && stop(8*256) {
				stopped = true
				return
			}
			name, known := names[inst]
			if !known {
				at := pcp.MaxTime
				again := p.renamed(s.part, inst)
				if again {
					at = s.at[k]
				}
				if name = cmp.Or(p.command(s.part, inst, at), "unknown"); !again {
					names[inst] = name
				}
			}
			tell(name, s.at[k], seconds)
		})
		if stopped {
			return true
		}
	}
	return false
}
