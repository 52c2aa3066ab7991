package save

import (
	"fmt"
	"path"
	"slices"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// join merges the metrics of all parts. The last meaning of a name wins:
// earlier values are converted, or left out.
func (p *plan) join() {
	byName := map[string]*target{}
	byID := map[pcp.PMID]*target{}
	for i := len(p.parts) - 1; i >= 0; i-- {
		pt := p.parts[i]
		pt.metrics = map[pcp.PMID]*metric{}
		for k, m := range pt.a.Metrics() {
			if k%1024 == 1023 && !p.step() {
				return // newPlan asks again
			}
			// Values without a descriptor get one, as no other tool reads them.
			p.Repair = p.Repair || m.Guessed
			pt.metrics[m.PMID] = p.place(pt, m, byName, byID)
		}
	}
	seen := map[*target]bool{}
	for _, pt := range p.parts {
		for k, m := range pt.sortedMetrics() {
			if k%1024 == 1023 && !p.step() {
				return
			}
			if t := m.to; t != nil && !seen[t] {
				seen[t] = true
				p.targets = append(p.targets, t)
			}
		}
	}
	for i := range p.parts {
		p.hide(i)
	}
}

// place finds or makes the target of a metric.
func (p *plan) place(pt *part, m *archive.Metric, byName map[string]*target, byID map[pcp.PMID]*target) *metric {
	one := &metric{Metric: m}
	var to *target
	for _, name := range m.Names {
		if to = byName[name]; to != nil {
			break
		}
	}
	if to == nil && len(m.Names) == 0 {
		to = byID[m.PMID]
	}
	leave := func(why string) *metric {
		p.notes.add(fmt.Sprintf("%s of %s is left out: %s.", m.Name(), path.Base(pt.a.Name()), why))
		return one
	}
	if to == nil {
		if other := byID[m.PMID]; other != nil {
			if len(other.names) == 0 || len(m.Names) == 0 {
				to = other
			} else if conflict := pcp.Difference(m.Desc, other.Desc); conflict == "" && renamed(pt.a, other) {
				to = other // the same metric under a new name
				other.names = append(other.names, m.Names...)
			} else {
				return leave("its number " + m.PMID.String() + " became that of " + other.names[0])
			}
		}
	}
	if to == nil {
		to = &target{Desc: m.Desc, names: slices.Clone(m.Names)}
		to.oneline, to.help = pt.a.MetricTexts(m.PMID)
		byID[to.PMID] = to
		for _, name := range to.names {
			byName[name] = to
		}
		one.to = to
		return one
	}
	for _, name := range m.Names {
		if byName[name] == nil {
			byName[name] = to
			to.names = append(to.names, name)
		}
	}
	if to.oneline == "" && to.help == "" {
		to.oneline, to.help = pt.a.MetricTexts(m.PMID)
	}
	one.to = to
	if pcp.Difference(m.Desc, to.Desc) == "" {
		return one
	}
	convert, why := newConversion(m.Desc, to.Desc)
	if why != "" {
		one.to = nil
		return leave("it changed " + pcp.Difference(m.Desc, to.Desc) + " later, and " + why)
	}
	one.convert = convert
	what := "are converted"
	if convert == nil {
		what = "stay as they are"
	}
	p.notes.add(fmt.Sprintf("%s changed %s after %s: its values from before %s.", m.Name(), pcp.Difference(m.Desc, to.Desc), path.Base(pt.a.Name()), what))
	return one
}

// renamed reports whether a metric that has another name in another part can be
// the same one: no part has both names.
func renamed(a *archive.Archive, other *target) bool {
	for _, name := range other.names {
		if _, both := a.Lookup(name); both {
			return false
		}
	}
	return true
}

// hide determines, for archives that overlap in time, from when on a later one
// has the values of a metric.
func (p *plan) hide(i int) {
	pt := p.parts[i]
	for _, later := range p.parts[i+1:] {
		if later.start > pt.last {
			continue
		}
		has := map[*target]bool{}
		for id, m := range later.metrics {
			if m.to != nil && later.logged(id) {
				has[m.to] = true
			}
		}
		for _, m := range pt.metrics {
			if m.to != nil && has[m.to] && (m.hidden == 0 || later.start < m.hidden) {
				m.hidden = later.start
			}
		}
	}
}

// choose leaves out what the user did not choose, and what cannot be thinned.
func (p *plan) choose() {
	unwanted := map[*target]bool{}
	for _, pt := range p.parts {
		for _, m := range pt.metrics {
			if m.to != nil && !p.wanted(m.Metric) {
				unwanted[m.to] = true
			}
		}
	}
	p.drop(func(t *target) bool { return unwanted[t] })
	if p.Repair {
		p.repairTargets()
	}
	if p.Every > 0 {
		p.thinTargets()
	}
	for _, pt := range p.parts {
		pt.plain = p.plain(pt)
	}
}

// plain reports whether records of a part can be copied unchanged.
func (p *plan) plain(pt *part) bool {
	if p.Repair || p.Rewrite != nil || p.Every > 0 || p.Instances != nil {
		return false
	}
	for id, m := range pt.metrics {
		if m.to == nil || m.convert != nil || m.to.PMID != id || m.hidden != 0 {
			return false
		}
	}
	return true
}
