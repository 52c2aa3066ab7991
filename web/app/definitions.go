package app

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/tree"
)

// Definitions are the user's derived metrics.
type Definitions struct {
	Text   string // all of them, in PCP's configuration file syntax
	reveal string // a derived metric to show once it is known
	app    *App
}

// define applies definitions to all open sources; sources opened later get them when they
// are opened. done is called under the lock with the result for the source on screen.
func (d *Definitions) define(text, file string, done func(api.Defined, error)) {
	works, current := slices.Clone(d.app.Tabs), d.app.current
	d.app.work(func() func() {
		var out api.Defined
		var failed error
		for _, tab := range works {
			got, err := rpc.Invoke(tab.ctx, d.app.Engine, rpc.Define, rpc.DefineRequest{Source: tab.Source.ID, Text: text, File: file}, nil)
			if tab == current || out.Names == nil {
				out, failed = got, err
			}
		}
		return func() {
			if len(works) == 0 {
				d.Text = strings.TrimSpace(d.Text+"\n"+text) + "\n"
			}
			done(out, failed)
			d.redefined()
		}
	})
}

// undefine removes a definition everywhere.
func (d *Definitions) undefine(name string) {
	works := slices.Clone(d.app.Tabs)
	d.app.work(func() func() {
		for _, tab := range works {
			rpc.Invoke(tab.ctx, d.app.Engine, rpc.Undefine, rpc.UndefineRequest{Source: tab.Source.ID, Name: name}, nil)
		}
		return d.redefined
	})
}

// redefined updates the page after definitions have changed: the file of all definitions,
// the trees, the panels that use them.
func (d *Definitions) redefined() {
	a := d.app
	for i, tab := range a.Tabs {
		a.work(func() func() {
			list, err := tab.listMetrics()
			config, failed := rpc.Invoke(tab.ctx, a.Engine, rpc.Config, rpc.SourceRequest{Source: tab.Source.ID}, nil)
			return func() {
				if err == nil {
					tab.renew(list)
					if d.reveal != "" && tab == a.current {
						a.Editor.ShowMetric(d.reveal)
						d.reveal = ""
					}
				}
				if failed == nil && i == 0 {
					d.Text = config
				}
			}
		})
	}
	if a.Editor.Page != "" {
		d.list()
	}
}

// applyTo applies the page's definitions to a newly opened source. It is slow work.
func (d *Definitions) applyTo(tab *Tab) {
	d.app.Loop.Lock()
	text := d.Text
	d.app.Loop.UnlockOnly()
	if text != "" {
		rpc.Invoke(tab.ctx, d.app.Engine, rpc.Define, rpc.DefineRequest{Source: tab.Source.ID, Text: text}, nil)
	}
}

// renew takes over a new list of metrics. Panels and tree stay, except for metrics whose
// definition has changed.
func (tab *Tab) renew(list metricList) {
	before := map[string]string{}
	for i := range tab.Metrics {
		if m := &tab.Metrics[i]; m.Expression != "" {
			before[m.Name] = m.Expression
		}
	}
	old := tab.Tree.Tree
	tab.setMetrics(list)
	tab.Tree.Adopt(old)
	tab.Tree.askMatching()
	if tab.Selected != "" && tab.Metric(tab.Selected) == nil {
		tab.Selected, tab.Detail = "", nil
	}
	tab.Tree.At = slices.IndexFunc(tab.Tree.Rows, func(r tree.Row) bool { return r.Metric != nil && r.Path == tab.Selected })
	changed := func(name string) bool {
		m := tab.Metric(name)
		return m == nil || before[name] != m.Expression
	}
	for name := range before {
		if changed(name) {
			delete(tab.data.cadence, name)
		}
	}
	for _, p := range tab.Dashboard.Panels {
		if slices.ContainsFunc(p.Metrics, changed) {
			tab.data.fetch(p)
		}
	}
	if tab.Selected != "" {
		tab.Select(tab.Selected)
	}
}

// Derived counts the derived metrics of the source.
func (tab *Tab) Derived() int {
	n := 0
	for i := range tab.Metrics {
		if tab.Metrics[i].Expression != "" {
			n++
		}
	}
	return n
}

// take imports the settings files among those opened. It reports whether any was
// recognised.
func (definitions *Definitions) take(list []api.Setting) {
	for _, s := range list {
		switch {
		case s.Kind == "derived":
			definitions.define(s.Text, path.Base(s.Name), func(d api.Defined, err error) { definitions.report(path.Base(s.Name), d, err) })
		case s.Kind == "rules":
			definitions.rules(s)
		default:
			definitions.importFrom(s)
		}
	}
}

// report summarises what a file or pasted text defined.
func (definitions *Definitions) report(file string, d api.Defined, err error) {
	a := definitions.app
	if err != nil {
		a.refuse(file, err)
		return
	}
	if len(a.Tabs) == 0 {
		a.refuse(file, pcp.Faultf(pcp.Unsupported, "Its derived metrics are kept, and will be defined in sources that are opened next."))
		return
	}
	note := Notice{Title: file, Faults: d.Faults}
	switch n := len(d.Names); {
	case n == 0:
		note.Text = "Nothing was defined."
	case n <= 3:
		note.Text = "Defined " + strings.Join(d.Names, ", ") + "."
	default:
		note.Text = "Defined " + format.Plural(n, "metric") + ": " + strings.Join(d.Names[:3], ", ") + " and others."
	}
	a.Notices = append(a.Notices, note)
}

// A Notice reports the result of something the user imported, until it is dismissed.
type Notice struct {
	Title, Text string
	Faults      []pcp.Fault
}

// DismissNotices removes the notices.
func (a *App) DismissNotices() { a.Notices = nil }

// list requests the list of definitions.
func (d *Definitions) list() {
	a := d.app
	tab := a.current
	if tab == nil {
		return
	}
	a.work(func() func() {
		list, err := rpc.Invoke(tab.ctx, a.Engine, rpc.Definitions, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() {
			if err != nil || a.current != tab {
				return
			}
			sorting.Stable(list, func(x, y api.Definition) int { // the user's own first
				return cmp.Compare(rank(x), rank(y))
			})
			a.Editor.List = list
		}
	})
}

func rank(d api.Definition) int {
	if d.BuiltIn {
		return 1
	}
	return 0
}
