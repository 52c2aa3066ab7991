package save

import (
	"fmt"
	"slices"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// repairTargets fixes descriptors that PCP's tools reject.
func (p *plan) repairTargets() {
	bad := map[*target]bool{}
	for _, t := range p.targets {
		name := t.name()
		if t.Type < pcp.NoSupport || t.Type > pcp.HighresEvent {
			p.notes.add(fmt.Sprintf("%s is left out: its type, %d, does not exist.", name, int32(t.Type)))
			bad[t] = true
			continue
		}
		if !knownSemantics(t.Desc) {
			p.notes.add(fmt.Sprintf("%s had the semantics %d, which do not exist; it is written as instant.", name, int32(t.Sem)))
			t.Sem = pcp.Instant
		}
		if u, why := soundUnits(t.Units); why != "" {
			if u.String() != t.Units.String() {
				p.notes.add(fmt.Sprintf("The units of %s, %q, %s; they are written as %q.", name, t.Units, why, u))
			}
			t.Units = u
		}
		if len(t.names) == 0 {
			t.names = []string{"unnamed.m" + strings.ReplaceAll(t.PMID.String(), ".", "_")}
			p.notes.add(fmt.Sprintf("The metric %s has no name; it is written as %s.", t.PMID, t.names[0]))
		}
	}
	p.drop(func(t *target) bool { return bad[t] })
	p.repairDomains()
}

func (t *target) name() string {
	if len(t.names) > 0 {
		return t.names[0]
	}
	return t.PMID.String()
}

func knownSemantics(d pcp.Desc) bool {
	switch d.Sem {
	case pcp.Counter, pcp.Instant, pcp.Discrete:
		return true
	}
	return d.Type == pcp.NoSupport && d.Sem == 0
}

// soundUnits returns units that pmlogcheck(1) accepts, and what was wrong with
// the given ones.
func soundUnits(u pcp.Units) (pcp.Units, string) {
	in := u
	for _, dim := range []int8{u.Space, u.Time, u.Count} {
		if dim < -2 || dim > 2 {
			return pcp.Units{}, "cannot be true"
		}
	}
	if u.Space == 0 {
		u.SpaceScale = 0
	}
	if u.Time == 0 {
		u.TimeScale = 0
	}
	if u.SpaceScale > 8 || u.TimeScale > pcp.Hour {
		return pcp.Units{}, "have a scale that does not exist"
	}
	if u != in {
		return u, "have a scale without its dimension"
	}
	return u, ""
}

// repairDomains gives metrics that use an instance domain of another agent one
// of their own agent, with the same instances. Logged derived metrics keep that
// of their operands: pmlogger writes them so, and PCP joins them by it. See
// spec/repair.md section 2.
func (p *plan) repairDomains() {
	taken := map[pcp.InDom]bool{}
	for _, t := range p.targets {
		taken[t.InDom] = true
	}
	p.aliases = map[pcp.InDom][]pcp.InDom{}
	moved := map[[2]int]pcp.InDom{}
	for _, t := range p.targets {
		agent := t.PMID.Domain()
		if t.InDom == pcp.NullInDom || t.InDom.Domain() == agent || t.InDom.Domain() == 0 || loggedDerived(t.PMID) {
			continue
		}
		key := [2]int{agent, int(t.InDom)}
		id, known := moved[key]
		if !known {
			for serial := t.InDom.Serial(); ; serial++ {
				if id = pcp.MakeInDom(agent, serial); !taken[id] {
					break
				}
			}
			taken[id], moved[key] = true, id
			p.aliases[t.InDom] = append(p.aliases[t.InDom], id)
		}
		p.notes.add(fmt.Sprintf("%s had an instance domain of another agent, %s; it is written with %s.", t.name(), t.InDom, id))
		t.InDom = id
	}
	p.guessDomains(taken)
}

// loggedDerived reports whether a derived metric was written under this PMID by
// pmlogger(1). See spec/derived.md section 9.2.
func loggedDerived(id pcp.PMID) bool {
	return id.Domain() == 511 && id.Cluster()&2048 != 0 && id.Item() != 0
}

// guessDomains gives metrics without a descriptor an instance domain if they
// have values of several instances.
func (p *plan) guessDomains(taken map[pcp.InDom]bool) {
	for _, pt := range p.parts {
		for _, m := range pt.sortedMetrics() {
			if !m.Guessed || m.to == nil || m.to.InDom != pcp.NullInDom {
				continue
			}
			obs, _ := pt.a.Observations(m.PMID)
			if len(obs.Series) == 0 || len(obs.Series) == 1 && obs.Series[0].Inst == pcp.NoInstance {
				continue
			}
			serial := 1 << 21
			for taken[pcp.MakeInDom(m.PMID.Domain(), serial)] {
				serial++
			}
			m.to.InDom = pcp.MakeInDom(m.PMID.Domain(), serial)
			taken[m.to.InDom] = true
		}
	}
}

// findResets finds where a counter starts over, to write a mark before it: its
// agent was restarted, which the archive does not say. See spec/repair.md
// section 3.
func (pt *part) findResets(p *plan) {
	defer func() { slices.Sort(pt.holes) }()
	if !p.asked || p.Every > 0 {
		return
	}
	recs, marks := pt.a.Records(), pt.a.Marks()
	var buf archive.Buffer
	renamed := map[pcp.InDom]map[int32][]pcp.Time{}
	for _, m := range pt.sortedMetrics() {
		if !p.step() {
			return
		}
		if m.to == nil || m.Sem != pcp.Counter || !m.Type.Numeric() {
			continue
		}
		obs, ok := pt.a.ObservationsIn(&buf, m.PMID)
		if !ok {
			continue
		}
		names, known := renamed[m.InDom]
		if !known && m.InDom != pcp.NullInDom {
			names = pt.renamed(m.InDom)
			renamed[m.InDom] = names
		}
		for _, s := range obs.Series {
			var resets []pcp.Time
			var last uint64
			var until pcp.Time // of its last observation
			seen := false
			for i, r := range s.Runs {
				if r.Row&(series.Gone|series.Failed) != 0 {
					continue
				}
				at, was, since, first := obs.Times[r.Row&series.RowNum], last, until, !seen
				last, seen, until = r.Val, true, obs.Times[len(obs.Times)-1]
				if i+1 < len(s.Runs) {
					until = obs.Times[s.Runs[i+1].Row&series.RowNum-1]
				}
				if first || !wasReset(m.Type, was, last) || between(marks, since, at) || between(names[s.Inst], since, at) {
					continue
				}
				resets = append(resets, at)
			}
			if len(resets) > 3 && 100*len(resets) > len(obs.Times) { // that is how it counts
				p.notes.add(m.Name() + " starts over again and again, so it was left as recorded.")
				continue
			}
			for _, at := range resets {
				if first, _ := pt.a.Between(at, at); first > pt.first && first < pt.end && recs[first-1].Time < at {
					pt.holes = append(pt.holes, recs[first-1].Time)
					p.notes.add(fmt.Sprintf("%s starts over at %s: a mark was written before it, as for an interruption.", m.Name(), at.Std().Format("2006-01-02 15:04:05 UTC")))
				}
			}
		}
	}
}

// between reports whether any of the sorted times is from from to to.
func between(times []pcp.Time, from, to pcp.Time) bool {
	i, _ := slices.BinarySearch(times, from)
	return i < len(times) && times[i] <= to
}

// renamed returns when instance numbers were reassigned.
func (pt *part) renamed(id pcp.InDom) map[int32][]pcp.Time {
	names, times := map[int32]string{}, map[int32][]pcp.Time{}
	for _, c := range pt.a.DomainChanges(id) {
		for _, in := range c.Added {
			if old, known := names[in.ID]; known && old != in.Name {
				times[in.ID] = append(times[in.ID], c.Time)
			}
			names[in.ID] = in.Name
		}
	}
	return times
}

// wasReset reports whether a counter was reset between a and b: it has neither
// grown or wrapped, nor gone back by less than half, as some kernel counters
// do.
func wasReset(typ pcp.Type, a, b uint64) bool {
	if !falls(typ, a, b) {
		return false
	}
	was, is := series.Float(typ, a), series.Float(typ, b)
	small := typ == pcp.Int32 || typ == pcp.Uint32
	return is < was/2 && !(small && wrapped(typ, a, b))
}

// sound reports whether all values of a set are stored as the type requires.
// See spec/archive.md section 6.1.
func sound(s *archive.RawSet, t pcp.Type) bool {
	if s.Format == 0 {
		return t == pcp.Int32 || t == pcp.Uint32
	}
	if t == pcp.Int32 || t == pcp.Uint32 {
		return false
	}
	width := t.Width()
	for i := range int(s.N) {
		b := s.Block(i)
		if b == nil || pcp.Type(b[0]) != t || width > 0 && len(b) != 4+width {
			return false
		}
	}
	return true
}

// complete makes sure that the metadata name all instances of a set.
func (w *writer) complete(m *metric, s *archive.RawSet, t pcp.Time) {
	id := m.to.InDom
	if id == pcp.NullInDom {
		return
	}
	d := w.domain(id)
	if len(d.checked) == int(s.N) {
		same := true
		for i, inst := range d.checked {
			if s.Inst(i) != inst {
				same = false
				break
			}
		}
		if same {
			return
		}
	}
	var missing []pcp.Instance
	d.checked = d.checked[:0]
	for i := range int(s.N) {
		inst := s.Inst(i)
		d.checked = append(d.checked, inst)
		if _, known := d.now[inst]; !known && inst >= 0 {
			missing = append(missing, pcp.Instance{ID: inst, Name: d.unnamed(inst)})
		}
	}
	if len(missing) == 0 {
		return
	}
	w.plan.notes.add(fmt.Sprintf("Instances of the domain %s without a name in the metadata are named by number.", id))
	if w.plan.version == 3 && len(d.now) > len(missing) {
		w.out.InDomDelta(t, id, w.named(id, missing), nil)
	} else {
		w.full(id, t)
	}
}
