package hostile

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// sizes are the counts and lengths for which the laws of cost are tested: two, a
// factor of eight apart, or those of PCPSCOPE_COST, such as "1000,10000,100000",
// which "./build.sh cost" sets.
func sizes(t *testing.T) (list []int) {
	for _, field := range strings.FieldsFunc(os.Getenv("PCPSCOPE_COST"), func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			t.Fatalf("PCPSCOPE_COST is %q", os.Getenv("PCPSCOPE_COST"))
		}
		list = append(list, n)
	}
	if list == nil {
		list = []int{1000, 8000}
	}
	return list
}

// A cost is the cost of one stage of opening and querying.
type cost struct {
	stage string
	time  time.Duration
}

// costs opens an input of a kind, asks everything but what is left out, and
// closes it. The collector is for the caller to have off, and is given its turn
// between the stages: in which of them it would come is chance, and what it does
// is in proportion to what is in use, which the law of memory bounds.
func costs(t *testing.T, k Kind, n int, files []core.File, without ...string) (list []cost) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var before time.Duration
	begin := func() {
		if allocated() > 256<<20 {
			runtime.GC()
		}
		before = CPUTime()
	}
	lap := func(stage string) {
		list = append(list, cost{stage, CPUTime() - before})
		begin()
	}
	s := core.NewSession(core.Options{})
	begin()
	opened, err := s.Open(ctx, files, nil)
	if err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	for _, src := range opened.Sources { // background work would count for a random stage
		s.Loaded(ctx, src.ID, nil)
	}
	lap("open")
	for _, q := range Questions() {
		if slices.Contains(without, q.Name) {
			continue
		}
		for i, src := range opened.Sources {
			if i == 10 { // each of these is queried separately
				break
			}
			if err := q.Ask(ctx, s, src.ID); err != nil && (pcp.AsFault(err).Kind == pcp.Internal || ctx.Err() != nil) {
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

// TestLawOfCost makes each kind of input larger and larger. Twice the input may
// take 2.3 times as long, at each stage. Times are the process's CPU times; a
// stage that takes too long is measured again and the better time counts, since
// nonlinear behaviour is reproducible.
func TestLawOfCost(t *testing.T) {
	list := sizes(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(3 << 30))
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			best := make([][]cost, len(list))
			for try := range 5 {
				for i, n := range list {
					best[i] = better(best[i], costs(t, k, n, k.Make(n)))
				}
				stage, i, times, allowed := slowest(list, best)
				if stage < 0 {
					if testing.Verbose() {
						t.Log(summary(list, best))
					}
					return
				}
				if try == 4 {
					a, b := best[i][stage], best[i+1][stage]
					t.Errorf("%s of %d takes %v, of %d %v: %.1f times as long, want at most %.1f times", a.stage, list[i], a.time, list[i+1], b.time, times, allowed)
				}
			}
		})
	}
}

// least is what one stage may always take.
const least = 20 * time.Millisecond

// slowest returns the stage that violates the law most from one size to the
// next, or -1.
func slowest(list []int, best [][]cost) (stage, at int, times, allowed float64) {
	worst := 1.0
	stage = -1
	for i := range len(list) - 1 {
		may := math.Pow(2.3, math.Log2(float64(list[i+1])/float64(list[i])))
		for k := range best[i] {
			if took := float64(best[i+1][k].time) / float64(max(best[i][k].time, least)); took/may > worst {
				worst, stage, at, times, allowed = took/may, k, i, took, may
			}
		}
	}
	return stage, at, times, allowed
}

// summary lists the total time of each size, and the slowest stage.
func summary(list []int, best [][]cost) string {
	var b strings.Builder
	for i, n := range list {
		all, largest := time.Duration(0), cost{}
		for _, c := range best[i] {
			if all += c.time; c.time > largest.time {
				largest = c
			}
		}
		b.WriteString(strconv.Itoa(n) + ": " + all.Round(time.Millisecond).String() + " (" + largest.stage + " " + largest.time.Round(time.Millisecond).String() + ") ")
	}
	return b.String()
}

// better takes the smaller times of two measurements.
func better(a, b []cost) []cost {
	for i := range a {
		b[i].time = min(a[i].time, b[i].time)
	}
	return b
}
