package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// cpuModes make up all CPU time; intr is irq.hard and irq.soft, where it was not
// logged itself.
var cpuModes = []string{"user", "nice", "sys", "idle", "intr", "irq.hard", "irq.soft", "wait.total", "steal"}

// modes returns the counters that together make up all CPU time, as one table of the rows
// that all of them have; nil if these are less than half of those of one of them.
func (h *Host) modes() *Table {
	var out *Table
	var all []*Table
	whole := h.counter("kernel.all.cpu.intr") != nil
	for _, mode := range cpuModes {
		t := h.counter("kernel.all.cpu." + mode)
		if t == nil || whole && strings.HasPrefix(mode, "irq.") {
			if mode == "user" || mode == "sys" || mode == "idle" {
				return nil
			}
			continue
		}
		if out == nil {
			out = &Table{Desc: t.Desc, Times: t.Times, Broken: t.Broken}
		}
		if len(t.Columns) != 1 {
			return nil
		}
		all = append(all, t)
		vals := t.Columns[0].Vals
		if t.Desc.Units != out.Desc.Units {
			scale, ok := pcp.ScaleOf(t.Desc.Units, out.Desc.Units)
			if !ok {
				return nil
			}
			vals = slices.Clone(vals)
			for i := range vals {
				vals[i] = scale.Float64(vals[i])
			}
		}
		out.Columns = append(out.Columns, Column{Name: mode, Vals: vals})
	}
	if out == nil || !slices.ContainsFunc(all, func(t *Table) bool { return !slices.Equal(t.Times, out.Times) }) {
		return out
	}
	return out.common(all)
}

// common reduces a table, of whose columns each has the rows of another table, to the rows
// that all of these have; nil if they are less than half of those of one of them.
func (t *Table) common(of []*Table) *Table {
	out := &Table{Desc: t.Desc, Columns: slices.Clone(t.Columns)}
	for i := range out.Columns {
		out.Columns[i].Vals = nil
	}
	next, broken, most, apart := make([]int, len(of)), false, 0, momentOf(of...)
	for _, one := range of {
		most = max(most, len(one.Times))
	}
	for _, at := range of[0].Times {
		everywhere := true
		for k, one := range of {
			for next[k] < len(one.Times) && one.Times[next[k]] <= at+apart {
				broken = broken || one.Broken[next[k]]
				next[k]++
			}
			everywhere = everywhere && next[k] > 0 && one.Times[next[k]-1] >= at-apart
		}
		if !everywhere {
			continue
		}
		out.Times, out.Broken, broken = append(out.Times, at), append(out.Broken, broken), false
		for k := range of {
			out.Columns[k].Vals = append(out.Columns[k].Vals, t.Columns[k].Vals[next[k]-1])
		}
	}
	if 2*len(out.Times) < most {
		return nil
	}
	return out
}

// busy is the percentage of all CPU time in which something ran. Waiting for a
// disk does not count.
func (h *Host) busy() signal {
	if modes := h.modes(); modes != nil {
		rates := modes.Rate(h.Clock)
		all := rates.Sum() // used if the number of CPUs was not logged, or there were more
		work := rates.Keep(func(mode string) bool { return mode != "idle" && mode != "wait.total" })
		return work.signal(work.Sum()).with(func(i int, v float64) float64 {
			if n := h.CountsAt(work.Times[i]); n > 0 && !(all[i] > pluggedShare*n) {
				return math.Min(100, 100*v/n)
			}
			return 100 * v / all[i]
		})
	}
	t := h.rate("kernel.percpu.cpu.idle")
	if t == nil {
		return h.notIdle()
	}
	// A CPU whose idle counter went back has no value for that time, and the
	// other CPUs do not stand in for it. Waiting for a disk is idle time, too.
	waiting := h.waiting(t.Times)
	logged := h.counter("kernel.percpu.cpu.idle")
	return t.signal(t.Sum()).with(func(i int, v float64) float64 {
		cpus := 0.0
		for k, c := range t.Columns {
			switch there := logged.Columns[k].Vals; {
			case c.Vals[i] == c.Vals[i]:
				cpus++
			case i > 0 && there[i] < there[i-1]:
				return math.NaN()
			}
		}
		return math.Max(0, 100*(1-(v+waiting[i])/cpus))
	})
}

