package core

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pcpscope/core/pcp"
)

// Of archives recorded at the same time, the one that began last is used:
// checked time by time.
func TestTurns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		parts := make([]pcp.Span, random.IntN(8))
		mute := make([]bool, len(parts))
		for i := range parts {
			start := pcp.Time(random.IntN(30))
			parts[i], mute[i] = pcp.Span{Start: start, End: start + pcp.Time(random.IntN(12))}, random.IntN(5) == 0
		}
		slices.SortStableFunc(parts, func(a, b pcp.Span) int { return int(a.Start - b.Start) })
		list := turns(len(parts), func(i int) (pcp.Span, bool) { return parts[i], !mute[i] })
		for at := pcp.Time(-1); at < 45; at++ {
			want, got := []int{}, []int{}
			for i, p := range parts {
				if !mute[i] && p.Start <= at && at <= p.End {
					want = []int{i}
				}
			}
			for _, turn := range list {
				if turn.Start <= at && at <= turn.End {
					got = append(got, turn.part)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("at %d of %v (mute: %v) the parts %v speak, want %v", at, parts, mute, got, want)
			}
		}
	}
}
