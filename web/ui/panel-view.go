package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vugu/vugu"

	"pcpscope/core/sorting"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// Key is the panel's number as text.
func (c *PanelView) Key() string { return strconv.Itoa(c.Panel.ID) }

// ID and ChartID are the elements' IDs, by which the canvases find them.
func (c *PanelView) ID() string { return "panel-" + c.Key() }

func (c *PanelView) ChartID() string { return "chart-" + c.Key() }

// Class marks the active panel.
func (c *PanelView) Class() string {
	class := "panel"
	if c.Tabular() && !c.NoChart() {
		class += " tabular"
	}
	if c.PanelContext.Active {
		class += " active"
	}
	if c.Panel.HasEvents() {
		class += " events"
	}
	if c.Panel.Offscreen() {
		class += " away"
	}
	return class
}

// ChartClass is the height.
func (c *PanelView) ChartClass() string {
	switch {
	case c.Panel.Tall:
		return "chart tall"
	case c.Panel.Style == "table" && c.fewRows():
		return "chart few"
	}
	return "chart"
}

// fewRows reports whether a table has so few instances that it needs less space.
func (c *PanelView) fewRows() bool {
	seen := map[string]bool{}
	for i := range c.Panel.Series {
		seen[c.Panel.Series[i].Instance] = true
	}
	return len(seen) <= 3
}

// NoChart reports whether there is nothing to draw: the panel shows strings, or the reason
// for having no values.
func (c *PanelView) NoChart() bool {
	return c.Panel.Fault != "" || len(c.Panel.Texts) > 0 && len(c.Panel.Series) == 0
}

// Unit is the panel's unit, if there is only one.
func (c *PanelView) Unit() string {
	switch {
	case c.Panel.Fault != "" || c.Panel.Style == "table" || c.Panel.Style == "rows":
		return ""
	case c.NoChart():
		return changes(c.Panel.Texts)
	case len(c.Panel.Series) == 0, c.Panel.Lanes() && c.Panel.Frame.Columns[c.Panel.Series[0].Column].Strings != nil:
		return ""
	case c.Panel.Style == "event":
		return "events"
	}
	return c.Panel.Shown.Name()
}

// changes counts how often strings changed; the first value does not count.
func changes(texts []panel.Text) string {
	who := map[string]bool{}
	for _, t := range texts {
		who[t.Who] = true
	}
	if n := len(texts) - len(who); n > 0 {
		return format.Plural(n, "change")
	}
	return "no change"
}

// Description describes what the panel shows.
func (c *PanelView) Description() string {
	hatched := func(s panel.Series) bool { return s.Estimated() }
	if c.Panel.Breakdown != nil && c.Panel.Breakdown.What == "cpu" && (c.Panel.Frame == nil || slices.ContainsFunc(c.Panel.Series, hatched)) {
		return "Hatched: short-lived processes that were not sampled; with a name, an estimate ± its standard error."
	}
	if c.Panel.What != "" || c.Panel.Part != "" {
		return c.Panel.What
	}
	return c.PanelContext.Oneline
}

// Message replaces the chart if there is none.
func (c *PanelView) Message() string {
	switch {
	case c.Panel.Fault != "":
		return c.Panel.Fault
	case c.Panel.Waiting():
		return "Reading " + c.Panel.Heading() + "…"
	}
	return ""
}

// Texts are the values of a panel of texts, the first hundred.
func (c *PanelView) Texts() []panel.Text {
	return c.Panel.Texts[:min(len(c.Panel.Texts), 100)]
}

// Role tells screen readers whether the chart is a picture or a readable
// table.
func (c *PanelView) Role() string {
	if c.Tabular() {
		return "group"
	}
	return "img"
}

// Sentence describes the chart for screen readers.
func (c *PanelView) Sentence() string {
	if c.NoChart() {
		return c.Message()
	}
	if c.Tabular() {
		return "Table of " + c.Panel.Heading()
	}
	if c.Panel.Frame == nil {
		return "Chart of " + c.Panel.Heading()
	}
	return "Chart of " + c.Panel.Heading() + ", " + c.Unit() + ", " + c.Clock.Range(c.Panel.Window.Start, c.Panel.Window.End) + ". " + c.Panel.Describe(c.Clock) + "."
}

