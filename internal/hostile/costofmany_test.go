package hostile

import (
	"runtime/debug"
	"slices"
	"testing"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// TestLawOfCostOfMany is the law of cost for what is so cheap one by one that it
// takes tens of thousands to see whether it is linear: opening, reading, checking,
// and three questions that go over everything; of disks and interfaces the overview,
// too, which names each once.
func TestLawOfCostOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("measures CPU time, under the race detector")
	}
	list := []int{5000, 40_000}
	kinds := Kinds()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	for _, name := range []string{
		"label records", "error codes", "full records, another instance in each", "marks, and then a counter that falls",
		"what looks like the beginning of records", "what looks like the beginning of large records", "descriptors without a name", "metrics, and label records later on",
		"metrics of many instances",
	} {
		k := kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
		best := make([][]cost, len(list))
		for try := range 5 {
			for i, n := range list {
				best[i] = better(best[i], readAndChecked(t, k, n))
			}
			stage, i, times, allowed := slowest(list, best)
			if stage < 0 {
				t.Log(name, summary(list, best))
				break
			}
			if try == 4 {
				t.Errorf("%s: %s of %d takes %v, of %d %v: %.1f times as long, want at most %.1f times", name, best[i][stage].stage, list[i], best[i][stage].time, list[i+1], best[i+1][stage].time, times, allowed)
			}
		}
	}
}

func readAndChecked(t *testing.T, k Kind, n int) (list []cost) {
	t.Helper()
	files := k.Make(n)
	s := core.NewSession(core.Options{})
	before := CPUTime()
	lap := func(stage string) {
		list = append(list, cost{stage, CPUTime() - before})
		before = CPUTime()
	}
	opened, err := s.Open(t.Context(), files, nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatalf("%s: %+v, %v", k.Name, opened, err)
	}
	id := opened.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	lap("open")
	if _, err := s.Inspect(t.Context(), id, nil); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
		t.Errorf("%s: %v", k.Name, err)
	}
	lap("inspect")
	for _, q := range Questions() {
		if q.Name == "metrics" || q.Name == "instances" || q.Name == "summary" || q.Name == "overview" && k.Name == "metrics of many instances" {
			if err := q.Ask(t.Context(), s, id); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("%s: %s: %v", k.Name, q.Name, err)
			}
			lap(q.Name)
		}
	}
	s.Close(id)
	lap("close")
	return list
}
