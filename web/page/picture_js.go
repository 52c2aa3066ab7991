package page

import (
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/export"
)

// savePicture has the canvases make a picture of a panel, and saves it.
func savePicture(a *app.App) func(p *app.Panel, kind, name string, meta export.Picture) {
	return func(p *app.Panel, kind, name string, meta export.Picture) {
		rows := []any{}
		for _, r := range meta.Rows {
			rows = append(rows, map[string]any{"colour": r.Colour, "cells": anys(r.Cells)})
		}
		about := map[string]any{"title": meta.Title, "unit": meta.Unit, "about": meta.About, "head": anys(meta.Head), "rows": rows}
		promise := js.Global().Get("pcpcharts").Call("picture", p.ID, about, kind)
		go func() {
			blob, err := rpc.Await(promise)
			if err != nil || !blob.Truthy() {
				a.Loop.Lock()
				a.Notices = append(a.Notices, app.Notice{Title: name, Text: "The picture could not be made: " + pcp.AsFault(err).Message})
				a.Loop.UnlockRender()
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
