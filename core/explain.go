package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/dashboard"
	"pcpscope/core/departures"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

const (
	minScore     = 1.0 // score of a row
	maxRows      = 12  // rows
	maxWith      = 20  // other series that a row names
	maxMoves     = 5   // series that are said to move with one
	maxJudged    = 200 // commands with most CPU time that are considered
	maxCommands  = 5   // of a resource, and of those that began
	maxGroups    = 3   // processes, users and cgroups of a resource
	minShare     = 0.05
	minWaiting   = 10   // percent of the time that a command is in state D: with few samples, a single one means little
	maxInstances = 2000 // of a metric: with more, a single one means little
)

// Explain says what was unusual in a window, by comparing it with other periods of the
// same source. It waits until the source has been read.
func (s *Session) Explain(ctx context.Context, q api.ExplainQuery, progress func(api.Progress)) (api.Explanation, error) {
	out := api.Explanation{Rows: []api.ExplanationRow{}, Who: []api.ResourceUse{}, Began: []api.StartedCommand{}, Text: []string{}}
	src, err := s.source(q.Source)
	if err != nil {
		return out, err
	}
	if q.Points == 0 {
		q.Points = 120
	}
	if err := checkPoints(q.Points); err != nil {
		return out, err
	}
	w, err := s.windowOnceRead(ctx, src, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return out, err
	}
	first, last, err := src.sampled(ctx)
	if err != nil {
		return out, err
	}
	switch {
	case first >= last && w.from <= first && w.to >= last:
		out.Start, out.End, out.From = w.from, w.to, w.from
		out.Why = "Everything was recorded at one moment, so there is nothing to compare."
		return out, nil
	case w.to == w.from:
		return out, pcp.Faultf(pcp.BadArgument, "The window is a single moment, which has nothing to compare.")
	case w.to <= first || w.from >= last:
		return out, nothingRecorded(first, last)
	}
	w = window{max(w.from, first), min(w.to, last)}
	out.Start, out.End = w.from, w.to
	host, err := src.floors(ctx, w.to)
	if err != nil {
		return out, err
	}
	e := explanation{Session: s, ctx: ctx, src: src, window: w, out: &out, host: host, pace: s.newPace(ctx), claim: s.memory.Claim(0)}
	defer e.claim.Release()
	if err := e.compare(first, last); err != nil || len(out.Rows) == 0 {
		return out, err
	}
	if err := e.draw(first, q.Points); err != nil {
		return out, err
	}
	e.consumers()
	e.sentences()
	return out, e.pace.ended
}

// An explanation is being computed.
type explanation struct {
	pace *pace
	*Session
	window
	ctx      context.Context
	src      *source
	host     departures.Host
	out      *api.Explanation
	restarts string // of the logger, and what they cost
	rows     []departures.Row[*departed]
	interval int64         // of records, in nanoseconds
	claim    *budget.Claim // for what processes used
}

// A departed series left its usual range.
type departed struct {
	metric  string
	ref     *api.InstanceRef
	command string   // whose CPU time it is, instead of a metric
	line    timeline // of this series alone, where it is in a row
	units   pcp.Units
	fine    []float64 // see draw
}

func (d *departed) name() string {
	switch {
	case d.command != "":
		return d.command
	case d.ref == nil:
		return d.metric
	}
	return d.metric + "[" + d.ref.Name + "]"
}

