package archive

import (
	"path"

	"pcpscope/core/pcp"
)

// BorrowMetadata gives an archive whose metadata file is missing the descriptors,
// names, help texts, labels and instance names of another archive of the same
// host, as in folders to which only the newest files were copied. It must be
// called before Load, and does nothing if a has metadata of its own or b has
// another version. b does not tell when instances of a came and went, so that
// is left unknown.
func (a *Archive) BorrowMetadata(b *Archive) bool {
	if a == b || a.group.Meta != nil || b.group.Meta == nil || a.label.Version != b.label.Version {
		return false
	}
	md := b.copyMetadata()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.store.recs) > 0 || a.meta.borrowed {
		return false
	}
	md.faults = &a.faults
	a.meta, a.store.meta = md, md
	a.faults.mu.Lock()
	defer a.faults.mu.Unlock()
	for i := range a.faults.list {
		if f := &a.faults.list[i]; f.File == a.group.Name+".meta" {
			f.Done = "The descriptions of its metrics were taken from " + path.Base(b.group.Name) + ", of the same host."
		}
	}
	return true
}

// copyMetadata returns a copy of the metadata that shares everything immutable.
func (a *Archive) copyMetadata() *metadata {
	a.mu.Lock()
	defer a.mu.Unlock()
	md := *a.meta
	md.borrowed = true
	md.guessed = table[pcp.PMID, *Metric]{}
	md.indoms = make(map[pcp.InDom]*inDom, len(a.meta.indoms))
	for id, d := range a.meta.indoms {
		md.indoms[id] = &inDom{records: d.records}
	}
	return &md
}
