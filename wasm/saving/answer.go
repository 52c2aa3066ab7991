// Package saving answers the calls of the protocol that save archives, or say
// what would be replaced in them.
package saving

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
	"pcpscope/core/save/job"
	"pcpscope/wasm/browser"
	"pcpscope/wasm/rpc"
)

// Answer returns the reply to a method: rpc.Save, rpc.Redaction or
// rpc.RedactText, whose texts these are. What is saved is kept on shelf.
func Answer(ctx context.Context, method string, j job.Job, texts []string, shelf browser.Shelf, progress func(api.Progress)) (rpc.Message, error) {
	var reply any
	var err error
	switch method {
	case string(rpc.Save):
		reply, err = saved(ctx, j, shelf, progress)
	case string(rpc.Redaction):
		reply, err = save.Redaction(ctx, j, progress)
	case string(rpc.RedactText):
		reply, err = save.RedactText(ctx, j, texts, progress)
	default:
		err = pcp.Faultf(pcp.BadArgument, "There is no method %q.", method)
	}
	if err != nil {
		return rpc.Message{}, err
	}
	return rpc.EncodeSlowly(reply, j.Yield), nil
}

func saved(ctx context.Context, j job.Job, shelf browser.Shelf, progress func(api.Progress)) (rpc.Saved, error) {
	files, report, err := save.Source(ctx, j, shelf, progress)
	if err != nil {
		return rpc.Saved{}, err
	}
	out := rpc.Saved{Report: report}
	out.Files, err = browser.HandedOut(shelf, files)
	return out, err
}

// Here saves in this program: an engine.Saver for tests and for programs that
// nobody downloads.
type Here struct{}

// Answer implements engine.Saver.
func (Here) Answer(ctx context.Context, method string, j job.Job, texts []string, progress func(api.Progress)) (rpc.Message, error) {
	return Answer(ctx, method, j, texts, browser.Memory{}, progress)
}

// Forget implements engine.Saver.
func (Here) Forget(api.SourceID) {}
