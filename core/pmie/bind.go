package pmie

import (
	"math"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Source has the values that rules are about: those of one host.
type Source interface {
	Host() string
	Lookup(metric string) (pcp.Desc, bool)
	// Frame returns a metric's values as a context in interpolated mode has
	// them on a grid.
	Frame(metric string, grid series.Grid) (series.Frame, error)
}

// bind finds a rule's metrics in a source, and checks what depends on them.
func (p *Program) bind(r *Rule, src Source) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case *pcp.Fault:
			r.Fault = f
			if f.Kind != pcp.UnknownMetric {
				r.root = nil
			}
		default:
			panic(f)
		}
	}()
	b := binder{text: p.text, places: &p.places, src: src}
	b.node(r.root)
	switch {
	case r.root.sort == text:
		b.fail(r.root.at, "This is a text, not a condition.")
	case r.root.samples > 1:
		b.fail(r.root.at, "The condition has %d samples at each moment: put some_sample, all_sample or N%%_sample in front.", r.root.samples)
	case r.root.many && len(r.Actions) > 0:
		b.fail(r.root.at, "A rule with actions needs one condition for all instances: put some_inst, all_inst or N%%_inst in front.")
	}
	if b.unknown != nil {
		panic(b.unknown)
	}
}

type binder struct {
	text    string
	places  *places
	src     Source
	unknown *pcp.Fault
}

func (b *binder) fail(at int, format string, args ...any) {
	panic(b.places.fault(b.text, at, format, args...))
}

func (b *binder) node(n *node) {
	if n == nil {
		return
	}
	b.node(n.a)
	b.node(n.b)
	switch {
	case n.op == "metric":
		b.metric(n)
	case n.a == nil:
	case n.b != nil:
		b.pair(n)
	case strings.HasSuffix(n.op, "_inst") && n.matches == nil:
	case strings.HasSuffix(n.op, "_host") && n.a.many:
		b.fail(n.at, "%s over several instances is not supported: put some_inst or all_inst after it.", n.op)
	case n.matches != nil && !n.a.many && b.unknown == nil:
		b.fail(n.at, "%s needs a condition with instances.", n.op)
	default:
		if n.a.sort == text {
			b.fail(n.a.at, "%s is a text, so %s cannot be applied.", n.a.text, n.op)
		}
		n.many, n.set = n.a.many, n.a.set
	}
}

func (b *binder) metric(n *node) {
	for _, host := range n.hosts {
		if host != b.src.Host() {
			b.fail(n.at, "The archive is of the host %s, not of %s.", b.src.Host(), host)
		}
	}
	d, known := b.src.Lookup(n.text)
	if !known {
		if b.unknown == nil {
			f := b.places.fault(b.text, n.at, "The archive has no metric %s, so the condition is unknown.", n.text)
			f.Kind = pcp.UnknownMetric
			b.unknown = f
		}
		return
	}
	n.bound, n.desc = true, d
	n.many, n.set = d.InDom != pcp.NullInDom && len(n.insts) != 1, d.InDom
	if len(n.insts) > 0 && d.InDom == pcp.NullInDom {
		b.fail(n.at, "%s has no instances.", n.text)
	}
	switch {
	case d.Type == pcp.String:
		n.sort = text
	case !d.Type.Numeric():
		b.fail(n.at, "%s is neither a number nor a text.", n.text)
	}
}

func (b *binder) pair(n *node) {
	for _, side := range []*node{n.a, n.b} {
		other := n.b
		if side == n.b {
			other = n.a
		}
		if side.op == "metric" && side.sort == text && other.op != "string" {
			b.fail(side.at, "%s is a text, which is compared with a constant only.", side.text)
		}
		if side.op == "metric" && side.bound && side.sort == number && other.op == "string" {
			b.fail(side.at, "%s is a number, which is not compared with a text.", side.text)
		}
	}
	if n.a.many && n.b.many && n.a.set != n.b.set {
		b.fail(n.at, "The operands of %s have different instance domains, which is not supported.", n.op)
	}
	n.many, n.set = n.a.many, n.a.set
	if n.b.many {
		n.many, n.set = true, n.b.set
	}
}

// canonical returns the factor from a metric's units to bytes, seconds and
// counts.
func canonical(u pcp.Units) float64 {
	return math.Pow(1024, float64(u.SpaceScale)*float64(u.Space)) *
		math.Pow(secondsOf(u.TimeScale), float64(u.Time)) *
		math.Pow(10, float64(u.CountScale)*float64(u.Count))
}

func secondsOf(scale uint8) float64 {
	switch scale {
	case pcp.Nanosec:
		return 1e-9
	case pcp.Microsec:
		return 1e-6
	case pcp.Millisec:
		return 1e-3
	case pcp.Min:
		return 60
	case pcp.Hour:
		return 3600
	}
	return 1
}
