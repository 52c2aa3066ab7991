package web

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"syscall/js"
	"unsafe"

	"pcpscope/core/pcp"
	"pcpscope/web/state"
)

// charts keeps the canvases of the page in step with the state. What it calls
// is described in static/charts/sync.js.
type charts struct {
	app        *state.App
	js         js.Value
	shown      *state.Work
	pulse      int  // revision of the strip that was handed over
	moved      bool // the window or the source has changed
	revealed   int  // panel that was scrolled to last
	sparks     int  // revision of the sparklines that were handed over
	cursorRev  int
	fresh      int // the canvas was shown from its top
	table      *state.TableData
	viewed     int // revision of what was chosen of the drawer's tables
	compared   int // revision of the comparison that was handed over
	sent       map[int]*sent
	comparedOf *state.Work
}

func newCharts(app *state.App) *charts {
	c := &charts{app: app, sent: map[int]*sent{}, js: js.Global().Get("pcpcharts"), moved: true}
	app.WindowChanged = func() { c.moved = true }
	return c
}

// sync brings the canvases up to date. It is called after each drawing of the
// page, under the loop's lock.
func (c *charts) sync() {
	w := c.app.Current()
	if w == nil {
		if c.shown != nil || c.moved {
			c.shown, c.moved = nil, false
			c.js.Call("timeline", map[string]any{"from": 0, "to": 0, "gaps": []any{}, "problems": []any{}, "findings": []any{}, "notes": []any{}})
		}
		c.js.Call("sync", "", js.Null(), c.app.CursorRev, "")
		return
	}
	if w != c.shown {
		c.shown, c.moved, c.pulse, c.revealed, c.sparks = w, true, -1, w.Active, -1
	}
	if c.moved {
		c.moved = false
		c.timeline(w)
	}
	if c.pulse != w.Pulse.Rev {
		c.pulse = w.Pulse.Rev
		spec := object()
		spec.Set("times", floats(shifted(w, w.Pulse.Start, w.Pulse.Times)))
		spec.Set("values", floats(w.Pulse.Values))
		spec.Set("readTo", readTo(w, w.Pulse.ReadTo))
		c.js.Call("pulse", spec)
	}
	if s := &w.Tree.Sparks; c.sparks != s.Rev+w.SparkRev {
		c.sparks = s.Rev + w.SparkRev
		lines := object()
		for name, values := range s.Lines {
			if len(values) > 0 {
				lines.Set(name, floats(values))
			}
		}
		for _, b := range w.Boards {
			if len(b.Sparkline) > 1 {
				lines.Set("board "+b.ID, floats(b.Sparkline))
			}
		}
		c.js.Call("sparks", lines)
	}
	var list []string
	for _, p := range w.OnScreen() {
		if len(p.Series) > 0 && p.Fault == "" {
			list = append(list, strconv.Itoa(p.ID)+":"+strconv.Itoa(p.Rev))
		}
	}
	cursor := js.Null()
	if c.app.HasCur {
		cursor = js.ValueOf(seconds(w, c.app.Cursor))
	}
	tree, _ := json.Marshal(map[string]int{"first": w.Tree.First, "count": len(w.Tree.Rows)})
	wanted := c.js.Call("sync", strings.Join(list, ","), cursor, c.app.CursorRev, string(tree), c.app.Pinned).String()
	for _, p := range w.OnScreen() {
		if id := strconv.Itoa(p.ID); wanted != "" && strings.Contains(","+wanted+",", ","+id+",") {
			c.panel(w, p)
		}
	}
	c.drawer(w)
	c.compare(w)
	if c.fresh != c.app.Fresh {
		c.fresh, c.revealed = c.app.Fresh, w.Active
		c.js.Call("top")
	}
	if w.Active != c.revealed {
		c.revealed = w.Active
		c.js.Call("reveal", "panel-"+strconv.Itoa(w.Active))
	}
}

func (c *charts) timeline(w *state.Work) {
	origin, _ := w.Source.Start.Split()
	whole := w.Whole()
	spec := object()
	spec.Set("origin", origin)
	spec.Set("start", seconds(w, w.Window.Start))
	spec.Set("end", seconds(w, w.Window.End))
	spec.Set("from", seconds(w, whole.Start))
	spec.Set("to", seconds(w, whole.End))
	gaps := []any{}
	for _, g := range w.Source.Gaps {
		if g.Why == "missing volume" {
			continue // a hole
		}
		gaps = append(gaps, map[string]any{"start": seconds(w, g.Start), "end": seconds(w, g.End), "label": gapLabel(g.Why), "lost": false})
	}
	for _, boot := range w.Boots() {
		if boot > whole.Start && boot < whole.End {
			at := seconds(w, boot)
			gaps = append(gaps, map[string]any{"start": at, "end": at, "label": "the host started", "lost": false})
		}
	}
	for _, h := range w.Holes() {
		gaps = append(gaps, map[string]any{"start": seconds(w, h.Start), "end": seconds(w, h.End), "label": h.Label, "lost": true})
	}
	problems := []any{}
	for i, p := range w.Source.Problems {
		if p.Lost == nil {
			continue
		}
		problems = append(problems, map[string]any{"at": seconds(w, max(p.Lost.Start, whole.Start)), "n": i + 1, "broken": true})
	}
	findings := []any{}
	for _, f := range w.Findings() {
		findings = append(findings, map[string]any{"start": seconds(w, f.Start), "end": seconds(w, f.End), "level": f.Level})
	}
	spec.Set("findings", findings)
	if c.app.Comparing {
		a, b := w.Compare.A, w.Compare.B
		both := []any{[]any{seconds(w, a.Start), seconds(w, a.End)}, []any{seconds(w, b.Start), seconds(w, b.End)}}
		if w.Compare.Other != 0 { // B is not on this strip
			both = both[:1]
		}
		spec.Set("compared", both)
	} else {
		spec.Set("compared", js.Null())
	}
	spec.Set("gaps", gaps)
	spec.Set("problems", problems)
	notes := []any{}
	for i, r := range w.Remarks {
		notes = append(notes, map[string]any{"at": seconds(w, r.At), "n": i + 1, "text": r.Text})
	}
	spec.Set("notes", notes)
	zone := []any{}
	for _, s := range w.Clock.Segments {
		from := -1e15
		if s.From != pcp.MinTime {
			from = seconds(w, s.From)
		}
		zone = append(zone, []any{from, s.Offset})
	}
	spec.Set("zone", zone)
	c.js.Call("timeline", spec)
}

