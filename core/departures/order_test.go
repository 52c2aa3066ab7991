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
		var s sorter
		s.take(vals)
		const size = 700
		got := make([]float64, len(vals))
		for k, i := range s.pieces(size) {
			got[k] = vals[i]
		}
		want := slices.Clone(vals)
		for piece := range slices.Chunk(want, size) {
			slices.Sort(piece)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the pieces are not in order", what)
		}
		for _, part := range [][2]int{{0, len(vals)}, {len(vals) / 3, len(vals)}, {len(vals) / 3, len(vals)/3 + 1}} { // buffers are used again
			order := s.between(part[0], part[1])
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
				if int(i) != part[0]+k {
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
