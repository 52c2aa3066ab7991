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
	b.Intake.Take(files)
	if b.Intake.Reading == nil || len(b.Intake.Reading.Files) != len(files) || b.Idle() {
		t.Fatal("files that are taken are not shown at once")
	}
	b.run()
	tab := b.Current()
	if tab == nil || !b.Idle() || b.Intake.Reading != nil {
		t.Fatalf("after opening: source %v, idle %v, reading %v", tab, b.Idle(), b.Intake.Reading)
	}
	if got := tab.Clock.Range(tab.Window.Start, tab.Window.End) + " " + tab.Clock.Offset(tab.Window.Start); got != "10:01:25 – 10:11:25 UTC−4" {
		t.Errorf("the window reads %q", got)
	}
	if len(tab.Dashboard.Panels) == 0 || tab.Dashboard.Shown == nil || tab.Dashboard.Shown.ID != "overview" {
		t.Errorf("a newly opened source shows nothing of what it has: %d panels", len(tab.Dashboard.Panels))
	}
	if tab.Title() != "brolley-t530" || tab.Subtitle() != "10 min · 16 Apr 2018" {
		t.Errorf("called %q, %q", tab.Title(), tab.Subtitle())
	}
	// Without a dashboard there are the metrics that nearly every archive has.
	b = newBench(t)
	b.engine.fail["dashboards"] = pcp.Faultf(pcp.BadArgument, "There are none.")
	if tab = b.open(t, files); len(tab.Dashboard.Panels) == 0 || !tab.Dashboard.Showing("kernel.all.load") {
		t.Errorf("without dashboards there are %d panels", len(tab.Dashboard.Panels))
	}
}

func TestRefusedFilesAreNamedAndNothingOpenIsDisturbed(t *testing.T) {
	b, tab := opened(t)
	panels := len(tab.Dashboard.Panels)
	b.Intake.Take([]File{{Name: "ticket.pdf", Size: 9, Data: []byte("%PDF-1.7\n")}})
	b.run()
	if len(b.Intake.Refused) != 1 || b.Intake.Refused[0].Name != "ticket.pdf" || b.Current() != tab || len(tab.Dashboard.Panels) != panels || !b.Open() {
		t.Errorf("refused %v, source %p of %p", b.Intake.Refused, b.Current(), tab)
	}
	b.Intake.Refused = nil
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.pdf"} {
		kind := map[bool]string{true: "This is a PDF document.", false: "This is a text."}[name == "e.pdf"]
		b.Intake.Refused = append(b.Intake.Refused, api.Rejected{Name: name, Fault: pcp.Fault{Message: kind}})
	}
	if got := b.Intake.Refusals(); len(got) != 2 || got[0] != (Refusal{"a.txt, b.txt, c.txt and 1 more", "Each is a text.", "a.txt, b.txt, c.txt, d.txt"}) || got[1] != (Refusal{"e.pdf", "This is a PDF document.", ""}) {
		t.Errorf("the refusals are %q", got)
	}
	b.engine.fail["open"] = pcp.Faultf(pcp.Internal, "The engine stopped.")
	b.Intake.Take([]File{{Name: "a.0"}, {Name: "a.meta"}})
	b.run()
	if len(b.Intake.Refused) != 1 || b.Intake.Refused[0].Name != "a.0 and 1 more file" || b.Intake.Reading != nil {
		t.Errorf("a failed open leaves %v", b.Intake.Refused)
	}
}

