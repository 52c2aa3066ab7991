package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/wasm/engine"
	"pcpscope/wasm/rpc"
	"pcpscope/web/panel"
)

const second = pcp.Time(time.Second)

var start = pcp.MakeTime(1523887285, 0) // 2018-04-16 14:01:25 UTC

// A volume of the archive that tests open: its first and last record, in seconds.
type volume struct{ from, to int }

// host is the host name in the archive's label.
const base, hostName = "20180416.10.00", "brolley-t530"

var (
	disks = pcp.MakeInDom(60, 1)
	loads = pcp.MakeInDom(60, 2)
)

// worldMetrics are the metrics of the archive. From record to record, the values of
// the first instance grow by one, those of the second by two, and so on.
var worldMetrics = []struct {
	name, oneline string
	pcp.Desc
	instances int32
}{
	{"disk.all.read", "total read operations", pcp.Desc{PMID: pcp.MakePMID(60, 0, 24), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: count}, 0},
	{"disk.dev.avactive", "per-disk count of active time", pcp.Desc{PMID: pcp.MakePMID(60, 0, 46), Type: pcp.Uint32, InDom: disks, Sem: pcp.Counter, Units: millis}, 2},
	{"disk.dev.active", "", pcp.Desc{PMID: pcp.MakePMID(60, 0, 47), Type: pcp.Uint32, InDom: disks, Sem: pcp.Counter, Units: millis}, 2},
	{"kernel.all.load", "1, 5 and 15 minute load average", pcp.Desc{PMID: pcp.MakePMID(60, 2, 0), Type: pcp.Float, InDom: loads, Sem: pcp.Instant}, 3},
	{"kernel.uname.release", "", pcp.Desc{PMID: pcp.MakePMID(60, 12, 0), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}, 0},
	{"mem.physmem", "", pcp.Desc{PMID: pcp.MakePMID(60, 1, 9), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Discrete, Units: kbyte}, 0},
}

var (
	count  = pcp.Units{Count: 1}
	millis = pcp.Units{Time: 1, TimeScale: 2}
	kbyte  = pcp.Units{Space: 1, SpaceScale: 1}
)

type buffer struct{ *bytes.Buffer }

func (buffer) Close() error { return nil }

