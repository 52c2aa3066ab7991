package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
	"pcpscope/internal/site"
)

// hostPage is a page of another origin that has pcpscope in a frame and
// speaks its protocol.
const hostPage = `<!doctype html><title>dashboard</title><link rel="icon" href="data:,"><iframe width="1200" height="800" %s></iframe>
<script>
const frame = document.querySelector("iframe");
const heard = [], waiting = new Map();
let last = 0;
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow || data?.pcpscope !== 1) return;
  heard.push(data);
  if (data.type === "reply") waiting.get(data.id)?.(data);
});
const until = async (type) => { for (;;) { const m = heard.find((m) => m.type === type); if (m) return m; await new Promise((d) => setTimeout(d, 20)); } };
const post = (m) => frame.contentWindow.postMessage({ pcpscope: 1, ...m }, "*");
const call = (command, params, transfer = []) => new Promise((done) => {
  const id = ++last;
  waiting.set(id, done);
  frame.contentWindow.postMessage({ pcpscope: 1, type: "call", id, command, params }, "*", transfer);
});
const plain = (v) => JSON.stringify(v, (_, x) => typeof x === "bigint" ? String(x) : ArrayBuffer.isView(x) ? [...x] : x);
</script>`

// around serves a page of another origin with the site in a frame; attributes
// are added to the iframe.
func around(t *testing.T, attributes string) *page {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, hostPage, attributes) })
	mux.Handle("/files/", http.StripPrefix("/files/", http.FileServer(http.Dir("../testdata/live"))))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return openURL(t, server.URL)
}

