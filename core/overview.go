package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/dashboard"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
	"pcpscope/core/trend"
)

// Overview summarises a source for a first look. It waits until the source has
// been read.
func (s *Session) Overview(ctx context.Context, id api.SourceID, progress func(api.Progress)) (api.Overview, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Overview{}, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return api.Overview{}, err
	}
	o, err := src.overview(ctx)
	if err != nil {
		return api.Overview{}, err
	}
	return *o, nil
}

// overview returns the cached overview, computing it first if need be.
func (src *source) overview(ctx context.Context) (*api.Overview, error) {
	md, err := src.shown(ctx) // takes the lock of insight itself
	if err != nil {
		return nil, err
	}
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	defer src.insight.mu.Unlock()
	if src.insight.overview != nil {
		return src.insight.overview, nil
	}
	if err := src.survey(ctx); err != nil {
		return nil, err
	}
	o := &api.Overview{Who: src.hostFacts(), Boots: []pcp.Time{}, Coverage: src.insight.coverage, Tiles: []api.Tile{}, Findings: []api.Finding{}, History: []api.Event{}, Recording: api.Recording{Outages: []api.Outage{}}}
	if src.about.Kind == "archive" {
		h, p := src.host(ctx)
		defer p.release()
		if src.insight.ruled {
			h.Rules = src.insight.rules
		}
		o.Tiles, o.Findings = h.Judge()
		if !slices.ContainsFunc(o.Who, func(f api.Fact) bool { return f.Name == "CPUs" }) && h.CPUs > 0 {
			o.Who = append(o.Who, api.Fact{Name: "CPUs", Value: strconv.Itoa(int(h.CPUs)) + " (not logged, from CPU time)"})
		}
		if n := len(h.Plugged); n > 0 && h.Plugged[n-1].End == pcp.MaxTime {
			for i, f := range o.Who {
				if f.Name == "CPUs" {
					o.Who[i].Value = fmt.Sprintf("%g (by their time; logged as %s)", h.CPUsAt(pcp.MaxTime), f.Value)
				}
			}
		}
		if p.ended != nil { // much was not there, then
			return nil, p.ended
		}
		o.Boots = append(o.Boots, h.Clock.Boots...)
		var pauses []pcp.Span
		o.Recording, pauses = src.recording(usually(o.Coverage))
		o.Recording = withoutClockSteps(o.Recording, h.Clock.Steps)
		often := src.restarts(o.Recording.Outages)
		o.Recording.Restarts = often.text(pcp.Span{Start: pcp.MinTime, End: pcp.MaxTime})
		o.Findings = append(append(o.Findings, src.missing(o.Recording, pauses, often, usually(o.Coverage))...), src.late(o.Coverage)...)
		analysis.SortFindings(o.Findings)
		o.History = src.hostHistory(h, o.Recording)
	}
	accounting, err := src.accounting(ctx)
	if err != nil {
		return nil, err
	}
	pulse := accounting.Pulse()
	expr, _, _ := dashboard.Choose(pulse.Exprs, md)
	o.Pulse = api.Pulse{Name: pulse.Name, Expression: expr, Unit: pulse.Unit}
	src.insight.overview = o
	return o, nil
}

// events are the history of the host, in order of time: those of the overview, without
// its findings if it has not been requested yet.
func (src *source) events(ctx context.Context) ([]api.Event, error) {
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	defer src.insight.mu.Unlock()
	if o := src.insight.overview; o != nil {
		return o.History, nil
	}
	if err := src.survey(ctx); err != nil {
		return nil, err
	}
	h, p := src.host(ctx)
	defer p.release()
	recording, _ := src.recording(usually(src.insight.coverage))
	return src.hostHistory(h, withoutClockSteps(recording, h.Clock.Steps)), p.ended
}

// usually is the interval in seconds at which most metrics were logged, 0 if it is unknown.
func usually(coverage []api.Coverage) float64 {
	if g := leading(coverage); g != nil {
		return g.Interval
	}
	return 0
}

// host is the source as analysis sees it; its values are valid only while the work
// has not been cancelled. The caller releases the memory of its tables with
// pace.release, when it needs the host no more.
func (src *source) host(ctx context.Context) (*analysis.Host, *pace) {
	return src.hostIn(ctx, pcp.Span{Start: pcp.MinTime, End: pcp.MaxTime})
}

