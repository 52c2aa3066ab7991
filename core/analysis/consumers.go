package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// consumed says which metrics measure the use of a resource, and in which units
// it is reported.
var consumed = map[string]struct {
	metrics []string // counters are added up; of levels the first one logged is used
	undone  []string // counters to subtract, such as cancelled writes
	level   bool
	units   string
	state   string // instead of metrics: the time in a state of psinfo.sname
}{
	"cpu":    {cpuTimes, nil, false, "%", ""},
	"read":   {[]string{"io.read_bytes"}, nil, false, "byte / sec", ""},
	"write":  {[]string{"io.write_bytes"}, []string{"io.cancelled_write_bytes"}, false, "byte / sec", ""},
	"memory": {residentMetrics, nil, true, "byte", ""},

	"userCPU":   {[]string{"psinfo.utime"}, nil, false, "%", ""},
	"sysCPU":    {[]string{"psinfo.stime"}, nil, false, "%", ""},
	"waiting":   {[]string{"schedstat.run_delay"}, nil, false, "%", ""},
	"blocked":   {[]string{"psinfo.delayacct_blkio_time"}, nil, false, "%", ""},
	"swapped":   {[]string{"memory.vmswap"}, nil, true, "byte", ""},
	"major":     {[]string{"psinfo.maj_flt"}, nil, false, "count / sec", ""},
	"minor":     {[]string{"psinfo.minflt"}, nil, false, "count / sec", ""},
	"voluntary": {[]string{"psinfo.vctxsw"}, nil, false, "count / sec", ""},
	"forced":    {[]string{"psinfo.nvctxsw"}, nil, false, "count / sec", ""},
	"threads":   {[]string{"psinfo.threads"}, nil, true, "count", ""},
	"files":     {[]string{"fd.count"}, nil, true, "count", ""},

	"uninterruptible": {stateMetrics, nil, false, "%", "D"},
	"runnable":        {stateMetrics, nil, false, "%", "R"},
}

// Consumers says who used a resource, sample by sample between two times: the
// top ones by name, the sum of all others and, for CPU time, what was used by
// processes in no sample, as far as possible estimated by name. by is "command", "user", "cgroup" or "process".
func (p *Processes) Consumers(what, by string, top int, span pcp.Span) (api.Consumers, error) {
	c, known := consumed[what]
	if !known {
		return api.Consumers{}, pcp.Faultf(pcp.BadArgument, "There are no figures on who used %q.", what)
	}
	if by != "command" && by != "user" && by != "cgroup" && by != "process" {
		return api.Consumers{}, pcp.Faultf(pcp.BadArgument, "%q is not one of \"command\", \"user\", \"cgroup\" and \"process\".", by)
	}
	if by == "cgroup" && !slices.Contains(p.columns(), "cgroup") {
		return api.Consumers{}, pcp.Faultf(pcp.UnknownMetric, "The cgroups of processes are not logged (proc.psinfo.cgroups is missing).")
	}
	from, _ := slices.BinarySearch(p.times, span.Start)
	to, found := slices.BinarySearch(p.times, span.End)
	if found {
		to++
	}
	out := api.Consumers{Start: span.Start, Times: []float64{}, Units: c.units, Series: []api.Consumer{}, Unreadable: p.unreadable(what)}
	if from >= to {
		return out, nil
	}
	for _, t := range p.times[from:to] {
		out.Times = append(out.Times, t.Since(span.Start))
	}
	sums := p.sums(c.metrics, c.level, c.state, by, from, to)
	for name, undone := range p.sums(c.undone, false, "", by, from, to) {
		for i, v := range undone {
			if vals := sums[name]; vals != nil {
				vals[i] -= v
			}
		}
	}
	p.toUnits(sums, c.level, what, from, to)
	out.Series = p.layers(sums, top, to-from)
	if what == "cpu" {
		unseen := make([]float64, to-from)
		seen := false
		for i := range unseen {
			k := from + i
			unseen[i] = 100 * math.Max(0, p.spent[k]-p.listed[k]) / p.length(k)
			seen = seen || unseen[i] == unseen[i]
		}
		if seen && by != "process" {
			out.Series = append(out.Series, p.guessedLayers(by, from, to, unseen)...)
		}
		if seen {
			out.Series = append(out.Series, api.Consumer{Name: "not sampled", Kind: "in no sample", Values: unseen, Mean: meanOf(unseen)})
		}
	}
	return out, nil
}

// maxEstimates is how many commands get an estimate of their own.
const maxEstimates = 3

// leastEstimate is the smallest estimate worth a layer, as a share of all CPU
// time in no sample.
const leastEstimate = 0.05

