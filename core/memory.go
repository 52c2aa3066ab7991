package core

import (
	"context"
	"maps"
	"slices"

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

// release returns the memory of a source that is no longer in use.
func (src *source) release() {
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			a.Release()
		}
	}
	src.kept.drop(true)
	src.mu.Lock()
	src.listing.Release()
	src.naming.Release()
	src.listing, src.naming, src.closed = nil, nil, true
	src.mu.Unlock()
	src.insight.release()
	if r, ok := src.parts[0].(*readings); ok {
		r.held.Release()
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

// allWorkingBytes is how much memory it takes to work with all metrics at once.
func (src *source) allWorkingBytes() (all int64) {
	sum := func() int64 {
		for _, p := range src.parts {
			if a, ok := p.(recorded); ok {
				all += 2 * a.AllWorkingBytes()
			}
		}
		return all
	}
	if src.loader.share() < 1 {
		return sum()
	}
	src.finding.Lock()
	defer src.finding.Unlock()
	if src.working == nil {
		all := sum()
		src.working = &all
	}
	return *src.working
}

// fits says whether the values of a metric can be worked with, and how many
// bytes that takes, 0 for few; the error is one of kind memory.
func (src *source) fits(ms []*archive.Metric) (need int64, err error) {
	if src.allWorkingBytes() <= src.session.memory.Left()/8 { // as good as always
		return 0, nil
	}
	name := ""
	for i, m := range ms {
		if a, ok := src.parts[i].(recorded); ok && m != nil {
			need += 2 * a.WorkingBytes(m.PMID) // and as much for what is made of them
			name = m.Name()
		}
	}
	if need < 1<<20 {
		return 0, nil
	}
	if need <= src.session.memory.Left() {
		return need, nil
	}
	f := pcp.Faultf(pcp.OutOfMemory, "The values of %s take %d MiB to work with, and %d MiB are left; they were left out.", text(name), need>>20, src.session.memory.Left()>>20)
	src.leaveOut("values of "+name, f)
	return 0, f
}

// maxLeftOut is how many problems tell of things that there was no room for.
const maxLeftOut = 20

// leaveOut tells among the problems, once, of what there was no room for.
func (src *source) leaveOut(what string, f *pcp.Fault) {
	src.leaving.Lock()
	defer src.leaving.Unlock()
	if src.left == nil {
		src.left = map[string]pcp.Fault{}
	}
	if _, told := src.left[what]; !told && len(src.left) < maxLeftOut {
		src.left[what] = *f.In(src.about.Name)
	}
}

func (src *source) leftOut() []pcp.Fault {
	src.leaving.Lock()
	defer src.leaving.Unlock()
	var list []pcp.Fault
	for _, what := range slices.Sorted(maps.Keys(src.left)) {
		list = append(list, src.left[what])
	}
	return list
}

// maxValues is how many values one query may ask for: what fits, as they are
// worked out, put into an answer, and sent.
func (s *Session) maxValues() int { return int(min(maxPoints, s.memory.Left()/perValue)) }

// tooMany is the fault of a query for more.
func (s *Session) tooMany(what, instead string) *pcp.Fault {
	if n := s.maxValues(); n < maxPoints {
		return pcp.Faultf(pcp.OutOfMemory, "The query asks for more than the %s%s that there is room for; ask for %s.", pcp.Grouped(n), what, instead)
	}
	return pcp.Faultf(pcp.OutOfMemory, "The query asks for more than %d million%s; ask for %s.", maxPoints/1_000_000, what, instead)
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
