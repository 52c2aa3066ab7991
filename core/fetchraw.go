package core

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/budget"
	"pcpscope/core/derived"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// fetchRaw answers with the observations as they were logged. The time axis
// is the union of the metrics' own times; where a metric was not logged its
// columns have no value.
func (s *Session) fetchRaw(ctx context.Context, src *source, q api.Query, w window, read []readWindow, led bool) (*api.Frame, error) {
	out := &api.Frame{Start: w.from, Columns: []api.Column{}}
	marks := src.markTimes()
	keep := instanceFilter(q.Instances)
	x := src.extent()
	x.use(read)
	if q.Partial {
		src.look(ctx, &x, w.from, w.to)
	}
	src.tellExtent(out, w, &x)
	re, err := s.statistics(q, src, w)
	if err != nil {
		return nil, err
	}
	e := &evaluation{src: src, extent: x, room: s.memory.Claim(0)}
	defer e.done()
	re.begin(ctx, e, q.Convert == "rate")
	raws := make([]interp.Raw, len(q.Metrics))
	faults := make([]error, len(q.Metrics))
	for i, name := range q.Metrics {
		if err := src.session.proceed(ctx); err != nil {
			return nil, err
		}
		if _, known := src.lookup(name); led && !known {
			var line timeline
			if line, faults[i] = src.observed(ctx, name, w, x, false, true); faults[i] == nil {
				raws[i] = interp.Logged(line.obs, w.from, w.to)
			}
		} else if raws[i], faults[i] = src.raw(name, w, x, e.room); faults[i] == nil && q.Convert == "rate" {
			raws[i] = interp.RawRate(raws[i], marks, interp.Options{})
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
		if len(out.Columns)*len(times)+values > maxPoints || e.room.Take(perValue*int64(values)) != nil {
			e.done() // the fault tells of what was left before
			return nil, src.session.tooMany(" values", "fewer metrics or a shorter window")
		}
		raw := &raws[i]
		f := series.Frame{Desc: raw.Desc, Blobs: raw.Blobs}
		for _, v := range raw.Vectors {
			f.Vectors = append(f.Vectors, spread(v, where[i], len(times)))
		}
		cols := columns(name, &f, keep)
		if cols, err = re.add(out, name, f.Desc, cols, keep); err != nil {
			return nil, err
		}
		if eventful(f.Desc.Type) {
			src.unpackEvents(cols, &f)
		}
		if len(cols) == 0 && !noneOf(q.Instances, f.Desc) {
			cols = []api.Column{{Metric: name, Units: f.Desc.Units.String(), Type: typeName(f.Desc.Type),
				Semantics: f.Desc.Sem.String(), Fault: src.whyEmpty(name, q.Instances, f)}}
		}
		out.Columns = append(out.Columns, cols...)
	}
	src.entitle(out.Columns)
	reduce(out, q.Pixels)
	return out, nil
}

// raw returns what was logged of a metric, or what an expression makes of
// that at every moment when one of its operands was logged. What it keeps is
// claimed from room.
func (src *source) raw(name string, w window, x extent, room *budget.Claim) (interp.Raw, error) {
	if ms, known := src.lookup(name); known {
		obs := src.timeline(ms, x).obs
		values := loggedValues(obs, w) // where instances come and go, most of these are none
		if values > maxPoints || room.Take(perValue*int64(values)) != nil {
			room.Release() // the fault tells of what was left before
			return interp.Raw{}, src.session.tooMany(" values", "fewer metrics or a shorter window")
		}
		raw := interp.Logged(obs, w.from, w.to)
		room.Take(-int64(perValue*values - 10*len(raw.Vectors)*len(raw.Times))) // what is kept of it
		src.inDom(raw.Desc.InDom).give(raw.Vectors)
		return raw, nil
	}
	b, err := src.bind(name)
	if err != nil {
		return interp.Raw{}, err
	}
	o := loggedOperands{src: src, frames: map[string]*series.Frame{}}
	raws := make([]interp.Raw, len(b.Operands))
	for i, operand := range b.Operands {
		if raws[i], err = src.raw(operand, w, x, room); err != nil {
			return interp.Raw{}, err
		}
	}
	times, where := interp.Union(raws)
	for i, operand := range b.Operands {
		f := &series.Frame{Desc: raws[i].Desc, Blobs: raws[i].Blobs}
		for _, v := range raws[i].Vectors {
			f.Vectors = append(f.Vectors, spread(v, where[i], len(times)))
		}
		o.frames[operand] = f
	}
	f, err := b.EvalAt(times, o)
	if err != nil {
		return interp.Raw{}, err
	}
	src.inDom(f.Desc.InDom).give(f.Vectors)
	return interp.Raw{Desc: f.Desc, Times: times, Vectors: f.Vectors, Blobs: f.Blobs}, nil
}

// loggedValues returns how many values columns of all instances over all rows
// of a window have.
func loggedValues(obs []*series.Observations, w window) int {
	rows, insts := 0, map[int32]bool{}
	for _, o := range obs {
		if o == nil {
			continue
		}
		from, _ := slices.BinarySearch(o.Times, w.from)
		to, _ := slices.BinarySearch(o.Times, w.to+1)
		rows += max(0, to-from)
		for i := range o.Series {
			insts[o.Series[i].Inst] = true
		}
	}
	return rows * len(insts)
}

// loggedOperands gives an expression operands as they were logged.
type loggedOperands struct {
	src    *source
	frames map[string]*series.Frame
}

func (o loggedOperands) Frame(metric string) (*series.Frame, error) { return o.frames[metric], nil }

func (o loggedOperands) Instances(id pcp.InDom) []derived.Member { return o.src.members(id) }

// spread puts a vector on a longer time axis; where says at which places.
func spread(v series.Vector, where []int32, n int) series.Vector {
	out := series.Vector{Inst: v.Inst, Name: v.Name, Vals: make([]uint64, n), Why: make([]series.Why, n)}
	for i := range out.Why {
		out.Why[i] = series.NotLogged
	}
	for i, at := range where {
		out.Vals[at], out.Why[at] = v.Vals[i], v.Missing(i)
		if c, ok := v.Codes[i]; ok {
			if out.Codes == nil {
				out.Codes = map[int]pcp.Code{}
			}
			out.Codes[int(at)] = c
		}
	}
	return out
}
