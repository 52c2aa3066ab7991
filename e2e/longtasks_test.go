package e2e

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/browser"
	generated "pcpscope/internal/hostile"
)

// Whatever files are opened, the page is never blocked for long, neither while
// opening nor while browsing. Measured is the CPU time of single tasks of the
// event loop in the page's thread. A list transferred as a whole, or a
// quadratic loop, would take a second or more here.
func TestPageNeverFreezes(t *testing.T) {
	for _, in := range []struct {
		name  string
		files func(dir string) []string
	}{
		{"a million marks", func(dir string) []string { return kind(t, dir, "marks", 1_000_000) }},
		{"20,000 names at the top", func(dir string) []string { return kind(t, dir, "names at the top", 20_000) }},
		{"20 MB of help", func(dir string) []string { return helpful(t, dir, 2000, 10_000) }},
		{"79 sources", func(dir string) []string { return kind(t, dir, "containers, an archive in each", 79*40) }},
		{"a label of 60 kB that 20,000 metrics share", func(dir string) []string { return kind(t, dir, "labels that all metrics share", 20_000) }},
		{"20,000 instances", func(dir string) []string { return kind(t, dir, "instances", 20_000) }},
		{"10,000 files of no use", func(dir string) []string { return kind(t, dir, "files of no use", 10_000) }},
	} {
		t.Run(in.name, func(t *testing.T) {
			files := in.files(t.TempDir())
			inShortTasks(t, func() (*page, time.Duration) {
				p := open(t, "/?test=1")
				return p, lookThrough(p, files)
			})
		})
	}
}

// An answer of any length is decoded in short tasks, with the same result as a short one.
func TestLongAnswersAreDecodedInShortTasks(t *testing.T) {
	const n = 100_000
	p := bare(t)
	eval[any](p, `(document.body.innerHTML = "<input type=file multiple>", true)`)
	p.choose("input", kind(t, t.TempDir(), "instances", n)...)
	eval[any](p, `(async () => {
	  globalThis.id = (await pcp.open([...document.querySelector("input").files])).sources[0].id;
	  await pcp.loaded(id);
	  globalThis.query = (instances) => pcp.fetch({ source: id, metrics: ["a.b"], interval: "60sec", instances });
	  return true;
	})()`)
	inShortTasks(t, func() (*page, time.Duration) {
		var columns int
		tasks, err := p.Tasks(func() {
			columns = eval[int](p, `(async () => {
			  globalThis.all = await query();
			  await new Promise((done) => setTimeout(done, 100)); // so that the last task is in the trace
			  return all.columns.length;
			})()`)
		})
		p.must(err)
		if columns != n {
			t.Fatalf("%d columns, want %d", columns, n)
		}
		return p, longestTask(p, tasks, true)
	})
	if diff := eval[string](p, `(async () => {
	  const { columns, ...rest } = all, some = [0, 1, 54_321, 99_999].map((i) => columns[i]);
	  const { columns: few, ...of } = await query(some.map((c) => c.instance.name));
	  const text = plain([few, of]);
	  return few.length === 4 && text === plain([some, rest]) && columns.every((c) => c.values instanceof Float64Array && c.values.length === all.times.length) ? "" : text;
	})()`); diff != "" {
		t.Errorf("asked for alone, some columns are %.300s", diff)
	}
}

// lookThrough opens files, filters metrics, searches, and opens tables. It
// returns the longest task of the page's thread.
func lookThrough(p *page, files []string) time.Duration {
	p.t.Helper()
	p.idle()
	tasks, err := p.Tasks(func() {
		p.drop("body", files...)
		for range 2 { // 79 sources are a lot of work for a busy machine
			if p.Idle() == nil {
				break
			}
		}
		p.idle()
		if len(plainSources(p)) == 0 {
			return
		}
		openTab(p, "tab-metrics")
		click(p, id("tree-filter"))
		press(p, "a")
		shortcut(p, "/")
		press(p, "a")
		press(p, kb.Escape)
		for _, tab := range []string{"tab-all-metrics", "tab-summary", "tab-records"} {
			openTab(p, tab)
		}
	})
	p.must(err)
	return longestTask(p, tasks, true)
}

// longestTask is the CPU time of the longest task of the page's thread, or of a
// worker's.
func longestTask(p *page, tasks []browser.Task, page bool) time.Duration {
	p.t.Helper()
	at := slices.IndexFunc(tasks, func(k browser.Task) bool { return k.Page == page })
	if at < 0 {
		p.t.Fatal("the trace has no such task")
	}
	return tasks[at].CPU
}

