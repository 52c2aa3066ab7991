package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// The page starts without console errors, and requests only files of its own
// site. (TestNothingIsRequestedAfterLoad covers the time after loading.)
func TestPageAsksItsOwnServerAlone(t *testing.T) {
	p := open(t, "/")
	p.idle()
	p.choose("[data-testid=file-input]", "testdata/live/web01.0.zst", "testdata/live/web01.meta", "testdata/live/web01.index")
	p.idle()
	if n := eval[int](p, "pcpscope.sources().then((s) => s.length)"); n != 1 {
		t.Errorf("%d sources are open, want 1", n)
	}
	for _, r := range p.Requests() {
		if r.Method != "GET" || !strings.HasPrefix(r.URL, p.address+"/") || strings.Contains(r.URL, "?") {
			t.Errorf("the page sends %s %s", r.Method, r.URL)
		}
	}
}

// stranger serves anything to any page, and counts what it is asked.
func stranger(t *testing.T) (asked *atomic.Int32, url string) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "image/svg+xml")
		io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	}))
	t.Cleanup(server.Close)
	return asked, server.URL
}

// The policy is in force: the browser blocks what it forbids, and does not ask
// servers that would answer.
func TestPolicyIsEnforced(t *testing.T) {
	asked, there := stranger(t)
	if r, err := http.Get(there); err != nil || r.StatusCode != 200 || asked.Swap(0) != 1 {
		t.Fatal("the other server does not answer", err)
	}
	p := open(t, "/bare")
	p.expectComplaints("Content Security Policy")
	p.expectComplaints("violates")
	for what, script := range map[string]string{
		"eval":                      `(() => { try { window.eval("1"); return "ran" } catch (e) { return e.name } })()`,
		"inline script":             `(() => { const s = document.createElement("script"); s.textContent = "window.ran = true"; document.head.append(s); return window.ran ? "ran" : "refused" })()`,
		"a request to another host": `fetch("` + there + `").then(() => "ran", (e) => e.name)`,
		"a picture of another host": `new Promise((r) => { const i = new Image(); i.onload = () => r("ran"); i.onerror = () => r("refused"); i.src = "` + there + `/x.svg" })`,
		"a request of the engine":   `import("/pcpscope.js").then(({ start }) => start()).then((pcp) => pcp.openURL(["` + there + `/web01"])).then((o) => (o.sources.length ? "ran" : "refused"), (e) => e.name)`,
	} {
		if got := evalInPage(p, script); !slices.Contains([]string{"EvalError", "TypeError", "refused"}, got) {
			t.Errorf("%s: %s", what, got)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the other server got %d requests", n)
	}
}

// evalInPage runs a script with the page's own rights: the policy on eval applies to
// the debugger only if asked for.
func evalInPage(p *page, script string) string {
	p.t.Helper()
	text, err := browser.Get(p.Page, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise, func(q *runtime.EvaluateParams) {
		q.AllowUnsafeEvalBlockedByCSP = new(bool)
	}))
	p.must(err)
	return text
}

// Files dropped while the program is still loading are not lost.
func TestFilesBeforeTheProgram(t *testing.T) {
	p := open(t, "/bare")
	p.must(p.Do(chromedp.Navigate(p.address + "/?early")))
	p.choose("[data-testid=file-input]", "testdata/live/web01.0.zst", "testdata/live/web01.meta", "testdata/live/web01.index")
	p.idle()
	if n := eval[int](p, "pcpscope.sources().then((s) => s.length)"); n != 1 {
		t.Errorf("%d sources are open, want 1", n)
	}
}