// hostIn is the same restricted to a stretch of time.
func (src *source) hostIn(ctx context.Context, span pcp.Span) (*analysis.Host, *pace) {
	p := src.session.newPace(ctx)
	t := tables{src: src, span: span, pace: p, held: src.session.memory.Claim(0), metric: new(string), buffers: make([]archive.Buffer, len(src.parts))}
	p.held, p.processes = t.held, src.session.memory.Claim(0)
	t.layer = &analysis.TableBuilder{Rest: p.rest, Take: func(bytes int64) bool {
		if src.insight.closed.Load() {
			return false
		}
		if t.held.Take(bytes) == nil {
			return true
		}
		src.leaveOut("judgement", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory to judge every metric: %s needs %d MiB, and %d MiB are left. Findings about it may be missing.",
			text(*t.metric), (bytes+1<<20-1)>>20, src.session.memory.Left()>>20))
		return false
	}}
	h := analysis.NewHost(t)
	names := titling{src: src}
	h.Title = names.of
	start, _ := src.span()
	h.Begin = max(start, span.Start)
	for _, s := range src.setBacks(h.CountsAt) {
		if s.At >= span.Start && s.At <= span.End {
			h.Clock.Add(s.Step, s.booted)
		}
	}
	return h, p
}

// tables supplies analysis with the values of a source in a stretch of time.
type tables struct {
	src    *source
	span   pcp.Span
	layer  *analysis.TableBuilder
	pace   *pace
	held   *budget.Claim // for tables
	metric *string       // whose table is being made

	buffers []archive.Buffer // a table has copies of the values
}

// Forgotten is called when no table is used any more.
func (t tables) Forgotten() { t.held.Release() }

func (t tables) Table(metric string) *analysis.Table {
	ms, known := t.src.lookup(metric)
	if !known || t.pace.worked(oneSeries) {
		return nil
	}
	*t.metric = metric
	return t.src.judgedIn(t.buffers, ms, t.src.extent()).table(t.layer, t.src.inDom(descOf(ms).InDom), t.span.Start, t.span.End)
}

// table lays out the values of a timeline in a stretch of time.
func (line timeline) table(l *analysis.TableBuilder, names *inDom, from, to pcp.Time) *analysis.Table {
	parts := make([]analysis.Part, len(line.obs))
	for i, o := range line.obs {
		if o != nil && (from != pcp.MinTime || to != pcp.MaxTime) {
			o = o.Between(from, to)
		}
		parts[i] = analysis.Part{Obs: o, Marks: line.segs[i].Marks}
	}
	return l.Table(parts, names.nameOf)
}

func (t tables) Processes() analysis.ProcessData {
	for _, root := range []string{"proc", "hotproc"} {
		if ms, known := t.src.lookup(root + ".psinfo.utime"); known {
			return &processes{src: t.src, span: t.span, root: root, names: t.src.inDom(descOf(ms).InDom), indom: descOf(ms).InDom, pace: t.src.session.newPace(nil), held: t.pace.processes, found: map[string][]*series.Observations{}}
		}
	}
	return nil
}

// processes supplies analysis with the processes of a source.
type processes struct {
	src   *source
	span  pcp.Span
	root  string // "proc" or "hotproc"
	names *inDom
	indom pcp.InDom

	looking sync.Mutex
	found   map[string][]*series.Observations
	held    *budget.Claim // for these

	naming   sync.Mutex
	pace     *pace            // of those who ask for names
	then     map[int32]string // names at the last requested moment
	thenPart int
	thenAt   pcp.Time
}

// claim claims memory for results about processes; a negative number gives it back.
func (p *processes) claim(what string, bytes int64) bool {
	if p.src.insight.closed.Load() {
		return false
	}
	if p.held.Take(bytes) != nil {
		p.src.leaveOut("processes", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory for everything about processes: %s needs %d MiB, and %d MiB are left.",
			what, (bytes+1<<20-1)>>20, p.src.session.memory.Left()>>20))
		return false
	}
	return true
}

