package state

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// An Inspector looks for all that pmlogcheck(1) complains of.
type Inspector interface {
	Inspect(ctx context.Context, id api.SourceID) ([]pcp.Fault, error)
}

// Inspected is what an inspection of a source found.
type Inspected struct {
	Found []pcp.Fault
	Done  bool
	Busy  bool
	Fault string // why it could not be inspected
}

// Inspect looks for everything that is odd in the source, also what disturbs
// no reader.
func (w *Work) Inspect() {
	inspector, ok := w.app.Insight.(Inspector)
	if !ok || w.Inspected.Busy {
		return
	}
	w.Inspected = Inspected{Busy: true}
	w.app.work(func() func() {
		found, err := inspector.Inspect(w.ctx, w.Source.ID)
		return func() {
			w.Inspected = Inspected{Found: found, Done: err == nil}
			if err != nil {
				w.app.failed(err)
				w.Inspected.Fault = pcp.AsFault(err).Message
			}
		}
	})
}
