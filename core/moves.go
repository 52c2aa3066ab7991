package core

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

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
	movesSteps    = 1 << 11 // maximum number of steps of a window
	movesCommands = 200     // commands with the most CPU time
	maxMovers     = 100     // rows
	minChanges    = 2       // of the number of processes: one start alone correlates with anything that rises
	nearRho       = 0.05    // a layer that correlates better by this much is a row of its own
	moverBytes    = 1 << 9  // of one, without its values
	// A less direct metric represents its subject only if it correlates better
	// by this much, by rank: see departures.Kind.
	rhoARank = 0.01
)

// Moves says which series, and the CPU time of which commands, move with a
// series in a window, by Spearman's rank correlation at lags of up to
// departures.MaxLag steps. It waits until the source has been read.
func (s *Session) Moves(ctx context.Context, q api.MovesQuery, progress func(api.Progress)) (api.Moves, error) {
	out := api.Moves{Rows: []api.Mover{}, Series: api.Mover{Values: []float64{}, With: []string{}}}
	src, err := s.source(q.Source)
	if err != nil {
		return out, err
	}
	if q.Points == 0 {
		q.Points = 120
	}
	if q.Limit == 0 {
		q.Limit = 12
	}
	if err := checkPoints(q.Points); err != nil {
		return out, err
	}
	if q.Limit < 1 || q.Limit > maxMovers {
		return out, pcp.Faultf(pcp.BadArgument, "The limit, %d, is not between 1 and %d.", q.Limit, maxMovers)
	}
	w, err := s.windowOnceRead(ctx, src, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return out, err
	}
	first, last, err := src.sampled(ctx)
	if err != nil {
		return out, err
	}
	out.Start, out.End = w.from, w.to
	if w.to < first || w.from > last {
		out.From = w.from
		out.Why = "Nothing was recorded in this window."
		return out, nil
	}
	w = window{max(w.from, first), min(w.to, last)}
	out.Start, out.End, out.From = w.from, w.to, w.from
	host, err := src.floors(ctx, w.to)
	if err != nil {
		return out, err
	}
	m := moving{Session: s, ctx: ctx, src: src, window: w, out: &out, host: host, pace: s.newPace(ctx), claim: s.memory.Claim(0), bySubject: map[departures.Subject]*mover{}}
	defer m.claim.Release()
	if err := m.find(q); err != nil {
		return out, err
	}
	return out, m.pace.ended
}

// A moving is an answer of Moves being computed.
type moving struct {
	pace *pace
	*Session
	window
	ctx   context.Context
	src   *source
	host  departures.Host
	out   *api.Moves
	claim *budget.Claim

	grid    series.Grid
	merged  int              // steps of it that make one of a small chart
	own     departures.Ranks // of the series that was asked about
	command string           // whose CPU time it is, or ""
	ref     *api.InstanceRef // its instance, or nil
	// Its subject, and the metrics that it is computed from.
	subjects  []departures.Subject
	bySubject map[departures.Subject]*mover
}

// A mover is a row being computed.
type mover struct {
	departed
	kind     departures.Kind
	measure  string // of a command: "CPU time" or "processes"
	relation departures.Relation
	score    float64 // in its subject
	values   []float64
	with     []string
}

// find finds what moves with a series.
func (m *moving) find(q api.MovesQuery) error {
	own, err := m.asked(q)
	if err != nil || own == nil {
		return err
	}
	m.forget(own)
	known := 0
	for _, v := range own {
		if v == v {
			known++
		}
	}
	if known > 0 {
		m.out.Series.Values = coarse(own, m.merged)
	}
	if m.own = departures.RanksOf(own); known < departures.MinPairs {
		m.out.Why = "There are too few values of the series in this window: " + pcp.Grouped(departures.MinPairs) + " are needed."
		return nil
	} else if m.own == nil {
		m.out.Why = "The series has the same value nearly throughout this window, so it cannot be said what moves with it."
		return nil
	}
	if err := m.metrics(q.Metric, m.ref); err != nil {
		return err
	}
	if err := m.commands(); err != nil {
		return err
	}
	m.rows(q.Limit)
	switch {
	case m.out.Looked == 0:
		m.out.Why = "No other metric changes in this window that could be compared with the series."
	case len(m.out.Rows) == 0:
		m.out.Why = "None of " + pcp.Grouped(m.out.Looked) + " other series moves with this one by more than chance."
	}
	return nil
}

