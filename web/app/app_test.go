package app

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/wasm/rpc"
	"pcpscope/web/metric"
	"pcpscope/web/session"
	"pcpscope/web/timeline"
)

func TestOpening(t *testing.T) {
	b := newBench(t)
	files := written(t, "")
	b.Intake.Open(files)
	if b.Intake.Reading == nil || len(b.Intake.Reading.Files) != len(files) || b.Idle() {
		t.Fatal("taken files are not listed at once as being read")
	}
	b.run()
	tab := b.Current()
	if tab == nil || !b.Idle() || b.Intake.Reading != nil {
		t.Fatalf("after opening: source %v, idle %v, reading %v; want a source, idle, nothing being read", tab, b.Idle(), b.Intake.Reading)
	}
	if got := tab.Clock.Range(tab.Window.Start, tab.Window.End) + " " + tab.Clock.Offset(tab.Window.Start); got != "10:01:25 – 10:11:25 UTC−4" {
		t.Errorf("window = %q, want 10:01:25 – 10:11:25 UTC−4", got)
	}
	if len(tab.Dashboard.Panels) == 0 || tab.Dashboard.Shown == nil || tab.Dashboard.Shown.ID != "overview" {
		t.Errorf("a newly opened source has %d panels and dashboard %v, want those of the overview", len(tab.Dashboard.Panels), tab.Dashboard.Shown)
	}
	if tab.Title() != "brolley-t530" || tab.Subtitle() != "10 min · 16 Apr 2018" {
		t.Errorf("title and subtitle = %q, %q, want brolley-t530, 10 min · 16 Apr 2018", tab.Title(), tab.Subtitle())
	}
	// Without dashboards, metrics that nearly every archive has are shown.
	b = newBench(t)
	b.engine.fail["dashboards"] = pcp.Faultf(pcp.BadArgument, "There are none.")
	if tab = b.open(t, files); len(tab.Dashboard.Panels) == 0 || !tab.Dashboard.Showing("kernel.all.load") {
		t.Errorf("without dashboards: %d panels, want one that shows kernel.all.load", len(tab.Dashboard.Panels))
	}
}

func TestRefusedFilesAreNamedAndNothingOpenIsDisturbed(t *testing.T) {
	b, tab := opened(t)
	panels := len(tab.Dashboard.Panels)
	b.Intake.Open([]File{{Name: "ticket.pdf", Size: 9, Data: []byte("%PDF-1.7\n")}})
	b.run()
	if len(b.Intake.Refused) != 1 || b.Intake.Refused[0].Name != "ticket.pdf" || b.Current() != tab || len(tab.Dashboard.Panels) != panels || !b.Open() {
		t.Errorf("refused %v, source %p; want ticket.pdf refused and source %p unchanged", b.Intake.Refused, b.Current(), tab)
	}
	b.Intake.Refused = nil
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.pdf"} {
		kind := map[bool]string{true: "This is a PDF document.", false: "This is a text."}[name == "e.pdf"]
		b.Intake.Refused = append(b.Intake.Refused, api.Rejected{Name: name, Fault: pcp.Fault{Message: kind}})
	}
	if got := b.Intake.Refusals(); len(got) != 2 || got[0] != (Refusal{"a.txt, b.txt, c.txt and 1 more", "Each is a text.", "a.txt, b.txt, c.txt, d.txt"}) || got[1] != (Refusal{"e.pdf", "This is a PDF document.", ""}) {
		t.Errorf("refusals = %q, want four texts in one line and one PDF", got)
	}
	b.engine.fail["open"] = pcp.Faultf(pcp.Internal, "The engine stopped.")
	b.Intake.Open([]File{{Name: "a.0"}, {Name: "a.meta"}})
	b.run()
	if len(b.Intake.Refused) != 1 || b.Intake.Refused[0].Name != "a.0 and 1 more file" || b.Intake.Reading != nil {
		t.Errorf("after a failed open: refused %v, want \"a.0 and 1 more file\"", b.Intake.Refused)
	}
}

func TestBatchesFollowEachOther(t *testing.T) {
	b := newBench(t)
	files := written(t, "")
	b.Intake.Open(files)
	b.Intake.Open(renamed(written(t, "mem.physmem"), "other"))
	b.run()
	if len(b.Tabs) != 2 || b.Intake.Reading != nil {
		t.Errorf("after two drops: %d sources, reading %v; want 2, nothing being read", len(b.Tabs), b.Intake.Reading)
	}
}