// compare finds what differs from other periods of the source.
func (e *explanation) compare(first, last pcp.Time) error {
	length, within, before, after := departures.Stretches(int64(first), int64(e.from), int64(e.to), int64(last))
	e.out.Stretches, e.out.Length = before+after, float64(length)/1e9
	switch n := before + after; {
	case n == 0:
		e.out.Why = "The window is the whole recording, so there is nothing to compare it with: choose a shorter one."
		return nil
	case n < departures.MinStretches:
		e.out.Why = fmt.Sprintf("There are only %d other periods to compare the window with; %d are needed: choose a shorter one.", n, departures.MinStretches)
		return nil
	}
	grid := series.Grid{Start: e.from - pcp.Time(int64(before)*length), Step: length, Count: before + within + after + 1}
	interval, err := e.src.loggingInterval(e.ctx)
	if err != nil {
		return err
	}
	if length < interval*9/10 {
		e.out.Why = fmt.Sprintf("The recording is too short: it would be compared in periods of %s, and records come every %s.", analysis.FormatDuration(float64(length)/1e9), analysis.FormatDuration(float64(interval)/1e9))
		if within == 1 {
			e.out.Why = fmt.Sprintf("The window is shorter than the %s from one record to the next: choose a longer one.", analysis.FormatDuration(float64(interval)/1e9))
		}
		return nil
	}
	recording, _ := e.src.recording(float64(interval) / 1e9)
	if e.restarts, err = e.src.restartsIn(e.ctx, e.window, recording.Outages); err != nil {
		return err
	}
	kept := recordedOf(grid, recording.Outages)
	var list []departures.Candidate[*departed]
	looked, measured, periods := 0, 0, 0 // series; those with a mean of the window; the number of other periods that the best recorded one has a mean of
	h := hostSeries{e.Session, e.ctx, e.src, e.host, grid, e.pace, true, true, new(interp.Memory), make([]archive.Buffer, len(e.src.parts))}
	if err := h.each(0, func(d departed, kind departures.Kind, r *interp.Reduced) error {
		looked++
		was, others, early := split(r, kept, before, within, e.out.Length)
		if !math.IsNaN(was) {
			measured, periods = measured+1, max(periods, len(others))
		}
		found, far := departures.FindDeparture(was, others, early, kind)
		if !far && r.End != nil && !math.IsNaN(was) { // the mean of a rise lies between the levels before and after it
			changes, early := changesOf(r, kept, before, within, e.out.Length)
			found, far = departures.FindChange(r.End[before], r.End[before+within], within, changes, early, kind)
		}
		if far {
			list = append(list, departures.Candidate[*departed]{Kind: kind, Departure: found, Series: &d})
		}
		return nil
	}); err != nil {
		return err
	}
	if err := e.judgeCommands(grid, func(u *analysis.CommandUse) {
		was, others, early := split(&interp.Reduced{Values: u.Values, Lasted: u.Lasted}, kept, before, within, e.out.Length)
		if found, far := departures.FindDeparture(was, others, early, commandKind(e.host)); far {
			list = append(list, departures.Candidate[*departed]{Kind: commandKind(e.host), Departure: found, Series: &departed{command: u.Command}})
		}
	}); err != nil {
		return err
	}
	e.rows = slices.DeleteFunc(departures.Rows(list), func(r departures.Row[*departed]) bool { return r.Score < minScore })
	e.rows = e.rows[:min(len(e.rows), maxRows)]
	for i := range e.rows {
		if d := e.rows[i].Best; d.command == "" {
			ms, _ := e.src.lookup(d.metric)
			d.line = e.src.judged(ms, e.src.extent()).of(d.ref)
		}
		e.out.Rows = append(e.out.Rows, e.row(&e.rows[i]))
	}
	switch {
	case looked == 0:
		e.out.Why = "No relevant metric changes."
	case measured == 0:
		e.out.Why = "No relevant metric was recorded for at least half of the window."
		if e.restarts != "" {
			e.out.Why, e.restarts = e.out.Why+" "+e.restarts+".", ""
		}
	case periods < departures.MinStretches:
		e.out.Why = fmt.Sprintf("Only %d other periods have enough data to compare the window with; %d are needed.", periods, departures.MinStretches)
	case len(e.rows) == 0:
		e.out.Text = append(e.out.Text, fmt.Sprintf("Nothing in the window was unlike the %d other periods of %s.", periods, analysis.FormatDuration(e.out.Length)))
		e.restarted()
	}
	return nil
}

// restarted adds what restarts of the logger cost.
func (e *explanation) restarted() {
	if e.restarts != "" {
		e.out.Text = append(e.out.Text, e.restarts+".")
	}
}

// commandKind is how the CPU time of a command is judged: as a series of the CPUs,
// ranked behind the host's own.
func commandKind(h departures.Host) departures.Kind {
	return departures.Kind{Subject: departures.Subject{Family: "cpu", Name: "CPU"}, Rank: 2, Tier: 1, Floor: max(1, h.CPUs)}
}

// judgeCommands calls visit with the CPU time of each command, including estimates for
// its processes that are in no sample.
func (e *explanation) judgeCommands(grid series.Grid, visit func(u *analysis.CommandUse)) error {
	p, err := e.src.accounts(e.ctx)
	if p == nil || err != nil {
		return err
	}
	if err := e.claim.Take(16 * maxJudged * int64(grid.Count)); err != nil {
		return err
	}
	list := p.TopCommandUse(grid, maxJudged, e.pace.worked)
	p.AddEstimates(grid, list)
	for i := range list {
		if e.pace.worked(oneSeries + grid.Count) {
			break
		}
		visit(&list[i])
	}
	return e.pace.ended
}

// gridded are means on a grid, or last values.
type gridded struct {
	grid     series.Grid
	how      interp.Reduction
	pace     *pace
	reducers map[string]*interp.Reducer // by timeline.key
	lasted   bool                       // Lasted is filled in
	memory   *interp.Memory             // reused for results that are no longer needed; nil if they may still be
}

func (e *explanation) on(grid series.Grid) *gridded {
	return &gridded{grid, interp.Mean, e.pace, map[string]*interp.Reducer{}, false, nil}
}

