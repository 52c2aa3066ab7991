package state

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// fake is an engine with one source of ten minutes, logged every ten seconds,
// in a zone four hours behind.
type fake struct {
	queries []api.Query
	gaps    []api.Gap
	fail    error
	refuse  []api.Rejected
	sparks  []string // asked for
	crashed bool     // once: the next fetch fails, and nothing is open any more
}

const second = pcp.Time(time.Second)

var start = pcp.MakeTime(1523887285, 0) // 2018-04-16 14:01:25 UTC

func indom(s string) *string { return &s }

func (f *fake) source() api.Source {
	return api.Source{ID: 1, Kind: "archive", Name: "20180416.10.00", Host: "brolley-t530", Timezone: "EST5EDT", Start: start, End: start + 600*second, Metrics: 6, Loaded: 1, Gaps: f.gaps, Fingerprint: "abc"}
}

func (f *fake) Open(_ context.Context, files []File, progress func(api.Progress)) (api.Opened, error) {
	if f.fail != nil {
		return api.Opened{}, f.fail
	}
	progress(api.Progress{Phase: "reading", Done: 1, Total: 2})
	if len(f.refuse) > 0 {
		return api.Opened{Rejected: f.refuse}, nil
	}
	return api.Opened{Sources: []api.Source{f.source()}}, nil
}

func (f *fake) Loaded(context.Context, api.SourceID, func(api.Progress)) (api.Source, error) {
	return f.source(), nil
}

func (f *fake) Files(context.Context, api.SourceID) ([]api.SourceFile, error) { return nil, nil }

func (f *fake) Halt(context.Context, api.SourceID) (api.Source, error) {
	s := f.source()
	s.Loaded = 0.5
	return s, nil
}

func (f *fake) Sources(context.Context) ([]api.Source, error) {
	if f.crashed {
		return nil, nil
	}
	return []api.Source{f.source()}, nil
}

func (f *fake) Close(context.Context, api.SourceID) error { return nil }

func (f *fake) Metrics(context.Context, api.SourceID) ([]api.Metric, error) {
	return []api.Metric{
		{Name: "disk.all.read", PMID: "60.0.24", Type: "U64", Semantics: "counter", Units: "count", Oneline: "total read operations"},
		{Name: "disk.dev.avactive", PMID: "60.0.46", Type: "U32", Semantics: "counter", Units: "millisec", InDom: indom("60.1"), Oneline: "per-disk count of active time"},
		{Name: "disk.dev.aveq", PMID: "60.0.47", Type: "U32", Semantics: "counter", Units: "millisec", InDom: indom("60.1")},
		{Name: "kernel.all.load", PMID: "60.2.0", Type: "FLOAT", Semantics: "instant", InDom: indom("60.2"), Oneline: "1, 5 and 15 minute load average"},
		{Name: "kernel.uname.release", PMID: "60.12.0", Type: "STRING", Semantics: "discrete"},
		{Name: "mem.physmem", PMID: "60.1.9", Type: "U64", Semantics: "discrete", Units: "Kbyte", Labels: json.RawMessage(`{"agent":"linux","n":3}`)},
	}, nil
}

// Activity says that only mem.physmem stands still and disk.dev.aveq has no value.
func (f *fake) Activity(ctx context.Context, id api.SourceID) ([]api.Activity, error) {
	list, _ := f.Metrics(ctx, id)
	var out []api.Activity
	for _, m := range list {
		out = append(out, api.Activity{Metric: m.Name, State: map[string]string{"mem.physmem": "constant", "disk.dev.aveq": "empty"}[m.Name]})
		if a := &out[len(out)-1]; a.State == "" {
			a.State = "moving"
		}
	}
	return out, nil
}

func (f *fake) Sparklines(_ context.Context, _ api.SourceID, names []string, points int) ([]api.Sparkline, error) {
	f.sparks = append(f.sparks, names...)
	var out []api.Sparkline
	for _, name := range names {
		out = append(out, api.Sparkline{Metric: name, Values: make([]float64, points)})
	}
	return out, nil
}

func (f *fake) Instances(_ context.Context, _ api.SourceID, indom string) ([]api.Instance, error) {
	if indom == "60.2" {
		return []api.Instance{{ID: 1, Name: "1 minute"}, {ID: 5, Name: "5 minute"}, {ID: 15, Name: "15 minute"}}, nil
	}
	return []api.Instance{{ID: 0, Name: "sda"}, {ID: 1, Name: "sdb"}}, nil
}

