package canvas

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"syscall/js"
	"unsafe"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/table"
)

// Charts keeps the canvases of the page in step with the state. What it calls
// is described in static/charts/sync.js.
type Charts struct {
	app        *app.App
	Js         js.Value
	shown      *app.Tab
	pulse      int  // revision of the strip that was handed over
	moved      bool // the window or the source has changed
	revealed   int  // panel that was scrolled to last
	sparks     int  // revision of the sparklines that were handed over
	cursorRev  int
	fresh      int // the canvas was shown from its top
	table      *table.Table
	viewed     int // revision of what was chosen of the drawer's tables
	compared   int // revision of the comparison that was handed over
	sent       map[int]*sentPanel
	comparedOf *app.Tab
}

func New(app *app.App) *Charts {
	c := &Charts{app: app, sent: map[int]*sentPanel{}, Js: js.Global().Get("pcpcharts"), moved: true}
	app.Page.WindowChanged = func() { c.moved = true }
	return c
}

// Sync brings the canvases up to date. It is called after each drawing of the
// page, under the loop's lock.
func (c *Charts) Sync() {
	tab := c.app.Current()
	if tab == nil {
		if c.shown != nil || c.moved {
			c.shown, c.moved = nil, false
			c.Js.Call("timeline", map[string]any{"from": 0, "to": 0, "gaps": []any{}, "problems": []any{}, "findings": []any{}, "notes": []any{}})
		}
		c.Js.Call("sync", "", js.Null(), c.app.Cursor.Rev, "")
		return
	}
	if tab != c.shown {
		c.shown, c.moved, c.pulse, c.revealed, c.sparks = tab, true, -1, tab.Dashboard.Active, -1
	}
	if c.moved {
		c.moved = false
		c.timeline(tab)
	}
	if c.pulse != tab.Pulse.Rev {
		c.pulse = tab.Pulse.Rev
		spec := object()
		spec.Set("times", floats(shifted(tab, tab.Pulse.Start, tab.Pulse.Times)))
		spec.Set("values", floats(tab.Pulse.Values))
		spec.Set("readTo", readTo(tab, tab.Pulse.ReadTo))
		c.Js.Call("pulse", spec)
	}
	if s := &tab.Sparks; c.sparks != s.Rev+tab.Findings.SparkRev {
		c.sparks = s.Rev + tab.Findings.SparkRev
		lines := object()
		for name, values := range s.Lines {
			if len(values) > 0 {
				lines.Set(name, floats(values))
			}
		}
		for _, b := range tab.Dashboard.List {
			if len(b.Sparkline) > 1 {
				lines.Set("board "+b.ID, floats(b.Sparkline))
			}
		}
		c.Js.Call("sparks", lines)
	}
	var list []string
	for _, p := range tab.OnScreen() {
		if len(p.Series) > 0 && p.Fault == "" {
			list = append(list, strconv.Itoa(p.ID)+":"+strconv.Itoa(p.Rev))
		}
	}
	cursor := js.Null()
	if c.app.Cursor.On {
		cursor = js.ValueOf(seconds(tab, c.app.Cursor.At))
	}
	tree, _ := json.Marshal(map[string]int{"first": tab.Tree.First, "count": len(tab.Tree.Rows)})
	wanted := c.Js.Call("sync", strings.Join(list, ","), cursor, c.app.Cursor.Rev, string(tree), c.app.Cursor.Pinned).String()
	for _, p := range tab.OnScreen() {
		if id := strconv.Itoa(p.ID); wanted != "" && strings.Contains(","+wanted+",", ","+id+",") {
			c.panel(tab, p)
		}
	}
	c.drawer(tab)
	c.compare(tab)
	if c.fresh != c.app.Layout.Fresh {
		c.fresh, c.revealed = c.app.Layout.Fresh, tab.Dashboard.Active
		c.Js.Call("top")
	}
	if tab.Dashboard.Active != c.revealed {
		c.revealed = tab.Dashboard.Active
		c.Js.Call("reveal", "panel-"+strconv.Itoa(tab.Dashboard.Active))
	}
}

