package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Window waits for a window opened by the page or a frame in it, whose address
// contains part. Other tabs' windows may be open, too.
func (p *Page) Window(part string) (*Page, error) {
	for end := time.Now().Add(Timeout / 4); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(p.ctx, Timeout)
		list, err := chromedp.Targets(ctx)
		var own page.GetFrameTreeResult
		if err == nil {
			own, err = chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
		}
		cancel()
		if err != nil {
			return nil, err
		}
		for _, info := range list {
			if info.Type == "page" && strings.Contains(info.URL, part) && has(own.FrameTree, info.OpenerFrameID) {
				ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
				return &Page{ctx: ctx, close: cancel}, chromedp.Do(ctx)
			}
		}
	}
	return nil, fmt.Errorf("no window opens at %s", part)
}

// has reports whether a frame belongs to a page.
func has(tree *page.FrameTree, id cdp.FrameID) bool {
	return tree.Frame.ID == id || slices.ContainsFunc(tree.ChildFrames, func(child *page.FrameTree) bool { return has(child, id) })
}