func TestAddAndRemove(t *testing.T) {
	b, tab := opened(t)
	for len(tab.Dashboard.Panels) > 0 {
		tab.Dashboard.RemovePanel(tab.Dashboard.Panels[0].ID)
	}
	tab.Dashboard.Add("disk.dev.avactive")
	tab.Dashboard.Add("disk.dev.active") // utilisation too: the same panel
	tab.Dashboard.Add("disk.all.read")   // count/s: another
	b.run()
	if len(tab.Dashboard.Panels) != 2 || !slices.Equal(tab.Dashboard.Panels[0].Metrics, []string{"disk.dev.avactive", "disk.dev.active"}) {
		t.Fatalf("panels = %+v, want two, the first of disk.dev.avactive and disk.dev.active", tab.Dashboard.Panels)
	}
	var labels []string
	for _, s := range tab.Dashboard.Panels[0].Series {
		labels = append(labels, s.Label)
	}
	if want := []string{"sda avactive", "sdb avactive", "sda active", "sdb active"}; !slices.Equal(labels, want) {
		t.Errorf("lines = %v, want %v", labels, want)
	}
	if u := tab.Dashboard.Panels[0].Shown.Name(); u != "% of time" {
		t.Errorf("unit of a time counter = %q, want %% of time", u)
	}
	tab.Dashboard.RemoveMetric(tab.Dashboard.Panels[0].ID, "disk.dev.avactive")
	tab.Dashboard.RemoveMetric(tab.Dashboard.Panels[0].ID, "disk.dev.active")
	b.run()
	if len(tab.Dashboard.Panels) != 1 || tab.Dashboard.Showing("disk.dev.active") {
		t.Errorf("after removing both metrics: %d panels, want 1 without disk.dev.active", len(tab.Dashboard.Panels))
	}
	tab.History.Undo()
	b.run()
	if len(tab.Dashboard.Panels) != 2 || len(tab.Dashboard.Panels[0].Series) != 2 {
		t.Errorf("after undo: %d panels, want 2, the first with two lines", len(tab.Dashboard.Panels))
	}
	tab.Dashboard.Add("no.such.metric")
	if len(tab.Dashboard.Panels) != 2 {
		t.Error("an unknown metric added a panel")
	}
}

func TestGridIsAlignedToTheSource(t *testing.T) {
	b, tab := opened(t)
	b.engine.queries = nil
	tab.Zoom(start+123*second, start+247*second)
	b.run()
	if len(b.engine.queries) == 0 {
		t.Fatal("zooming fetched nothing")
	}
	for _, q := range b.engine.queries {
		from, step := *q.Start.Nanos, *q.Interval.Nanos
		// The archive was logged every 10 s, and a window of two minutes has room for all of it.
		if step != int64(10*second) || from != int64(start+110*second) || *q.End.Nanos != int64(start+250*second) {
			t.Errorf("fetched from %d s to %d s every %d s, want 110 s to 250 s every 10 s", (from-int64(start))/1e9, (*q.End.Nanos-int64(start))/1e9, step/1e9)
		}
	}
}

func TestZoomAndBack(t *testing.T) {
	b, tab := opened(t)
	whole := tab.Window
	tab.Zoom(start+300*second, start+100*second) // dragged leftwards
	if tab.Window != (timeline.Window{Start: start + 100*second, End: start + 300*second}) {
		t.Errorf("window after zooming from right to left = %v, want 100 s to 300 s", tab.Window)
	}
	tab.Zoom(start+150*second, start+200*second)
	tab.Unzoom()
	if tab.Window != (timeline.Window{Start: start + 100*second, End: start + 300*second}) {
		t.Errorf("window after zooming out once = %v, want 100 s to 300 s", tab.Window)
	}
	tab.Unzoom()
	if tab.Window != whole {
		t.Errorf("window after zooming out twice = %v, want the whole source", tab.Window)
	}
	tab.History.Undo()
	tab.History.Undo()
	tab.History.Undo()
	tab.History.Undo()
	if tab.Window != whole || tab.History.CanUndo() || !tab.History.CanRedo() {
		t.Errorf("window after undo = %v, want the whole source and nothing more to undo", tab.Window)
	}
	tab.History.Redo()
	tab.Pan(10)
	if tab.Window != (timeline.Window{Start: start + 400*second, End: start + 600*second}) {
		t.Errorf("window after panning past the end = %v, want 400 s to 600 s", tab.Window)
	}
	tab.Zoom(start+590*second, start+9999*second)
	if tab.Window.End != start+600*second {
		t.Error("the window ends after the source")
	}
	b.run()
}

