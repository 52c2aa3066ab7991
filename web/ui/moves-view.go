package ui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

func (c *MovesView) moves() *app.Moves {
	if tab := c.App.Current(); tab != nil {
		return &tab.Moves
	}
	return nil
}

func (c *MovesView) result() *api.Moves {
	if !c.Open() {
		return nil
	}
	return c.moves().Result
}

// Open reports whether it is visible.
func (c *MovesView) Open() bool { return c.moves() != nil && c.moves().Visible() }

// Of is the series.
func (c *MovesView) Of() string {
	if !c.Open() {
		return ""
	}
	return c.moves().Name
}

// Message is shown in place of the rows if there are none.
func (c *MovesView) Message() string {
	switch m := c.moves(); {
	case !c.Open():
		return ""
	case c.App.Current().Explain.Waiting():
		return "The archive is being read; series are compared afterwards."
	case m.Fault != "":
		return m.Fault
	case m.Result == nil:
		return "Comparing it with all other series…"
	default:
		return m.Result.Why
	}
}

// Base says what was compared.
func (c *MovesView) Base() string {
	r := c.result()
	if r == nil {
		return ""
	}
	text := c.App.Current().Clock.Range(r.Start, r.End)
	if r.Looked > 0 {
		text += ", compared with " + format.Count(r.Looked) + " other series in steps of " + format.Span(int64(r.Resolution*1e9))
	}
	if !c.moves().Settled() {
		text += " (the window has moved: comparing again…)"
	}
	return text
}

// A MoverRow is a series or a command that moves with another.
type MoverRow struct {
	Class, Subject, What, Rho, Lag, With, WithAll, Path, Label string
	Self                                                       bool
	mover                                                      *api.Mover
}

// Rows are the series itself, and what moves with it, the most similar first.
func (c *MovesView) Rows() []MoverRow {
	r := c.result()
	if r == nil || len(r.Rows) == 0 {
		return nil
	}
	list := []MoverRow{moverRow(r, &r.Series)}
	list[0].Self, list[0].Class = true, "moves-row self"
	list[0].Rho, list[0].Lag = "rho", ""
	list[0].Label, list[0].Subject = "Chart of "+c.Of(), c.Of()
	if list[0].What = r.Series.Name; list[0].What == c.Of() {
		list[0].What = ""
	}
	for i := range r.Rows {
		list = append(list, moverRow(r, &r.Rows[i]))
	}
	return list
}