// Fetch answers with values that grow by one a grid point, from 0, for the
// first column, by two for the second, and so on.
func (f *fake) Fetch(ctx context.Context, q api.Query, _ func(api.Progress)) (*api.Frame, error) {
	if f.crashed {
		return nil, pcp.Faultf(pcp.Internal, "The engine stopped.")
	}
	f.queries = append(f.queries, q)
	from, to, step := start, start+600*second, 10*second
	if q.Start != nil {
		from = pcp.Time(*q.Start.Nanos)
	}
	if q.End != nil {
		to = pcp.Time(*q.End.Nanos)
	}
	if q.Interval != nil {
		step = pcp.Time(*q.Interval.Nanos)
	}
	out := &api.Frame{Start: from}
	for t := from; t <= to; t += step {
		out.Times = append(out.Times, float64(t-from)/1e9)
	}
	metrics, _ := f.Metrics(ctx, 1)
	for _, name := range q.Metrics {
		i := slices.IndexFunc(metrics, func(m api.Metric) bool { return m.Name == name })
		if i < 0 {
			out.Columns = append(out.Columns, api.Column{Metric: name, Fault: pcp.Faultf(pcp.UnknownMetric, "There is no metric %s.", name)})
			continue
		}
		refs := []*api.InstanceRef{nil}
		if d := metrics[i].InDom; d != nil {
			refs = nil
			list, _ := f.Instances(ctx, 1, *d)
			for _, in := range list {
				if q.Instances == nil || slices.Contains(q.Instances, in.Name) {
					refs = append(refs, &api.InstanceRef{ID: in.ID, Name: in.Name})
				}
			}
		}
		for _, ref := range refs {
			c := api.Column{Metric: name, Instance: ref, Type: metrics[i].Type, Semantics: metrics[i].Semantics, Units: metrics[i].Units}
			if c.Type == "STRING" {
				for k := range out.Times {
					text := []string{"4.15", "4.16"}[k/30%2]
					c.Strings = append(c.Strings, &text)
				}
			} else {
				for k := range out.Times {
					c.Values = append(c.Values, float64(k*(len(out.Columns)+1)))
				}
			}
			out.Columns = append(out.Columns, c)
		}
	}
	return out, nil
}

func (f *fake) Search(_ context.Context, _ api.SourceID, text string, _ int) ([]api.Hit, error) {
	if text == "load" {
		return []api.Hit{{Metric: "kernel.all.load", Where: "name"}}, nil
	}
	return nil, nil
}

type noLoop struct{}

func (noLoop) Lock()         {}
func (noLoop) UnlockOnly()   {}
func (noLoop) UnlockRender() {}

// still is an App whose slow work never begins: there is no lock in these tests
// that it could wait for.
func still(engine Engine) *App {
	a := New(engine, noLoop{})
	a.Go = func(func()) {}
	return a
}

// bench is an App whose slow work waits until run does it.
type bench struct {
	*App
	engine *fake
	jobs   []func()
}

func newBench(t *testing.T) *bench {
	b := &bench{engine: &fake{}}
	b.App = New(b.engine, noLoop{})
	b.Go = func(f func()) { b.jobs = append(b.jobs, f) }
	return b
}

func (b *bench) run() {
	for len(b.jobs) > 0 {
		job := b.jobs[0]
		b.jobs = b.jobs[1:]
		job()
	}
}

func opened(t *testing.T) (*bench, *Work) {
	t.Helper()
	b := newBench(t)
	b.Take([]File{{Name: "20180416.10.00.meta", Size: 10}, {Name: "20180416.10.00.0", Size: 20}})
	if b.Reading == nil || len(b.Reading.Files) != 2 || b.Idle() {
		t.Fatal("files that are taken are not shown at once")
	}
	b.run()
	w := b.Current()
	if w == nil || !b.Idle() || b.Reading != nil {
		t.Fatalf("after opening: source %v, idle %v, reading %v", w, b.Idle(), b.Reading)
	}
	return b, w
}

