package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
	"pcpscope/internal/build"
	"pcpscope/internal/site"
)

type bench struct {
	chromium *browser.Browser
	address  string
	stop     func()
	memory   float64
	download string
}

func newBench(root, scratch string) (*bench, error) {
	// Without compression: what localhost would save in bytes it would lose in
	// unpacking. dist/, where it was built with compression, tells the download.
	dist := filepath.Join(scratch, "dist")
	say := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	if err := build.Site(build.Options{Root: root, Dist: dist, Log: say}); err != nil {
		return nil, err
	}
	chromium, err := browser.StartWhole()
	if err != nil {
		return nil, err
	}
	b := &bench{chromium: chromium, download: download(filepath.Join(root, "dist"))}
	b.address, b.stop = browser.Serve(browser.Site(site.Policy{}, dist, nil))
	return b, nil
}

func (b *bench) close() {
	b.chromium.Close()
	b.stop()
}

func download(dist string) string {
	var n int64
	files, _ := filepath.Glob(filepath.Join(dist, "*.br"))
	vendored, _ := filepath.Glob(filepath.Join(dist, "vendor", "*.br"))
	for _, f := range append(files, vendored...) {
		if info, err := os.Stat(f); err == nil && !strings.HasSuffix(f, ".d.ts.br") {
			n += info.Size()
		}
	}
	if n == 0 {
		return "run ./build.sh build first"
	}
	return fmt.Sprintf("%d bytes", n)
}

// setup puts on the bare page what the scripts below share.
const setup = `(async () => {
  const { start } = await import("/pcpscope.js");
  globalThis.pcp = await start();
  await new Promise((r) => setTimeout(r, 2000)); // the user looks at the page
  globalThis.times = {};
  globalThis.timed = async (name, f) => {
    const t = performance.now();
    const v = await f();
    times[name] = performance.now() - t;
    return v;
  };
  globalThis.chart = (source, metric, interval) => pcp.fetch({ source: source.id, metrics: [metric],
    start: source.start, end: source.end, interval: interval ?? (source.end - source.start) / 1200n });
  return true;
})()`

// measure returns the rows of run, in their order.
func (b *bench) measure(raw, packed []string, repeat int) (map[int]time.Duration, error) {
	got := map[int][]time.Duration{}
	for range repeat {
		took, err := b.page()
		if err != nil {
			return nil, fmt.Errorf("the page: %w", err)
		}
		got[0] = append(got[0], took)
		times, err := b.ask(raw, `(async () => {
		  const files = [...document.querySelector("input").files], t = performance.now();
		  const { sources: [source] } = await timed("1", () => pcp.open(files));
		  await timed("2", () => chart(source, `+quote(firstMetric)+`));
		  await timed("3", () => chart(source, `+quote(manyMetric)+`, 60_000_000_000n));
		  await timed("4", () => chart(source, `+quote(nextMetric)+`));
		  await timed("5", () => pcp.summary({ source: source.id }));
		  times["6"] = performance.now() - t;
		  await pcp.loaded(source.id);
		  const wire = await pcp.callWire("close", { text: JSON.stringify({ source: source.id }), data: null, blobs: [] });
		  times.memory = JSON.parse(wire.text).memory;
		  return JSON.stringify(times);
		})()`)
		if err != nil {
			return nil, fmt.Errorf("raw: %w", err)
		}
		for i := 1; i <= 6; i++ {
			got[i] = append(got[i], ms(times[fmt.Sprint(i)]))
		}
		b.memory = times["memory"]
		times, err = b.ask(packed, `(async () => {
		  const files = [...document.querySelector("input").files], t = performance.now();
		  let done = false;
		  times["9"] = 0;
		  const others = (async () => {
		    for (; !done; await new Promise((r) => setTimeout(r, 5))) {
		      const t = performance.now();
		      await pcp.sources();
		      times["9"] = Math.max(times["9"], performance.now() - t);
		    }
		  })();
		  const { sources: [source] } = await pcp.open(files);
		  await pcp.metrics(source.id);
		  times["7"] = performance.now() - t;
		  await chart(source, `+quote(firstMetric)+`);
		  times["8"] = performance.now() - t;
		  done = true;
		  await others;
		  return JSON.stringify(times);
		})()`)
		if err != nil {
			return nil, fmt.Errorf("packed: %w", err)
		}
		preview, err := b.ask(raw, `(async () => {
		  const { sources: [source] } = await pcp.open([...document.querySelector("input").files]);
		  await timed("10", () => pcp.fetch({ source: source.id, metrics: [`+quote(firstMetric)+`], start: source.start,
		    end: source.end, interval: (source.end - source.start) / 1200n, partial: true }));
		  return JSON.stringify(times);
		})()`)
		if err != nil {
			return nil, fmt.Errorf("preview: %w", err)
		}
		got[10] = append(got[10], ms(preview["10"]))
		got[7] = append(got[7], ms(times["7"]))
		got[8] = append(got[8], ms(times["8"]))
		got[9] = append(got[9], ms(times["9"]))
	}
	result := map[int]time.Duration{}
	for i, ds := range got {
		result[i] = median(ds)
	}
	return result, nil
}

// settled is how long a new window's own pages take to load: the address bar
// is one. A user has a window when going to an address.
const settled = 2 * time.Second

// page times a visit with an empty cache, until the program runs and stands.
func (b *bench) page() (time.Duration, error) {
	p, err := b.chromium.NewPage(1440, 900)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	time.Sleep(settled)
	if err := p.Do(chromedp.Navigate(b.address + "/")); err != nil {
		return 0, err
	}
	took, err := browser.Eval[float64](p, `(async () => {
	  await (await pcpscopeReady).idle();
	  return performance.getEntriesByName("pcpscope usable")[0]?.startTime ?? performance.now();
	})()`)
	return ms(took), err
}

func (b *bench) ask(files []string, script string) (map[string]float64, error) {
	p, err := b.chromium.NewPage(800, 600)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Do(chromedp.Navigate(b.address + "/bare")); err != nil {
		return nil, err
	}
	if _, err := browser.Eval[bool](p, setup); err != nil {
		return nil, err
	}
	if err := p.Choose("input", files...); err != nil {
		return nil, err
	}
	text, err := browser.Eval[string](p, script)
	if err != nil {
		return nil, err
	}
	return decode(text)
}

func ms(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