// LegendHead is the header of the column of names.
func (c *PanelView) LegendHead() string {
	if len(c.Panel.Series) > 0 && c.Panel.Series[0].Instance != "" && len(c.Panel.Metrics) == 1 {
		return "Instance"
	}
	return "Series"
}

// Head is the header of a column of numbers: for events, these are their count
// and the time of the last.
func (c *PanelView) Head(column string) string {
	if c.Panel.Style == "event" {
		return map[string]string{"max": "count", "max at": "last"}[column]
	}
	return column
}

// A LegendRow is a row of the table beside a chart.
type LegendRow struct {
	Key, Label, Title, Name   string
	Class, Swatch, Index      string
	Min, Avg, P95, Max, MaxAt string
}

// Width of the column of names in characters, also where there are few numbers beside it,
// and how much of the beginning of a longer name is shown.
const (
	labelRoom = 13
	wideRoom  = 26
	labelHead = 5
)

// tellApart shortens long labels with a common beginning, of which the column
// would cut off the part that differs. It removes their common ending first,
// then the middle. The tooltip has the whole name.
func tellApart(rows []LegendRow, room int) {
	var long [][]rune
	var of []int
	for i := range rows {
		if l := []rune(rows[i].Label); len(l) > room {
			long, of = append(long, l), append(of, i)
		}
	}
	tail := room - labelHead - 1 // characters
	if len(long) < 2 {
		return
	}
	same := commonEnd(long)
	alike := map[string]int{}
	for i, l := range long {
		if same > 3 {
			l = l[:len(l)-same]
			long[i] = l
			rows[of[i]].Label = string(l) + "…"
		}
		alike[string(l[:min(len(l), room-3)])]++
	}
	for i, l := range long {
		if len(l) > room && alike[string(l[:room-3])] > 1 {
			rows[of[i]].Label = string(l[:labelHead]) + "…" + string(l[len(l)-tail:])
		}
	}
	for range 4 { // some of those with one beginning may have a longer one in common
		if !showDifference(rows, of, long, tail) {
			break
		}
	}
}

// showDifference gives labels that are still alike what follows their common beginning, and
// reports whether any changed.
func showDifference(rows []LegendRow, of []int, long [][]rune, tail int) (changed bool) {
	groups := map[string][]int{}
	for i := range long {
		groups[rows[of[i]].Label] = append(groups[rows[of[i]].Label], i)
	}
	for _, group := range groups {
		first := long[group[0]]
		same := len(first)
		for _, i := range group[1:] {
			k := 0
			for k < min(same, len(long[i])) && long[i][k] == first[k] {
				k++
			}
			same = k
		}
		if len(group) < 2 || same <= labelHead {
			continue
		}
		for _, i := range group {
			l := long[i]
			end := min(len(l), same+tail)
			text := string(l[:labelHead]) + "…" + string(l[min(same, len(l)):end])
			if end < len(l) {
				text += "…"
			}
			changed = changed || rows[of[i]].Label != text
			rows[of[i]].Label = text
		}
	}
	return changed
}

// commonEnd returns how many characters all labels have in common at their
// ends, in whole words.
func commonEnd(labels [][]rune) int {
	first := labels[0]
	n := len(first) - 1
	for _, l := range labels[1:] {
		k := 0
		for k < min(n, len(l)-1) && l[len(l)-1-k] == first[len(first)-1-k] {
			k++
		}
		n = k
	}
	for n > 0 && (unicode.IsLetter(first[len(first)-n]) || unicode.IsDigit(first[len(first)-n])) {
		n-- // only whole words
	}
	return n
}

