package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/site"
)

// smoke is the main use case: an archive is dropped, and its values are
// shown.
func smoke(p *page) {
	p.t.Helper()
	p.drop("body", "testdata/live/web01.meta", "testdata/live/web01.index", "testdata/live/web01.0.zst")
	p.idle()
	// The first observation that pmdumplog prints of kernel.all.load.
	if v := eval[float64](p, `pcpscope.fetch({ source: 1, metrics: ["kernel.all.load"], instances: ["1 minute"], mode: "raw" }).then((f) => f.columns[0].values[0])`); fmt.Sprintf("%.2f", v) != "0.84" {
		p.t.Errorf("the first load average is %v, want 0.84", v)
	}
	if n := eval[int](p, `document.querySelectorAll("[data-testid=panels] canvas").length`); n < 2 {
		p.t.Errorf("the page shows %d canvases", n)
	}
}

// openedBy counts the sources opened by a call of the page's own Pcpscope.
func openedBy(p *page, script string) int {
	p.t.Helper()
	return eval[int](p, script+".then((o) => o.sources.length)")
}

// With the server gone, the page loads and works.
func TestOffline(t *testing.T) {
	server := httptest.NewServer(site.Handler(os.DirFS(dist)))
	p := openURL(t, server.URL+"/")
	eval[any](p, `navigator.serviceWorker.ready.then(async () => { while (!navigator.serviceWorker.controller) await new Promise((d) => setTimeout(d, 50)); return true })`)
	server.CloseClientConnections()
	server.Close()
	p.must(p.Do(chromedp.Reload()))
	smoke(p)
	if n := eval[int](p, `(async () => { document.querySelector("[data-testid=file-input]"); const r = await fetch("sample/web01.index"); return (await r.arrayBuffer()).byteLength })()`); n != 9384 {
		t.Errorf("the sample's index has %d bytes, want 9384", n)
	}
}

// Nothing is sent that the user did not ask for, even if the policy would
// allow it.
func TestServiceWorkerRefuses(t *testing.T) {
	host, there := farWeb01(t)
	server := httptest.NewServer(site.Policy{Archives: []string{there}}.Handler(os.DirFS(dist)))
	defer server.Close()
	p := openURL(t, server.URL+"/")
	p.expectComplaints("")
	eval[any](p, `navigator.serviceWorker.ready.then(async () => { while (!navigator.serviceWorker.controller) await new Promise((d) => setTimeout(d, 50)); return true })`)
	p.must(p.Do(chromedp.Reload()))
	p.idle()
	if got := eval[string](p, `fetch("`+there+`/web01.meta").then((r) => "let through", (e) => e.name)`); got != "TypeError" || host.sent.Load() != 0 {
		t.Errorf("an unsolicited request: %s, %d bytes sent", got, host.sent.Load())
	}
	if n := openedBy(p, `pcpscope.openURL(["`+there+`/web01"])`); n != 1 {
		t.Errorf("what the user asks for opens %d sources", n)
	}
}