func TestOlderAnswersAreDropped(t *testing.T) {
	b, tab := opened(t)
	p := tab.Dashboard.Panels[0]
	tab.Zoom(start+100*second, start+200*second)
	slow := b.jobs
	b.jobs = nil
	tab.Zoom(start+120*second, start+130*second)
	b.run()
	late := p.Frame
	for _, job := range slow {
		job()
	}
	b.run()
	if p.Frame != late {
		t.Error("the reply to an earlier fetch replaced a newer one")
	}
}

// A reply about a source that is still being read describes only what has been
// read so far, so it is not cached.
func TestNothingIsCachedWhileReading(t *testing.T) {
	b, tab := opened(t)
	tab.data.forget()
	met := map[string]bool{}
	b.engine.before = func(method string, _ rpc.Message) error {
		if met[method] = true; method == "cadences" || method == "instancePart" { // all of it has been read meanwhile
			tab.data.forget()
		}
		return nil
	}
	names := []string{"disk.dev.avactive"}
	tab.data.cadences(names)
	tab.data.instancesOf(*tab.Metric(names[0]).InDom)
	if !met["cadences"] || !met["instancePart"] || len(tab.data.cadence) > 0 || len(tab.data.instances) > 0 {
		t.Errorf("calls %v: cached intervals %v and instances %v, want none of a source still being read", met, tab.data.cadence, tab.data.instances)
	}
	b.engine.before = nil
	if c := tab.data.cadences(names)[names[0]]; c.Usual != int(10*second) || c.Instances != 2 || len(tab.data.cadence) != 1 {
		t.Errorf("interval after reading = %v, cached %v; want 10 s, cached once", c, tab.data.cadence)
	}
}

// The intervals of all metrics of a panel are requested in one call, and cached.
func TestCadencesAreAskedOnce(t *testing.T) {
	b, tab := opened(t)
	tab.data.forget()
	b.engine.methods = nil
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load", "rate(disk.dev.avactive) + mem.util.free"}})
	b.run()
	tab.Zoom(tab.Window.Start+60*second, tab.Window.End-60*second)
	b.run()
	asked, fetched := 0, 0
	for _, m := range b.engine.methods {
		if m == "cadences" {
			asked++
		}
		if m == "fetch" || m == "instancePart" {
			fetched++
		}
	}
	if asked != 1 || fetched != 0 {
		t.Errorf("%d calls for intervals and %d for values or instances, want 1 and 0: %v", asked, fetched, b.engine.methods)
	}
}

func TestNoLineAcrossMissingVolume(t *testing.T) {
	b := newBench(t)
	files := written(t, "", volume{0, 100}, volume{110, 190}, volume{200, 600})
	tab := b.open(t, slices.DeleteFunc(files, func(f File) bool { return strings.HasSuffix(f.Name, ".1") }))
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}})
	b.run()
	p := tab.Dashboard.Panels[0]
	_, why := p.Load(0)
	for i, v := range valuesOf(p, 0) {
		at := p.Frame.Times[i]
		if at > 600 {
			break // the grid goes a step beyond the end
		}
		if inside := at > 100 && at < 200; inside != math.IsNaN(v) {
			t.Errorf("at %v s: value %v, want none between 100 s and 200 s only", at, v)
		} else if inside && series.Why(why[i]) != series.VolumeMissing {
			t.Errorf("at %v s: reason %v, want that the volume is missing", at, why[i])
		}
	}
	if tab.Lost() != int64(100*second) {
		t.Errorf("Lost() = %d ns, want 100 s", tab.Lost())
	}
	values := tab.ValuesAt(start + 150*second)
	if len(values) == 0 || values[0].Value != "–" || values[0].Why != "the volume is missing" {
		t.Errorf("values at a cursor in the missing volume = %+v, want – because the volume is missing", values)
	}
}

