// Package sorting sorts lists that are short or rarely sorted. The generic
// sorts of package slices are faster, but each element type adds some 20 KB to
// the program; here all types share one.
package sorting

import "reflect"

// Stable sorts a list in place, keeping the order of equal elements. cmp is as
// for slices.SortFunc.
func Stable[S ~[]E, E any](list S, cmp func(a, b E) int) {
	if len(list) < 2 {
		return
	}
	reorder(reflect.Swapper(list), sorted(len(list), func(i, j int32) bool { return cmp(list[i], list[j]) <= 0 }))
}

// reorder moves the element at places[i] to i, exchanging elements along each cycle.
func reorder(swap func(i, j int), places []int32) {
	for i := range places {
		for at := i; ; {
			from := int(places[at])
			places[at] = int32(at)
			if from == i {
				break
			}
			swap(at, from)
			at = from
		}
	}
}

// sorted returns the numbers below n in order: a bottom-up merge sort.
func sorted(n int, inOrder func(i, j int32) bool) []int32 {
	places, other := make([]int32, n), make([]int32, n)
	for i := range places {
		places[i] = int32(i)
	}
	for width := 1; width < n; width *= 2 {
		for lo := 0; lo < n; lo += 2 * width {
			mid, hi := min(lo+width, n), min(lo+2*width, n)
			merge(other[lo:hi], places[lo:mid], places[mid:hi], inOrder)
		}
		places, other = other, places
	}
	return places
}

// merge merges two ordered lists into out; of equal elements those of a come
// first.
func merge(out, a, b []int32, inOrder func(i, j int32) bool) {
	if len(b) == 0 || inOrder(a[len(a)-1], b[0]) {
		copy(out[copy(out, a):], b)
		return
	}
	for i := range out {
		if len(b) == 0 || len(a) > 0 && inOrder(a[0], b[0]) {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}
