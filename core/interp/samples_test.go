package interp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Samples returns what Logged returns, for every instance and window, and the
// model agrees with both.
func TestSamplesAreThoseLogged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	compared := 0
	for trial := range 2000 {
		o, models, _ := random(r)
		from, to := at(float64(r.IntN(30))-5), at(float64(r.IntN(60)))
		all := []*series.Observations{nil, o}
		raw, samples := Logged(all, from, to, Options{}), NewSamples(all)
		if samples.Desc != raw.Desc {
			t.Fatalf("trial %d: %+v, not %+v", trial, samples.Desc, raw.Desc)
		}
		var seen []int32
		err := samples.Each(from, to, func(inst int32, times []pcp.Time, bits []uint64) error {
			seen = append(seen, inst)
			var wantTimes []pcp.Time
			var want, logged []uint64
			for i, s := range models[inst].times {
				if when := at(s); when >= from && when <= to {
					wantTimes, want = append(wantTimes, when), append(want, models[inst].vals[i])
				}
			}
			for _, v := range raw.Vectors {
				for i, why := range v.Why {
					if v.Inst == inst && why == series.HasValue {
						logged = append(logged, v.Vals[i])
					}
				}
			}
			if !slices.Equal(times, wantTimes) || len(bits) != len(times) || len(logged) != len(times) || raw.Desc.Type != pcp.String && (!slices.Equal(bits, want) || !slices.Equal(bits, logged)) {
				t.Fatalf("trial %d, instance %d: %v of %v, want %v of %v; Logged has %v", trial, inst, bits, times, want, wantTimes, logged)
			}
			compared += len(times)
			return nil
		})
		if err != nil || !slices.IsSorted(seen) {
			t.Fatalf("trial %d: %v, %v", trial, seen, err)
		}
		for inst, m := range models {
			any := slices.ContainsFunc(m.times, func(s float64) bool { return at(s) >= from && at(s) <= to })
			if any != slices.Contains(seen, int32(inst)) {
				t.Fatalf("trial %d: instance %d is there: %v", trial, inst, !any)
			}
		}
	}
	if compared < 10_000 {
		t.Errorf("%d values were compared", compared)
	}
	if err := NewSamples(nil).Each(0, 1, func(int32, []pcp.Time, []uint64) error { return nil }); err != nil {
		t.Error(err)
	}
}