// listing serves the site with an embed.json that lists the requesting
// origin. (The test's own origin is only known once it is served.)
func listing(t *testing.T, origins *[]string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.HandleFunc("/embed.json", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"origins": ["`+strings.Join(*origins, `","`)+`"]}`)
	})
	mux.Handle("/testdata/", http.StripPrefix("/testdata", site.Handler(os.DirFS("../testdata"))))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestFrameOfListedOrigin(t *testing.T) {
	var origins []string
	p := around(t, `src="`+listing(t, &origins)+`/?embed=1"`)
	p.expectComplaints("404")
	origins = []string{eval[string](p, "location.origin")}
	eval[any](p, `(post({ type: "hello" }), until("available").then(() => { post({ type: "hello" }); return until("ready") }).then((m) => { globalThis.ready = m; return true }))`)
	if got := eval[string](p, `ready.commands.join()`); !strings.HasPrefix(got, "open,sources,metrics,fetch,close,summary,check,") {
		t.Errorf("capabilities: %s", got)
	}
	// As transferred buffers.
	got := eval[string](p, `(async () => {
	  const files = await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map(async (name) => ({ name, data: await (await fetch("/files/" + name)).arrayBuffer() })));
	  return plain((await call("open", { files }, files.map((f) => f.data))).result?.sources.map((s) => [s.id, s.name, s.host]));
	})()`)
	if got != `[[1,"web01","pcp-testhost"]]` {
		t.Fatalf("opened %s", got)
	}
	// 1795232942315071973 is the start that pmdumplog -L prints.
	const from, to = 1795233002315071973, 1795233062315071973
	eval[any](p, fmt.Sprintf(`call("window", { start: %dn, end: "%d" }).then((r) => { globalThis.r = r; return true })`, int64(from), int64(to)))
	eval[any](p, `call("idle").then(() => true)`)
	if got := eval[string](p, `call("state").then((r) => plain([r.result.source, r.result.start, r.result.end]))`); got != fmt.Sprintf(`[1,"%d","%d"]`, int64(from), int64(to)) {
		t.Errorf("the window is %s", got)
	}
	eval[any](p, `call("view", { panels: [["kernel.all.load"], ["disk.all.read"]] }).then(() => call("idle")).then(() => true)`)
	if got := eval[string](p, `call("state").then((r) => plain(r.result.panels))`); got != `[["kernel.all.load"],["disk.all.read"]]` {
		t.Errorf("the panels are %s", got)
	}
	if n := eval[int](p, `call("fetch", { source: 1, metrics: ["kernel.all.load"], mode: "raw" }).then((r) => r.result.columns.length * (r.result.columns[0].values instanceof Float64Array))`); n != 3 {
		t.Errorf("fetch gives %d columns of numbers, want 3", n)
	}
	csv := eval[string](p, `call("export", { query: { source: 1, metrics: ["kernel.all.load"], instances: ["1 minute"], mode: "raw" } }).then((r) => r.result.text.slice(0, 120))`)
	if !strings.HasPrefix(csv, "time,kernel.all.load[1 minute]\r\n2026-11-21T03:49:0") {
		t.Errorf("exported %q", csv)
	}
	if events := eval[string](p, `[...new Set(heard.filter((m) => m.type === "event").map((m) => m.event))].sort().join()`); !strings.Contains(events, "loaded") || !strings.Contains(events, "window") || !strings.Contains(events, "progress") {
		t.Errorf("events heard: %s", events)
	}
	for script, want := range map[string]string{
		`call("constructor", {})`:                                    "There is no command",
		`call("open", {})`:                                           "open needs files or urls",
		`call("open", { files: [{}] })`:                              "A file is a File",
		`call("window", { start: "x" })`:                             "window needs start and end",
		`call("fetch", { source: 9, metrics: ["a"] })`:               "9",
		`call("fetch", { source: 1, metrics: ["kernel.all.lode"] })`: "There is no metric kernel.all.lode",
		`call("fetch", { source: 1, metrics: ["kernel.all.load"], start: "2026-11-21T03:51:00Z", end: "2026-11-21T03:50:00Z" })`: "ends before it starts",
		`call("export", { query: { source: 1, metrics: ["kernel.all.lode"] } })`:                                                 "There is no metric kernel.all.lode",
		`call("export", { format: "exe", query: {} })`:                                                                           "format exe",
		`call("open", { urls: 5 })`:     "list of addresses",
		`call("open", { files: 5 })`:    "list of files",
		`call("view", { panels: 5 })`:   "list of panels",
		`call("view", { panels: [5] })`: "list of metrics",
		`call("view", { source: 99 })`:  "99",
		`call("view", { panels: [["kernel.all.load"], ["disk.all.read", "no.such.metric"]] })`:                                                                                                                     "no.such.metric",
		`call("window", { start: "1795233062315071973", end: "1795233002315071973" })`:                                                                                                                             "ends before it starts",
		`call("window", { start: "2026-11-21T03:50:00Z", end: new Date("2026-11-21T03:51:00Z") })`:                                                                                                                 "no fault",
		`call("check", { source: 1, expression: "kernel.all.load", above: 5, for: "10sec" }).then((r) => (r.result.ok ? "" : r.result.sentence))`:                                                                  "kernel.all.load",
		`call("summary", { source: 1, metrics: ["kernel.all.load"] }).then((r) => String(r.result.length))`:                                                                                                        "3",
		`call("derive", { source: 1, name: "mine.load", expression: "kernel.all.load * 2" }).then((r) => r.result.name)`:                                                                                           "mine.load",
		`call("dashboards", { source: 1 }).then((r) => (r.result.length > 5 ? "many" : ""))`:                                                                                                                       "many",
		`call("dashboard", { source: 1, id: "cpu" }).then((r) => r.result.title)`:                                                                                                                                  "CPU",
		`call("story", { source: 1 }).then((r) => String(r.result.incidents.length > 0 && r.result.text.length > 0))`:                                                                                              "true",
		`call("moves", { source: 1, metric: "mem.util.free" }).then((r) => String(r.result.rows.some((x) => x.metric === "mem.util.used" && x.rho < -0.99 && x.values.length === r.result.series.values.length)))`: "true",
		`call("explain", { source: 1, start: "120sec", end: "30sec" }).then((r) => String(r.result.stretches >= 8 && r.result.text.length > 0))`:                                                                   "true",
		`call("rules", { source: 1, text: "busy = kernel.all.load #'1 minute' > 2;" }).then((r) => String(r.result.rules[0].true > 0))`:                                                                            "true",
		`call("findings", { source: 1 }).then((r) => String(Array.isArray(r.result)))`:                                                                                                                             "true",
		`call("close", { source: 99 })`: "99",
		`call("cancel", { id: 99 })`:    "no fault",
	} {
		if got := eval[string](p, script+`.then((r) => typeof r === "string" ? r : r.fault?.message ?? "no fault")`); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	// A session is saved, and restored later.
	eval[any](p, `call("session").then((r) => { globalThis.kept = r.result; return call("view", { panels: [["disk.all.total"]] }) }).then(() => call("window", { start: `+fmt.Sprint(int64(from))+`n - 30000000000n, end: `+fmt.Sprint(int64(from))+`n })).then(() => call("idle")).then(() => true)`)
	if got := eval[string](p, `call("state").then((r) => plain(r.result.panels))`); got != `[["disk.all.total"]]` {
		t.Fatalf("the panels are %s", got)
	}
	if got := eval[string](p, `call("restore", { session: kept }).then((r) => plain(r.result ?? r.fault))`); got != `{"missing":[]}` {
		t.Errorf("restoring a session: %s", got)
	}
	eval[any](p, `call("idle").then(() => true)`)
	if got := eval[string](p, `call("state").then((r) => plain([r.result.panels, r.result.start, r.result.end]))`); got != `[[["kernel.all.load"],["disk.all.read"]],"1795233000000000000","1795233060000000000"]` { // the last window above: 03:50 to 03:51
		t.Errorf("after the session is restored there is %s", got)
	}
	for script, want := range map[string]string{
		`call("restore", { session: { pcpscope: "x" } })`:        "not a pcpscope session",
		`call("restore", {})`:                                    "not a pcpscope session",
		`call("restore", { session: "{" })`:                      "not a pcpscope session",
		`call("restore", { session: { ...kept, version: 99 } })`: "A newer pcpscope",
		`call("fetch", { source: 1, metrics: ["mine.load"], mode: "raw" }).then((r) => r.result.columns[0].values[0].toFixed(2))`: "1.68", // twice the first value printed by pmdumplog
	} {
		if got := eval[string](p, script+`.then((r) => typeof r === "string" ? r : r.fault?.message ?? "no fault")`); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	// Only the page around the frame is answered, not another frame in it.
	eval[bool](p, `new Promise((done) => {
	  const other = document.createElement("iframe");
	  globalThis.asked = () => setTimeout(done, 500, true);
	  other.srcdoc = '<script>parent.document.querySelector("iframe").contentWindow.postMessage({ pcpscope: 1, type: "call", id: "other", command: "sources" }, "*"); parent.asked()</script>';
	  document.body.append(other);
	})`)
	if eval[bool](p, `heard.some((m) => m.id === "other")`) {
		t.Error("a call of another frame is answered")
	}
	// By URL, without asking, because the operator lists this origin.
	if got := eval[string](p, `call("open", { urls: ["/testdata/live/web01-v2"] }).then((r) => plain(r.result?.sources.map((s) => s.name)))`); got != `["web01-v2"]` {
		t.Errorf("by address: %s", got)
	}
	p.shot("embed-frame")
	// A closed source is no longer shown.
	if got := eval[string](p, `call("close", { source: 1 }).then(() => Promise.all([call("sources"), call("state")])).then(([a, b]) => plain([a.result.map((s) => s.name), b.result.source]))`); got != `[["web01-v2"],2]` {
		t.Errorf("after closing there are %s", got)
	}
}

// An unlisted origin needs the user's consent.
func TestFrameAsksAboutUnknownOrigins(t *testing.T) {
	for _, tt := range []struct {
		keys string // after a click into the frame: Tab goes to Refuse, then to Allow
		want string
	}{{"\t\r", "refused"}, {"\t\t\r", "ready"}} {
		p := around(t, `src="`+address(t)+`/?embed=1"`)
		eval[any](p, `until("available").then(() => { post({ type: "hello" }); return true })`)
		// Without consent, messages have no effect.
		eval[any](p, `(post({ type: "call", id: 98, command: "sources" }), post({ type: "call", id: 99, command: "open", params: { urls: ["/testdata/live/web01"] } }), true)`)
		eval[any](p, `Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map(async (name) => ({ name, data: await (await fetch("/files/" + name)).arrayBuffer() })))
		  .then((files) => (post({ type: "call", id: 97, command: "open", params: { files } }), true))`)
		time.Sleep(1200 * time.Millisecond) // until the question can be answered
		if n := eval[int](p, `heard.filter((m) => m.type !== "available").length`); n != 0 {
			t.Errorf("before the user answers, the frame says %s", eval[string](p, `plain(heard)`))
		}
		p.shot("embed-ask")
		p.press(20, 20, tt.keys)
		if got := eval[string](p, `Promise.race([until("ready"), until("refused")]).then((m) => m.type)`); got != tt.want {
			t.Errorf("the answer is %s, want %s", got, tt.want)
		}
		got := eval[string](p, `Promise.race([call("sources").then(plain), new Promise((d) => setTimeout(d, 500, "silence"))])`)
		if (got == "silence") != (tt.want == "refused") {
			t.Errorf("%s: a call gives %s", tt.want, got)
		}
		if tt.want == "ready" && !strings.Contains(got, `"result":[]`) {
			t.Errorf("opened before the user allowed it: %s", got)
		}
	}
}

// A question cannot be confirmed by a click that was meant for what was there before, nor
// by a script.
func TestQuestionNeedsTheUser(t *testing.T) {
	p := open(t, "/?test=1")
	p.idle()
	waited := eval[float64](p, `(async () => {
	  const { ask } = await import("/embed/ask.js"), began = performance.now();
	  globalThis.said = "nothing";
	  ask({ title: "Really?", text: "", yes: "Yes", no: "No" }).then((yes) => { said = String(yes); });
	  for (;;) {
	    await new Promise((done) => setTimeout(done, 10));
	    const yes = document.querySelector("[data-testid=ask-yes]");
	    if (yes && !yes.disabled) return performance.now() - began;
	  }
	})()`)
	if waited < 750 {
		t.Errorf("it can be confirmed after %.0f ms", waited)
	}
	if said := eval[string](p, `(async () => {
	  document.querySelector("[data-testid=ask-yes]").click();
	  await new Promise((done) => setTimeout(done, 200));
	  return said;
	})()`); said != "nothing" {
		t.Errorf("a script confirmed it: %s", said)
	}
	click(p, id("ask-yes"))
	p.until(`said === "true"`)
}

// A page with an opaque origin, of a data: URL for example, sends "null", which may be anyone: it is ignored even if
// the operator lists it, while the same frame answers the same page with a listed origin. The content security policy
// would already block the first case, so the frame is served without one.
func TestFrameIgnoresNull(t *testing.T) {
	var origins []string
	var opened atomic.Int64 // requests for the archive that the parent asks to open
	files := http.FileServer(http.Dir(dist))
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.HandleFunc("/sample/", func(w http.ResponseWriter, r *http.Request) {
		opened.Add(1)
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/embed.json", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"origins": ["`+strings.Join(origins, `","`)+`"]}`)
	})
	frame := httptest.NewServer(mux)
	defer frame.Close()
	relay := `<script>addEventListener('message', ({ data, source }) => { if (source === parent) document.querySelector('iframe').contentWindow.postMessage(data, '*'); else parent.postMessage(data, '*') })</script><iframe src='` + frame.URL + `/?embed=1'></iframe>`
	parent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, relay)
	}))
	defer parent.Close()
	origins = []string{"null", parent.URL}
	for _, tt := range []struct {
		what, attributes string
		heard            bool
	}{
		{"a parent of a listed origin", `src="` + parent.URL + `"`, true},
		{"a parent of no host", `src="data:text/html,` + relay + `"`, false},
	} {
		t.Run(tt.what, func(t *testing.T) { // closes the page, whose requests would be counted for the next one
			p := around(t, tt.attributes)
			p.expectComplaints("") // the browser's own errors
			// The frame has loaded, and the relay works.
			eval[any](p, `until("available").then(() => { post({ type: "hello" }); return true })`)
			greeted := eval[bool](p, `Promise.race([until("ready"), until("refused"), new Promise((d) => setTimeout(d, 2000, false))]).then((m) => m?.type === "ready")`)
			opened.Store(0)
			eval[bool](p, `(post({ type: "call", id: 1, command: "open", params: { urls: ["/sample/web01"] } }), true)`)
			for end := time.Now().Add(2 * time.Second); opened.Load() == 0 && time.Now().Before(end); {
				time.Sleep(20 * time.Millisecond)
			}
			if did := opened.Load() > 0; greeted != tt.heard || did != tt.heard {
				t.Errorf("answered: %v, command executed: %v; want %v for both", greeted, did, tt.heard)
			}
		})
	}
	// A sandboxed frame, or one inside a sandboxed page, also has an opaque
	// origin: it does not even announce itself.
	for what, attributes := range map[string]string{
		"a sandboxed parent":      `sandbox="allow-scripts" srcdoc="` + relay + `"`,
		"the frame, if sandboxed": `sandbox="allow-scripts" src="` + frame.URL + `/?embed=1"`,
	} {
		p := around(t, attributes)
		p.expectComplaints("")
		time.Sleep(1500 * time.Millisecond)
		eval[any](p, `(post({ type: "hello" }), true)`)
		time.Sleep(700 * time.Millisecond)
		if got := eval[string](p, `plain(heard.map((m) => m.type))`); strings.Contains(got, "ready") || strings.Contains(got, "refused") {
			t.Errorf("%s: the frame says %s", what, got)
		}
	}
}