// readTo is up to when there is all, null where nothing is missing.
func readTo(w *state.Work, t *pcp.Time) any {
	if t == nil {
		return nil
	}
	return seconds(w, *t)
}

func gapLabel(why string) string {
	if why == "mark" {
		return "logging was interrupted"
	}
	return why
}

// seconds is a time on the axis of a source: its origin is the whole second
// in which the source starts.
func seconds(w *state.Work, t pcp.Time) float64 {
	origin, _ := w.Source.Start.Split()
	return t.Since(pcp.MakeTime(origin, 0))
}

func moment(w *state.Work, s float64) pcp.Time {
	origin, _ := w.Source.Start.Split()
	return pcp.MakeTime(origin, 0) + pcp.Time(math.Round(s*1e9))
}

func shifted(w *state.Work, start pcp.Time, times []float64) []float64 {
	by := seconds(w, start)
	out := make([]float64, len(times))
	for i, t := range times {
		out[i] = t + by
	}
	return out
}

func object() js.Value { return js.Global().Get("Object").New() }

// floats makes a Float64Array in one copy: both sides are little-endian.
func floats(v []float64) js.Value {
	bytes := js.Global().Get("Uint8Array").New(8 * len(v))
	if len(v) > 0 {
		js.CopyBytesToJS(bytes, unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 8*len(v)))
	}
	return js.Global().Get("Float64Array").New(bytes.Get("buffer"))
}

// octets makes a Uint8Array.
func octets(v []byte) js.Value {
	bytes := js.Global().Get("Uint8Array").New(len(v))
	js.CopyBytesToJS(bytes, v)
	return bytes
}

// heard acts on what the user did on a canvas. It runs beside the event that
// caused it: the loop's lock may have to be waited for.
func (c *charts) heard(kind string, args []float64, texts []string, none bool) {
	loop := c.app.Loop
	loop.Lock()
	w := c.app.Current()
	if w == nil {
		loop.UnlockOnly()
		return
	}
	at := func(i int) pcp.Time {
		if i < len(args) {
			return moment(w, args[i])
		}
		return w.Window.Start
	}
	switch kind {
	case "zoom":
		if c.app.Comparing {
			w.MoveCompared(at(0), at(1))
			break
		}
		w.Zoom(at(0), at(1))
	case "pick":
		w.Compare.Pick(int(args[0]))
	case "unzoom":
		w.Unzoom()
	case "zoomby":
		w.ZoomBy(args[0], at(1))
	case "pan":
		w.Pan(args[0])
	case "activate":
		w.Activate(int(args[0]))
	case "cursor":
		if none {
			c.app.HasCur = false
		} else {
			c.app.Cursor, c.app.HasCur = at(0), true
		}
		c.app.AttendDrawer()
		c.app.AttendTables()
		c.drawer(w)
		loop.UnlockOnly() // the charts show the cursor themselves
		return
	case "pin":
		if c.app.Pinned = !none; c.app.Pinned {
			c.app.Cursor, c.app.HasCur = at(0), true
		}
		c.app.AttendDrawer()
		c.app.AttendTables()
		c.drawer(w)
		loop.UnlockOnly()
		return
	case "see":
		ids := make([]int, len(args))
		for i, a := range args {
			ids[i] = int(a)
		}
		w.See(ids)
	case "view": // of a table in the drawer: what was chosen, which the address keeps
		c.app.ViewTable(texts[0], state.TableView{Sort: texts[1], Filter: texts[2], Down: args[0] > 0})
	case "column":
		c.app.ShowColumn(texts[0], texts[1], args[0] > 0)
	case "row":
		c.app.PickRow(int(args[0]))
	case "further":
		if !c.app.SearchFurther() {
			loop.UnlockOnly()
			return
		}
	case "room":
		c.app.SearchRoom = int(args[0])
	case "scroll":
		w.Tree.First, c.app.TreeRows = int(args[0]), int(args[1])
	}
	loop.UnlockRender()
}