// of returns those of all instances of a metric.
func (g *gridded) of(line timeline) []interp.Reduced {
	red := g.reducers[line.key]
	if red == nil {
		red = interp.NewReducer(line.segs, g.grid, g.grid.At(g.grid.Count-1), g.how, interp.Options{Stop: g.pace.each(g.grid.Count)}).Reusing(g.memory)
		if g.how == interp.Mean {
			red.MeansOnly()
		}
		if g.lasted {
			red.Lasting()
		}
		g.reducers[line.key] = red
	}
	return red.Metric(line.obs)
}

// series returns the means of a departed series; nil if there are none.
func (g *gridded) series(d *departed) []float64 {
	for _, one := range g.of(d.line) {
		if d.ref == nil || one.Inst == d.ref.ID {
			return one.Values
		}
	}
	return nil
}

// split separates the mean of the window, which covers some steps in the middle, from the
// means of the other periods. Steps of which less than half is known do not count. early
// is how many of the others were before the window. recorded is how many seconds of each
// step were recorded, since values are interpolated across outages, too.
func split(r *interp.Reduced, recorded []float64, before, within int, length float64) (was float64, others []float64, early int) {
	sum, lasted := 0.0, 0.0
	for i, v := range r.Values[1:] {
		known := min(r.Lasted[i+1], recorded[i])
		switch {
		case i >= before && i < before+within:
			if known > 0 {
				sum, lasted = sum+v*known, lasted+known
			}
		case known >= length/2:
			others = append(others, v)
			if i < before {
				early++
			}
		}
	}
	if lasted < float64(within)*length/2 {
		return math.NaN(), others, early
	}
	return sum / lasted, others, early
}

// changesOf are the changes of a level over the other periods, as split has their means.
func changesOf(r *interp.Reduced, recorded []float64, before, within int, length float64) (others []float64, early int) {
	for i, v := range r.End[1:] {
		if i >= before && i < before+within || min(r.Lasted[i+1], recorded[i]) < length/2 {
			continue
		}
		others = append(others, v-r.End[i])
		if i < before {
			early++
		}
	}
	return others, early
}

// recordedOf returns how many seconds of each step were recorded.
func recordedOf(grid series.Grid, outages []api.Outage) []float64 {
	list := make([]float64, grid.Count-1)
	for i := range list {
		list[i] = float64(grid.Step) / 1e9
	}
	for _, o := range outages {
		for i := max(0, int(int64(o.Start-grid.Start)/grid.Step)); i < len(list) && grid.At(i) < o.End; i++ {
			list[i] -= max(0, min(grid.At(i+1), o.End).Since(max(grid.At(i), o.Start)))
		}
	}
	return list
}

// row converts a subject to a row of the answer.
func (e *explanation) row(r *departures.Row[*departed]) api.ExplanationRow {
	d := r.Best
	called := dashboard.NameOf(d.metric)
	if d.command != "" {
		called = dashboard.Name{Text: "CPU time", Unit: "%"}
	}
	titles := titling{src: e.src}
	x := api.ExplanationRow{
		Family: r.Family, Subject: strings.TrimSpace(r.Name + " " + r.Of), Metric: d.metric, Instance: d.ref, Command: d.command, Name: called.Text, Unit: called.Unit, Units: d.units.String(),
		Was: r.Was, Usual: r.Usual, Low: r.Low, High: r.High, Beyond: r.Beyond, Score: r.Score, Values: []float64{}, With: []string{}, Moves: []api.Correlation{},
	}
	if r.Changed {
		x.Changed = &api.FromTo{From: r.From, To: r.To}
	}
	if d.ref != nil {
		x.Title = titles.of(d.metric, d.ref.Name)
	}
	for _, o := range r.All[:min(len(r.All), maxWith)] {
		x.With = append(x.With, o.name())
	}
	return x
}

// draw reads the series of the rows at a finer resolution, from half the window's length
// before it, to find when they left their range and what moves with them.
func (e *explanation) draw(first pcp.Time, points int) error {
	interval, err := e.src.loggingInterval(e.ctx)
	if err != nil {
		return err
	}
	e.interval = max(1, interval)
	lead := max((e.to-e.from)/2, pcp.Time(20*e.interval))
	from := max(first, e.from-lead)
	step := max(e.interval, int64(e.to-from)/int64(points))
	grid := series.Grid{Start: from, Step: step, Count: int(int64(e.to-from)/step) + 1}
	e.out.From, e.out.Step = from, float64(step)/1e9
	means := e.on(grid)
	begins := int((int64(e.from-from) + step - 1) / step)
	for i := range e.rows {
		if err := e.proceed(e.ctx); err != nil {
			return err
		}
		r := &e.rows[i]
		r.Best.fine = e.finely(r.Best, means)
		e.out.Rows[i].Values = r.Best.fine
		if at := departures.Onset(r.Best.fine, begins, r.Departure); at > 0 || at == 0 && from == first { // else it began before what was looked at
			since := e.refined(r, grid, at)
			e.out.Rows[i].Since = &since
		}
	}
	commands := e.commands(grid)
	for i := range e.rows {
		if err := e.proceed(e.ctx); err != nil {
			return err
		}
		e.relate(i, commands)
	}
	return nil
}

