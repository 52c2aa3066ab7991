package derived

import (
	"math"
	"strings"

	"pcpscope/core/pcp"
)

// Descriptors of literals. See spec/derived.md section 5.1.
var (
	noDesc      = pcp.Desc{Type: pcp.Int32, Sem: pcp.Discrete, InDom: pcp.NullInDom}
	integerDesc = pcp.Desc{Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.NullInDom}
	doubleDesc  = pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, InDom: pcp.NullInDom}
)

func literal(n *Number) plan {
	if n.Int {
		return &constPlan{shape: shape{d: integerDesc}, bits: uint64(n.Value)}
	}
	return &constPlan{shape: shape{d: doubleDesc}, bits: math.Float64bits(n.Value)}
}

// described applies specs to the metadata of the metric they name, or to d.
func (b *binder) described(s *Specs, d pcp.Desc) (pcp.Desc, bool) {
	if s.Meta != nil {
		m, ok := b.md.Desc(s.Meta.Name)
		if !ok && b.defs != nil {
			if def := b.defs.Lookup(s.Meta.Name); def != nil {
				p := b.derived(s.Meta, def)
				if p == nil {
					return d, false
				}
				m, ok = p.desc(), true
			}
		}
		if !ok {
			b.fault(s.Meta, "The metric %s, whose metadata is to be used, does not exist here.", clip(s.Meta.Name))
			return d, false
		}
		d = m
	}
	return s.over(d), true
}

func (b *binder) constant(n *Const) plan {
	d := doubleDesc
	if n.X.Int {
		d = integerDesc
	}
	d, ok := b.described(&n.Specs, d)
	switch {
	case !ok:
		return nil
	case !d.Type.Numeric():
		return b.fault(n, "A constant is a number and cannot have the type %s of %s.", d.Type, clip(n.Meta.Name))
	case !n.X.Int && d.Type.Integer():
		return b.fault(n, "The number %s has a fraction and cannot be of the type %s.", n.X.Text, d.Type)
	}
	p := &constPlan{shape: shape{d: d}}
	switch d.Type {
	case pcp.Int32: // like a conversion in C
		p.bits = uint64(int64(int32(uint32(n.X.Value))))
	case pcp.Float:
		p.bits = uint64(math.Float32bits(float32(n.X.Value)))
	case pcp.Double:
		p.bits = math.Float64bits(n.X.Value)
	default:
		p.bits = uint64(n.X.Value)
	}
	return p
}

func (b *binder) novalue(n *NoValue) plan {
	if d, ok := b.described(&n.Specs, noDesc); ok {
		return &nonePlan{shape{d: d}}
	}
	return nil
}

func (b *binder) unary(n *Unary) plan {
	in, ok := b.all(n.X)
	if !ok {
		return nil
	}
	d := in[0].desc()
	if n.Op == OpNot {
		d.Type, d.Units = pcp.Uint32, pcp.Units{}
		return &notPlan{shape{d, in}}
	}
	switch d.Type {
	case pcp.Uint32:
		d.Type = pcp.Int32
	case pcp.Uint64:
		d.Type = pcp.Int64
	}
	if !d.Type.Numeric() {
		return b.fault(n, "%s is not a number and cannot be negated.", about(n.X, in[0]))
	}
	d.Sem = pcp.Instant
	return &negPlan{shape{d, in}}
}