// newArchive begins an archive, whose files come into parts by suffix.
func newArchive(t *testing.T) (w *archive.Writer, parts map[string]*bytes.Buffer) {
	t.Helper()
	parts = map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: start, Host: hostName}, func(suffix string) (io.WriteCloser, error) {
		parts[suffix] = new(bytes.Buffer)
		return buffer{parts[suffix]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, parts
}

// filesOf are the files of an archive, in any order.
func filesOf(parts map[string]*bytes.Buffer) (files []File) {
	for suffix, b := range parts {
		files = append(files, File{Name: base + "." + suffix, Size: int64(b.Len()), Data: b.Bytes()})
	}
	return files
}

// written returns an archive of ten minutes with a record every ten seconds, in a
// zone four hours behind UTC. The metric named by empty has no values.
func written(t testing.TB, empty string, volumes ...volume) []File {
	t.Helper()
	parts := map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: start, Host: hostName, Timezone: "EST5EDT"}, func(suffix string) (io.WriteCloser, error) {
		parts[suffix] = new(bytes.Buffer)
		return buffer{parts[suffix]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	steps := []error{
		w.InDom(start, disks, []pcp.Instance{{ID: 0, Name: "sda"}, {ID: 1, Name: "sdb"}}),
		w.InDom(start, loads, []pcp.Instance{{ID: 1, Name: "1 minute"}, {ID: 5, Name: "5 minute"}, {ID: 15, Name: "15 minute"}}),
	}
	for _, m := range worldMetrics {
		steps = append(steps, w.Desc(m.Desc, m.name), w.MetricText(m.PMID, m.oneline, ""))
	}
	memory := worldMetrics[len(worldMetrics)-1]
	steps = append(steps, w.Labels(start, archive.ItemLabels, uint32(memory.PMID), []archive.LabelSet{{Inst: pcp.NoInstance, JSON: `{"agent":"linux","n":3}`}}))
	if len(volumes) == 0 {
		volumes = []volume{{0, 600}}
	}
	for i, v := range volumes {
		if i > 0 {
			steps = append(steps, w.NextVolume())
		}
		for at := v.from; at <= v.to; at += 10 {
			steps = append(steps, w.Record(start+pcp.Time(at)*second, record(at/10, empty)))
		}
	}
	if err := errors.Join(append(steps, w.Close())...); err != nil {
		t.Fatal(err)
	}
	files := filesOf(parts)
	slices.SortFunc(files, func(a, b File) int { return -bytes.Compare([]byte(a.Name), []byte(b.Name)) }) // the metadata first
	return files
}

// record returns the values at one time.
func record(k int, empty string) []archive.ValueSet {
	var sets []archive.ValueSet
	ids := map[pcp.InDom][]int32{disks: {0, 1}, loads: {1, 5, 15}, pcp.NullInDom: {pcp.NoInstance}}
	for _, m := range worldMetrics {
		if m.name == empty {
			continue
		}
		set := archive.ValueSet{PMID: m.PMID, Type: m.Type}
		for i, id := range ids[m.InDom] {
			v := archive.Value{Inst: id, Val: uint64(k * (i + 1))}
			switch {
			case m.Type == pcp.Float:
				v.Val = uint64(math.Float32bits(float32(k * (i + 1))))
			case m.Type == pcp.String:
				v.Blob = []byte([]string{"4.15", "4.16"}[k/30%2])
			case m.Sem == pcp.Discrete:
				v.Val = 16 << 20
			}
			set.Values = append(set.Values, v)
		}
		sets = append(sets, set)
	}
	return sets
}

// wire passes calls to a server in this process, records them, and can make some of
// them fail.
type wire struct {
	*engine.Server
	calls   int
	methods []string
	queries []api.Query
	sparks  []string // asked for
	fail    map[string]error
	before  func(method string, request rpc.Message) error // may be nil
}

func newWire() *wire {
	return &wire{fail: map[string]error{}, Server: engine.NewServer(core.NewSession(core.Options{}), nil, func(b rpc.Blob) (io.ReaderAt, int64, error) {
		data, ok := b.([]byte)
		if !ok {
			return nil, 0, errors.New("not bytes")
		}
		return bytes.NewReader(data), int64(len(data)), nil
	})}
}

func (w *wire) Call(ctx context.Context, method string, request rpc.Message, progress func(api.Progress)) (rpc.Message, error) {
	w.calls++
	w.methods = append(w.methods, method)
	switch method {
	case string(rpc.Fetch):
		var q api.Query
		if err := rpc.Decode(request, &q); err != nil {
			return rpc.Message{}, err
		}
		w.queries = append(w.queries, q)
	case string(rpc.Chart):
		var q api.ChartQuery
		if err := rpc.Decode(request, &q); err != nil {
			return rpc.Message{}, err
		}
		w.queries = append(w.queries, q.Query)
	case string(rpc.Sparklines):
		var q rpc.SparklinesRequest
		if err := rpc.Decode(request, &q); err != nil {
			return rpc.Message{}, err
		}
		w.sparks = append(w.sparks, q.Names...)
	}
	if err := w.fail[method]; err != nil {
		return rpc.Message{}, err
	}
	if w.before != nil {
		if err := w.before(method, request); err != nil {
			return rpc.Message{}, err
		}
	}
	if progress == nil {
		progress = func(api.Progress) {}
	}
	reply, fault := w.Server.Call(ctx, w.calls, method, request, progress)
	if fault != nil {
		return reply, fault
	}
	if method == string(rpc.Open) {
		return unread(reply)
	}
	return reply, nil
}

// unread says of what was opened that nothing of it has been read yet. Archives as small
// as these may have been, and the page then does not wait for that.
func unread(reply rpc.Message) (rpc.Message, error) {
	var opened api.Opened
	if err := rpc.Decode(reply, &opened); err != nil {
		return reply, err
	}
	for i := range opened.Sources {
		opened.Sources[i].Loaded = 0
	}
	return rpc.Encode(opened), nil
}

type noLoop struct{}

func (noLoop) Lock() {}

func (noLoop) UnlockOnly() {}

func (noLoop) UnlockRender() {}

// A bench is an App whose asynchronous work waits until run is called.
type bench struct {
	*App
	engine *wire
	jobs   []func()
}

func newBench(t testing.TB) *bench {
	b := &bench{engine: newWire()}
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

// open opens files and runs everything that follows.
func (b *bench) open(t testing.TB, files []File) *Tab {
	t.Helper()
	b.Intake.Open(files)
	b.run()
	tab := b.Current()
	if tab == nil {
		t.Fatalf("no source was opened; refused: %+v", b.Intake.Refused)
	}
	return tab
}

// opened returns an application that shows the archive, with a single panel of its load.
func opened(t testing.TB) (*bench, *Tab) {
	t.Helper()
	b := newBench(t)
	tab := b.open(t, written(t, ""))
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}})
	tab.History = History{tab: tab}
	b.run()
	return b, tab
}

// show shows metrics in a single panel of a style.
func (b *bench) show(tab *Tab, style string, metrics ...string) *Panel {
	p := &Panel{Settings: panel.Settings{Metrics: metrics, Style: style}}
	tab.Dashboard.Panels = []*Panel{p}
	tab.data.fetch(p)
	b.run()
	return p
}

// valuesOf returns the values of a column of a panel.
func valuesOf(p *Panel, column int) []float64 {
	values, _ := p.Load(column)
	return values
}
