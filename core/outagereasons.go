package core

import (
	"cmp"
	"path"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// An absence is one explanation for why a stretch of time has no records.
type absence struct {
	pcp.Span
	why  string // the value of api.Outage.Why; "" when it only names a file
	rank int    // the lowest rank is reported
	file string // the missing or damaged file, "" if not known
}

// absences holds whatever explains missing records of a source, in order of
// time. Callers ask about stretches in order of time too, so each query looks
// only at what overlaps it, however many archives there are.
type absences struct {
	later []absence // by start, all after the stretches queried so far
	open  []absence // begun before the end of the last stretch queried
	marks []absence // by time, from the start of the last stretch on
}

// absences collects the absences of a source. A missing volume is the best
// explanation, then damage; of marks and gaps between archives the first is
// reported.
func (src *source) absences() *absences {
	const volume, damage, other = 0, 1, 2
	all := new(absences)
	for i, p := range src.parts {
		if i > 0 {
			all.later = append(all.later, absence{pcp.Span{Start: src.parts[i-1].End(), End: p.Start()}, "between archives", other + 2*i, ""})
		}
		for _, m := range p.Marks() {
			all.marks = append(all.marks, absence{pcp.Span{Start: m, End: m}, "mark", other + 2*i + 1, ""})
		}
		for _, g := range p.Damage() {
			all.later = append(all.later, absence{pcp.Span{Start: g.Start, End: g.End}, "damage", damage, ""})
		}
		for _, f := range p.Problems() {
			if f.Lost != nil {
				all.later = append(all.later, absence{pcp.Span{Start: f.Lost.Start, End: f.Lost.End}, "", 0, f.File})
			}
		}
		name := ""
		if a, ok := p.(recorded); ok && len(a.Group().Volumes) == 0 {
			name = a.Group().Name + ".0"
		}
		for _, g := range p.Gaps() {
			all.later = append(all.later, absence{pcp.Span{Start: g.Start, End: g.End}, "missing volume", volume, name})
		}
	}
	byTime := func(a, b absence) int { return cmp.Compare(a.Start, b.Start) }
	sorting.Stable(all.later, byTime)
	sorting.Stable(all.marks, byTime)
	return all
}

// explained is the explanation of an outage, and whether the outage belongs to
// a volume that was not given.
type explained struct {
	api.Outage
	volume bool
}

// during explains why a stretch has no records. Stretches must be passed in
// order: none may begin before the previous one ended.
func (all *absences) during(start, end pcp.Time) explained {
	for len(all.later) > 0 && all.later[0].Start < end {
		all.open, all.later = append(all.open, all.later[0]), all.later[1:]
	}
	all.open = slices.DeleteFunc(all.open, func(a absence) bool { return a.End <= start })
	for len(all.marks) > 0 && all.marks[0].Start < start {
		all.marks = all.marks[1:]
	}
	found := explained{Outage: api.Outage{Start: start, End: end, Why: "no records"}}
	best := -1
	explain := func(a absence) {
		if a.why != "" && (best < 0 || a.rank < best) {
			best, found.Why = a.rank, a.why
		}
		if a.file != "" && !slices.Contains(found.Files, path.Base(a.file)) {
			found.Files = append(found.Files, path.Base(a.file))
		}
	}
	for _, a := range all.open {
		explain(a)
	}
	for _, a := range all.marks {
		if a.Start > end {
			break
		}
		explain(a)
	}
	found.volume = best == 0
	return found
}
