package save

import (
	"fmt"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// repairTargets mends descriptions that PCP's tools stumble over.
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

// soundUnits returns units that pmlogcheck(1) does not complain of, and what
// was wrong with those that were given.
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

// repairDomains gives metrics whose instance domain is another agent's one of
// their own agent, with the same instances. Derived metrics that were logged
// (domain 511) keep that of their operands.
func (p *plan) repairDomains() {
	taken := map[pcp.InDom]bool{}
	for _, t := range p.targets {
		taken[t.InDom] = true
	}
	p.aliases = map[pcp.InDom][]pcp.InDom{}
	moved := map[[2]int]pcp.InDom{}
	for _, t := range p.targets {
		agent := t.PMID.Domain()
		if t.InDom == pcp.NullInDom || t.InDom.Domain() == agent || t.InDom.Domain() == 0 || agent == 511 {
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

// guessDomains gives metrics of which only values are known an instance
// domain, where they have values of several instances.
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

// sound says whether all values of a set are stored as the type asks for.
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

// complete sees to it that the metadata name all instances of a set.
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
	w.plan.notes.add(fmt.Sprintf("Instances of the domain %s that the metadata do not name go by their numbers.", id))
	if w.plan.version == 3 && len(d.now) > len(missing) {
		w.out.InDomDelta(t, id, w.named(id, missing), nil)
	} else {
		w.full(id, t)
	}
}