// The page itself cannot be framed.
func TestPageIsNotFramed(t *testing.T) {
	p := around(t, `src="`+address(t)+`/"`)
	p.expectComplaints("frame-ancestors")
	time.Sleep(time.Second)
	if n := eval[int](p, `heard.length`); n != 0 {
		t.Errorf("the page in a frame says %s", eval[string](p, `plain(heard)`))
	}
	if !strings.Contains(p.Console(), "frame-ancestors") {
		t.Errorf("the browser did not refuse the frame:\n%s", p.Console())
	}
}

// ?src= opens this site's archives without, and other servers' with,
// confirmation.
func TestLinksThatOpen(t *testing.T) {
	p := open(t, "/?src=/testdata/live/web01.meta+/testdata/live/web01.0.zst+/testdata/live/web01.index")
	p.idle()
	if got := eval[string](p, `pcpscope.sources().then((s) => s.map((x) => x.name).join())`); got != "web01" {
		t.Errorf("the link opened %q", got)
	}
	// The operator allows the other server; the page asks all the same.
	host, there := farWeb01(t)
	server := httptest.NewServer(site.Policy{Archives: []string{there}}.Handler(os.DirFS(dist)))
	defer server.Close()
	for answer, sources := range map[string]int{"ask-no": 0, "ask-yes": 1} {
		p = openURL(t, server.URL+"/?src="+there+"/web01&src=javascript:alert(1)")
		p.until(`document.querySelector("[data-testid=ask]")`)
		time.Sleep(1200 * time.Millisecond) // until it can be answered
		if got := eval[string](p, `document.querySelector("[data-testid=ask]").innerText`); !strings.Contains(got, there) || strings.Contains(got, "javascript") {
			t.Errorf("the question is %q", got)
		}
		if n := host.sent.Load(); n != 0 {
			t.Errorf("before the answer the other server has sent %d bytes", n)
		}
		p.must(p.Do(chromedp.Click(chromedp.CSS(id(answer)))))
		p.idle()
		if n := eval[int](p, `pcpscope.sources().then((s) => s.length)`); n != sources || (host.sent.Load() != 0) != (sources != 0) {
			t.Errorf("%s: %d sources are open, and the other server has sent %d bytes", answer, n, host.sent.Load())
		}
		host.sent.Store(0)
	}
}

