package interp

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// Raw holds the observations of one metric as they were logged: what a context
// in record mode returns. Vectors have one entry for each of Times:
// InstanceAbsent if the record lacks the instance, ErrorLogged if it has an
// error code instead of values.
type Raw struct {
	Desc    pcp.Desc
	Times   []pcp.Time // of the metric's records, ascending
	Vectors []series.Vector
	Blobs   series.Blobs
}

// Logged returns what the archives of a context logged of a metric between two
// times, both included. obs is as for Fetcher.Frame; if archives disagree about
// the type or units, values are converted as there. Marks neither appear nor
// have an effect. See spec/interp.md section 10.
func Logged(obs []*series.Observations, from, to pcp.Time, opt Options) Raw {
	desc, known := latest(obs)
	frame := series.Frame{Desc: desc}
	if !known {
		return Raw{Desc: desc}
	}
	join := newJoin(obs, &frame)
	records, slot := recordsOf(obs, from, to)
	raw := Raw{Desc: frame.Desc, Times: make([]pcp.Time, len(records))}
	for i, r := range records {
		raw.Times[i] = r.time
	}
	cursor := make([]int, len(obs))
	for _, inst := range instances(obs) {
		if opt.Stop != nil && opt.Stop(0) {
			return raw
		}
		v := series.Vector{Inst: inst, Vals: make([]uint64, len(records)), Why: make([]series.Why, len(records))}
		fillWhy(v.Why, series.InstanceAbsent)
		any := false
		for i, o := range obs {
			if o == nil {
				continue
			}
			for cursor[i] < len(o.Series) && o.Series[cursor[i]].Inst < inst {
				cursor[i]++
			}
			if at := cursor[i]; at < len(o.Series) && o.Series[at].Inst == inst {
				any = place(&v, o.Series[at].Runs, slot[i], join, i) || any
			}
		}
		if any {
			raw.Vectors = append(raw.Vectors, v)
		}
	}
	if len(raw.Vectors) == 0 && desc.InDom == pcp.NullInDom && len(records) > 0 {
		v := series.Vector{Inst: pcp.NoInstance, Vals: make([]uint64, len(records)), Why: make([]series.Why, len(records))}
		fillWhy(v.Why, series.InstanceAbsent)
		raw.Vectors = append(raw.Vectors, v)
	}
	raw.Blobs = frame.Blobs
	for i, r := range records {
		if r.code == 0 {
			continue
		}
		for k := range raw.Vectors {
			setCode(&raw.Vectors[k], i, series.ErrorLogged, r.code)
		}
	}
	return raw
}

// A record is one row or void of a metric.
type record struct {
	time pcp.Time
	seg  int
	row  int // -1 for a void
	code pcp.Code
}

// slots maps the rows of a segment to records: row r is at[r-first].
type slots struct {
	first int
	at    []int32
}

func recordsOf(obs []*series.Observations, from, to pcp.Time) ([]record, []slots) {
	var all []record
	slot := make([]slots, len(obs))
	for seg, o := range obs {
		if o == nil {
			continue
		}
		r0, r1 := before(o.Times, from), upTo(o.Times, to)
		slot[seg] = slots{r0, make([]int32, max(r1-r0, 0))}
		for r := r0; r < r1; r++ {
			all = append(all, record{o.Times[r], seg, r, 0})
		}
		for _, v := range o.Voids {
			if v.Time >= from && v.Time <= to {
				all = append(all, record{v.Time, seg, -1, v.Code})
			}
		}
	}
	sorting.Stable(all, func(a, b record) int {
		switch {
		case a.time < b.time:
			return -1
		case a.time > b.time:
			return 1
		}
		return 0
	})
	for i, r := range all {
		if r.row >= 0 {
			slot[r.seg].at[r.row-slot[r.seg].first] = int32(i)
		}
	}
	return all, slot
}

