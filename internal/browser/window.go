package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// Window waits for a window that the page has opened, and whose address has
// this text in it.
func (p *Page) Window(part string) (*Page, error) {
	for end := time.Now().Add(Patience / 4); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(p.ctx, Patience)
		list, err := chromedp.Targets(ctx)
		cancel()
		if err != nil {
			return nil, err
		}
		for _, info := range list {
			if info.Type == "page" && strings.Contains(info.URL, part) {
				ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
				return &Page{ctx: ctx, close: cancel}, chromedp.Do(ctx)
			}
		}
	}
	return nil, fmt.Errorf("no window opens at %s", part)
}
