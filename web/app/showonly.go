package app

import (
	"slices"
	"strings"

	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
)

// ShowOnly draws only one instance in every panel that has it, on any dashboard, until
// reset with "". Other panels are unchanged.
func (d *Dashboard) ShowOnly(instance string) {
	if instance == d.Only {
		return
	}
	d.tab.History.remember()
	d.Only = instance
	d.tab.data.refresh()
}

// only adds commands that isolate instances found by name, and one to draw all again.
func (m *menu) only(tab *Tab) {
	if tab.Dashboard.Only != "" {
		m.add("all", "Show all beside "+tab.DisplayName(tab.Dashboard.Only)+" in every panel again", "", func() { tab.Dashboard.ShowOnly("") })
	}
	if tab.app.Search.For == "" {
		return
	}
	names := instancesNamed(tab, tab.app.Search.For)
	if len(names) == 0 {
		return
	}
	found := map[string][]string{} // metrics by instance
	see := func(instance, metric string) {
		if slices.Contains(names, instance) {
			found[instance] = append(found[instance], metric)
		}
	}
	for i := range tab.app.Search.Hits {
		if h := &tab.app.Search.Hits[i]; h.Instance != nil {
			see(h.Instance.Name, h.Metric)
		}
	}
	for _, p := range tab.Dashboard.Panels { // of many hits, only some are listed
		for _, list := range [][]panel.Series{p.Series, p.Left} {
			for i := range list {
				see(list[i].Instance, list[i].Metric)
			}
		}
	}
	for _, name := range names {
		if !hasOthers(tab, name, found[name]) {
			continue // would change nothing
		}
		m.add("only", "Show only "+tab.DisplayName(name)+" in every panel", "", func() { tab.Dashboard.ShowOnly(name) })
		n := 0
		for _, p := range tab.Dashboard.Panels {
			if slices.ContainsFunc(p.Metrics, func(expression string) bool {
				return slices.Contains(found[name], expression) || mentions(expression, found[name])
			}) {
				n++
			}
		}
		sub := "no panel here has it; those of other dashboards may"
		if n > 0 {
			sub = format.Plural(n, "panel") + " here, until all are wanted again"
		}
		(*m)[len(*m)-1].Sub = sub
	}
}

// instancesNamed returns the instances whose display name equals the text, ignoring case. Panels
// may have tens of thousands of series, mostly of the same instances: these are scanned
// once per typed letter.
func instancesNamed(tab *Tab, text string) []string {
	var names []string
	see := func(instance, title string) {
		if instance != "" && instance != tab.Dashboard.Only && (strings.EqualFold(instance, text) || title != instance && strings.EqualFold(title, text)) && !slices.Contains(names, instance) {
			names = append(names, instance)
		}
	}
	for i := range tab.app.Search.Hits {
		if h := &tab.app.Search.Hits[i]; h.Instance != nil {
			see(h.Instance.Name, h.Title)
		}
	}
	for _, list := range tab.data.instances {
		for i := range list {
			see(list[i].Name, list[i].Title)
		}
	}
	for _, p := range tab.Dashboard.Panels {
		for i := range p.Series { // sums of processes by command are in no instance domain
			see(p.Series[i].Instance, p.Series[i].Called)
		}
	}
	return names
}

// hasOthers reports whether the metrics have other instances than this one.
func hasOthers(tab *Tab, instance string, metrics []string) bool {
	return slices.ContainsFunc(tab.Dashboard.Panels, func(p *Panel) bool { return p.HasOthers(instance) }) || slices.ContainsFunc(metrics, func(name string) bool {
		m := tab.Metric(name)
		return m != nil && m.InDom != nil && len(tab.data.instances[*m.InDom]) > 1
	})
}

// mentions reports whether an expression uses one of these metrics.
func mentions(expression string, metrics []string) bool {
	return slices.ContainsFunc(metric.NamesIn(expression), func(name string) bool { return slices.Contains(metrics, name) })
}
