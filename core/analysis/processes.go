package analysis

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// ProcessData supplies what an archive has about processes.
type ProcessData interface {
	// Observations returns a metric below proc, such as "psinfo.utime", by part
	// of the time line, in order; nil if it is not logged.
	Observations(metric string) []*series.Observations
	// Marks returns the marks of a part.
	Marks(part int) []pcp.Time
	// Name returns the external name that an instance had at a time, in a part:
	// "003412 /usr/sbin/foo"; the last one for pcp.MaxTime. PIDs are reused.
	Name(part int, inst int32, at pcp.Time) string
	// Claim claims memory for results that are kept; what it refuses is left out.
	Claim(bytes int64) bool
	// Everything reports whether all processes were logged, and not only
	// selected active ones.
	Everything() bool
}

// Processes accounts for CPU time: how much the machine used between samples of
// its processes, and how much of that is covered by the processes in them.
type Processes struct {
	data   ProcessData
	host   *Host
	parts  []sampled
	busy   signal // CPU seconds used by the machine from the first row up to each row
	times  []pcp.Time
	listed []float64 // CPU seconds by sample, NaN if not known
	spent  []float64 // the machine's

	guessed map[int][][]guess  // by part, once asked for
	grown   map[string][]grown // see keptGrowth
}

// sampled is the samples of processes in one part of the time line.
type sampled struct {
	part int
	from int   // index of its first sample in Processes.times
	kept []int // rows of the observations of CPU time
	at   []pcp.Time
	cut  []bool // a break before the sample
	// reused lists the samples from which on a number belonged to another process.
	reused map[int32][]int
}

// sampleBytes is the size of a sample in Processes, guessBytes that of a sample with
// its guesses.
const (
	sampleBytes = 48
	guessBytes  = 128
)

// Processes prepares the accounting; nil if no CPU time of processes is logged.
func (h *Host) Processes() *Processes {
	if h.procs != nil {
		return h.procs
	}
	data := h.values.Processes()
	if data == nil {
		return nil
	}
	p := &Processes{data: data, host: h}
	for i, o := range data.Observations("psinfo.utime") {
		if o == nil || len(o.Times) == 0 || !data.Claim(sampleBytes*int64(len(o.Times))) {
			continue
		}
		marks, mark := data.Marks(i), 0
		s := sampled{part: i, from: len(p.times), kept: thin(o.Times, marks)}
		for k, row := range s.kept {
			at, cut := o.Times[row], k == 0
			for mark < len(marks) && marks[mark] < at {
				cut = true
				mark++
			}
			if k > 0 && h.Clock.Stepped(s.at[k-1], at) {
				cut = true
			}
			s.at, s.cut = append(s.at, at), append(s.cut, cut)
		}
		s.reused = p.reuses(s)
		p.times = append(p.times, s.at...)
		p.parts = append(p.parts, s)
	}
	if len(p.times) == 0 {
		return nil
	}
	p.account()
	h.procs = p
	return p
}

// account computes listed and spent.
func (p *Processes) account() {
	p.listed, p.spent = make([]float64, len(p.times)), make([]float64, len(p.times))
	for _, s := range p.parts {
		for k := range s.at {
			p.spent[s.from+k] = math.NaN()
			if s.cut[k] {
				p.listed[s.from+k] = math.NaN()
			} else {
				p.spent[s.from+k] = p.machine(s.at[k-1], s.at[k])
			}
		}
		p.increments(s, cpuTimes, 0, math.MaxInt, func(_ int32, k int, seconds float64) { p.listed[s.from+k] += seconds })
	}
}

var cpuTimes = []string{"psinfo.utime", "psinfo.stime"}

// machine returns the CPU seconds that the machine used between two times, NaN
// if that is not known.
func (p *Processes) machine(from, to pcp.Time) float64 {
	if p.busy.times == nil {
		modes := p.host.modes()
		if modes == nil {
			return math.NaN()
		}
		work := modes.Keep(func(mode string) bool { return mode != "idle" && mode != "wait.total" && mode != "steal" })
		scale := secondsOf(modes.Desc.Units)
		if p.host.counts < p.host.CPUs {
			scale *= p.host.CPUs / p.host.counts
		}
		p.busy = work.signal(work.Sum()).with(func(_ int, v float64) float64 { return v * scale })
	}
	return p.busy.between(to) - p.busy.between(from)
}

// between reads a signal at any time, interpolating linearly between rows.
func (s signal) between(t pcp.Time) float64 {
	i := sort.Search(len(s.times), func(i int) bool { return s.times[i] >= t })
	switch {
	case i < len(s.times) && s.times[i] == t:
		return s.vals[i]
	case i == 0 || i == len(s.times) || s.broken[i]:
		return math.NaN()
	}
	part := t.Since(s.times[i-1]) / s.times[i].Since(s.times[i-1])
	return s.vals[i-1] + part*(s.vals[i]-s.vals[i-1])
}