// asked returns the values of the series that was asked about, on the grid that it
// makes; nil if there are too few.
func (m *moving) asked(q api.MovesQuery) ([]float64, error) {
	if q.Command != "" {
		return m.askedCommand(q)
	}
	line, err := m.src.observed(m.ctx, q.Metric, m.window, m.src.extent(), true, false)
	if err != nil {
		return nil, err
	}
	desc := descOfLine(line)
	if !desc.Type.Numeric() {
		return nil, pcp.Faultf(pcp.BadArgument, "%s has no numbers.", q.Metric)
	}
	ref, err := m.instance(q, line, desc)
	if err != nil {
		return nil, err
	}
	m.ref = ref
	m.describe(q.Metric, ref, desc)
	if fits, err := m.divide(line.times(m.from, m.to), q.Points); !fits || err != nil {
		return nil, err
	}
	own := (&gridded{m.grid, interp.Mean, m.pace, map[string]*interp.Reducer{}, false, nil}).series(&departed{line: line, ref: ref})
	return own, m.pace.ended
}

// askedCommand is asked of the CPU time of a command.
func (m *moving) askedCommand(q api.MovesQuery) ([]float64, error) {
	if q.Metric != "" {
		return nil, pcp.Faultf(pcp.BadArgument, "What moves with a metric or with a command can be asked, not with both.")
	}
	p, err := m.src.accounts(m.ctx)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, pcp.Faultf(pcp.BadArgument, "No processes were logged, so the CPU time of %s is not known.", q.Command)
	}
	m.command = q.Command
	kind := moverKind(q.Command, 0)
	m.subjects = []departures.Subject{kind.Subject}
	m.out.Series = m.row(&mover{departed: departed{command: q.Command}, measure: "CPU time", kind: kind, relation: departures.Relation{Rho: 1}})
	m.out.Series.Values = []float64{}
	if fits, err := m.divide(p.Times(pcp.Span{Start: m.from, End: m.to}), q.Points); !fits || err != nil {
		return nil, err
	}
	for _, u := range p.UseByCommand(m.grid, []string{q.Command}, m.pace.worked) {
		return u.Values, m.pace.ended
	}
	return nil, m.pace.ended
}

// instance finds the one that was asked about; nil for a single value.
func (m *moving) instance(q api.MovesQuery, line timeline, desc pcp.Desc) (*api.InstanceRef, error) {
	if desc.InDom == pcp.NullInDom {
		return nil, nil
	}
	names := m.src.inDom(desc.InDom)
	var found, only *api.InstanceRef
	for _, o := range line.obs {
		if o == nil {
			continue
		}
		for i := range o.Series {
			ref := api.InstanceRef{ID: o.Series[i].Inst, Name: text(names.nameOf(o.Series[i].Inst))}
			if ref.Name == q.Instance {
				found = &ref
			}
			if only != nil && only.ID != ref.ID && q.Instance == "" {
				return nil, pcp.Faultf(pcp.BadArgument, "%s has several instances: say which.", q.Metric)
			}
			only = &ref
		}
	}
	if q.Instance == "" {
		found = only
	}
	if found == nil {
		return nil, pcp.Faultf(pcp.BadArgument, "%s has no instance %q.", q.Metric, q.Instance)
	}
	return found, nil
}

// describe notes the subject of the series that was asked about.
func (m *moving) describe(metric string, ref *api.InstanceRef, desc pcp.Desc) {
	instance := ""
	if ref != nil {
		instance = ref.Name
	}
	names := []string{metric}
	if _, logged := m.src.lookup(metric); !logged {
		if b, err := m.src.bind(metric); err == nil {
			names = b.Operands
		}
	}
	units := interp.SummaryUnits(desc)
	for _, name := range names {
		if kind, relevant := departures.KindOf(name, units, m.host); relevant {
			m.subjects = append(m.subjects, kind.Instance(instance).Subject)
		}
	}
	x := m.row(&mover{departed: departed{metric: metric, ref: ref, units: units}, relation: departures.Relation{Rho: 1}})
	if len(m.subjects) > 0 {
		x.Family, x.Subject = m.subjects[0].Family, strings.TrimSpace(m.subjects[0].Name+" "+m.subjects[0].Of)
	}
	x.Values = []float64{}
	m.out.Series = x
}

