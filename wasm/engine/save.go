package engine

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/save/job"
	"pcpscope/wasm/browser"
	"pcpscope/wasm/rpc"
)

// A Saver answers the calls that save, and those that say what would be
// replaced: what it takes to write archives is no part of this program.
type Saver interface {
	// Answer returns the reply to a method. texts are those of rpc.RedactText.
	Answer(ctx context.Context, method string, j job.Job, texts []string, progress func(api.Progress)) (rpc.Message, error)
	// Forget is told that a source was closed.
	Forget(source api.SourceID)
}

// SaveWith has a saver answer. Without one nothing can be saved.
func (s *Server) SaveWith(saver Saver) { s.saver = saver }

// KeepOn has tables kept on shelves, one for each call, in place of the
// engine's memory.
func (s *Server) KeepOn(shelf func() browser.Shelf) { s.shelf = shelf }

func (s *Server) onSave() {
	query := func(in rpc.Message) (q rpc.RedactTextRequest, err error) {
		err = rpc.Decode(in, &q.Query)
		return q, err
	}
	for method, read := range map[string]func(rpc.Message) (rpc.RedactTextRequest, error){
		string(rpc.Save): query, string(rpc.Redaction): query,
		string(rpc.RedactText): func(in rpc.Message) (q rpc.RedactTextRequest, err error) {
			err = rpc.Decode(in, &q)
			return q, err
		},
	} {
		s.methods[method] = func(ctx context.Context, in rpc.Message, p progress) (rpc.Message, error) {
			q, err := read(in)
			if err != nil {
				return rpc.Message{}, err
			}
			if s.saver == nil {
				return rpc.Message{}, noSaver()
			}
			j, err := s.session.SaveJob(ctx, q.Query, p)
			if err != nil {
				return rpc.Message{}, err
			}
			return s.saver.Answer(ctx, method, j, q.Texts, p)
		}
	}
}

func noSaver() *pcp.Fault {
	return pcp.Faultf(pcp.Unsupported, "Archives are saved by a program of its own, and it was not loaded.")
}
