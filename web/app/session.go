package app

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/session"
	"pcpscope/web/timeline"
)

// Session returns what to save of the page: everything shown now.
func (a *App) Session() *session.Session { return a.sessionOf(a.Tabs) }

// sessionOf does so for some of the sources.
func (a *App) sessionOf(tabs []*Tab) *session.Session {
	list, shown := []session.Source{}, 0
	for i, tab := range tabs {
		if tab == a.current {
			shown = i
		}
		list = append(list, keep(tab))
	}
	s := session.New(list, shown, session.Layout{Tab: a.Layout.Rail, Tables: a.Layout.Tables, Columns: a.Layout.Columns, Drawer: a.Layout.Drawer, Views: a.Layout.Views})
	s.Derived = a.Definitions.Text
	return s
}

// keep returns how a source is being viewed.
func keep(tab *Tab) session.Source {
	a := tab.app
	k := session.Source{Fingerprint: tab.Source.Fingerprint, Kind: tab.Source.Kind, Name: tab.Source.Name, Host: tab.Source.Host, Files: []string{},
		Start: tab.Source.Start, End: tab.Source.End, Zone: tab.Clock.Name, From: tab.Window.Start, To: tab.Window.End, Panels: []panel.Settings{}, Only: tab.Dashboard.Only, Selected: tab.Selected, Notes: tab.Notes, Rules: tab.Rules.kept(), RuleText: tab.Lanes.kept()}
	for _, m := range tab.Source.Members {
		k.Files = append(k.Files, path.Base(m))
	}
	known := tab.Dashboard.known()
	if known != nil {
		k.Dashboard = known.ID
	} else if tab.Dashboard.Shown != nil {
		k.Heading = tab.Dashboard.Shown.Title
	}
	if tab.Times.Zone != "" {
		k.Clock = tab.Clock.Name // elsewhere, "mine" would be a different zone
	}
	switch {
	case tab != a.current:
	case a.Cursor.On:
		k.Cursor = a.Cursor.At
	case tab.Drawer.pinned && a.Layout.Drawer != "":
		k.Cursor = tab.Drawer.at
	}
	k.Compare, k.Days = tab.Compare.keep(), tab.Days.keep()
	for i, p := range tab.Dashboard.Panels {
		k.Panels = append(k.Panels, p.Saved(known))
		if p.ID == tab.Dashboard.Active {
			k.Active = i
		}
	}
	return k
}

// Restore restores a session: immediately for sources that are open, and for the others
// once their files are opened.
func (a *App) Restore(s *session.Session) {
	a.Pending = s
	a.Layout.restore(s.Layout)
	if s.Derived != "" {
		if len(a.Tabs) == 0 {
			a.Definitions.Text = s.Derived
		} else {
			a.Definitions.define(s.Derived, "session", func(api.Defined, error) {})
		}
	}
	for _, tab := range a.Tabs {
		if k, exact := s.Match(tab.Source, true); exact {
			tab.History.remember()
			if k == &s.Sources[s.Shown] {
				a.Show(tab.Source.ID)
			}
			restoreTab(tab, k, true)
		}
	}
	a.wantMore()
}

// resume restores the view of a newly opened source from the session. It reports whether
// the session had one.
func (a *App) resume(tab *Tab) bool {
	if a.Pending == nil {
		return false
	}
	k, exact := a.Pending.Match(tab.Source, false)
	if k == nil {
		return false
	}
	exact = exact || k.Completed
	if i := a.Pending.Shown; i < len(a.Pending.Sources) && &a.Pending.Sources[i] == k {
		a.Show(tab.Source.ID)
	}
	restoreTab(tab, k, exact)
	a.wantMore()
	return true
}

// Missing lists the sources that a session or link needs and that are not open.
func (a *App) Missing() []session.Source { return a.Pending.Missing() }

// wantMore drops the session once all of its sources are open.
func (a *App) wantMore() {
	if len(a.Missing()) == 0 {
		a.Pending = nil
	}
}

// DropPending drops the session whose sources are missing.
func (a *App) DropPending() { a.Pending = nil }

