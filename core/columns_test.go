package core

import (
	"math"
	"reflect"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Columns that take over a frame's memory have the same values as those that do
// not, of each type, with integers beyond what a double holds exactly.
func TestColumnsInAFramesMemory(t *testing.T) {
	neg, float := ^uint64(4), math.Float64bits(2.5)
	for _, c := range []struct {
		typ    pcp.Type
		bits   []uint64
		values []float64
		exact  any
	}{
		{pcp.Int32, []uint64{7, neg, 0, 3}, []float64{7, -5, math.NaN(), 3}, nil},
		{pcp.Double, []uint64{float, 0, float, 0}, []float64{2.5, 0, math.NaN(), 0}, nil},
		{pcp.Int64, []uint64{1, neg, 0, 1 << 53}, []float64{1, -5, math.NaN(), 1 << 53}, nil},
		{pcp.Int64, []uint64{1, neg, 0, 1<<53 + 1}, []float64{1, -5, math.NaN(), 1 << 53}, []int64{1, -5, 0, 1<<53 + 1}},
		{pcp.Int64, []uint64{1, neg, 0, ^uint64(1 << 53)}, []float64{1, -5, math.NaN(), -1 << 53}, []int64{1, -5, 0, -1<<53 - 1}},
		{pcp.Uint64, []uint64{1, 2, 0, 1<<53 + 1}, []float64{1, 2, math.NaN(), 1 << 53}, []uint64{1, 2, 0, 1<<53 + 1}},
		{pcp.Int64, []uint64{1, neg, 0, 1<<60 + 1}, []float64{1, -5, math.NaN(), 1 << 60}, []int64{1, -5, 0, 1<<60 + 1}},
		{pcp.Uint64, []uint64{1, 2, 0, 1<<63 + 1}, []float64{1, 2, math.NaN(), 1 << 63}, []uint64{1, 2, 0, 1<<63 + 1}},
		{pcp.Uint64, []uint64{1, 2, 1 << 62, 3}, []float64{1, 2, math.NaN(), 3}, nil}, // the large one is missing
	} {
		for _, own := range []bool{false, true} {
			bits := append([]uint64(nil), c.bits...)
			f := series.Frame{Desc: pcp.Desc{Type: c.typ, InDom: pcp.NullInDom}, Vectors: []series.Vector{{Inst: pcp.NoInstance, Vals: bits, Why: []series.Why{0, 0, series.InstanceAbsent, 0}}}}
			col := columns("a.b", &f, nil, own, func(int) bool { return false })[0]
			for i, want := range c.values {
				if got := col.Values[i]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%v, own %v: value %d is %v, want %v", c.typ, own, i, got, want)
				}
			}
			if col.Why[2] != uint8(series.InstanceAbsent) || col.Why[0] != 0 {
				t.Errorf("%v, own %v: reasons %v", c.typ, own, col.Why)
			}
			if !reflect.DeepEqual(col.Exact, c.exact) {
				t.Errorf("%v, own %v: exactly %v, want %v", c.typ, own, col.Exact, c.exact)
			}
		}
	}
}