// waiting is how many CPUs waited for a disk at several times; 0 where that was not logged.
func (h *Host) waiting(times []pcp.Time) []float64 {
	for _, metric := range []string{"kernel.percpu.cpu.wait.total", "kernel.all.cpu.wait.total"} {
		if w := h.rate(metric); w != nil {
			return w.At(w.Sum(), times)
		}
	}
	return make([]float64, len(times))
}

// waitUnknown reports whether waiting for a disk may be in busy, where just idle time was logged.
func (h *Host) waitUnknown() bool {
	return h.modes() == nil && h.firstOf("kernel.percpu.cpu.wait.total", "kernel.all.cpu.wait.total") == ""
}

// notIdle is busy where just the idle time of all CPUs was logged, and how many there are.
func (h *Host) notIdle() signal {
	t := h.rate("kernel.all.cpu.idle")
	if t == nil {
		return signal{}
	}
	waiting := h.waiting(t.Times)
	return t.signal(t.Column("")).with(func(i int, idle float64) float64 {
		return math.Max(0, 100*(1-(idle+waiting[i])/h.CountsAt(t.Times[i])))
	})
}

func (h *Host) cpu() verdict {
	v := verdict{tile: api.Tile{Resource: "CPU", Dashboard: "cpu"}}
	h.pinned(&v)
	busy := h.busy()
	if !busy.has() && h.table("kernel.all.load") == nil {
		return v.notThere("kernel.all.cpu.user, kernel.all.cpu.sys and kernel.all.cpu.idle")
	}
	h.cpuBusy(&v, busy)
	h.oneCPU(&v, busy)
	h.cpuQueue(&v)
	h.softShare(&v)
	h.steal(&v)
	h.throttling(&v)
	return v
}

func (h *Host) cpuBusy(v *verdict, busy signal) {
	highest, row := busy.highest()
	if row < 0 {
		v.tile.Utilisation = unjudged("kernel.all.cpu.user, kernel.all.cpu.sys and kernel.all.cpu.idle")
		return
	}
	limit := Decimals(h.Rules.CPUBusy, 0)
	how, why := " % at most", ""
	if h.waitUnknown() {
		how, why = " % not idle", "of idle time: waiting for a disk, which was not logged, may be in it"
	}
	v.tile.Utilisation = at(cell(points(highest)+how, fine), highest, "%", busy.span(row))
	v.tile.Utilisation.Why = why
	all := busy.episodes(above(h.Rules.CPUBusy), 0, h.Rules.Pause)
	if len(all) == 0 {
		return
	}
	worst := longest(all)
	v.tile.Utilisation = at(cell(fmt.Sprintf("above %s %%, %s", limit, FormatDuration(total(all))), fine), highest, "%", worst.Span)
	var short []episode
	for _, e := range all {
		if !longEnough(e.lasted, h.Rules.Lasting) {
			short = append(short, e)
			continue
		}
		v.tile.Utilisation.State = look
		text := fmt.Sprintf("CPU %s %% busy for %s", Decimals(e.mean, 0), FormatDuration(e.lasted))
		v.lasting(look, e, fmt.Sprintf("%s above %s %% for %s", h.allCPUs(e.End), limit, FormatDuration(h.Rules.Lasting)), text+h.topCommand(e.Span), "kernel.all.cpu.user", "kernel.all.cpu.sys", "proc.psinfo.utime")
	}
	if len(short) > 0 {
		span := pcp.Span{Start: short[0].Start, End: short[len(short)-1].End}
		text := fmt.Sprintf("CPU saturated %s", Times(len(short)))
		if len(short) == 1 {
			text += " for " + FormatDuration(total(short))
		}
		v.find(know, span, fmt.Sprintf("%s above %s %%, for less than %s", h.allCPUs(span.End), limit, FormatDuration(h.Rules.Lasting)), text+h.unsampledShare(short), "kernel.all.cpu.user", "kernel.all.cpu.sys", "kernel.all.sysfork")
	}
}

// minBlame is the smallest share of the CPU time that is said of a command.
const minBlame = 0.1

// topCommand names the command that used the most CPU time.
func (h *Host) topCommand(span pcp.Span) string {
	p := h.Processes()
	if p == nil {
		return ""
	}
	unseen := p.Use(span).NotSampled()
	if b := p.largest(span); b.command != "" && (b.share >= minBlame || unseen <= 0.5) {
		return ", most of all by " + b.text()
	}
	if unseen > 0.5 && p.data.Everything() {
		return fmt.Sprintf("; %s %% of it by short-lived processes", Decimals(100*unseen, 0))
	}
	return ""
}

