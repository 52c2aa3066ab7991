package app

import (
	"context"

	"pcpscope/core/api"
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

// report is all that is known of the source.
func (tab *Tab) report(rules []api.Rule) *export.Report {
	r := &export.Report{Version: tab.app.Version, Title: tab.Title(), Subtitle: tab.Subtitle(), Facts: tab.Facts(), Fingerprint: tab.Source.Fingerprint, Problems: tab.Findings.Problems(),
		Overview: tab.Findings.Overview, Notes: tab.Notes, Utilisation: tab.utilisation, Rules: rules, Clock: tab.Clock}
	if tab.app.Layout.Comparing {
		r.Compare = &tab.Compare.State
	}
	return r
}
