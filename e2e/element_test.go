package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"pcpscope/internal/site"
)

// Elements on someone's page under the strict policy: no interface, no inline
// style, and one shared engine.
func TestElement(t *testing.T) {
	p := openAt(t, "/bare", 1000, 900)
	eval[any](p, `(async () => {
	  const Real = Worker;
	  globalThis.workers = 0;
	  globalThis.Worker = class extends Real { constructor(...a) { super(...a); workers++; } };
	  await import("/pcp-scope.js");
	  document.documentElement.lang = "en-GB";
	  globalThis.add = async (attributes) => {
	    const e = document.createElement("pcp-scope");
	    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
	    e.events = [];
	    for (const type of ["loaded", "error", "window", "progress"]) e.addEventListener(type, (event) => e.events.push(type));
	    document.body.append(e);
	    await settled(e);
	    return e;
	  };
	  globalThis.settled = async (e) => { for (let s; s !== e.settled;) await (s = e.settled); };
	  globalThis.text = (e, selector) => [...e.shadowRoot.querySelectorAll(selector)].map((x) => x.textContent);
	  return true;
	})()`)
	p.expectComplaints("404") // web01.0 is requested before web01.0.zst

	// The values are the first and last rows printed by pmval -t 10sec -f 3 -z
	// -a web01 kernel.all.load. TestInterpolatedValues checks all of them; here
	// it only matters that they are shown.
	eval[any](p, `add({ src: "/testdata/live/web01", metrics: "kernel.all.load", interval: "10sec", view: "table" }).then((e) => { globalThis.a = e; return true })`)
	head := eval[[]string](p, `text(a, "thead th")`)
	if len(head) != 4 || !strings.Contains(head[0], "UTC") || head[1] != "1 minute" || head[3] != "15 minute" {
		t.Errorf("the table's head is %q", head)
	}
	if n := eval[int](p, `a.shadowRoot.querySelectorAll("tbody tr").length`); n != 30 {
		t.Errorf("five minutes every ten seconds have %d rows, want 30", n)
	}
	if same := eval[bool](p, `text(a, "tbody tr:nth-child(20) td").slice(1).every((shown, i) => Math.abs(Number(shown) - a.frame.columns[i].values[19]) <= 0.0005)`); !same {
		t.Errorf("row 20 shows %q", eval[[]string](p, `text(a, "tbody tr:nth-child(20) td")`))
	}

	eval[any](p, `add({ src: "/testdata/live/web01", metrics: "kernel.all.load, kernel.all.cpu.user, rescale(kernel.all.cpu.sys, \"sec\")" }).then((e) => { globalThis.b = e; return true })`)
	if n := eval[int](p, `b.shadowRoot.querySelectorAll("canvas").length`); n != 1 {
		t.Errorf("the chart has %d canvases, want 1; it says %q", n, eval[[]string](p, `text(b, "[role=status]")`))
	}
	if legend := eval[[]string](p, `text(b, "li")`); len(legend) < 5 || !strings.HasPrefix(legend[0], "kernel.all.load 1 minute") || !strings.Contains(strings.Join(legend, "|"), "rescale(kernel.all.cpu.sys") {
		t.Errorf("the legend is %q", legend)
	}
	if got := eval[string](p, `b.events.filter((e) => e !== "progress").join()`); got != "loaded" {
		t.Errorf("events: %s", got)
	}
	// What is said of a window, and of all of it, is what the API says: of a recording in which a
	// process took a third of the memory, from 23:03:40 to 23:04:52.
	for _, c := range [][3]string{
		{"explain", `, start: "@2026-11-23 23:03:40", end: "@2026-11-23 23:04:52"`, "Memory grew: session-cache 100 %"},
		{"story", "", "CPU time of session-cache"},
	} {
		said := eval[[]string](p, fmt.Sprintf(`(async () => {
		  const e = await add({ src: "/recordings/lab-21/recording.0.zst /recordings/lab-21/recording.meta.zst /recordings/lab-21/recording.index", view: %[1]q, zone: "UTC"%[2]s });
		  const api = await (await customElements.get("pcp-scope").engine()).%[1]s({ source: e.source.id, zone: "UTC"%[2]s });
		  const shown = text(e, "p"), said = text(e, "[role=status]").join();
		  e.remove();
		  return [JSON.stringify(shown) === JSON.stringify(api.text) ? "same" : "different", said, shown.join("\n")];
		})()`, c[0], c[1]))
		if said[0] != "same" || said[1] != "" || !strings.Contains(said[2], c[2]) {
			t.Errorf("%s: %q, want %q", c[0], said, c[2])
		}
	}

	// The element explains what a chart cannot draw.
	for metrics, want := range map[string]string{"kernel.uname.release": "kernel.uname.release is not a number", "sample.bad.unknown": "no metric",
		"sample.event.records": "sample.event.records is not a number", "kernel.all.load": ""} {
		said := eval[string](p, fmt.Sprintf(`add({ src: "/testdata/live/web01", metrics: %q }).then((e) => { const said = text(e, "[role=status]").join(); e.remove(); return said })`, metrics))
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("the chart of %s says %q, want %q", metrics, said, want)
		}
	}
	// It fills its container, and follows its size.
	if w := eval[int](p, `(async () => { b.style.width = "500px"; b.style.height = "300px"; await new Promise((d) => setTimeout(d, 300)); return b.shadowRoot.querySelector("canvas").getBoundingClientRect().width | 0 })()`); w < 480 || w > 500 {
		t.Errorf("in 500 pixels the chart is %d wide", w)
	}
	// It follows the page's theme.
	if c := eval[string](p, `(() => { b.style.setProperty("--pcp-scope-background", "rgb(1, 2, 3)"); return getComputedStyle(b.shadowRoot.querySelector(".all")).backgroundColor })()`); c != "rgb(1, 2, 3)" {
		t.Errorf("the background is %s", c)
	}
	if got := eval[string](p, `JSON.stringify([getComputedStyle(a).height, a.getBoundingClientRect().width === document.body.getBoundingClientRect().width, ...["view", "status", "table"].map((part) => a.shadowRoot.querySelectorAll("[part=" + part + "]").length), ...["chart", "legend"].map((part) => b.shadowRoot.querySelectorAll("[part~=" + part + "]").length)])`); got != `["256px",true,1,1,1,1,1]` { // 16rem
		t.Errorf("height, width and parts are %s", got)
	}
	if got := eval[string](p, `(async () => {
	  const colour = () => getComputedStyle(b.shadowRoot.querySelector("li i")).backgroundColor;
	  b.style.setProperty("--pcp-scope-series-1", "rgb(4, 5, 6)");
	  b.setAttribute("metrics", b.getAttribute("metrics") + " ");
	  await settled(b);
	  return colour();
	})()`); got != "rgb(4, 5, 6)" {
		t.Errorf("the first line is %s", got)
	}
	p.shot("element")
	// Events report the time at the pointer; dragging zooms, a double click shows everything
	// again.
	box := eval[[]float64](p, `(() => {
	  globalThis.told = new Set();
	  b.addEventListener("selection", ({ detail }) => told.add("selection " + typeof detail.index + " " + typeof detail.time));
	  b.addEventListener("window", ({ detail }) => told.add("window " + (detail && typeof detail.start)));
	  b.scrollIntoView();
	  const { left, top } = b.shadowRoot.querySelector(".u-over").getBoundingClientRect();
	  return [left, top + 20];
	})()`)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, box[0]+60, box[1], 0)
	mouse(p, input.DispatchMouseEventTypeMousePressed, box[0]+60, box[1], 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, box[0]+160, box[1], 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, box[0]+160, box[1], 0)
	eval[any](p, `settled(b).then(() => b.shadowRoot.querySelector(".u-over").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }))).then(() => settled(b)).then(() => true)`)
	heard := eval[string](p, `[...told].join("; ")`)
	for _, want := range []string{"selection number string", "window bigint", "window null"} {
		if !strings.Contains(heard, want) {
			t.Errorf("pointing, dragging and a double click send the events %q", heard)
		}
	}
	// A new window is fetched from the engine.
	eval[any](p, `(async () => { const s = b.source.start; b.window = { start: s + 60000000000n, end: s + 120000000000n }; await settled(b); return true })()`)
	if n := eval[int](p, `b.frame.times.length`); n != 61 {
		t.Errorf("a minute of one-second values has %d points", n)
	}

	if n := eval[int](p, `workers`); n != 1 {
		t.Errorf("two elements started %d workers, want 1", n)
	}
	if n := eval[int](p, `import("/scope/shared.js").then(async (m) => (await (await m.pcpscope()).sources()).length)`); n != 1 {
		t.Errorf("two elements of one address opened %d sources", n)
	}
	eval[any](p, `(a.remove(), b.remove(), new Promise((d) => setTimeout(d, 200)).then(() => true))`)
	if n := eval[int](p, `import("/scope/shared.js").then(async (m) => (await (await m.pcpscope()).sources()).length)`); n != 0 {
		t.Errorf("with the elements gone, %d sources are open", n)
	}

	eval[any](p, `add({ src: "/testdata/live/web01", view: "dashboard:cpu" }).then((e) => { e.style.height = "800px"; globalThis.d = e; return true })`)
	if heads := eval[[]string](p, `text(d, "h3")`); len(heads) < 2 || eval[int](p, `d.shadowRoot.querySelectorAll("canvas").length`) != len(heads) {
		t.Errorf("the dashboard's panels are %q; it says %q", heads, eval[[]string](p, `text(d, "[role=status]")`))
	}
	p.shot("element-dashboard")
	eval[any](p, `d.remove(), true`)

	for attributes, want := range map[string]string{
		`{ src: "/testdata/live/none.meta", metrics: "a" }`:                                    "There is no such file",
		`{ src: "/testdata/live/web01", metrics: "kernel.all.lode" }`:                          "kernel.all.lode",
		`{ src: "/testdata/live/web01" }`:                                                      "metrics attribute is empty",
		`{ src: "/testdata/live/web01", metrics: "kernel.all.load", view: "<img src=x>" }`:     `There is no view "<img src=x>"`,
		`{ src: "/testdata/live/web01", metrics: "kernel.all.load", start: "no time at all" }`: "",
		`{ src: "/testdata/live/web01", view: "dashboard:none-such", metrics: "" }`:            "",
	} {
		eval[any](p, `add(`+attributes+`).then((e) => { globalThis.c = e; return true })`)
		said := eval[[]string](p, `text(c, "[role=status]")`)
		events := eval[string](p, `c.events.filter((e) => e !== "progress").join()`)
		if len(said) != 1 || said[0] == "" || !strings.Contains(said[0], want) || events != "error" || eval[int](p, `c.shadowRoot.querySelectorAll("img").length`) != 0 {
			t.Errorf("%s says %q (events %s), want %q", attributes, said, events, want)
		}
		eval[any](p, `c.remove(), true`)
	}
}

