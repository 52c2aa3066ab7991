package core

import (
	"context"

	"pcpscope/core/api"
)

type source struct {
	id api.SourceID
}

func (src *source) describe() api.Source { return api.Source{ID: src.id} }
func (src *source) stop()                {}
func (src *source) wait(ctx context.Context, progress func(api.Progress)) error {
	return nil
}