// increments calls visit for every process and sample with the growth of
// counters, added up, since the previous sample, in seconds if they count time.
// A process that has started since contributes its whole value. Samples without
// growth, and those outside first to last, are skipped. What was written is less what was
// cancelled, but not below zero: a process may cancel what others wrote.
func (p *Processes) increments(s sampled, counters []string, first, last int, visit func(inst int32, k int, growth float64)) {
	for _, name := range counters {
		if name == "io.write_bytes" {
			p.written(s, first, last, visit)
		} else {
			p.growth(s, name, first, last, visit)
		}
	}
}

// growth is increments for a single counter, as it was logged.
func (p *Processes) growth(s sampled, name string, first, last int, visit func(inst int32, k int, growth float64)) {
	if list := p.keptGrowth(s, name, first, last); list != nil {
		for _, g := range list {
			if k := int(g.k); k >= first && k <= last {
				visit(g.inst, k, g.by)
			}
		}
		return
	}
	p.growthIn(s, name, first, last, visit)
}

// growthIn is growth, worked out from the observations.
func (p *Processes) growthIn(s sampled, name string, first, last int, visit func(inst int32, k int, growth float64)) {
	last = min(last, len(s.at)-1)
	all := p.data.Observations(name)
	if first > last || all == nil || all[s.part] == nil {
		return
	}
	first = max(first, 0)
	born := p.birth(s)
	o := all[s.part]
	kept := s.kept
	if !slices.Equal(o.Times, p.data.Observations("psinfo.utime")[s.part].Times) {
		kept = rowsAt(o.Times, s.at)
	}
	scale := 1.0
	if o.Desc.Units.Time != 0 {
		scale = secondsOf(o.Desc.Units)
	}
	// A new process has used no more than all CPUs had: one that seems to have is older.
	spends := slices.Contains(cpuTimes, name) && p.host.CPUs > 0
	var reaped reapedTotals
	if strings.HasPrefix(name, "io.") {
		reaped = p.reaped(s, o, kept, first, last)
	}
	for i := range o.Series {
		in := &o.Series[i]
		before, seen := 0.0, -2 // the previous sample with a value
		reused := s.reused[in.Inst]
		spans(in.Runs, kept, first-1, last, func(run series.Run, k, to int) {
			v := series.Float(o.Desc.Type, run.Val)
			growth, another := v-before, false
			for len(reused) > 0 && reused[0] <= k {
				reused, another = reused[1:], true
			}
			switch {
			case s.cut[k]:
				growth = 0
			case seen != k-1 || growth < 0 || another: // a new process, or another one with the same PID
				growth = 0
				if born(in.Inst, k) && (!spends || v*scale <= s.lasted(k)*p.host.CPUs+coarse) {
					growth = v
				}
			}
			if growth = reaped.without(growth, in.Inst, k); growth > 0 && k >= first {
				visit(in.Inst, k, growth*scale)
			}
			seen, before = to-1, v
		})
	}
	reaped.release(p)
}

// rowsAt returns the last row at or before each of other times.
func rowsAt(times, at []pcp.Time) []int {
	rows := make([]int, len(at))
	r := -1
	for i, t := range at {
		for r+1 < len(times) && times[r+1] <= t {
			r++
		}
		rows[i] = r
	}
	return rows
}

// coarse is how far off differences of two times may be that are whole seconds.
const coarse = 1.5

// birth returns a function that reports whether a process started between a
// sample and the one before.
func (p *Processes) birth(s sampled) func(inst int32, k int) bool {
	started := p.data.Observations("psinfo.start_time")
	up := p.uptime()
	if started == nil || started[s.part] == nil || up == nil {
		return func(int32, int) bool { return p.data.Everything() }
	}
	o := started[s.part]
	scale := secondsOf(o.Desc.Units)
	return func(inst int32, k int) bool {
		if k == 0 {
			return false
		}
		v, known := valueAt(o, inst, s.at[k])
		age := up(s.at[k]) - v*scale
		if !known || age != age {
			return p.data.Everything()
		}
		return age <= s.at[k].Since(s.at[k-1])+coarse
	}
}

