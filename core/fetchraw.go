package core

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/chart"
	"pcpscope/core/derived"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// fetchRaw answers with the observations as they were logged. The time axis is
// the union of the metrics' own times; at times when a metric was not logged
// its columns have no value.
func (s *Session) fetchRaw(ctx context.Context, src *source, q api.Query, w window, read []readWindow, led bool) (*api.Frame, error) {
	out := &api.Frame{Start: w.from, Columns: []api.Column{}}
	x := src.extent()
	x.use(read)
	if q.Partial {
		if err := src.look(ctx, &x, w.from, w.to); err != nil {
			return nil, err
		}
	}
	src.reportExtent(out, w, &x)
	f := rawFetch{s: s, src: src, q: q, keep: instanceFilter(q.Instances), out: out,
		raws: make([]interp.Raw, len(q.Metrics)), faults: make([]error, len(q.Metrics))}
	lines := make([]timeline, len(q.Metrics)) // of expressions, if led
	if led {
		own := w
		for i, name := range q.Metrics {
			if _, known := src.lookup(name); !known {
				lines[i], f.faults[i] = src.observed(ctx, name, own, x, false, true)
			}
			w.from = min(w.from, src.neededFrom(name, lines[i], own, x, q.Convert))
		}
		out.Start = w.from
	}
	var err error
	if f.re, err = s.statistics(q, src, w); err != nil {
		return nil, err
	}
	f.e = &evaluation{src: src, extent: x, claim: s.memory.Claim(0)}
	defer f.e.done()
	f.re.begin(ctx, f.e, q.Convert == "rate")
	f.pace = s.newPace(ctx)
	if err := f.observe(ctx, w, x, lines, led); err != nil {
		return nil, err
	}
	times, where := interp.Union(f.raws)
	out.Times = make([]float64, len(times))
	for i, t := range times {
		out.Times[i] = float64(t-w.from) / 1e9
	}
	out.Marks = src.marksAfter(w.from, w.from, w.to, out.Times)
	for i, name := range q.Metrics {
		if f.faults[i] != nil {
			out.Columns = append(out.Columns, api.Column{Metric: name, Fault: pcp.AsFault(f.faults[i])})
			continue
		}
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		cols, err := f.columns(name, &f.raws[i], where[i], len(times))
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, cols...)
	}
	src.addTitles(out.Columns, f.pace.each(0))
	if chart.Reduce(out, q.Pixels, f.pace.each(len(times))); f.pace.ended != nil {
		return nil, f.pace.ended
	}
	return out, nil
}

// A rawFetch is what the parts of fetchRaw share.
type rawFetch struct {
	s      *Session
	src    *source
	q      api.Query
	keep   func(instance string) bool
	out    *api.Frame
	e      *evaluation
	re     *reduction
	pace   *pace
	raws   []interp.Raw // by metric of the query
	faults []error      // by metric, why it has none
}

// observe reads the observations of all metrics in w, converted as asked for.
func (f *rawFetch) observe(ctx context.Context, w window, x readState, lines []timeline, led bool) error {
	marks := f.src.markTimes()
	for i, name := range f.q.Metrics {
		if err := f.s.proceed(ctx); err != nil {
			return err
		}
		if _, known := f.src.lookup(name); !led || known {
			f.raws[i], f.faults[i] = f.src.raw(name, w, x, f.e.claim, f.pace)
		} else if f.faults[i] == nil {
			f.raws[i] = f.src.rawOf(lines[i], w, f.pace)
		}
		if f.faults[i] == nil && f.q.Convert == "rate" {
			f.raws[i] = interp.RawRate(f.raws[i], marks, interp.Options{Stop: f.pace.each(len(f.raws[i].Times))})
		}
		if f.pace.ended != nil {
			return f.pace.ended
		}
	}
	return nil
}

// columns returns a metric's columns on the common axis of n times, on which
// where has the places of its own observations. A metric that has nothing to
// show is one column that says why.
func (f *rawFetch) columns(name string, raw *interp.Raw, where []int32, n int) ([]api.Column, error) {
	values := len(raw.Vectors) * n
	if len(f.out.Columns)*n+values > maxPoints || f.e.claim.Take(valueBytes*int64(values)) != nil {
		f.e.done() // first: the fault states how much memory is left
		return nil, f.s.tooMany(" values", "fewer metrics or a shorter window")
	}
	frame := series.Frame{Desc: raw.Desc, Blobs: raw.Blobs}
	stop := f.pace.each(n)
	for _, v := range raw.Vectors {
		if stop(0) {
			return nil, f.pace.ended
		}
		frame.Vectors = append(frame.Vectors, spread(v, where, n))
	}
	cols := columns(name, &frame, f.keep, true, stop)
	if f.pace.ended != nil {
		return nil, f.pace.ended
	}
	cols, err := f.re.add(f.out, name, frame.Desc, cols, f.keep)
	if err != nil {
		return nil, err
	}
	if frame.Desc.Type.Events() {
		f.src.unpackEvents(cols, &frame)
	}
	if len(cols) == 0 && !noneOf(f.q.Instances, frame.Desc) {
		cols = []api.Column{{Metric: name, Units: frame.Desc.Units.String(), Type: typeName(frame.Desc.Type),
			Semantics: frame.Desc.Sem.String(), Fault: f.src.whyEmpty(name, f.q.Instances, frame)}}
	}
	return cols, nil
}

