package derived

import "pcpscope/core/series"

// ternaryPlan is guard ? then : else with a guard that depends on values.
//
// PCP 7.2.1 pairs guard and arms by their positions in the value lists, which
// mixes up instances. Here they are paired by instance number, as everywhere.
type ternaryPlan struct {
	shape
	noThen, noElse bool // which arm is novalue()
}

// An arm is one side of the colon, evaluated as needed.
type arm struct {
	none  bool
	alone *column // singular
	set   *table
	empty []miss // why points have no value at all; nil if none is missing
	shift uint64 // added to values that refer to strings
}

func (p *ternaryPlan) arm(e *evaluation, q plan, none bool) *arm {
	a := &arm{none: none}
	switch {
	case none:
	case isSet(q):
		a.set = e.table(q)
		a.empty = e.nothing(a.set, q)
	default:
		c := e.one(q)
		a.alone, a.empty = &c, c.miss
	}
	return a
}

// open follows spec/derived.md section 6: there is no value without a guard,
// nor where an arm has no value at all, even if it is the other one.
func (p *ternaryPlan) open(e *evaluation) stream {
	arms := [2]*arm{p.arm(e, p.in[1], p.noThen), p.arm(e, p.in[2], p.noElse)}
	if !p.d.Type.Numeric() && !p.noThen && !p.noElse {
		arms[1].shift = uint64(e.blobs(p.in[1]).Len())
	}
	guards := e.table(p.in[0])
	for i := range guards.cols {
		truths := make([]uint64, e.n)
		nonzero(truths, guards.cols[i].vals, p.in[0].desc().Type)
		guards.cols[i].vals = truths
	}
	if isSet(p.in[0]) {
		out := &table{}
		for i, h := range guards.heads {
			out.heads = append(out.heads, h)
			out.cols = append(out.cols, e.choose(&guards.cols[i], arms, h.inst))
		}
		return &tableStream{table: out}
	}
	if !isSet(p) {
		return single(e.choose(&guards.cols[0], arms, singular.inst))
	}
	out := &table{heads: union(arms)}
	for _, h := range out.heads {
		out.cols = append(out.cols, e.among(e.choose(&guards.cols[0], arms, h.inst), &guards.cols[0], arms, h.inst))
	}
	return &tableStream{table: out}
}

// union lists the instances of both arms, in order.
func union(arms [2]*arm) []head {
	var all []head
	for _, a := range arms {
		if a.set != nil {
			all = append(all, a.set.heads...)
		}
	}
	return sortHeads(all)
}

// choose computes one instance.
func (e *evaluation) choose(guard *column, arms [2]*arm, inst int32) column {
	e.work(1)
	out := column{vals: make([]uint64, e.n), codes: guard.codes}
	var cols [2]*column
	for k, a := range arms {
		cols[k] = a.alone
		if a.set != nil {
			cols[k] = a.set.find(inst)
		}
		if cols[k] != nil {
			out.codes = mergeCodes(out.codes, cols[k].codes)
		}
	}
	m, some := e.misses(), false
	for i, yes := range guard.vals {
		k := 1 - int(yes)
		switch {
		case !guard.has(i):
			m[i] = guard.miss[i]
		case arms[0].empty != nil && arms[0].empty[i] != 0:
			m[i] = arms[0].empty[i]
		case arms[1].empty != nil && arms[1].empty[i] != 0:
			m[i] = arms[1].empty[i]
		case arms[k].none:
			m[i] = missing(series.NotChosen, 0)
		case cols[k] == nil:
			m[i] = missing(series.InstanceAbsent, 0)
		case !cols[k].has(i):
			m[i] = cols[k].miss[i]
		default:
			out.vals[i] = cols[k].vals[i] + arms[k].shift
			continue
		}
		some = true
	}
	if some {
		out.miss, out.own = m, true
	}
	return out
}

// among removes the points at which a singular arm was chosen although the
// instance set of the other arm does not contain the instance at that point.
func (e *evaluation) among(c column, guard *column, arms [2]*arm, inst int32) column {
	var m []miss
	for k, a := range arms {
		other := arms[1-k]
		if a.alone == nil || other.set == nil {
			continue
		}
		in := other.set.find(inst)
		for i, yes := range guard.vals {
			if 1-int(yes) != k || in.has(i) || !c.has(i) {
				continue
			}
			if m == nil {
				m = e.misses()
				copy(m, c.miss)
			}
			m[i] = in.miss[i]
		}
	}
	if m != nil {
		c.miss, c.own = m, true
	}
	return c
}