func (p *processes) Claim(bytes int64) bool { return p.claim("their accounting", bytes) }

func (p *processes) Observations(metric string) []*series.Observations {
	p.looking.Lock()
	defer p.looking.Unlock()
	if obs, ok := p.found[metric]; ok {
		return obs
	}
	var obs []*series.Observations
	if ms, known := p.src.lookup(p.root + "." + metric); known && p.claim(text(p.root+"."+metric), p.src.workingBytes(ms)) {
		claimed := p.src.workingBytes(ms)
		obs = p.src.observations(ms)
		p.held.Take(bytesOf(obs) - claimed)
		if !slices.ContainsFunc(obs, func(o *series.Observations) bool { return o != nil && len(o.Times) > 0 }) {
			obs = nil
		}
		for i, o := range obs {
			if o != nil && (p.span.Start != pcp.MinTime || p.span.End != pcp.MaxTime) {
				obs[i] = o.Between(p.span.Start, p.span.End)
			}
		}
	}
	p.found[metric] = obs
	return obs
}

func (p *processes) Marks(part int) []pcp.Time { return p.src.parts[part].Marks() }

// Name uses the instance domain as of the given time: the number may have been
// reused by another process later.
func (p *processes) Name(part int, inst int32, at pcp.Time) string {
	a, ok := p.src.parts[part].(recorded)
	if !ok || at == pcp.MaxTime {
		return text(p.names.nameOf(inst))
	}
	p.naming.Lock()
	defer p.naming.Unlock()
	p.pace.rest(2 * oneSeries)
	if p.then == nil || p.thenPart != part || p.thenAt != at {
		list, _ := a.InstancesAt(p.indom, at)
		p.then, p.thenPart, p.thenAt = make(map[int32]string, len(list)), part, at
		for _, in := range list {
			p.then[in.ID] = in.Name
		}
	}
	if name, known := p.then[inst]; known {
		return text(name)
	}
	return text(p.names.nameOf(inst))
}
func (p *processes) Everything() bool { return p.root == "proc" }

// facts are reported about a host in this order.
var facts = []struct {
	name    string
	metrics []string
}{
	{"host", []string{"kernel.uname.nodename"}},
	{"system", []string{"kernel.uname.distro"}},
	{"kernel", []string{"kernel.uname.sysname", "kernel.uname.release"}},
	{"machine", []string{"kernel.uname.machine", "hinv.machine"}},
	{"processor", []string{"hinv.cpu.model_name", "hinv.cpu.vendor"}},
	{"CPUs", []string{"hinv.ncpu"}},
	{"NUMA nodes", []string{"hinv.nnode"}},
	{"memory", []string{"mem.physmem", "hinv.physmem"}},
	{"page size", []string{"hinv.pagesize"}},
	{"disks", []string{"hinv.ndisk"}},
	{"interfaces", []string{"hinv.ninterface"}},
	{"filesystems", []string{"hinv.nfilesys"}},
	{"collector", []string{"pmcd.version"}},
}

// hostFacts returns the facts that were logged.
func (src *source) hostFacts() []api.Fact {
	list := []api.Fact{}
	add := func(name, value, metric string) {
		if value != "" {
			list = append(list, api.Fact{Name: name, Value: value, Metric: metric})
		}
	}
	for _, f := range facts {
		switch f.name {
		case "kernel":
			add(f.name, strings.TrimSpace(src.lastText(f.metrics[0])+" "+src.lastText(f.metrics[1])), f.metrics[1])
		case "disks", "interfaces":
			value, metric := src.devices(f.name)
			add(f.name, value, metric)
		default:
			for _, m := range f.metrics {
				if v := src.lastText(m); v != "" {
					add(f.name, v, m)
					break
				}
			}
		}
	}
	if len(list) > 0 && list[0].Name != "host" && src.about.Host != "" {
		list = append([]api.Fact{{Name: "host", Value: src.about.Host}}, list...)
	}
	return list
}

