package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// prelude starts the module on a bare page and gives scripts a short way to
// hand files from the server to it.
const prelude = `
globalThis.boot = async () => {
  const { start } = await import("/pcpscope.js");
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
		{"pcp.openURL(['http://a:b:c/'])", "argument", "not an address"},
		{"pcp.sources.call(pcp) && pcp.loaded(7, { signal: AbortSignal.abort() })", "cancelled", ""},
	} {
		f := eval[fault](p, "faultOf("+tt.script+")")
		if !f.IsError || f.Kind != tt.kind || !strings.Contains(f.Message, tt.message) {
			t.Errorf("%s rejects with %+v, want kind %s and %q in the message", tt.script, f, tt.kind, tt.message)
		}
	}
}

// A crash of the engine must not take the page's calls with it silently, and
// the next open finds a new engine. A message that is none of the protocol's
// makes it crash for real.
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
	  return faultOf(pcp.summary({ source: 1 })); // reaches the engine when it is gone
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
