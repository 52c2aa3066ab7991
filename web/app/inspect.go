package app

import (
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// Inspected is the result of an inspection of a source.
type Inspected struct {
	Found []pcp.Fault
	Done  bool
	Busy  bool
	Fault string // why the inspection failed
}

// Inspect looks for everything irregular in the source, including what does not affect
// reading.
func (f *Findings) Inspect() {
	tab := f.tab
	if f.Inspected.Busy {
		return
	}
	f.Inspected = Inspected{Busy: true}
	tab.app.work(func() func() {
		found, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Inspect, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() {
			f.Inspected = Inspected{Found: found, Done: err == nil}
			if err != nil {
				tab.app.failed(err)
				f.Inspected.Fault = pcp.AsFault(err).Message
			}
		}
	})
}