// uptime returns a function that says how many seconds the host has been up at a time; nil if
// that is not known. The last processes are often sampled just after it was logged last. Where
// it was not logged, the times of boot may have been.
func (p *Processes) uptime() func(at pcp.Time) float64 {
	up := p.host.value("kernel.all.uptime")
	if boots := p.host.Clock.Boots; !up.has() && len(boots) > 0 {
		return func(at pcp.Time) float64 {
			for _, boot := range slices.Backward(boots) {
				if boot <= at {
					return at.Since(boot)
				}
			}
			return math.NaN()
		}
	}
	if !up.has() {
		return nil
	}
	scale := secondsOf(p.host.table("kernel.all.uptime").Desc.Units)
	const near = 60 // seconds
	return func(at pcp.Time) float64 {
		i := rowAfter(up.times, at) - 1
		if v := up.between(at); v == v || i < 0 {
			return v * scale
		}
		if since := at.Since(up.times[i]); since <= near {
			return up.vals[i]*scale + since
		}
		return math.NaN()
	}
}

// valueAt returns an instance's last value at or before a time.
func valueAt(o *series.Observations, inst int32, at pcp.Time) (float64, bool) {
	run, ok := runAt(o, inst, at)
	if !ok {
		return math.NaN(), false
	}
	return series.Float(o.Desc.Type, run.Val), true
}

// runsOf returns the runs of an instance, nil if it has none.
func runsOf(o *series.Observations, inst int32) []series.Run {
	i, found := slices.BinarySearchFunc(o.Series, inst, func(s series.Series, id int32) int { return cmp.Compare(s.Inst, id) })
	if !found {
		return nil
	}
	return o.Series[i].Runs
}

// runAt finds the run in effect at a time; false if the instance has no value
// then.
func runAt(o *series.Observations, inst int32, at pcp.Time) (series.Run, bool) {
	if o == nil {
		return series.Run{}, false
	}
	row := sort.Search(len(o.Times), func(r int) bool { return o.Times[r] > at }) - 1
	if row < 0 {
		return series.Run{}, false
	}
	runs := runsOf(o, inst)
	r := sort.Search(len(runs), func(r int) bool { return int(runs[r].Row&series.RowNum) > row }) - 1
	if r < 0 || runs[r].Row&(series.Gone|series.Failed) != 0 {
		return series.Run{}, false
	}
	return runs[r], true
}

// rowAfter returns the index of the first time later than t.
func rowAfter(times []pcp.Time, t pcp.Time) int {
	return sort.Search(len(times), func(i int) bool { return times[i] > t })
}

// Use is CPU time in seconds.
type Use struct {
	Machine, Listed float64 // of the whole machine, and of the sampled processes
}

// NotSampled returns the share, 0 to 1, that sampled processes do not account for.
func (u Use) NotSampled() float64 {
	if !(u.Machine > 0) {
		return 0
	}
	return math.Max(0, 1-u.Listed/u.Machine)
}

// Use adds up the samples in a span, its start excluded.
func (p *Processes) Use(span pcp.Span) Use {
	var u Use
	for i, t := range p.times {
		if t > span.Start && t <= span.End && p.spent[i] == p.spent[i] && p.listed[i] == p.listed[i] {
			u.Machine, u.Listed = u.Machine+p.spent[i], u.Listed+p.listed[i]
		}
	}
	return u
}

// A blame is the command that used the most CPU time: the share of the machine's,
// the part of that which is estimated, and the standard error of the estimate.
type blame struct {
	command                 string
	share, estimated, error float64
}

// largest names the command that used the most CPU time in a span; "" if that is
// not known.
func (p *Processes) largest(spans ...pcp.Span) blame {
	by, guessed, errors := map[string]float64{}, map[string]float64{}, map[string]float64{}
	all := 0.0
	for _, span := range spans {
		all += p.Use(span).Machine
		from, to := p.samplesIn(span)
		for _, e := range p.estimated("command", from, to) {
			by[e.Name], guessed[e.Name], errors[e.Name] = by[e.Name]+e.Seconds, guessed[e.Name]+e.Seconds, errors[e.Name]+e.Error*e.Error
		}
		p.listedBy(by, span)
	}
	best, highest := "", 0.0
	for name, seconds := range by {
		if seconds > highest || seconds == highest && name < best {
			best, highest = name, seconds
		}
	}
	if !(all > 0) {
		return blame{}
	}
	return blame{best, math.Min(1, highest/all), guessed[best] / all, math.Sqrt(errors[best]) / all}
}

// listedBy adds up what sampled processes used in a span, by command.
func (p *Processes) listedBy(by map[string]float64, span pcp.Span) {
	for _, s := range p.parts {
		bytes, fits := p.room(s)
		if !fits {
			continue
		}
		p.increments(s, cpuTimes, rowAfter(s.at, span.Start), rowAfter(s.at, span.End)-1, func(inst int32, k int, seconds float64) {
			by[p.command(s.part, inst, s.at[k])] += seconds
		})
		p.data.Claim(-bytes)
	}
}