func TestOpening(t *testing.T) {
	_, w := opened(t)
	if got := w.Clock.Range(w.Window.Start, w.Window.End) + " " + w.Clock.Offset(w.Window.Start); got != "10:01:25 – 10:11:25 UTC−4" {
		t.Errorf("the window reads %q", got)
	}
	if len(w.Panels) == 0 || !w.Showing("kernel.all.load") {
		t.Errorf("a newly opened source shows nothing of what it has: %d panels", len(w.Panels))
	}
	if w.Title() != "brolley-t530" || w.Subtitle() != "10 min · 16 Apr 2018" {
		t.Errorf("called %q, %q", w.Title(), w.Subtitle())
	}
}

func TestRefusedFilesAreNamedAndNothingOpenIsDisturbed(t *testing.T) {
	b, w := opened(t)
	b.engine.refuse = []api.Rejected{{Name: "ticket.pdf", Fault: pcp.Fault{Message: "This is a PDF document."}}}
	panels := len(w.Panels)
	b.Take([]File{{Name: "ticket.pdf"}})
	b.run()
	if len(b.Refused) != 1 || b.Refused[0].Name != "ticket.pdf" || b.Current() != w || len(w.Panels) != panels || !b.Open() {
		t.Errorf("refused %v, source %p of %p", b.Refused, b.Current(), w)
	}
	b.engine.refuse = nil
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.txt", "e.pdf"} {
		kind := map[bool]string{true: "This is a PDF document.", false: "This is a text."}[name == "e.pdf"]
		b.engine.refuse = append(b.engine.refuse, api.Rejected{Name: name, Fault: pcp.Fault{Message: kind}})
	}
	b.Take([]File{{Name: "a.txt"}})
	b.run()
	if got := b.Refusals(); len(got) != 2 || got[0] != (Refusal{"a.txt, b.txt, c.txt and 1 more", "Each is a text.", "a.txt, b.txt, c.txt, d.txt"}) || got[1] != (Refusal{"e.pdf", "This is a PDF document.", ""}) {
		t.Errorf("the refusals are %q", got)
	}
	b.engine.refuse, b.engine.fail = nil, pcp.Faultf(pcp.Internal, "The engine stopped.")
	b.Take([]File{{Name: "a.0"}, {Name: "a.meta"}})
	b.run()
	if len(b.Refused) != 1 || b.Refused[0].Name != "2 files" || b.Reading != nil {
		t.Errorf("a failed open leaves %v", b.Refused)
	}
}

func TestBatchesFollowEachOther(t *testing.T) {
	b := newBench(t)
	b.Take([]File{{Name: "a.0"}})
	b.Take([]File{{Name: "b.0"}})
	b.run()
	if len(b.Works) != 2 || b.Reading != nil {
		t.Errorf("%d sources after two drops, reading %v", len(b.Works), b.Reading)
	}
}

func TestAddAndRemove(t *testing.T) {
	b, w := opened(t)
	for len(w.Panels) > 0 {
		w.RemovePanel(w.Panels[0].ID)
	}
	w.Add("disk.dev.avactive")
	w.Add("disk.dev.aveq") // utilisation too: the same panel
	w.Add("disk.all.read") // count/s: another
	b.run()
	if len(w.Panels) != 2 || !slices.Equal(w.Panels[0].Metrics, []string{"disk.dev.avactive", "disk.dev.aveq"}) {
		t.Fatalf("panels are %+v", w.Panels)
	}
	var labels []string
	for _, s := range w.Panels[0].Series {
		labels = append(labels, s.Label)
	}
	if want := []string{"sda avactive", "sdb avactive", "sda aveq", "sdb aveq"}; !slices.Equal(labels, want) {
		t.Errorf("the lines are %v, want %v", labels, want)
	}
	if u := w.Panels[0].Shown.Name(); u != "% of time" {
		t.Errorf("times of a counter are shown in %q", u)
	}
	w.RemoveMetric(w.Panels[0].ID, "disk.dev.avactive")
	w.RemoveMetric(w.Panels[0].ID, "disk.dev.aveq")
	b.run()
	if len(w.Panels) != 1 || w.Showing("disk.dev.aveq") {
		t.Errorf("after removing both: %d panels", len(w.Panels))
	}
	w.Undo()
	b.run()
	if len(w.Panels) != 2 || len(w.Panels[0].Series) != 2 {
		t.Errorf("undo brings back %d panels", len(w.Panels))
	}
	w.Add("no.such.metric")
	if len(w.Panels) != 2 {
		t.Error("an unknown metric makes a panel")
	}
}

