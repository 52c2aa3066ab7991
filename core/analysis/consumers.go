package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

type consumption struct {
	metrics []string // counters are added up; of levels the first one logged is used
	level   bool
	units   string
	state   string // instead of metrics: the time in a state of psinfo.sname
}

// consumed says which metrics measure the use of a resource, and in which units
// it is reported.
var consumed = map[string]consumption{
	"cpu":    {cpuTimes, false, "%", ""},
	"read":   {[]string{"io.read_bytes"}, false, "byte / sec", ""},
	"write":  {[]string{"io.write_bytes"}, false, "byte / sec", ""},
	"memory": {residentMetrics, true, "byte", ""},

	"userCPU":   {[]string{"psinfo.utime"}, false, "%", ""},
	"sysCPU":    {[]string{"psinfo.stime"}, false, "%", ""},
	"waiting":   {[]string{"schedstat.run_delay"}, false, "%", ""},
	"blocked":   {[]string{"psinfo.delayacct_blkio_time"}, false, "%", ""},
	"swapped":   {[]string{"memory.vmswap"}, true, "byte", ""},
	"major":     {[]string{"psinfo.maj_flt"}, false, "count / sec", ""},
	"minor":     {[]string{"psinfo.minflt"}, false, "count / sec", ""},
	"voluntary": {[]string{"psinfo.vctxsw"}, false, "count / sec", ""},
	"forced":    {[]string{"psinfo.nvctxsw"}, false, "count / sec", ""},
	"threads":   {[]string{"psinfo.threads"}, true, "count", ""},
	"files":     {[]string{"fd.count"}, true, "count", ""},

	"uninterruptible": {stateMetrics, false, "%", "D"},
	"runnable":        {stateMetrics, false, "%", "R"},
}

// consumedBytes is how many bytes a value of Consumers takes while it is computed
// and sent.
const consumedBytes = 24

// Consumers says who used a resource, sample by sample between two times: the
// top ones by name, the sum of all others and, for CPU time, what was used by
// processes in no sample, as far as possible estimated by name, unless only active
// processes were logged. by is "command", "user", "cgroup" or "process". take claims
// memory for the answer.
func (p *Processes) Consumers(what, by string, top int, span pcp.Span, take func(bytes int64) error) (api.Consumers, error) {
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
	from, to := p.samplesWithin(span)
	out := api.Consumers{Start: span.Start, Times: []float64{}, Units: c.units, Series: []api.Consumer{}, Unreadable: p.unreadable(what)}
	if from >= to {
		return out, nil
	}
	group := func(s sampled, inst int32, at pcp.Time) string { return p.group(s, by, inst, at) }
	u := use{p: p, consumption: c, group: group, from: from, to: to, after: p.usedAfter(span), groups: map[string]int{}, take: take}
	if u.total(); u.err != nil {
		return out, u.err
	}
	named := min(top+1, len(u.names))
	if err := take(consumedBytes * int64(to-from) * int64(named+maxEstimates+4)); err != nil {
		return out, err
	}
	for _, t := range p.times[from:to] {
		out.Times = append(out.Times, t.Since(span.Start))
	}
	if out.Series = u.layers(top); u.err != nil {
		return out, u.err
	}
	if what == "cpu" && p.data.Everything() {
		lengths := p.lengths(from, to, pcp.MinTime)
		unseen := make([]float64, len(lengths))
		seen := false
		for i, length := range lengths {
			unseen[i] = 100 * math.Max(0, p.spent[from+i]-p.listed[from+i]) / length
			seen = seen || unseen[i] == unseen[i]
		}
		if seen && by != "process" {
			out.Series = append(out.Series, p.guessedLayers(by, from, to, u.after, unseen)...)
		}
		if seen {
			out.Series = append(out.Series, api.Consumer{Name: "not sampled", Kind: "in no sample", Values: unseen, Mean: meanOf(unseen, u.lengths())})
		}
	}
	return out, nil
}

