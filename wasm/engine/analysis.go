package engine

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
)

// onAnalysis registers the calls that analyse a source.
func (s *Server) onAnalysis() {
	session := s.session
	on(s, rpc.Overview, func(ctx context.Context, q rpc.SourceRequest, p progress) (api.Overview, error) {
		return session.Overview(ctx, q.Source, p)
	})
	on(s, rpc.Findings, func(ctx context.Context, q rpc.SourceRequest, p progress) ([]api.Finding, error) {
		return session.Findings(ctx, q.Source, p)
	})
	on(s, rpc.Rules, func(_ context.Context, q rpc.SourceRequest, _ progress) ([]api.Rule, error) {
		return session.Rules(q.Source)
	})
	on(s, rpc.SetRule, func(_ context.Context, q rpc.SetRuleRequest, _ progress) ([]api.Rule, error) {
		return session.SetRule(q.Source, q.Name, q.Value)
	})
	on(s, rpc.Dashboards, func(ctx context.Context, q rpc.SourceRequest, _ progress) ([]api.DashboardInfo, error) {
		return session.Dashboards(ctx, q.Source)
	})
	on(s, rpc.Dashboard, func(ctx context.Context, q rpc.DashboardRequest, _ progress) (api.Dashboard, error) {
		return session.Dashboard(ctx, q.Source, q.ID)
	})
	on(s, rpc.Import, func(ctx context.Context, q rpc.ImportRequest, _ progress) (api.ImportedDashboards, error) {
		return session.Import(ctx, q.Source, q.Name, q.Text)
	})
	on(s, rpc.Processes, func(ctx context.Context, q api.ProcessQuery, p progress) (api.ProcessTable, error) {
		return session.Processes(ctx, q, p)
	})
	on(s, rpc.Consumers, func(ctx context.Context, q api.ConsumerQuery, p progress) (api.Consumers, error) {
		return session.Consumers(ctx, q, p)
	})
	on(s, rpc.Days, func(ctx context.Context, q api.DaysQuery, p progress) (api.Days, error) {
		return session.Days(ctx, q, p)
	})
	on(s, rpc.UnusualDays, func(ctx context.Context, q api.UnusualQuery, p progress) ([]api.UnusualDay, error) {
		return session.UnusualDays(ctx, q, p)
	})
	on(s, rpc.Explain, func(ctx context.Context, q api.ExplainQuery, p progress) (api.Explanation, error) {
		return session.Explain(ctx, q, p)
	})
	on(s, rpc.Story, func(ctx context.Context, q api.StoryQuery, p progress) (api.Story, error) {
		return session.Story(ctx, q, p)
	})
	on(s, rpc.Moves, func(ctx context.Context, q api.MovesQuery, p progress) (api.Moves, error) {
		return session.Moves(ctx, q, p)
	})
	on(s, rpc.Compare, func(ctx context.Context, q api.CompareQuery, p progress) (api.Comparison, error) {
		return session.Compare(ctx, q, p)
	})
}