func TestTheGridStandsOnTheSourcesStart(t *testing.T) {
	b, w := opened(t)
	b.engine.queries = nil
	w.Zoom(start+123*second, start+247*second)
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
	b, w := opened(t)
	whole := w.Window
	w.Zoom(start+300*second, start+100*second) // dragged leftwards
	if w.Window != (Window{start + 100*second, start + 300*second}) {
		t.Errorf("zoomed to %v", w.Window)
	}
	w.Zoom(start+150*second, start+200*second)
	w.Unzoom()
	if w.Window != (Window{start + 100*second, start + 300*second}) {
		t.Errorf("unzoomed to %v", w.Window)
	}
	w.Unzoom()
	if w.Window != whole {
		t.Errorf("unzoomed twice to %v", w.Window)
	}
	w.Undo()
	w.Undo()
	w.Undo()
	w.Undo()
	if w.Window != whole || w.CanUndo() || !w.CanRedo() {
		t.Errorf("undone to %v", w.Window)
	}
	w.Redo()
	w.Pan(10)
	if w.Window != (Window{start + 400*second, start + 600*second}) {
		t.Errorf("panned to %v", w.Window)
	}
	w.Zoom(start+590*second, start+9999*second)
	if w.Window.End != start+600*second {
		t.Error("the window leaves the source")
	}
	b.run()
}

