package page

import (
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
)

// handles wraps static/handles.js.
type handles struct{}

func (handles) js() js.Value { return canvas.Page().Get("handles") }

func (h handles) Can(name string) bool { return h.js().Call("of", name).Truthy() }

func (h handles) CanAsk() bool { return h.js().Get("canPick").Bool() }

func (h handles) Ask() (string, error) {
	picked, err := rpc.Await(h.js().Call("pick"))
	if err != nil || !picked.Truthy() {
		return "", err
	}
	return picked.Get("name").String(), nil
}

func (h handles) Again(name string) (app.File, error) {
	handle := h.js().Call("of", name)
	if !handle.Truthy() {
		return app.File{}, pcp.Faultf(pcp.Internal, "The browser no longer has access to %s.", name)
	}
	file, err := rpc.Await(handle.Call("getFile"))
	if err != nil {
		return app.File{}, pcp.Faultf(pcp.Unsupported, "The file can no longer be read: it was moved or deleted, or the browser revoked permission.")
	}
	return fileOf(name, file), nil
}
