package core

import (
	"context"
	"maps"
	"slices"

	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// defaultMemory is the default budget of a session. A browser gives WebAssembly
// 4 GiB, and the garbage collector needs headroom beyond what is in use.
const defaultMemory = 1536 << 20

// spare is the share of the budget, one part in spare, that open sources leave
// to answers.
const spare = 4

// Memory returns how many bytes the session holds, and how many it may.
func (s *Session) Memory() (used, budget int64) { return s.memory.Used(), s.memory.Limit() }

// release returns the memory of a source that has been closed.
func (src *source) release() {
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			a.Release()
		}
	}
	src.kept.drop(true)
	src.replies.drop(true)
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

// archiveOptions are the options with which the session opens archives.
func (s *Session) archiveOptions() archive.Options {
	return archive.Options{Unpacker: s.unpacker(), Budget: s.memory, Spare: s.memory.Limit() / spare}
}

// load returns a function that reads an archive unless the budget is used up.
// Sources that were read before stay open.
func (s *Session) load(a *archive.Archive) func(ctx context.Context, progress func(done, total int64)) error {
	return func(ctx context.Context, progress func(done, total int64)) error {
		if used, budget := s.Memory(); used > budget-budget/spare {
			return pcp.Faultf(pcp.OutOfMemory, "%s was not read: open sources already use %d of %d MiB of memory. Close something first.",
				a.Name(), used>>20, budget>>20).In(a.Name())
		}
		return a.Load(ctx, progress)
	}
}

// allWorkingBytes returns how much memory it takes to process all metrics at
// once.
func (src *source) allWorkingBytes() (all int64) {
	sum := func() int64 {
		for _, p := range src.parts {
			if a, ok := p.(recorded); ok {
				all += 2 * a.AllWorkingBytes()
			}
		}
		return all
	}
	if src.loader.Share() < 1 {
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

// workingBytes is how many bytes the observations of a metric take at most.
func (src *source) workingBytes(ms []*archive.Metric) (bytes int64) {
	for i, m := range ms {
		if a, ok := src.parts[i].(recorded); ok && m != nil {
			bytes += a.WorkingBytes(m.PMID)
		}
	}
	return bytes
}

// bytesOf is how many bytes observations take besides what they share.
func bytesOf(obs []*series.Observations) (bytes int64) {
	for _, o := range obs {
		if o == nil {
			continue
		}
		bytes += 32 * int64(len(o.Series))
		for i := range o.Series {
			bytes += 16 * int64(len(o.Series[i].Runs))
		}
	}
	return bytes
}

// Claim returns an empty claim on the session's budget, for what callers make of
// answers.
func (s *Session) Claim() *budget.Claim { return s.memory.Claim(0) }

// fits reports whether there is memory to process the values of a metric, and
// how many bytes that takes, 0 for few; the error has kind memory.
func (src *source) fits(ms []*archive.Metric) (need int64, err error) {
	if src.allWorkingBytes() <= src.session.memory.Left()/8 { // so large a margin is never exceeded
		return 0, nil
	}
	name := ""
	for _, m := range ms {
		if m != nil {
			name = m.Name()
		}
	}
	need = 2 * src.workingBytes(ms) // and the same again for results
	if need < 1<<20 {
		return 0, nil
	}
	if need <= src.session.memory.Left() {
		return need, nil
	}
	f := pcp.Faultf(pcp.OutOfMemory, "Processing the values of %s takes %d MiB, and %d MiB are left; they were left out.", text(name), need>>20, src.session.memory.Left()>>20)
	src.leaveOut("values of "+name, f)
	return 0, f
}

// maxLeftOut is how many problems report things left out for lack of memory.
const maxLeftOut = 20

// leaveOut adds to the problems, once for each what, that something was left
// out for lack of memory.
func (src *source) leaveOut(what string, f *pcp.Fault) {
	src.leaving.Lock()
	defer src.leaving.Unlock()
	if src.left == nil {
		src.left = map[string]pcp.Fault{}
	}
	if _, listed := src.left[what]; !listed && len(src.left) < maxLeftOut {
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

// maxValues is how many values one query may ask for: as many as can be
// computed, stored in an answer and sent.
func (s *Session) maxValues() int { return int(min(maxPoints, s.memory.Left()/valueBytes)) }

// tooMany is the fault of a query for more values.
func (s *Session) tooMany(what, instead string) *pcp.Fault {
	if n := s.maxValues(); n < maxPoints {
		return pcp.Faultf(pcp.OutOfMemory, "The query asks for more than the %s%s that fit in memory; ask for %s.", pcp.Grouped(n), what, instead)
	}
	return pcp.Faultf(pcp.OutOfMemory, "The query asks for more than %d million%s; ask for %s.", maxPoints/1_000_000, what, instead)
}

// A spool holds unpacked files, shared by the sources that were opened
// together.
type spool struct {
	*container.Memory
	users int // open sources
}

// newSpool returns a spool for unpacked files that may use the rest of the
// budget.
func (s *Session) newSpool() *spool {
	return &spool{Memory: container.NewMemory(s.memory.Claim(s.memory.Limit() / spare))}
}
