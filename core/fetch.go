package core

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/derived"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Fetch answers a query for values. It waits until the queried stretch of time
// has been read. A missing metric or instance gives a column with a fault;
// Fetch returns an error only if the query as a whole makes no sense.
func (s *Session) Fetch(ctx context.Context, q api.Query, progress func(api.Progress)) (*api.Frame, error) {
	return s.fetch(ctx, q, false, progress)
}

// fetch implements Fetch. If led is set, an expression in raw mode has a value
// whenever its leading operand was logged, whether or not the others were: see
// observedOf. The answer then begins with the setting in effect when the window starts.
func (s *Session) fetch(ctx context.Context, q api.Query, led bool, progress func(api.Progress)) (*api.Frame, error) {
	src, err := s.source(q.Source)
	if err != nil {
		return nil, err
	}
	if q.Pixels < 0 || q.Count < 0 {
		return nil, pcp.Faultf(pcp.BadArgument, "The number of points, pixels or count, must not be negative.")
	}
	resolve := s.window
	if q.Count > 0 { // such a grid begins where it was asked for
		resolve = s.unlimited
	}
	w, err := resolve(src, q.Start, q.End, q.Zone)
	if err != nil {
		return nil, err
	}
	if q.Read != "" {
		q.Partial = q.Read == "preview"
	}
	read, err := src.readFor(ctx, q, w, progress)
	if err != nil {
		return nil, err
	}
	if w, err = resolve(src, q.Start, q.End, q.Zone); err != nil { // again, as the end may not have been known before
		return nil, err
	}
	switch q.Mode {
	case "", "interp":
		return s.fetchGrid(ctx, src, q, w, read)
	case "raw":
		if w.to < w.from {
			return nil, w.reversed()
		}
		return s.fetchRaw(ctx, src, q, w, read, led)
	}
	return nil, pcp.Faultf(pcp.BadArgument, "The mode %q is neither \"interp\" nor \"raw\".", q.Mode)
}

// maxPoints is the most points that one query may ask for.
const maxPoints = 50_000_000

func (s *Session) fetchGrid(ctx context.Context, src *source, q api.Query, w window, read []readWindow) (*api.Frame, error) {
	grid, err := gridOf(q, w)
	if err != nil {
		return nil, err
	}
	rate := false
	switch q.Convert {
	case "", "none":
	case "rate":
		rate = true
	default:
		return nil, pcp.Faultf(pcp.BadArgument, "The conversion %q is neither \"none\" nor \"rate\".", q.Convert)
	}
	re, err := s.reduction(q, src, w, &grid)
	if err != nil {
		return nil, err
	}
	out := &api.Frame{Start: grid.Start, Times: gridTimes(grid), Columns: []api.Column{}, Step: float64(grid.Step) / 1e9}
	out.Marks = src.marksAfter(grid.Start, grid.Start, grid.At(grid.Count-1), out.Times)
	keep := instanceFilter(q.Instances)
	e := src.newEvaluation(grid)
	defer e.done()
	e.gaps, e.ctx = q.Gaps, ctx
	re.begin(ctx, e, rate)
	e.extent.use(read)
	if q.Partial {
		if err := src.look(ctx, &e.extent, w.from, w.to); err != nil {
			return nil, err
		}
	}
	src.reportExtent(out, w, &e.extent)
	for _, name := range q.Metrics {
		if err := src.session.proceed(ctx); err != nil {
			return nil, err
		}
		frame, err := e.frame(name)
		if e.ended != nil {
			return nil, e.ended
		}
		if err != nil {
			out.Columns = append(out.Columns, api.Column{Metric: name, Fault: pcp.AsFault(err)})
			continue
		}
		if rate {
			if frame = interp.Rate(frame, interp.Options{Stop: e.paused}); e.ended != nil {
				return nil, e.ended
			}
		}
		_, logged := src.lookup(name) // an expression may share its values with others
		cols := columns(name, &frame, keep, logged, e.paused)
		if e.ended != nil {
			return nil, e.ended
		}
		if cols, err = re.add(out, name, frame.Desc, cols, keep); err != nil {
			return nil, err
		}
		if len(cols) == 0 && !noneOf(q.Instances, frame.Desc) {
			cols = []api.Column{{Metric: name, Units: frame.Desc.Units.String(), Type: typeName(frame.Desc.Type),
				Semantics: frame.Desc.Sem.String(), Fault: src.whyEmpty(name, q.Instances, frame)}}
		}
		if len(out.Columns) == 0 && len(cols) > 0 {
			out.Columns = cols
		} else {
			out.Columns = append(out.Columns, cols...)
		}
		if !e.keep(len(out.Columns) * grid.Count) {
			e.done() // first: the fault states how much memory is left
			return nil, s.tooMany(" values", "fewer metrics, a shorter window or a longer interval")
		}
	}
	src.addTitles(out.Columns, e.paused)
	if chart.Reduce(out, q.Pixels, e.paused); e.ended != nil {
		return nil, e.ended
	}
	return out, nil
}