// perDevice are metrics of each device, the most usual first: their domains have names.
var perDevice = map[string][]string{
	"disks":      {"disk.dev.total", "disk.dev.read", "disk.dev.write", "disk.dev.total_bytes", "disk.dev.read_bytes", "disk.dev.write_bytes", "disk.dev.avactive", "disk.dev.aveq"},
	"interfaces": {"network.interface.in.bytes", "network.interface.out.bytes", "network.interface.total.bytes", "network.interface.in.packets", "network.interface.out.packets"},
}

// devices lists physical disks or interfaces by name, or only their number if there are
// many, and says which metric has them.
func (src *source) devices(what string) (list, metric string) {
	count, real := "hinv.ndisk", analysis.RealDisk
	if what == "interfaces" {
		count, real = "hinv.ninterface", analysis.RealNIC
	}
	for _, metric := range perDevice[what] {
		ms, known := src.lookup(metric)
		if !known {
			continue
		}
		var names []string
		seen := map[string]bool{}
		for _, in := range src.inDom(descOf(ms).InDom).list {
			if real(in.Name) && !seen[in.Name] {
				seen[in.Name] = true
				names = append(names, in.Name)
			}
		}
		switch n := len(names); {
		case n > 8:
			return fmt.Sprintf("%s and %d more", strings.Join(names[:6], ", "), n-6), metric
		case n > 0:
			return strings.Join(names, ", "), metric
		}
	}
	return src.lastText(count), count
}

// lastText formats the last value of a metric's first instance; "" for none.
func (src *source) lastText(metric string) string {
	ms, known := src.lookup(metric)
	if !known {
		return ""
	}
	for _, o := range slices.Backward(src.observations(ms)) {
		if o == nil {
			continue
		}
		for _, in := range o.Series {
			for _, run := range slices.Backward(in.Runs) {
				switch {
				case run.Row&(series.Gone|series.Failed) != 0:
				case o.Desc.Type == pcp.String:
					return text(strings.TrimSpace(string(o.Blobs.At(run.Val))))
				case o.Desc.Type.Numeric():
					return analysis.Quantity(series.Float(o.Desc.Type, run.Val), o.Desc.Units.String())
				}
			}
		}
	}
	return ""
}

// firstSample returns when the largest group of metrics was first recorded.
// There is little to see before it, as an archive begins with a few records of
// its own. The source must have been read.
func (src *source) firstSample(ctx context.Context) (pcp.Time, error) {
	start, _ := src.span()
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return start, err
	}
	defer src.insight.mu.Unlock()
	if err := src.survey(ctx); err != nil {
		return start, err
	}
	if g := largest(src.insight.coverage); g != nil {
		return max(start, g.First), nil
	}
	return start, nil
}

// sampled returns the time range from the first sample to the end of the source.
func (src *source) sampled(ctx context.Context) (first, last pcp.Time, err error) {
	_, last = src.span()
	first, err = src.firstSample(ctx)
	return first, last, err
}

// A coverage groups metrics by how often they were logged.
type coverage struct {
	rows   map[rowsKey]*loggedRows
	groups map[float64]*loggedGroup // by interval
	breaks []pcp.Time               // pauses of the recording, which no interval spans
	known  map[pcp.PMID]bool        // metrics of several names that were added
}

// rowsKey tells the rows of metrics that were logged together from those of others, which
// may have been logged as often, but only from the start of an agent on.
type rowsKey struct {
	first, last pcp.Time
	rows        int
}

type loggedRows struct {
	api.Coverage         // of all that is in a group, only what the rows tell
	rated        float64 // seconds for which rates are known
	metric       string  // one that has them
	metrics      int
}

type loggedGroup struct {
	api.Coverage
	rows []*loggedRows
}

func newCoverage(breaks []pcp.Time) *coverage {
	return &coverage{map[rowsKey]*loggedRows{}, map[float64]*loggedGroup{}, breaks, map[pcp.PMID]bool{}}
}

// breaks returns, in order, when recording may have paused: at marks, and where
// another archive begins.
func (src *source) breaks() []pcp.Time {
	var list []pcp.Time
	for i, p := range src.parts {
		if i > 0 {
			list = append(list, p.Start())
		}
		list = append(list, p.Marks()...)
	}
	slices.Sort(list)
	return list
}

