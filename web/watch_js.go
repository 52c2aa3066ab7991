package web

import (
	"context"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/state"
)

var _ state.Updater = engine{}

func (e engine) Update(ctx context.Context, id api.SourceID, f state.File) (api.Source, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Update, rpc.UpdateRequest{Source: id, File: wire(f)}, nil)
}

// wire is a file as it crosses, with the time when it was written last.
func wire(f state.File) rpc.File {
	out := rpc.File{Name: f.Name, Data: f.Data}
	if data, ok := f.Data.(js.Value); ok && data.Type() == js.TypeObject {
		if at := data.Get("lastModified"); at.Type() == js.TypeNumber {
			out.Modified = at.Float()
		}
	}
	return out
}

// handles is static/handles.js.
type handles struct{}

func (handles) js() js.Value { return js.Global().Get("pcphandles") }

func (h handles) Can(name string) bool { return h.js().Call("of", name).Truthy() }
func (h handles) CanAsk() bool         { return h.js().Get("canPick").Bool() }

func (h handles) Ask() (string, error) {
	picked, err := rpc.Await(h.js().Call("pick"))
	if err != nil || !picked.Truthy() {
		return "", err
	}
	return picked.Get("name").String(), nil
}

func (h handles) Again(name string) (state.File, error) {
	handle := h.js().Call("of", name)
	if !handle.Truthy() {
		return state.File{}, pcp.Faultf(pcp.Internal, "The browser has no way to %s any more.", name)
	}
	file, err := rpc.Await(handle.Call("getFile"))
	if err != nil {
		return state.File{}, pcp.Faultf(pcp.Unsupported, "The file cannot be read any more; it was moved or deleted, or the browser withdrew its leave.")
	}
	return state.File{Name: name, Size: int64(file.Get("size").Float()), Data: file}, nil
}
