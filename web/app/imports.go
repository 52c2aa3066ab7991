package app

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/session"
)

// importFrom shows a pmchart view or the metric sets of a pmrep configuration as
// dashboards, and reports what could not be imported.
func (d *Definitions) importFrom(s api.Setting) {
	a := d.app
	tab := a.current
	base := path.Base(s.Name)
	if tab == nil {
		a.refuse(base, pcp.Faultf(pcp.Unsupported, "Open an archive first: the dashboards in this file need one."))
		return
	}
	a.work(func() func() {
		got, err := rpc.Invoke(tab.ctx, a.Engine, rpc.Import, rpc.ImportRequest{Source: tab.Source.ID, Name: s.Name, Text: s.Text}, nil)
		return func() {
			if err != nil {
				a.refuse(base, err)
				return
			}
			d.imported(tab, base, got)
		}
	})
}

// rules shows the rules of a file of pmie's or pmieconf's, and when they were true.
func (d *Definitions) rules(s api.Setting) {
	a := d.app
	if a.current == nil || !a.current.Lanes.Available() {
		a.refuse(path.Base(s.Name), pcp.Faultf(pcp.Unsupported, "Open an archive first: the rules in this file need one."))
		return
	}
	a.current.Lanes.load(s.Name, s.Text)
}

func (definitions *Definitions) imported(tab *Tab, file string, got api.ImportedDashboards) {
	note := Notice{Title: file}
	var shown *api.Dashboard
	for i := range got.Dashboards {
		d := &got.Dashboards[i]
		if len(d.Panels) == 0 {
			note.Faults = append(note.Faults, *pcp.Faultf(pcp.UnknownMetric, "%s: none of its metrics were logged here.", d.Title))
			continue
		}
		if shown == nil {
			shown = d
		}
		tab.Dashboard.Imported = append(slices.DeleteFunc(tab.Dashboard.Imported, func(o api.Dashboard) bool { return o.ID == d.ID }), *d)
		for _, m := range d.Missing {
			note.Faults = append(note.Faults, *pcp.Faultf(pcp.UnknownMetric, "%s needs %s, not logged here.", strings.TrimSpace(m.Panel+" "+m.Series), strings.Join(m.Needs, ", ")))
		}
	}
	for _, l := range got.Left {
		where := session.Clip(l.Text) + ":"
		if l.Line > 0 {
			where = fmt.Sprintf("Line %d, %s", l.Line, where)
		}
		note.Faults = append(note.Faults, *pcp.Faultf(pcp.Unsupported, "%s %s.", where, strings.TrimSuffix(l.Why, ".")))
	}
	if n := len(note.Faults); n > 6 {
		note.Faults = append(note.Faults[:6], *pcp.Faultf(pcp.Unsupported, "And %d more.", n-6))
	}
	if shown == nil {
		note.Text = "It contains nothing that can be shown as a dashboard."
	} else {
		note.Text = fmt.Sprintf("Shown as the dashboard %s, with %s.", shown.Title, format.Plural(len(shown.Panels), "panel"))
		if len(got.Dashboards) > 1 {
			note.Text += fmt.Sprintf(" The file has %s.", format.Plural(len(got.Dashboards), "dashboard"))
		}
		tab.History.remember()
		tab.Dashboard.set(shown)
	}
	definitions.app.Notices = append(definitions.app.Notices, note)
}
