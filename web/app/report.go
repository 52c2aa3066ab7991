package app

import (
	"context"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/export"
)

// SaveReport saves what is known of the source, for people who have neither
// the archive nor this page: a text in Markdown.
func (s *Share) SaveReport() {
	a := s.app
	tab := a.current
	if tab == nil || a.Page.Save == nil {
		return
	}
	a.work(func() func() {
		rules, _ := rpc.Invoke(context.WithoutCancel(tab.ctx), a.Engine, rpc.Rules, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() {
			a.Page.Save("pcpscope-"+export.SafeName(tab.Title())+"-report.md", "text/markdown", tab.report(rules).Markdown())
		}
	})
}

// SaveReport saves the report with the same texts replaced as in the archive.
// What it compares with is left out: that may be another source.
func (s *Saving) SaveReport() {
	s.document(func(tab *Tab, rules []api.Rule) ([]string, func(replaced map[string]string) (name, kind, text string)) {
		r := tab.report(rules)
		r.Compare, r.Fingerprint = nil, ""
		return append(r.Texts(), tab.Title()), func(replaced map[string]string) (name, kind, text string) {
			r.Replace = func(text string) string { return replaced[text] }
			return "pcpscope-" + export.SafeName(replaced[tab.Title()]) + "-report.md", "text/markdown", r.Markdown()
		}
	})
}

// SaveSession saves the session file of this source, with the same texts
// replaced as in the archive.
func (s *Saving) SaveSession() {
	s.document(func(tab *Tab, _ []api.Rule) ([]string, func(replaced map[string]string) (name, kind, text string)) {
		kept := s.app.sessionOf([]*Tab{tab})
		kept.Sources[0].Fingerprint, kept.Sources[0].Compare = "", nil
		text := kept.Text()
		return []string{text, tab.Title()}, func(replaced map[string]string) (name, kind, out string) {
			return "pcpscope-" + export.SafeName(replaced[tab.Title()]) + ".json", "application/json", replaced[text]
		}
	})
}

// document has texts of a document replaced, and saves what is made of them.
func (s *Saving) document(of func(tab *Tab, rules []api.Rule) (texts []string, made func(replaced map[string]string) (name, kind, text string))) {
	tab := s.app.current
	if tab == nil || s.app.Page.Save == nil || !s.Redact || s.Table == nil {
		return
	}
	q := s.query()
	q.Start, q.End, q.Every, q.Metrics = nil, nil, nil, nil // what is known of all of it
	s.Fault = ""
	s.app.work(func() func() {
		rules, _ := rpc.Invoke(context.WithoutCancel(tab.ctx), s.app.Engine, rpc.Rules, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		var texts []string
		var made func(map[string]string) (name, kind, text string)
		s.app.Loop.Lock()
		texts, made = of(tab, rules)
		s.app.Loop.UnlockOnly()
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

// report is all that is known of the source.
func (tab *Tab) report(rules []api.Rule) *export.Report {
	r := &export.Report{Version: tab.app.Version, Title: tab.Title(), Subtitle: tab.Subtitle(), Facts: tab.Facts(), Fingerprint: tab.Source.Fingerprint, Missing: strings.TrimSpace(tab.Findings.MissingTitle() + " " + tab.Findings.MissingText()), Problems: tab.Findings.Problems(),
		Overview: tab.Findings.Overview, Notes: tab.Notes, Utilisation: tab.utilisation, Rules: rules, Clock: tab.Clock}
	if tab.app.Layout.Comparing {
		r.Compare = &tab.Compare.State
	}
	return r
}