func TestOlderAnswersAreDropped(t *testing.T) {
	b, w := opened(t)
	p := w.Panels[0]
	w.Zoom(start+100*second, start+200*second)
	slow := b.jobs
	b.jobs = nil
	w.Zoom(start+120*second, start+130*second)
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

func TestStats(t *testing.T) {
	nan := math.NaN()
	times := []float64{0, 10, 20, 30, 40, 50}
	s := statsOf(start, times, []float64{99, 1, nan, 3, 2, 98}, Window{start + 5*second, start + 45*second})
	if s.Count != 3 || s.Avg != 2 || s.Min != 1 || s.Max != 3 || s.MaxAt != start+30*second || s.Last != 2 || s.P95 != 3 || !s.Whole {
		t.Errorf("%+v", s)
	}
	if s := statsOf(start, times, []float64{nan, nan}, Window{start, start + 50*second}); s.Count != 0 || !math.IsNaN(s.Avg) || !math.IsNaN(s.Max) {
		t.Errorf("without values: %+v", s)
	}
}

func TestNoLineCrossesAHole(t *testing.T) {
	b := newBench(t)
	b.engine.gaps = []api.Gap{{Start: start + 100*second, End: start + 200*second, Why: "missing volume"}}
	b.Take([]File{{Name: "a.0"}})
	b.run()
	w := b.Current()
	p := w.Panels[0]
	for i, v := range p.Frame.Columns[0].Values {
		at := p.Frame.Times[i]
		if inside := at > 100 && at < 200; inside != math.IsNaN(v) {
			t.Errorf("at %v s the value is %v", at, v)
		} else if inside && series.Why(p.Frame.Columns[0].Why[i]) != series.VolumeMissing {
			t.Errorf("at %v s the reason is %v", at, p.Frame.Columns[0].Why[i])
		}
	}
	if w.Lost() != int64(100*second) {
		t.Errorf("lost %d ns", w.Lost())
	}
	values := w.ValuesAt(start + 150*second)
	if len(values) == 0 || values[0].Value != "–" || values[0].Why != "the volume is missing" {
		t.Errorf("in the hole the cursor reads %+v", values)
	}
}

func TestTextsAreListedByChange(t *testing.T) {
	b, w := opened(t)
	w.AddPanel("kernel.uname.release")
	b.run()
	p := w.Panels[len(w.Panels)-1]
	if len(p.Texts) != 3 || p.Texts[0].Value != "4.15" || p.Texts[1].Value != "4.16" || p.Texts[1].At != start+300*second {
		t.Errorf("the texts are %+v", p.Texts)
	}
}

func TestDetails(t *testing.T) {
	b, w := opened(t)
	w.Select("disk.dev.avactive")
	b.run()
	d := w.Detail
	if d.Logged != "61 times, every 10 s" || d.All != 2 || len(d.Instances) != 2 || d.InDomText() != "60.1, 2 instances" {
		t.Errorf("details: %+v", d)
	}
	if got := w.UnitsText(d.Metric, d.Shown); got != "millisec, shown as % of time" {
		t.Errorf("units: %q", got)
	}
	w.Select("mem.physmem")
	b.run()
	if want := [][2]string{{"agent", "linux"}, {"n", "3"}}; !slices.Equal(w.Detail.Labels, want) {
		t.Errorf("labels: %v", w.Detail.Labels)
	}
}

func TestHelpIsUnwrapped(t *testing.T) {
	got := unwrap("Counts the number of\nmilliseconds.\n\nWhen converted:\n * one\n * two\n")
	if want := "Counts the number of milliseconds.\n\nWhen converted:\n * one\n * two"; strings.ReplaceAll(got, "\n\n\n", "\n\n") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestUsualTimeBetweenObservations(t *testing.T) {
	// As 20180416.10.00 logs kernel.all.load: twice within moments, every 10 s.
	var gaps []float64
	for range 20 {
		gaps = append(gaps, 0.015, 9.985)
	}
	if got := usual(gaps); got != int64(10*second) {
		t.Errorf("%v s", float64(got)/1e9)
	}
	// The same on eight days, of which each has nineteen hours without a logger.
	var days []float64
	for range 7 {
		days = append(append(days, gaps...), 19*3600)
	}
	if got := usual(append(days, gaps...)); got != int64(10*second) {
		t.Errorf("with holes: %v s", float64(got)/1e9)
	}
	if got := usual(nil); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	if got := usual([]float64{0.25, 0.25, 7}); got != int64(7*second) && got != 250e6 {
		t.Errorf("%v", got)
	}
}

// What is logged once when a logger starts is not logged daily.
func TestTimesBetweenObservationsEndAtMarks(t *testing.T) {
	for _, x := range []struct{ times, marks, want []float64 }{
		{[]float64{0, 10, 20, 86400, 86410}, []float64{20.001}, []float64{10, 10, 10}},
		{[]float64{5, 86405, 172805}, []float64{0, 5, 86400, 100000, 172000, 180000}, nil},
		{[]float64{0, 10, 20}, nil, []float64{10, 10}},
	} {
		if got := between(&api.Frame{Times: x.times, Marks: x.marks}); !slices.Equal(got, x.want) {
			t.Errorf("%v with marks at %v: %v, want %v", x.times, x.marks, got, x.want)
		}
	}
}

func TestRecognise(t *testing.T) {
	for name, want := range map[string]string{
		"web01.meta": "metadata", "web01.meta.xz": "metadata", "x/web01.index": "temporal index", "web01.0.zst": "volume 0", "20180416.10.00.12": "volume 12",
		"sos.tar.xz": "tar container", "a.zip": "zip container", "a.pdf": "known when its first bytes are read", "Latest": "folio",
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
	b, w := opened(t)
	w.AddPanel("disk.dev.avactive")
	w.SetZone("UTC")
	w.Remarks = []Remark{{start + 150*second, "here"}}
	b.run()
	b.Drawer, b.Tables = "summary", true
	shown := len(w.Panels)
	b.engine.crashed = true
	w.Zoom(start+100*second, start+200*second)
	b.run()
	if b.Lost != "The engine stopped." {
		t.Fatalf("of the crash the page says %q", b.Lost)
	}
	b.engine.crashed = false
	b.OpenAgain()
	b.run()
	again := b.Current()
	if again == w || again == nil || b.Lost != "" || again.Window != (Window{start + 100*second, start + 200*second}) || len(again.Panels) != shown {
		t.Fatalf("opened again: %+v", again)
	}
	if again.Clock.Name != "UTC" || len(again.Remarks) != 1 || again.Remarks[0].Text != "here" || b.Drawer != "summary" || !b.Tables || b.Wanted != nil {
		t.Errorf("the clock is %q, the notes are %v, the drawer shows %q, tables: %v, wanted: %v", again.Clock.Name, again.Remarks, b.Drawer, b.Tables, b.Wanted)
	}
	for _, p := range again.Panels {
		if p.Frame == nil || p.Fault != "" {
			t.Errorf("panel %v shows nothing: %q", p.Metrics, p.Fault)
		}
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
	r.works = []*Work{{
		Source:   api.Source{Name: "a", Version: 3, Host: "web", Metrics: 7, Loaded: 0.3, Members: []string{"a.0", "a.1", "a.2", "a.10", "a.meta"}},
		progress: api.Progress{Done: 150, Total: 400},
		reads: []api.SourceFile{{Name: "dir/a.meta", Bytes: 5, Read: 5}, {Name: "dir/a.0", Bytes: 100, Read: 100, Records: 2, First: start, Last: start + 60*second},
			{Name: "dir/a.1", Bytes: 100, Read: 50, Unpacked: 3 << 20, Records: 1, First: start + 70*second, Last: start + 70*second}, {Name: "dir/a.2", Bytes: 100}, {Name: "dir/a.10", Bytes: 100}},
	}}
	var got []string
	for _, f := range r.Rows() {
		got = append(got, f.Name+": "+f.State)
	}
	want := []string{"a: 38 %", "a.meta: 7 metrics", "a.0: 14:01:25 – 14:02:25", "a.1: 50 %, at 14:02:35", "a.2: waiting", "a.10: waiting", "Not data: ", "pmlogger.log: left alone"}
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
	b, w := opened(t)
	w.Source.Loaded = 0.2
	b.Reading = &Reading{works: []*Work{w}, cancel: func() {}}
	before := len(b.engine.queries)
	w.grow(api.Progress{Done: 50, Total: 100}, nil)
	b.run()
	if n := len(b.engine.queries); n <= before || w.Source.Loaded != 0.5 {
		t.Errorf("half is read: %d questions, %v", n-before, w.Source.Loaded)
	}
	before = len(b.engine.queries)
	w.grow(api.Progress{Done: 51, Total: 100}, nil)
	b.run()
	if n := len(b.engine.queries); n != before {
		t.Errorf("a moment later the charts ask %d questions", n-before)
	}
	b.CancelReading()
	b.run()
	if b.Reading != nil || !w.Preview() || w.Source.Loaded != 0.5 || len(b.Works) != 1 {
		t.Errorf("after cancelling: reading %v, preview %v", b.Reading, w.Preview())
	}
}

func TestCancelReadingGoesOnWithTheNextBatch(t *testing.T) {
	b := newBench(t)
	b.Take([]File{{Name: "a.0"}})
	b.Take([]File{{Name: "b.0"}})
	late := b.jobs
	b.jobs = nil
	b.CancelReading()
	if b.Reading == nil || b.Reading.Files[0].Name != "b.0" {
		t.Fatalf("after cancelling, %+v is read", b.Reading)
	}
	b.engine.fail = pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
	for _, job := range late {
		job()
	}
	b.engine.fail = nil
	if b.Reading == nil || len(b.Refused) != 0 {
		t.Errorf("the cancelled batch ends the next one, or is reported: %v", b.Refused)
	}
	b.run()
	if len(b.Works) != 1 || b.Reading != nil {
		t.Errorf("%d sources, reading %v", len(b.Works), b.Reading)
	}
}

// The running cursor takes the window along, and ends with the source.
func TestPlay(t *testing.T) {
	b, w := opened(t)
	w.Zoom(start+100*second, start+160*second)
	b.run()
	b.SetCursor(start + 100*second)
	w.Times.Speed = 100 // 20 s a tick of 0.2 s
	for _, want := range []struct{ cursor, from int64 }{{120, 100}, {140, 100}, {160, 100}, {180, 160}} {
		if more := w.run(); b.Cursor != start+pcp.Time(want.cursor)*second || w.Window.Start != start+pcp.Time(want.from)*second || !more {
			t.Errorf("the cursor is at %v, the window at %v, %v; want %v", b.Cursor.Since(start), w.Window.Start.Since(start), more, want)
		}
		b.run()
	}
	for n := 0; w.run(); n++ {
		if n > 100 {
			t.Fatal("it runs for ever")
		}
	}
	if b.Cursor != w.Whole().End {
		t.Errorf("it ends at %v", b.Cursor.Since(start))
	}
	w.Zoom(start, start+120*second)
	b.SetCursor(start)
	w.Times.Speed = 0 // the window in a minute: 0.4 s a tick
	if w.run(); b.Cursor != start+2*second/5 {
		t.Errorf("by itself it moves to %v", b.Cursor.Since(start))
	}
}
