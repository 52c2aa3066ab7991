package save

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A domain is the current state of an instance domain of the result.
type domain struct {
	now     map[int32]string // names by number, before rewriting
	chosen  map[int32]bool   // where the user chose instances
	checked []int32          // instances of the last row compared, all known
}

// An event is a change of metadata.
type event struct {
	time   pcp.Time
	change *archive.DomainChange
	label  *archive.LabelRecord
	reset  bool // a part begins: what the domain held before is gone
}

// A timeline is all changes of metadata, in order, and how far they have been
// written.
type timeline struct {
	events  []event
	next    int
	domains map[pcp.InDom]*domain
	begun   bool
	start   pcp.Time // of the result
}

// newTimeline collects the metadata of all parts.
func (p *plan) newTimeline() *timeline {
	tl := &timeline{domains: map[pcp.InDom]*domain{}, start: p.label().Start}
	wanted := p.wantedDomains()
	for i, pt := range p.parts {
		begin := pt.begins()
		if i == 0 {
			begin = tl.start
		}
		limit := pt.last
		for _, id := range pt.a.Domains() {
			if !p.step() {
				return tl
			}
			changes := pt.a.DomainChanges(id)
			if !p.step() {
				return tl
			}
			for _, as := range append(slices.Clone(p.aliases[id]), id) {
				if !wanted[as] {
					continue
				}
				for k := range changes {
					c := changes[k]
					if c.Time > limit {
						break
					}
					c.InDom = as
					tl.events = append(tl.events, event{time: max(c.Time, begin), change: &c, reset: k == 0 && i > 0})
				}
			}
		}
		labels := pt.a.LabelRecords()
		for k := range labels {
			l := &labels[k]
			if l.Time <= limit && p.wantedLabel(l, wanted) {
				tl.events = append(tl.events, event{time: max(l.Time, begin), label: l})
			}
		}
	}
	sorting.Stable(tl.events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	return tl
}

// wantedDomains are the instance domains that the result uses.
func (p *plan) wantedDomains() map[pcp.InDom]bool {
	wanted := map[pcp.InDom]bool{}
	for _, t := range p.targets {
		if t.InDom != pcp.NullInDom {
			wanted[t.InDom] = true
		}
	}
	if p.whole && p.Metrics == nil {
		for _, pt := range p.parts {
			for _, id := range pt.a.Domains() {
				wanted[id] = true
			}
		}
	}
	return wanted
}

// wantedLabel reports whether labels apply to something in the result.
func (p *plan) wantedLabel(l *archive.LabelRecord, domains map[pcp.InDom]bool) bool {
	if p.whole && p.Metrics == nil {
		return true
	}
	has := func(same func(id pcp.PMID) bool) bool {
		return slices.ContainsFunc(p.targets, func(t *target) bool { return same(t.PMID) })
	}
	switch l.Level {
	case archive.DomainLabels:
		return has(func(id pcp.PMID) bool { return id.Domain() == int(l.ID) })
	case archive.InDomLabels, archive.InstanceLabels:
		return domains[pcp.InDom(l.ID)]
	case archive.ClusterLabels:
		return has(func(id pcp.PMID) bool { return id&^0x3ff == pcp.PMID(l.ID)&^0x3ff })
	case archive.ItemLabels:
		return has(func(id pcp.PMID) bool { return id == pcp.PMID(l.ID) })
	}
	return true
}

// descriptions writes what does not change: descriptors, names, help texts.
func (w *writer) descriptions() error {
	rewrite := w.plan.Rewrite
	for i, t := range w.plan.targets {
		if i%256 == 255 && !w.turn() {
			return w.ctx.Err()
		}
		names, oneline, help := t.names, t.oneline, t.help
		if rewrite != nil {
			names, oneline, help = nil, rewrite.Help(oneline), rewrite.Help(help)
			for _, n := range t.names {
				names = append(names, rewrite.MetricName(n))
			}
		}
		w.out.Desc(t.Desc, names...)
		if err := w.out.MetricText(t.PMID, oneline, help); err != nil {
			return err
		}
	}
	written := map[pcp.InDom]bool{}
	wanted := w.plan.wantedDomains()
	for i := len(w.plan.parts) - 1; i >= 0; i-- {
		a := w.plan.parts[i].a
		for _, id := range a.Domains() {
			oneline, help := a.InDomTexts(id)
			if !wanted[id] || written[id] || oneline == "" && help == "" {
				continue
			}
			written[id] = true
			if rewrite != nil {
				oneline, help = rewrite.Help(oneline), rewrite.Help(help)
			}
			if err := w.out.InDomText(id, oneline, help); err != nil {
				return err
			}
		}
	}
	return nil
}

// metaUntil writes all changes of metadata up to a time.
func (w *writer) metaUntil(t pcp.Time) error {
	tl := w.timeline
	if !tl.begun {
		tl.begun = true
		if err := w.metaAtStart(); err != nil {
			return err
		}
	}
	for tl.next < len(tl.events) && tl.events[tl.next].time <= t {
		e := tl.events[tl.next]
		tl.next++
		var err error
		if e.label != nil {
			err = w.label(e.label, e.time)
		} else {
			err = w.change(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// metaAtStart writes what is in force at the start of the result.
func (w *writer) metaAtStart() error {
	tl := w.timeline
	type key struct {
		level archive.LabelLevel
		id    uint32
	}
	labels := map[key]*archive.LabelRecord{}
	var order []key
	for tl.next < len(tl.events) && tl.events[tl.next].time <= tl.start {
		e := tl.events[tl.next]
		tl.next++
		if !w.worked(e.size()) {
			return w.ctx.Err()
		}
		if l := e.label; l != nil {
			k := key{l.Level, l.ID}
			if labels[k] == nil {
				order = append(order, k)
			}
			labels[k] = l
			continue
		}
		w.domain(e.change.InDom).apply(e)
	}
	for _, id := range slices.Sorted(maps.Keys(tl.domains)) {
		if err := w.full(id, tl.start); err != nil {
			return err
		}
	}
	for _, k := range order {
		if err := w.label(labels[k], tl.start); err != nil {
			return err
		}
	}
	return nil
}

// size counts the instances that an event is about.
func (e event) size() int {
	if e.change == nil {
		return 1
	}
	return 1 + len(e.change.Added) + len(e.change.Gone)
}

// worked counts instances, gives others their turn now and then, and reports
// whether to go on.
func (w *writer) worked(n int) bool {
	const often = 1 << 12
	if w.sinceTurn += n; w.sinceTurn < often {
		return true
	}
	w.sinceTurn = 0
	return w.turn()
}

func (w *writer) domain(id pcp.InDom) *domain {
	d := w.timeline.domains[id]
	if d == nil {
		d = &domain{now: map[int32]string{}}
		w.timeline.domains[id] = d
	}
	return d
}

// apply applies a change and reports whether something was renamed.
func (d *domain) apply(e event) (renamed bool) {
	d.checked = nil
	if e.reset {
		clear(d.now)
	}
	for _, id := range e.change.Gone {
		delete(d.now, id)
	}
	for _, in := range e.change.Added {
		if old, there := d.now[in.ID]; there && old != in.Name {
			renamed = true
		}
		d.now[in.ID] = in.Name
	}
	return renamed
}

// change writes a change of an instance domain: in version 3 as a delta, if
// that is smaller.
func (w *writer) change(e event) error {
	id := e.change.InDom
	d := w.domain(id)
	var before map[int32]string
	if e.reset {
		before = maps.Clone(d.now)
	}
	fresh := len(d.now) == 0
	renamed := d.apply(e)
	if e.reset && maps.Equal(before, d.now) {
		return nil
	}
	added, gone := w.chosen(e.change.Added), e.change.Gone
	if w.plan.version == 2 || renamed || fresh || e.reset || len(added)+len(gone) > len(d.now) {
		return w.full(id, e.time)
	}
	if w.plan.Instances != nil {
		gone = slices.DeleteFunc(slices.Clone(gone), func(id int32) bool { return !d.chosen[id] })
		if len(added)+len(gone) == 0 {
			return nil
		}
	}
	return w.out.InDomDelta(e.time, id, w.named(id, added), gone)
}

// full writes a full instance domain. An empty one cannot be expressed: readers
// ignore such a record.
func (w *writer) full(id pcp.InDom, t pcp.Time) error {
	d := w.domain(id)
	if !w.worked(len(d.now)) {
		return w.ctx.Err()
	}
	list := make([]pcp.Instance, 0, len(d.now))
	for inst, name := range d.now {
		list = append(list, pcp.Instance{ID: inst, Name: name})
	}
	if !w.worked(len(list)) {
		return w.ctx.Err()
	}
	sorting.Stable(list, func(a, b pcp.Instance) int { return cmp.Compare(a.ID, b.ID) })
	if list = w.chosen(list); len(list) == 0 {
		return nil
	}
	return w.out.InDom(t, id, w.named(id, list))
}

// chosen keeps the instances that the user chose.
func (w *writer) chosen(list []pcp.Instance) []pcp.Instance {
	if w.plan.Instances == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(in pcp.Instance) bool { return !w.plan.chosen(in.Name) })
}

// chosen reports whether the user chose an instance: PCP compares the part
// before the first blank.
func (p *plan) chosen(name string) bool {
	for _, want := range p.Instances {
		if name == want || len(name) > len(want) && name[len(want)] == ' ' && name[:len(want)] == want {
			return true
		}
	}
	return false
}

// named gives instances their names in the result.
func (w *writer) named(id pcp.InDom, list []pcp.Instance) []pcp.Instance {
	if w.plan.Rewrite == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if i%256 == 255 && !w.turn() {
			return nil
		}
		list[i].Name = w.plan.Rewrite.Instance(id, list[i].Name)
	}
	return list
}

// label writes labels. Texts that are not objects are left out.
func (w *writer) label(l *archive.LabelRecord, t pcp.Time) error {
	sets := make([]archive.LabelSet, 0, len(l.Sets))
	for _, s := range l.Sets {
		if s.JSON != "" && !archive.ValidLabels(s.JSON) {
			w.plan.notes.add("Labels that could not be read were left out.")
			continue
		}
		if r := w.plan.Rewrite; r != nil && s.JSON != "" {
			s.JSON = r.Labels(s.JSON)
		}
		sets = append(sets, s)
	}
	if len(sets) == 0 {
		return nil
	}
	return w.out.Labels(t, l.Level, l.ID, sets)
}

// unnamed adds an instance that has values but is not in the metadata.
func (d *domain) unnamed(inst int32) string {
	name := strconv.Itoa(int(inst))
	for _, taken := range d.now {
		if taken == name {
			name = "instance-" + name
			break
		}
	}
	d.now[inst] = name
	return name
}
