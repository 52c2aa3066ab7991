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
	Lasted  []float64 // how many seconds of each step were sampled; shared by all commands
}

// TopCommandUse returns the commands that used most CPU time on a grid, at most so
// many, the largest first. Unlike Consumers, it needs memory only for these.
// stop is called with the number of values processed, and ends the work by
// returning true.
func (p *Processes) TopCommandUse(grid series.Grid, top int, stop func(values int) bool) []CommandUse {
	return p.UseByCommand(grid, p.TopCommands(grid, top, stop), stop)
}

// TopCommands names the commands that used most CPU time on a grid.
func (p *Processes) TopCommands(grid series.Grid, top int, stop func(values int) bool) []string {
	total := map[string]float64{}
	if p.walk(grid.Start, grid.At(grid.Count-1), stop, func(command string, _, _ pcp.Time, seconds float64) { total[command] += seconds }) {
		return nil
	}
	names := slices.Sorted(maps.Keys(total))
	sorting.Stable(names, func(a, b string) int { return cmp.Compare(total[b], total[a]) })
	return names[:min(top, len(names))]
}

// Times are when processes were sampled in a stretch of time, both ends included.
func (p *Processes) Times(span pcp.Span) []pcp.Time {
	from, to := p.samplesWithin(span)
	return p.times[from:to]
}

// UseByCommand returns the CPU time of commands on a grid, 0 where one was not seen.
// What a process used between samples that are several steps apart is spread evenly
// over those steps.
func (p *Processes) UseByCommand(grid series.Grid, names []string, stop func(values int) bool) []CommandUse {
	lasted, end := make([]float64, grid.Count), grid.At(grid.Count-1)
	for _, s := range p.parts {
		for k, t := range s.at {
			if !s.cut[k] && t <= end {
				apportion(grid, s.at[k-1], t, t.Since(s.at[k-1]), lasted)
			}
		}
	}
	list, place := make([]CommandUse, len(names)), map[string]int{}
	for i, name := range names {
		list[i] = CommandUse{name, make([]float64, grid.Count), lasted}
		place[name] = i
	}
	if p.walk(grid.Start, end, stop, func(command string, from, to pcp.Time, seconds float64) {
		if i, wanted := place[command]; wanted {
			apportion(grid, from, to, 100*seconds, list[i].Values)
		}
	}) {
		return nil
	}
	for i := range list {
		for k := range lasted {
			if lasted[k] > 0 {
				list[i].Values[k] /= lasted[k]
			} else {
				list[i].Values[k] = math.NaN()
			}
		}
	}
	return list
}

// AddEstimates adds to the CPU time of commands what their processes used that are in
// no sample, but only for commands whose estimate is reliable (see Estimate).
func (p *Processes) AddEstimates(grid series.Grid, list []CommandUse) {
	from, to := p.samplesIn(pcp.Span{Start: grid.Start, End: grid.At(grid.Count - 1)})
	sure, place := p.estimated("command", from, to), map[string]int{}
	for i := range list {
		if slices.ContainsFunc(sure, func(e Estimate) bool { return e.Name == list[i].Command }) {
			place[list[i].Command] = i
		}
	}
	added := make([][]float64, len(list))
	lengths := p.lengths(from, to, pcp.MinTime)
	p.eachGuess("command", from, to, func(name string, n int, g *guess) {
		i, wanted := place[name]
		if !wanted || lengths[n] != lengths[n] {
			return
		}
		if added[i] == nil {
			added[i] = make([]float64, grid.Count)
		}
		apportion(grid, p.times[from+n-1], p.times[from+n], 100*g.seconds, added[i])
	})
	for i, extra := range added {
		for k := range extra {
			list[i].Values[k] = math.Max(0, list[i].Values[k]+extra[k]/list[i].Lasted[k])
		}
	}
}

// apportion spreads what was used between two samples over the steps of a grid that
// lie between them, or adds it to the step of the second sample: where each step has
// a sample, late samples must not blur the result.
func apportion(grid series.Grid, from, to pcp.Time, amount float64, vals []float64) {
	step := func(t pcp.Time) int {
		since := int64(t - grid.Start)
		n := since / grid.Step
		if since > n*grid.Step {
			n++
		}
		return int(n)
	}
	first, last := step(from)+1, step(to)
	first = min(first, last)
	for n := max(first, 1); n <= min(last, len(vals)-1); n++ {
		vals[n] += amount / float64(last-first+1)
	}
}

// walk calls visit with the CPU time of each process between samples, from the first
// sample after from to the last one before to, and reports whether it was stopped.
func (p *Processes) walk(from, to pcp.Time, stop func(int) bool, visit func(command string, from, to pcp.Time, seconds float64)) bool {
	stopped := false
	for _, s := range p.parts {
		bytes, fits := p.room(s)
		if !fits {
			continue
		}
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
			visit(name, s.at[k-1], s.at[k], seconds)
		})
		p.data.Claim(-bytes)
		if stopped {
			return true
		}
	}
	return false
}