// raw returns what was logged of a metric, or the value of an expression at
// every moment when one of its operands was logged. It claims the memory of the
// result.
func (src *source) raw(name string, w window, x readState, claim *budget.Claim, p *pace) (interp.Raw, error) {
	if ms, known := src.lookup(name); known {
		obs := src.timelineIn(src.buffersFor(w), ms, x).obs
		values := loggedValues(obs, w) // mostly empty if instances come and go
		if values > maxPoints || claim.Take(valueBytes*int64(values)) != nil {
			claim.Release() // first: the fault states how much memory is left
			return interp.Raw{}, src.session.tooMany(" values", "fewer metrics or a shorter window")
		}
		raw := interp.Logged(obs, w.from, w.to, p.over(obs))
		if p.ended != nil {
			return raw, p.ended
		}
		claim.Take(-int64(valueBytes*values - 10*len(raw.Vectors)*len(raw.Times))) // only the result is kept
		src.inDom(raw.Desc.InDom).setNames(raw.Vectors)
		return raw, nil
	}
	b, err := src.bind(name)
	if err != nil {
		return interp.Raw{}, err
	}
	o := loggedOperands{src: src, frames: map[string]*series.Frame{}}
	raws := make([]interp.Raw, len(b.Operands))
	for i, operand := range b.Operands {
		if raws[i], err = src.raw(operand, w, x, claim, p); err != nil {
			return interp.Raw{}, err
		}
	}
	times, where := interp.Union(raws)
	for i, operand := range b.Operands {
		f := &series.Frame{Desc: raws[i].Desc, Blobs: raws[i].Blobs}
		for _, v := range raws[i].Vectors {
			if p.worked(oneSeries + len(times)) {
				return interp.Raw{}, p.ended
			}
			f.Vectors = append(f.Vectors, spread(v, where[i], len(times)))
		}
		o.frames[operand] = f
	}
	f, err := b.EvalAt(times, o)
	if err != nil {
		return interp.Raw{}, err
	}
	src.inDom(f.Desc.InDom).setNames(f.Vectors)
	return interp.Raw{Desc: f.Desc, Times: times, Vectors: f.Vectors, Blobs: f.Blobs}, nil
}

// rawOf returns the values of an expression that are laid out as if they had been logged.
func (src *source) rawOf(line timeline, w window, p *pace) interp.Raw {
	raw := interp.Logged(line.obs, w.from, w.to, p.over(line.obs))
	src.inDom(raw.Desc.InDom).setNames(raw.Vectors)
	if !slices.ContainsFunc(line.obs, func(o *series.Observations) bool { return o != nil && o.Backward }) {
		return raw
	}
	for _, v := range raw.Vectors {
		for i, why := range v.Why {
			if why == series.InstanceAbsent { // such values need the record before as well
				v.Why[i] = series.NoPrevious
			}
		}
	}
	return raw
}

// buffersFor returns buffers for one metric, without the values of parts outside a
// window.
func (src *source) buffersFor(w window) []archive.Buffer {
	buffers := make([]archive.Buffer, len(src.parts))
	read := src.whole()
	for i, p := range src.parts {
		buffers[i].Voids = true
		buffers[i].TimesOnly = read && (p.End() < w.from || p.Start() > w.to)
	}
	return buffers
}

// loggedValues returns how many cells the columns of all instances over all
// rows of a window have.
func loggedValues(obs []*series.Observations, w window) int {
	rows, insts := 0, map[int32]bool{}
	alone := 0 // instances of the only part
	for _, o := range obs {
		if o == nil {
			continue
		}
		from, _ := slices.BinarySearch(o.Times, w.from)
		to, _ := slices.BinarySearch(o.Times, w.to+1)
		rows += max(0, to-from)
		if len(obs) == 1 {
			alone = len(o.Series)
			break
		}
		for i := range o.Series {
			insts[o.Series[i].Inst] = true
		}
	}
	return rows * (alone + len(insts))
}

// loggedOperands supplies an expression with operands as they were logged.
type loggedOperands struct {
	src    *source
	frames map[string]*series.Frame
}

func (o loggedOperands) Frame(metric string) (*series.Frame, error) { return o.frames[metric], nil }

func (o loggedOperands) Instances(id pcp.InDom) []derived.Member { return o.src.members(id) }

// spread puts a vector on a longer time axis; where has the new index of each
// value. Of two records of the same time the later one counts, if it has the
// instance.
func spread(v series.Vector, where []int32, n int) series.Vector {
	out := series.Vector{Inst: v.Inst, Name: v.Name, Vals: make([]uint64, n), Why: make([]series.Why, n)}
	for i := range out.Why {
		out.Why[i] = series.NotLogged
	}
	for i, at := range where {
		why := v.Missing(i)
		if why == series.InstanceAbsent && out.Why[at] != series.NotLogged {
			continue
		}
		out.Vals[at], out.Why[at] = v.Vals[i], why
		if c, ok := v.Codes[i]; ok {
			if out.Codes == nil {
				out.Codes = map[int]pcp.Code{}
			}
			out.Codes[int(at)] = c
		}
	}
	return out
}
