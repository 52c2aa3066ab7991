package hostile

import (
	"context"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// A cost is what one stage of opening and asking took.
type cost struct {
	stage string
	time  time.Duration
}

// costs opens an input of a kind, asks everything but what is left out, and
// closes it.
func costs(t *testing.T, k Kind, n int, without ...string) (list []cost) {
	t.Helper()
	files := k.Make(n)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	runtime.GC()
	before := spent()
	lap := func(stage string) {
		now := spent()
		list = append(list, cost{stage, now - before})
		before = now
	}
	s := core.NewSession(core.Options{})
	opened, err := s.Open(ctx, files, nil)
	if err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	lap("open")
	for _, q := range Questions() {
		if slices.Contains(without, q.Name) {
			continue
		}
		for i, src := range opened.Sources {
			if i == 50 {
				break
			}
			if err := q.Ask(ctx, s, src.ID); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("%s: %s: %v", k.Name, q.Name, err)
			}
		}
		lap(q.Name)
	}
	for _, src := range opened.Sources {
		s.Close(src.ID)
	}
	lap("close")
	return list
}

// TestLawOfCost makes each kind of input eight times as large, which may take
// 2.3 times the time for each doubling, and no more. Times are those of the
// process on its CPUs, and what takes more than it may is tried again: what is
// not linear is so each time.
func TestLawOfCost(t *testing.T) {
	small := 2000
	if n, err := strconv.Atoi(os.Getenv("PCPSCOPE_COST")); err == nil {
		small = n
	}
	if testing.Short() {
		small = 1000
	}
	const doublings = 3
	allowed := math.Pow(2.3, doublings)
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			var a, b []cost
			for range 4 {
				a, b = better(a, costs(t, k, small)), better(b, costs(t, k, small<<doublings))
				if slowest(a, b, allowed) < 0 {
					return
				}
			}
			i := slowest(a, b, allowed)
			t.Errorf("%s of %d takes %v, of %d %v: %.1f times the time, which may be %.1f times", a[i].stage, small, a[i].time, small<<doublings, b[i].time, float64(b[i].time)/float64(a[i].time), allowed)
		})
	}
}

// least is what one stage may take however small the input is.
const least = 20 * time.Millisecond

// slowest returns the stage that breaks the law most, or -1.
func slowest(small, large []cost, allowed float64) int {
	worst, at := allowed, -1
	for i := range small {
		if times := float64(large[i].time) / float64(max(small[i].time, least)); times > worst {
			worst, at = times, i
		}
	}
	return at
}

// better takes the smaller times of two measurements.
func better(a, b []cost) []cost {
	for i := range a {
		b[i].time = min(a[i].time, b[i].time)
	}
	return b
}
