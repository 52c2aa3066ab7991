package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// Everything that the embedding page sends is displayed as text: names of
// files, URLs and metrics in messages of an allowed origin.
func TestMessagesAreText(t *testing.T) {
	var origins []string
	p := around(t, `src="`+listing(t, &origins)+`/?embed=1"`)
	p.expectComplaints("404")
	origins = []string{eval[string](p, "location.origin")}
	eval[any](p, `(post({ type: "hello" }), until("available").then(() => { post({ type: "hello" }); return until("ready") }).then(() => true))`)
	name := trap("name in a message")
	eval[any](p, `call("open", { files: [{ name: '`+name+`', data: new Blob(["this is no archive"]) }] }).then(() => call("idle")).then(() => true)`)
	p.frameShows(name)
	address := trap("address in a message")
	eval[any](p, `call("open", { urls: ['/testdata/`+address+`'] }).then(() => call("idle")).then(() => true)`)
	if eval[bool](p, `(async () => {
	  const files = await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map(async (name) => ({ name, data: await (await fetch("/files/" + name)).arrayBuffer() })));
	  return "fault" in await call("open", { files });
	})()`) {
		t.Fatal("the archive does not open")
	}
	metric, command := trap("metric in a message"), trap("command in a message")
	eval[any](p, `call("view", { panels: [['kernel.all.load'], ['`+metric+`', '1 + "`+strings.ReplaceAll(metric, `"`, "")+`"']] }).then(() => call("`+strings.ReplaceAll(command, `"`, "")+`", {})).then(() => call("window", { start: '`+metric+`', end: '`+metric+`' })).then(() => call("idle")).then(() => true)`)
	p.frameShows("pcp-testhost")
	p.shot("embed-hostile")
}

// frameShows fails unless the text is in the frame, or if a trap became
// markup. The frame is of another origin, so only the browser can look into
// it.
func (p *page) frameShows(text string) {
	p.t.Helper()
	found, images := false, 0
	var walk func(n *cdp.Node)
	walk = func(n *cdp.Node) {
		if n == nil {
			return
		}
		found = found || strings.Contains(n.NodeValue, text)
		if n.NodeName == "IMG" {
			images++
		}
		for _, c := range n.Children {
			walk(c)
		}
		walk(n.ContentDocument)
	}
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		all, whole := int64(-1), true
		r, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{Depth: &all, Pierce: &whole})
		if err == nil {
			walk(r.Root)
		}
		return chromedp.Void{}, err
	}))
	if !found {
		p.t.Errorf("the frame does not show %s, so that nothing is tested", text)
	}
	if images > 0 {
		p.t.Errorf("%d images came of what was sent", images)
	}
}
