package canvas

import (
	"math"
	"slices"
	"strconv"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/table"
)

// Charts keeps the page's canvases in step with the state.
type Charts struct {
	app        *app.App
	shown      *app.Tab
	pulse      int  // revision of the strip that was last sent
	moved      bool // the window or the source has changed
	revealed   int  // the panel last scrolled to
	sparks     int  // revision of the sparklines last sent
	topRev     int  // of the layout, when the panels were last scrolled to the top
	table      *table.Table
	handed     int              // its rows sent so far
	partRows   int              // sent at once
	repeated   []table.Repeated // by column
	whole      bool             // all rows have been sent
	chosen     bool             // sent with the user's sort order, filter and columns
	viewed     int              // revision of the view of the drawer's tables
	days       int              // revision of the days last sent
	compared   int              // revision of the comparison last sent
	sticky     bool             // the cursor stays when the pointer leaves the charts
	comparedOf *app.Tab
}

// New starts with empty canvases.
func New(app *app.App) *Charts {
	c := &Charts{app: app, moved: true}
	app.Page.WindowChanged = func() { c.moved = true }
	return c
}

// Sync updates the canvases. It is called after each drawing of the page, under the loop's
// lock.
func (c *Charts) Sync() {
	tab := c.app.Current()
	if tab == nil {
		if c.shown != nil || c.moved {
			c.shown, c.moved = nil, false
			Do(ShowTimeline, Timeline{})
		}
		Do(Draw, Drawn{CursorRev: c.app.Cursor.Rev})
		return
	}
	if tab != c.shown {
		c.shown, c.moved, c.pulse, c.revealed, c.sparks, c.days = tab, true, -1, tab.Dashboard.Active, -1, -1
	}
	if c.moved {
		c.moved = false
		Do(ShowTimeline, c.timeline(tab))
	}
	if c.pulse != tab.Pulse.Rev {
		c.pulse = tab.Pulse.Rev
		Do(ShowPulse, Pulse{
			Times: shifted(tab.Pulse.Times, seconds(tab, tab.Pulse.Start)), Values: tab.Pulse.Values, High: tab.Pulse.High, ReadTo: readTo(tab, tab.Pulse.ReadTo),
		})
	}
	if s := &tab.Sparks; c.sparks != s.Rev+tab.Findings.SparkRev {
		c.sparks = s.Rev + tab.Findings.SparkRev
		var lines []Spark
		for name, values := range s.Lines {
			if len(values) > 0 {
				lines = append(lines, Spark{Name: name, Values: values})
			}
		}
		for _, b := range tab.Dashboard.List {
			if len(b.Sparkline) > 1 {
				lines = append(lines, Spark{Name: "board " + b.ID, Values: b.Sparkline})
			}
		}
		Do(ShowSparks, Sparks{Lines: lines})
	}
	drawn := Drawn{
		CursorRev: c.app.Cursor.Rev, Pinned: c.app.Cursor.Pinned,
		Tree: &TreeRows{First: tab.Tree.First, Count: len(tab.Tree.Rows)},
	}
	for _, p := range tab.OnScreen() {
		if len(p.Series) > 0 && p.Fault == "" {
			drawn.Panels = append(drawn.Panels, PanelRev{ID: p.ID, Rev: p.Rev})
		}
	}
	if c.app.Cursor.On {
		at := seconds(tab, c.app.Cursor.At)
		drawn.Cursor = &at
	}
	wanted := Do(Draw, drawn).Panels
	for _, p := range tab.OnScreen() {
		if slices.Contains(wanted, p.ID) {
			Do(ShowPanel, c.panel(tab, p))
		}
	}
	c.drawer(tab)
	c.compare(tab)
	if c.days != tab.Days.Rev {
		c.days = tab.Days.Rev
		Do(ShowDays, days(tab))
	}
	if c.topRev != c.app.Layout.ToTopRev {
		c.topRev, c.revealed = c.app.Layout.ToTopRev, tab.Dashboard.Active
		Do(ToTop, None{})
	}
	if tab.Dashboard.Active != c.revealed {
		c.revealed = tab.Dashboard.Active
		Do(Reveal, Target{Name: "panel-" + strconv.Itoa(tab.Dashboard.Active)})
	}
}

