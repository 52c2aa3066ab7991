package derived

import "pcpscope/core/pcp"

// ternary settles guard ? then : else with a guard that depends on values.
// See spec/derived.md section 5.2.
func (b *binder) ternary(n *Ternary, guard plan) plan {
	arms, ok := b.all(n.Then, n.Else)
	if !ok || guard == nil {
		return nil
	}
	in := append([]plan{guard}, arms...)
	g, l, r := in[0].desc(), in[1].desc(), in[2].desc()
	_, noThen := n.Then.(*NoValue)
	_, noElse := n.Else.(*NoValue)
	if !g.Type.Numeric() {
		return b.fault(n.Guard, "The guard of a ternary must be a number, which %s is not.", about(n.Guard, in[0]))
	}
	d := l
	if noThen {
		d = r
	}
	if !noThen && !noElse {
		differ := ""
		switch {
		case l.Type != r.Type:
			differ = "types"
		case l.InDom != r.InDom && l.InDom != pcp.NullInDom && r.InDom != pcp.NullInDom:
			differ = "instance domains"
		case l.Sem != r.Sem:
			differ = "semantics"
		case !sameUnits(l.Units, r.Units):
			differ = "units"
		}
		if differ != "" {
			return b.fault(n, "Both arms of a ternary must be alike, and their %s differ: %s : %s.%s", differ, about(n.Then, in[1]), about(n.Else, in[2]), mismatchHint(differ))
		}
		if d.InDom == pcp.NullInDom {
			d.InDom = r.InDom
		}
	}
	if g.InDom != pcp.NullInDom && d.InDom == pcp.NullInDom {
		return b.fault(n, "The guard %s has a value for each instance, so one of the arms must too; %s and %s have none. mkconst(…, meta=…) makes a constant for each instance.",
			about(n.Guard, in[0]), brief(n.Then), brief(n.Else))
	}
	return &ternaryPlan{shape{d, in}, noThen, noElse}
}

func mismatchHint(differ string) string {
	switch differ {
	case "types", "semantics":
		return " mkconst() gives a constant any type and semantics; instant() turns a counter into an instant."
	case "units":
		return " rescale() changes the scale; mkconst() gives a constant units."
	}
	return ""
}

// sameUnits compares dimensions, and scales of dimensions that are not 0.
func sameUnits(a, b pcp.Units) bool {
	return dimensions(a) == dimensions(b) &&
		(a.Space == 0 || a.SpaceScale == b.SpaceScale) && (a.Time == 0 || a.TimeScale == b.TimeScale) &&
		(a.Count == 0 || a.CountScale == b.CountScale) && (a.Extra == 0 || a.ExtraScale == b.ExtraScale)
}

// decide evaluates a guard that does not depend on values: integers, defined(),
// and ! && || of these.
func (b *binder) decide(n Node) (yes, decided bool) {
	switch n := n.(type) {
	case *Number:
		return n.Value != 0, n.Int
	case *Call:
		if n.Func.id == fnDefined {
			return b.defined(n.Args[0].(*Name)) != 0, true
		}
	case *Unary:
		yes, decided = b.decide(n.X)
		return !yes, decided && n.Op == OpNot
	case *Binary:
		chain, first := leftChain(n)
		for _, c := range chain {
			if c, ok := c.(*Binary); !ok || !c.Op.boolean() {
				return false, false
			}
		}
		if yes, decided = b.decide(first); !decided {
			return false, false
		}
		for _, c := range chain {
			r, decided := b.decide(c.(*Binary).R)
			switch {
			case !decided:
				return false, false
			case c.(*Binary).Op == OpAnd:
				yes = yes && r
			default:
				yes = yes || r
			}
		}
		return yes, true
	}
	return false, false
}
