package web

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
	"pcpscope/web/state"
)

var _ state.Definer = engine{}

func (e engine) Definitions(ctx context.Context, id api.SourceID) ([]api.Definition, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Definitions, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Define(ctx context.Context, id api.SourceID, text, file string) (api.Defined, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Define, rpc.DefineRequest{Source: id, Text: text, File: file}, nil)
}

func (e engine) Undefine(ctx context.Context, id api.SourceID, name string) (bool, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Undefine, rpc.UndefineRequest{Source: id, Name: name}, nil)
}

func (e engine) Config(ctx context.Context, id api.SourceID) (string, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Config, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Complete(ctx context.Context, id api.SourceID, text string, at int) (api.Completion, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Complete, rpc.CompleteRequest{Source: id, Text: text, At: at}, nil)
}

func (e engine) Describe(ctx context.Context, id api.SourceID, expression string) (api.Description, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Describe, rpc.DescribeRequest{Source: id, Expression: expression}, nil)
}
