package main

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// An act is something that the user does, and what shows that it was done.
type act struct {
	what   string
	event  string // by which the page learns of it
	effect string // an expression of JavaScript that is another afterwards
	tab    string // data-testid of what is clicked before the first time
	focus  string // data-testid of the field that has the focus then
	first  string // keys that come before the first time
	last   string // and one after the last
	on     string // selector of the element that is clicked, or "" where keys is
	nth    int    // which of those
	shift  bool
	keys   [2]string // pressed in turn
	after  string    // a key that takes it back, which is not measured
}

// acts are each done a few times: what they change is changed back.
var acts = []act{
	{what: "a line of a legend, alone and back", event: "click", on: `[data-testid="series"]`, nth: 1, effect: legendRow},
	{what: "the same, hidden and back", event: "click", on: `[data-testid="series"]`, nth: 1, shift: true, effect: legendRow},
	{what: "a chart, which pins the cursor", event: "mousedown", on: ".u-over", effect: `document.documentElement.className`},
	{what: "the menu of a panel", event: "click", on: `[data-testid="panel-menu"]`, after: "Escape", effect: `!!document.querySelector('[data-testid="panel-menu-items"]')`},
	{what: "another tab at the left", event: "click", on: `[role="tab"]:not(.on)`, effect: `document.querySelector('[role="tab"]').className + document.querySelector('[data-testid="tab-findings"]').className`},
	{what: "the drawer", event: "click", on: `[data-testid="tab-cursor"]`, effect: `document.querySelector("footer.bottom").className`},
	{what: "d and a, which move the window", event: "keydown", first: "ww", keys: [2]string{"d", "a"}, effect: `document.querySelector('[data-testid="window"]').textContent`},
	{what: "/ and Escape", event: "keydown", keys: [2]string{"/", "Escape"}, effect: `document.activeElement.dataset.testid`},
	{what: "one letter more, and less, in the search", event: "keydown", focus: "search", first: "d", keys: [2]string{"i", "Backspace"}, last: "Escape", effect: `document.querySelector('[data-testid="search-hits"]').textContent`},
	{what: "the same in the filter of the metrics", event: "keydown", tab: "tab-metrics", focus: "tree-filter", first: "d", keys: [2]string{"i", "Backspace"}, last: "Escape", effect: `document.querySelector('[data-testid="tree-note"]').textContent`},
}

const legendRow = `document.querySelectorAll('[data-testid="legend-row"]')[1].className`

// often is how often each is done.
const often = 12

// clicks measures each of acts: how long the page is busy from the event to the
// end of the frame that shows what it did. With an error comes what was
// measured before it.
func clicks(p *browser.Page) (map[string]time.Duration, error) {
	took := map[string]time.Duration{}
	if _, err := browser.Eval[bool](p, watchActs); err != nil {
		return took, err
	}
	for _, a := range acts {
		if _, err := browser.Eval[bool](p, fmt.Sprintf(`(async () => {
		  const of = (id) => document.querySelector('[data-testid="' + id + '"]');
		  of(%q)?.click();
		  await pcpscope.idle();
		  of(%q)?.focus();
		  return true;
		})()`, a.tab, a.focus)); err != nil {
			return took, err
		}
		for _, key := range a.first {
			if err := press(p, string(key)); err != nil {
				return took, err
			}
		}
		var all []time.Duration
		for i := range often {
			if _, err := browser.Eval[bool](p, fmt.Sprintf(`expect(%q, () => %s)`, a.event, a.effect)); err != nil {
				return took, err
			}
			if err := a.do(p, i); err != nil {
				return took, err
			}
			ms, err := browser.Eval[float64](p, `done`)
			if err != nil {
				return took, err
			}
			if ms < 0 {
				return took, fmt.Errorf("%s: nothing happened", a.what)
			}
			all = append(all, time.Duration(ms*float64(time.Millisecond)))
			if a.after != "" {
				if err := press(p, a.after); err != nil {
					return took, err
				}
			}
		}
		took[a.what] = median(all)
		if a.last != "" {
			if err := press(p, a.last); err != nil {
				return took, err
			}
		}
	}
	return took, nil
}

func (a act) do(p *browser.Page, i int) error {
	if a.on == "" {
		return press(p, a.keys[i%2])
	}
	at, err := browser.Eval[[]float64](p, fmt.Sprintf(`(() => { const { left, top, width, height } = document.querySelectorAll(%q)[%d].getBoundingClientRect(); return [left + width / 2, top + height / 2]; })()`, a.on, a.nth))
	if err != nil {
		return err
	}
	modifiers := int64(0)
	if a.shift {
		modifiers = 8
	}
	return p.Do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1, Modifiers: modifiers})
			if err != nil {
				return chromedp.Void{}, err
			}
		}
		return chromedp.Void{}, nil
	})
}

func press(p *browser.Page, key string) error {
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: key}
	switch {
	case len(key) == 1: // a letter, which a field takes
		down.Type, down.Text = input.DispatchKeyEventTypeKeyDown, key
	case key == "Backspace":
		down.Code, down.WindowsVirtualKeyCode = key, 8
	}
	up := down
	up.Type, up.Text = input.DispatchKeyEventTypeKeyUp, ""
	return p.Do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for _, params := range []input.DispatchKeyEventParams{down, up} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, params); err != nil {
				return chromedp.Void{}, err
			}
		}
		return chromedp.Void{}, nil
	})
}

// watchActs makes expect, which waits until the page has nothing to do and
// then for one event and what it causes. What is counted is the time that the
// page is busy: with the event, until the browser has its turn again, and with
// each frame from there to the one that shows the effect. A frame may come
// before that turn: then it is one stretch. When the screen takes the next
// frame, for which a quick page waits, is left out, and so is looking for the
// effect.
const watchActs = `(async () => {
  const { idle } = await pcpscopeReady;
  document.querySelector('[data-testid="panel"]').scrollIntoView();
  let from = 0, busy = 0; // from is 0 while the page has nothing to do
  const begin = () => { from ||= performance.now(); };
  const turn = (then) => {
    const c = new MessageChannel();
    c.port1.onmessage = () => {
      if (from) busy += performance.now() - from;
      from = 0;
      then?.();
    };
    c.port2.postMessage(0);
  };
  globalThis.expect = async (type, effect) => {
    await pcpscope.idle();
    await new Promise((r) => setTimeout(r, 700)); // the address follows half a second later
    const before = effect();
    globalThis.done = new Promise((r) => {
      setTimeout(() => r(-1), 5000);
      addEventListener(type, () => {
        busy = 0;
        begin();
        turn();
        const frame = () => requestAnimationFrame(() => {
          begin();
          const looking = performance.now(), shown = effect() !== before;
          from += performance.now() - looking;
          turn(() => {
            if (shown) r(busy);
            else frame();
          });
        });
        frame();
      }, { capture: true, once: true });
    });
    return true;
  };
  return typeof idle === "function";
})()`
