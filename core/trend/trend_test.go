package trend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Expected: by hand. Of (0,0) (1,2) (2,4) (3,6) (4,100) the pairs have the
// slopes 2, 2, 2, 2, 2, 2 and (100-0)/4 = 25, 98/3, 96/2, 94: the fifth and
// sixth of ten are 2. Of (0,0) (1,1) (3,6): 1, 2 and 2.5.
func TestSlope(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		xs, ys []float64
		want   float64
	}{
		{[]float64{0, 1, 2, 3, 4}, []float64{0, 2, 4, 6, 100}, 2},
		{[]float64{0, 1, 2, 3, 4}, []float64{0, 2, nan, 6, 8}, 2},
		{[]float64{0, 1, 3}, []float64{0, 1, 6}, 2},
		{[]float64{0, 10}, []float64{5, 2}, -0.3},
		{[]float64{0, 1, 2}, []float64{7, 7, 7}, 0},
		{[]float64{5}, []float64{1}, nan},
		{[]float64{0, 1}, []float64{nan, 1}, nan},
		{nil, nil, nan},
	} {
		if got := Slope(tt.xs, tt.ys); !(math.Abs(got-tt.want) < 1e-12 || got != got && tt.want != tt.want) {
			t.Errorf("Slope(%v, %v) = %v, want %v", tt.xs, tt.ys, got, tt.want)
		}
	}
}

// The median of unsorted values is that of the same values sorted.
func TestMiddle(t *testing.T) {
	seed := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		vals := make([]float64, n)
		for i := range vals {
			vals[i] = float64(seed.IntN(1 + n/(1+seed.IntN(4)))) // many alike, few alike
		}
		if n%7 == 6 {
			vals[seed.IntN(n)] = math.Inf(1)
		}
		sorted := slices.Clone(vals)
		want := Median(sorted)
		if got := Middle(vals); got != want && !(got != got && want != want) {
			t.Fatalf("the middle of %v is %v, not %v", sorted, want, got)
		}
		if slices.Sort(vals); !slices.Equal(vals, sorted) {
			t.Fatalf("of %v there is left %v", sorted, vals)
		}
	}
}

func BenchmarkSlope(b *testing.B) {
	xs, ys := make([]float64, 4000), make([]float64, 4000)
	for i := range xs {
		xs[i], ys[i] = float64(i), math.Mod(float64(i)*7919, 997)
	}
	for b.Loop() {
		Slope(xs, ys)
	}
}

// Of 127 points only the 64 with even indices are compared, so others may be
// anything; and of 100,000 points a fifth may be outliers.
func TestSlopeOfMany(t *testing.T) {
	line := func(n int, off func(i int) bool) (xs, ys []float64) {
		for i := range n {
			y := 3 * float64(i)
			if off(i) {
				y += 1e9
			}
			xs, ys = append(xs, float64(i)), append(ys, y)
		}
		return xs, ys
	}
	for what, s := range map[string]func() (xs, ys []float64){
		"every second point off": func() (xs, ys []float64) { return line(127, func(i int) bool { return i%2 == 1 }) },
		"a fifth off":            func() (xs, ys []float64) { return line(100_000, func(i int) bool { return i > 50_000 && i < 70_000 }) },
	} {
		if got := Slope(s()); math.Abs(got-3) > 1e-9 {
			t.Errorf("%s: the slope is %v, want 3", what, got)
		}
	}
}