func TestBatchesFollowEachOther(t *testing.T) {
	b := newBench(t)
	files := written(t, "")
	b.Intake.Take(files)
	b.Intake.Take(renamed(written(t, "mem.physmem"), "other"))
	b.run()
	if len(b.Tabs) != 2 || b.Intake.Reading != nil {
		t.Errorf("%d sources after two drops, reading %v", len(b.Tabs), b.Intake.Reading)
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
		t.Fatalf("panels are %+v", tab.Dashboard.Panels)
	}
	var labels []string
	for _, s := range tab.Dashboard.Panels[0].Series {
		labels = append(labels, s.Label)
	}
	if want := []string{"sda avactive", "sdb avactive", "sda active", "sdb active"}; !slices.Equal(labels, want) {
		t.Errorf("the lines are %v, want %v", labels, want)
	}
	if u := tab.Dashboard.Panels[0].Shown.Name(); u != "% of time" {
		t.Errorf("times of a counter are shown in %q", u)
	}
	tab.Dashboard.RemoveMetric(tab.Dashboard.Panels[0].ID, "disk.dev.avactive")
	tab.Dashboard.RemoveMetric(tab.Dashboard.Panels[0].ID, "disk.dev.active")
	b.run()
	if len(tab.Dashboard.Panels) != 1 || tab.Dashboard.Showing("disk.dev.active") {
		t.Errorf("after removing both: %d panels", len(tab.Dashboard.Panels))
	}
	tab.History.Undo()
	b.run()
	if len(tab.Dashboard.Panels) != 2 || len(tab.Dashboard.Panels[0].Series) != 2 {
		t.Errorf("undo brings back %d panels", len(tab.Dashboard.Panels))
	}
	tab.Dashboard.Add("no.such.metric")
	if len(tab.Dashboard.Panels) != 2 {
		t.Error("an unknown metric makes a panel")
	}
}

func TestTheGridStandsOnTheSourcesStart(t *testing.T) {
	b, tab := opened(t)
	b.engine.queries = nil
	tab.Zoom(start+123*second, start+247*second)
	b.run()
	if len(b.engine.queries) == 0 {
		t.Fatal("zooming asks nothing")
	}
	for _, q := range b.engine.queries {
		from, step := *q.Start.Nanos, *q.Interval.Nanos
		// ten seconds is how the fake logs; a window of two minutes needs no more
		if step != int64(10*second) || from != int64(start+110*second) || *q.End.Nanos != int64(start+250*second) {
			t.Errorf("asked from %d s to %d s every %d s", (from-int64(start))/1e9, (*q.End.Nanos-int64(start))/1e9, step/1e9)
		}
	}
}

func TestZoomAndBack(t *testing.T) {
	b, tab := opened(t)
	whole := tab.Window
	tab.Zoom(start+300*second, start+100*second) // dragged leftwards
	if tab.Window != (timeline.Window{Start: start + 100*second, End: start + 300*second}) {
		t.Errorf("zoomed to %v", tab.Window)
	}
	tab.Zoom(start+150*second, start+200*second)
	tab.Unzoom()
	if tab.Window != (timeline.Window{Start: start + 100*second, End: start + 300*second}) {
		t.Errorf("unzoomed to %v", tab.Window)
	}
	tab.Unzoom()
	if tab.Window != whole {
		t.Errorf("unzoomed twice to %v", tab.Window)
	}
	tab.History.Undo()
	tab.History.Undo()
	tab.History.Undo()
	tab.History.Undo()
	if tab.Window != whole || tab.History.CanUndo() || !tab.History.CanRedo() {
		t.Errorf("undone to %v", tab.Window)
	}
	tab.History.Redo()
	tab.Pan(10)
	if tab.Window != (timeline.Window{Start: start + 400*second, End: start + 600*second}) {
		t.Errorf("panned to %v", tab.Window)
	}
	tab.Zoom(start+590*second, start+9999*second)
	if tab.Window.End != start+600*second {
		t.Error("the window leaves the source")
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
		t.Error("an answer to an earlier question replaced a newer one")
	}
}

