package chart

import (
	"math"

	"pcpscope/core/api"
)

// Reduce brings a frame down to at most pixels points per series. It keeps the
// last value of each step, with the smallest and largest beside it, so that
// peaks stay visible at any zoom. Strings keep the last one. stop is called for
// each series, and true ends the work.
func Reduce(f *api.Frame, pixels int, stop func(int) bool) {
	n := len(f.Times)
	if pixels < 1 || n <= pixels {
		return
	}
	step := (n + pixels - 1) / pixels
	last := func(i int) int { return min(n, (i+1)*step) - 1 }
	m := (n + step - 1) / step
	within := func(i int) int { return i / step }
	times := make([]float64, m)
	for i := range times {
		times[i] = f.Times[last(i)]
	}
	f.Times = times
	for c := range f.Columns {
		if stop(0) {
			return
		}
		col := &f.Columns[c]
		if col.Values != nil {
			reduceNumbers(col, m, step, last)
		}
		if col.Strings != nil {
			kept := make([]*string, m)
			for i := range kept {
				kept[i] = col.Strings[last(i)]
			}
			col.Strings = kept
		}
		if col.Why != nil {
			kept := make([]uint8, m)
			for i := range kept {
				if col.Values == nil || math.IsNaN(col.Values[i]) {
					kept[i] = col.Why[last(i)]
				}
			}
			col.Why = kept
		}
		for i := range col.Codes {
			col.Codes[i].At = within(col.Codes[i].At)
		}
		for i := range col.Events {
			col.Events[i].At = within(col.Events[i].At)
		}
	}
}

func reduceNumbers(col *api.Column, m, step int, last func(int) int) {
	values, low, high := make([]float64, m), make([]float64, m), make([]float64, m)
	from := make([]int, m) // index of the value kept for each step
	for i := range values {
		v, lo, hi := math.NaN(), math.Inf(1), math.Inf(-1)
		from[i] = last(i)
		for at := i * step; at <= last(i); at++ {
			x := col.Values[at]
			if x != x {
				continue
			}
			v, from[i] = x, at
			least, most := x, x
			if col.Low != nil { // points that represent several observations
				least, most = col.Low[at], col.High[at]
			}
			if least < lo {
				lo = least
			}
			if most > hi {
				hi = most
			}
		}
		if v != v {
			lo, hi = v, v
		}
		values[i], low[i], high[i] = v, lo, hi
	}
	switch exact := col.Exact.(type) {
	case []int64:
		col.Exact = pick(exact, from)
	case []uint64:
		col.Exact = pick(exact, from)
	}
	col.Values, col.Low, col.High = values, low, high
}

func pick[T any](all []T, from []int) []T {
	kept := make([]T, len(from))
	for i, at := range from {
		kept[i] = all[at]
	}
	return kept
}