// text says how much a command used: "cc1plus (85 % of it; estimate, ± 9 %)".
func (b blame) text() string {
	text := fmt.Sprintf("%s (%s %% of it", b.command, Decimals(100*b.share, 0))
	if b.estimated >= 0.01 {
		text += fmt.Sprintf("; estimate, ± %s %%", Decimals(math.Max(1, 100*b.error), 0))
	}
	return text + ")"
}

// unsampledShare says how much of the CPU time in several episodes is not accounted
// for by listed processes, and which command used the most. If only active processes
// were logged, the rest may be the others, and nothing is said.
func (h *Host) unsampledShare(list []episode) string {
	p := h.Processes()
	if p == nil || !p.data.Everything() {
		return ""
	}
	var all Use
	spans := make([]pcp.Span, len(list))
	for i, e := range list {
		u := p.Use(e.Span)
		all.Machine, all.Listed, spans[i] = all.Machine+u.Machine, all.Listed+u.Listed, e.Span
	}
	share := all.NotSampled()
	if share < 0.1 {
		return ""
	}
	text := fmt.Sprintf("; %s %% of it by short-lived processes", Decimals(100*share, 0))
	if b := p.largest(spans...); b.share >= minBlame && b.estimated > 0 {
		text += ", most of all by " + b.text()
	}
	return text
}

