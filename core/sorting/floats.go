package sorting

import (
	"math"
	"slices"
)

// Floats sorts numbers other than NaN, byte by byte from the last one on: of thousands a
// third of the time that comparisons take, and in WebAssembly a fifth. other is memory
// for as many, which is returned, enlarged if need be.
func Floats(vals, other []float64) []float64 {
	const few = 200
	if len(vals) < few {
		slices.Sort(vals)
		return other
	}
	var counts [8][256]int32
	for _, v := range vals {
		k := FloatKey(v)
		for b := range counts {
			counts[b][byte(k>>(8*b))]++
		}
	}
	other = slices.Grow(other[:0], len(vals))[:len(vals)]
	from, to := vals, other
	for b := range counts {
		counts, shift := &counts[b], 8*b
		if int(counts[byte(FloatKey(from[0])>>shift)]) == len(from) {
			continue // the same byte in all
		}
		at := int32(0)
		for v, n := range counts {
			counts[v], at = at, at+n
		}
		for _, v := range from {
			c := &counts[byte(FloatKey(v)>>shift)]
			to[*c] = v
			*c++
		}
		from, to = to, from
	}
	if &from[0] != &vals[0] {
		copy(vals, from)
	}
	return other
}

// FloatKey is a number whose order is that of v. The sign is the first bit of a float64, and
// set for what is smaller; the others of a negative number count downwards.
func FloatKey(v float64) uint64 {
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// RobustMax returns the largest number after leaving out up to a hundredth of them,
// which may come from damage; NaN if there are none.
func RobustMax(vals []float64) float64 {
	var sorted []float64
	for _, v := range vals {
		if v == v {
			sorted = append(sorted, v)
		}
	}
	if len(sorted) == 0 {
		return math.NaN()
	}
	Floats(sorted, nil)
	return sorted[len(sorted)-1-len(sorted)/100]
}