// A question that cannot be seen cannot be answered: neither in a
// transparent, covered, or hidden frame, nor in one that is too small.
func TestHiddenPromptIsNotAnswered(t *testing.T) {
	for what, style := range map[string]string{
		"visible":     "", // here it can
		"transparent": "iframe { opacity: 0 }",
		"faint":       "div { opacity: .01 }",
		"filtered":    "iframe { filter: contrast(0) }",
		"covered":     "iframe { position: fixed; inset: 0 } i { position: fixed; inset: 0; background: white; pointer-events: none; z-index: 9 }",
		"clipped":     "div { clip-path: inset(400px 0 0 0) }",
		"small":       "iframe { width: 300px; height: 90px }",
	} {
		p := around(t, `src="`+address(t)+`/?embed=1"`)
		eval[bool](p, fmt.Sprintf(`(() => {
		  const sheet = new CSSStyleSheet(), div = document.createElement("div");
		  sheet.replaceSync(%q);
		  document.adoptedStyleSheets = [sheet];
		  document.body.append(document.createElement("i"));
		  return true;
		})()`, style))
		if strings.HasPrefix(style, "div") { // applies to an element around the frame
			eval[bool](p, `(() => { document.body.classList.add("x"); const s = document.adoptedStyleSheets[0]; const rule = s.cssRules[0].cssText.replace("div", "body.x"); s.replaceSync(rule); return true })()`)
		}
		eval[any](p, `until("available").then(() => { post({ type: "hello" }); return true })`)
		time.Sleep(1500 * time.Millisecond)
		p.press(20, 20, "\t\t\r")
		for y := 300.; y < 560; y += 20 { // wherever the button may be
			p.press(560, y, "")
			p.press(660, y, "")
		}
		time.Sleep(300 * time.Millisecond)
		if got := eval[string](p, `plain(heard.map((m) => m.type))`); strings.Contains(got, "ready") != (style == "") {
			t.Errorf("%s: the frame says %s", what, got)
		}
		p.Close()
	}
}