// An answer that tells of what had been read when it was asked for is not kept
// once there is more.
func TestWhatIsKeptIsOfAllThatIsRead(t *testing.T) {
	b, tab := opened(t)
	tab.data.forget()
	met := map[string]bool{}
	b.engine.before = func(method string, _ rpc.Message) error {
		if met[method] = true; method == "fetch" || method == "instancePart" { // all of it has been read meanwhile
			tab.data.forget()
		}
		return nil
	}
	tab.data.cadenceOf(tab.Metric("disk.dev.avactive"))
	if !met["fetch"] || !met["instancePart"] || len(tab.data.cadence) > 0 || len(tab.data.instances) > 0 {
		t.Errorf("of %v is kept %v, %v", met, tab.data.cadence, tab.data.instances)
	}
	b.engine.before = nil
	if c := tab.data.cadenceOf(tab.Metric("disk.dev.avactive")); c.usual != int64(10*second) || len(tab.data.cadence) != 1 {
		t.Errorf("asked again it is %v, kept %v", c, tab.data.cadence)
	}
}

func TestNoLineCrossesAHole(t *testing.T) {
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
			t.Errorf("at %v s the value is %v", at, v)
		} else if inside && series.Why(why[i]) != series.VolumeMissing {
			t.Errorf("at %v s the reason is %v", at, why[i])
		}
	}
	if tab.Lost() != int64(100*second) {
		t.Errorf("lost %d ns", tab.Lost())
	}
	values := tab.ValuesAt(start + 150*second)
	if len(values) == 0 || values[0].Value != "–" || values[0].Why != "the volume is missing" {
		t.Errorf("in the hole the cursor reads %+v", values)
	}
}

func TestTextsAreListedByChange(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.AddPanel("kernel.uname.release")
	b.run()
	p := tab.Dashboard.Panels[len(tab.Dashboard.Panels)-1]
	if len(p.Texts) != 3 || p.Texts[0].Value != "4.15" || p.Texts[1].Value != "4.16" || p.Texts[1].At != start+300*second {
		t.Errorf("the texts are %+v", p.Texts)
	}
}

func TestDetails(t *testing.T) {
	b, tab := opened(t)
	tab.Select("disk.dev.avactive")
	b.run()
	d := tab.Detail
	if d.Logged != "61 times, every 10 s" || d.All != 2 || len(d.Instances) != 2 || d.InDomText() != "60.1, 2 instances" {
		t.Errorf("details: %+v", d)
	}
	if got := metric.UnitsText(d.Metric, d.Shown, true); got != "millisec, shown as % of time" {
		t.Errorf("units: %q", got)
	}
	tab.Select("mem.physmem")
	b.run()
	if want := [][2]string{{"agent", "linux"}, {"hostname", hostName}, {"n", "3"}}; !slices.Equal(tab.Detail.Labels, want) {
		t.Errorf("labels: %v", tab.Detail.Labels)
	}
}

func TestRecognise(t *testing.T) {
	for name, want := range map[string]string{
		"web01.meta": "metadata", "web01.meta.xz": "metadata", "x/web01.index": "temporal index", "web01.0.zst": "volume 0", "20180416.10.00.12": "volume 12",
		"sos.tar.xz": "tar container", "a.zip": "zip container", "a.pdf": "not known yet", "Latest": "folio",
	} {
		if got, _ := Recognise(name); got != want {
			t.Errorf("%s is recognised as %q, want %q", name, got, want)
		}
	}
	if _, left := Recognise("pmlogger.log"); !left {
		t.Error("pmlogger.log is taken for data")
	}
}

// After a crash the page says so, and brings everything back when asked.
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
		t.Fatalf("of the crash the page says %q", b.Lost)
	}
	clear(b.engine.fail)
	b.OpenAgain()
	b.run()
	again := b.Current()
	if again == tab || again == nil || b.Lost != "" || again.Window != (timeline.Window{Start: start + 100*second, End: start + 200*second}) || len(again.Dashboard.Panels) != shown {
		t.Fatalf("opened again: %+v", again)
	}
	if again.Clock.Name != "UTC" || len(again.Notes) != 1 || again.Notes[0].Text != "here" || b.Layout.Drawer != "summary" || !b.Layout.Tables || b.Pending != nil {
		t.Errorf("the clock is %q, the notes are %v, the drawer shows %q, tables: %v, wanted: %v", again.Clock.Name, again.Notes, b.Layout.Drawer, b.Layout.Tables, b.Pending)
	}
	for _, p := range again.Dashboard.Panels {
		if p.Frame == nil || p.Fault != "" {
			t.Errorf("panel %v shows nothing: %q", p.Metrics, p.Fault)
		}
	}
}

