package archive

import (
	"slices"

	"pcpscope/core/pcp"
)

// sumUp reports problems that show only over the whole archive. It is called with the lock held.
func (l *loader) sumUp() {
	a := l.a
	if len(a.store.recs) > 0 {
		l.checkStart(a.store.recs)
	}
	var guessed, failing []string
	firstFailing := len(a.store.recs)
	for c := range a.store.all() {
		if c.Guessed && a.meta.metric(c.PMID) != nil {
			guessed = append(guessed, c.PMID.String())
		}
		if c.failed {
			failing, firstFailing = append(failing, c.Name()), min(firstFailing, c.failedAt)
		}
	}
	if len(guessed) > 0 && a.group.Meta != nil {
		a.faults.add(pcp.Faultf(pcp.Corrupt, "%s values but no descriptor: %s.", pcp.Counted(len(guessed), "metric has", "metrics have"), pcp.SomeOf(guessed)).In(a.group.Meta.Name),
			"Listed by PMID, with the types that the values show.")
	}
	if len(failing) > 0 {
		others := "others that were logged at the same times may be wrong, too"
		if n := len(a.mistyped); n > 0 {
			others += ", so findings leave out " + pcp.Counted(n, "record", "records")
		}
		a.faults.add(pcp.Faultf(pcp.Corrupt, "%s values that are not of the type in their descriptor: %s.", pcp.Counted(len(failing), "metric has", "metrics have"), pcp.SomeOf(failing)).In(a.group.Name),
			"The first were logged at %s. They are shown as errors (PM_ERR_CONV), all others as they are; %s.", a.store.recs[firstFailing].Time.Std().Format(stampLayout), others)
	}
}

// checkStart compares the label's start with the first record.
func (l *loader) checkStart(recs []Record) {
	start, first := l.a.start, recs[0].Time
	const day = 24 * 3600 * 1e9
	early, _ := slices.BinarySearchFunc(recs, start, func(r Record, t pcp.Time) int {
		if r.Time < t {
			return -1
		}
		return 1
	})
	const layout = stampLayout
	switch {
	case early > 0:
		l.a.faults.add(pcp.Faultf(pcp.Corrupt, "%s before the start of the archive that its label gives, %s.", pcp.Counted(early, "record lies", "records lie"), start.Std().Format(layout)).In(l.a.labelFile).At(12, "start time"),
			"They were read all the same.")
		if start-first > day {
			l.a.start = first
		}
	case start == pcp.MinTime || first-start > day:
		l.a.faults.add(pcp.Faultf(pcp.Corrupt, "The label gives %s as the start of the archive, but its first record is of %s.", start.Std().Format(layout), first.Std().Format(layout)).In(l.a.labelFile).At(12, "start time"), "")
		if start == pcp.MinTime || first-start > 366*day {
			l.a.start = first
		}
	}
}