func TestTextsAreListedByChange(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.AddPanel("kernel.uname.release")
	b.run()
	p := tab.Dashboard.Panels[len(tab.Dashboard.Panels)-1]
	if len(p.Texts) != 3 || p.Texts[0].Value != "4.15" || p.Texts[1].Value != "4.16" || p.Texts[1].At != start+300*second {
		t.Errorf("texts = %+v, want 4.15, then 4.16 at 300 s, and one more", p.Texts)
	}
}

func TestDetails(t *testing.T) {
	b, tab := opened(t)
	tab.Select("disk.dev.avactive")
	b.run()
	d := tab.Detail
	if d.Logged != "61 times, every 10 s" || d.All != 2 || len(d.Instances) != 2 || d.InDomText() != "60.1, 2 instances" {
		t.Errorf("details = %+v, want 61 observations, one every 10 s, of 2 instances", d)
	}
	if got := metric.UnitsText(d.Metric, d.Shown, true); got != "millisec, shown as % of time" {
		t.Errorf("units = %q, want millisec, shown as %% of time", got)
	}
	tab.Select("mem.physmem")
	b.run()
	if want := [][2]string{{"agent", "linux"}, {"hostname", hostName}, {"n", "3"}}; !slices.Equal(tab.Detail.Labels, want) {
		t.Errorf("labels = %v, want %v", tab.Detail.Labels, want)
	}
}

func TestRecognise(t *testing.T) {
	for name, want := range map[string]string{
		"web01.meta": "metadata", "web01.meta.xz": "metadata", "x/web01.index": "temporal index", "web01.0.zst": "volume 0", "20180416.10.00.12": "volume 12",
		"sos.tar.xz": "tar container", "a.zip": "zip container", "a.pdf": "not known yet", "Latest": "folio",
	} {
		if got, _ := GuessKind(name); got != want {
			t.Errorf("GuessKind(%q) = %q, want %q", name, got, want)
		}
	}
	if _, left := GuessKind("pmlogger.log"); !left {
		t.Error("pmlogger.log is recognised as data")
	}
}

// After an engine crash the page says so, and restores everything on request.
func TestEngineLost(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.AddPanel("disk.dev.avactive")
	tab.Times.SetZone("UTC")
	tab.Notes = []session.Note{{At: start + 150*second, Text: "here"}}
	b.run()
	b.Layout.Drawer, b.Layout.Tables = "summary", true
	shown := len(tab.Dashboard.Panels)
	crash := pcp.Faultf(pcp.Internal, "The engine stopped.")
	b.engine.fail["fetch"], b.engine.fail["chart"] = crash, crash
	b.engine.Server = newWire().Server // which has nothing open
	tab.Zoom(start+100*second, start+200*second)
	b.run()
	if b.Lost != "The engine stopped." {
		t.Fatalf("message after the crash = %q, want %q", b.Lost, "The engine stopped.")
	}
	clear(b.engine.fail)
	b.OpenAgain()
	b.run()
	again := b.Current()
	if again == tab || again == nil || b.Lost != "" || again.Window != (timeline.Window{Start: start + 100*second, End: start + 200*second}) || len(again.Dashboard.Panels) != shown {
		t.Fatalf("reopened source = %+v, want another one with the same window and panels", again)
	}
	if again.Clock.Name != "UTC" || len(again.Notes) != 1 || again.Notes[0].Text != "here" || b.Layout.Drawer != "summary" || !b.Layout.Tables || b.Pending != nil {
		t.Errorf("reopened: clock %q, notes %v, drawer %q, tables %v, still waiting for %v; want UTC, one note, summary, true, nothing", again.Clock.Name, again.Notes, b.Layout.Drawer, b.Layout.Tables, b.Pending)
	}
	for _, p := range again.Dashboard.Panels {
		if p.Frame == nil || p.Fault != "" {
			t.Errorf("panel %v of the reopened source has no frame, or the fault %q", p.Metrics, p.Fault)
		}
	}
}

// After a crash, sources are reopened one by one. One that crashes the engine
// again is left out and named; the others are restored. The next one waits for
// the answers to all that is asked about a source at first: its story is asked
// for last, and sparklines, here, once it is drawn.
func TestCrashingSourceIsLeftOut(t *testing.T) {
	methods := []rpc.Call[rpc.None, rpc.None]{"loaded", "open", "metricPart", "overview", "dashboards", "story", "sparklines"}
	if testing.Short() { // a crash in another call is dealt with by the same goroutines
		methods = methods[:1]
	}
	for _, method := range methods {
		t.Run(string(method), func(t *testing.T) { killedBy(t, string(method)) })
	}
}