// samplesWithin returns the range of samples in a span, its start included.
func (p *Processes) samplesWithin(span pcp.Span) (from, to int) {
	from, _ = slices.BinarySearch(p.times, span.Start)
	to, found := slices.BinarySearch(p.times, span.End)
	if found {
		to++
	}
	return from, max(from, to)
}

// maxEstimates is how many commands get an estimate of their own.
const maxEstimates = 3

// minEstimate is the smallest estimate worth a layer, as a share of all CPU
// time in no sample.
const minEstimate = 0.05

// guessedLayers are the estimates of CPU time in no sample, which are taken off
// unseen.
func (p *Processes) guessedLayers(by string, from, to int, after pcp.Time, unseen []float64) []api.Consumer {
	var layers []api.Consumer
	lengths, counted := p.lengths(from, to, pcp.MinTime), p.lengths(from, to, after)
	all := meanOf(unseen, counted)
	first, _ := slices.BinarySearch(p.times, after+1)
	largest := p.estimated(by, max(from, first), to)
	largest = largest[:min(len(largest), maxEstimates)]
	values := p.estimates(largest, by, from, to)
	for n, e := range largest {
		c := api.Consumer{Name: e.Name, Kind: "estimated", Values: values[n]}
		lasted := 0.0
		for i, length := range lengths {
			if counted[i] == counted[i] {
				lasted += length
			}
			c.Values[i] = math.Max(0, math.Min(100*c.Values[i]/length, unseen[i]))
		}
		c.Mean, c.Error = meanOf(c.Values, counted), 100*e.Error/lasted
		if c.Mean < minEstimate*all {
			break
		}
		for i, v := range c.Values {
			unseen[i] -= v
		}
		layers = append(layers, c)
	}
	return layers
}

// usedAfter is the time after which samples say what was used in a span: what the one at its
// start says was before. If there is no other, that one does.
func (p *Processes) usedAfter(span pcp.Span) pcp.Time {
	if from, to := p.samplesWithin(pcp.Span{Start: span.Start + 1, End: span.End}); from < to {
		return span.Start
	}
	return pcp.MinTime
}

// lengths returns how many seconds samples from to to-1 cover, NaN after a break and up to
// a time.
func (p *Processes) lengths(from, to int, after pcp.Time) []float64 {
	list := make([]float64, to-from)
	for _, s := range p.parts {
		for k := max(0, from-s.from); k < min(len(s.at), to-s.from); k++ {
			length := math.NaN()
			if !s.cut[k] && s.at[k] > after {
				length = s.at[k].Since(s.at[k-1])
			}
			list[s.from+k-from] = length
		}
	}
	return list
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

// levels calls visit with the value of every process in each of the samples first to
// last: sizes in bytes, numbers unchanged.
func levels(o *series.Observations, s sampled, first, last int, visit func(inst int32, k int, v float64)) {
	bytes, size := pcp.ScaleOf(o.Desc.Units, pcp.Units{Space: 1})
	rows := rowsAt(o.Times, s.at)
	for i := range o.Series {
		in := &o.Series[i]
		spans(in.Runs, rows, first, last, func(run series.Run, k, to int) {
			v := series.Float(o.Desc.Type, run.Val)
			if size {
				v = bytes.Float64(v)
			}
			for ; k < to; k++ {
				visit(in.Inst, k, v)
			}
		})
	}
}

// meanOf returns the mean of values over time, by the seconds that each covers, or, if
// these are nil, their mean; 0 if there are none.
func meanOf(vals, lengths []float64) float64 {
	sum, all := 0.0, 0.0
	for i, v := range vals {
		length := 1.0
		if lengths != nil {
			length = lengths[i]
		}
		if v == v && length == length {
			sum, all = sum+v*length, all+length
		}
	}
	if all == 0 {
		return 0
	}
	return sum / all
}
