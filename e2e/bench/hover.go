package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// manySeries is how many lines the panels of hover have at least.
const manySeries = 2000

// manyPanels opens an archive and fills the page with panels, until they have
// that many lines.
func (b *bench) manyPanels(files []string) (p *browser.Page, series int, err error) {
	if p, err = b.chromium.NewPage(1440, 900); err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	open := func() error { return p.Do(chromedp.Navigate(b.address + "/")) }
	for _, step := range []func() error{open, p.Idle, func() error { return p.Drop("body", files...) }, p.Idle} {
		if err = step(); err != nil {
			return nil, 0, err
		}
	}
	panels, err := browser.Eval[int](p, many)
	if err != nil {
		return nil, 0, err
	}
	for i := 0; i < panels && series < manySeries; i++ {
		if series, err = browser.Eval[int](p, fmt.Sprintf(more, i)); err != nil {
			return nil, 0, err
		}
	}
	return p, series, nil
}

// hover measures how long the page takes to follow the pointer over a chart:
// from the handling of the move, which the browser does right before it draws,
// to the end of that frame.
func hover(p *browser.Page) (took time.Duration, err error) {
	box, err := browser.Eval[[]float64](p, watchMoves)
	if err != nil {
		return 0, err
	}
	for i := range 100 {
		err := p.Do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: input.DispatchMouseEventTypeMouseMoved, X: box[0] + 10 + float64(i)*(box[2]-20)/100, Y: box[1] + 20})
			return chromedp.Void{}, err
		})
		if err != nil {
			return 0, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	text, err := browser.Eval[string](p, `JSON.stringify(moves)`)
	if err != nil {
		return 0, err
	}
	var moves []float64
	if err := json.Unmarshal([]byte(text), &moves); err != nil || len(moves) == 0 {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	var all []time.Duration
	for _, m := range moves {
		all = append(all, ms(m))
	}
	return median(all), nil
}

// many opens panels of metrics with many instances, repeatedly the same:
// more than are needed, since some have few at any time.
const many = `(async () => {
  const pcp = await pcpscopeReady, [source] = await pcp.sources(), sizes = new Map();
  const metrics = (await pcp.metrics(source.id)).filter((m) => m.indom && !m.expression && !["STRING", "EVENT", "HIGHRES_EVENT", "AGGREGATE"].includes(m.type));
  for (const { indom } of metrics) if (!sizes.has(indom)) sizes.set(indom, (await pcp.instances(source.id, indom)).length);
  const list = metrics.sort((a, b) => sizes.get(b.indom) - sizes.get(a.indom)).slice(0, 25).map((m) => [m.name]);
  pcpscopePage.view.panels(JSON.stringify(Array.from({ length: 5 }, () => list).flat()));
  await pcp.idle();
  return document.querySelectorAll('[data-testid="panel"]').length;
})()`

// more looks at a panel, which fetches it, has it draw thirty lines, and
// counts the lines of all panels.
const more = `(async () => {
  const pcp = await pcpscopeReady, panel = () => document.querySelectorAll('[data-testid="panel"]')[%d];
  const click = async (what) => { what.click(); await pcp.idle(); };
  panel().scrollIntoView();
  await pcp.idle();
  await click(panel().querySelector('[data-testid="panel-menu"]'));
  await click(panel().querySelector('[data-testid="lines-30"]') ?? panel().querySelector('[data-testid="panel-menu"]'));
  return document.querySelectorAll('[data-testid="legend-row"]').length;
})()`

const watchMoves = `(async () => {
  document.querySelector('[data-testid="panel"]').scrollIntoView();
  await (await pcpscopeReady).idle();
  globalThis.moves = [];
  addEventListener("mousemove", () => {
    const t = performance.now();
    requestAnimationFrame(() => {
      const c = new MessageChannel();
      c.port1.onmessage = () => moves.push(performance.now() - t);
      c.port2.postMessage(0);
    });
  }, { capture: true });
  const { left, top, width } = document.querySelector(".u-over").getBoundingClientRect();
  return [left, top, width];
})()`