// What the user asked for is fetched, too, if the service worker starts while it is being opened, or was stopped by the
// browser, which happens after half a minute.
func TestServiceWorkerKnowsWhatWasAskedFor(t *testing.T) {
	host, _ := farWeb01(t)
	asked, controlled := make(chan struct{}), make(chan struct{})
	ask, control := sync.OnceFunc(func() { close(asked) }), sync.OnceFunc(func() { close(controlled) })
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ask()
		<-controlled
		host.ServeHTTP(w, r)
	}))
	defer slow.Close()
	files := site.Policy{Archives: []string{slow.URL}}.Handler(os.DirFS(dist))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sw.js" {
			<-asked
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer control()
	defer ask()
	p := openURL(t, server.URL+"/")
	eval[any](p, `pcpscopeReady.then((pcpscope) => { opened = pcpscope.openURL(["`+slow.URL+`/web01"]); return true })`)
	eval[any](p, `navigator.serviceWorker.ready.then(async () => { while (!navigator.serviceWorker.controller) await new Promise((d) => setTimeout(d, 50)); return true })`)
	control()
	if n := openedBy(p, `opened`); n != 1 {
		t.Errorf("%d sources are open", n)
	}
	p.idle()
	p.must(p.Do(func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		if _, err := chromedp.Call(ctx, serviceworker.Enable, cdp.Empty{}); err != nil {
			return chromedp.Void{}, err
		}
		_, err := chromedp.Call(ctx, serviceworker.StopAllWorkers, cdp.Empty{})
		return chromedp.Void{}, err
	}))
	for url, want := range map[string]string{slow.URL + "/web01.meta": "200", slow.URL + "/2026/web01.0": "200", server.URL + "/icon.svg": "200"} {
		if got := eval[string](p, `fetch("`+url+`").then((r) => String(r.status), (e) => e.name)`); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// A new version waits until the user accepts it.
func TestNewVersionWaits(t *testing.T) {
	style, err := os.ReadFile(filepath.Join(dist, "page.css"))
	if err != nil {
		t.Fatal(err)
	}
	worker, err := os.ReadFile(filepath.Join(dist, "sw.js"))
	if err != nil {
		t.Fatal(err)
	}
	const mark = "\n.of-the-second-version { color: red }\n"
	sum := func(b []byte) string { s := sha256.Sum256(b); return base64.StdEncoding.EncodeToString(s[:]) }
	second := strings.Replace(string(worker), sum(style), sum([]byte(string(style)+mark)), 1)
	second = strings.Replace(second, `"version":"`, `"version":"second`, 1)
	if strings.Count(second, "second") != 1 || !strings.Contains(second, sum([]byte(string(style)+mark))) {
		t.Fatal("sw.js does not list page.css with its hash")
	}
	var deployed atomic.Bool
	files := site.Handler(os.DirFS(dist))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if deployed.Load() && (r.URL.Path == "/page.css" || r.URL.Path == "/sw.js") {
			for _, h := range (site.Policy{}).Headers(r.URL.Path) {
				w.Header().Set(h.Name, h.Value)
			}
			if r.URL.Path == "/sw.js" {
				fmt.Fprint(w, second)
			} else {
				fmt.Fprint(w, string(style)+mark)
			}
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := openURL(t, server.URL+"/")
	const seen = `fetch("page.css").then((r) => r.text()).then((t) => t.includes("of-the-second-version"))`
	eval[any](p, `navigator.serviceWorker.ready.then(async () => { while (!navigator.serviceWorker.controller) await new Promise((d) => setTimeout(d, 50)); return true })`)
	deployed.Store(true)
	eval[any](p, `navigator.serviceWorker.ready.then((r) => r.update()).then(() => true)`)
	eval[any](p, `(async () => { while (!document.querySelector("[data-testid=update]")) await new Promise((d) => setTimeout(d, 50)); return true })()`)
	p.shot("update")
	p.must(p.Do(chromedp.Reload()))
	time.Sleep(300 * time.Millisecond)
	if eval[bool](p, seen) {
		t.Error("a reload brought the new version, though the old one was in use")
	}
	eval[any](p, `(async () => { while (!document.querySelector("[data-testid=update-now]")) await new Promise((d) => setTimeout(d, 50)); return true })()`)
	p.must(p.Do(chromedp.Click(chromedp.CSS("[data-testid=update-now]"))))
	time.Sleep(1500 * time.Millisecond)
	if !eval[bool](p, seen) {
		t.Error("the user let the new version in, and it is not there")
	}
	// The guide's way to remove the service worker.
	guide, err := os.ReadFile(filepath.Join(root, "docs", "operators.md"))
	if m := regexp.MustCompile("serve a `sw.js` that calls `([^`]*)`").FindSubmatch(guide); err == nil && m != nil {
		second = string(m[1])
	} else {
		t.Fatal("docs/operators.md does not say how to remove the service worker")
	}
	eval[any](p, `navigator.serviceWorker.ready.then((r) => r.update()).then(() => true)`)
	for range 2 { // open pages keep the old one
		p.must(p.Do(chromedp.Reload()))
		p.idle()
	}
	if eval[bool](p, `navigator.serviceWorker.controller !== null`) {
		t.Error("the service worker is still there")
	}
}

// The single-file edition, opened from disk.
func TestSingleFile(t *testing.T) {
	p := openURL(t, "file://"+filepath.Join(dist, site.Single))
	p.idle()
	smoke(p)
	if visible(p, "documentation") || visible(p, "guides") {
		t.Error("it links to pages that are not in the file")
	}
	p.shot("single-file")
	// Its own policy applies: nothing can be fetched, no script added.
	p.expectComplaints("Content Security Policy")
	p.expectComplaints("Fetch API cannot load")
	asked, there := stranger(t)
	if got := eval[string](p, `fetch("`+there+`").then(() => "fetched", (e) => e.name)`); got != "TypeError" {
		t.Errorf("the file lets a request out: %s", got)
	}
	if n := openedBy(p, `pcpscope.openURL(["`+there+`/web01"]).catch(() => ({ sources: [] }))`); n != 0 || asked.Load() != 0 {
		t.Errorf("%d requests of the page and the engine reached another server", asked.Load())
	}
	if got := eval[bool](p, `(() => { const s = document.createElement("script"); s.textContent = "globalThis.added = true"; document.body.append(s); return globalThis.added === true })()`); got {
		t.Error("the file runs scripts that are not its own")
	}
	for _, r := range p.Requests() {
		if !strings.HasPrefix(r.URL, "file://") && !strings.HasPrefix(r.URL, there) {
			t.Errorf("the file asks for %s", r.URL)
		}
	}
}