// If the engine crashes when a file is opened for the first time, the page names
// the sources that were lost, and that file is not among those reopened.
func TestCrashWhileOpening(t *testing.T) {
	for _, by := range []rpc.Call[rpc.None, rpc.None]{"open", "loaded"} {
		t.Run(string(by), func(t *testing.T) {
			b, _ := opened(t)
			kills, killing := true, false
			b.engine.before = func(method string, request rpc.Message) error {
				var q rpc.OpenRequest
				if method == string(rpc.Open) && rpc.Decode(request, &q) == nil {
					killing = strings.HasPrefix(q.Files[0].Name, "killer")
				}
				if !kills || !killing || method != string(by) {
					return nil
				}
				killing = false
				b.engine.Server = newWire().Server
				return pcp.Faultf(pcp.Internal, "The engine stopped (unreachable).")
			}
			b.open(t, another(t, "killer"))
			if !strings.Contains(b.Lost, "The engine stopped") {
				t.Fatalf("message after the crash = %q, want that the engine stopped", b.Lost)
			}
			b.OpenAgain()
			b.run()
			if len(b.Tabs) != 1 || b.Tabs[0].Source.Name != base || b.Tabs[0].Source.Loaded < 1 || b.Lost != "" {
				t.Errorf("%d sources are open, message %q; want only the first one, read to the end, and no message", len(b.Tabs), b.Lost)
			}
			if said := b.Intake.Refusals(); len(said) == 0 || !strings.Contains(fmt.Sprint(said), "killer") {
				t.Errorf("refused = %+v, want the file that crashed the engine", said)
			}
		})
	}
}

// another returns the archive once more, as that of another host.
func another(t *testing.T, host string) []File {
	files := slices.Clone(written(t, ""))
	for i, f := range files {
		files[i].Name = host + strings.TrimPrefix(f.Name, base)
		files[i].Data = bytes.ReplaceAll(f.Data.([]byte), []byte(hostName), []byte(host+strings.Repeat("-", len(hostName)-len(host))))
	}
	return files
}

// killedBy makes the engine crash on calls of a method for the second of three
// sources.
func killedBy(t *testing.T, by string) {
	b, _ := opened(t)
	b.open(t, append(another(t, "killer"), another(t, "after")...)) // in one go: each is a batch of its own later
	if len(b.Tabs) != 3 {
		t.Fatalf("%d sources are open, want 3", len(b.Tabs))
	}
	b.engine.fail["fetch"] = pcp.Faultf(pcp.Internal, "The engine stopped.")
	b.engine.Server = newWire().Server
	b.Current().Zoom(start+100*second, start+200*second)
	b.run()
	if b.Lost == "" {
		t.Fatal("no message about the crash")
	}
	clear(b.engine.fail)
	crashes, killing := 0, false
	b.engine.before = func(method string, request rpc.Message) error {
		var files rpc.OpenRequest
		if method == string(rpc.Open) && rpc.Decode(request, &files) == nil && strings.HasPrefix(files.Files[0].Name, "killer") {
			killing = true
		}
		if !killing || method != by {
			return nil
		}
		killing = false
		crashes++
		b.engine.Server = newWire().Server
		return pcp.Faultf(pcp.OutOfMemory, "The engine needed more memory than the browser allows.")
	}
	if by == string(rpc.Sparklines) {
		b.Page.Shown = func(drawn func()) {
			b.jobs = append(b.jobs, drawn)
			if !killing {
				return
			}
			b.work(func() func() { // one request leads to another
				return func() {
					b.work(func() func() {
						_, err := rpc.Invoke(t.Context(), b.Engine, rpc.Sparklines, rpc.SparklinesRequest{}, nil)
						return func() { b.failed(err) }
					})
				}
			})
		}
	}
	b.OpenAgain()
	b.run()
	var names []string
	for _, tab := range b.Tabs {
		names = append(names, tab.Source.Name)
		if tab.Source.Loaded < 1 {
			t.Errorf("%s has not been read to the end", tab.Source.Name)
		}
	}
	if !slices.Equal(names, []string{base, "after"}) || b.Lost != "" || crashes != 1 || b.Pending != nil {
		t.Errorf("open sources = %q after %d more crashes, message %q; want the first and the last, 1, none", names, crashes, b.Lost)
	}
	refused := b.Intake.Refusals()
	if len(refused) != 1 || !strings.HasPrefix(refused[0].Reason, "Left out") {
		t.Errorf("refused = %+v, want one that was left out", refused)
	}
}

