package interp

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A join combines the values of archives that disagree about a metric's type or
// units, and the strings of all, in one frame.
type join struct {
	desc  pcp.Desc // of the frame
	parts []joined
	blobs *series.Blobs // of the frame; nil if the parts' own can be used
}

// joined is the conversion of one segment's values.
type joined struct {
	act   action
	typ   pcp.Type
	scale pcp.Scale
	blobs *series.Blobs
	moved map[uint64]uint64 // index of a blob in the segment -> in the frame
}

type action uint8

const (
	asIs     action = iota
	widen           // number to another type, perhaps other units
	copied          // blob, to be added to the frame's
	hopeless        // no conversion exists
)

// newJoin determines type and units of the frame and writes them to it.
func newJoin(obs []*series.Observations, out *series.Frame) *join {
	j := &join{parts: make([]joined, len(obs))}
	blobs, sameUnits := 0, true
	for _, o := range obs {
		if o == nil {
			continue
		}
		out.Desc.Type = common(o.Desc.Type, out.Desc.Type)
		sameUnits = sameUnits && o.Desc.Units == out.Desc.Units
		if o.Blobs.Len() > 0 {
			blobs++
			out.Blobs = o.Blobs
		}
	}
	if !sameUnits && out.Desc.Type.Numeric() {
		out.Desc.Type = pcp.Double
	}
	if blobs > 1 {
		out.Blobs = series.Blobs{}
		j.blobs = &out.Blobs
	}
	j.desc = out.Desc
	for i, o := range obs {
		if o != nil {
			j.parts[i] = j.plan(o)
		}
	}
	return j
}

// common returns the type that holds values of both: the wider integer, or
// DOUBLE. For a number and a string there is none; the later descriptor's type
// is used.
func common(a, b pcp.Type) pcp.Type {
	switch {
	case a == b || !a.Numeric() || !b.Numeric():
		return b
	case !a.Integer() || !b.Integer():
		return pcp.Double
	case a == pcp.Uint64 || b == pcp.Uint64:
		if a == pcp.Uint32 || b == pcp.Uint32 {
			return pcp.Uint64
		}
		return pcp.Double
	}
	return pcp.Int64
}

func (j *join) plan(o *series.Observations) joined {
	p := joined{typ: o.Desc.Type}
	switch {
	case o.Desc.Type == j.desc.Type && !o.Desc.Type.Numeric():
		if j.blobs != nil {
			p.act, p.blobs, p.moved = copied, &o.Blobs, map[uint64]uint64{}
		}
	case o.Desc.Type.Numeric() != j.desc.Type.Numeric() || !o.Desc.Type.Numeric():
		p.act = hopeless
	case o.Desc.Units != j.desc.Units:
		scale, ok := pcp.ScaleOf(o.Desc.Units, j.desc.Units)
		p.act, p.scale = widen, scale
		if !ok {
			p.act = hopeless
		}
	case o.Desc.Type != j.desc.Type:
		p.act = widen
	}
	return p
}

// converts reports whether values of a segment must go through convert.
func (j *join) converts(seg int) bool { return j.parts[seg].act != asIs }

// convert changes a segment's values in place and returns how many were lost.
func (j *join) convert(seg int, vals []uint64, why []series.Why) (lost int) {
	p := &j.parts[seg]
	for i, v := range vals {
		if why[i] != series.HasValue {
			continue
		}
		switch p.act {
		case widen:
			if j.desc.Type == pcp.Double {
				x := series.Float(p.typ, v)
				if p.scale != (pcp.Scale{}) {
					x = p.scale.Float64(x)
				}
				vals[i] = math.Float64bits(x)
			} // integers are stored in the widened form already
		case copied:
			at, ok := p.moved[v]
			if !ok {
				at = j.blobs.Add(p.blobs.At(v))
				p.moved[v] = at
			}
			vals[i] = at
		case hopeless:
			vals[i], why[i] = 0, series.NotConvertible
			lost++
		}
	}
	return lost
}
