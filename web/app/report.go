package app

import (
	"path"
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/export"
	"pcpscope/web/format"
	"pcpscope/web/panel"
	"pcpscope/web/report"
)

// SaveReport saves a report on the source, for people who have neither the archive nor
// this page, as Markdown text.
func (s *Share) SaveReport() {
	a := s.app
	tab := a.current
	if tab == nil || a.Page.Save == nil {
		return
	}
	tab.Reports.Text(func(r *report.Report) {
		a.Page.Save(reportName(tab.Title(), "md"), "text/markdown", r.Text(true))
	})
}

// SavePage saves the same with the charts of all panels of the view, including those never
// scrolled to, as one HTML file.
func (s *Share) SavePage() {
	a := s.app
	tab := a.current
	if tab == nil || a.Page.Save == nil {
		return
	}
	tab.Reports.Page(func(r *report.Report) {
		a.Page.Save(reportName(tab.Title(), "html"), "text/html", r.HTML())
	})
}

// Print makes the browser print what SavePage saves.
func (s *Share) Print() {
	a := s.app
	if tab := a.current; tab != nil && a.Page.Print != nil {
		s.Open, a.Layout.Menu = false, ""
		tab.Reports.Page(func(*report.Report) { a.Page.Print() })
	}
}

// Printed is what the browser prints for the source on screen: everything known now, since
// printing does not wait. It is "" if nothing is open.
func (s *Share) Printed() string {
	if s.app.current == nil {
		return ""
	}
	return s.app.current.Reports.paged().Body()
}

func reportName(title, ending string) string {
	return "pcpscope-" + export.SafeName(title) + "-report." + ending
}

// Reports makes reports on a source.
type Reports struct{ tab *Tab }

// Page calls back with the report and all panels of the view, once these have their
// values.
func (r *Reports) Page(then func(*report.Report)) {
	r.tab.data.complete(r.tab.Dashboard.Panels, func() {
		r.loadRules(func() { then(r.paged()) })
	})
}

// Text calls back with the report without the panels.
func (r *Reports) Text(then func(*report.Report)) {
	r.loadRules(func() { then(r.known()) })
}

// loadRules requests the rules, if necessary, and then calls back.
func (r *Reports) loadRules(then func()) {
	tab := r.tab
	if tab.Rules.List != nil {
		then()
		return
	}
	tab.app.work(func() func() {
		list, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Rules, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() {
			if err == nil {
				tab.Rules.List = list
			}
			then()
		}
	})
}

// Complete fetches one panel of the view that was never on screen. It reports whether
// there was one: an idle page calls it repeatedly, so that the whole view can be printed
// at once.
func (s *Share) Complete() bool {
	tab := s.app.current
	if tab == nil || tab.Source.Loaded < 1 || tab.Follow.On || s.app.Layout.Comparing {
		return false
	}
	for _, p := range tab.Dashboard.Panels {
		if p.stale && !p.Loading {
			tab.data.complete([]*Panel{p}, func() {})
			return true
		}
	}
	return false
}

// SaveReport saves the report with the same replacements as the archive: as HTML or, with
// html false, as text. The comparison is left out: it may involve another source.
func (s *Saving) SaveReport(html bool) {
	tab := s.app.current
	if tab == nil {
		return
	}
	tab.Reports.Page(func(*report.Report) {
		s.document(func(tab *Tab) ([]string, func(replaced map[string]string) (name, kind, text string)) {
			r := tab.Reports.paged()
			r.Compare, r.Fingerprint = nil, ""
			return append(r.Texts(), tab.Title()), func(replaced map[string]string) (name, kind, text string) {
				r.Replace = func(text string) string { return replaced[text] }
				if html {
					return reportName(replaced[tab.Title()], "html"), "text/html", r.HTML()
				}
				return reportName(replaced[tab.Title()], "md"), "text/markdown", r.Text(true)
			}
		})
	})
}

