package sorting

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The selected element is the one that sorting by the standard library puts
// there: for lists with few and many equal values, sorted ones and others.
func TestSelect(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		list := make([]int64, 1+rng.IntN(60))
		different := 1 + rng.Int64N(80)
		for i := range list {
			list[i] = rng.Int64N(different) - different/2
		}
		switch rng.IntN(3) {
		case 0:
			slices.Sort(list)
		case 1:
			slices.Sort(list)
			slices.Reverse(list)
		}
		sorted := slices.Sorted(slices.Values(list))
		k := rng.IntN(len(list))
		if got := Select(slices.Clone(list), k); got != sorted[k] {
			t.Fatalf("value %d of %d is %d, want %d", k, list, got, sorted[k])
		}
	}
}
