package engine

import "context"

// patient is the context that the core works under. Whoever asks it whether
// to go on also gives the worker's event loop its turn, now and then: that is
// how a cancellation, or another question, gets in while the one thread there
// is computes.
type patient struct{ context.Context }

func (p patient) Err() error {
	yield()
	return p.Context.Err()
}