// rowsOf returns which rows a metric has.
func rowsOf(obs []*series.Observations) rowsKey {
	at := rowsKey{first: pcp.MaxTime, last: pcp.MinTime}
	for _, o := range obs {
		if o != nil && len(o.Times) > 0 {
			at = rowsKey{min(at.first, o.Times[0]), max(at.last, o.Times[len(o.Times)-1]), at.rows + len(o.Times)}
		}
	}
	return at
}

// add adds a metric to its group.
func (c *coverage) add(m *metricEntry, obs []*series.Observations, w metricSize) {
	at := rowsOf(obs)
	if at.rows == 0 {
		return
	}
	r := c.rows[at]
	if r == nil {
		var times []pcp.Time
		for _, o := range obs {
			if o != nil {
				times = append(times, o.Times...)
			}
		}
		r = &loggedRows{metric: m.name}
		r.Coverage, r.rated = covered(times, c.breaks)
		c.rows[at] = r
		if c.groups[r.Interval] == nil {
			c.groups[r.Interval] = &loggedGroup{Coverage: api.Coverage{Examples: []string{}}}
		}
		g := c.groups[r.Interval]
		g.rows = append(g.rows, r)
	}
	r.metrics++
	g := c.groups[r.Interval]
	g.Metrics++
	if several := len(m.Names) > 1; !several || !c.known[m.PMID] {
		if several {
			c.known[m.PMID] = true
		}
		g.Bytes += w.bytes
	}
	if len(g.Examples) < 3 {
		g.Examples = append(g.Examples, m.name)
	}
}

// list returns the groups, the largest first.
func (c *coverage) list() []api.Coverage {
	list := []api.Coverage{}
	for _, g := range c.groups {
		list = append(list, g.described())
	}
	sorting.Stable(list, func(a, b api.Coverage) int {
		return cmp.Or(cmp.Compare(b.Metrics, a.Metrics), cmp.Compare(a.Interval, b.Interval))
	})
	return list
}

// described is a group from the first records to the last ones. What is said of those between
// holds for most of its metrics, wherever their names are in the alphabet.
func (g *loggedGroup) described() api.Coverage {
	c := mostly(g.rows).Coverage
	c.Metrics, c.Bytes, c.Examples = g.Metrics, g.Bytes, g.Examples
	first := slices.MinFunc(g.rows, func(a, b *loggedRows) int { return cmp.Compare(a.First, b.First) }).First
	// The logger's own metrics come a moment before most others, whose records count.
	var early []*loggedRows
	for _, r := range g.rows {
		if r.First.Since(first) <= c.Interval {
			early = append(early, r)
		}
		c.Last = max(c.Last, r.Last)
	}
	c.First = mostly(early).First
	return c
}

// fullest returns the metric of a group whose rates are known for longest. Others may have
// been logged for a part of the time only, as of an agent that failed.
func (g *loggedGroup) fullest() string {
	return slices.MaxFunc(g.rows, func(a, b *loggedRows) int { return cmp.Compare(a.rated, b.rated) }).metric
}

// mostly returns the rows that most metrics have.
func mostly(list []*loggedRows) *loggedRows {
	return slices.MaxFunc(list, func(a, b *loggedRows) int { return cmp.Compare(a.metrics, b.metrics) })
}

// fewRecords is too few records for an interval.
const fewRecords = 4

// covered describes the records of a group of metrics, and says for how many seconds their
// rates are known.
func covered(times, breaks []pcp.Time) (c api.Coverage, rated float64) {
	slices.Sort(times)
	times = analysis.WithoutCrowded(times, breaks)
	c = api.Coverage{Samples: len(times), First: times[0], Last: times[len(times)-1], Examples: []string{}}
	var steps []float64 // without those across breaks
	for i := 1; i < len(times); i++ {
		d := times[i].Since(times[i-1])
		if at, _ := slices.BinarySearch(breaks, times[i-1]+1); at == len(breaks) || breaks[at] > times[i] {
			steps, rated = append(steps, d), rated+d
		}
		if d > c.Longest {
			c.Longest, c.At = d, times[i-1]
		}
	}
	usual := trend.Median(slices.Clone(steps))
	if len(steps) < fewRecords-1 || usual <= 0 { // logged once, or whenever a logger starts
		c.Longest, c.At = 0, 0
		return c, rated
	}
	c.Interval, c.Mean = roundInterval(usual), rated/float64(len(steps))
	var off []float64 // deviations from the interval, of records on schedule
	for i, d := range steps {
		if d < 1.5*usual {
			off = append(off, math.Abs(d-c.Interval))
			continue
		}
		around := usualAround(i, len(steps), func(k int) pcp.Time { return pcp.Time(steps[k] * 1e9) }) // it may have been changed
		c.Missed += max(int(math.Round(d/max(usual, float64(around)/1e9)))-1, 0)
	}
	if slices.Sort(off); len(off) > 0 {
		c.Jitter = off[(len(off)*95+99)/100-1]
	}
	return c, rated
}