// call determines the descriptor of a function. See spec/derived.md section
// 5.1.
func (b *binder) call(n *Call) plan {
	switch n.Func.id {
	case fnDefined:
		return &constPlan{shape{d: integerDesc}, b.defined(n.Args[0].(*Name)), true}
	case fnAnon:
		name := n.Args[0].(*Name).Name
		t, ok := typesByName[strings.ToLower(strings.TrimPrefix(name, "PM_TYPE_"))]
		if !ok || !strings.HasPrefix(name, "PM_TYPE_") {
			return b.fault(n.Args[0], "%s is not a type; PM_TYPE_U32 is one.", clip(name))
		}
		return &nonePlan{shape{d: pcp.Desc{Type: t, Sem: pcp.Discrete, InDom: pcp.NullInDom}}}
	}
	if n.Func.id == fnTally {
		return b.tally(n)
	}
	x := n.Args[len(n.Args)-1] // the operand
	if n.Func.args[0] == argExpr {
		x = n.Args[0]
	}
	in, ok := b.all(x)
	if !ok {
		return nil
	}
	d := in[0].desc()
	switch n.Func.id {
	case fnCount:
		return &aggregatePlan{shape{pcp.Desc{Type: pcp.Uint32, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Count: 1}}, in}, fnCount}
	case fnInstant:
		if d.Sem == pcp.Counter {
			d.Sem = pcp.Instant
		}
		return &instantPlan{shape{d, in}}
	case fnScalar:
		d.InDom = pcp.NullInDom
		return &scalarPlan{shape{d, in}}
	}
	if !d.Type.Numeric() {
		return b.fault(n, "%s() needs numbers, which %s are not.", n.Func.Name, about(x, in[0]))
	}
	switch n.Func.id {
	case fnDelta:
		switch d.Type {
		case pcp.Uint32:
			d.Type = pcp.Int64
		case pcp.Uint64:
			d.Type = pcp.Double
		}
		d.Sem = pcp.Instant
		return &deltaPlan{shape{d, in}}
	case fnRate:
		return b.rate(n, x, in)
	case fnRescale:
		return b.rescale(n, x, in)
	case fnSlope:
		return b.slope(n, x, in)
	case fnTopN:
		return b.topN(n, in)
	case fnMovSlope:
		return b.movSlope(n, x, in)
	case fnMovAvg:
		return b.movAvg(n, x, in)
	}
	return b.aggregate(n, x, in)
}

// aggregate reduces all instances to one value.
func (b *binder) aggregate(n *Call, x Node, in []plan) plan {
	d := in[0].desc()
	d.InDom = pcp.NullInDom
	switch n.Func.id {
	case fnAvg:
		d.Type = pcp.Float
	case fnSum:
		return &aggregatePlan{shape{d, in}, fnSum} // a sum of counters is a counter
	case fnPercentile:
		p, short := percentiles[n.Func.Name]
		if !short {
			p = n.Args[0].(*Number).Value
		}
		if p > 100 {
			return b.fault(n.Args[0], "A percentile is a number from 0 to 100.")
		}
		if d.Sem == pcp.Counter {
			return b.fault(n, "A percentile of counters such as %s is meaningless: it jumps from one instance to another. Take the percentile of their rate().", about(x, in[0]))
		}
		d.Type, d.Sem = pcp.Double, pcp.Instant
		return &percentilePlan{shape{d, in}, p}
	}
	d.Sem = pcp.Instant
	return &aggregatePlan{shape{d, in}, n.Func.id}
}

func (b *binder) rate(n *Call, x Node, in []plan) plan {
	d, seconds, ok := b.perSecond(n, x, in[0])
	if !ok {
		return nil
	}
	return &ratePlan{shape{d, in}, in[0].desc().Sem == pcp.Counter, seconds}
}

func (b *binder) slope(n *Call, x Node, in []plan) plan {
	d, seconds, ok := b.perSecond(n, x, in[0])
	if !ok {
		return nil
	}
	return &slopePlan{shape{d, in}, seconds}
}

func (b *binder) movSlope(n *Call, x Node, in []plan) plan {
	window, bad := parseDuration(n.Args[1].(*Text).Text)
	if bad != nil {
		return b.fault(n.Args[1], "%s", bad.Message)
	}
	d, seconds, ok := b.perSecond(n, x, in[0])
	if !ok {
		return nil
	}
	return &movSlopePlan{shape{d, in}, window, seconds}
}

