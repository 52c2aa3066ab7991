package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// prelude starts the module on a bare page and gives scripts a helper that
// passes files from the server to it.
const prelude = `
globalThis.boot = async () => {
  const { start } = await import("/pcpscope.js");
  globalThis.start = start;
  globalThis.pcp = await start();
};
globalThis.file = async (url) => {
  const r = await fetch(url);
  if (!r.ok) throw new Error(url + ": " + r.status);
  return { name: url.split("/").pop(), data: await r.blob() };
};
globalThis.plain = (v) => JSON.stringify(v, (_, x) => typeof x === "bigint" ? String(x)
  : ArrayBuffer.isView(x) ? Array.from(x, (n) => typeof n === "number" && Number.isNaN(n) ? null : n) : x);
globalThis.faultOf = (promise) => promise.then((v) => ({ none: true, v: plain(v) }), (e) => ({ isError: e instanceof Error, name: e.name, ...e.fault }));
`

func bare(t *testing.T) *page {
	t.Helper()
	p := open(t, "/bare")
	eval[any](p, "(async () => {"+prelude+"; await boot(); return true })()")
	return p
}

// plain evaluates an expression over pcp and decodes its JSON: bigints as
// strings, typed arrays as arrays with null for NaN.
func plain[T any](p *page, script string) T {
	p.t.Helper()
	text := eval[string](p, "(async () => plain(await ("+script+")))()")
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		p.t.Fatalf("%s gives %s: %v", script, text, err)
	}
	return v
}

type fault struct {
	None          bool
	V             string
	IsError       bool
	Name          string
	Kind, Message string
}

func TestModuleOnBarePage(t *testing.T) {
	p := bare(t)
	if v := eval[int](p, "pcp.apiVersion"); v != 1 {
		t.Errorf("apiVersion = %d, want 1", v)
	}
	if v := eval[string](p, "pcp.version"); v == "" {
		t.Error("the build has no version")
	}
	if list := plain[[]any](p, "pcp.sources()"); len(list) != 0 {
		t.Errorf("a new engine has sources open: %v", list)
	}
	eval[any](p, "pcp.idle().then(() => true)")
}

func TestCallsRejectWithFaults(t *testing.T) {
	p := bare(t)
	for _, tt := range []struct{ script, kind, message string }{
		{"pcp.close(99)", "argument", "99"},
		{"pcp.metrics(99)", "argument", "99"},
		{"pcp.metrics('one')", "argument", "source"},
		{"pcp.fetch({ source: 1, metrics: ['a'], intervall: '1sec' })", "argument", "intervall"},
		{"pcp.fetch({ source: 1, metrics: ['a'], start: 5 })", "argument", "start"},
		{"pcp.open([{ name: 'x', data: 'no blob' }])", "argument", "data"},
		{"pcp.openURL(['http://a:b:c/'])", "argument", "not a URL"},
		{"pcp.open()", "argument", "list of files"},
		{"pcp.open(new File([], 'x'))", "argument", "list of files"},
		{"pcp.open([null])", "argument", "file 1"},
		{"pcp.open([], 5)", "argument", "options"},
		{"pcp.open([], { signal: 5 })", "argument", "signal"},
		{"pcp.open([], { onProgress: 5 })", "argument", "onProgress"},
		{"pcp.openURL(null)", "argument", "list of addresses"},
		{"pcp.openURL(['/x'], { headers: { 'a b': 'c' } })", "argument", "header"},
		{"pcp.sparklines(1, null, 5)", "argument", "list of names"},
		{"pcp.metrics(99, null)", "argument", "99"},
		{"pcp.search(99, 'x', null)", "argument", "99"},
		{"pcp.fetch((() => { const a = {}; a.a = a; return a })())", "argument", "arguments"},
		{"start(5)", "argument", "options"},
		{"start({ workers: -1 })", "argument", "workers"},
		{"start({ base: 'http://a:b' })", "argument", "not a URL"},
		{"start({ base: 'http://127.0.0.2:1/' })", "internal", "cannot be started"},
		{"pcp.sources.call(pcp) && pcp.loaded(7, { signal: AbortSignal.abort() })", "cancelled", ""},
	} {
		f := eval[fault](p, "faultOf("+tt.script+")")
		if !f.IsError || f.Kind != tt.kind || !strings.Contains(f.Message, tt.message) {
			t.Errorf("%s rejects with %+v, want kind %s and %q in the message", tt.script, f, tt.kind, tt.message)
		}
	}
	p.expectComplaints("127.0.0.2") // the content security policy reports the last one
}