// Of a folder on a server it is not known yet how many bytes there are.
func TestReadingOfAFolder(t *testing.T) {
	r := &Reading{files: []File{{Name: "archives/web01/"}}, Progress: api.Progress{Phase: "opening file 7 of 1,200"}}
	if got := r.Sentence(); got != "Opening file 7 of 1,200" {
		t.Errorf("Sentence() = %q", got)
	}
}

func TestProgressOfFiles(t *testing.T) {
	r := &Reading{began: time.Now()}
	for _, f := range []ReadFile{{Name: "a.0", Size: 100}, {Name: "a.1", Size: 100}, {Name: "a.10", Size: 100}, {Name: "a.2", Size: 100}, {Name: "a.meta", Size: 5}, {Name: "pmlogger.log"}} {
		f.As, f.Left = GuessKind(f.Name)
		r.Files = append(r.Files, f)
	}
	if rows := r.Rows(); len(rows) != 6 || rows[0].Group {
		t.Errorf("rows before any progress = %+v, want six files", rows)
	}
	r.tabs = []*Tab{{
		Source: api.Source{Name: "a", Version: 3, Host: "web", Metrics: 7, Loaded: 0.3, Members: []string{"a.0", "a.1", "a.2", "a.10", "a.meta"}},
		Loading: Loading{progress: api.Progress{Done: 150, Total: 400}, reads: []api.SourceFile{{Name: "dir/a.meta", Bytes: 5, Read: 5}, {Name: "dir/a.0", Bytes: 100, Read: 100, Records: 2, First: start, Last: start + 60*second},
			{Name: "dir/a.1", Bytes: 100, Read: 50, Unpacked: 3 << 20, Records: 1, First: start + 70*second, Last: start + 70*second}, {Name: "dir/a.2", Bytes: 100}, {Name: "dir/a.10", Bytes: 100}}},
	}}
	r.tabs[0].Loading.tab = r.tabs[0]
	var got []string
	for _, f := range r.Rows() {
		got = append(got, f.Name+": "+f.State)
	}
	want := []string{"a: 38 %", "a.meta: 7 metrics", "a.0: 14:01:25 – 14:02:25", "a.1: 50 %, at 14:02:35", "a.2: waiting", "a.10: waiting", "Not data: ", "pmlogger.log: skipped"}
	if !slices.Equal(got, want) {
		t.Errorf("rows = %q, want %q", got, want)
	}
	if got := r.Sentence(); got != "155 B of 405 B, 3.0 MiB unpacked" {
		t.Errorf("Sentence() = %q, want 155 B of 405 B, 3.0 MiB unpacked", got)
	}
	if got := r.Title(); got != "Reading 4 of 6 files" { // including the one that is skipped
		t.Errorf("Title() = %q, want Reading 4 of 6 files", got)
	}
}

// Charts fill while a source is being read; cancelling keeps what has been read.
func TestChartsFillWhileReading(t *testing.T) {
	b, tab := opened(t)
	// As when reading begins: a slow machine has been told of progress while it opened the source.
	tab.Source.Loaded, tab.Loading.progress, tab.Loading.refreshed, tab.Loading.answered, tab.Loading.shownTo = 0.2, api.Progress{}, time.Time{}, time.Time{}, 0
	b.Intake.Reading = &Reading{tabs: []*Tab{tab}, cancel: func() {}}
	before := len(b.engine.queries)
	tab.Loading.progressed(api.Progress{Done: 50, Total: 100}, nil)
	b.run()
	if n := len(b.engine.queries); n <= before || tab.Source.Loaded != 0.5 {
		t.Errorf("when half is read: %d fetches, %v loaded; want some, 0.5", n-before, tab.Source.Loaded)
	}
	before = len(b.engine.queries)
	tab.Loading.progressed(api.Progress{Done: 51, Total: 100}, nil)
	b.run()
	if n := len(b.engine.queries); n != before {
		t.Errorf("a moment later: %d fetches, want none yet", n-before)
	}
	b.engine.fail["halt"] = pcp.Faultf(pcp.BadArgument, "It has been read.") // in truth
	b.Intake.Cancel()
	b.run()
	if b.Intake.Reading != nil || !tab.Loading.Preview() || tab.Source.Loaded != 0.51 || len(b.Tabs) != 1 {
		t.Errorf("after cancelling: reading %v, preview %v; want nothing being read, true", b.Intake.Reading, tab.Loading.Preview())
	}
}

