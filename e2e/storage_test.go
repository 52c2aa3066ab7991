package e2e

import (
	"context"
	"fmt"
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

// Where nothing may be stored, browsers throw at the mention of what would
// store it; the page works for this visit.
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
		t.Errorf("nothing can be remembered, and the page lists %q", got)
	}
}

// What lies in storage may be of anybody; nothing there keeps the page from
// working.
func TestStorageHoldsAnything(t *testing.T) {
	for _, value := range []string{
		`[null]`, `[1,"x",[],{}]`, `{"a":1}`, `null`, `5`, `"text"`, `[{"fingerprint":null}]`,
		`[{"fingerprint":"a","name":5,"files":7,"bytes":"x","at":1e300}]`, `not JSON`, ``,
	} {
		p := openAt(t, "", 1440, 900)
		before(p, fmt.Sprintf(`if (!localStorage.getItem("seeded")) for (const key of ["recent", "layout", "prefs", "theme", "seeded"]) localStorage.setItem(key === "seeded" ? key : "pcpscope." + key, %q);`, value))
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