// A crash of the engine must not swallow pending calls, and the next open
// finds a new engine. A message outside the protocol really crashes it.
func TestCrashRejectsAndRecovers(t *testing.T) {
	p := bare(t)
	f := eval[fault](p, `(async () => {
	  const Real = globalThis.Worker;
	  let made;
	  globalThis.Worker = class extends Real { constructor(...a) { super(...a); made = this; } };
	  pcp.terminate();
	  await boot();
	  globalThis.Worker = Real;
	  await pcp.open(await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map((f) => file("/testdata/live/" + f))));
	  made.postMessage({});
	  return faultOf(pcp.summary({ source: 1 })); // reaches the engine after it has died
	})()`)
	if f.Kind != "internal" || !strings.Contains(f.Message, "panic") {
		t.Errorf("the call under way rejects with %+v, want kind internal and the cause", f)
	}
	p.expectComplaints("exit code: 2")
	again := openWeb01(p)
	if again.Host != "pcp-testhost" || again.ID != 2 {
		t.Errorf("after the crash web01 opens as %+v, want it under the number 2", again)
	}
	eval[any](p, "pcp.idle().then(() => true)")
	eval[any](p, "pcp.terminate(), true")
	if f := eval[fault](p, "faultOf(pcp.sources())"); f.Kind != "cancelled" {
		t.Errorf("after terminate a call gives %+v, want a rejection of kind cancelled", f)
	}
}

// A caller whose open was cancelled never learns an ID to close, so nothing
// may stay open, however late the cancellation arrives.
func TestCancelledOpenLeavesNothing(t *testing.T) {
	p := bare(t)
	left := plain[[]any](p, `(async () => {
	  const files = await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map((f) => file("/testdata/live/" + f)));
	  const Real = globalThis.Worker, end = new AbortController();
	  let late = false;
	  globalThis.Worker = class extends Real {
	    set onmessage(deliver) {
	      super.onmessage = (event) => {
	        if (late && event.data.wire) end.abort(); // after the reply was sent, before it arrives
	        deliver(event);
	      };
	    }
	  };
	  pcp = await start();
	  globalThis.Worker = Real;
	  late = true;
	  const heard = await faultOf(pcp.open(files, { signal: end.signal }));
	  if (heard.kind !== "cancelled") throw new Error("open gives " + JSON.stringify(heard));
	  await pcp.idle();
	  return pcp.sources();
	})()`)
	if len(left) != 0 {
		t.Errorf("after a cancelled call of open there are still %d sources", len(left))
	}
}

// The program has no time zone database; the browser has.
func TestZonesByName(t *testing.T) {
	p := bare(t)
	web01 := openWeb01(p)
	for zone, want := range map[string]string{
		"Europe/Berlin":    "1795233000000000000", // 04:50 in Berlin is 03:50 UTC in November
		"Asia/Kolkata":     "1795233000000000000",
		"America/New_York": "1795233000000000000",
		":Etc/UTC":         "1795233000000000000", // as in the archive's label
	} {
		clock := map[string]string{"Europe/Berlin": "04:50", "Asia/Kolkata": "09:20", "America/New_York": "22:50", ":Etc/UTC": "03:50"}[zone]
		f := plain[struct{ Start string }](p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], start: "@%s", interval: "1min", zone: %q })`, web01.ID, clock, zone))
		if f.Start != want {
			t.Errorf("@%s in %s is %s, want %s", clock, zone, f.Start, want)
		}
	}
	if f := eval[fault](p, `faultOf(pcp.fetch({ source: `+fmt.Sprint(web01.ID)+`, metrics: [], start: "@10:00", zone: "Mars/Phobos" }))`); f.Kind != "argument" {
		t.Errorf("a zone that nobody knows gives %+v", f)
	}
}
