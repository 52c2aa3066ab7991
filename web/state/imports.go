package state

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// An Importer makes dashboards of files of pmchart and pmrep. The page's
// Engine is one.
type Importer interface {
	Import(ctx context.Context, id api.SourceID, name, text string) (api.ImportedDashboards, error)
}

// importSetting shows a view of pmchart or the metric sets of a pmrep
// configuration as dashboards, and tells what could not be taken over.
func (a *App) importSetting(s api.Setting) {
	e, ok := a.Engine.(Importer)
	w := a.current
	base := path.Base(s.Name)
	if !ok || w == nil {
		a.refuse(base, pcp.Faultf(pcp.Unsupported, "Open an archive first; then this file shows its dashboards for it."))
		return
	}
	a.work(func() func() {
		got, err := e.Import(w.ctx, w.Source.ID, s.Name, s.Text)
		return func() {
			if err != nil {
				a.refuse(base, err)
				return
			}
			a.imported(w, base, got)
		}
	})
}

func (a *App) imported(w *Work, file string, got api.ImportedDashboards) {
	note := Note{Title: file}
	var shown *api.Dashboard
	for i := range got.Dashboards {
		d := &got.Dashboards[i]
		if len(d.Panels) == 0 {
			note.Faults = append(note.Faults, *pcp.Faultf(pcp.UnknownMetric, "%s: nothing of it was logged here.", d.Title))
			continue
		}
		if shown == nil {
			shown = d
		}
		w.Imported = append(slices.DeleteFunc(w.Imported, func(o api.Dashboard) bool { return o.ID == d.ID }), *d)
		for _, m := range d.Missing {
			note.Faults = append(note.Faults, *pcp.Faultf(pcp.UnknownMetric, "%s needs %s, not logged here.", strings.TrimSpace(m.Panel+" "+m.Series), strings.Join(m.Needs, ", ")))
		}
	}
	for _, l := range got.Left {
		note.Faults = append(note.Faults, *pcp.Faultf(pcp.Unsupported, "Line %d, %s: %s.", l.Line, clip(l.Text), strings.TrimSuffix(l.Why, ".")))
	}
	if n := len(note.Faults); n > 6 {
		note.Faults = append(note.Faults[:6], *pcp.Faultf(pcp.Unsupported, "And %d more.", n-6))
	}
	if shown == nil {
		note.Text = "No dashboard could be made of it."
	} else {
		note.Text = fmt.Sprintf("Shown as the dashboard %s, with %s.", shown.Title, format.Plural(len(shown.Panels), "panel"))
		if len(got.Dashboards) > 1 {
			note.Text += fmt.Sprintf(" It has %s.", format.Plural(len(got.Dashboards), "dashboard"))
		}
		w.remember()
		w.setBoard(shown)
	}
	a.Notes = append(a.Notes, note)
}

// ShowImported shows an imported dashboard. It reports whether there is one
// with the ID.
func (w *Work) ShowImported(id string) bool {
	for i := range w.Imported {
		if w.Imported[i].ID == id {
			w.remember()
			w.setBoard(&w.Imported[i])
			return true
		}
	}
	return false
}
