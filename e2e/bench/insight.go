package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/internal/browser"
)

// An insight is a question about a source that has been read. The window of explain
// and moves is given as two fractions of the recording.
type insight struct {
	what    string
	script  string // in the browser; w(from, to) is a window
	ask     func(ctx context.Context, s *core.Session, id api.SourceID, w func(from, to float64) (start, end *api.When)) error
	big     time.Duration // must, of the large archive
	weeks   time.Duration // of weeks
	native  time.Duration
	browser time.Duration
	used    time.Duration // CPU time of the whole browser
}

// insights are asked in this order; the first explanation also computes what the
// others find in caches.
func insights() []insight {
	const must = 300 * time.Millisecond
	explain := func(what string, from, to float64, must time.Duration) insight {
		return insight{
			what: what, script: fmt.Sprintf(`pcp.explain({ source: id, ...w(%g, %g) })`, from, to), big: must, weeks: 0,
			ask: func(ctx context.Context, s *core.Session, id api.SourceID, w func(from, to float64) (start, end *api.When)) error {
				start, end := w(from, to)
				_, err := s.Explain(ctx, api.ExplainQuery{Source: id, Start: start, End: end}, nil)
				return err
			},
		}
	}
	return []insight{
		explain("explain, the first time", 0.5, 0.52, 0),
		explain("explain, 2 % of the record", 0.7, 0.72, must),
		explain("explain, 12 %", 0.2, 0.32, must),
		explain("explain, a third", 0.45, 0.8, must),
		{
			what: "story", script: `pcp.story({ source: id })`, big: time.Second, weeks: 3 * time.Second,
			ask: func(ctx context.Context, s *core.Session, id api.SourceID, _ func(from, to float64) (start, end *api.When)) error {
				_, err := s.Story(ctx, api.StoryQuery{Source: id}, nil)
				return err
			},
		},
		{
			what: "moves, 12 %", script: `pcp.moves({ source: id, metric: "kernel.all.pswitch", ...w(0.2, 0.32) })`,
			ask: func(ctx context.Context, s *core.Session, id api.SourceID, w func(from, to float64) (start, end *api.When)) error {
				start, end := w(0.2, 0.32)
				_, err := s.Moves(ctx, api.MovesQuery{Source: id, Metric: "kernel.all.pswitch", Start: start, End: end}, nil)
				return err
			},
		},
		{
			what: "compare, two tenths", script: `(({ start: aStart, end: aEnd }, { start: bStart, end: bEnd }) => pcp.compare({ source: id, aStart, aEnd, bStart, bEnd }))(w(0.1, 0.2), w(0.4, 0.5))`,
			ask: func(ctx context.Context, s *core.Session, id api.SourceID, w func(from, to float64) (start, end *api.When)) error {
				var q api.CompareQuery
				q.Source = id
				q.AStart, q.AEnd = w(0.1, 0.2)
				q.BStart, q.BEnd = w(0.4, 0.5)
				_, err := s.Compare(ctx, q, nil)
				return err
			},
		},
	}
}

// insight prints the times of explanations and the like, in the browser and natively,
// for the archive and for weeks. Each is the median of several sessions, because
// answers are cached.
func (b *bench) insight(raw []string, history string, repeat int) error {
	list, err := b.insightOf(raw, repeat)
	if err != nil {
		return err
	}
	fmt.Println("\nafter the archive has been read:")
	printInsight(list, func(a *insight) time.Duration { return a.big })
	weeks, _ := filepath.Glob(filepath.Join(history, "*"))
	if len(weeks) == 0 {
		return fmt.Errorf("there is nothing in %s", history)
	}
	if list, err = b.insightOf(weeks, repeat); err != nil {
		return err
	}
	fmt.Printf("\nafter weeks have been read (%d files):\n", len(weeks))
	printInsight(list, func(a *insight) time.Duration { return a.weeks })
	return nil
}

func printInsight(list []insight, must func(*insight) time.Duration) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbrowser\tmust\tCPU of the browser\tnative Go")
	for i := range list {
		a := &list[i]
		late := ""
		if m := must(a); m > 0 && a.browser > m {
			late = " (!)"
		}
		fmt.Fprintf(w, "%s\t%s%s\t%s\t%s\t%s\n", a.what, show(a.browser), late, show(must(a)), show(a.used), show(a.native))
	}
	w.Flush()
}

func (b *bench) insightOf(files []string, repeat int) ([]insight, error) {
	list := insights()
	native, wall, used := make([][]time.Duration, len(list)), make([][]time.Duration, len(list)), make([][]time.Duration, len(list))
	for range repeat {
		if err := insightNative(files, list, native); err != nil {
			return nil, fmt.Errorf("native: %w", err)
		}
		if err := b.insightBrowser(files, list, wall, used); err != nil {
			return nil, fmt.Errorf("browser: %w", err)
		}
	}
	for i := range list {
		list[i].native, list[i].browser, list[i].used = median(native[i]), median(wall[i]), median(used[i])
	}
	return list, nil
}

func insightNative(files []string, list []insight, took [][]time.Duration) error {
	s, source, err := openNative(files)
	if err != nil {
		return err
	}
	defer s.Close(source.ID)
	ctx := context.Background()
	if source, err = s.Loaded(ctx, source.ID, quiet); err != nil {
		return err
	}
	length := float64(source.End - source.Start)
	w := func(from, to float64) (start, end *api.When) {
		return nanos(int64(source.Start) + int64(from*length)), nanos(int64(source.Start) + int64(to*length))
	}
	for i := range list {
		clock := startWatch()
		if err := list[i].ask(ctx, s, source.ID, w); err != nil {
			return fmt.Errorf("%s: %w", list[i].what, err)
		}
		took[i] = append(took[i], clock.all())
	}
	return nil
}

func (b *bench) insightBrowser(files []string, list []insight, wall, used [][]time.Duration) error {
	p, err := b.chromium.NewPage(800, 600)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Do(chromedp.Navigate(b.address + "/bare")); err != nil {
		return err
	}
	if _, err := browser.Eval[bool](p, setup); err != nil {
		return err
	}
	if err := p.Choose("input", files...); err != nil {
		return err
	}
	if _, err := browser.Eval[bool](p, `(async () => {
	  const { sources: [{ id }] } = await pcp.open([...document.querySelector("input").files]);
	  const { start, end } = await pcp.loaded(id), length = Number(end - start), at = (share) => start + BigInt(Math.round(share * length));
	  Object.assign(globalThis, { id, w: (from, to) => ({ start: at(from), end: at(to) }) });
	  return true;
	})()`); err != nil {
		return err
	}
	for i := range list {
		before, err := b.chromium.Use()
		if err != nil {
			return err
		}
		took, err := browser.Eval[float64](p, `(async () => { const t = performance.now(); await `+list[i].script+`; return performance.now() - t; })()`)
		if err != nil {
			return fmt.Errorf("%s: %w", list[i].what, err)
		}
		after, err := b.chromium.Use()
		if err != nil {
			return err
		}
		wall[i], used[i] = append(wall[i], ms(took)), append(used[i], after.CPU-before.CPU)
	}
	return nil
}
