package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// redrawn are two panels of some 2,000 series, all of whose values come anew
// with each move of the window.
const redrawn = `[["proc.psinfo.utime"], ["proc.psinfo.stime"]]`

// howOften they are redrawn.
const howOften = 10

// redraws prints what redrawing panels of thousands of series costs: the
// processor time of the whole browser and the page's time for each, and the
// memory of the page when it has done so ten times, before and after its
// collector ran.
func (b *bench) redraws(files []string) error {
	p, err := b.chromium.NewPage(1440, 900)
	if err != nil {
		return err
	}
	defer p.Close()
	open := func() error { return p.Do(chromedp.Navigate(b.address + "/")) }
	show := func() error {
		_, err := browser.Eval[bool](p, `(async () => { (globalThis.pcpscopePage?.view ?? globalThis.pcpview).panels(JSON.stringify(`+redrawn+`)); await (await pcpscopeReady).idle(); return true; })()`)
		return err
	}
	for _, step := range []func() error{open, p.Idle, func() error { return p.Drop("body", files...) }, p.Idle, show, func() error { return press(p, "w") }, p.Idle, func() error { return press(p, "w") }, p.Idle} {
		if err := step(); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nredraws of 2,000 series\tprocessor time of each\ttime of each\tJavaScript's heap\tArrayBuffers\trenderer's memory")
	row := func(what string, n int, cpu, wall time.Duration) error {
		heap, err := browser.Get(p, func(ctx context.Context, t *chromedp.Target) (runtime.GetHeapUsageResult, error) {
			return chromedp.Call(ctx, runtime.GetHeapUsage, cdp.Empty{})
		})
		if err != nil {
			return err
		}
		use, err := b.chromium.Use()
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1f MiB\t%.1f MiB\t%d MiB\n", what, each(cpu, n), each(wall, n), heap.UsedSize/(1<<20), heap.BackingStorageSize/(1<<20), use.Renderer>>20)
		return err
	}
	collect := func() error {
		return p.Do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{})
			return chromedp.Void{}, err
		})
	}
	if err := collect(); err != nil {
		return err
	}
	if err := row("before, collected", 0, 0, 0); err != nil {
		return err
	}
	for round := range 2 {
		before, err := b.chromium.Use()
		if err != nil {
			return err
		}
		from := time.Now()
		for i := range howOften {
			if err := press(p, []string{"d", "a"}[i%2]); err != nil {
				return err
			}
			if err := p.Idle(); err != nil {
				return err
			}
		}
		wall := time.Since(from)
		after, err := b.chromium.Use()
		if err != nil {
			return err
		}
		if err := row(fmt.Sprintf("after %d", (round+1)*howOften), howOften, after.CPU-before.CPU, wall); err != nil {
			return err
		}
	}
	if err := collect(); err != nil {
		return err
	}
	if err := row("and collected", 0, 0, 0); err != nil {
		return err
	}
	return w.Flush()
}

func each(d time.Duration, n int) string {
	if n == 0 {
		return "-"
	}
	return show(d / time.Duration(n))
}