func moverRow(r *api.Moves, x *api.Mover) MoverRow {
	row := MoverRow{Class: "moves-row", Subject: x.Subject, Rho: strings.Replace(strconv.FormatFloat(x.Rho, 'f', 2, 64), "-", "\u2212", 1), Lag: lagText(x.Lag, r.Resolution), mover: x}
	row.What = x.Name
	if row.What == "" {
		row.What = x.Metric
	}
	if row.Subject == "" {
		row.Subject = row.What
	}
	if x.Same {
		row.Class += " same"
	}
	if n := len(x.With); n > 0 {
		row.WithAll = strings.Join(x.With, "\n")
		row.With = "also " + strings.Join(x.With[:min(n, 3)], ", ")
		if n > 3 {
			row.With += " and " + format.Count(n-3) + " more"
		}
	}
	row.Label = row.Subject + ", " + row.What + ": " + row.Rho + ", " + row.Lag
	const width, height = 240.0, 24.0
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x.Values {
		if v == v {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if !(hi > lo) {
		hi = lo + 1
	}
	row.Path = smallChart(x.Values, width/float64(max(1, len(x.Values)-1)), func(v float64) float64 { return height - 1 - (height-2)*(v-lo)/(hi-lo) })
	return row
}

// lagText says which came first: lags are multiples of a step, up to six.
func lagText(lag, step float64) string {
	text := format.Span(int64(math.Abs(lag) * 1e9))
	if math.Abs(lag) > 5.5*step {
		text += " or more"
	}
	switch {
	case lag < 0:
		return text + " before it"
	case lag > 0:
		return text + " after it"
	}
	return "at the same time"
}

// From and To are the ends of the time axis.
func (c *MovesView) From() string { return c.moment(0) }
func (c *MovesView) To() string   { return c.moment(1) }

func (c *MovesView) moment(end int) string {
	r := c.result()
	if r == nil {
		return ""
	}
	at := r.Start
	if end == 1 {
		at = r.End
	}
	return c.App.Current().Clock.Within(at, r.Start, r.End)
}

// Show shows the series of a row in a panel, or the processes.
func (c *MovesView) Show(r MoverRow) { c.moves().Open(r.mover) }

// Copy copies it as text.
func (c *MovesView) Copy() {
	r, tab := c.result(), c.App.Current()
	if r == nil || c.App.Page.Copy == nil {
		return
	}
	text := format.Copied(tab.Source.Host+", "+tab.Clock.Full(r.Start, r.End)) + "\n" + format.Copied("Moves with "+c.Of()+" (rank correlation):") + "\n"
	for _, row := range c.Rows() {
		if !row.Self {
			text += format.Copied(row.Label) + "\n"
		}
	}
	c.App.Page.Copy(text)
}

// Close hides it.
func (c *MovesView) Close() { c.moves().Close() }

// fewMovers is how many lines of a panel the menu has without a filter.
const fewMovers = 12

// moversOf are the lines of a panel with which others may move: the first whose names
// contain a text, one with that very name before the others. All is how many there are
// without the filter.
func moversOf(p *app.Panel, filter string) (list []LegendRow, all int) {
	if p.Breakdown != nil && !ofCommands(p) || p.Style == "event" { // of which no line is a series
		return nil, 0
	}
	filter = strings.ToLower(strings.TrimSpace(filter))
	for i := range p.Series {
		s := &p.Series[i]
		if s.Kind != "" || s.Stats.Count < 2 || s.Stats.Min == s.Stats.Max {
			continue
		}
		all++
		row := LegendRow{Key: s.Key, Label: s.Label, Name: s.Metric}
		if s.Instance != "" {
			row.Name += "[" + s.Instance + "]"
		}
		switch label, name := strings.ToLower(row.Label), strings.ToLower(row.Name); {
		case filter != "" && (label == filter || name == filter):
			list = slices.Insert(list, 0, row)
		case len(list) < fewMovers && (strings.Contains(label, filter) || strings.Contains(name, filter)):
			list = append(list, row)
		}
	}
	return list[:min(len(list), fewMovers)], all
}

// panelMovers are the lines of a panel that its menu offers.
type panelMovers struct {
	List []LegendRow
	all  int
}

func moversIn(tab *app.Tab, p *app.Panel) (m panelMovers) {
	if tab.Explain.Available() {
		m.List, m.all = moversOf(p, tab.Moves.Filter)
	}
	return m
}

// None reports whether there are no such lines, Few whether all are in the menu.
func (m panelMovers) None() bool { return m.all == 0 }
func (m panelMovers) Few() bool  { return m.all <= fewMovers }

// Hint says how many there are.
func (m panelMovers) Hint() string { return "name, of " + format.Count(m.all) }

// filterMoves chooses the lines that the menus offer by a text in their names.
func filterMoves(tab *app.Tab, text string) { tab.Moves.Filter = text }

// ofCommands reports whether the lines of a panel are the CPU time of commands.
func ofCommands(p *app.Panel) bool {
	return p.Breakdown != nil && p.Breakdown.What == "cpu" && p.Breakdown.By == "command"
}

// showMoves shows what moves with a line of a panel.
func showMoves(tab *app.Tab, p *app.Panel, r LegendRow) {
	if ofCommands(p) {
		tab.Moves.ShowCommand(r.Name, p.Title+": "+r.Label)
		return
	}
	metric, instance, _ := strings.Cut(r.Key, "\x00")
	called := r.Name
	if p.Title != "" {
		called = p.Title + ": " + r.Label
	}
	tab.Moves.Show(metric, instance, called)
}

// NoMoves reports whether the metric is not a single series.
func (c *Details) NoMoves() bool {
	d := c.detail()
	return d == nil || !d.Single() || !c.App.Current().Explain.Available()
}

// Moves shows what moves with the metric.
func (c *Details) Moves() {
	name := c.detail().Metric.Name
	c.App.Current().Moves.Show(name, "", name)
}

// NoInstanceMoves reports whether there are no series of instances.
func (c *Details) NoInstanceMoves() bool {
	d := c.detail()
	return d == nil || d.Metric.InDom == nil || c.NoDerive() || !c.App.Current().Explain.Available()
}

// InstanceMoves shows what moves with an instance.
func (c *Details) InstanceMoves(i app.InstanceRow) {
	name := c.detail().Metric.Name
	c.App.Current().Moves.Show(name, i.Name, name+"["+i.Name+"]")
}
