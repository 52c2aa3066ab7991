package core

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/container"
	"pcpscope/core/derived"
	"pcpscope/core/loader"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// Open recognises files and opens what they contain: it looks into containers,
// groups the files of each archive, and joins archives of one host in time. It
// returns when labels and metadata have been read; values follow in the
// background. Unusable files are listed in the answer with a reason; the only
// errors are a cancelled context and files that cannot be read at all. Open
// sources are not affected.
func (s *Session) Open(ctx context.Context, files []File, progress func(api.Progress)) (api.Opened, error) {
	spool := s.newSpool()
	defer func() {
		if spool.users == 0 {
			spool.Release()
		}
	}()
	found, err := container.Expand(ctx, containerFiles(files), container.Options{Spool: spool, Unpacker: s.unpacker()}, inPhases(progress))
	if err != nil {
		return api.Opened{}, err
	}
	out := api.Opened{Sources: []api.Source{}, Rejected: []api.Rejected{}, Skipped: skipped(found.Skipped)}
	left := 0 // rejected beyond maxRejected
	reject := func(name string, f pcp.Fault) {
		if len(out.Rejected) == maxRejected {
			left++
			return
		}
		out.Rejected = append(out.Rejected, api.Rejected{Name: name, Fault: f})
	}
	for _, r := range found.Rejected {
		reject(r.Name, r.Fault)
	}
	modified := map[string]pcp.Time{}
	for _, f := range files {
		modified[f.Name] = f.Modified
	}
	opened, err := s.openArchives(ctx, found, reject)
	if err != nil {
		return api.Opened{}, err
	}
	opened = append(opened, s.openMMV(found, modified, s.roomForSources()-len(opened), reject)...)
	for _, src := range opened {
		if spool.Used() > 0 {
			src.spool = spool
			spool.users++
		}
		src.about.Problems = append(src.about.Problems, found.Problems...)
	}
	if len(opened) == 0 {
		for _, p := range found.Problems {
			reject(p.File, p)
		}
	}
	out.Settings = s.settings(found, opened, reject)
	if left > 0 {
		f := pcp.Faultf(pcp.Unsupported, "These files could not be used either.")
		out.Rejected = append(out.Rejected, api.Rejected{Name: pcp.Grouped(left) + " more files", Fault: *f})
	}
	s.mu.Lock()
	for _, src := range opened {
		s.last++
		src.about.ID = s.last
		s.sources = append(s.sources, src)
		if !src.about.OnDemand {
			src.loader.Start()
		}
	}
	s.mu.Unlock()
	for _, src := range opened {
		out.Sources = append(out.Sources, src.describe())
	}
	return out, nil
}

// maxRejected is how many unusable files are reported individually: a folder
// may hold any number of them.
const maxRejected = 1000

// roomForSources returns how many more sources may be opened.
func (s *Session) roomForSources() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, maxSources-len(s.sources))
}

func containerFiles(files []File) []container.File {
	list := make([]container.File, len(files))
	for i, f := range files {
		list[i] = container.File{Name: f.Name, Size: f.Size, At: f.At}
	}
	return list
}

func inPhases(progress func(api.Progress)) container.Progress {
	if progress == nil {
		return nil
	}
	return func(phase string, done, total int64) {
		progress(api.Progress{Phase: phase, Done: float64(done), Total: float64(total)})
	}
}

func skipped(s container.Skipped) *api.Skipped {
	if s.Files == 0 {
		return nil
	}
	return &api.Skipped{Files: s.Files, Bytes: s.Bytes}
}

// openArchives opens every archive among the leaves and joins those of a host.
func (s *Session) openArchives(ctx context.Context, found *container.Expanded, reject func(string, pcp.Fault)) ([]*source, error) {
	var members []archive.Member
	for _, l := range found.Leaves {
		if l.Kind == container.Member {
			members = append(members, archive.Member(l.File))
		}
	}
	groups, rest := archive.Groups(members)
	for _, r := range rest {
		reject(r.Name, r.Fault)
	}
	groups = chosenByFolios(groups, found.Folios, reject)
	var all []*archive.Archive
	for _, g := range groups {
		a, err := s.openArchive(ctx, g)
		switch {
		case ctx.Err() != nil:
			for _, a := range all {
				a.Release()
			}
			return nil, cancelled()
		case err != nil:
			for i, m := range g.Members() {
				f := *pcp.AsFault(err)
				if i > 0 && f.File != m.Name {
					f = *pcp.Faultf(f.Kind, "It belongs to an archive that cannot be opened: %s", f.Message).In(m.Name)
				}
				reject(m.Name, f)
			}
		case a != nil:
			all = append(all, a)
		}
	}
	borrowMetadata(all)
	return s.joinHosts(all, reject), nil
}

