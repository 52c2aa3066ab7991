package e2e

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/site"
)

// caught starts the module and keeps a reference to its worker.
const caught = `
  const Real = Worker;
  globalThis.Worker = class extends Real { constructor(...a) { super(...a); globalThis.engine = this; } };
`

// Pending calls to an engine that dies are rejected with a message, and the
// next call starts a new engine that can open files.
func TestKilledEngine(t *testing.T) {
	p := openAt(t, "/bare", 800, 600)
	p.expectComplaints("") // output of the dying program
	eval[any](p, "(async () => {"+caught+prelude+"; await boot(); return true })()")
	first := openWeb01(p)
	f := eval[[]fault](p, fmt.Sprintf(`(async () => {
	  await pcp.loaded(%[1]d);
	  const calls = [faultOf(pcp.fetch({ source: %[1]d, metrics: ["proc.psinfo.utime"], interval: "1sec" })), faultOf(pcp.summary({ source: %[1]d }))];
	  engine.postMessage(null); // a message outside the protocol makes the program panic
	  return Promise.all(calls);
	})()`, first.ID))
	for _, f := range f {
		if !f.IsError || f.Kind != "internal" || !strings.Contains(f.Message, "opened again") {
			t.Errorf("a call to a dead engine gives %+v", f)
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

// starve runs before worker.js. On request it claims the rest of the
// program's address space, as a large archive would, but without touching it,
// so that Go's next allocation fails.
const starve = `
{
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  let go, memory;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate(...args);
    memory = instance.exports.mem;
    return instance;
  };
  let Real;
  Object.defineProperty(globalThis, "Go", {
    set(v) { Real = class extends v { constructor() { super(); go = this; } }; },
    get() { return Real; },
  });
  new BroadcastChannel("starve").onmessage = ({ target }) => {
    if (!memory) return; // a worker without a running program
    let pages = 65536 - memory.buffer.byteLength / 65536;
    for (; pages > 0; pages >>= 1) try { for (;;) memory.grow(pages); } catch { /* so much is no longer there */ }
    go.mem = new DataView(memory.buffer); // growing detached the old buffer
    target.postMessage("done");
  };
}
`

// withWorker serves the site with a script prepended to that of its workers.
func withWorker(t *testing.T, before string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(dist)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "worker.js") {
			continue
		}
		if err := os.Symlink(filepath.Join(dist, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	worker, err := os.ReadFile(filepath.Join(dist, "worker.js"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "worker.js"), append([]byte(before), worker...), 0o644); err != nil {
		t.Fatal(err)
	}
	url, stop := browser.Serve(browser.Site(site.Policy{}, dir, map[string]fs.FS{"testdata": os.DirFS(filepath.Join(root, "testdata"))}))
	t.Cleanup(stop)
	return url
}

// An engine that runs out of memory says so for each pending call, and the
// next call starts a new one.
func TestExhaustedEngine(t *testing.T) {
	p := openURL(t, withWorker(t, starve)+"/bare")
	p.expectComplaints("") // output of the dying program
	eval[any](p, "(async () => {"+prelude+"; await boot(); return true })()")
	first := openWeb01(p)
	compareLogged(t, plain[frame](p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], mode: "raw" })`, first.ID)), "testdata/web01.kernel.all.load.txt")
	list := eval[[]fault](p, fmt.Sprintf(`(async () => {
	  await pcp.loaded(%[1]d);
	  const names = (await pcp.metrics(%[1]d)).filter((m) => m.type !== "STRING").map((m) => m.name);
	  const channel = new BroadcastChannel("starve");
	  await new Promise((done) => { channel.onmessage = done; channel.postMessage("now"); });
	  return Promise.all([0, 1, 2].map((i) => faultOf(pcp.fetch({ source: %[1]d, metrics: names, interval: 40000000n + BigInt(i) }))));
	})()`, first.ID))
	for _, f := range list {
		if !f.IsError || f.Kind != "memory" || !strings.Contains(f.Message, "needed more memory than the browser allows") || !strings.Contains(f.Message, "must be opened again") {
			t.Errorf("a call to an engine without memory gives %+v", f)
		}
	}
	again := openWeb01(p)
	if again.ID <= first.ID || again.Fingerprint != first.Fingerprint {
		t.Errorf("opened again: number %d after %d, fingerprint %s after %s", again.ID, first.ID, again.Fingerprint, first.Fingerprint)
	}
	compareLogged(t, plain[frame](p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], mode: "raw" })`, again.ID)), "testdata/web01.kernel.all.load.txt")
}