// Rows are the rows of the legend. Series that are 0 throughout are listed
// together below it, unless all are.
func (c *PanelView) Rows() []LegendRow {
	p := c.Panel
	if c.Tabular() { // tables have no legend
		return nil
	}
	fold, empties := c.foldsZeros(), c.foldsEmpty()
	var rows []LegendRow
	stats := map[string]panel.Stats{}
	for i := range p.Series {
		s := &p.Series[i]
		if s.Colour == 0 || fold && zero(s) || empties && s.Stats.Count == 0 {
			continue
		}
		row := LegendRow{
			Key: s.Key, Label: s.Label, Index: strconv.Itoa(i), Title: s.Metric, Name: s.Metric,
			Class: "legend-row body", Swatch: "swatch c" + strconv.Itoa(s.Colour),
		}
		if s.Instance != "" {
			row.Name = s.Metric + "[" + s.Instance + "]"
			row.Title = row.Name
		}
		if p.Stacked() || p.Style == "bar" {
			row.Swatch += " area"
		}
		switch {
		case !p.Drawn(s):
			row.Swatch = "swatch hollow"
		case p.Heat() || p.Lanes():
			row.Swatch = "swatch none"
		case s.Estimated():
			row.Swatch = "swatch area hatched"
		}
		switch {
		case s.Hidden && !p.Drawn(s):
			row.Class += " quiet"
			row.Label += ", not drawn"
		case p.Hides(s):
			row.Class += " off"
		case p.Solo == s.Key:
			row.Class += " solo"
		}
		if s.Right && s.Shown.Unit != "" {
			row.Label += ", " + s.Shown.Unit
		}
		brief := func(v float64) string { return s.Shown.For(v).Brief(v) }
		row.Min, row.Avg, row.P95, row.Max = brief(s.Stats.Min), brief(s.Stats.Avg), brief(s.Stats.P95), brief(s.Stats.Max)
		if p.Style == "state" { // states have no average
			row.Min, row.Avg, row.P95, row.Max = "", "", "", ""
		}
		if p.Style == "event" {
			row.Min, row.Avg, row.P95, row.Max = "", "", "", format.Count(s.Stats.Count)
			row.Title += ": " + panel.EventCount(s.Stats.Count)
		}
		row.MaxAt = format.Dash
		if s.Stats.Count > 0 && s.Stats.Max != s.Stats.Min && p.Style != "state" { // also if NaN: the last of events
			row.MaxAt = c.Clock.Within(s.Stats.MaxAt, p.Window.Start, p.Window.End)
		}
		rows = append(rows, row)
		stats[row.Key] = s.Stats
	}
	room := labelRoom
	if p.HasEvents() {
		room = wideRoom
	}
	tellApart(rows, room)
	if key := orders[p.Order]; key != nil {
		sorting.Stable(rows, func(a, b LegendRow) int { return cmp.Compare(key(stats[b.Key]), key(stats[a.Key])) })
	} else if p.Order == "name" {
		sorting.Stable(rows, func(a, b LegendRow) int { return cmp.Compare(a.Label, b.Label) })
	}
	if p.Heat() || p.Lanes() || p.HasEvents() {
		rows = rows[:min(len(rows), maxHeatRows)]
	}
	return rows[:min(len(rows), maxRows)]
}

// maxRows is the maximum number of rows of a legend.
const maxRows = 300

// maxHeatRows is the maximum number of rows of a heat map's legend.
const maxHeatRows = 12

// orders are the columns by which a legend can be sorted, largest first.
var orders = map[string]func(panel.Stats) float64{
	"avg": func(s panel.Stats) float64 { return s.Avg }, "p95": func(s panel.Stats) float64 { return s.P95 }, "max": func(s panel.Stats) float64 { return s.Max },
}

func zero(s *panel.Series) bool {
	return s.Stats.Count > 0 && s.Stats.Min == 0 && s.Stats.Max == 0
}

// foldsZeros reports whether series that are 0 throughout are listed in one
// line, because there are others, or many of them.
func (c *PanelView) foldsZeros() bool {
	zeros, lines := 0, 0
	for i := range c.Panel.Series {
		if s := &c.Panel.Series[i]; s.Colour > 0 {
			lines++
			if zero(s) {
				zeros++
			}
		}
	}
	return zeros > 0 && lines > 3
}

// Zeros names the series that are 0 throughout.
func (c *PanelView) Zeros() string {
	if !c.foldsZeros() {
		return ""
	}
	text := ""
	for i := range c.Panel.Series {
		if s := &c.Panel.Series[i]; s.Colour > 0 && zero(s) {
			if text != "" {
				text += ", "
			}
			text += s.Label
		}
	}
	return text + ": 0 throughout"
}

