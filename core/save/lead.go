package save

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A lead is what a window begins with: the last values before it.
type lead struct {
	any   bool
	start pcp.Time                  // time of the first record
	near  map[int]map[pcp.PMID]bool // by index in Records: the metrics used from that record
	old   map[int]map[pcp.PMID]bool // values written at start, whenever they were logged
	ids   map[pcp.PMID]bool         // all of these
}

func (l *lead) has(id pcp.PMID) bool { return l.ids[id] }

// shortestLead is how far before a window a record may be, even if the window
// is short.
const shortestLead = pcp.Time(10 * time.Minute)

// findLead finds for each metric the last record before the window, but after
// the last mark or missing data.
//
// A nearby record is written as it was logged. What was logged long before and
// not since, such as the number of CPUs, is written once, with the time of the
// start of the result. Thinning begins with the window: all that it takes from before
// are settings.
func (p *plan) findLead(pt *part) {
	if p.whole || p.Strict || pt.first == 0 {
		return
	}
	recs := pt.a.Records()
	from := p.unbroken(pt)
	if from >= pt.first {
		return
	}
	l := &pt.lead
	l.near, l.old, l.ids = map[int]map[pcp.PMID]bool{}, map[int]map[pcp.PMID]bool{}, map[pcp.PMID]bool{}
	far := min(max(pt.last-pt.start, shortestLead), pcp.Time(time.Hour))
	if p.settings && !pt.hasAny() { // the result shall not end before the window
		far = 0
	}
	put := func(in map[int]map[pcp.PMID]bool, at int, id pcp.PMID) {
		if in[at] == nil {
			in[at] = map[pcp.PMID]bool{}
		}
		in[at][id] = true
		l.ids[id] = true
	}
	for id, m := range pt.metrics {
		if m.to == nil || p.Every > 0 && (m.to.Sem != pcp.Discrete || pt.loggedAtStart(id)) {
			continue
		}
		at := -1 // index of the last record with values before the window
		values, voids := pt.a.LoggedAt(id)
		if k, _ := slices.BinarySearch(values, uint32(pt.first)); k > 0 {
			at = int(values[k-1])
		}
		for _, places := range voids {
			if k, _ := slices.BinarySearch(places, uint32(pt.first)); k > 0 && int(places[k-1]) > at {
				at = -1 // an error code came after the values
				break
			}
		}
		switch {
		case at < from:
		case p.Every > 0:
			put(l.old, at, id)
		case recs[at].Time >= pt.start-far:
			put(l.near, at, id)
		case m.to.Sem == pcp.Discrete || !pt.logged(id):
			put(l.old, at, id)
		}
	}
	if len(l.ids) == 0 {
		return
	}
	l.any, l.start = true, pt.start
	if p.Every == 0 {
		l.start = min(l.start, max(p.Start, recs[from].Time))
	}
	counters := false
	for at, ids := range l.near {
		l.start = min(l.start, recs[at].Time)
		for id := range ids {
			counters = counters || pt.metrics[id].to.Sem == pcp.Counter
		}
	}
	begins := l.start.Std().Format("2006-01-02 15:04:05 UTC")
	switch {
	case counters:
		p.notes.add(fmt.Sprintf("The result begins at %s, before the window: counters have no rate before their second value.", begins))
	case len(l.near) > 0:
		p.notes.add(fmt.Sprintf("The result begins at %s, before the window, with the last values before it.", begins))
	}
	if len(l.old) > 0 {
		n := 0
		for _, ids := range l.old {
			n += len(ids)
		}
		p.notes.add(fmt.Sprintf("Values of %s that were logged before have the time of the result's start, %s.", pcp.Counted(n, "metric", "metrics"), begins))
	}
}

// hasAny reports whether anything of the result was logged in the window of a part.
func (pt *part) hasAny() bool {
	for id, m := range pt.metrics {
		if m.to != nil && pt.logged(id) {
			return true
		}
	}
	return false
}

// loggedAtStart reports whether a metric has values at the time of the first record in the
// window of a part.
func (pt *part) loggedAtStart(id pcp.PMID) bool {
	values, _ := pt.a.LoggedAt(id)
	k, _ := slices.BinarySearch(values, uint32(pt.first))
	return k < len(values) && int(values[k]) < pt.end && pt.a.Records()[values[k]].Time == pt.start
}

// unbroken returns the index of the first record from which on nothing is
// missing up to the window.
func (p *plan) unbroken(pt *part) int {
	recs := pt.a.Records()
	from := 0
	for _, m := range pt.a.Marks() {
		if _, behind := pt.a.Between(pcp.MinTime, m); behind <= pt.first {
			from = max(from, behind)
		} else if recs[pt.first].Time == m {
			return pt.first
		}
	}
	for _, g := range slices.Concat(pt.a.Gaps(), pt.a.Damage()) {
		if behind, _ := pt.a.Between(g.Start+1, pcp.MaxTime); behind <= pt.first {
			from = max(from, behind)
		}
	}
	return from
}

// lead writes the records before the window of a part.
func (w *writer) lead(pt *part) error {
	l := &pt.lead
	if !l.any {
		return nil
	}
	w.build.Reset()
	places := slices.Sorted(maps.Keys(l.old))
	i := 0 // sorted by index
	err := pt.a.ScanRecords(w.ctx, places, func(r archive.RawRecord) error {
		only := l.old[places[i]]
		i++
		w.sets(pt, &r, only)
		return nil
	})
	if err != nil {
		return err
	}
	if err := w.built(l.start); err != nil {
		return err
	}
	places = slices.Sorted(maps.Keys(l.near))
	i = 0
	return pt.a.ScanRecords(w.ctx, places, func(r archive.RawRecord) error {
		only := l.near[places[i]]
		i++
		if err := w.metaUntil(r.Time); err != nil {
			return err
		}
		w.build.Reset()
		w.sets(pt, &r, only)
		return w.built(r.Time)
	})
}
