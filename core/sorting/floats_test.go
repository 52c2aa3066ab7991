package sorting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers come in the order that the standard library puts them in.
func TestFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var other []float64
	for what, of := range map[string]func() float64{
		"around zero":    rng.NormFloat64,
		"large":          func() float64 { return 1e17 + 1e4*rng.NormFloat64() },
		"few values":     func() float64 { return float64(rng.IntN(3) - 1) },
		"all magnitudes": func() float64 { return math.Ldexp(rng.Float64()-0.5, rng.IntN(2000)-1000) },
		"both zeros":     func() float64 { return math.Copysign(0, rng.NormFloat64()) },
		"infinite":       func() float64 { return math.Inf(rng.IntN(3) - 1) },
		"one byte":       func() float64 { return math.Float64frombits(0x3ff0000000000000 | rng.Uint64N(256)) },
	} {
		for _, n := range []int{0, 1, 150, 3000, 200} { // memory is used again
			vals := make([]float64, n)
			for i := range vals {
				vals[i] = of()
			}
			want := slices.Sorted(slices.Values(vals))
			if other = Floats(vals, other); !slices.Equal(vals, want) {
				t.Errorf("%d %s: not in order", n, what)
			}
		}
	}
}

func TestRobustMax(t *testing.T) {
	damaged := make([]float64, 300)
	for i := range damaged {
		damaged[i] = 4
	}
	damaged[7], damaged[8], damaged[9] = 1e9, 33, math.NaN()
	for _, tt := range []struct {
		vals []float64
		want float64
	}{{[]float64{2}, 2}, {[]float64{2, math.NaN(), 8, 4}, 8}, {damaged, 4}} {
		if got := RobustMax(tt.vals); got != tt.want {
			t.Errorf("RobustMax of %d numbers = %v, want %v", len(tt.vals), got, tt.want)
		}
	}
	if got := RobustMax([]float64{math.NaN()}); got == got {
		t.Errorf("RobustMax without numbers = %v, want NaN", got)
	}
}