// If a page of another origin names an archive in the frame's URL, the user
// is asked about it by name, and nothing is fetched before the answer.
func TestFrameAsksForWhatItsAddressNames(t *testing.T) {
	var requests atomic.Int32 // the browser's list of them lacks those of an engine in a frame
	files := site.Handler(os.DirFS("../testdata"))
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.Handle("/testdata/", http.StripPrefix("/testdata", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	})))
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, path := range []string{"/?embed=1&src=/testdata/live/web01", "/embed.html?src=/testdata/live/web01"} {
		requests.Store(0)
		p := around(t, `src="`+server.URL+path+`"`)
		p.expectComplaints("404")
		eval[any](p, `until("available").then(() => true)`)
		time.Sleep(1500 * time.Millisecond)
		p.shot("embed-src-ask")
		if n := requests.Load(); n != 0 {
			t.Errorf("%s: without consent the frame sends %d requests", path, n)
		}
		p.press(20, 20, "\t\t\r") // Open
		eval[any](p, `(post({ type: "hello" }), new Promise((d) => setTimeout(d, 1500, true)))`)
		if got := eval[string](p, `plain(heard.map((m) => m.type))`); strings.Contains(got, "ready") {
			t.Errorf("opening the archive let the stranger in: %s", got)
		}
		p.press(20, 20, "\t\t\r") // Allow
		if got := eval[string](p, `until("ready").then(() => call("idle")).then(() => call("sources")).then((r) => plain(r.result.map((s) => s.name)))`); got != `["web01"]` {
			t.Errorf("%s: after the user opened it there is %s", path, got)
		}
		if requests.Load() == 0 {
			t.Errorf("%s: no requests were counted, so the test proves nothing", path)
		}
		p.Close()
	}
	// The operator's own dashboards need no confirmation.
	var origins []string
	at := listing(t, &origins)
	p := around(t, "")
	p.expectComplaints("404")
	origins = []string{eval[string](p, "location.origin")}
	eval[bool](p, fmt.Sprintf(`(frame.src = %q, until("available").then(() => { post({ type: "hello" }); return until("ready") }).then(() => true))`, at+"/?embed=1&src=/testdata/live/web01"))
	if got := eval[string](p, `call("idle").then(() => call("sources")).then((r) => plain(r.result.map((s) => s.name)))`); got != `["web01"]` {
		t.Errorf("a listed page's frame has %s", got)
	}
}