// round are intervals that loggers are typically configured with, times a power
// of ten.
var round = []float64{1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10}

// roundInterval rounds an interval to the nearby configured one, as timers are
// late: 50 ms is distinguished from 100 ms, but from ten seconds on a tenth of
// a second is precise enough.
func roundInterval(seconds float64) float64 {
	if seconds >= 10 {
		return math.Round(seconds*10) / 10
	}
	power := math.Pow10(-int(math.Floor(math.Log10(seconds))))
	for _, v := range round {
		if math.Abs(seconds*power-v) < 0.02*v {
			return v / power
		}
	}
	return math.Round(seconds*power*100) / 100 / power
}

// everyText says in words how often something was logged.
func everyText(interval float64) string {
	if interval >= 1 && interval < 10 {
		return strconv.FormatFloat(interval, 'f', -1, 64) + " s"
	}
	return analysis.FormatDuration(interval)
}

// leading returns the group that is most typical of the logger: of the groups
// with many metrics, the one logged most often. It returns nil if nothing is
// logged.
func leading(groups []api.Coverage) *api.Coverage {
	g := largest(groups)
	for i := range groups {
		if o := &groups[i]; o.Interval > 0 && o.Metrics > 20 && o.Interval < g.Interval {
			g = o
		}
	}
	return g
}

// largest returns the largest group of metrics, which are in that order. What was
// logged once, however much it is, counts only where nothing was logged again.
func largest(groups []api.Coverage) *api.Coverage {
	for i := range groups {
		if groups[i].Interval > 0 {
			return &groups[i]
		}
	}
	if len(groups) == 0 {
		return nil
	}
	return &groups[0]
}

// late reports samples missing from regular ones.
func (src *source) late(groups []api.Coverage) []api.Finding {
	var list []api.Finding
	find := func(start, end pcp.Time, rule, text string) {
		list = append(list, api.Finding{Level: "know", Resource: "Collector", Start: start, End: end, Rule: rule, Text: text, Metrics: []string{}, Dashboard: "collector", Times: 1, Cost: end.Since(start)})
	}
	if len(groups) == 0 {
		return list
	}
	g := *leading(groups)
	if g.Interval > 0 && g.Longest > 1.5*g.Interval && g.Missed > 0 {
		gaps := src.gaps()
		within := func(t pcp.Time) bool { return t >= g.At && t <= g.At+pcp.Time(g.Longest*1e9) }
		inGap := slices.ContainsFunc(gaps.stretches, func(x api.Gap) bool { return within(x.Start) }) || slices.ContainsFunc(gaps.marks, within)
		end := g.At + pcp.Time(g.Longest*1e9)
		switch every := everyText(g.Interval); {
		case inGap, g.Longest >= minOutage && g.Longest >= 3*g.Interval: // reported as an outage
		case g.Longest > 20*g.Interval:
			find(g.At, end, "an interval stretched by more than half", fmt.Sprintf("Nothing was recorded for %s, where samples come every %s", analysis.FormatDuration(g.Longest), every))
		case g.Missed == 1:
			find(g.At, end, "an interval stretched by more than half", fmt.Sprintf("One sample is missing from those that come every %s", every))
		default:
			find(g.At, end, "an interval stretched by more than half", fmt.Sprintf("%s samples are missing from those that come every %s; the longest break lasted %s", analysis.Decimals(float64(g.Missed), 0), every, analysis.FormatDuration(g.Longest)))
		}
	}
	return list
}