// place writes the observations of one series and reports whether there were
// any.
func place(v *series.Vector, runs []series.Run, slot slots, join *join, seg int) (any bool) {
	end := slot.first + len(slot.at)
	for k := max(0, runAt(runs, uint32(slot.first))); k < len(runs); k++ {
		a, b := max(int(runs[k].Row&series.RowNum), slot.first), end
		if k+1 < len(runs) {
			b = min(b, int(runs[k+1].Row&series.RowNum))
		}
		if a >= end {
			break
		}
		if runs[k].Row&series.Gone != 0 {
			continue
		}
		one, why := [1]uint64{runs[k].Val}, [1]series.Why{}
		if runs[k].Row&series.Failed == 0 && join.converts(seg) {
			join.convert(seg, one[:], why[:])
		}
		for r := a; r < b; r++ {
			i := int(slot.at[r-slot.first])
			any = true
			if runs[k].Row&series.Failed != 0 {
				setCode(v, i, series.NotConvertible, pcp.Code(int32(runs[k].Val)))
			} else {
				v.Vals[i], v.Why[i] = one[0], why[0]
			}
		}
	}
	return any
}

func setCode(v *series.Vector, i int, why series.Why, code pcp.Code) {
	v.Why[i] = why
	if v.Codes == nil {
		v.Codes = map[int]pcp.Code{}
	}
	v.Codes[i] = code
}

// RawRate converts the observations of a counter to rates: at each one the
// growth since the instance's previous observation, as Rate computes it, unless
// one of the marks lies between them. Metrics of other semantics are returned
// unchanged. Rate does the same between points of a grid, where values are
// interpolated.
func RawRate(raw Raw, marks []pcp.Time, opt Options) Raw {
	if raw.Desc.Sem != pcp.Counter || !raw.Desc.Type.Numeric() {
		return raw
	}
	out := Raw{Desc: rateDesc(raw.Desc), Times: raw.Times, Vectors: make([]series.Vector, len(raw.Vectors))}
	scale, wrap := perSecond(raw.Desc.Units), overflow(raw.Desc.Type, opt)
	cuts := make([]int, len(raw.Times)) // marks up to each time
	for i, t := range raw.Times {
		cuts[i] = upTo(marks, t)
	}
	level := make([]float64, len(raw.Times))
	for k, in := range raw.Vectors {
		if opt.Stop != nil && opt.Stop(0) {
			break
		}
		v := series.Vector{Inst: in.Inst, Name: in.Name, Codes: in.Codes, Vals: make([]uint64, len(in.Vals)), Why: make([]series.Why, len(in.Vals))}
		copy(v.Why, in.Why) // nil if no value is missing, as in results of an expression
		floats(level, in.Vals, raw.Desc.Type)
		last := -1
		for i := range level {
			if in.Missing(i) != series.HasValue {
				continue
			}
			if last < 0 || cuts[last] != cuts[i] || raw.Times[last] == raw.Times[i] {
				v.Why[i] = series.NoPrevious
			} else if d := level[i] - level[last]; d < 0 && wrap == 0 {
				v.Why[i] = series.WentBackwards
			} else {
				if d < 0 {
					d += wrap
				}
				v.Vals[i] = math.Float64bits(d / (scale * raw.Times[i].Since(raw.Times[last])))
			}
			last = i
		}
		out.Vectors[k] = v
	}
	return out
}

// Union returns the ascending union of several metrics' times, and for each
// metric the indexes of its times in it. A time that a metric has twice occurs
// once.
func Union(raws []Raw) (times []pcp.Time, where [][]int32) {
	for _, r := range raws {
		times = append(times, r.Times...)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	where = make([][]int32, len(raws))
	for k, r := range raws {
		where[k] = make([]int32, len(r.Times))
		at := 0
		for i, t := range r.Times {
			for times[at] < t {
				at++
			}
			where[k][i] = int32(at)
		}
	}
	return times, where
}
