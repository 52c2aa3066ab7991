package core

import (
	"path"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// maxSources is the most sources of a session: each is queried separately, and
// no page lists more.
const maxSources = 1000

// tooManySources is the fault of a source beyond maxSources.
func tooManySources() *pcp.Fault {
	f := pcp.Faultf(pcp.OutOfMemory, "There are more than %s sources; this one was left out.", pcp.Grouped(maxSources))
	f.Done = "Open fewer at once."
	return f
}

// A joinedSet is archives of one host that make one source. Archives from
// different folders are in one set only if they were recorded one after the
// other.
type joinedSet struct {
	archives []*archive.Archive
	folder   string   // of the archive that ends last
	end      pcp.Time // the end of that archive
	other    pcp.Time // the latest end of archives from other folders
}

// continuedBy reports whether an archive may join the set. Archives come in
// order of their starts.
func (s *joinedSet) continuedBy(folder string, start pcp.Time) bool {
	if folder == s.folder {
		return start >= s.other
	}
	return start >= s.end
}

func (s *joinedSet) add(a *archive.Archive, folder string) {
	s.archives = append(s.archives, a)
	switch end := a.End(); {
	case len(s.archives) == 1:
		s.folder, s.end, s.other = folder, end, pcp.MinTime
	case folder == s.folder:
		s.end = max(s.end, end)
	case end > s.end:
		s.folder, s.end, s.other = folder, end, s.end
	default:
		s.other = max(s.other, end)
	}
}

// join groups archives of the same host into at most limit sets; left holds the
// archives beyond that.
func join(all []*archive.Archive, limit int) (sets []*joinedSet, left []*archive.Archive) {
	hosts := map[string][]*joinedSet{}
next:
	for _, a := range all {
		host, folder, start := a.Label().Host, path.Dir(a.Name()), a.Start()
		for _, set := range hosts[host] {
			if set.continuedBy(folder, start) {
				set.add(a, folder)
				continue next
			}
		}
		if len(sets) >= limit {
			left = append(left, a)
			continue
		}
		set := &joinedSet{}
		set.add(a, folder)
		sets, hosts[host] = append(sets, set), append(hosts[host], set)
	}
	return sets, left
}