// What the engine was lost with is opened again one by one; what it is lost
// with once more is left out and named, and the others are there.
func TestWhatKillsIsLeftOut(t *testing.T) {
	for _, method := range []rpc.Call[rpc.None, rpc.None]{"open", "loaded", "metricPart", "overview", "dashboards"} {
		t.Run(string(method), func(t *testing.T) { killedBy(t, string(method)) })
	}
}

// What ends the engine when it is opened for the first time has the page say what
// was lost with it, and is not among what is opened again.
func TestWhatKillsAtFirst(t *testing.T) {
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
				t.Fatalf("the loss is reported as %q", b.Lost)
			}
			b.OpenAgain()
			b.run()
			if len(b.Tabs) != 1 || b.Tabs[0].Source.Name != base || b.Tabs[0].Source.Loaded < 1 || b.Lost != "" {
				t.Errorf("%d sources are open; lost: %q", len(b.Tabs), b.Lost)
			}
			if said := b.Intake.Refusals(); len(said) == 0 || !strings.Contains(fmt.Sprint(said), "killer") {
				t.Errorf("no message about what was left out: %+v", said)
			}
		})
	}
}

// another is the archive once more, of another host.
func another(t *testing.T, host string) []File {
	files := slices.Clone(written(t, ""))
	for i, f := range files {
		files[i].Name = host + strings.TrimPrefix(f.Name, base)
		files[i].Data = bytes.ReplaceAll(f.Data.([]byte), []byte(hostName), []byte(host+strings.Repeat("-", len(hostName)-len(host))))
	}
	return files
}