// openArchive opens one archive; a panic loses only this archive.
func (s *Session) openArchive(ctx context.Context, g archive.Group) (a *archive.Archive, err error) {
	defer pcp.Recover("opening "+path.Base(g.Name), &err)
	return s.archiveOptions().Open(ctx, g)
}

// borrowMetadata lets volumes without metadata borrow those of the archive of the
// same host nearest in time, as in folders to which only the newest files were
// copied.
func borrowMetadata(all []*archive.Archive) {
	type kind struct {
		host    string
		version int
	}
	lenders := map[kind][]*archive.Archive{} // sorted by start
	for _, a := range all {
		if g := a.Group(); g.Meta != nil {
			k := kind{a.Label().Host, a.Label().Version}
			lenders[k] = append(lenders[k], a)
		}
	}
	for _, list := range lenders {
		sorting.Stable(list, func(a, b *archive.Archive) int { return cmp.Compare(a.Start(), b.Start()) })
	}
	for _, a := range all {
		list := lenders[kind{a.Label().Host, a.Label().Version}]
		if g := a.Group(); g.Meta != nil || len(list) == 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(list, a.Start(), func(b *archive.Archive, t pcp.Time) int { return cmp.Compare(b.Start(), t) })
		near := list[min(i, len(list)-1)]
		if i > 0 && distance(a, list[i-1]) <= distance(a, near) {
			near = list[i-1]
		}
		a.BorrowMetadata(near)
	}
}

func distance(a, b *archive.Archive) pcp.Time {
	return max(a.Start()-b.Start(), b.Start()-a.Start())
}

// chosenByFolios keeps only the archives named by folios, if any folio names
// one. The folio of pmlogger's newest archive, Latest, is in every folder of
// archives and selects nothing.
func chosenByFolios(groups []archive.Group, folios []container.Folio, reject func(string, pcp.Fault)) []archive.Group {
	named := map[string]bool{}
	for _, f := range folios {
		if path.Base(f.Name) == "Latest" {
			continue
		}
		for _, a := range f.Archives {
			named[path.Base(a.Base)] = true
		}
	}
	if !slices.ContainsFunc(groups, func(g archive.Group) bool { return named[path.Base(g.Name)] }) {
		return groups
	}
	return slices.DeleteFunc(groups, func(g archive.Group) bool {
		left := !named[path.Base(g.Name)]
		if left {
			for _, m := range g.Members() {
				reject(m.Name, *pcp.Faultf(pcp.Unsupported, "The folio does not name this archive.").In(m.Name))
			}
		}
		return left
	})
}

// joinHosts makes one source of archives with the same host in their labels, in
// order of their starts. See spec/archive.md section 1.3. Archives from
// different folders that overlap in time stay separate: a host name such as
// "localhost" then stands for several machines.
func (s *Session) joinHosts(all []*archive.Archive, reject func(string, pcp.Fault)) []*source {
	sorting.Stable(all, func(a, b *archive.Archive) int {
		return cmp.Or(cmp.Compare(a.Label().Host, b.Label().Host), cmp.Compare(a.Start(), b.Start()), cmp.Compare(a.Name(), b.Name()))
	})
	sets, left := join(withoutCopies(all, reject), s.roomForSources())
	for _, a := range left {
		g := a.Group()
		for _, m := range g.Members() {
			reject(m.Name, *tooManySources().In(m.Name))
		}
		a.Release()
	}
	var sources []*source
	for _, set := range sets {
		sources = append(sources, s.joinArchives(set.archives))
	}
	sorting.Stable(sources, func(a, b *source) int { return strings.Compare(a.about.Name, b.about.Name) })
	return sources
}

