package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// before runs a script on each page that is opened, before all others.
func before(p *page, script string) {
	p.t.Helper()
	p.must(p.Do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return chromedp.Void{}, err
	}))
}

// If storage is blocked, accessing it throws an exception; the page still
// works, without remembering anything.
func TestStorageIsDenied(t *testing.T) {
	p := openAt(t, "", 1440, 900)
	before(p, `for (const [on, names] of [[window, ["localStorage", "sessionStorage", "indexedDB", "caches"]], [navigator, ["serviceWorker"]]]) {
	  for (const name of names) Object.defineProperty(on, name, { get() { throw new DOMException("Access is denied for this document.", "SecurityError"); } });
	}`)
	p.goTo("/")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	checkLoad(p)
	click(p, id("theme"))
	eval[bool](p, `pcpscope.openURL(["/testdata/live/web01-v2"]).then((o) => o.sources.length === 1)`)
	if got := text(p, "recent-row"); got != "" {
		t.Errorf("without storage the page lists %q", got)
	}
}

// Storage may contain anything; the page must work regardless.
func TestStorageHoldsAnything(t *testing.T) {
	for _, value := range []string{
		`[null]`, `[1,"x",[],{}]`, `{"a":1}`, `null`, `5`, `"text"`, `[{"fingerprint":null}]`,
		`[{"fingerprint":"a","name":5,"files":7,"bytes":"x","at":1e300}]`, `not JSON`, ``,
	} {
		p := openAt(t, "", 1440, 900)
		before(p, fmt.Sprintf(`if (!sessionStorage.getItem("seeded")) for (const key of ["recent", "layout", "prefs", "theme"]) localStorage.setItem("pcpscope." + key, %q); sessionStorage.setItem("seeded", "yes");`, value))
		p.goTo("/")
		p.idle()
		p.drop("body", web01...)
		p.idle()
		checkLoad(p)
		eval[bool](p, `(document.querySelector('[data-testid="edge-rail"]').dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true })), true)`)
		if got := eval[string](p, `JSON.parse(localStorage.getItem("pcpscope.recent")).map((e) => e.name).join()`); got != "web01" && got != "web01,5" {
			t.Errorf("with %s there, the page remembers %q", value, got)
		}
		p.Close()
	}
}

// The page stores what SECURITY.md says, and "Forget all" deletes everything
// that reveals something about archives.
func TestWhatIsKept(t *testing.T) {
	alone(t)
	p := openPage(t)
	click(p, id("theme"))
	eval[bool](p, `(document.querySelector('[data-testid="edge-rail"]').dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true })), true)`)
	p.idle()
	const kept = `(async () => {
	  const out = { local: Object.keys(localStorage).sort(), session: Object.keys(sessionStorage), cookie: document.cookie };
	  out.databases = (await indexedDB.databases()).map((d) => d.name);
	  out.caches = (await caches.keys()).map((n) => n.replace(/-.*/, ""));
	  out.cached = (await Promise.all((await caches.keys()).map(async (n) => (await (await caches.open(n)).keys()).map((r) => new URL(r.url).pathname)))).flat();
	  out.recent = [...new Set(JSON.parse(localStorage.getItem("pcpscope.recent") ?? "[]").flatMap(Object.keys))].sort();
	  return JSON.stringify(out);
	})()`
	var got struct {
		Local, Session, Databases, Caches, Cached, Recent []string
		Cookie                                            string
	}
	read := func() {
		t.Helper()
		if err := json.Unmarshal([]byte(eval[string](p, kept)), &got); err != nil {
			t.Fatal(err)
		}
	}
	read()
	only := func(what string, list []string, allowed ...string) {
		t.Helper()
		for _, name := range list {
			if !slices.Contains(allowed, name) {
				t.Errorf("in %s the page keeps %q", what, name)
			}
		}
	}
	only("local storage", got.Local, "pcpscope.layout", "pcpscope.prefs", "pcpscope.recent", "pcpscope.theme")
	only("session storage", got.Session)
	only("databases", got.Databases, "pcpscope")
	only("caches", got.Caches, "pcpscope")
	for _, path := range got.Cached {
		if strings.Contains(path, "web01") && !strings.HasPrefix(path, "/sample/") {
			t.Errorf("the cache has %s", path)
		}
	}
	only("the list of recent sources", got.Recent, "at", "bytes", "files", "fingerprint", "host", "kind", "name", "span")
	if got.Cookie != "" || len(got.Recent) == 0 {
		t.Errorf("the page keeps %+v", got)
	}
	p.goTo("/")
	p.idle()
	// Handles that the browser gave for files are in a database; none come with what a test drops.
	const handles = `new Promise((done, failed) => {
	  const open = indexedDB.open("pcpscope", 1);
	  open.onupgradeneeded = () => open.result.createObjectStore("handles");
	  open.onerror = () => failed(open.error);
	  open.onsuccess = () => {
	    const request = open.result.transaction("handles", "readwrite").objectStore("handles").%s;
	    request.onsuccess = () => { done(request.result); open.result.close(); };
	  };
	})`
	eval[any](p, fmt.Sprintf(handles, `put("a handle", "of a file")`))
	click(p, id("forget-recent"))
	read()
	if len(got.Recent) != 0 || slices.Contains(got.Local, "pcpscope.recent") {
		t.Errorf("after Forget all the page stores %+v", got)
	}
	left := `(async () => { for (let i = 0; i < 400; i++) { if (await ` + fmt.Sprintf(handles, "count()") + ` === 0) return 0; await new Promise((d) => setTimeout(d, 25)); } return 1; })()`
	if n := eval[int](p, left); n != 0 {
		t.Error("forgotten, the page keeps handles")
	}
}
