package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

func mouse(p *page, kind input.DispatchMouseEventType, x, y float64, buttons int64) {
	p.t.Helper()
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1})
		return chromedp.Void{}, err
	}))
	if kind == input.DispatchMouseEventTypeMouseMoved && buttons == 0 {
		// The page hears of it with the next frame, uPlot passes it on with another, and
		// then the cursors are drawn.
		eval[bool](p, `(async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame); return true })()`)
	}
}

// plot is the position of a chart on the screen.
func plot(p *page, metric string) (left, top, width, height float64) {
	p.t.Helper()
	r := eval[[]float64](p, fmt.Sprintf(`(() => { const e = [...document.querySelectorAll('[data-testid="panel"]')].find((e) => e.dataset.metrics.split(", ").includes(%q));
		e.scrollIntoView({ block: "nearest" }); const r = e.querySelector(".u-over").getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`, metric))
	return r[0], r[1], r[2], r[3]
}

// crosshairs finds the cursor lines of the panels on screen, in pixels from
// the left of the plot, from the top row of each cursor canvas.
func crosshairs(p *page) []float64 {
	p.t.Helper()
	return eval[[]float64](p, `[...document.querySelectorAll("canvas.cursor")].filter((e) => { const r = e.closest('[data-testid="panel"]').getBoundingClientRect(); return r.top < innerHeight && r.bottom > 0 })
		.map((e) => { const d = e.getContext("2d").getImageData(0, 0, e.width, 1).data; for (let x = 0; x < e.width; x++) if (d[4 * x + 3] === 255) return x / devicePixelRatio; return -1 })`)
}

func TestCrosshair(t *testing.T) {
	p := openPage(t)
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/2, top+height/2, 0)
	p.idle()
	// The middle of 300 s is 03:51:32; according to pmval -t 1: 2.50, 2.68, 2.12 from
	// 03:51:31 on.
	for name, want := range map[string]string{"kernel.all.load[1 minute]": "2.50", "kernel.all.load[5 minute]": "2.68", "kernel.all.load[15 minute]": "2.12"} {
		if got := legend(p, "kernel.all.load")[name]; len(got) == 0 || got[0] != want {
			t.Errorf("%s at the cursor reads %v, want %s", name, got, want)
		}
	}
	if got := eval[string](p, `document.getElementById("ruler-head").innerText`); !strings.HasPrefix(got, "03:51:3") {
		t.Errorf("the head of the column is %q", got)
	}
	// One cursor line for all panels on screen.
	lines := crosshairs(p)
	if len(lines) < 3 || len(slices.Compact(slices.Sorted(slices.Values(lines)))) != 1 {
		t.Errorf("the crosshairs stand at %v", lines)
	}
	p.shot("crosshair")
	click(p, id("tab-cursor"))
	left, top, width, height = plot(p, "kernel.all.load") // the layout has changed
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/2, top+height/2, 0)
	p.idle()
	if got := text(p, "cursor-values"); !strings.Contains(got, "At 03:51:3") || !strings.Contains(got, "15 minute") {
		t.Errorf("the drawer reads %q", got)
	}
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 5, 300, 0)
	p.idle()
	if got := text(p, "cursor-values"); !strings.Contains(got, "At 03:51:3") {
		t.Errorf("with the pointer elsewhere the drawer reads %q", got)
	}
	click(p, id("close-drawer"))
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 5, 300, 0)
	p.idle()
	if got := eval[string](p, `document.getElementById("ruler-head").innerText`); got != "last" {
		t.Errorf("without the pointer the column is headed %q", got)
	}
}

func TestZoom(t *testing.T) {
	p := openPage(t)
	whole := text(p, "window")
	left, top, width, height := plot(p, "kernel.all.load")
	y := top + height/2
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.25, y, 0)
	mouse(p, input.DispatchMouseEventTypeMousePressed, left+width*0.25, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.4, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.5, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, left+width*0.5, y, 0)
	p.idle()
	if got := text(p, "window"); !strings.HasPrefix(got, "03:50:1") || !strings.Contains(got, "03:51:3") {
		t.Errorf("dragging over the second quarter shows %q", got)
	}
	p.shot("zoomed")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 5, 300, 0)
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		for n := int64(1); n <= 2; n++ {
			for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
				if _, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: left + width*0.6, Y: y, Button: input.MouseButtonLeft, ClickCount: n}); err != nil {
					return chromedp.Void{}, err
				}
			}
		}
		return chromedp.Void{}, nil
	}))
	p.idle()
	if got := text(p, "window"); got != whole {
		t.Errorf("a double click goes to %q, want %q", got, whole)
	}
	press(p, "w")
	zoomed := text(p, "window")
	press(p, "z")
	if zoomed == whole || text(p, "window") != whole {
		t.Errorf("w shows %q, then z %q", zoomed, text(p, "window"))
	}
	click(p, id("time-menu"))
	click(p, id("last-1m"))
	if got := text(p, "window"); got != "03:53:02 – 03:54:02" {
		t.Errorf("the last minute is %q", got)
	}
	click(p, id("undo"))
	if got := text(p, "window"); got != whole {
		t.Errorf("undo goes to %q", got)
	}

	// A drag may leave the chart, downwards and at its end.
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.25, y, 0)
	mouse(p, input.DispatchMouseEventTypeMousePressed, left+width*0.25, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.4, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.5, top+height+30, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, left+width*0.5, top+height+30, 0)
	p.idle()
	if got := text(p, "window"); !strings.HasPrefix(got, "03:50:1") || !strings.Contains(got, "03:51:3") {
		t.Errorf("dragging over the second quarter, to below the chart, shows %q", got)
	}
	press(p, "z")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.8, y, 0)
	mouse(p, input.DispatchMouseEventTypeMousePressed, left+width*0.8, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.9, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width+40, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, left+width+40, y, 0)
	p.idle()
	if got := text(p, "window"); !strings.HasPrefix(got, "03:53:0") || !strings.HasSuffix(got, "03:54:02") {
		t.Errorf("dragging beyond the end shows %q", got)
	}
}

// The strip over the whole time span is a brush: dragging on it selects the
// window.
func TestPulse(t *testing.T) {
	p := openPage(t)
	r := eval[[]float64](p, `(() => { const r = document.getElementById("pulse").getBoundingClientRect(); return [r.left, r.top, r.width] })()`)
	at := func(share float64) (float64, float64) { return r[0] + 12 + share*(r[2]-24), r[1] + 20 }
	drag := func(from, to float64) {
		x, y := at(from)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, x, y, 0)
		mouse(p, input.DispatchMouseEventTypeMousePressed, x, y, 1)
		x, _ = at((from + to) / 2)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, x, y, 1)
		x, _ = at(to)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, x, y, 1)
		mouse(p, input.DispatchMouseEventTypeMouseReleased, x, y, 0)
		p.idle()
	}
	drag(0.2, 0.6) // of five minutes from 03:49:02: one minute in to three minutes in
	if got := text(p, "window"); got != "03:50:02 – 03:52:02" {
		t.Errorf("dragging on the strip shows %q", got)
	}
	drag(0.4, 0.6) // inside the window: moves it by a minute
	if got := text(p, "window"); got != "03:51:02 – 03:53:02" {
		t.Errorf("moving the brush shows %q", got)
	}
	drag(0.8, 0.9) // its right handle, half a minute to the right
	if got := text(p, "window"); got != "03:51:02 – 03:53:32" {
		t.Errorf("dragging a handle shows %q", got)
	}
	p.shot("brush")
}