func TestCancelReadingGoesOnWithTheNextBatch(t *testing.T) {
	b := newBench(t)
	files := written(t, "")
	b.Intake.Open(renamed(files, "a"))
	b.Intake.Open(renamed(files, "b"))
	late := b.jobs
	b.jobs = nil
	b.Intake.Cancel()
	if b.Intake.Reading == nil || b.Intake.Reading.Files[0].Name != "b.0" {
		t.Fatalf("after cancelling: reading %+v, want b.0", b.Intake.Reading)
	}
	for _, job := range late {
		job()
	}
	if b.Intake.Reading == nil || len(b.Intake.Refused) != 0 {
		t.Errorf("the cancelled batch ended the next one, or was reported: %v", b.Intake.Refused)
	}
	b.run()
	if len(b.Tabs) != 1 || b.Intake.Reading != nil {
		t.Errorf("%d sources, reading %v; want 1, nothing being read", len(b.Tabs), b.Intake.Reading)
	}
}

// When playing, the cursor moves the window along and stops at the end of the source.
func TestPlay(t *testing.T) {
	b, tab := opened(t)
	tab.Zoom(start+100*second, start+160*second)
	b.run()
	b.Cursor.Set(start + 100*second)
	tab.Times.Speed = 100 // 20 s a tick of 0.2 s
	for _, want := range []struct{ cursor, from int64 }{{120, 100}, {140, 100}, {160, 100}, {180, 160}} {
		if more := tab.Times.run(); b.Cursor.At != start+pcp.Time(want.cursor)*second || tab.Window.Start != start+pcp.Time(want.from)*second || !more {
			t.Errorf("cursor at %v, window from %v, running %v; want %v", b.Cursor.At.Since(start), tab.Window.Start.Since(start), more, want)
		}
		b.run()
	}
	for n := 0; tab.Times.run(); n++ {
		if n > 100 {
			t.Fatal("playing does not stop at the end of the source")
		}
	}
	if b.Cursor.At != tab.Whole().End {
		t.Errorf("playing stopped at %v, want the end of the source", b.Cursor.At.Since(start))
	}
	tab.Zoom(start, start+120*second)
	b.Cursor.Set(start)
	tab.Times.Speed = 0 // the window in a minute: 0.4 s a tick
	if tab.Times.run(); b.Cursor.At != start+2*second/5 {
		t.Errorf("one tick at the default speed moved the cursor to %v, want 0.4 s", b.Cursor.At.Since(start))
	}
}

// renamed returns the files of an archive under another base name.
func renamed(files []File, to string) []File {
	var list []File
	for _, f := range files {
		f.Name = to + strings.TrimPrefix(f.Name, base)
		list = append(list, f)
	}
	return list
}

// A finding that is clicked moves the cursor to a record within it: at the first of all,
// rates have no value.
func TestFindingHasValues(t *testing.T) {
	b, tab := opened(t)
	whole := tab.Whole()
	tab.Findings.ShowWorst(api.Finding{Start: whole.Start, End: whole.End, Metrics: []string{"disk.dev.avactive[sda]"}})
	b.run()
	if after := b.Cursor.At - whole.Start; after <= 0 || after > 20*second { // records come every 10 s
		t.Errorf("the cursor is %v s behind the start, want at most two records", b.Cursor.At.Since(whole.Start))
	}
	tab.Findings.ShowWorst(api.Finding{Start: start + 100*second, End: start + 130*second, Metrics: []string{"mem.util.free"}})
	b.run()
	if b.Cursor.At != start+100*second {
		t.Errorf("of a level, the cursor is at %v s, want the record that shows it first", b.Cursor.At.Since(start))
	}
	tab.Findings.ShowSample(start+100*second, start+110*second)
	if b.Cursor.At != start+110*second {
		t.Errorf("of a sample, the cursor is at %v s, want its end", b.Cursor.At.Since(start))
	}
}