func (c *Charts) timeline(tab *app.Tab) Timeline {
	origin, _ := tab.Source.Start.Split()
	whole := tab.Whole()
	t := Timeline{
		Origin: int64(origin), Start: seconds(tab, tab.Window.Start), End: seconds(tab, tab.Window.End),
		From: seconds(tab, whole.Start), To: seconds(tab, whole.End),
	}
	for _, b := range tab.Breaks() {
		t.Gaps = append(t.Gaps, Gap{Start: seconds(tab, b.Start), End: seconds(tab, b.End), Label: b.Label, Lost: b.Lost})
	}
	for i, p := range tab.Source.Problems {
		if p.Lost != nil {
			t.Problems = append(t.Problems, Problem{At: seconds(tab, max(p.Lost.Start, whole.Start)), N: i + 1})
		}
	}
	for _, f := range tab.Findings.List() {
		if len(f.Spans) == 0 {
			t.Findings = append(t.Findings, FindingSpan{Start: seconds(tab, f.Start), End: seconds(tab, f.End), Level: f.Level})
		}
		for _, s := range f.Spans {
			t.Findings = append(t.Findings, FindingSpan{Start: seconds(tab, s.Start), End: seconds(tab, s.End), Level: f.Level})
		}
	}
	if o := tab.Findings.Overview; o != nil {
		for _, e := range o.History {
			if e.Kind != "boot" && e.Kind != "outage" { // those are shown as marks and gaps
				t.Findings = append(t.Findings, FindingSpan{Start: seconds(tab, e.At), End: seconds(tab, e.At), Level: "know"})
			}
		}
	}
	if c.app.Layout.Comparing {
		t.Compared = []Span{span(tab, tab.Compare.A.Start, tab.Compare.A.End)}
		if tab.Compare.Other == 0 { // otherwise B is not on this strip
			t.Compared = append(t.Compared, span(tab, tab.Compare.B.Start, tab.Compare.B.End))
		}
	}
	for i, r := range tab.Notes {
		t.Notes = append(t.Notes, Note{At: seconds(tab, r.At), N: i + 1, Text: r.Text})
	}
	for _, s := range tab.Clock.Segments {
		from := -1e15
		if s.From != pcp.MinTime {
			from = seconds(tab, s.From)
		}
		t.Zone = append(t.Zone, Offset{From: from, East: s.Offset})
	}
	return t
}

func span(tab *app.Tab, start, end pcp.Time) Span {
	return Span{Start: seconds(tab, start), End: seconds(tab, end)}
}

// readTo is up to when the source has been read, null if completely.
func readTo(tab *app.Tab, t *pcp.Time) *float64 {
	if t == nil {
		return nil
	}
	at := seconds(tab, *t)
	return &at
}

// seconds is a time on the axis of a source, whose origin is the whole second in which the
// source starts.
func seconds(tab *app.Tab, t pcp.Time) float64 {
	origin, _ := tab.Source.Start.Split()
	return t.Since(pcp.MakeTime(origin, 0))
}

func moment(tab *app.Tab, s float64) pcp.Time {
	origin, _ := tab.Source.Start.Split()
	return pcp.MakeTime(origin, 0) + pcp.Time(math.Round(s*1e9))
}

// shifted are times relative to a different origin.
func shifted(times []float64, by float64) []float64 {
	out := make([]float64, len(times))
	for i, t := range times {
		out[i] = t + by
	}
	return out
}

// Handle handles what the user did on a canvas. It runs outside the event's callback, since
// it may have to wait for the loop's lock.
func (c *Charts) Handle(e Event) {
	loop := c.app.Loop
	loop.Lock()
	tab := c.app.Current()
	if tab == nil {
		loop.UnlockOnly()
		return
	}
	switch e := e.(type) {
	case Zoom:
		if c.app.Layout.Comparing {
			tab.Compare.Move(moment(tab, e.Start), moment(tab, e.End))
			break
		}
		tab.Zoom(moment(tab, e.Start), moment(tab, e.End))
	case Pick:
		tab.Compare.Pick(e.Row)
	case Hour:
		tab.Days.Go(e.Day, e.Hour)
	case Unzoom:
		tab.Unzoom()
	case ZoomBy:
		tab.ZoomBy(e.Factor, moment(tab, e.At))
	case Pan:
		tab.Pan(e.Share)
	case Activate:
		tab.Dashboard.Activate(e.Panel)
	case Cursor:
		if c.app.Cursor.On = e.At != nil; c.app.Cursor.On {
			c.app.Cursor.At = moment(tab, *e.At)
		}
		c.cursorMoved(tab)
		loop.UnlockOnly() // the charts draw the cursor themselves
		return
	case Pin:
		if c.app.Cursor.Pinned = e.At != nil; c.app.Cursor.Pinned {
			c.app.Cursor.At, c.app.Cursor.On = moment(tab, *e.At), true
		}
		c.cursorMoved(tab)
		loop.UnlockOnly()
		return
	case NearPanels:
		tab.Dashboard.SetVisible(e.Panels)
	case View: // stored in the link
		c.app.Layout.ViewTable(e.Page, table.View{Sort: e.Sort, Filter: e.Filter, Down: e.Down})
	case ShowColumn:
		c.app.Layout.ShowColumn(e.Page, e.Name, e.Shown)
	case Row:
		c.app.PickRow(e.Row)
	case MoreHits:
		if !c.app.Search.ShowMore() {
			loop.UnlockOnly()
			return
		}
	case VisibleHits:
		c.app.Layout.SearchLines = e.Rows
	case Scroll:
		tab.Tree.First, c.app.Layout.TreeRows = e.First, e.Rows
	}
	loop.UnlockRender()
}

// cursorMoved updates what shows values at the cursor outside the charts.
func (c *Charts) cursorMoved(tab *app.Tab) {
	c.app.RefreshDrawer()
	c.app.RefreshTables()
	c.drawer(tab)
}
