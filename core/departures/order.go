package departures

import "pcpscope/core/sorting"

// A sorter sorts values that are compared by the ten thousand: once all of them, by the
// bytes of their keys, and then stretches of them by their places in that order, which
// have two bytes where keys have eight. In WebAssembly this takes a tenth of the time of
// comparisons.
type sorter struct {
	places []int32 // of each value among the different values
	ordered,
	other []int32 // indices of values
	keys []uint64
}

const digitBits = 8

// take sorts all values, none of which is NaN.
func (s *sorter) take(vals []float64) {
	n := len(vals)
	s.keys, s.places, s.ordered, s.other = resized(s.keys, n), resized(s.places, n), resized(s.ordered, n), resized(s.other, n)
	differing := uint64(0)
	for i, v := range vals {
		s.keys[i], s.ordered[i] = sorting.FloatKey(v), int32(i)
		differing |= s.keys[i] ^ s.keys[0]
	}
	for shift := 0; differing>>shift > 0; shift += digitBits {
		if byte(differing>>shift) == 0 {
			continue
		}
		var at [1 << digitBits]int32
		for _, k := range s.keys {
			at[byte(k>>shift)]++
		}
		starts(&at)
		for _, i := range s.ordered {
			v := byte(s.keys[i] >> shift)
			s.other[at[v]] = i
			at[v]++
		}
		s.ordered, s.other = s.other, s.ordered
	}
	place := int32(0)
	for k, i := range s.ordered {
		if k > 0 && vals[i] != vals[s.ordered[k-1]] {
			place++
		}
		s.places[i] = place
	}
}

// pieces returns all values, those of each piece of so many in order. It comes before
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