// If a browser cannot tell whether a question is visible, it is asked in a
// separate window.
func TestQuestionInItsOwnWindow(t *testing.T) {
	p := around(t, "")
	before(p, `delete IntersectionObserverEntry.prototype.isVisible`)
	eval[bool](p, fmt.Sprintf(`(frame.src = %q, until("available").then(() => { post({ type: "hello" }); return true }))`, p.address+"/?embed=1"))
	time.Sleep(1200 * time.Millisecond)
	p.press(20, 20, "\t\t\r") // Refuse, then the button for the window
	other := p.window("confirm.html")
	time.Sleep(1200 * time.Millisecond)
	other.shot("embed-ask-window")
	if got := eval[string](other, `document.body.innerText`); !strings.Contains(got, eval[string](p, "location.origin")) {
		t.Errorf("the window asks %q", got)
	}
	// A script does not answer.
	eval[bool](other, `(document.querySelector("[data-testid=ask-yes]").click(), true)`)
	time.Sleep(300 * time.Millisecond)
	if got := eval[string](p, `plain(heard.map((m) => m.type))`); strings.Contains(got, "ready") {
		t.Errorf("after a script's click the frame says %s", got)
	}
	other.clickAway(id("ask-yes"))
	if got := eval[string](p, `Promise.race([until("ready"), until("refused")]).then((m) => m.type)`); got != "ready" {
		t.Errorf("the answer is %s", got)
	}
	// What the frame's address names is asked for by name.
	q := around(t, "")
	before(q, `delete IntersectionObserverEntry.prototype.isVisible`)
	eval[bool](q, fmt.Sprintf(`(frame.src = %q, until("available").then(() => true))`, q.address+"/?embed=1&src=/testdata/live/web01"))
	time.Sleep(1200 * time.Millisecond)
	q.press(20, 20, "\t\t\r")
	other = q.window("confirm.html")
	other.until(`document.body.innerText.includes("/testdata/live/web01")`)
	other.clickAway(id("ask-no"))
	if r, err := http.Get(p.address + "/confirm.html"); err != nil || !strings.Contains(r.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("the window's page may be framed: %v", r.Header)
	}
	// The window shows the question of whoever opened it, and nobody else's.
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.HandleFunc("/opener", func(w http.ResponseWriter, r *http.Request) { // of the same host, without headers that part it from what it opens
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><p>page`)
	})
	server, stop := browser.Serve(mux)
	t.Cleanup(stop)
	o := openURL(t, server+"/opener")
	o.press(20, 20, "") // a browser opens windows only for a user
	eval[any](o, `(globalThis.ready = false, addEventListener("message", (e) => { ready ||= e.source === other && e.data.ready; }), globalThis.other = open("/confirm.html"), true)`)
	other = o.window("confirm.html")
	o.until(`ready`)
	const question = `({ question: { title: "Really?", text: "", yes: "Yes", no: "No" } }, location.origin)`
	eval[any](other, `(postMessage`+question+`, new Promise((done) => setTimeout(done, 200)))`)
	if n := eval[int](other, `document.querySelectorAll("[data-testid=ask-yes]").length`); n != 0 {
		t.Error("the window shows a question that its opener has not sent")
	}
	eval[any](o, `(other.postMessage`+question+`, true)`)
	other.until(`document.querySelector("[data-testid=ask-yes]")`)
	eval[any](o, `(other.close(), true)`)
}