// restoreTab restores a view of a source, after requesting its dashboard. If the files are
// different, it reports the differences.
func restoreTab(tab *Tab, k *session.Source, exact bool) {
	if k.Dashboard == "" {
		showSaved(tab, k, exact, nil)
		return
	}
	tab.resuming = true
	tab.app.work(func() func() {
		d, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: k.Dashboard}, nil)
		return func() {
			tab.resuming = false
			if err != nil {
				tab.app.failed(err)
				showSaved(tab, k, exact, nil)
				return
			}
			showSaved(tab, k, exact, &d)
		}
	})
}

func showSaved(tab *Tab, k *session.Source, exact bool, dashboard *api.Dashboard) {
	var differs []string
	if !exact {
		differs = append(differs, otherFiles(tab, k))
	}
	if k.Clock != "" {
		zone := k.Clock
		if zone == tab.app.Page.LocalZone {
			zone = "mine"
		}
		if !tab.Times.SetZone(zone) {
			differs = append(differs, "this browser does not know the time zone "+session.Clip(k.Clock))
		}
	}
	whole := tab.Whole()
	tab.Window = timeline.Window{Start: k.From, End: k.To}.Within(whole)
	if tab.Window.Len() <= 0 {
		if k.Kind != "mmv" {
			differs = append(differs, "its window, "+tab.Clock.Dated(k.From, k.To)+", is outside the span, so the whole span is shown")
		}
		tab.Window = whole
	}
	missing := restorePanels(tab, k, dashboard)
	if tab == tab.app.current && k.Cursor >= tab.Window.Start && k.Cursor <= tab.Window.End && k.Cursor != 0 {
		tab.app.Cursor.Set(k.Cursor)
	}
	tab.Compare.restore(k.Compare)
	tab.Days.restore(k.Days)
	tab.Notes = k.Notes
	tab.NotesRev++
	tab.Rules.restore(k.Rules)
	if k.RuleText != "" {
		tab.Lanes.Text, tab.Lanes.File = k.RuleText, ""
	}
	if tab.Metric(k.Selected) != nil {
		tab.Select(k.Selected)
	}
	if len(missing) > 0 {
		n := len(missing)
		if n > 5 {
			missing = append(missing[:5], fmt.Sprintf("%d more", n-5))
		}
		differs = append(differs, "not logged here: "+strings.Join(missing, ", "))
	}
	tab.app.windowChanged()
	if len(differs) > 0 {
		text := strings.Join(differs, "; ")
		tab.app.Notices = append(tab.app.Notices, Notice{Title: "Not exactly what was saved:", Text: text + "."})
	}
}

// otherFiles says how the files of the tab differ from those of a saved view.
func otherFiles(tab *Tab, k *session.Source) string {
	title, _ := k.Describe(nil)
	is := tab.Source.Name
	if tab.Source.Host != "" {
		is += " of " + tab.Source.Host
	}
	if title != is {
		return "it was made with " + title + ", this is " + is
	}
	return "the files of " + title + " are not the same"
}

// restorePanels replaces the panels of the tab by those of a saved view. It
// returns what they have that is not here, sorted.
func restorePanels(tab *Tab, k *session.Source, dashboard *api.Dashboard) []string {
	for _, p := range tab.Dashboard.Panels {
		p.forget()
	}
	tab.Dashboard.Panels, tab.Dashboard.Active, tab.Dashboard.Shown, tab.Dashboard.Only = nil, 0, dashboard, session.Clip(k.Only)
	missing := map[string]bool{}
	for i, kp := range k.Panels {
		p, ok := kp.Restored(dashboard)
		if !ok {
			missing["the panel “"+session.Clip(kp.Part)+"”"] = true
			continue
		}
		var have []string
		var lines []panel.LineStyle
		for j, name := range p.Metrics {
			if metric.IsName(name) && tab.Metric(name) == nil {
				missing[name] = true
				continue
			}
			have = append(have, name)
			if j < len(p.Lines) {
				lines = append(lines, p.Lines[j])
			}
		}
		p.Metrics, p.Lines = have, lines
		if !p.Breakdown.Valid() {
			p.Breakdown = nil
		}
		if len(p.Metrics) == 0 && p.Breakdown == nil {
			continue
		}
		made := tab.Dashboard.addPanel(p)
		if i == k.Active || tab.Dashboard.Active == 0 {
			tab.Dashboard.Active = made.ID
		}
	}
	if dashboard == nil && k.Heading != "" {
		tab.Dashboard.Shown = &api.Dashboard{Title: session.Clip(k.Heading), Group: "Imported"}
	}
	return slices.Sorted(maps.Keys(missing))
}
