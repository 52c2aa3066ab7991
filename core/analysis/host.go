package analysis

import (
	"math"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// Values supplies tables.
type Values interface {
	// Table returns a numeric metric as it was logged, nil if it has no values.
	Table(metric string) *Table
	// Processes returns what was logged about processes; nil if nothing was.
	Processes() ProcessData
}

// A Host is one machine, as seen in an archive.
type Host struct {
	Rules   Rules
	Clock   *Clock
	Begin   pcp.Time                             // of the recording; 0 if it is when the time since boot was first logged
	CPUs    float64                              // the most at any time; NaN if not known
	counts  float64                              // CPUs whose time kernel.all.cpu counts: CPUs, or 1 if it is their mean
	resized []capacity                           // CPUs, if hinv.ncpu was logged
	Plugged []pcp.Span                           // when there were more CPUs than hinv.ncpu says, by their time; to MaxTime if it was so at the end
	Title   func(metric, instance string) string // the human-readable name of a cgroup or a filesystem; nil if not known
	values  Values
	tables  map[string]*Table
	rates   map[string]*Table
	counted map[string]*Table // see counter
	procs   *Processes

	nicsByName *bool // see NICsByName
}

// NewHost prepares to judge the values of a host.
func NewHost(values Values) *Host {
	h := &Host{Rules: DefaultRules, CPUs: math.NaN(), values: values, tables: map[string]*Table{}, rates: map[string]*Table{}, counted: map[string]*Table{}}
	if n := h.table("hinv.ncpu").Column(""); len(n) > 0 {
		h.CPUs = sorting.RobustMax(n) // CPUs may be added, and damaged records have any number of them
		h.resized = capacities(h.table("hinv.ncpu"), h.CPUs)
	} else if name := h.firstOf("kernel.percpu.cpu.user", "kernel.percpu.cpu.sys", "kernel.percpu.cpu.idle"); name != "" {
		h.CPUs = float64(len(h.table(name).Columns))
	}
	h.counts = h.CPUs
	if h.Averaged() {
		h.counts = 1
	} else {
		h.plugIn()
	}
	h.Clock = newClock(h.table("kernel.all.uptime"), h.modes(), h.CountsAt)
	if h.table("kernel.all.uptime") == nil {
		h.Clock.Boots = bootsOf(h.table("kernel.all.boottime"))
	}
	clear(h.rates) // computed without the clock
	if !(h.CPUs > 0) {
		h.CPUs = h.summedCPUs()
	}
	return h
}

// summedCPUs is the number of CPUs, derived from the time of all of them; NaN if that
// is not possible, for example because modes were not logged. If the result is 1, the
// time may be a mean over several.
func (h *Host) summedCPUs() float64 {
	n := h.cpuTime()
	if whole := math.Round(n); whole >= 2 && math.Abs(n-whole) < 0.1 && len(h.modes().Columns) >= 4 {
		return whole
	}
	return math.NaN()
}

// Averaged reports whether the counters of all CPUs together, kernel.all.cpu,
// count their mean, as on Windows, and not their sum: all modes together grow
// by one second per second, however many CPUs there are. What sar2pcp(1) and
// iostat2pcp(1) import are shares of the time of all CPUs.
func (h *Host) Averaged() bool {
	if user := h.table("kernel.all.cpu.user"); user != nil && user.Desc.IsRate() {
		return true
	}
	share := h.cpuTime()
	return h.CPUs > 1 && share > 0.5 && share < math.Min(1.25, h.meanCPUs()*0.75)
}

// cpuTime is the growth of all modes of kernel.all.cpu together, in seconds per
// second; NaN if they were not logged.
func (h *Host) cpuTime() float64 {
	modes := h.modes()
	if modes == nil {
		return math.NaN()
	}
	sum, lasted := 0.0, 0.0
	eachGrowth(modes, func(_ int, grown, seconds float64) { sum, lasted = sum+grown, lasted+seconds })
	return sum * secondsOf(modes.Desc.Units) / lasted
}

// eachGrowth passes on how much the counters of all modes grew together in each row that has
// all of them, and in how many seconds.
func eachGrowth(modes *Table, each func(row int, grown, seconds float64)) {
	for i := 1; i < len(modes.Times); i++ {
		if d := modes.Times[i].Since(modes.Times[i-1]); !modes.Broken[i] && d > 0 {
			grown := 0.0
			for _, c := range modes.Columns {
				grown += math.Max(0, c.Vals[i]-c.Vals[i-1]) // ignoring counters that went back
			}
			if grown == grown {
				each(i, grown, d)
			}
		}
	}
}

func (h *Host) table(metric string) *Table {
	if metric == "" {
		return nil
	}
	t, ok := h.tables[metric]
	if !ok {
		t = h.values.Table(metric)
		h.tables[metric] = t
	}
	return t
}

// counter is table for a metric that counts. Where it was logged as a rate, what
// it counted is added up again, so that nothing that follows has to know.
func (h *Host) counter(metric string) *Table {
	t := h.table(metric)
	if t == nil || !t.Desc.IsRate() {
		return t
	}
	if t.Desc.IsLatency(metric, func(name string) bool { return h.table(name) != nil }) {
		return nil
	}
	if h.counted[metric] == nil {
		h.counted[metric] = t.addedUp()
	}
	return h.counted[metric]
}

// addedUp turns rates, which stand for the time since the previous row, into a
// counter: of seconds if they are shares of time.
func (t *Table) addedUp() *Table {
	out := &Table{Desc: t.Desc, Times: t.Times, Broken: t.Broken, laid: t.laid, rest: t.rest}
	out.Desc.Sem, out.Desc.Type = pcp.Counter, pcp.Double
	per := 1.0
	if u := &out.Desc.Units; u.Time == -1 {
		per = pcp.SecondsPer[min(u.TimeScale, pcp.Hour)]
		u.Time, u.TimeScale = 0, 0
	} else {
		u.Time, u.TimeScale = 1, pcp.Sec
	}
	for _, c := range t.Columns {
		sum, vals := 0.0, make([]float64, len(c.Vals))
		for i, v := range c.Vals {
			if i > 0 && v == v {
				sum += v * t.Times[i].Since(t.Times[i-1]) / per
			}
			vals[i] = sum + 0*v // NaN where it is missing
		}
		out.Columns = append(out.Columns, Column{c.Inst, c.Name, vals})
	}
	return out
}

// forget frees the tables: over weeks those of one resource take tens of megabytes,
// and few are used by two.
func (h *Host) forget() {
	clear(h.tables)
	clear(h.rates)
	clear(h.counted)
	if v, ok := h.values.(interface{ Forgotten() }); ok {
		v.Forgotten()
	}
}

// rate returns the rates of a counter, even if it is not declared as one.
func (h *Host) rate(metric string) *Table {
	t, ok := h.rates[metric]
	if !ok {
		t = h.counter(metric).growth(h.Clock)
		h.rates[metric] = t
	}
	return t
}

// value and speed return the signals of a singular metric and of its rate.
func (h *Host) value(metric string) signal {
	t := h.table(metric)
	return t.signal(t.Column(""))
}

func (h *Host) speed(metric string) signal {
	t := h.rate(metric)
	return t.signal(t.Column(""))
}

// firstOf returns the first of several metrics that is logged, "" if none is.
func (h *Host) firstOf(metrics ...string) string {
	for _, m := range metrics {
		if h.table(m) != nil {
			return m
		}
	}
	return ""
}

// growths returns how much a counter grew in total, and the stretches of time in which it
// grew from each record to the next.
func growths(t *Table) (sum float64, list []pcp.Span) {
	if t == nil {
		return 0, nil
	}
	grew := make([]bool, len(t.Times))
	for c := range t.Columns {
		v := t.Columns[c].Vals
		for i := 1; i < len(v); i++ {
			if d := v[i] - v[i-1]; d > 0 && !t.Broken[i] {
				sum, grew[i] = sum+d, true
			}
		}
	}
	for i, g := range grew {
		switch {
		case !g:
		case grew[i-1]:
			list[len(list)-1].End = t.Times[i]
		default:
			list = append(list, pcp.Span{Start: t.Times[i-1], End: t.Times[i]})
		}
	}
	return sum, list
}

// growthOf returns how much a counter grew in total, and from when to when; 0 if it never
// grew.
func growthOf(t *Table) (sum float64, when pcp.Span) {
	sum, spans := growths(t)
	if len(spans) > 0 {
		when = pcp.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
	}
	return sum, when
}

var (
	unrealDisk = pattern.New(pattern.VirtualDisks)
	radio      = pattern.New(`^(wl|wlan|ath|ra|wifi|wwan)[0-9a-z]`)
	unrealNIC  = pattern.New(pattern.VirtualNICs)
	loopback   = pattern.New(pattern.Loopback)
)

// RealDisk reports whether a block device is a physical disk.
func RealDisk(name string) bool { return !unrealDisk().MatchString(name) }

// RealNIC reports whether a network interface leads out of the host.
func RealNIC(name string) bool { return !unrealNIC().MatchString(name) }

// RealFilesystem reports whether a name is that of a filesystem on a disk: it is no image in a
// file, as snaps are, no CD and no pseudo filesystem.
func RealFilesystem(name string) bool {
	return !images().MatchString(name) && !pseudo().MatchString(name)
}

// States of a judgement.
const (
	fine         = "ok"
	look         = "look"
	isBroken     = "broken"
	know         = "know" // of findings only
	cannotJudge  = "cannot judge"
	notLogged    = "not logged"
	textNoJudge  = "unknown"
	textNotThere = "not logged"
)

func cell(text, state string) api.TileCell { return api.TileCell{Text: text, State: state} }

// unjudged is the cell of something that cannot be judged because a metric is
// missing.
func unjudged(needs string) api.TileCell {
	return api.TileCell{Text: textNoJudge, State: cannotJudge, Why: "needs " + needs}
}

// at adds the worst value and its time.
func at(c api.TileCell, value float64, unit string, when pcp.Span) api.TileCell {
	c.Value, c.Unit, c.When = &value, unit, &when
	return c
}

// A verdict is the result for one resource: its tile and its findings.
type verdict struct {
	tile     api.Tile
	findings []api.Finding
}

func (v *verdict) find(level string, span pcp.Span, rule, text string, metrics ...string) {
	v.findings = append(v.findings, api.Finding{Level: level, Resource: v.tile.Resource, Text: text, Start: span.Start, End: span.End, Rule: rule, Metrics: metrics, Dashboard: v.tile.Dashboard,
		Times: 1, Cost: span.End.Since(span.Start)})
}

// lasting reports an episode.
func (v *verdict) lasting(level string, e episode, rule, text string, metrics ...string) {
	v.find(level, e.Span, rule, text, metrics...)
	f := &v.findings[len(v.findings)-1]
	f.Lasted, f.Cost = e.lasted, e.lasted*(1+math.Log2(max(1, e.beyond)))
}

// notThere marks a tile for which nothing is logged.
func (v *verdict) notThere(needs string) verdict {
	c := api.TileCell{Text: textNotThere, State: notLogged, Why: "needs " + needs}
	v.tile.Utilisation, v.tile.Saturation, v.tile.Errors = c, c, c
	return *v
}

// Judge returns the tiles of all resources and all findings, in the order of
// SortFindings.
func (h *Host) Judge() ([]api.Tile, []api.Finding) {
	var tiles []api.Tile
	findings := []api.Finding{}
	for _, judge := range []func() verdict{h.cpu, h.memory, h.disks, h.filesystems, h.network, h.pressure, h.cgroups, h.kernelTables} {
		v := judge()
		tiles = append(tiles, v.tile)
		findings = append(findings, v.findings...)
		h.forget()
	}
	for _, judge := range []func() verdict{h.stuck, h.nodes, h.nfs, h.xfs, h.clock, h.collector} {
		findings = append(findings, judge().findings...)
		h.forget()
	}
	findings = Merge(findings)
	SortFindings(findings)
	return tiles, findings
}
