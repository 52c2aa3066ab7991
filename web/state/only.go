package state

import (
	"slices"
	"strings"

	"pcpscope/web/format"
)

// ShowOnly draws one instance alone in every panel that has it, of whatever
// dashboard, until all are wanted again: "". Other panels stay as they are.
func (w *Work) ShowOnly(instance string) {
	if instance == w.Only {
		return
	}
	w.remember()
	w.Only = instance
	w.refresh()
}

// alone says whether the panel has lines of an instance that alone is to be
// drawn, and of others.
func (p *Panel) alone(instance string) bool {
	named := func(s Series) bool { return s.Instance == instance }
	other := func(s Series) bool { return s.Instance != instance && s.Instance != "" }
	return instance != "" && slices.ContainsFunc(p.Series, named) && slices.ContainsFunc(p.Series, other)
}

// onlyCommands offer to draw instances alone that were searched for by their
// names, and to draw all again.
func (w *Work) onlyCommands(m *menu) {
	if w.Only != "" {
		m.add("all", "Show all beside "+w.CalledAs(w.Only)+" in every panel again", "", func() { w.ShowOnly("") })
	}
	if w.app.Search.For == "" {
		return
	}
	names := w.calledSo(w.app.Search.For)
	if len(names) == 0 {
		return
	}
	found := map[string][]string{} // metrics by instance
	see := func(instance, metric string) {
		if slices.Contains(names, instance) {
			found[instance] = append(found[instance], metric)
		}
	}
	for i := range w.app.Search.Hits {
		if h := &w.app.Search.Hits[i]; h.Instance != nil {
			see(h.Instance.Name, h.Metric)
		}
	}
	for _, p := range w.Panels { // of many hits not all are there
		for _, list := range [][]Series{p.Series, p.Left} {
			for i := range list {
				see(list[i].Instance, list[i].Metric)
			}
		}
	}
	for _, name := range names {
		if !w.accompanied(name, found[name]) {
			continue // nothing would change
		}
		m.add("only", "Show only "+w.CalledAs(name)+" in every panel", "", func() { w.ShowOnly(name) })
		n := 0
		for _, p := range w.Panels {
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

// CalledAs is what people call an instance, as far as panels and the search know.
func (w *Work) CalledAs(instance string) string {
	if instance == "" {
		return ""
	}
	for _, p := range w.Panels {
		if called := p.CalledAs(instance); called != instance {
			return called
		}
	}
	for i := range w.app.Search.Hits {
		if h := &w.app.Search.Hits[i]; h.Instance != nil && h.Instance.Name == instance && h.Title != "" {
			return h.Title
		}
	}
	return instance
}

// CalledAs is what people call an instance, as far as the panel knows.
func (p *Panel) CalledAs(instance string) string {
	for _, list := range [][]Series{p.Series, p.Left} {
		for i := range list {
			if s := &list[i]; s.Instance == instance && s.Called != "" {
				return s.Called
			}
		}
	}
	return instance
}

// calledSo are the instances that are called as a text says, whatever its
// case. The panels may have tens of thousands of series, most of them with the
// same instances: these are looked through once for each letter that is typed.
func (w *Work) calledSo(text string) []string {
	var names []string
	see := func(instance, title string) {
		if instance != "" && instance != w.Only && (strings.EqualFold(instance, text) || title != instance && strings.EqualFold(title, text)) && !slices.Contains(names, instance) {
			names = append(names, instance)
		}
	}
	for i := range w.app.Search.Hits {
		if h := &w.app.Search.Hits[i]; h.Instance != nil {
			see(h.Instance.Name, h.Title)
		}
	}
	for _, list := range w.instances {
		for i := range list {
			see(list[i].Name, list[i].Title)
		}
	}
	for _, p := range w.Panels {
		for i := range p.Series { // sums of processes by their commands are in no instance domain
			see(p.Series[i].Instance, p.Series[i].Called)
		}
	}
	return names
}

// accompanied says whether an instance of these metrics has others beside it.
func (w *Work) accompanied(instance string, metrics []string) bool {
	return slices.ContainsFunc(w.Panels, func(p *Panel) bool { return p.alone(instance) }) || slices.ContainsFunc(metrics, func(name string) bool {
		m := w.Metric(name)
		return m != nil && m.InDom != nil && len(w.instances[*m.InDom]) > 1
	})
}

// mentions says whether an expression has one of these metrics.
func mentions(expression string, metrics []string) bool {
	return slices.ContainsFunc(named().FindAllString(expression, -1), func(name string) bool { return slices.Contains(metrics, name) })
}
