package web

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/state"
)

var (
	_ state.Insight = engine{}
	_ state.Ruler   = engine{}
)

func (e engine) Overview(ctx context.Context, id api.SourceID, progress func(api.Progress)) (api.Overview, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Overview, rpc.SourceRequest{Source: id}, seldom(progress))
}

func (e engine) Dashboards(ctx context.Context, id api.SourceID) ([]api.DashboardInfo, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Dashboards, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Dashboard(ctx context.Context, id api.SourceID, name string) (api.Dashboard, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Dashboard, rpc.DashboardRequest{Source: id, ID: name}, nil)
}

func (e engine) Rules(ctx context.Context, id api.SourceID) ([]api.Rule, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Rules, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) SetRule(ctx context.Context, id api.SourceID, name string, value *float64) ([]api.Rule, error) {
	return rpc.Invoke(ctx, e.Client, rpc.SetRule, rpc.SetRuleRequest{Source: id, Name: name, Value: value}, nil)
}

func (e engine) Processes(ctx context.Context, q api.ProcessQuery) (api.ProcessTable, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Processes, q, nil)
}

func (e engine) Consumers(ctx context.Context, q api.ConsumerQuery) (api.Consumers, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Consumers, q, nil)
}

func (e engine) Summary(ctx context.Context, q api.SummaryQuery) ([]api.Summary, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Summary, q, nil)
}

func (e engine) Inspect(ctx context.Context, id api.SourceID) ([]pcp.Fault, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Inspect, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Compare(ctx context.Context, q api.CompareQuery) (api.Comparison, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Compare, q, nil)
}
