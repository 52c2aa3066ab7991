package core

import (
	"context"

	"pcpscope/core/archive"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// defaultMemory bounds what a session holds: stores of values, and spools of
// what was taken out of containers. A browser gives WebAssembly 4 GiB; the
// garbage collector and the answers need room beside it.
const defaultMemory = 1536 << 20

func (s *Session) budget() int64 {
	if s.opt.Memory > 0 {
		return s.opt.Memory
	}
	return defaultMemory
}

// Memory returns how many bytes the open sources hold, and how many they may.
func (s *Session) Memory() (used, budget int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.sources {
		used += src.memory()
	}
	return used, s.budget()
}

// memory returns what the source holds: its values, and the spool its files
// lie in if they came out of a container.
func (src *source) memory() int64 {
	var n int64
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			n += a.StoreBytes()
		}
	}
	if src.spool != nil {
		n += src.spool.Used()
	}
	return n
}

// load reads an archive, unless the budget is used up. What was read before
// stays open.
func (s *Session) load(a *archive.Archive) func(ctx context.Context, progress func(done, total int64)) error {
	return func(ctx context.Context, progress func(done, total int64)) error {
		if used, budget := s.Memory(); used > budget {
			return pcp.Faultf(pcp.OutOfMemory, "%s was not read: what is open holds %d MiB already, of %d. Close something first.",
				a.Name(), used>>20, budget>>20).In(a.Name())
		}
		return a.Load(ctx, progress)
	}
}

// newSpool returns room for what is taken out of containers: what the budget
// has left.
func (s *Session) newSpool() *container.Memory {
	used, budget := s.Memory()
	return container.NewMemory(max(0, budget-used))
}