// guessedLayers are the estimates of CPU time in no sample, which are taken off
// unseen.
func (p *Processes) guessedLayers(by string, from, to int, unseen []float64) []api.Consumer {
	var layers []api.Consumer
	all := meanOf(unseen)
	for _, e := range p.estimated(by, from, to) {
		c := api.Consumer{Name: e.Name, Kind: "estimated", Values: e.values}
		lasted := 0.0
		for i := range c.Values {
			length := p.length(from + i)
			if length == length {
				lasted += length
			}
			c.Values[i] = math.Max(0, math.Min(100*c.Values[i]/length, unseen[i]))
		}
		c.Mean, c.Error = meanOf(c.Values), 100*e.Error/lasted
		if c.Mean < leastEstimate*all || len(layers) == maxEstimates {
			break
		}
		for i, v := range c.Values {
			unseen[i] -= v
		}
		layers = append(layers, c)
	}
	return layers
}

// length returns how many seconds sample k covers, NaN after a break.
func (p *Processes) length(k int) float64 {
	for _, s := range p.parts {
		if n := k - s.from; n >= 0 && n < len(s.at) {
			if s.cut[n] {
				return math.NaN()
			}
			return s.at[n].Since(s.at[n-1])
		}
	}
	return math.NaN()
}

// sums adds up by group what processes used, for samples from to to-1.
func (p *Processes) sums(metrics []string, level bool, state, by string, from, to int) map[string][]float64 {
	sums := map[string][]float64{}
	for _, s := range p.parts {
		names := map[int32][]float64{}
		group := func(inst int32, k int) []float64 {
			vals := names[inst]
			if vals == nil {
				at := pcp.MaxTime
				again := p.renamed(s.part, inst)
				if again {
					at = s.at[k]
				}
				name := p.group(s, by, inst, at)
				if vals = sums[name]; vals == nil {
					vals = make([]float64, to-from)
					sums[name] = vals
				}
				if !again {
					names[inst] = vals
				}
			}
			return vals
		}
		add := func(inst int32, k int, v float64) {
			if n := s.from + k; n >= from && n < to {
				group(inst, k)[n-from] += v
			}
		}
		if state != "" {
			p.states(s, state, from-s.from, to-1-s.from, add)
			continue
		}
		if !level {
			p.increments(s, metrics, from-s.from, to-1-s.from, add)
			continue
		}
		for _, m := range metrics {
			if all := p.data.Observations(m); all != nil && all[s.part] != nil {
				levels(all[s.part], s, add)
				break
			}
		}
	}
	return sums
}

func (p *Processes) group(s sampled, by string, inst int32, at pcp.Time) string {
	switch by {
	case "user":
		if u := p.user(s.part, inst, at); u != "" {
			return u
		}
		return "unknown"
	case "cgroup":
		if g := p.cgroup(s.part, inst, at); g != "" {
			return g
		}
		if p.data.Observations(cgroupMetrics[0]) == nil {
			return "no container"
		}
		return "unknown"
	case "process":
		return fmt.Sprintf("%s %d", p.command(s.part, inst, at), inst)
	}
	return cmp.Or(p.command(s.part, inst, at), "unknown")
}

// levels calls tell with the value of every process in every sample: sizes in
// bytes, numbers unchanged.
func levels(o *series.Observations, s sampled, tell func(inst int32, k int, v float64)) {
	bytes, size := pcp.ScaleOf(o.Desc.Units, pcp.Units{Space: 1})
	rows := rowsAt(o.Times, s.at)
	for i := range o.Series {
		in := &o.Series[i]
		k := 0
		for r, run := range in.Runs {
			row, end := int(run.Row&series.RowNum), math.MaxInt
			if r+1 < len(in.Runs) {
				end = int(in.Runs[r+1].Row & series.RowNum)
			}
			for k < len(rows) && rows[k] < row {
				k++
			}
			if run.Row&(series.Gone|series.Failed) != 0 {
				continue
			}
			v := series.Float(o.Desc.Type, run.Val)
			if size {
				v = bytes.Float64(v)
			}
			for ; k < len(rows) && rows[k] < end; k++ {
				tell(in.Inst, k, v)
			}
		}
	}
}

// toUnits converts sums of growth to rates; samples after a break have none.
func (p *Processes) toUnits(sums map[string][]float64, level bool, what string, from, to int) {
	if level {
		return
	}
	scale := 1.0
	if consumed[what].units == "%" {
		scale = 100
	}
	for k := from; k < to; k++ {
		length := p.length(k)
		for _, vals := range sums {
			vals[k-from] *= scale / length
		}
	}
}

// layers keeps the largest groups and adds up the others.
func (p *Processes) layers(sums map[string][]float64, top, n int) []api.Consumer {
	var all []api.Consumer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, api.Consumer{Name: name, Kind: "named", Values: sums[name], Mean: meanOf(sums[name])})
	}
	sorting.Stable(all, func(a, b api.Consumer) int { return cmp.Compare(b.Mean, a.Mean) })
	if len(all) <= top+1 {
		return all
	}
	rest := make([]float64, n)
	for _, c := range all[top:] {
		for i, v := range c.Values {
			rest[i] += v
		}
	}
	return append(all[:top:top], api.Consumer{Name: "all others", Kind: "others", Values: rest, Mean: meanOf(rest)})
}

func meanOf(vals []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range vals {
		if v == v {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