// divide makes the grid: with a step for each record, or longer steps in long
// windows. False means that there are too few records.
func (m *moving) divide(rows []pcp.Time, points int) (bool, error) {
	m.out.Why = "There are too few samples of the series in this window: " + pcp.Grouped(departures.MinPairs) + " are needed."
	var apart []int64
	for i := 1; i < len(rows); i++ {
		if m.pace.worked(1) {
			return false, m.pace.ended
		}
		apart = append(apart, int64(rows[i]-rows[i-1]))
	}
	if len(apart) < departures.MinPairs {
		return false, nil
	}
	slices.Sort(apart)
	interval, err := m.src.loggingInterval(m.ctx)
	if err != nil {
		return false, err
	}
	if usual := apart[len(apart)/2]; usual > interval*3/2 {
		interval = usual
	}
	length := int64(m.to - m.from)
	if interval = max(1, interval); length/interval < departures.MinPairs {
		return false, nil
	}
	step := max(interval, (length+movesSteps-1)/movesSteps)
	m.grid = series.Grid{Start: m.from, Step: step, Count: int(length/step) + 1}
	m.merged = (m.grid.Count + points - 1) / points
	m.out.Resolution = float64(step) / 1e9
	m.out.Step = m.out.Resolution * float64(m.merged)
	m.out.Why = ""
	return true, m.claim.Take(stepBytes * int64(m.grid.Count))
}

// forget removes what was interpolated where nothing was recorded.
func (m *moving) forget(vals []float64) {
	recording, _ := m.src.recording(m.out.Resolution)
	outages := recording.Outages
	if len(vals) == 0 || len(outages) == 0 {
		return
	}
	for i, lasted := range recordedOf(m.grid, outages) {
		if lasted < m.out.Resolution/2 {
			vals[i+1] = math.NaN()
		}
	}
}

// metrics compares the metrics of the host.
func (m *moving) metrics(metric string, ref *api.InstanceRef) error {
	h := hostSeries{m.Session, m.ctx, m.src, m.host, m.grid, m.pace, false, false, nil, make([]archive.Buffer, len(m.src.parts))}
	return h.each(0, func(d departed, kind departures.Kind, r *interp.Reduced) error {
		if d.metric == metric && (ref == nil || d.ref != nil && d.ref.ID == ref.ID) {
			return nil
		}
		return m.compare(&mover{departed: d, kind: kind}, r.Values)
	})
}

// moverKind is what the CPU time, or for a higher rank the number of processes, of a
// command says.
func moverKind(command string, rank int) departures.Kind {
	return departures.Kind{Subject: departures.Subject{Family: "processes", Name: command, Of: "command"}, Rank: rank}
}

// commands compares the CPU time of commands, and the number of their processes:
// a script that waits for what it started uses no CPU time.
func (m *moving) commands() error {
	p, err := m.src.accounts(m.ctx)
	if p == nil || err != nil {
		return err
	}
	if err := m.claim.Take(8 * movesCommands * int64(m.grid.Count)); err != nil {
		return err
	}
	for _, u := range p.TopCommandUse(m.grid, movesCommands, m.pace.worked) {
		if u.Command == m.command {
			continue
		}
		if err := m.compare(&mover{departed: departed{command: u.Command}, measure: "CPU time", kind: moverKind(u.Command, 0)}, u.Values); err != nil {
			return err
		}
	}
	p.EachPresence(m.grid, m.pace.worked, func(command string, vals []float64) {
		changes := 0
		for i := range vals {
			if i > 0 && vals[i] == vals[i] && vals[i-1] == vals[i-1] && vals[i] != vals[i-1] {
				changes++
			}
		}
		if err == nil && changes >= minChanges {
			err = m.compare(&mover{departed: departed{command: command}, measure: "processes", kind: moverKind(command, 2)}, vals)
		}
	})
	return cmp.Or(err, m.pace.ended)
}

