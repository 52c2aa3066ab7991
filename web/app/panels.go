package app

import (
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
)

// Change changes how a panel shows its values.
func (d *Dashboard) Change(id int, change func(s *panel.Settings)) {
	p := d.find(id)
	if p == nil {
		return
	}
	d.tab.History.remember()
	p.change(change)
	d.tab.data.fetch(p)
	if !p.Dots {
		p.Observed = nil
	}
}

// SetGrid sets the interval between a panel's points, in PCP's syntax; "" for as many as
// there is room for.
func (d *Dashboard) SetGrid(id int, text string) {
	tab := d.tab
	if text = strings.TrimSpace(text); text == "" {
		d.Change(id, func(s *panel.Settings) { s.Every = 0 })
		return
	}
	tab.app.work(func() func() {
		end, err := tab.Times.after(tab.Source.Start, text)
		return func() {
			switch every := end.Since(tab.Source.Start); {
			case err != nil:
				tab.app.refuse("Grid “"+text+"”", err)
			case every > 0:
				d.Change(id, func(s *panel.Settings) { s.Every = every })
			}
		}
	})
}

// DuplicatePanel adds a copy of a panel below it.
func (d *Dashboard) DuplicatePanel(id int) {
	p := d.find(id)
	if p == nil {
		return
	}
	d.tab.History.remember()
	n := d.addPanel(p.Settings)
	from, to := len(d.Panels)-1, slices.Index(d.Panels, p)+1
	copy(d.Panels[to+1:], d.Panels[to:from])
	d.Panels[to] = n
	for _, moved := range d.Panels[to:] { // the charts keep their places on the page
		moved.Rev++
	}
	d.Active = n.ID
}

// ValuesAt lists the values at a time of everything the panels draw.
func (tab *Tab) ValuesAt(t pcp.Time) []panel.CursorValue {
	var list []panel.CursorValue
	for _, p := range tab.Dashboard.Panels {
		list = append(list, panel.ValuesAt(&p.Settings, &p.View, t)...)
	}
	return list
}

// shownRev changes whenever the panels show something different.
func (d *Dashboard) shownRev() int {
	rev := 0
	for _, p := range d.Panels {
		rev += p.Rev
	}
	return rev
}

// OnScreen lists the panels that have a canvas: those of the view, and the preview of the
// editor.
func (tab *Tab) OnScreen() []*Panel {
	if p := tab.app.Editor.Preview; p != nil && tab == tab.app.current {
		return append(slices.Clone(tab.Dashboard.Panels), p)
	}
	return tab.Dashboard.Panels
}

// Lines counts the lines of the panels in sight, drawn or hidden.
func (d *Dashboard) Lines() int {
	n := 0
	for _, p := range d.Panels {
		if !p.Offscreen() {
			n += p.Count()
		}
	}
	return n
}

