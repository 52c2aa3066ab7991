package derived

import "pcpscope/core/pcp"

// binary determines the descriptor of x op y, where x is bound to left. The
// checks are in the order of spec/derived.md section 4, and the first failure
// is reported.
func (b *binder) binary(n *Binary, left plan) plan {
	in := []plan{left, b.bind(n.R)}
	if in[0] == nil || in[1] == nil {
		return nil
	}
	l, r := in[0].desc(), in[1].desc()
	if bad := b.checkBinary(n, in); bad {
		return nil
	}
	base := l
	if isLiteral(in[0]) {
		base = r
	}
	d := pcp.Desc{InDom: l.InDom, Sem: base.Sem, Type: max(l.Type, r.Type)}
	if d.InDom == pcp.NullInDom {
		d.InDom = r.InDom
	}
	if l.Sem != pcp.Counter && r.Sem != pcp.Counter {
		d.Sem = pcp.Instant
		if l.Sem == pcp.Discrete && r.Sem == pcp.Discrete {
			d.Sem = pcp.Discrete
		}
	}
	p := &binaryPlan{op: n.Op, common: d.Type}
	switch {
	case n.Op.relational() || n.Op.boolean(): // compared unscaled, in the common type
		d.Type = pcp.Uint32
	default:
		var fits bool
		d.Units, p.left, p.right, fits = combine(n.Op, l.Units, r.Units, base.Units)
		if !fits {
			return b.fault(n, "The power of a unit goes beyond -8 to 7: %s %s %s.", about(n.L, in[0]), n.Op, about(n.R, in[1]))
		}
		if n.Op == OpDiv || !p.left.none() || !p.right.none() {
			d.Type = pcp.Double
		}
		p.common = d.Type
	}
	p.shape = shape{d, in}
	return p
}

func (b *binder) checkBinary(n *Binary, in []plan) (bad bool) {
	l, r, op := in[0].desc(), in[1].desc(), n.Op
	lc, rc := l.Sem == pcp.Counter, r.Sem == pcp.Counter
	arithmetic := op == OpAdd || op == OpSub || op == OpMul || op == OpDiv
	reason := ""
	switch {
	case arithmetic && lc && rc && op != OpAdd && op != OpSub:
		reason = "two counters can only be added or subtracted; rate() or delta() makes them numbers that can be multiplied and divided"
	case arithmetic && lc && !rc && op != OpMul && op != OpDiv:
		reason = "a counter can only be multiplied or divided by what is not a counter; rate(), delta() or instant() makes it something that can be added"
	case arithmetic && !lc && rc && op != OpMul:
		reason = "what is not a counter can only be multiplied with a counter; rate(), delta() or instant() makes the counter an ordinary number"
	case !l.Type.Numeric():
		reason = brief(n.L) + " is not a number"
	case !r.Type.Numeric():
		reason = brief(n.R) + " is not a number"
	case (op == OpAdd || op == OpSub) && !additive(l.Units, r.Units):
		reason = "their dimensions differ, so that " + map[Op]string{OpAdd: "a sum", OpSub: "a difference"}[op] + " has no meaning"
	case op.relational() && l.Type != pcp.Uint32 && r.Type != pcp.Uint32 && !additive(l.Units, r.Units):
		reason = "their dimensions differ, so that they cannot be compared"
		if isLiteral(in[0]) || isLiteral(in[1]) {
			reason += "; a whole number may be compared with anything, and mkconst() gives any number units"
		}
	case op.boolean() && !(l.Units.Dimensionless() && r.Units.Dimensionless()):
		reason = "both sides must be conditions without units; compare them with something, as in x > 0"
	case (op == OpMul || op == OpDiv || op.relational()) && lc && !rc && !r.Units.Dimensionless():
		reason = brief(n.R) + " must have no units, as the other side is a counter; rate() or instant() lifts that"
	case (op == OpMul || op == OpDiv || op.relational()) && !lc && rc && !l.Units.Dimensionless():
		reason = brief(n.L) + " must have no units, as the other side is a counter; rate() or instant() lifts that"
	case op == OpMul && l.Units.Extra != 0 && r.Units.Extra != 0:
		reason = "only one side of * may have a physical unit"
	case l.Units.Extra != 0 && r.Units.Extra != 0 && (l.Units.Extra != r.Units.Extra || l.Units.ExtraScale != r.Units.ExtraScale):
		reason = "their physical units differ"
	case l.InDom != pcp.NullInDom && r.InDom != pcp.NullInDom && !sameInstances(l.InDom, r.InDom):
		reason = "their instances are of different kinds; scalar() or a sum over instances makes a single value of one side"
	default:
		return false
	}
	b.fault(n, "%s %s %s: %s.", about(n.L, in[0]), op, about(n.R, in[1]), reason)
	if (op == OpAdd || op == OpSub) && b.guesses() && !additive(l.Units, r.Units) {
		b.relative(n.R, l)
	}
	return true
}