// whyEmpty explains why a metric has no column at all.
func (src *source) whyEmpty(name string, instances []string, f series.Frame) *pcp.Fault {
	if len(instances) > 0 && f.Desc.InDom != pcp.NullInDom {
		known, asked := src.inDom(f.Desc.InDom), instanceFilter(instances)
		for _, in := range known.list {
			if in.Name != "" && asked(in.Name) {
				return pcp.Faultf(pcp.UnknownInstance, "%s has no values of the instance %s in this window.", name, in.Name)
			}
		}
		return pcp.Faultf(pcp.UnknownInstance, "%s has no instance %s.", name, instances[0])
	}
	if e, err := derived.Parse(name); err == nil && len(e.Names()) > 0 && !slices.Contains(e.Names(), name) {
		if why := src.noInstanceOf(e); why != "" {
			return pcp.Faultf(pcp.UnknownInstance, "%s", why)
		}
		return pcp.Faultf(pcp.UnknownInstance, "There are not enough values in this window to compute this from %s.", listed(e.Names()))
	}
	return pcp.Faultf(pcp.UnknownInstance, "%s has no values in this window.", name)
}

// noInstanceOf says which part of an expression selects no instance, or that its parts
// select none in common; "" otherwise.
func (src *source) noInstanceOf(e *derived.Expr) (why string) {
	first, several := "", false
	derived.Walk(e.Root, func(n derived.Node) {
		var of derived.Node
		var selects func(name string) bool
		before, after := "", ""
		switch n := n.(type) {
		case *derived.Select:
			of, selects, after = n.X, instanceFilter([]string{n.Instance}), " has no instance "+n.Instance
			several = several || first != "" && first != n.Instance
			first = n.Instance
		case *derived.Match:
			of, selects, before, after = n.X, n.Selects, "No instance of ", " is selected by "+n.String()
		}
		metric, is := of.(*derived.Name)
		if !is || why != "" {
			return
		}
		m, known := src.lookup(metric.Name)
		if !known || descOf(m).InDom == pcp.NullInDom {
			return
		}
		if !slices.ContainsFunc(src.inDom(descOf(m).InDom).list, func(in instance) bool { return selects(in.Name) }) {
			why = before + metric.Name + after + "."
		}
	})
	if why == "" && several {
		why = "The parts of this expression have no instance in common; scalar() makes one value of one instance."
	}
	return why
}

// noneOf reports whether a list of instances excludes a metric that has none.
func noneOf(instances []string, d pcp.Desc) bool {
	return instances != nil && len(instances) == 0 && d.InDom != pcp.NullInDom
}

// instanceFilter returns a predicate for the requested instances; nil means
// all. A name may be given in full or up to its first blank, as libpcp looks
// instances up. See spec/interp.md section 9.
func instanceFilter(instances []string) func(name string) bool {
	if instances == nil {
		return nil
	}
	return func(name string) bool {
		return slices.ContainsFunc(instances, func(want string) bool { return want == name || want == firstWord(name) }) || name == ""
	}
}

func firstWord(s string) string {
	for i := range len(s) {
		if s[i] == ' ' {
			return s[:i]
		}
	}
	return s
}

// gridTimes returns the times of the grid in seconds after its start.
func gridTimes(g series.Grid) []float64 {
	times := make([]float64, g.Count)
	for i := range times {
		times[i] = float64(int64(i)*g.Step) / 1e9
	}
	return times
}
