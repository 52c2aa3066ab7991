package departures

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The order of values is that of comparing them, whatever they are.
func TestOrderOfValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(of func() float64) []float64 {
		vals := make([]float64, 3000)
		for i := range vals {
			vals[i] = of()
		}
		return vals
	}
	for what, vals := range map[string][]float64{
		"noise around zero": random(rng.NormFloat64),
		"large numbers":     random(func() float64 { return 1e17 + 1e4*rng.NormFloat64() }),
		"few values":        random(func() float64 { return float64(rng.IntN(3) - 1) }),
		"all magnitudes":    random(func() float64 { return math.Ldexp(rng.Float64()-0.5, rng.IntN(2000)-1000) }),
		"both zeros":        random(func() float64 { return math.Copysign(0, rng.NormFloat64()) }),
		"one value":         {7},
	} {
		s := Finder{stop: never, vals: vals}
		s.take(vals)
		for _, part := range [][2]int{{0, len(vals)}, {len(vals) / 3, len(vals)}} { // buffers are used again
			order := s.sort(slices.Collect(func(yield func(int) bool) {
				for i := part[0]; i < part[1] && yield(i); i++ {
				}
			}))
			got := make([]float64, len(order))
			for k, i := range order {
				got[k] = vals[i]
			}
			want := slices.Sorted(slices.Values(vals[part[0]:part[1]]))
			if !slices.Equal(got, want) {
				t.Errorf("%s from %d to %d: not in order", what, part[0], part[1])
			}
			slices.Sort(order)
			for k, i := range order {
				if i != part[0]+k {
					t.Fatalf("%s: index %d is missing", what, part[0]+k)
				}
			}
		}
	}
}

func BenchmarkChanges(b *testing.B) {
	vals := noisy(1, 1500, 0.5, flat)
	f := Finder{}
	for b.Loop() {
		f.Changes(vals, 0.1, 0, never)
	}
}
