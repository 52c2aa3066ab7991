package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type pair struct{ key, place int }

func byKey(a, b pair) int { return cmp.Compare(a.key, b.key) }

// Lists of every length up to 70, in every mixture of order and equal keys,
// are sorted as package slices sorts them.
func TestStable(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		for _, keys := range []int{1, 3, 1000} {
			list := make([]pair, n)
			for i := range list {
				list[i] = pair{draw.IntN(keys), i}
			}
			for _, turn := range []func(){func() {}, func() { slices.Reverse(list) }, func() { slices.SortFunc(list, byKey) }} {
				turn()
				want := slices.Clone(list)
				slices.SortStableFunc(want, byKey)
				got := slices.Clone(list)
				Stable(got, byKey)
				if !slices.Equal(got, want) {
					t.Fatalf("%v is sorted as %v", list, got)
				}
			}
		}
	}
}

// Sorting must not take much longer than the standard library.
func BenchmarkStable(b *testing.B) {
	list := make([]pair, 10000)
	for i := range list {
		list[i].key = i * 7919 % 10007
	}
	for b.Loop() {
		Stable(slices.Clone(list), byKey)
	}
}