// killedBy has the engine lost with the second of three sources, by a method.
func killedBy(t *testing.T, by string) {
	b, _ := opened(t)
	b.open(t, append(another(t, "killer"), another(t, "after")...)) // in one go: each is a batch of its own later
	if len(b.Tabs) != 3 {
		t.Fatalf("%d sources are open", len(b.Tabs))
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
	b.OpenAgain()
	b.run()
	var names []string
	for _, tab := range b.Tabs {
		names = append(names, tab.Source.Name)
		if tab.Source.Loaded < 1 {
			t.Errorf("%s is not read", tab.Source.Name)
		}
	}
	if !slices.Equal(names, []string{base, "after"}) || b.Lost != "" || crashes != 1 || b.Pending != nil {
		t.Errorf("open are %q after %d crashes; lost: %q", names, crashes, b.Lost)
	}
	refused := b.Intake.Refusals()
	if len(refused) != 1 || !strings.HasPrefix(refused[0].Reason, "Left out") {
		t.Errorf("refused are %+v", refused)
	}
}

func TestReadingTellsWhichVolumeItIsAt(t *testing.T) {
	r := &Reading{began: time.Now()}
	for _, f := range []ReadFile{{Name: "a.0", Size: 100}, {Name: "a.1", Size: 100}, {Name: "a.10", Size: 100}, {Name: "a.2", Size: 100}, {Name: "a.meta", Size: 5}, {Name: "pmlogger.log"}} {
		f.As, f.Left = Recognise(f.Name)
		r.Files = append(r.Files, f)
	}
	if rows := r.Rows(); len(rows) != 6 || rows[0].Group {
		t.Errorf("before anything is known the files are listed as %+v", rows)
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
		t.Errorf("the files are %q, want %q", got, want)
	}
	if got := r.Sentence(); got != "155 B of 405 B, 3.0 MiB unpacked" {
		t.Error(got)
	}
	if got := r.Title(); got != "Reading 4 of 6 files" { // with the one that is left alone
		t.Error(got)
	}
}

// While a source is read its charts follow; cancelling keeps what there is.
func TestChartsFillWhileReading(t *testing.T) {
	b, tab := opened(t)
	tab.Source.Loaded, tab.Loading.progress, tab.Loading.refreshed = 0.2, api.Progress{}, time.Time{}
	b.Intake.Reading = &Reading{tabs: []*Tab{tab}, cancel: func() {}}
	before := len(b.engine.queries)
	tab.Loading.progressed(api.Progress{Done: 50, Total: 100}, nil)
	b.run()
	if n := len(b.engine.queries); n <= before || tab.Source.Loaded != 0.5 {
		t.Errorf("half is read: %d questions, %v", n-before, tab.Source.Loaded)
	}
	before = len(b.engine.queries)
	tab.Loading.progressed(api.Progress{Done: 51, Total: 100}, nil)
	b.run()
	if n := len(b.engine.queries); n != before {
		t.Errorf("a moment later the charts ask %d questions", n-before)
	}
	b.engine.fail["halt"] = pcp.Faultf(pcp.BadArgument, "It has been read.") // in truth
	b.Intake.Cancel()
	b.run()
	if b.Intake.Reading != nil || !tab.Loading.Preview() || tab.Source.Loaded != 0.51 || len(b.Tabs) != 1 {
		t.Errorf("after cancelling: reading %v, preview %v", b.Intake.Reading, tab.Loading.Preview())
	}
}

func TestCancelReadingGoesOnWithTheNextBatch(t *testing.T) {
	b := newBench(t)
	files := written(t, "")
	b.Intake.Take(renamed(files, "a"))
	b.Intake.Take(renamed(files, "b"))
	late := b.jobs
	b.jobs = nil
	b.Intake.Cancel()
	if b.Intake.Reading == nil || b.Intake.Reading.Files[0].Name != "b.0" {
		t.Fatalf("after cancelling, %+v is read", b.Intake.Reading)
	}
	for _, job := range late {
		job()
	}
	if b.Intake.Reading == nil || len(b.Intake.Refused) != 0 {
		t.Errorf("the cancelled batch ends the next one, or is reported: %v", b.Intake.Refused)
	}
	b.run()
	if len(b.Tabs) != 1 || b.Intake.Reading != nil {
		t.Errorf("%d sources, reading %v", len(b.Tabs), b.Intake.Reading)
	}
}

// The running cursor takes the window along, and ends with the source.
func TestPlay(t *testing.T) {
	b, tab := opened(t)
	tab.Zoom(start+100*second, start+160*second)
	b.run()
	b.Cursor.Set(start + 100*second)
	tab.Times.Speed = 100 // 20 s a tick of 0.2 s
	for _, want := range []struct{ cursor, from int64 }{{120, 100}, {140, 100}, {160, 100}, {180, 160}} {
		if more := tab.Times.run(); b.Cursor.At != start+pcp.Time(want.cursor)*second || tab.Window.Start != start+pcp.Time(want.from)*second || !more {
			t.Errorf("the cursor is at %v, the window at %v, %v; want %v", b.Cursor.At.Since(start), tab.Window.Start.Since(start), more, want)
		}
		b.run()
	}
	for n := 0; tab.Times.run(); n++ {
		if n > 100 {
			t.Fatal("it does not stop")
		}
	}
	if b.Cursor.At != tab.Whole().End {
		t.Errorf("it ends at %v", b.Cursor.At.Since(start))
	}
	tab.Zoom(start, start+120*second)
	b.Cursor.Set(start)
	tab.Times.Speed = 0 // the window in a minute: 0.4 s a tick
	if tab.Times.run(); b.Cursor.At != start+2*second/5 {
		t.Errorf("by itself it moves to %v", b.Cursor.At.Since(start))
	}
}

// renamed are the files of an archive with another base name.
func renamed(files []File, to string) []File {
	var list []File
	for _, f := range files {
		f.Name = to + strings.TrimPrefix(f.Name, base)
		list = append(list, f)
	}
	return list
}
