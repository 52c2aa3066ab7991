package app

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// failed looks into an error that may mean the end of the engine: a new one
// answers from then on, and has nothing open.
func (a *App) failed(err error) {
	fault := pcp.AsFault(err)
	message := fault.Message
	switch fault.Kind {
	case pcp.Internal, pcp.OutOfMemory:
	case pcp.BadArgument: // a new engine does not know the source
		message = "The engine stopped, and with it went what was open."
	default:
		return
	}
	if a.Lost != "" {
		return
	}
	a.work(func() func() {
		open, err := rpc.Invoke(context.Background(), a.Engine, rpc.Sources, rpc.None{}, nil)
		if err != nil {
			return nil
		}
		return func() {
			for _, tab := range a.Tabs {
				if !slices.ContainsFunc(open, func(s api.Source) bool { return s.ID == tab.Source.ID }) {
					a.Lost = message
				}
			}
		}
	})
}

// OpenAgain opens everything that the engine has lost, and shows it as it was
// shown before.
func (a *App) OpenAgain() {
	a.Lost = ""
	a.Wanted = a.Session()
	var batches [][]File
	for _, tab := range a.Tabs {
		tab.stop()
		if !slices.ContainsFunc(batches, func(b []File) bool { return &b[0] == &tab.files[0] }) {
			batches = append(batches, tab.files)
		}
	}
	a.Tabs, a.current = nil, nil
	a.Cursor.Clear()
	a.windowChanged()
	for _, files := range batches {
		a.Intake.Take(files)
	}
}
