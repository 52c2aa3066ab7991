package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// caught starts the module and keeps hold of its worker.
const caught = `
  const Real = Worker;
  globalThis.Worker = class extends Real { constructor(...a) { super(...a); globalThis.engine = this; } };
`

// An engine that dies takes its calls with it in words, and the next call
// finds a new one in which opening works again.
func TestKilledEngine(t *testing.T) {
	p := openAt(t, "/bare", 800, 600)
	p.expectComplaints("") // what a program prints that dies
	eval[any](p, "(async () => {"+caught+prelude+"; await boot(); return true })()")
	first := openWeb01(p)
	f := eval[[]fault](p, fmt.Sprintf(`(async () => {
	  await pcp.loaded(%[1]d);
	  const calls = [faultOf(pcp.fetch({ source: %[1]d, metrics: ["proc.psinfo.utime"], interval: "1sec" })), faultOf(pcp.summary({ source: %[1]d }))];
	  engine.postMessage(null); // no message of the protocol: the program panics
	  return Promise.all(calls);
	})()`, first.ID))
	for _, f := range f {
		if !f.IsError || f.Kind != "internal" || !strings.Contains(f.Message, "opened again") {
			t.Errorf("a call of a dead engine gives %+v", f)
		}
	}
	if f := eval[fault](p, fmt.Sprintf(`faultOf(pcp.metrics(%d))`, first.ID)); f.Kind != "argument" {
		t.Errorf("the lost source gives %+v, want kind argument", f)
	}
	again := openWeb01(p)
	if again.ID <= first.ID || again.Fingerprint != first.Fingerprint {
		t.Errorf("opened again: number %d after %d, fingerprint %s after %s", again.ID, first.ID, again.Fingerprint, first.Fingerprint)
	}
	compareLogged(t, plain[frame](p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], mode: "raw" })`, again.ID)), "testdata/web01.kernel.all.load.txt")
}

// Questions for more than fits into memory are refused, not answered with the
// end of the engine.
func TestGreedyQuestions(t *testing.T) {
	p := bare(t)
	s := openWeb01(p)
	for _, q := range []string{
		`pcp.summary({ source: 1, bins: 2000000000 })`,
		`pcp.fetch({ source: 1, metrics: ["kernel.all.load"], interval: 1n })`,
		`pcp.fetch({ source: 1, metrics: ["kernel.all.load"], interval: "1sec", count: 2000000000 })`,
		`pcp.fetch({ source: 1, metrics: Array(200000).fill("kernel.all.load"), interval: "1sec" })`,
		`pcp.fetch({ source: 1, metrics: ["(".repeat(100000)] })`,
		`pcp.search(1, "x".repeat(2000000), { limit: 2000000000 })`,
		`pcp.derive(1, "x", "a+".repeat(50000) + "a")`,
	} {
		f := eval[fault](p, "faultOf("+strings.ReplaceAll(q, "source: 1", fmt.Sprint("source: ", s.ID))+")")
		if f.Kind == "internal" {
			t.Errorf("%s gives %+v", q, f)
		}
	}
	if list := plain[[]source](p, "pcp.sources()"); len(list) != 1 {
		t.Errorf("afterwards %d sources are open, want 1", len(list))
	}
}