// compare keeps a series if it moves with the one that was asked about.
func (m *moving) compare(x *mover, vals []float64) error {
	if m.pace.worked(oneSeries + (2*departures.MaxLag+9)*len(vals)) {
		return m.pace.ended
	}
	ranks := departures.RanksOf(vals)
	if ranks == nil {
		return nil
	}
	m.out.Looked++
	var moves bool
	x.relation, moves = m.own.MovesWith(ranks)
	rho := math.Abs(x.relation.Rho)
	if rho >= departures.MinRho && m.pace.worked(16*len(vals)) || !moves {
		return m.pace.ended
	}
	x.score = rho - rhoARank*float64(x.kind.Rank)
	best := m.bySubject[x.kind.Subject]
	if best != nil {
		if best.score >= x.score {
			if x.command == "" {
				best.with = append(best.with, x.name())
			}
			return m.claim.Take(moverBytes)
		}
		if x.with = best.with; x.command == "" {
			x.with = append(x.with, best.name())
		}
	}
	m.bySubject[x.kind.Subject] = x
	x.values = coarse(vals, m.merged)
	if m.merged == 1 {
		x.values = slices.Clone(vals)
	}
	return m.claim.Take(moverBytes + 8*int64(len(x.values)))
}

// same reports whether a row has the subject of the series itself.
func (m *moving) same(k departures.Kind) bool {
	return slices.ContainsFunc(m.subjects, func(s departures.Subject) bool { return s == k.Subject || k.Layer && s.Family == k.Family })
}

// rows puts the most similar series into the answer.
func (m *moving) rows(limit int) {
	list := make([]*mover, 0, len(m.bySubject))
	for _, x := range m.bySubject {
		list = append(list, x)
	}
	sorting.Stable(list, func(a, b *mover) int {
		return cmp.Or(cmp.Compare(math.Abs(b.relation.Rho), math.Abs(a.relation.Rho)), cmp.Compare(a.kind.Name, b.kind.Name), cmp.Compare(a.kind.Of, b.kind.Of))
	})
	var below []api.Mover
	for i, x := range list {
		if x == nil {
			continue
		}
		for k, o := range list { // what it repeats
			if k != i && o != nil && x.says(o) {
				x.with, list[k] = append(append(x.with, o.name()), o.with...), nil
			}
		}
	}
	for _, x := range list {
		if x == nil {
			continue
		}
		row := m.row(x)
		row.Same = m.same(x.kind)
		switch {
		case row.Same && len(below) < limit:
			below = append(below, row)
		case !row.Same && len(m.out.Rows) < limit:
			m.out.Rows = append(m.out.Rows, row)
		}
	}
	m.out.Rows = append(m.out.Rows, below[:min(len(below), limit-len(m.out.Rows))]...)
}

// says reports whether a row repeats another one: a layer repeats its device,
// and commands that come and go together are one job.
func (x *mover) says(o *mover) bool {
	if x.measure == "processes" && o.measure == "processes" {
		return x.relation == o.relation && slices.EqualFunc(x.values, o.values, func(a, b float64) bool { return a == b || a != a && b != b })
	}
	return x.command == "" && o.command == "" && !x.kind.Layer && o.kind.Layer && x.kind.Family == o.kind.Family && math.Abs(x.relation.Rho) >= math.Abs(o.relation.Rho)-nearRho
}

// row converts a mover to a row of the answer.
func (m *moving) row(x *mover) api.Mover {
	out := api.Mover{
		Family: x.kind.Family, Subject: strings.TrimSpace(x.kind.Name + " " + x.kind.Of), Metric: x.metric, Instance: x.ref, Command: x.command,
		Rho: x.relation.Rho, Lag: float64(x.relation.Lag) * m.out.Resolution, Values: x.values, With: []string{},
	}
	if x.command != "" {
		if out.Subject, out.Name = x.command, x.measure; x.measure == "CPU time" {
			out.Unit = "%"
		}
	} else {
		called := dashboard.NameOf(x.metric)
		out.Name, out.Unit, out.Units = called.Text, called.Unit, x.units.String()
	}
	if x.ref != nil {
		titles := titling{src: m.src}
		out.Title = titles.of(x.metric, x.ref.Name)
	}
	slices.Sort(x.with)
	out.With = append(out.With, x.with[:min(len(x.with), maxWith)]...)
	return out
}