func (c *Charts) timeline(tab *app.Tab) {
	origin, _ := tab.Source.Start.Split()
	whole := tab.Whole()
	spec := object()
	spec.Set("origin", origin)
	spec.Set("start", seconds(tab, tab.Window.Start))
	spec.Set("end", seconds(tab, tab.Window.End))
	spec.Set("from", seconds(tab, whole.Start))
	spec.Set("to", seconds(tab, whole.End))
	gaps := []any{}
	for _, g := range tab.Source.Gaps {
		if g.Why == "missing volume" {
			continue // a hole
		}
		gaps = append(gaps, map[string]any{"start": seconds(tab, g.Start), "end": seconds(tab, g.End), "label": gapLabel(g.Why), "lost": false})
	}
	for _, boot := range tab.Findings.Boots() {
		if boot > whole.Start && boot < whole.End {
			at := seconds(tab, boot)
			gaps = append(gaps, map[string]any{"start": at, "end": at, "label": "the host started", "lost": false})
		}
	}
	for _, h := range tab.Holes() {
		gaps = append(gaps, map[string]any{"start": seconds(tab, h.Start), "end": seconds(tab, h.End), "label": h.Label, "lost": true})
	}
	problems := []any{}
	for i, p := range tab.Source.Problems {
		if p.Lost == nil {
			continue
		}
		problems = append(problems, map[string]any{"at": seconds(tab, max(p.Lost.Start, whole.Start)), "n": i + 1, "broken": true})
	}
	findings := []any{}
	for _, f := range tab.Findings.List() {
		findings = append(findings, map[string]any{"start": seconds(tab, f.Start), "end": seconds(tab, f.End), "level": f.Level})
	}
	spec.Set("findings", findings)
	if c.app.Layout.Comparing {
		a, b := tab.Compare.A, tab.Compare.B
		both := []any{[]any{seconds(tab, a.Start), seconds(tab, a.End)}, []any{seconds(tab, b.Start), seconds(tab, b.End)}}
		if tab.Compare.Other != 0 { // B is not on this strip
			both = both[:1]
		}
		spec.Set("compared", both)
	} else {
		spec.Set("compared", js.Null())
	}
	spec.Set("gaps", gaps)
	spec.Set("problems", problems)
	notes := []any{}
	for i, r := range tab.Notes {
		notes = append(notes, map[string]any{"at": seconds(tab, r.At), "n": i + 1, "text": r.Text})
	}
	spec.Set("notes", notes)
	zone := []any{}
	for _, s := range tab.Clock.Segments {
		from := -1e15
		if s.From != pcp.MinTime {
			from = seconds(tab, s.From)
		}
		zone = append(zone, []any{from, s.Offset})
	}
	spec.Set("zone", zone)
	c.Js.Call("timeline", spec)
}

// readTo is up to when there is all, null where nothing is missing.
func readTo(tab *app.Tab, t *pcp.Time) any {
	if t == nil {
		return nil
	}
	return seconds(tab, *t)
}

func gapLabel(why string) string {
	if why == "mark" {
		return "logging was interrupted"
	}
	return why
}

// seconds is a time on the axis of a source: its origin is the whole second
// in which the source starts.
func seconds(tab *app.Tab, t pcp.Time) float64 {
	origin, _ := tab.Source.Start.Split()
	return t.Since(pcp.MakeTime(origin, 0))
}

func moment(tab *app.Tab, s float64) pcp.Time {
	origin, _ := tab.Source.Start.Split()
	return pcp.MakeTime(origin, 0) + pcp.Time(math.Round(s*1e9))
}

func shifted(tab *app.Tab, start pcp.Time, times []float64) []float64 {
	by := seconds(tab, start)
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

// Heard acts on what the user did on a canvas. It runs beside the event that
// caused it: the loop's lock may have to be waited for.
func (c *Charts) Heard(kind string, args []float64, texts []string, none bool) {
	loop := c.app.Loop
	loop.Lock()
	tab := c.app.Current()
	if tab == nil {
		loop.UnlockOnly()
		return
	}
	at := func(i int) pcp.Time {
		if i < len(args) {
			return moment(tab, args[i])
		}
		return tab.Window.Start
	}
	switch kind {
	case "zoom":
		if c.app.Layout.Comparing {
			tab.Compare.Move(at(0), at(1))
			break
		}
		tab.Zoom(at(0), at(1))
	case "pick":
		tab.Compare.Pick(int(args[0]))
	case "unzoom":
		tab.Unzoom()
	case "zoomby":
		tab.ZoomBy(args[0], at(1))
	case "pan":
		tab.Pan(args[0])
	case "activate":
		tab.Dashboard.Activate(int(args[0]))
	case "cursor":
		if none {
			c.app.Cursor.On = false
		} else {
			c.app.Cursor.At, c.app.Cursor.On = at(0), true
		}
		c.app.AttendDrawer()
		c.app.AttendTables()
		c.drawer(tab)
		loop.UnlockOnly() // the charts show the cursor themselves
		return
	case "pin":
		if c.app.Cursor.Pinned = !none; c.app.Cursor.Pinned {
			c.app.Cursor.At, c.app.Cursor.On = at(0), true
		}
		c.app.AttendDrawer()
		c.app.AttendTables()
		c.drawer(tab)
		loop.UnlockOnly()
		return
	case "see":
		ids := make([]int, len(args))
		for i, a := range args {
			ids[i] = int(a)
		}
		tab.Dashboard.SetVisible(ids)
	case "view": // of a table in the drawer: what was chosen, which the address keeps
		c.app.Layout.ViewTable(texts[0], table.View{Sort: texts[1], Filter: texts[2], Down: args[0] > 0})
	case "column":
		c.app.Layout.ShowColumn(texts[0], texts[1], args[0] > 0)
	case "row":
		c.app.PickRow(int(args[0]))
	case "further":
		if !c.app.Search.ShowMore() {
			loop.UnlockOnly()
			return
		}
	case "room":
		c.app.Layout.SearchRoom = int(args[0])
	case "scroll":
		tab.Tree.First, c.app.Layout.TreeRows = int(args[0]), int(args[1])
	}
	loop.UnlockRender()
}
