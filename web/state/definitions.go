package state

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// A Definer keeps derived metrics, and helps to write them. The page's Engine
// is one.
type Definer interface {
	Definitions(ctx context.Context, id api.SourceID) ([]api.Definition, error)
	Define(ctx context.Context, id api.SourceID, text, file string) (api.Defined, error)
	Undefine(ctx context.Context, id api.SourceID, name string) (bool, error)
	Config(ctx context.Context, id api.SourceID) (string, error)
	Complete(ctx context.Context, id api.SourceID, text string, at int) (api.Completion, error)
	Describe(ctx context.Context, id api.SourceID, expression string) (api.Description, error)
}

func (a *App) definer() Definer {
	d, _ := a.Engine.(Definer)
	return d
}

// define gives definitions to all sources that are open; those to come get
// them when they are opened. done is called under the lock with what came of
// it in the source on screen.
func (a *App) define(text, file string, done func(api.Defined, error)) {
	d := a.definer()
	if d == nil {
		return
	}
	works, current := slices.Clone(a.Works), a.current
	a.work(func() func() {
		var out api.Defined
		var failed error
		for _, w := range works {
			got, err := d.Define(w.ctx, w.Source.ID, text, file)
			if w == current || out.Names == nil {
				out, failed = got, err
			}
		}
		return func() {
			if len(works) == 0 {
				a.Definitions = strings.TrimSpace(a.Definitions+"\n"+text) + "\n"
			}
			done(out, failed)
			a.redefined()
		}
	})
}

// undefine forgets a definition everywhere.
func (a *App) undefine(name string) {
	d := a.definer()
	works := slices.Clone(a.Works)
	a.work(func() func() {
		for _, w := range works {
			d.Undefine(w.ctx, w.Source.ID, name)
		}
		return a.redefined
	})
}

// redefined brings the page up to date after definitions have changed: the
// file of them all, the trees, the panels that show one of them.
func (a *App) redefined() {
	d := a.definer()
	for i, w := range a.Works {
		a.work(func() func() {
			list, err := a.Engine.Metrics(w.ctx, w.Source.ID)
			config, failed := d.Config(w.ctx, w.Source.ID)
			return func() {
				if err == nil {
					w.renew(list)
					if a.reveal != "" && w == a.current {
						a.ShowDefinition(a.reveal)
						a.reveal = ""
					}
				}
				if failed == nil && i == 0 {
					a.Definitions = config
				}
			}
		})
	}
	if a.Derive.Page != "" {
		a.listDefinitions()
	}
}

// bringDefinitions gives a source that was just opened the definitions of the
// page. It is slow work.
func (a *App) bringDefinitions(w *Work) {
	a.Loop.Lock()
	text := a.Definitions
	a.Loop.UnlockOnly()
	if d := a.definer(); d != nil && text != "" {
		d.Define(w.ctx, w.Source.ID, text, "")
	}
}

// renew takes over a new list of metrics. Panels and tree stay as they are,
// but for what has another definition now.
func (w *Work) renew(list []api.Metric) {
	before := map[string]string{}
	for i := range w.Metrics {
		if m := &w.Metrics[i]; m.Expression != "" {
			before[m.Name] = m.Expression
		}
	}
	old := w.Tree
	w.byName = map[string]int{}
	w.setMetrics(list)
	w.Tree.keep(old)
	if w.Selected != "" && w.Metric(w.Selected) == nil {
		w.Selected, w.Detail = "", nil
	}
	w.Tree.At = slices.IndexFunc(w.Tree.Rows, func(r Row) bool { return r.Metric != nil && r.Path == w.Selected })
	changed := func(name string) bool {
		m := w.Metric(name)
		return m == nil || before[name] != m.Expression
	}
	for name := range before {
		if changed(name) {
			delete(w.cadence, name)
		}
	}
	for _, p := range w.Panels {
		if slices.ContainsFunc(p.Metrics, changed) {
			w.fetch(p)
		}
	}
	if w.Selected != "" {
		w.Select(w.Selected)
	}
}

// Derived counts the derived metrics of the source.
func (w *Work) Derived() int {
	n := 0
	for i := range w.Metrics {
		if w.Metrics[i].Expression != "" {
			n++
		}
	}
	return n
}

// settled takes over files of settings that were among those opened. It
// reports whether there was any that the page knows what to do with.
func (a *App) settled(list []api.Setting) {
	for _, s := range list {
		switch {
		case s.Kind == "derived":
			a.define(s.Text, path.Base(s.Name), func(d api.Defined, err error) { a.defined(path.Base(s.Name), d, err) })
		default:
			a.importSetting(s)
		}
	}
}

// defined says what a file or a text has defined.
func (a *App) defined(file string, d api.Defined, err error) {
	if err != nil {
		a.refuse(file, err)
		return
	}
	if len(a.Works) == 0 {
		a.refuse(file, pcp.Faultf(pcp.Unsupported, "Its derived metrics are kept, and defined in what is opened next."))
		return
	}
	note := Note{Title: file, Faults: d.Faults}
	switch n := len(d.Names); {
	case n == 0:
		note.Text = "Nothing was defined."
	case n <= 3:
		note.Text = "Defined " + strings.Join(d.Names, ", ") + "."
	default:
		note.Text = "Defined " + format.Plural(n, "metric") + ": " + strings.Join(d.Names[:3], ", ") + " and others."
	}
	a.Notes = append(a.Notes, note)
}

// A Note tells what came of something that the user gave, until it is
// dismissed.
type Note struct {
	Title, Text string
	Faults      []pcp.Fault
}

// DismissNotes puts the notes away.
func (a *App) DismissNotes() { a.Notes = nil }

// listDefinitions asks for the list of definitions.
func (a *App) listDefinitions() {
	d, w := a.definer(), a.current
	if d == nil || w == nil {
		return
	}
	a.work(func() func() {
		list, err := d.Definitions(w.ctx, w.Source.ID)
		return func() {
			if err != nil || a.current != w {
				return
			}
			sorting.Stable(list, func(x, y api.Definition) int { // the user's own first
				return cmp.Compare(rank(x), rank(y))
			})
			a.Derive.List = list
		}
	})
}

func rank(d api.Definition) int {
	if d.BuiltIn {
		return 1
	}
	return 0
}
