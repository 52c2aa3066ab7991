package departures

import (
	"cmp"
	"math/bits"
	"slices"

	"pcpscope/core/sorting"
)

// A sorter sorts values that are compared by the ten thousand: once all of them, by the
// bytes of their keys, and then stretches of them by their places in that order, which
// have two bytes where keys have eight. In WebAssembly this takes a tenth of the time of
// comparisons.
type sorter struct {
	places []int32 // of each value among the different values
	ordered,
	other []int32 // indices of values
	heads, moved []uint64 // see take
}

const digitBits = 8

// take sorts all values, none of which is NaN: by the 32 bits of their keys from the first
// one on in which any differ, and by comparing those that are equal in these.
func (s *sorter) take(vals []float64) {
	n := len(vals)
	s.heads, s.moved = resized(s.heads, n), resized(s.moved, n)
	s.places, s.ordered, s.other = resized(s.places, n), resized(s.ordered, n), resized(s.other, n)
	first, differing := sorting.FloatKey(vals[0]), uint64(0)
	for _, v := range vals {
		differing |= sorting.FloatKey(v) ^ first
	}
	left := max(0, bits.Len64(differing)-32)
	for i, v := range vals {
		s.heads[i] = sorting.FloatKey(v)>>left<<32 | uint64(i)
	}
	for shift, differing := 32, differing>>left<<32; differing>>shift > 0 && shift < 64; shift += digitBits {
		if byte(differing>>shift) == 0 {
			continue
		}
		var at [1 << digitBits]int32
		for _, h := range s.heads {
			at[byte(h>>shift)]++
		}
		starts(&at)
		for _, h := range s.heads {
			d := byte(h >> shift)
			s.moved[at[d]] = h
			at[d]++
		}
		s.heads, s.moved = s.moved, s.heads
	}
	for k, h := range s.heads {
		s.ordered[k] = int32(uint32(h))
	}
	for from := 0; left > 0 && from < n; {
		to, same := from+1, true
		for to < n && s.heads[to]>>32 == s.heads[from]>>32 {
			same = same && vals[s.ordered[to]] == vals[s.ordered[from]]
			to++
		}
		if !same {
			slices.SortFunc(s.ordered[from:to], func(i, j int32) int { return cmp.Compare(vals[i], vals[j]) })
		}
		from = to
	}
	place := int32(0)
	for k, i := range s.ordered {
		if k > 0 && vals[i] != vals[s.ordered[k-1]] {
			place++
		}
		s.places[i] = place
	}
}

// pieces returns all values, those of each piece of that size in order. It comes before
// between.
func (s *sorter) pieces(size int) []int32 {
	at := make([]int32, (len(s.ordered)+size-1)/size)
	for p := range at {
		at[p] = int32(p * size)
	}
	for _, i := range s.ordered {
		p := int(i) / size
		s.other[at[p]] = i
		at[p]++
	}
	s.ordered, s.other = s.other, s.ordered
	return s.ordered
}

// between returns the values from an index up to another one in order, in memory that the
// next call uses again.
func (s *sorter) between(from, to int) []int32 {
	low, high := s.places[from], s.places[from]
	for _, p := range s.places[from:to] {
		low, high = min(low, p), max(high, p)
	}
	// The values before the first digit are in order of their indices.
	source, target := []int32(nil), s.other[:to-from]
	for shift := 0; shift == 0 || (high-low)>>shift > 0; shift += digitBits {
		var at [1 << digitBits]int32
		for _, p := range s.places[from:to] {
			at[byte((p-low)>>shift)]++
		}
		starts(&at)
		if source == nil {
			for i := from; i < to; i++ {
				v := byte((s.places[i] - low) >> shift)
				target[at[v]] = int32(i)
				at[v]++
			}
			source, target = target, s.ordered[:to-from]
			continue
		}
		for _, i := range source {
			v := byte((s.places[i] - low) >> shift)
			target[at[v]] = i
			at[v]++
		}
		source, target = target, source
	}
	return source
}

// starts turns how many values have each digit into where the first of them goes.
func starts(counts *[1 << digitBits]int32) {
	at := int32(0)
	for v, n := range counts {
		counts[v], at = at, at+n
	}
}

// resized returns a slice of n elements, in the same memory where that is enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
