package save

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A plan is what is known before the first record is read.
type plan struct {
	Request
	version  int
	whole    bool // no window
	settings bool // all metrics are discrete
	asked    bool // repair was requested, not just needed for something else
	parts    []*part
	targets  []*target                 // metrics of the result, in the order of their descriptors
	aliases  map[pcp.InDom][]pcp.InDom // additional PMIDs of instance domains that are written more than once
	notes    notes
	step     func() bool // called often; yields, and reports whether to continue
}

// A part is one archive of the source, with its contribution.
type part struct {
	a       *archive.Archive
	first   int // index in Records of its first record in the window
	end     int // and of the first one after it
	start   pcp.Time
	last    pcp.Time // times of the first and last of these
	metrics map[pcp.PMID]*metric
	lead    lead
	holes   []pcp.Time // times of records before which data are missing, in order
	plain   bool       // records are copied unchanged
}

// A metric is one metric of a part.
type metric struct {
	*archive.Metric
	to      *target // nil if it is left out
	convert *conversion
	hidden  pcp.Time // from then on another part has its values
}

// A target is one metric of the result.
type target struct {
	pcp.Desc
	names         []string
	oneline, help string
	used          bool // there are values of it
}

func newPlan(q Request, step func() bool) (*plan, error) {
	p := &plan{Request: q, step: step, whole: q.Start == 0 && q.End == 0}
	if p.whole {
		p.Start, p.End = pcp.MinTime, pcp.MaxTime
	}
	if q.Every < 0 {
		return nil, pcp.Faultf(pcp.BadArgument, "The interval to thin by must be longer than 0.")
	}
	if p.End < p.Start {
		return nil, pcp.Faultf(pcp.BadArgument, "The window ends before it begins.")
	}
	if len(q.Parts) == 0 {
		return nil, pcp.Faultf(pcp.BadArgument, "There is nothing to save.")
	}
	for _, a := range q.Parts {
		p.version = max(p.version, a.Label().Version)
		if !a.Loaded() {
			return nil, pcp.Faultf(pcp.BadArgument, "%s has not been read to its end.", path.Base(a.Name()))
		}
	}
	if q.Version != 0 {
		if q.Version != 2 && q.Version != 3 {
			return nil, pcp.Faultf(pcp.BadArgument, "Archives are written in versions 2 and 3, not in %d.", q.Version)
		}
		p.version = q.Version
	}
	p.asked = p.Repair
	p.Repair = p.Repair || p.Rewrite != nil // values that contradict the descriptor may hide a text
	if p.VolumeSize <= 0 {
		p.VolumeSize = DefaultVolume
	}
	if p.version == 2 {
		p.VolumeSize = min(p.VolumeSize, maxVolumeV2)
	}
	p.findParts()
	if err := p.known(); err != nil {
		return nil, err
	}
	if len(p.parts) == 0 {
		return nil, p.nothing()
	}
	p.join()
	if !p.step() {
		return nil, errStopped
	}
	p.choose()
	p.settings = p.Every == 0 && !slices.ContainsFunc(p.targets, func(t *target) bool { return t.Sem != pcp.Discrete })
	for i, part := range p.parts {
		part.findHoles(p)
		part.findResets(p)
		if !p.step() {
			return nil, errStopped
		}
		if i == 0 || part.start > p.parts[i-1].last {
			p.findLead(part)
		}
	}
	p.markUsed()
	if len(p.targets) == 0 && p.step() {
		return nil, p.nothing()
	}
	p.sayVersion()
	if !p.step() {
		return nil, errStopped
	}
	return p, nil
}

// findParts determines which archives have records in the window.
func (p *plan) findParts() {
	for _, a := range p.Parts {
		recs := a.Records()
		first, end := a.Between(p.Start, p.End)
		if first == end && !(p.whole && len(recs) == 0 && len(p.Parts) == 1) {
			continue
		}
		part := &part{a: a, first: first, end: end, start: a.Start(), last: a.Start()}
		if first < end {
			part.start, part.last = recs[first].Time, recs[end-1].Time
		}
		p.parts = append(p.parts, part)
	}
	sorting.Stable(p.parts, func(a, b *part) int { return int(min(1, max(-1, a.start-b.start))) })
}

// known checks that all requested metrics exist.
func (p *plan) known() error {
	for _, name := range p.Metrics {
		found := false
		for _, a := range p.Parts {
			for _, n := range a.Names() {
				found = found || within(n, name)
			}
			_, is := a.Lookup(name)
			found = found || is
		}
		if !found {
			return pcp.Faultf(pcp.UnknownMetric, "There is no metric %s in what is to be saved.", name)
		}
	}
	return nil
}

// nothing is why no archive can be written.
func (p *plan) nothing() error {
	if p.whole {
		return pcp.Faultf(pcp.BadArgument, "There are no values to save.")
	}
	begin, end := p.Parts[0].Start(), p.Parts[0].End()
	for _, a := range p.Parts {
		begin, end = min(begin, a.Start()), max(end, a.End())
	}
	const form = "2006-01-02 15:04:05 UTC"
	return pcp.Faultf(pcp.BadArgument, "There are no values to save from %s to %s; what is open goes from %s to %s.",
		p.Start.Std().Format(form), p.End.Std().Format(form), begin.Std().Format(form), end.Std().Format(form))
}