// elements serves a bare embedding page with its own headers, and gives
// scripts on it a way to add elements.
func elements(t *testing.T, headers map[string]string, around func(http.Handler) http.Handler) *page {
	t.Helper()
	files := site.Handler(os.DirFS(dist))
	mux := http.NewServeMux()
	mux.Handle("/", around(files))
	mux.Handle("/testdata/", http.StripPrefix("/testdata", site.Handler(os.DirFS("../testdata"))))
	mux.HandleFunc("/embedder", func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><title>embedder</title><link rel="icon" href="data:,"><body></body>`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := openURL(t, server.URL+"/embedder")
	p.expectComplaints("404")
	eval[any](p, `(async () => {
	  globalThis.before = Object.keys(globalThis);
	  globalThis.language = Object.getOwnPropertyDescriptor(navigator, "language");
	  await import("/pcp-scope.js");
	  globalThis.settled = async (e) => { for (let s; s !== e.settled;) await (s = e.settled); };
	  globalThis.make = (attributes) => {
	    const e = document.createElement("pcp-scope");
	    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
	    e.events = [];
	    for (const type of ["loaded", "error"]) e.addEventListener(type, (event) => e.events.push(type));
	    document.body.append(e);
	    return e;
	  };
	  globalThis.said = (e) => e.shadowRoot.querySelector("[role=status]").textContent;
	  return true;
	})()`)
	return p
}

func asIs(h http.Handler) http.Handler { return h }

// An element does not affect the page around it.
func TestElementLeavesThePageAlone(t *testing.T) {
	p := elements(t, nil, asIs)
	eval[any](p, `(globalThis.heard = [], onerror = (...a) => { heard.push(String(a[0])) }, addEventListener("error", (e) => heard.push(e.type)), settled(globalThis.e = make({ src: "/testdata/live/web01", metrics: "kernel.all.load" })).then(() => true))`)
	if n := eval[int](p, `e.shadowRoot.querySelectorAll("canvas").length`); n != 1 {
		t.Fatalf("there are %d charts", n)
	}
	if got := eval[string](p, `JSON.stringify([typeof uPlot, Object.getOwnPropertyDescriptor(navigator, "language") === undefined])`); got != `["undefined",true]` {
		t.Errorf("the element leaves behind uPlot and navigator.language: %s", got)
	}
	eval[any](p, `settled(make({ src: "/testdata/live/web01", metrics: "no.such" })).then(() => true)`)
	if got := eval[[]string](p, `heard`); len(got) != 0 {
		t.Errorf("the page receives errors that are not its own: %q", got)
	}
	// Colours follow the page's colour scheme, whatever the system prefers.
	dark := eval[[]string](p, `["light", "dark"].map((scheme) => { document.documentElement.style.colorScheme = scheme; return getComputedStyle(e.shadowRoot.querySelector(".all")).color })`)
	if dark[0] != "rgb(21, 24, 28)" || dark[1] != "rgb(231, 234, 238)" {
		t.Errorf("in a light and in a dark page the text is %q", dark)
	}
	// One engine for elements and module.
	if n := eval[int](p, `customElements.get("pcp-scope").engine().then((p) => p.sources()).then((s) => s.length)`); n != 1 {
		t.Errorf("the engine of the elements has %d sources", n)
	}
}

// However a window is written, there is one point per pixel.
func TestElementsWindows(t *testing.T) {
	p := elements(t, nil, asIs)
	for start, least := range map[string]int{"-5min": 280, "@2026-11-21 03:49:05": 280, "2026-11-21T03:49:05Z": 280, "-1min": 55} {
		n := eval[int](p, `(async () => { const e = make({ src: "/testdata/live/web01", metrics: "kernel.all.load", start: "`+start+`", zone: "UTC" }); await settled(e); const n = e.frame?.times.length ?? 0; if (!n) throw new Error(said(e)); e.remove(); return n })()`)
		if n < least || n > 310 {
			t.Errorf("start=%q has %d points", start, n)
		}
	}
}

// A failed attempt is not cached, and the source was loaded nonetheless.
func TestElementRecovers(t *testing.T) {
	broken := true
	p := elements(t, nil, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if broken && strings.Contains(strings.ToLower(r.URL.Path), "uplot") {
				http.Error(w, "busy", http.StatusServiceUnavailable)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	p.expectComplaints("503")
	p.expectComplaints("MIME")
	eval[any](p, `settled(globalThis.e = make({ src: "/testdata/live/web01", metrics: "kernel.all.load" })).then(() => true)`)
	if got := eval[string](p, `said(e) + e.events`); !strings.Contains(got, "could not be loaded.error") {
		t.Errorf("without its library the element says %q", got)
	}
	broken = false
	eval[any](p, `(e.setAttribute("metrics", "kernel.all.load, kernel.all.nprocs"), settled(e).then(() => true))`)
	if got := eval[string](p, `e.shadowRoot.querySelectorAll("canvas").length + said(e) + e.events`); got != "1error,loaded" {
		t.Errorf("on the second attempt there is %q", got)
	}
	// Files passed to an element are still shown after it was removed and
	// re-attached.
	eval[any](p, `(async () => {
	  const files = await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map(async (name) => ({ name, data: new Uint8Array(await (await fetch("/testdata/live/" + name)).arrayBuffer()) })));
	  e.remove();
	  globalThis.f = make({ metrics: "kernel.all.load" });
	  await f.open(files);
	  await settled(f);
	  f.remove();
	  await new Promise((d) => setTimeout(d, 100));
	  document.body.append(f);
	  await settled(f);
	  return true;
	})()`)
	if got := eval[string](p, `f.shadowRoot.querySelectorAll("canvas").length + said(f)`); got != "1" {
		t.Errorf("taken out and put back, the element shows %q", got)
	}
}

// An element removed from the page opens nothing more.
func TestRemovedElementsStop(t *testing.T) {
	var sent, slow atomic.Int64
	p := elements(t, nil, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/slow") {
				slow.Add(1)
				time.Sleep(150 * time.Millisecond)
				if n, _ := io.CopyN(w, zeros{}, 4<<20); n > 0 {
					sent.Add(n)
				}
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	eval[any](p, `(async () => { const all = Array.from({ length: 20 }, (_, i) => make({ src: "/slow" + i, metrics: "a" })); await new Promise((d) => setTimeout(d, 300)); all.forEach((e) => e.remove()); await new Promise((d) => setTimeout(d, 600)); return true })()`)
	before := slow.Load()
	time.Sleep(time.Second)
	if now := slow.Load(); now != before || before >= 20 {
		t.Errorf("of 20 removed elements, %d sent requests, %d of them late", now, now-before)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A page may enforce Trusted Types, with a policy for the worker's URL, and a
// server may not know the media type of app.wasm.
func TestElementUnderTrustedTypes(t *testing.T) {
	untyped := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/app.wasm" {
				h.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/octet-stream")
			http.ServeFile(w, r, filepath.Join(dist, "app.wasm"))
		})
	}
	p := elements(t, map[string]string{"Content-Security-Policy": "require-trusted-types-for 'script'; trusted-types pcpscope; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"}, untyped)
	eval[any](p, `settled(globalThis.e = make({ src: "/testdata/live/web01", metrics: "kernel.all.load" })).then(() => true)`)
	if got := eval[string](p, `e.shadowRoot.querySelectorAll("canvas").length + said(e)`); got != "1" {
		t.Errorf("the element shows %q", got)
	}
}