// find returns the panel with an ID; nil if it is gone.
func (d *Dashboard) find(id int) *Panel {
	for _, p := range d.Panels {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Showing reports whether a panel shows the metric.
func (d *Dashboard) Showing(metric string) bool {
	for _, p := range d.Panels {
		if slices.Contains(p.Metrics, metric) {
			return true
		}
	}
	return false
}

// Add shows a metric: in the active panel if the units allow it, else in a new one.
func (d *Dashboard) Add(name string) {
	m := d.tab.Metric(name)
	if m == nil {
		return
	}
	p := d.find(d.Active)
	if p == nil && len(d.Panels) > 0 {
		p = d.Panels[len(d.Panels)-1]
	}
	if p == nil || p.Title != "" || slices.Contains(p.Metrics, name) || d.family(p) != metric.Family(m, d.tab.Rates()) {
		d.AddPanel(name)
		return
	}
	d.tab.History.remember()
	d.tab.app.Layout.endComparison()
	p.change(func(s *panel.Settings) { s.Metrics = append(slices.Clone(s.Metrics), name) })
	d.Active = p.ID
	d.tab.data.fetch(p)
}

// AddPanel shows metrics in a new panel at the bottom. If a panel already shows exactly
// these, it becomes the active one instead.
func (d *Dashboard) AddPanel(metrics ...string) {
	for _, p := range d.Panels {
		if slices.Equal(p.Metrics, metrics) {
			d.Active = p.ID
			d.tab.app.Layout.endComparison()
			return
		}
	}
	d.tab.History.remember()
	d.tab.app.Layout.endComparison()
	d.Active = d.addPanel(panel.Settings{Metrics: metrics}).ID
}

func (d *Dashboard) addPanel(settings panel.Settings) *Panel {
	p := d.newPanel(settings)
	d.Panels = append(d.Panels, p)
	d.tab.data.fetch(p)
	return p
}

func (d *Dashboard) newPanel(settings panel.Settings) *Panel {
	d.tab.app.lastPanel++
	if len(settings.Metrics) > 0 && settings.Style == "" {
		if m := d.tab.Metric(settings.Metrics[0]); m != nil && metric.HasEvents(m.Type) {
			settings.Style = "event"
		}
	}
	p := &Panel{ID: d.tab.app.lastPanel}
	p.set(settings)
	return p
}

// Toggle adds a metric that is not shown, or removes one that is.
func (d *Dashboard) Toggle(metric string) {
	if !d.Showing(metric) {
		d.Add(metric)
		return
	}
	d.tab.History.remember()
	for _, p := range slices.Clone(d.Panels) {
		d.without(p, metric)
	}
}

// RemoveMetric removes a metric from a panel, and the panel itself with its last metric.
func (d *Dashboard) RemoveMetric(panel int, metric string) {
	if p := d.find(panel); p != nil {
		d.tab.History.remember()
		d.without(p, metric)
	}
}

func (d *Dashboard) without(p *Panel, metric string) {
	i := slices.Index(p.Metrics, metric)
	if i < 0 {
		return
	}
	p.change(func(s *panel.Settings) { s.Metrics = slices.Delete(slices.Clone(s.Metrics), i, i+1) })
	if len(p.Metrics) == 0 {
		d.drop(p)
		return
	}
	d.tab.data.fetch(p)
}

// RemovePanel removes a panel.
func (d *Dashboard) RemovePanel(id int) {
	if p := d.find(id); p != nil {
		d.tab.History.remember()
		d.drop(p)
	}
}

func (d *Dashboard) drop(p *Panel) {
	p.forget()
	i := slices.Index(d.Panels, p)
	d.Panels = slices.Delete(d.Panels, i, i+1)
	if d.Active == p.ID {
		d.Active = 0
		if len(d.Panels) > 0 {
			d.Active = d.Panels[min(i, len(d.Panels)-1)].ID
		}
	}
}

// MovePanel moves a panel by places, up if negative.
func (d *Dashboard) MovePanel(id, by int) {
	i := slices.IndexFunc(d.Panels, func(p *Panel) bool { return p.ID == id })
	j := i + by
	if i < 0 || j < 0 || j >= len(d.Panels) {
		return
	}
	d.tab.History.remember()
	d.Panels[i], d.Panels[j] = d.Panels[j], d.Panels[i]
	// The charts keep their places on the page: each must now draw the other's data.
	d.Panels[i].Rev++
	d.Panels[j].Rev++
}

// SetTall switches between the two heights of a panel.
func (d *Dashboard) SetTall(id int, tall bool) {
	if p := d.find(id); p != nil && p.Tall != tall {
		d.tab.History.remember()
		p.change(func(s *panel.Settings) { s.Tall = tall })
	}
}

// SoloSeries draws only one series, or all again if it is the only one already.
func (d *Dashboard) SoloSeries(id int, key string) {
	if p := d.find(id); p != nil {
		d.changeLines(p, func(s *panel.Settings) { s.ToggleSolo(key) })
	}
}

// HideSeries hides or shows a series.
func (d *Dashboard) HideSeries(id int, key string) {
	if p := d.find(id); p != nil {
		d.changeLines(p, func(s *panel.Settings) { s.ToggleLine(key) })
	}
}

// changeLines changes which lines are drawn. The total of a stack must then be requested
// again.
func (d *Dashboard) changeLines(p *Panel, change func(s *panel.Settings)) {
	d.tab.History.remember()
	p.change(change)
	if p.Stacked() && p.Reduced() != "" {
		p.Total = -1
		d.tab.data.fetch(p)
	}
}

// Activate makes a panel the one that new metrics are added to.
func (d *Dashboard) Activate(id int) { d.Active = id }

func (d *Dashboard) family(p *Panel) string {
	for _, name := range p.Metrics {
		if m := d.tab.Metric(name); m != nil {
			return metric.Family(m, d.tab.Rates())
		}
	}
	return ""
}

// SetPanels replaces all panels. Metrics that the source lacks are left out, as are panels
// without any.
func (d *Dashboard) SetPanels(panels [][]string) {
	d.tab.History.remember()
	for len(d.Panels) > 0 {
		d.drop(d.Panels[0])
	}
	for _, metrics := range panels {
		metrics = slices.DeleteFunc(slices.Clone(metrics), func(name string) bool { return d.tab.Metric(name) == nil })
		if len(metrics) > 0 {
			d.Active = d.addPanel(panel.Settings{Metrics: metrics}).ID
		}
	}
}
