package core

import (
	"context"

	"pcpscope/core/archive"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// defaultMemory bounds what a session holds. A browser gives WebAssembly
// 4 GiB; the garbage collector needs room beside what is in use.
const defaultMemory = 1536 << 20

// spare is the part of the budget that what is open leaves to answers.
const spare = 4

// Memory returns how many bytes the session holds, and how many it may.
func (s *Session) Memory() (used, budget int64) { return s.memory.Used(), s.memory.Limit() }

// release gives back the memory of a source that nobody asks any more.
func (src *source) release() {
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			a.Release()
		}
	}
	if src.spool != nil {
		if src.spool.users--; src.spool.users == 0 {
			src.spool.Release()
		}
	}
}

// archiveOptions are those under which the session opens archives.
func (s *Session) archiveOptions() archive.Options {
	return archive.Options{Unpacker: s.unpacker(), Budget: s.memory, Spare: s.memory.Limit() / spare}
}

// load reads an archive, unless the budget is used up. What was read before
// stays open.
func (s *Session) load(a *archive.Archive) func(ctx context.Context, progress func(done, total int64)) error {
	return func(ctx context.Context, progress func(done, total int64)) error {
		if used, budget := s.Memory(); used > budget-budget/spare {
			return pcp.Faultf(pcp.OutOfMemory, "%s was not read: what is open holds %d MiB already, of %d. Close something first.",
				a.Name(), used>>20, budget>>20).In(a.Name())
		}
		return a.Load(ctx, progress)
	}
}

// A spool is where the files of sources lie that were opened together.
type spool struct {
	*container.Memory
	users int // sources that are open
}

// newSpool returns room for what is taken out of containers: what the budget
// has left.
func (s *Session) newSpool() *spool {
	return &spool{Memory: container.NewMemory(s.memory.Claim(s.memory.Limit() / spare))}
}