// plainSources are the numbers of the sources open on the page.
func plainSources(p *page) []int {
	p.t.Helper()
	return eval[[]int](p, `pcpscope.sources().then((list) => list.map((s) => s.id))`)
}

// kind writes a generated input of a kind into a folder, and returns the
// files to drop.
func kind(t *testing.T, dir, name string, n int) []string {
	t.Helper()
	kinds := generated.Kinds()
	at := slices.IndexFunc(kinds, func(k generated.Kind) bool { return k.Name == name })
	if at < 0 {
		t.Fatalf("there is no kind %q", name)
	}
	var list []string
	for _, f := range kinds[at].Make(n) {
		data, err := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		top, _, _ := strings.Cut(f.Name, "/")
		if top = filepath.Join(dir, top); !slices.Contains(list, top) {
			list = append(list, top)
		}
	}
	return list
}

// helpful writes an archive of n metrics, each with a help text of the given
// size.
func helpful(t *testing.T, dir string, n, size int) []string {
	t.Helper()
	var list []string
	w, err := archive.NewWriter(archive.Label{Version: 3, Host: "helpful", Start: 1e18}, func(suffix string) (io.WriteCloser, error) {
		list = append(list, filepath.Join(dir, "a."+suffix))
		return os.Create(list[len(list)-1])
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		d := pcp.Desc{PMID: pcp.MakePMID(60, i/1000, i%1000), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
		w.Desc(d, fmt.Sprintf("a.b%d", i))
		w.MetricText(d.PMID, "what is told in one line", strings.Repeat("Much can be said of this. ", size/26))
		for k := range 3 {
			if i == 0 {
				w.Record(pcp.Time(1e18+6e10*k), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 1}}}})
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return list
}

// The fleet page works through a dataset of as many hosts as fit into its
// sections in short tasks, too: reading, filtering, sorting, grouping and the
// outliers of an hour.
func TestFleetPageNeverFreezes(t *testing.T) {
	const n = 100_000
	names, listed, findings := make([]any, n), make([]any, n), make([]any, n)
	cells := make([]byte, 96*n)
	for i := range n {
		host := fmt.Sprintf("host%06d.example.com", i)
		names[i] = object{"host": host, "name": "n" + host, "labels": object{"role": fmt.Sprint("role", i%50), "rack": fmt.Sprint("rack", i)}}
		listed[i] = object{"host": host, "recorded": []int{3600, 3600, 3600}, "archives": []string{host + "/a"}, "problem": "damaged"}
		findings[i] = object{"host": i, "level": "look", "resource": "cpu", "text": fmt.Sprint("finding ", i), "start": i, "end": i + 1}
		for h := range 24 {
			binary.LittleEndian.PutUint32(cells[96*i+4*h:], math.Float32bits(float32((i*7919+h)%1000)))
		}
	}
	server := given(t, dataset(t, object{"measures": []any{object{"id": "busy", "name": "Busy", "unit": "%"}}, "hosts": names}, listed, findings, cells))
	inShortTasks(t, func() (*page, time.Duration) {
		p := openURL(t, server+"/fleet.html") // the page has its process
		var worst [2]time.Duration
		measured := func(act func()) time.Duration {
			tasks, err := p.Tasks(act)
			p.must(err)
			return longestTask(p, tasks, true)
		}
		worst[0] = measured(func() {
			p.must(p.Do(chromedp.Navigate(server + "/?fleet=set/")))
			p.fleetReady()
		})
		if got := text(p, "fleet-said"); !strings.HasPrefix(got, "10,000 hosts of 100,000 (filter for others), 1 day") {
			t.Fatalf("it says %q", got)
		}
		worst[1] = measured(func() {
			for _, c := range [][2]string{{"filter", "9"}, {"filter", "role7 99"}, {"filter", ""}, {"sort", "name"}, {"sort", "change"}, {"group", "role"}, {"level", "look"}} {
				eval[any](p, fmt.Sprintf(`(() => { const e = document.querySelector("[data-testid=fleet-%s]"); e.value = %q; e.dispatchEvent(new Event(e.tagName === "INPUT" ? "input" : "change")); return true })()`, c[0], c[1]))
			}
			eval[any](p, `(document.querySelector("[data-testid=fleet-matrix]").dispatchEvent(new KeyboardEvent("keydown", { key: "Home" })), true)`)
			p.until(`document.querySelector("[data-testid=fleet-outliers-said]").textContent`)
		})
		t.Logf("the longest tasks have %v", worst)
		return p, max(worst[0], worst[1])
	})
}