// additive reports whether values in these units may be added or compared: the
// dimensions are the same, or one side has none and the other is a count.
func additive(a, b pcp.Units) bool {
	count := pcp.Units{Count: 1}
	da, db := dimensions(a), dimensions(b)
	return da == db || da == (pcp.Units{}) && db == count || da == count && db == (pcp.Units{})
}

// dimensions returns u without its scales.
func dimensions(u pcp.Units) pcp.Units {
	return pcp.Units{Space: u.Space, Time: u.Time, Count: u.Count, Extra: u.Extra}
}

// sameInstances reports whether equal instance numbers mean the same instance:
// within one domain, and across those that PCP's indom.conf declares equal,
// namely processes wherever they are listed and what the generic Linux agent
// shares with its containers.
func sameInstances(a, b pcp.InDom) bool {
	process := func(d pcp.InDom) bool {
		return d == pcp.MakeInDom(3, 9) || d == pcp.MakeInDom(3, 39) || d == pcp.MakeInDom(3, 40)
	}
	cpu := func(d pcp.InDom) bool { return d == pcp.MakeInDom(60, 0) || d.Domain() == 127 }
	return a == b || process(a) && process(b) || cpu(a) && cpu(b)
}

// A factor converts an operand's values to the scale of the result: (v / div) *
// mul. The zero value converts nothing.
type factor struct{ div, mul float64 }

func (f factor) none() bool { return f == factor{} }

// combine returns the units of x op y and the factor that converts each side to
// them. Of two scales on one axis the larger is kept and the other side
// converted, once, whatever the power. The units of a literal are treated like
// any others, so the result's units match its numbers. See spec/derived.md
// section 4, with defects (a) and (b) fixed.
func combine(op Op, l, r, base pcp.Units) (u pcp.Units, left, right factor, fits bool) {
	u, fits = base, true
	if op == OpMul || op == OpDiv {
		sign := int8(1)
		if op == OpDiv {
			sign = -1
		}
		u = pcp.Units{Space: l.Space + sign*r.Space, Time: l.Time + sign*r.Time, Count: l.Count + sign*r.Count, Extra: l.Extra + sign*r.Extra}
		if u.ExtraScale = l.ExtraScale; l.Extra == 0 {
			u.ExtraScale = r.ExtraScale
		}
		if u.Extra == 0 {
			u.ExtraScale = 0
		}
	}
	axis := func(ldim, rdim, dim int8, lscale, rscale int, steps func(from, to int) float64) (scale int) {
		switch {
		case ldim != 0 && rdim != 0 && lscale < rscale:
			left.add(ldim, steps(lscale, rscale))
			scale = rscale
		case ldim != 0 && rdim != 0 && lscale > rscale:
			right.add(rdim, steps(rscale, lscale))
			scale = lscale
		case ldim != 0:
			scale = lscale
		default:
			scale = rscale
		}
		if dim == 0 {
			scale = 0
		}
		fits = fits && dim >= -8 && dim <= 7
		return scale
	}
	u.CountScale = int8(axis(l.Count, r.Count, u.Count, int(l.CountScale), int(r.CountScale), countSteps))
	u.TimeScale = uint8(axis(l.Time, r.Time, u.Time, int(l.TimeScale), int(r.TimeScale), timeSteps))
	u.SpaceScale = uint8(axis(l.Space, r.Space, u.Space, int(l.SpaceScale), int(r.SpaceScale), spaceSteps))
	return u, left, right, fits
}

// add includes another axis of the operand, on which it has the power dim.
func (f *factor) add(dim int8, ratio float64) {
	if f.none() {
		*f = factor{1, 1}
	}
	if dim > 0 {
		f.div *= ratio
	} else {
		f.mul *= ratio
	}
}

func countSteps(from, to int) float64 { return power(10, to-from) }
func spaceSteps(from, to int) float64 { return power(1024, to-from) }

func timeSteps(from, to int) float64 {
	ratio, steps := 1.0, [...]float64{1000, 1000, 1000, 60, 60}
	for i := from; i < to && i < len(steps); i++ {
		ratio *= steps[i]
	}
	return ratio
}

func power(base float64, n int) float64 {
	v := 1.0
	for range n {
		v *= base
	}
	return v
}
