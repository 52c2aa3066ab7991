package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// hover measures how long the page takes to follow the pointer over a chart,
// from the event to the end of its frame, with many series in many panels.
func (b *bench) hover(files []string) (series int, took time.Duration, err error) {
	p, err := b.chromium.NewPage(1440, 900)
	if err != nil {
		return 0, 0, err
	}
	defer p.Close()
	if err := p.Do(chromedp.Navigate(b.address + "/")); err != nil {
		return 0, 0, err
	}
	steps := []func() error{p.Idle, func() error { return p.Drop("body", files...) }, p.Idle}
	for _, step := range steps {
		if err := step(); err != nil {
			return 0, 0, err
		}
	}
	text, err := browser.Eval[string](p, `(async () => {
	  const idle = async () => (await pcpscopeReady).idle();
	  const [source] = await (await pcpscopeReady).sources();
	  const metrics = (await (await pcpscopeReady).metrics(source.id)).filter((m) => m.indom && !m.name.startsWith("proc.") && !["STRING", "EVENT"].includes(m.type)).map((m) => [m.name]);
	  pcpview.panels(JSON.stringify(metrics.slice(0, 60)));
	  await idle();
	  for (const e of document.querySelectorAll('[data-testid="panel"]')) { // each is fetched when it is looked at
	    e.scrollIntoView();
	    await idle();
	  }
	  document.querySelector('[data-testid="panel"]').scrollIntoView();
	  await idle();
	  const over = document.querySelector(".u-over"), { left, top, width } = over.getBoundingClientRect(), times = [];
	  for (let i = 0; i < 100; i++) {
	    const t = performance.now();
	    over.dispatchEvent(new MouseEvent("mousemove", { clientX: left + 10 + (i * (width - 20)) / 100, clientY: top + 20, bubbles: true }));
	    await new Promise((done) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); }));
	    times.push(performance.now() - t);
	  }
	  times.sort((a, b) => a - b);
	  return JSON.stringify({ series: document.querySelectorAll('[data-testid="legend-row"]').length, took: times[50] });
	})()`)
	if err != nil {
		return 0, 0, err
	}
	var got struct {
		Series int
		Took   float64
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return 0, 0, fmt.Errorf("%q: %w", text, err)
	}
	return got.Series, time.Duration(got.Took * float64(time.Millisecond)), nil
}