// foldsEmpty reports whether series without a value are listed in one line,
// because there are others.
func (c *PanelView) foldsEmpty() bool {
	empty, lines := 0, 0
	for i := range c.Panel.Series {
		if s := &c.Panel.Series[i]; s.Colour > 0 {
			lines++
			if s.Stats.Count == 0 {
				empty++
			}
		}
	}
	return empty > 0 && empty < lines && lines > 3 && !c.Panel.Lanes() && !c.Panel.Heat() && !c.Panel.HasEvents()
}

// Empty lists the series without a value in the window.
func (c *PanelView) Empty() string {
	if !c.foldsEmpty() {
		return ""
	}
	var names []string
	for i := range c.Panel.Series {
		if s := &c.Panel.Series[i]; s.Colour > 0 && s.Stats.Count == 0 {
			names = append(names, s.Label)
		}
	}
	return strings.Join(names, ", ") + ": no value here"
}

// RestText says what is not drawn.
func (c *PanelView) RestText() string {
	p := c.Panel
	switch {
	case p.Heat():
		return c.rampText()
	case p.Alone:
		return "only " + p.DisplayName(c.PanelContext.Only) + ", of " + format.Plural(p.All, "line")
	case p.Filter != "":
		return format.Count(p.Matching) + " of " + format.Count(p.All) + " match “" + p.Filter + "”"
	case p.Rest() <= 0 || p.Stacked() && p.HasSum():
		return ""
	}
	return format.Count(p.Rest()) + " more, not drawn; only the " + strconv.Itoa(p.Count()) + " largest are"
}

// GridText says what the values of the lines represent.
func (c *PanelView) GridText() string {
	if c.NoChart() {
		return ""
	}
	return panel.GridText(&c.Panel.Settings, &c.Panel.View)
}

// LeftOutText says how many samples cannot be drawn.
func (c *PanelView) LeftOutText() string {
	n := c.Panel.LeftOut
	switch {
	case n > 0 && c.Panel.Style == "event":
		return format.Plural(n, "event") + " logged here happened outside the window"
	case n > 0:
		return format.Plural(n, "sample") + " left out: more time was counted than elapsed, as when the clock is set"
	}
	return ""
}

// ClickSeries shows only this series, or with shift hides it.
func (c *PanelView) ClickSeries(key string, event vugu.DOMEvent) {
	if event.PropBool("shiftKey") {
		c.On.Tab.Dashboard.HideSeries(c.Panel.ID, key)
		return
	}
	c.On.Tab.Dashboard.SoloSeries(c.Panel.ID, key)
}

// MenuOpen reports whether the panel's menu is open.
func (c *PanelView) MenuOpen() bool {
	return c.PanelContext.Menu
}

// MenuExpanded is the aria-expanded of the button for it.
func (c *PanelView) MenuExpanded() string { return strconv.FormatBool(c.MenuOpen()) }

// Metrics are the panel's metrics or expressions, as an attribute for tests
// and scripts.
func (c *PanelView) Metrics() string { return strings.Join(c.Panel.Metrics, ", ") }

// Tabular reports whether the panel is a table, which has no legend.
func (c *PanelView) Tabular() bool { return c.Panel.Tabular() || c.PanelContext.Tables }

// Advice says what is normal, and what to look at next.
func (c *PanelView) Advice() string {
	text := c.Description()
	if c.Panel.Usual != "" {
		text += "\nNormal: " + c.Panel.Usual
	}
	if c.Panel.Next != "" {
		text += "\nNext: " + c.Panel.Next
	}
	return text
}

// rampText explains the colours of a heat map.
func (c *PanelView) rampText() string {
	p, peak := c.Panel, 0.0
	for i := range p.Series {
		if s := &p.Series[i]; s.Stats.Count > 0 {
			peak = max(peak, s.Stats.Max)
		}
	}
	if p.Max > 0 {
		peak = max(peak, p.Max/p.Shown.Factor)
	}
	if peak == 0 {
		return "" // no cell, or all of one colour
	}
	return "dark is 0, light is " + p.Shown.Text(peak)
}

// LegendLabel names the table beside the chart.
func (c *PanelView) LegendLabel() string { return "Statistics of " + c.Panel.Heading() }
