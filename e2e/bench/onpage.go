package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// A visit is what the page that people use took for one drop of files, all
// from the drop on.
type visit struct {
	List    time.Duration // until metrics are listed
	Chart   time.Duration // until a chart of what is known by then has numbers
	Numbers time.Duration // until the first chart has the numbers that it keeps
	Read    time.Duration // until everything has been read
	Rest    time.Duration // until nothing is left to do
	CPU     time.Duration // that the whole browser used
	Empty   int64         // bytes of the whole browser's memory before the drop
	Memory  browser.Use   // afterwards
}

// visit drops files on a new page and waits until it is at rest. The caller
// closes the page.
func (b *bench) visit(files []string) (*browser.Page, visit, error) {
	var v visit
	p, err := b.chromium.NewPage(1440, 900)
	if err != nil {
		return nil, v, err
	}
	fail := func(err error) (*browser.Page, visit, error) {
		p.Close()
		return nil, v, err
	}
	if err := p.Do(chromedp.Navigate(b.address + "/")); err != nil {
		return fail(err)
	}
	if err := p.Idle(); err != nil {
		return fail(err)
	}
	time.Sleep(settled) // the user looks at the page
	before, err := b.chromium.Use()
	if err != nil {
		return fail(err)
	}
	if _, err := browser.Eval[bool](p, watchDrop); err != nil {
		return fail(err)
	}
	if err := p.Drop("body", files...); err != nil {
		return fail(err)
	}
	text := ""
	for end := time.Now().Add(10 * time.Minute); text == ""; time.Sleep(200 * time.Millisecond) {
		if text, err = browser.Eval[string](p, `dropped.rest ? JSON.stringify(dropped) : ""`); err != nil {
			return fail(err)
		}
		if time.Now().After(end) {
			return fail(fmt.Errorf("the page does not come to rest"))
		}
	}
	var seen struct{ List, Chart, Numbers, Read, Rest float64 }
	if err := json.Unmarshal([]byte(text), &seen); err != nil {
		return fail(err)
	}
	v.List, v.Chart, v.Numbers, v.Read, v.Rest = ms(seen.List), ms(seen.Chart), ms(seen.Numbers), ms(seen.Read), ms(seen.Rest)
	if v.Memory, err = b.chromium.Use(); err != nil {
		return fail(err)
	}
	v.CPU, v.Empty = v.Memory.CPU-before.CPU, before.Memory
	return p, v, nil
}

// watchDrop makes dropped, which says in milliseconds from the drop on when
// the page showed what. It looks a hundred times a second until there is a
// chart, then less often: over seconds, that is some of the page's CPU time.
const watchDrop = `(async () => {
  const { idle } = await pcpscopeReady;
  const of = (id) => document.querySelector('[data-testid="' + id + '"]');
  const shown = (e) => e && e.getClientRects().length > 0;
  globalThis.dropped = {};
  addEventListener("drop", () => {
    const from = performance.now();
    let numbers = "";
    const note = (what) => dropped[what] ??= performance.now() - from;
    const look = () => {
      if (parseInt(of("metric-count")?.textContent)) note("list");
      const now = [...of("panel")?.querySelectorAll('[data-testid="avg"], [data-testid="p95"], [data-testid="max"]') ?? []].map((e) => e.textContent).join(" ");
      if (now && !now.includes("\u2026")) note("chart");
      if (now !== numbers) { numbers = now; dropped.numbers = performance.now() - from; }
      if (dropped.list && !shown(of("reading"))) note("read");
      if (!dropped.rest) setTimeout(look, dropped.chart ? 50 : 10);
    };
    look();
    (async () => {
      while (!dropped.read || !dropped.chart) await new Promise((r) => setTimeout(r, 20));
      await pcpscope.idle();
      look();
      note("rest");
    })();
  }, { capture: true, once: true });
  return typeof idle === "function";
})()`

// views are what a user opens once all is read: a click each, and what it
// needs before.
var views = []struct{ what, click, before string }{
	{"summary", "tab-summary", ""},
	{"processes", "tab-processes", ""},
	{"records", "tab-records", ""},
	{"all metrics", "tab-all-metrics", ""},
	{"problems", "tab-problems", ""},
	{"metrics", "tab-metrics", ""},
	{"findings", "tab-findings", ""},
	{"comparison", "open-compare", ""},
	{"dashboards", "tab-boards", ""},
	{"a dashboard", "board-open", ""},
	{"another hour of the day", "days-measure", "tab-findings"},
}

