package archive

import (
	"context"
	"testing"
	"time"

	"pcpscope/core/pcp"
)

// TestQuestionsWhileLoading queries an archive while it is being read. What
// it returns for a metric then must be the beginning of the final result.
func TestQuestionsWhileLoading(t *testing.T) {
	g := groups(t, testdata+"live")["web01-v2"]
	a, err := Open(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- a.Load(context.Background(), nil) }()
	m, _ := a.Lookup("kernel.all.load")
	rows, asked := 0, 0
	for loading := true; loading; asked++ {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			loading = false
		default:
			time.Sleep(time.Microsecond) // in wasm no other goroutine would run
		}
		obs, ok := a.Observations(m.PMID)
		if !ok || len(obs.Times) < rows || len(obs.Times) > 0 && len(obs.Series) != 3 {
			t.Fatalf("%d rows after %d, %d series", len(obs.Times), rows, len(obs.Series))
		}
		rows = len(obs.Times)
		a.Metrics()
		a.Records()
		a.Problems()
		a.Marks()
		a.Gaps()
		a.StoreBytes()
		a.Instances(m.InDom)
		a.Labels(m, pcp.MaxTime)
	}
	whole, _ := load(t, g).Observations(m.PMID)
	check(t, "rows", rows, len(whole.Times))
	t.Logf("asked %d times", asked)
}
