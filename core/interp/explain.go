package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// explain refines the reasons for missing values by what is known besides the
// observations: error codes that were logged instead, and unreadable records.
// Vectors are in the order of the grid.
func (f *Fetcher) explain(obs []*series.Observations, out *series.Frame) {
	for i := range f.axis.stretch {
		st := &f.axis.stretch[i]
		if o := obs[st.seg]; o != nil && hasCodes(o.Voids) && !st.outside {
			for g := st.g0; g < st.g1; g++ {
				if code := nearestCode(o, st, f.axis.at[g]); code != 0 {
					f.blame(out.Vectors, g, series.ErrorLogged, code)
				}
			}
		}
	}
	list := f.axis.stretch
	for i := 0; i < len(list); { // one segment at a time: there may be many holes and stretches
		seg, g0, g1 := list[i].seg, list[i].g0, list[i].g1
		for ; i < len(list) && list[i].seg == seg; i++ {
			g1 = max(g1, list[i].g1)
		}
		for _, h := range f.segs[seg].Holes {
			for g := max(g0, before(f.axis.at, h.Start)); g < g1 && f.axis.at[g] <= h.End; g++ {
				f.blame(out.Vectors, g, h.Why, 0)
			}
		}
	}
}

// blame sets the reason of every vector that has no value at an ascending
// point.
func (f *Fetcher) blame(vs []series.Vector, g int, why series.Why, code pcp.Code) {
	if f.axis.grid.Step < 0 {
		g = len(f.axis.at) - 1 - g
	}
	for i := range vs {
		v := &vs[i]
		if w := v.Missing(g); w == series.HasValue || w == series.NotConvertible {
			continue
		}
		v.Why[g] = why
		if code != 0 {
			if v.Codes == nil {
				v.Codes = map[int]pcp.Code{}
			}
			v.Codes[g] = code
		}
	}
}

func hasCodes(voids []series.Void) bool {
	for _, v := range voids {
		if v.Code != 0 {
			return true
		}
	}
	return false
}

// nearestCode returns the error code in the metric's nearest record before or
// after t; 0 if these records hold values or lie beyond a cut.
func nearestCode(o *series.Observations, st *stretch, t pcp.Time) pcp.Code {
	after := voidsUpTo(o.Voids, t)
	row := upTo(o.Times, t)
	var past, next series.Void
	if after > 0 {
		past = o.Voids[after-1]
		if past.Time < st.from || row > 0 && o.Times[row-1] > past.Time {
			past.Code = 0
		}
	}
	if after < len(o.Voids) {
		next = o.Voids[after]
		if next.Time > st.to || row < len(o.Times) && o.Times[row] < next.Time {
			next.Code = 0
		}
	}
	if past.Code == 0 || next.Code != 0 && next.Time-t < t-past.Time {
		return next.Code
	}
	return past.Code
}

func voidsUpTo(voids []series.Void, t pcp.Time) int {
	lo, hi := 0, len(voids)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); voids[mid].Time <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