// SaveSession saves the session file of this source with the same replacements as the
// archive.
func (s *Saving) SaveSession() {
	s.document(func(tab *Tab) ([]string, func(replaced map[string]string) (name, kind, text string)) {
		kept := s.app.sessionOf([]*Tab{tab})
		kept.Sources[0].Fingerprint, kept.Sources[0].Compare = "", nil
		text := kept.Text()
		return []string{text, tab.Title()}, func(replaced map[string]string) (name, kind, out string) {
			return "pcpscope-" + export.SafeName(replaced[tab.Title()]) + ".json", "application/json", replaced[text]
		}
	})
}

// document applies the replacements to the text of a document, and saves the result.
func (s *Saving) document(of func(tab *Tab) (texts []string, made func(replaced map[string]string) (name, kind, text string))) {
	tab := s.app.current
	if tab == nil || s.app.Page.Save == nil || !s.Redact || s.Table == nil {
		return
	}
	q := s.query()
	q.Start, q.End, q.Every, q.Metrics = nil, nil, nil, nil // for the whole source
	s.Fault = ""
	texts, made := of(tab)
	s.app.work(func() func() {
		out, err := rpc.Invoke(tab.ctx, s.app.Engine, rpc.RedactText, rpc.RedactTextRequest{Query: q, Texts: texts}, nil)
		return func() {
			if err != nil {
				s.app.failed(err)
				s.Fault = pcp.AsFault(err).Message
				return
			}
			replaced := map[string]string{}
			for i, text := range texts {
				replaced[text] = out[i]
			}
			s.app.Page.Save(made(replaced))
		}
	})
}

// known collects what is known about the source.
func (reports *Reports) known() *report.Report {
	tab := reports.tab
	f := &tab.Findings
	r := &report.Report{Version: tab.app.Version, Title: tab.Title(), Subtitle: tab.Subtitle(), Source: tab.Source.Name, Bytes: tab.Source.Bytes, Window: tab.Window, Whole: tab.Whole(),
		Facts: tab.Facts(), Fingerprint: tab.Source.Fingerprint, Missing: strings.Join(strings.Fields(f.MissingTitle()+" "+f.MissingText()+" "+f.RestartsText()), " "), Problems: f.Problems(), Overview: f.Overview,
		Notes: tab.Notes, Utilisation: tab.utilisation, Rules: tab.Rules.List, Clock: tab.Clock}
	for _, m := range tab.Source.Members { // file paths are private
		r.Files = append(r.Files, path.Base(m))
	}
	if part := tab.Source.Loaded; part < 1 {
		r.Missing = strings.TrimSpace(format.Percent(part) + " of the source had been read when this was written. " + r.Missing)
	}
	if tab.app.Layout.Comparing {
		r.Compare = &tab.Compare.State
	}
	return r
}

// paged adds the panels of the view.
func (reports *Reports) paged() *report.Report {
	tab, r := reports.tab, reports.known()
	if tab.Dashboard.Shown != nil {
		r.View = tab.Dashboard.Shown.Title
	}
	for _, b := range tab.Breaks() {
		r.Breaks = append(r.Breaks, report.Break{Start: b.Start, End: b.End, Label: b.Label})
	}
	if d := &tab.Days; d.Visible() && len(d.Result.Days) > 0 && slices.ContainsFunc(d.Measures(), func(m Measure) bool { return m == d.Measure }) {
		r.Days = &report.Days{Name: d.Measure.Name, Shown: d.Shown, Highest: d.Highest, Result: &d.Result, Unusual: d.Unusual}
	}
	if tab.app.Layout.Comparing {
		return r
	}
	for _, p := range tab.Dashboard.Panels {
		view := &p.View
		if p.stale || p.Loading {
			view = &panel.View{} // its data is of another window
		}
		r.Panels = append(r.Panels, report.Panel{Settings: &p.Settings, View: view})
	}
	return r
}