// withoutCopies drops archives given twice, as when a folder holds a container
// and its contents.
func withoutCopies(list []*archive.Archive, reject func(string, pcp.Fault)) []*archive.Archive {
	seen := map[string]string{}
	var kept []*archive.Archive
	for _, a := range list {
		key := fmt.Sprint(a.Label(), path.Base(a.Name()), len(a.Group().Volumes), a.End())
		if first, ok := seen[key]; ok {
			g := a.Group()
			for _, m := range g.Members() {
				reject(m.Name, *pcp.Faultf(pcp.Unsupported, "The same archive was also given as %s.", first).In(m.Name))
			}
			continue
		}
		seen[key] = a.Name()
		kept = append(kept, a)
	}
	return kept
}

// joinArchives makes a source of the archives of one host.
func (s *Session) joinArchives(list []*archive.Archive) *source {
	first := list[0]
	l := first.Label()
	src := &source{session: s, insight: insight{held: s.memory.Claim(0)}, replies: answerCache{limit: maxReplies}, derived: &derived.Set{Under: derived.Builtin()}, about: api.Source{
		Kind: "archive", Name: sourceName(list), Host: text(l.Host), Timezone: text(l.Timezone), Zoneinfo: text(l.Zoneinfo),
		PID: l.PID, Members: []string{},
	}}
	sum := sha256.New()
	var parts []loader.Part
	for _, a := range list {
		src.parts = append(src.parts, recorded{a})
		src.about.Version = max(src.about.Version, a.Label().Version)
		g := a.Group()
		fmt.Fprintln(sum, a.Label(), path.Base(g.Name))
		var size int64
		for _, m := range g.Members() {
			size += m.Size
			src.about.Members = append(src.about.Members, m.Name)
			fmt.Fprintln(sum, path.Base(m.Name), m.Size)
		}
		src.about.Bytes += size
		parts = append(parts, loader.Part{Name: path.Base(g.Name), Size: size, Packed: packed(g), Read: s.load(a)})
	}
	src.about.Fingerprint = hex.EncodeToString(sum.Sum(nil)[:16])
	src.about.Problems = append(overlaps(list), changes(list)...)
	src.loader = loader.New(parts, s.opt.Lanes)
	src.looking = make(chan struct{}, 1)
	src.far = allRemote(list)
	src.about.OnDemand = src.far && onDemand(list, src.about.Bytes)
	return src
}

// packed guesses from the names of its volumes whether an archive is
// compressed; only the order of reading depends on it.
func packed(g archive.Group) bool {
	return slices.ContainsFunc(g.Volumes, func(v archive.Volume) bool {
		_, yes := container.TrimSuffix(v.Name)
		return yes
	})
}

// onDemandFrom is the size in bytes above which archives on a server are read
// only as questions need them.
const onDemandFrom = 24 << 20

// onDemand reports whether archives on a server should be read only as
// questions need them: they are large, and support reading ranges.
func onDemand(list []*archive.Archive, bytes int64) bool {
	if bytes < onDemandFrom {
		return false
	}
	for _, a := range list {
		if !a.Previewable() {
			return false
		}
	}
	return true
}

// allRemote reports whether all volumes are on a server that supports reading ranges.
func allRemote(list []*archive.Archive) bool {
	for _, a := range list {
		g := a.Group()
		for i := range g.Volumes {
			if at, ok := g.Volumes[i].At.(interface{ OnDemand() bool }); !ok || !at.OnDemand() {
				return false
			}
		}
	}
	return true
}

// sourceName is the archive's base name, or the first and last of a set.
func sourceName(list []*archive.Archive) string {
	first, last := path.Base(list[0].Name()), path.Base(list[len(list)-1].Name())
	if len(list) == 1 {
		return first
	}
	return first + " – " + last
}

// overlaps reports archives of a set that were recorded at the same time.
func overlaps(list []*archive.Archive) []pcp.Fault {
	faults := problemList{limit: maxProblems / 2}
	for i, a := range list[1:] {
		before := list[i]
		switch {
		case before.End() <= a.Start():
		case faults.full():
			faults.left++
		default:
			f := pcp.Faultf(pcp.Corrupt, "%s and %s were recorded at the same time.", path.Base(before.Name()), path.Base(a.Name())).In(a.Name())
			f.Done = "Where both have a metric, the one that began later counts."
			faults.add(*f)
		}
	}
	return faults.all()
}
