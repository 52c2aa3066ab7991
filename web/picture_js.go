package web

import (
	"context"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/state"
)

var _ state.Importer = engine{}

func (e engine) Import(ctx context.Context, id api.SourceID, name, text string) (api.ImportedDashboards, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Import, rpc.ImportRequest{Source: id, Name: name, Text: text}, nil)
}

// savePicture has the canvases make a picture of a panel, and saves it.
func savePicture(app *state.App) func(p *state.Panel, kind, name string, meta state.Picture) {
	return func(p *state.Panel, kind, name string, meta state.Picture) {
		rows := []any{}
		for _, r := range meta.Rows {
			rows = append(rows, map[string]any{"colour": r.Colour, "cells": anys(r.Cells)})
		}
		about := map[string]any{"title": meta.Title, "unit": meta.Unit, "about": meta.About, "head": anys(meta.Head), "rows": rows}
		promise := js.Global().Get("pcpcharts").Call("picture", p.ID, about, kind)
		go func() {
			blob, err := rpc.Await(promise)
			if err != nil || !blob.Truthy() {
				app.Loop.Lock()
				app.Notes = append(app.Notes, state.Note{Title: name, Text: "The picture could not be made: " + pcp.AsFault(err).Message})
				app.Loop.UnlockRender()
				return
			}
			saveBlob(name, blob)
		}()
	}
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
