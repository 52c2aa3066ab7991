package pcp

import (
	"math"
	"testing"
)

func TestScale(t *testing.T) {
	space := func(scale uint8, dim int8) Units { return Units{Space: dim, SpaceScale: scale} }
	clock := func(scale uint8) Units { return Units{Time: 1, TimeScale: scale} }
	for _, tt := range []struct {
		name     string
		from, to Units
		v, want  int64
	}{ // (v*mult + div/2)/div, by hand
		{"up", space(2, 1), space(1, 1), 3, 3072},
		{"down rounds", space(0, 1), space(1, 1), 1536, 2},
		{"down rounds down", space(0, 1), space(1, 1), 1535, 1},
		{"negative is cut towards zero", space(0, 1), space(1, 1), -1536, -1},
		{"small negative", space(0, 1), space(1, 1), -3, 0},
		{"squared", space(1, 2), space(0, 2), 2, 2 << 20},
		{"inverse", space(0, -1), space(1, -1), 2, 2048},
		{"min to sec", clock(Min), clock(Sec), 7, 420},
		{"hour to millisec", clock(Hour), clock(Millisec), 1, 3600000},
		{"millisec to min", clock(Millisec), clock(Min), 90000, 2},
		{"none is a count", Units{}, Units{Count: 1, CountScale: 3}, 2500, 3},
		{"rate", Units{Space: 1, Time: -1, TimeScale: Sec}, Units{Space: 1, SpaceScale: 1, Time: -1, TimeScale: Sec}, 10240, 10},
		{"per min", Units{Count: 1, Time: -1, TimeScale: Sec}, Units{Count: 1, Time: -1, TimeScale: Min}, 2, 120},
		{"reduced before it overflows", space(8, 1), space(8, 1), math.MaxInt64, math.MaxInt64},
		{"exact beyond 2^53", space(0, 1), space(1, 1), 1<<62 + 1024, 1<<52 + 1},
	} {
		s, ok := ScaleOf(tt.from, tt.to)
		if !ok {
			t.Errorf("%s: no conversion", tt.name)
			continue
		}
		if got, ok := s.Int64(tt.v); got != tt.want || !ok {
			t.Errorf("%s: Int64 = %d, %v, want %d", tt.name, got, ok, tt.want)
		}
		if tt.v >= 0 {
			if got, ok := s.Uint64(uint64(tt.v)); got != uint64(tt.want) || !ok {
				t.Errorf("%s: Uint64 = %d, %v, want %d", tt.name, got, ok, tt.want)
			}
		}
		if got := s.Float64(float64(tt.v)); math.Abs(got-float64(tt.want)) > 0.5 {
			t.Errorf("%s: Float64 = %v, want about %d", tt.name, got, tt.want)
		}
	}
	if _, ok := ScaleOf(space(0, 1), clock(Sec)); ok {
		t.Error("bytes convert to seconds")
	}
	up, _ := ScaleOf(space(1, 1), space(0, 1))
	if v, ok := up.Int64(math.MaxInt64); ok {
		t.Errorf("an overflow gives %d", v)
	}
	if v, ok := up.Int64(math.MinInt64); ok {
		t.Errorf("an overflow gives %d", v)
	}
	down, _ := ScaleOf(space(0, 1), space(1, 1))
	if got := down.Float32(1536); got != 1.5 {
		t.Errorf("Float32 = %v", got)
	}
	huge, ok := ScaleOf(space(8, 7), space(0, 7))
	if got := huge.Float64(1); !ok || got != math.Pow(1024, 56) {
		t.Errorf("Ybyte^7 = %v byte^7", got)
	}
}