// perSecond describes the growth per second of a plan's result. seconds is the
// length of its unit if that is a time, else 1.
func (b *binder) perSecond(n *Call, x Node, of plan) (d pcp.Desc, seconds float64, ok bool) {
	d, seconds = of.desc(), 1
	switch d.Units.Time {
	case 0:
		d.Units.TimeScale = pcp.Sec
	case 1:
		if int(d.Units.TimeScale) < len(secondsIn) {
			seconds = secondsIn[d.Units.TimeScale]
		}
		d.Units.TimeScale = 0
	default:
		b.fault(n, "%s() needs something whose units have no time, or time once: %s.", n.Func.Name, about(x, of))
		return d, 0, false
	}
	d.Units.Time--
	d.Type, d.Sem = pcp.Double, pcp.Instant
	return d, seconds, true
}

// tally determines the descriptor of tally(x, y): only the instances of y
// matter.
func (b *binder) tally(n *Call) plan {
	in, ok := b.all(n.Args...)
	if !ok {
		return nil
	}
	for i, p := range in {
		if !isSet(p) {
			return b.fault(n.Args[i], "tally() needs instances, which %s do not have.", about(n.Args[i], p))
		}
	}
	if !in[0].desc().Type.Integer() {
		return b.fault(n.Args[0], "tally() counts instance numbers, and %s are not whole numbers.", about(n.Args[0], in[0]))
	}
	return &tallyPlan{shape{pcp.Desc{Type: pcp.Uint32, Sem: pcp.Instant, InDom: in[1].desc().InDom}, in}}
}

// secondsIn is the length of each time unit in seconds, rounded step by step as
// PCP does.
var secondsIn = [...]float64{pcp.Nanosec: thousandth(3), pcp.Microsec: thousandth(2), pcp.Millisec: thousandth(1), pcp.Sec: 1, pcp.Min: 60, pcp.Hour: 3600}

// thousandth divides 1 by 1000 n times, which for n = 3 differs from 1e-9.
func thousandth(n int) float64 {
	v := 1.0
	for range n {
		v /= 1000
	}
	return v
}

func (b *binder) rescale(n *Call, x Node, in []plan) plan {
	d := in[0].desc()
	to, _, err := pcp.ParseUnits(n.Args[1].(*Text).Text)
	if err != nil {
		return b.fault(n.Args[1], "%s", pcp.AsFault(err).Message)
	}
	from := d.Units
	physical, ok := physicalScale(from, to)
	from.ExtraScale = to.ExtraScale
	scale, same := pcp.ScaleOf(from, to)
	if !ok || !same {
		return b.fault(n, "%s cannot be converted to %s: the dimensions differ.", about(x, in[0]), quote(to.String()))
	}
	d.Units = to
	return &rescalePlan{shape{d, in}, scale, physical}
}

func (b *binder) topN(n *Call, in []plan) plan {
	k := n.Args[0].(*Number)
	if !k.Int || k.Value < 1 {
		return b.fault(k, "The number of instances to keep must be a whole number, at least 1.")
	}
	if in[0].desc().Sem == pcp.Counter {
		return b.fault(n, "The largest of counters such as %s are those that have run longest; keep the largest of their rate().", about(n.Args[1], in[0]))
	}
	return &topPlan{shape{in[0].desc(), in}, int(min(k.Value, math.MaxInt32))}
}

func (b *binder) movAvg(n *Call, x Node, in []plan) plan {
	d := in[0].desc()
	if d.Sem == pcp.Counter {
		return b.fault(n, "The average of a counter such as %s is meaningless; average its rate().", about(x, in[0]))
	}
	window, bad := parseDuration(n.Args[1].(*Text).Text)
	if bad != nil {
		return b.fault(n.Args[1], "%s", bad.Message)
	}
	d.Type, d.Sem = pcp.Double, pcp.Instant
	return &movAvgPlan{shape{d, in}, window}
}

// defined returns 1 for a metric of the source or a definition that can be
// bound here.
func (b *binder) defined(n *Name) uint64 {
	if _, ok := b.md.Desc(n.Name); ok {
		return 1
	}
	if b.defs != nil {
		if def := b.defs.Lookup(n.Name); def != nil {
			before := len(b.faults)
			p := b.derived(n, def)
			b.faults = b.faults[:before]
			if p != nil {
				return 1
			}
		}
	}
	return 0
}