func within(name, prefix string) bool {
	return name == prefix || strings.HasPrefix(name, prefix) && name[len(prefix)] == '.'
}

// wanted reports whether the user chose a metric.
func (p *plan) wanted(m *archive.Metric) bool {
	if p.Metrics == nil {
		return true
	}
	names := m.Names
	if len(names) == 0 {
		names = []string{m.Name()}
	}
	for _, want := range p.Metrics {
		if slices.ContainsFunc(names, func(n string) bool { return within(n, want) }) {
			return true
		}
	}
	return false
}

// logged reports whether a part has anything of a metric in the window.
func (pt *part) logged(id pcp.PMID) bool {
	values, voids := pt.a.LoggedAt(id)
	for _, places := range append(voids[:len(voids):len(voids)], values) {
		i, _ := slices.BinarySearch(places, uint32(pt.first))
		if i < len(places) && int(places[i]) < pt.end {
			return true
		}
	}
	return false
}

// findHoles finds where data are missing: at damage, and where volumes were not
// given.
func (pt *part) findHoles(p *plan) {
	recs := pt.a.Records()
	for _, g := range slices.Concat(pt.a.Gaps(), pt.a.Damage()) {
		first, _ := pt.a.Between(g.Start+1, pcp.MaxTime)
		if first > pt.first && first < pt.end {
			pt.holes = append(pt.holes, recs[first-1].Time)
			p.notes.add(fmt.Sprintf("%s: data are missing from %s to %s; a mark was written there.", path.Base(pt.a.Name()),
				recs[first-1].Time.Std().Format("2006-01-02 15:04:05"), recs[first].Time.Std().Format("2006-01-02 15:04:05 UTC")))
		}
	}
}

// markUsed finds which metrics have values, and drops those whose values are
// all outside the window.
func (p *plan) markUsed() {
	for _, pt := range p.parts {
		for id, m := range pt.metrics {
			if !p.step() {
				return
			}
			if m.to != nil && !m.to.used && (pt.logged(id) || pt.lead.has(id)) {
				m.to.used = true
			}
		}
	}
	if p.whole {
		return
	}
	ever := map[*target]bool{}
	for _, pt := range p.parts {
		for id, m := range pt.metrics {
			if m.to != nil && pt.a.Logs(id) {
				ever[m.to] = true
			}
		}
	}
	p.drop(func(t *target) bool { return !t.used && ever[t] })
	if len(p.targets) > 0 {
		p.sayMissing()
	}
}

// sayMissing notes which of the chosen metrics have no values to write.
func (p *plan) sayMissing() {
	why := "no values in the window"
	if p.Strict {
		why += "; those before it are left out, too"
	}
	for _, want := range p.Metrics {
		if !slices.ContainsFunc(p.targets, func(t *target) bool {
			return slices.ContainsFunc(t.names, func(n string) bool { return within(n, want) })
		}) {
			p.notes.add("The result does not have " + want + ": there are " + why + ".")
		}
	}
}

// drop removes targets.
func (p *plan) drop(which func(t *target) bool) {
	p.targets = slices.DeleteFunc(p.targets, which)
	for _, pt := range p.parts {
		for _, m := range pt.metrics {
			if m.to != nil && which(m.to) {
				m.to = nil
			}
		}
	}
}

// label returns the label of the result: that of the first part, starting at
// the first record.
func (p *plan) label() archive.Label {
	l := p.parts[0].a.Label()
	l.Version, l.Features, l.Volume = p.version, 0, 0
	first := p.parts[0].begins()
	if !p.whole || l.Start > first || p.parts[0].first > 0 || p.Repair {
		l.Start = first
	}
	l.Start = p.stamp(l.Start)
	return l
}

// stamp rounds a time to the precision of the version.
func (p *plan) stamp(t pcp.Time) pcp.Time {
	if p.version == 2 {
		sec, nsec := t.Split()
		return pcp.MakeTime(sec, nsec/1000*1000)
	}
	return t
}

// begins is the time of the first record that a part writes.
func (pt *part) begins() pcp.Time {
	if pt.lead.any {
		return pt.lead.start
	}
	return pt.start
}

// sayVersion notes what an older version cannot represent.
func (p *plan) sayVersion() {
	from := 2
	for _, pt := range p.parts {
		from = max(from, pt.a.Label().Version)
	}
	if p.version == 3 || from == 2 {
		return
	}
	p.notes.add("Version 2 keeps times to the microsecond; finer differences were dropped.")
	l := p.parts[0].a.Label()
	if len(l.Host) > 63 || len(l.Timezone) > 39 {
		p.notes.add("Version 2 keeps 63 bytes of the host's name and 39 of its time zone; the rest was cut off.")
	}
	if l.Zoneinfo != "" {
		p.notes.add("Version 2 has no place for the name of the time zone, " + l.Zoneinfo + ".")
	}
}

// sortedMetrics returns the metrics of a part by PMID.
func (pt *part) sortedMetrics() []*metric {
	list := make([]*metric, 0, len(pt.metrics))
	for _, id := range slices.Sorted(maps.Keys(pt.metrics)) {
		list = append(list, pt.metrics[id])
	}
	return list
}