// The same in Firefox, whose error has another text.
func TestExhaustedEngineInFirefox(t *testing.T) {
	firefox := browser.Engines[slices.IndexFunc(browser.Engines, func(e browser.Engine) bool { return e.Name == "Firefox" })]
	if firefox.Missing() {
		t.Skip("Firefox is not installed")
	}
	d, err := firefox.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Go(withWorker(t, starve) + "/bare"); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		Kinds, Messages []string
		Again           bool
		Values          []float64
	}
	got, err := browser.Ask[outcome](d, prelude+`
	  await boot();
	  const open = async () => (await pcp.open(await Promise.all(["/testdata/live/web01.index", "/testdata/live/web01.0.zst", "/testdata/live/web01.meta"].map(file)))).sources[0];
	  const first = await open();
	  await pcp.loaded(first.id);
	  const names = (await pcp.metrics(first.id)).filter((m) => m.type !== "STRING").map((m) => m.name);
	  const channel = new BroadcastChannel("starve");
	  await new Promise((done) => { channel.onmessage = done; channel.postMessage("now"); });
	  const faults = await Promise.all([0, 1, 2].map((i) => faultOf(pcp.fetch({ source: first.id, metrics: names, interval: 40000000n + BigInt(i) }))));
	  const again = await open();
	  const f = await pcp.fetch({ source: again.id, metrics: ["kernel.all.load"], mode: "raw" });
	  return { Kinds: faults.map((f) => f.kind), Messages: faults.map((f) => f.message), Again: again.id > first.id && again.fingerprint === first.fingerprint, Values: f.columns.map((c) => c.values[0]) };`)
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range got.Kinds {
		if kind != "memory" || !strings.Contains(got.Messages[i], "needed more memory than the browser allows") {
			t.Errorf("a call to an engine without memory gives kind %q: %s", kind, got.Messages[i])
		}
	}
	// As printed by pmdumplog: testdata/web01.kernel.all.load.txt.
	if want := []float64{0.84, 2.2, 1.88}; len(got.Kinds) != 3 || !got.Again || len(got.Values) != 3 || math.Abs(got.Values[0]-want[0]) > 0.001 || math.Abs(got.Values[1]-want[1]) > 0.001 || math.Abs(got.Values[2]-want[2]) > 0.001 {
		t.Errorf("opened again: %+v", got)
	}
}

// Requests for more than fits into memory are rejected and do not crash the
// engine.
func TestRequestsBeyondMemory(t *testing.T) {
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

// A single metric of processes has a thousand instances: its size is also
// estimated before the query runs.
func TestRequestBeyondMemoryAboutProcesses(t *testing.T) {
	files := bigFiles(t)
	p := open(t, "/")
	p.idle()
	p.drop("body", files...)
	p.idle()
	for _, metric := range []string{"proc.psinfo.utime", "proc.psinfo.utime + proc.psinfo.stime"} {
		kind := eval[string](p, fmt.Sprintf(`pcpscope.sources().then(([s]) => pcpscope.fetch({ source: s.id, metrics: [%q], interval: "1msec" })).then(() => "answered", (e) => e.fault.kind)`, metric))
		if kind != "memory" {
			t.Errorf("16 million points of %s: %s, want a fault of kind memory", metric, kind)
		}
	}
	if n := eval[int](p, `pcpscope.sources().then((list) => list.length)`); n != 1 {
		t.Errorf("afterwards %d sources are open, want 1", n)
	}
}
