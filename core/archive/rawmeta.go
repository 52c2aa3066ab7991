package archive

import (
	"cmp"
	"maps"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A DomainChange is a change of an instance domain at one time. A renamed
// instance is in Added, with its new name.
type DomainChange struct {
	Time  pcp.Time
	InDom pcp.InDom
	Added []pcp.Instance
	Gone  []int32
}

// DomainChanges returns how the instance domain developed, beginning with its
// first record; records that change nothing are left out. If the metadata were
// borrowed from another archive, whose times mean nothing here, all instances
// exist from the start.
func (a *Archive) DomainChanges(id pcp.InDom) []DomainChange {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.meta.history(id)
	if h == nil {
		return nil
	}
	if a.meta.borrowed {
		all := DomainChange{Time: a.start, InDom: id}
		for _, m := range h.insts {
			all.Added = append(all.Added, pcp.Instance{ID: m.id, Name: m.spans[len(m.spans)-1].name})
		}
		return []DomainChange{all}
	}
	list := make([]DomainChange, len(h.stamps))
	for i, t := range h.stamps {
		list[i] = DomainChange{Time: t, InDom: id}
	}
	for _, m := range h.insts {
		for i, s := range m.spans {
			list[s.from].Added = append(list[s.from].Added, pcp.Instance{ID: m.id, Name: s.name})
			if s.to >= 0 && (i+1 == len(m.spans) || m.spans[i+1].from != s.to) {
				list[s.to].Gone = append(list[s.to].Gone, m.id)
			}
		}
	}
	return slices.DeleteFunc(list, func(c DomainChange) bool { return len(c.Added)+len(c.Gone) == 0 })
}

// A LabelRecord is label sets that apply from one time on.
type LabelRecord struct {
	Time  pcp.Time
	Level LabelLevel
	ID    uint32
	Sets  []LabelSet
}

// LabelRecords returns all labels, in order of time and at equal times from the
// highest level to the lowest.
func (a *Archive) LabelRecords() []LabelRecord {
	md := a.meta
	var list []LabelRecord
	for k, records := range md.labels {
		for _, r := range records {
			l := LabelRecord{Time: r.time, Level: LabelLevel(k.class), ID: k.id}
			if md.borrowed {
				l.Time = a.start
			}
			for _, s := range r.sets {
				l.Sets = append(l.Sets, LabelSet{Inst: s.inst, JSON: string(md.data[s.from : s.from+s.size])})
			}
			list = append(list, l)
		}
	}
	sorting.Stable(list, func(a, b LabelRecord) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Level, b.Level), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// MetricTexts returns the help texts of a metric as they are in the file, "" if
// missing.
func (a *Archive) MetricTexts(id pcp.PMID) (oneline, help string) {
	return a.meta.texts[textKey{textMetric | textOneline, uint32(id)}], a.meta.texts[textKey{textMetric | textHelp, uint32(id)}]
}

// InDomTexts is MetricTexts for an instance domain.
func (a *Archive) InDomTexts(id pcp.InDom) (oneline, help string) {
	return a.meta.texts[textKey{textInDom | textOneline, uint32(id)}], a.meta.texts[textKey{textInDom | textHelp, uint32(id)}]
}

// Domains returns the instance domains that have records or help texts, sorted.
func (a *Archive) Domains() []pcp.InDom {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := map[pcp.InDom]bool{}
	for id := range a.meta.indoms {
		seen[id] = true
	}
	for k := range a.meta.texts {
		if k.kind&textInDom != 0 {
			seen[pcp.InDom(k.id)] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// LoggedAt returns the indexes in Records of the records that hold values of a
// metric, and of those that hold each error code (or no values) instead. The
// lists ascend and are read-only.
func (a *Archive) LoggedAt(id pcp.PMID) (values []uint32, voids [][]uint32) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.store.find(id)
	if c == nil {
		return nil, nil
	}
	if l := c.values.line; l != nil {
		values = l.recs[:len(l.recs):len(l.recs)]
	}
	for _, v := range c.voids {
		if v.line != nil {
			voids = append(voids, v.line.recs[:len(v.line.recs):len(v.line.recs)])
		}
	}
	return values, voids
}

// Logs reports whether any record has the metric, with or without values.
func (a *Archive) Logs(id pcp.PMID) bool {
	values, voids := a.LoggedAt(id)
	return len(values)+len(voids) > 0
}
