package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// After the engine has crashed, open sources and their views are restored.
func TestEngineLost(t *testing.T) {
	tab := open(t, "/bare")
	tab.expectComplaints("exit code: 2")
	// Keep hold of the page's worker: a message outside the protocol really
	// crashes it.
	tab.must(tab.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `{ const Real = Worker; window.Worker = class extends Real { constructor(...a) { super(...a); window.engineWorker = this; } } }`})
		return chromedp.Void{}, err
	}))
	tab.goTo("/")
	tab.idle()
	tab.drop("body", web01...)
	tab.idle()
	press(tab, "w")
	window := text(tab, "window")
	eval[bool](tab, "(engineWorker.postMessage({}), true)")
	pick(tab, "kernel.all.nprocs")
	click(tab, id("add-to-panel"))
	if !visible(tab, "engine-lost") || !strings.Contains(text(tab, "engine-lost"), "stopped") {
		t.Fatalf("the page describes the crash as %q", text(tab, "engine-lost"))
	}
	tab.shot("engine-lost")
	click(tab, id("open-again"))
	if visible(tab, "engine-lost") || text(tab, "window") != window || !slices.Contains(titles(tab), "kernel.all.nprocs") {
		t.Errorf("after reopening, the page shows %v over %q", titles(tab), text(tab, "window"))
	}
}
