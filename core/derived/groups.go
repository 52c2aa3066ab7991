package derived

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Divider, if Values implements it, can supply the values of some instances
// only, so that an aggregate over many does not need all of them at once.
type Divider interface {
	// Groups divides the instances of a metric into ranges, each of them closed;
	// nil if there are too few of them for that.
	Groups(metric string) [][2]int32
	// FrameOf is Values.Frame for the instances from first to last. A metric
	// without instances is returned as it is.
	FrameOf(metric string, first, last int32) (*series.Frame, error)
	// Numbered returns how many instances Values.Instances has for a domain if
	// their numbers are below that and not negative, else 0.
	Numbered(d pcp.InDom) int32
}

// part supplies the values of one range of instances.
type part struct {
	Values
	divider     Divider
	first, last int32
}

func (p part) Frame(metric string) (*series.Frame, error) {
	return p.divider.FrameOf(metric, p.first, p.last)
}

// groups returns the ranges in which a plan is to be computed; nil if at once.
func (e *evaluation) groups(p plan) [][2]int32 {
	d, ok := e.values.(Divider)
	if !ok || !eachAlone(p) {
		return nil
	}
	var widest [][2]int32
	var look func(p plan)
	look = func(p plan) {
		if m, ok := p.(*metricPlan); ok && isSet(p) && e.frames[m.number-1] == nil {
			if g := d.Groups(m.name); len(g) > len(widest) {
				widest = g
			}
		}
		for _, q := range p.parts() {
			look(q)
		}
	}
	look(p)
	return widest
}

// eachAlone reports whether a plan's value of an instance depends on that
// instance only, and the plan has no instances but those of its metrics.
func eachAlone(p plan) bool {
	switch p.(type) {
	case *metricPlan, *instantPlan, *negPlan, *notPlan, *rescalePlan, *deltaPlan, *ratePlan, *binaryPlan:
	case *constPlan:
		return !isSet(p)
	default:
		return false
	}
	for _, q := range p.parts() {
		if !eachAlone(q) {
			return false
		}
	}
	return true
}

// inGroups calls visit for each column of a plan, in ascending order of
// instances. The column's values are valid during the call only.
func (e *evaluation) inGroups(p plan, visit func(h head, c *column)) {
	groups := e.groups(p)
	if groups == nil {
		e.columns(p, visit)
		return
	}
	for _, g := range groups {
		if e.group(p, g, visit); e.err != nil {
			return
		}
	}
}

// group computes the columns of one range of instances. Nothing of it is kept.
func (e *evaluation) group(p plan, g [2]int32, visit func(h head, c *column)) {
	one := *e
	one.values = part{e.values, e.values.(Divider), g[0], g[1]}
	one.frames = make([]*series.Frame, len(e.frames))
	one.shared, one.arena, one.buffers = nil, nil, nil
	defer func() { e.err = one.err }() // also where it was stopped
	one.columns(p, visit)
}

func (e *evaluation) columns(p plan, visit func(h head, c *column)) {
	dst := e.borrow()
	defer e.giveBack(dst)
	for s := p.open(e); ; {
		h, ok := s.peek()
		if !ok {
			return
		}
		c := s.take(dst)
		visit(h, &c)
	}
}

// tabled is inGroups for columns that are needed at once: more than one time, or
// in the order in which PCP delivers the instances.
func (e *evaluation) tabled(p plan, ordered bool) func(visit func(h head, c *column)) {
	t := e.table(p)
	cols := make([]*column, len(t.cols))
	for k := range cols {
		cols[k] = &t.cols[k]
	}
	heads := t.heads
	if d := p.desc().InDom; ordered && d != pcp.NullInDom {
		cols, heads = e.listed(t, d)
	}
	return func(visit func(h head, c *column)) {
		for k, c := range cols {
			visit(heads[k], c)
		}
	}
}

// ascending returns how many instances of a domain PCP delivers in ascending
// order, which it does if their numbers are 0 to n-1 (see listed); 0 if the
// order is another one.
func (e *evaluation) ascending(d pcp.InDom) int32 {
	if d == pcp.NullInDom {
		return math.MaxInt32
	}
	if v, ok := e.values.(Divider); ok {
		return v.Numbered(d)
	}
	members := e.members(d)
	for i := range members {
		if id := members[i].ID; id < 0 || int(id) >= len(members) {
			return 0
		}
	}
	return int32(len(members))
}

// members keeps the domain asked for last.
func (e *evaluation) members(d pcp.InDom) []Member {
	if e.named == nil || e.domain != d {
		e.named, e.domain = e.values.Instances(d), d
	}
	return e.named
}