// opening measures how long the page is busy with opening each of views.
func opening(p *browser.Page) (map[string]time.Duration, error) {
	took := map[string]time.Duration{}
	for _, v := range views {
		d, err := browser.Eval[float64](p, fmt.Sprintf(`(async () => {
		  const of = (id) => [...document.querySelectorAll('[data-testid="' + id + '"]')].find((e) => e.getClientRects().length && !e.disabled);
		  of(%q)?.click();
		  await pcpscope.idle();
		  await new Promise((r) => setTimeout(r, 700)); // the address follows half a second later
		  await pcpscope.idle();
		  const e = of(%q), from = performance.now();
		  if (!e) return -1;
		  if (e.localName === "select") { e.selectedIndex = (e.selectedIndex + 1) %% e.options.length; e.dispatchEvent(new Event("change", { bubbles: true })); }
		  else e.click();
		  await pcpscope.idle();
		  return performance.now() - from;
		})()`, v.before, v.click))
		if err != nil {
			return took, fmt.Errorf("%s: %w", v.what, err)
		}
		took[v.what] = ms(d)
	}
	return took, nil
}

// onPage prints what the page takes for the large archive, raw, beside one
// pmlogsummary.
func (b *bench) onPage(raw []string, archive string, repeat int) error {
	fmt.Printf("\non the page, from the drop of %s:\n", size(raw))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "list\tfirst chart\tits final numbers\tall read\tat rest\tCPU of the browser\tpmlogsummary\tnumbers (must 0.30)\trest (must 0.55)")
	for range repeat {
		p, v, err := b.visit(raw)
		if err != nil {
			return err
		}
		p.Close()
		tool := timed("pmlogsummary", "-z", archive)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", show(v.List), show(v.Chart), show(v.Numbers), show(v.Read), show(v.Rest), show(v.CPU), show(tool), ratio(v.Chart, tool), ratio(v.Rest, tool))
	}
	return w.Flush()
}

// weeks prints what the page takes for a folder with weeks of compressed
// archives, and for half of them, beside xz on one core; and for opening each
// view afterwards.
func (b *bench) weeks(folder string, repeat int) error {
	all, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(all) == 0 {
		return fmt.Errorf("there is nothing in %s", folder)
	}
	sort.Strings(all)
	half := all[:firstFileOfDay(all, len(all)/2)]
	fmt.Printf("\non the page, from the drop of %s, %d files; and of half of them:\n", size(all), len(all))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "files\tlist\tfirst chart\tits final numbers\tall read\tat rest\tCPU of the browser\txz -dc\tCPU of xz\tread / xz (must 1)\tmemory: browser\tbefore the drop\trenderer\tengine")
	var opened map[string]time.Duration
	for range repeat {
		for _, files := range [][]string{half, all} {
			p, v, err := b.visit(files)
			if err != nil {
				return err
			}
			if len(files) == len(all) {
				if opened, err = opening(p); err != nil {
					fmt.Printf("views: %v\n", err) // nothing on a page may take longer than a minute
				}
			}
			engine, err := browser.Eval[float64](p, `(async () => {
			  const pcp = await pcpscopeReady, [{ id }] = await pcp.sources();
			  return JSON.parse((await pcp.callWire("close", { text: JSON.stringify({ source: id }), data: null, blobs: [] })).text).memory;
			})()`)
			p.Close()
			if err != nil {
				return err
			}
			wall, cpu := unxz(files)
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d MiB\t%d MiB\t%d MiB\t%.0f MiB\n", len(files), show(v.List), show(v.Chart), show(v.Numbers), show(v.Read), show(v.Rest),
				show(v.CPU), show(wall), show(cpu), ratio(v.Read, wall), v.Memory.Memory>>20, v.Empty>>20, v.Memory.Renderer>>20, engine/(1<<20))
			w.Flush() // what was measured is told, whatever comes
		}
	}
	w.Flush()
	fmt.Println("\nthen, opening a view (must 200 ms):")
	for _, v := range views {
		switch d, measured := opened[v.what]; {
		case !measured:
			fmt.Fprintf(w, "%s\tnot measured\n", v.what)
		case d < 0:
			fmt.Fprintf(w, "%s\tnot there\n", v.what)
		default:
			fmt.Fprintf(w, "%s\t%s\n", v.what, show(d))
		}
	}
	return w.Flush()
}

// firstFileOfDay is the place, from about n on, of the first file of an archive.
func firstFileOfDay(files []string, n int) int {
	day := func(i int) string { name, _, _ := strings.Cut(filepath.Base(files[i]), "."); return name }
	for n < len(files) && day(n) == day(n-1) {
		n++
	}
	return n
}

// unxz is how long one xz takes to unpack files on one core, and the CPU time of it.
func unxz(files []string) (wall, cpu time.Duration) {
	args := []string{"-dc", "-T1"}
	for _, f := range files {
		if strings.HasSuffix(f, ".xz") {
			args = append(args, f)
		}
	}
	cmd := exec.CommandContext(context.Background(), "xz", args...)
	from := time.Now()
	if cmd.Run() != nil {
		return 0, 0
	}
	return time.Since(from), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// timed is how long a command takes; 0 where it fails.
func timed(name string, args ...string) time.Duration {
	from := time.Now()
	if exec.Command(name, args...).Run() != nil {
		return 0
	}
	return time.Since(from)
}

func ratio(a, b time.Duration) string {
	if a == 0 || b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", a.Seconds()/b.Seconds())
}