// finely returns the means of a series at that resolution.
func (e *explanation) finely(d *departed, means *gridded) []float64 {
	if d.command == "" {
		vals := means.series(d)
		ofCPUs(e.host, d.metric, means.grid, vals)
		return vals
	}
	p, err := e.src.accounts(e.ctx)
	if p == nil || err != nil {
		return nil
	}
	list := p.UseByCommand(means.grid, []string{d.command}, e.pace.worked)
	p.AddEstimates(means.grid, list)
	if len(list) == 0 {
		return nil
	}
	return list[0].Values
}

// loggingInterval is the interval at which most metrics are logged, in nanoseconds; 0 if there is
// none.
func (src *source) loggingInterval(ctx context.Context) (int64, error) {
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return 0, err
	}
	defer src.insight.mu.Unlock()
	if err := src.survey(ctx); err != nil {
		return 0, err
	}
	if g := leading(src.insight.coverage); g != nil {
		return int64(g.Interval * 1e9), nil
	}
	return 0, nil
}

// commands are those that used most CPU time, on a grid.
func (e *explanation) commands(grid series.Grid) []analysis.CommandUse {
	const limit = 40
	p, _ := e.src.accounts(e.ctx)
	if p == nil {
		return nil
	}
	used, err := p.Consumers("cpu", "command", limit, pcp.Span{Start: grid.Start, End: e.to}, e.claim.Take)
	if err != nil || e.claim.Take(8*limit*int64(grid.Count)) != nil {
		return nil
	}
	var names []string
	for _, c := range used.Series {
		if c.Kind == "named" && c.Mean > 0 {
			names = append(names, c.Name)
			e.begun(c, used.Times, grid.Start)
		}
	}
	sorting.Stable(e.out.Began, func(a, b api.StartedCommand) int { return cmp.Compare(b.CPU, a.CPU) })
	e.out.Began = e.out.Began[:min(len(e.out.Began), maxCommands)]
	return p.UseByCommand(grid, names, e.pace.worked)
}

// begun notes a command that used nothing before the window.
func (e *explanation) begun(c api.Consumer, times []float64, start pcp.Time) {
	seen, sum, n := false, 0.0, 0
	var at pcp.Time
	earlier := 0
	for i, v := range c.Values {
		t := start + pcp.Time(times[i]*1e9)
		switch {
		case t <= e.from:
			earlier++
			seen = seen || v > 0
		case v == v:
			if v > 0 && sum == 0 {
				at = t
			}
			sum, n = sum+v, n+1
		}
	}
	if !seen && earlier >= 3 && sum > 0 && sum/float64(n) >= 1 {
		e.out.Began = append(e.out.Began, api.StartedCommand{Command: c.Name, At: at, CPU: sum / float64(n)})
	}
}

// relate says what moves with a row.
func (e *explanation) relate(i int, commands []analysis.CommandUse) {
	own := e.rows[i].Best
	ranks := departures.RanksOf(own.fine)
	var list []api.Correlation
	add := func(series, command string, vals []float64) {
		if r, moves := ranks.MovesWith(departures.RanksOf(vals)); moves {
			list = append(list, api.Correlation{Series: series, Command: command, Rho: r.Rho, Lag: float64(r.Lag) * e.out.Step})
		}
	}
	for k := range e.rows {
		if d := e.rows[k].Best; k != i && d.command == "" {
			add(d.name(), "", d.fine)
		}
	}
	for _, c := range commands {
		if c.Command != own.command {
			add("", c.Command, c.Values)
		}
	}
	sorting.Stable(list, func(a, b api.Correlation) int { return cmp.Compare(math.Abs(b.Rho), math.Abs(a.Rho)) })
	e.out.Rows[i].Moves = append(e.out.Rows[i].Moves, list[:min(len(list), maxMoves)]...)
	e.out.Rows[i].MovesText = movesText(e.out.Rows[i].Moves, e.out.Step)
}

// floors returns the facts about the host, as it was at a time, on which the floors of
// departures depend.
func (src *source) floors(ctx context.Context, at pcp.Time) (departures.Host, error) {
	h, p := src.host(ctx)
	defer p.release()
	host := departures.Host{CPUs: h.CPUsAt(at), MeanCPUs: h.MeanCPUs(), Memory: h.MemoryAt(at)}
	for _, s := range h.Clock.Steps {
		host.Set = append(host.Set, pcp.Span{Start: s.Before, End: s.At})
	}
	return host, p.ended
}
