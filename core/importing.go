package core

import (
	"context"
	"path"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/dashboard"
)

// Import makes dashboards from a pmchart(1) view or a pmrep(1) configuration,
// resolved against a source. What cannot be imported is reported by line. The
// name is only used as a title.
func (s *Session) Import(ctx context.Context, id api.SourceID, name, text string) (api.ImportedDashboards, error) {
	src, err := s.source(id)
	if err != nil {
		return api.ImportedDashboards{}, err
	}
	name = path.Base(name)
	parse := dashboard.ParseMetricsets
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#kmchart") || strings.HasPrefix(first, "#pmchart") || strings.HasPrefix(first, "#!") {
		parse = dashboard.ParseView
	}
	im := parse(name, text).Limited().OfHost(src.about.Host)
	out := api.ImportedDashboards{Dashboards: []api.Dashboard{}, Left: []api.LeftOut{}}
	md, err := src.shown(ctx)
	if err != nil {
		return api.ImportedDashboards{}, err
	}
	for _, d := range im.Dashboards {
		out.Dashboards = append(out.Dashboards, src.apiDashboard(dashboard.Resolve(d, md)))
	}
	for _, l := range im.Left {
		out.Left = append(out.Left, api.LeftOut(l))
	}
	return out, nil
}
