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
	marks := src.markTimes()
	keep := instanceFilter(q.Instances)
	x := src.extent()
	x.use(read)
	if q.Partial {
		src.look(ctx, &x, w.from, w.to)
	}
	src.reportExtent(out, w, &x)
	lines := make([]timeline, len(q.Metrics)) // of expressions, if led
	faults := make([]error, len(q.Metrics))
	if led {
		own := w
		for i, name := range q.Metrics {
			if _, known := src.lookup(name); !known {
				lines[i], faults[i] = src.observed(ctx, name, own, x, false, true)
			}
			w.from = min(w.from, src.neededFrom(name, lines[i], own, x, q.Convert))
		}
		out.Start = w.from
	}
	re, err := s.statistics(q, src, w)
	if err != nil {
		return nil, err
	}
	e := &evaluation{src: src, extent: x, claim: s.memory.Claim(0)}
	defer e.done()
	re.begin(ctx, e, q.Convert == "rate")
	p := s.newPace(ctx)
	raws := make([]interp.Raw, len(q.Metrics))
	for i, name := range q.Metrics {
		if err := src.session.proceed(ctx); err != nil {
			return nil, err
		}
		if _, known := src.lookup(name); !led || known {
			raws[i], faults[i] = src.raw(name, w, x, e.claim, p)
		} else if faults[i] == nil {
			raws[i] = src.rawOf(lines[i], w, p)
		}
		if faults[i] == nil && q.Convert == "rate" {
			raws[i] = interp.RawRate(raws[i], marks, interp.Options{Stop: p.each(len(raws[i].Times))})
		}
		if p.ended != nil {
			return nil, p.ended
		}
	}
	times, where := interp.Union(raws)
	out.Times = make([]float64, len(times))
	for i, t := range times {
		out.Times[i] = float64(t-w.from) / 1e9
	}
	out.Marks = src.marksAfter(w.from, w.from, w.to, out.Times)
	for i, name := range q.Metrics {
		if faults[i] != nil {
			out.Columns = append(out.Columns, api.Column{Metric: name, Fault: pcp.AsFault(faults[i])})
			continue
		}
		if err := src.session.proceed(ctx); err != nil {
			return nil, err
		}
		values := len(raws[i].Vectors) * len(times)
		if len(out.Columns)*len(times)+values > maxPoints || e.claim.Take(valueBytes*int64(values)) != nil {
			e.done() // first: the fault states how much memory is left
			return nil, src.session.tooMany(" values", "fewer metrics or a shorter window")
		}
		raw := &raws[i]
		f := series.Frame{Desc: raw.Desc, Blobs: raw.Blobs}
		stop := p.each(len(times))
		for _, v := range raw.Vectors {
			if stop(0) {
				return nil, p.ended
			}
			f.Vectors = append(f.Vectors, spread(v, where[i], len(times)))
		}
		cols := columns(name, &f, keep, true, stop)
		if p.ended != nil {
			return nil, p.ended
		}
		if cols, err = re.add(out, name, f.Desc, cols, keep); err != nil {
			return nil, err
		}
		if f.Desc.Type.Events() {
			src.unpackEvents(cols, &f)
		}
		if len(cols) == 0 && !noneOf(q.Instances, f.Desc) {
			cols = []api.Column{{Metric: name, Units: f.Desc.Units.String(), Type: typeName(f.Desc.Type),
				Semantics: f.Desc.Sem.String(), Fault: src.whyEmpty(name, q.Instances, f)}}
		}
		out.Columns = append(out.Columns, cols...)
	}
	src.addTitles(out.Columns, p.each(0))
	if chart.Reduce(out, q.Pixels, p.each(len(times))); p.ended != nil {
		return nil, p.ended
	}
	return out, nil
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