// oneCPU looks for single CPUs that were saturated while others were idle.
func (h *Host) oneCPU(v *verdict, busy signal) {
	idle, wait := h.rate("kernel.percpu.cpu.idle"), h.rate("kernel.percpu.cpu.wait.total")
	if idle != nil && len(idle.Columns) > 1 {
		all := (&Table{Times: busy.times}).At(busy.vals, idle.Times)
		for _, c := range idle.Columns {
			waiting := make([]float64, len(idle.Times))
			if w := wait.Column(c.Name); w != nil {
				waiting = wait.At(w, idle.Times)
			}
			s := idle.signal(c.Vals).with(func(i int, x float64) float64 {
				if all[i] >= h.Rules.OthersIdle {
					return math.NaN() // then it is not a problem of one CPU
				}
				return 100 * (1 - x - waiting[i])
			})
			for _, e := range s.episodes(above(h.Rules.OneCPU), h.Rules.Lasting, 0) {
				v.lasting(look, e, fmt.Sprintf("one CPU above %s %% while all together are below %s %%, for %s", Decimals(h.Rules.OneCPU, 0), Decimals(h.Rules.OthersIdle, 0), FormatDuration(h.Rules.Lasting)),
					fmt.Sprintf("%s saturated for %s while all CPUs together were at %s %%: probably a single thread", c.Name, FormatDuration(e.lasted), Decimals(busy.over(e.Span), 0)), "kernel.percpu.cpu.user", "kernel.percpu.cpu.idle")
			}
		}
	}
	soft := h.rate("kernel.percpu.cpu.irq.soft")
	if soft == nil {
		return
	}
	for _, c := range soft.Columns {
		s := soft.signal(c.Vals)
		for _, e := range s.episodes(above(h.Rules.SoftIRQ/100), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("soft interrupts above %s %% of one CPU, for %s", Decimals(h.Rules.SoftIRQ, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s spent %s %% of its time in soft interrupts for %s", c.Name, Decimals(100*e.mean, 0), FormatDuration(e.lasted)), "kernel.percpu.cpu.irq.soft")
		}
	}
}

// softShare looks for network soft interrupts that all go to one CPU.
func (h *Host) softShare(v *verdict) {
	const metric = "kernel.percpu.softirqs"
	t := h.rate(metric).Keep(func(name string) bool {
		return strings.HasPrefix(name, "NET_RX::") || strings.HasPrefix(name, "NET_TX::")
	})
	if t == nil || !(h.CPUs > 1) {
		return
	}
	all := t.Sum()
	byCPU := map[string][]float64{}
	var cpus []string
	for _, c := range t.Columns {
		_, cpu, _ := strings.Cut(c.Name, "::")
		if byCPU[cpu] == nil {
			cpus, byCPU[cpu] = append(cpus, cpu), make([]float64, len(t.Times))
		}
		for i, x := range c.Vals {
			byCPU[cpu][i] += x
		}
	}
	for _, cpu := range cpus {
		s := t.signal(byCPU[cpu]).with(func(i int, x float64) float64 {
			if !(all[i] > h.Rules.SoftIRQs) {
				return math.NaN()
			}
			return 100 * x / all[i]
		})
		for _, e := range s.episodes(above(h.Rules.SoftIRQShare), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("more than %s %% of the soft interrupts of the network on one CPU, of more than %s a second, for %s", Decimals(h.Rules.SoftIRQShare, 0), Decimals(h.Rules.SoftIRQs, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s served %s %% of the soft interrupts of the network for %s", cpu, Decimals(e.mean, 0), FormatDuration(e.lasted)), metric)
		}
	}
}

// loadMinute is the time, in seconds, that the load of one minute is a mean over.
const loadMinute = 60

// cpuQueue judges whether tasks had to wait for a CPU.
func (h *Host) cpuQueue(v *verdict) {
	load := h.table("kernel.all.load")
	short := load.signal(load.Column("1 minute"))
	if short.has() {
		worst := short
		if h.CPUs > 0 { // 3 on 2 CPUs is more than 4 on 8
			worst = short.with(func(i int, load float64) float64 { return load / h.CPUsAt(short.times[i]) })
		}
		_, row := worst.highest()
		highest := short.vals[row]
		when := short.span(row)
		when.Start = when.End
		text := "load " + Decimals(highest, 2)
		if h.CPUs > 0 {
			text += " on " + Decimals(h.CPUsAt(when.End), 0)
		}
		v.tile.Saturation = at(cell(text, fine), highest, "tasks", when)
		if h.CPUs > 0 {
			rule := fmt.Sprintf("load above %s for each CPU", Decimals(h.Rules.LoadPerCPU, 0))
			limit := func(i int) float64 { return math.Max(h.Rules.LoadPerCPU*h.CPUsAt(short.times[i]), h.Rules.LeastLoad) }
			share := short.with(func(i int, load float64) float64 { return load / limit(i) }).bridged(above(1), loadMinute)
			all := share.episodes(above(1), 0, h.Rules.Pause)
			if high, row := share.highest(); len(all) == 0 && high > 1 { // alone between breaks
				when.Start, when.End = short.times[row], short.times[row]
				v.tile.Saturation.State = look
				text := fmt.Sprintf("Load %s on %s in one sample", Decimals(short.vals[row], 2), h.cpusText(when.End))
				if n := share.count(above(1)); n > 1 {
					text = fmt.Sprintf("Load up to %s on %s in %d samples", Decimals(short.vals[row], 2), h.cpusText(when.End), n)
				}
				v.find(look, when, rule, text, "kernel.all.load", "kernel.all.running", "kernel.all.blocked")
			}
			for _, e := range all {
				v.tile.Saturation.State = look
				from := e.from
				if from > 0 && share.vals[from-1] > 1 { // next to a break: it covers no time
					from--
				}
				top, row := short.rows(from, e.to).highest()
				row += from
				v.lasting(look, e, rule, fmt.Sprintf("Load above %s for %s, up to %s on %s", Number(limit(row)), FormatDuration(e.lasted), Decimals(top, 2), h.cpusText(short.times[row])), "kernel.all.load", "kernel.all.running", "kernel.all.blocked")
			}
		}
	} else {
		v.tile.Saturation = unjudged("kernel.all.load")
	}
	if !(h.CPUs > 0) {
		return
	}
	if name := h.firstOf("kernel.all.running", "kernel.all.runnable", "proc.runq.runnable"); name != "" {
		// A sample finds the collector's own agents running, as they take it.
		// Where tasks queue for the CPUs, these have no time left. Without CPU
		// time one cannot be distinguished from the other; the load, a mean over a
		// minute, is judged anyway.
		s, busy := h.value(name), h.busy()
		used := (&Table{Times: busy.times}).At(busy.vals, s.times)
		s = s.with(func(i int, x float64) float64 {
			if !(used[i] >= h.Rules.RunningBusy) {
				return 0
			}
			return x
		})
		s.instant = false // as is how busy CPUs were
		all := h.perCPU(s).episodes(above(h.Rules.RunningPerCPU), h.Rules.Lasting, h.Rules.Pause)
		if len(all) > 0 && !short.has() {
			e := longest(all)
			tasks := e.mean * h.CPUsAt(e.End)
			v.tile.Saturation = at(cell(fmt.Sprintf("%s runnable on %s", Number(tasks), Decimals(h.CPUsAt(e.End), 0)), look), tasks, "tasks", e.Span)
		}
		for _, e := range all {
			v.tile.Saturation.State = look
			v.lasting(look, e, fmt.Sprintf("more than %s runnable tasks for each CPU while CPUs are above %s %%, for %s", Decimals(h.Rules.RunningPerCPU, 0), Decimals(h.Rules.RunningBusy, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s runnable tasks on %s for %s", Number(e.mean*h.CPUsAt(e.End)), h.cpusText(e.End), FormatDuration(e.lasted)), name)
		}
	}
	if name := h.firstOf("kernel.all.blocked", "proc.runq.blocked"); name != "" {
		s := h.value(name)
		for _, e := range h.perCPU(s).episodes(above(1), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("more blocked tasks than CPUs, for %s", FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s tasks blocked for %s: they wait for storage", Number(e.mean*h.CPUsAt(e.End)), FormatDuration(e.lasted)), name, "disk.dev.avactive")
		}
	}
	s := h.speed("kernel.all.pswitch")
	for _, e := range h.perCPU(s).episodes(above(h.Rules.SwitchesPerCPU), h.Rules.Lasting, h.Rules.Pause) {
		v.lasting(know, e, fmt.Sprintf("more than %s context switches a second for each CPU, for %s", Decimals(h.Rules.SwitchesPerCPU, 0), FormatDuration(h.Rules.Lasting)),
			fmt.Sprintf("%s context switches a second for %s", Decimals(e.mean*h.CPUsAt(e.End), 0), FormatDuration(e.lasted)), "kernel.all.pswitch")
	}
}

// perCPU divides by the number of CPUs at each time.
func (h *Host) perCPU(s signal) signal {
	return s.with(func(i int, v float64) float64 { return v / h.CPUsAt(s.times[i]) })
}

// allCPUs is "all CPUs", or "the CPU" of a host that has one.
func (h *Host) allCPUs(t pcp.Time) string {
	if h.CPUsAt(t) == 1 {
		return "the CPU"
	}
	return "all CPUs"
}

// cpusText is the number of CPUs at a time: "4 CPUs".
func (h *Host) cpusText(t pcp.Time) string {
	n := h.CPUsAt(t)
	return Decimals(n, 0) + " " + plural(int(n), "CPU", "CPUs")
}

func (h *Host) steal(v *verdict) {
	s := h.speed("kernel.all.cpu.steal")
	s = s.with(func(i int, x float64) float64 { return 100 * x / h.CountsAt(s.times[i]) })
	for _, e := range s.episodes(above(h.Rules.Steal), h.Rules.StealLasting, h.Rules.Pause) {
		v.lasting(look, e, fmt.Sprintf("steal above %s %% for %s", Decimals(h.Rules.Steal, 0), FormatDuration(h.Rules.StealLasting)),
			fmt.Sprintf("The hypervisor took %s %% of CPU time for %s", Decimals(e.mean, 0), FormatDuration(e.lasted)), "kernel.all.cpu.steal")
	}
}

func (h *Host) throttling(v *verdict) {
	const core, pkg = "hinv.cpu.thermal_throttle.core.count", "hinv.cpu.thermal_throttle.package.count"
	name := h.firstOf(core, pkg)
	if name == "" {
		v.tile.Errors = unjudged(core)
		return
	}
	// Threads of a core, and cores of a package, count the same events.
	t, n, when := h.table(name), 0.0, pcp.Span{}
	for _, c := range t.Columns {
		if one, span := growthOf(t.alone(c)); one > n {
			n, when = one, span
		}
	}
	if n == 0 {
		v.tile.Errors = cell("none", fine)
		return
	}
	state, level := fine, know
	if n >= h.Rules.Throttles {
		state, level = look, look
	}
	v.tile.Errors = at(cell("throttled "+Times(int(n)), state), n, "count", when)
	v.find(level, when, fmt.Sprintf("thermal throttling, %s times or more", Decimals(h.Rules.Throttles, 0)), "CPUs were throttled "+Times(int(n))+" because of heat", name)
}
