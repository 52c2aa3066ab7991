package state

import (
	"context"

	"pcpscope/core/api"
)

// An Engine answers questions about sources. Calls block; errors are
// *pcp.Fault.
type Engine interface {
	Open(ctx context.Context, files []File, progress func(api.Progress)) (api.Opened, error)
	Loaded(ctx context.Context, id api.SourceID, progress func(api.Progress)) (api.Source, error)
	Sources(ctx context.Context) ([]api.Source, error)
	Files(ctx context.Context, id api.SourceID) ([]api.SourceFile, error)
	Halt(ctx context.Context, id api.SourceID) (api.Source, error)
	Close(ctx context.Context, id api.SourceID) error
	Metrics(ctx context.Context, id api.SourceID) ([]api.Metric, error)
	Instances(ctx context.Context, id api.SourceID, indom string) ([]api.Instance, error)
	Fetch(ctx context.Context, q api.Query, progress func(api.Progress)) (*api.Frame, error)
	Search(ctx context.Context, id api.SourceID, text string, limit int) ([]api.Hit, error)
	Activity(ctx context.Context, id api.SourceID) ([]api.Activity, error)
	Sparklines(ctx context.Context, id api.SourceID, names []string, points int) ([]api.Sparkline, error)
}

// A File is a file as it was dropped or chosen.
type File struct {
	Name string // path below what was given, with "/"
	Size int64
	Data any // for the engine alone
}

// A Loop guards the state. It is Vugu's event environment on the page.
type Loop interface {
	Lock()
	UnlockOnly()
	UnlockRender() // and draw
}
