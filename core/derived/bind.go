package derived

import (
	"math"
	"slices"
	"strings"

	"pcpscope/core/pcp"
)

// Metadata is what binding needs to know about a source.
type Metadata interface {
	// Desc returns the descriptor of a metric, false for an unknown name.
	Desc(name string) (pcp.Desc, bool)
	// Names lists all metrics, for suggestions when a name is misspelt.
	Names() []string
}

// Options changes how expressions are bound.
type Options struct {
	// NoValue treats an unknown operand as novalue(), which never has a value,
	// instead of reporting an error: OPTION_NOVALUE. See spec/derived.md
	// section 8.3.
	NoValue bool

	quick bool // faults are not shown, so skip the suggestions
}

// A Bound expression is resolved against one source: all operands are known and
// all types, units and instance domains determined. It is safe for concurrent
// use.
type Bound struct {
	Desc     pcp.Desc // of the result; PMID is pcp.NullPMID
	Operands []string // the metrics whose values Eval reads, each once
	root     plan
	gaps     bool
}

// Bind looks up the operands of e and checks every part. Faults have the kind
// pcp.BadExpression and the span of the smallest part that is wrong; all
// independent ones are reported. Bound is nil if there are any. See
// spec/derived.md sections 4 and 5.
func (e *Expr) Bind(md Metadata) (*Bound, []pcp.Fault) {
	return bind(e, md, nil, Options{}, "")
}

// bind binds e. Names unknown to the source are looked up in defs; as is the
// name under which e is defined there, to detect circular definitions.
func bind(e *Expr, md Metadata, defs *Set, opt Options, as string) (*Bound, []pcp.Fault) {
	b := newBinder(md, defs, opt)
	if as != "" {
		b.inside = []string{as}
	}
	p := b.bind(e.Root)
	if len(b.faults) > 0 {
		return nil, b.faults
	}
	d := p.desc()
	d.PMID = pcp.NullPMID
	return &Bound{Desc: d, Operands: b.operands, root: p}, nil
}

func newBinder(md Metadata, defs *Set, opt Options) *binder {
	return &binder{md: md, defs: defs, opt: opt, index: map[string]int{}, nested: map[string]*sharedPlan{}, depth: map[plan]int{}}
}

// Lookback returns how many points before the first one a grid needs for the
// first point to have a value: rates and differences need one, averages over
// time their window. step is in nanoseconds.
func (b *Bound) Lookback(step int64) int { return b.root.lookback(step) }

// History is Lookback for expressions that cover a stretch of time before each
// point; it is 0 for others, for which PCP has no value at the first point, and
// for slope(), which covers all points.
func (b *Bound) History(step int64) int {
	if moving, whole := b.dependence(); !moving || whole || step <= 0 {
		return 0
	}
	return b.root.lookback(step)
}

// Whole reports whether the result depends on all points, so that a part of the
// points would give a different one.
func (b *Bound) Whole() bool {
	_, whole := b.dependence()
	return whole
}

// dependence reports whether there are functions over a stretch of time before each
// point, and over all points.
func (b *Bound) dependence() (moving, whole bool) {
	seen := map[plan]bool{}
	var look func(p plan)
	look = func(p plan) {
		if seen[p] { // a definition may be used in many places
			return
		}
		seen[p] = true
		switch p.(type) {
		case *movAvgPlan, *movSlopePlan:
			moving = true
		case *slopePlan:
			whole = true
		}
		for _, in := range p.parts() {
			look(in)
		}
	}
	look(b.root)
	return moving, whole
}

// Differs reports whether each value covers the time since the point before, as
// with rate() and delta().
func (b *Bound) Differs() bool { return b.root.lookback(math.MaxInt64) > 0 }

type binder struct {
	md       Metadata
	defs     *Set
	opt      Options
	operands []string
	index    map[string]int // into operands
	inside   []string       // names of the derived metrics being bound, outermost first
	nested   map[string]*sharedPlan
	faults   []pcp.Fault
	names    []string         // what known returns
	noted    func(Node, plan) // called for every part of the expression itself; may be nil
	level    int              // calls of bind in progress
	patterns int              // size of the patterns so far
	depth    map[plan]int     // depth of the plans made so far
}

// Limits that keep nested definitions from exhausting the stack, like those of
// Parse for one expression.
const (
	maxLevels = 250  // nodes being bound, each a part of the one before
	maxDepth  = 1000 // depth of a plan, including the left side of sums
)

// maxFaults is how many faults of one expression are reported: readers fix the
// first. Suggesting a similar name searches all names, and is done for fewer
// faults.
const (
	maxFaults  = 100
	maxGuesses = 10
)

func (b *binder) fault(at Node, format string, args ...any) plan {
	if len(b.faults) < maxFaults {
		b.faults = append(b.faults, *fault(at.Where(), format, args...))
	}
	return nil
}

// guesses reports whether a fault should suggest what was meant.
func (b *binder) guesses() bool { return !b.opt.quick && len(b.faults) < maxGuesses }

// all binds several nodes; ok is false if any of them is wrong.
func (b *binder) all(nodes ...Node) (plans []plan, ok bool) {
	ok = true
	for _, n := range nodes {
		p := b.bind(n)
		plans, ok = append(plans, p), ok && p != nil
	}
	return plans, ok
}

// bind binds a node; it returns nil after reporting what is wrong.
func (b *binder) bind(n Node) plan {
	if b.level == maxLevels {
		return b.fault(n, "Together with the definitions it uses, the expression is nested more than %d deep.", maxLevels)
	}
	b.level++
	defer func() { b.level-- }()
	chain, first := leftChain(n)
	if len(chain) == 0 {
		return b.made(n, b.node(n))
	}
	for i, c := range slices.Backward(chain) { // the arms of a constant guard are not both bound
		if t, ok := c.(*Ternary); ok {
			if yes, decided := b.decide(t.Guard); decided {
				first = t.Then
				if !yes {
					first = t.Else // the other arm may name anything
				}
				return b.along(chain[i+1:], b.made(t, b.bind(first)))
			}
		}
	}
	return b.along(chain, b.bind(first))
}

// along binds a chain; left is the plan of the first operator's left operand.
func (b *binder) along(chain []Node, left plan) plan {
	for _, c := range chain {
		switch c := c.(type) {
		case *Binary:
			left = b.binary(c, left)
		case *Ternary:
			left = b.ternary(c, left)
		}
		left = b.made(c, left)
	}
	return left
}

// made records the plan of a node.
func (b *binder) made(n Node, p plan) plan {
	if p != nil {
		depth := 0
		for _, in := range p.parts() {
			depth = max(depth, b.depth[in])
		}
		if b.depth[p] = depth + 1; depth >= maxDepth {
			p = b.fault(n, "The expression, or a definition it uses, nests more than %d operations.", maxDepth)
		}
	}
	if b.noted != nil && len(b.inside) == 0 {
		b.noted(n, p)
	}
	return p
}

func (b *binder) node(n Node) plan {
	switch n := n.(type) {
	case *Name:
		return b.metric(n)
	case *Number:
		return literal(n)
	case *Const:
		return b.constant(n)
	case *NoValue:
		return b.novalue(n)
	case *Unary:
		return b.unary(n)
	case *Select:
		if in, ok := b.all(n.X); ok {
			return &selectPlan{shape{in[0].desc(), in}, n.Instance}
		}
	case *Match:
		if in, ok := b.all(n.X); ok {
			if b.patterns += n.size; b.patterns > maxPatterns {
				return b.fault(n, "Together with the definitions it uses, the expression has patterns that are too large.")
			}
			return &matchPlan{shape{in[0].desc(), in}, n.Pattern, n.Not}
		}
	case *Call:
		return b.call(n)
	}
	return nil
}

// metric resolves a name: in the source first, then among the definitions.
func (b *binder) metric(n *Name) plan {
	if d, ok := b.md.Desc(n.Name); ok {
		i, have := b.index[n.Name]
		if !have {
			i = len(b.operands)
			b.index[n.Name] = i
			b.operands = append(b.operands, n.Name)
		}
		return &metricPlan{shape{d: d}, n.Name, i + 1}
	}
	if b.defs != nil {
		if def := b.defs.Lookup(n.Name); def != nil {
			return b.derived(n, def)
		}
	}
	if b.opt.NoValue {
		return &nonePlan{shape{d: noDesc}}
	}
	if !b.guesses() {
		return b.fault(n, "There is no metric %s here.", clip(n.Name))
	}
	if below := b.below(n.Name); below != "" {
		return b.fault(n, "%s is not a metric but the prefix of others, such as %s.", clip(n.Name), clip(below))
	}
	if s := similar(n.Name, b.known()); s != "" {
		b.fault(n, "There is no metric %s here. Did you mean %s?", clip(n.Name), clip(s))
		return b.suggest(n.Span, s, "")
	}
	return b.fault(n, "There is no metric %s here.", clip(n.Name))
}

// known lists the names that may be suggested.
func (b *binder) known() []string {
	if b.names == nil {
		b.names = slices.Concat(b.md.Names(), b.defs.Names())
	}
	return b.names
}

// below finds a metric whose name begins with name and a dot.
func (b *binder) below(name string) string {
	for _, m := range b.known() {
		if strings.HasPrefix(m, name+".") {
			return m
		}
	}
	return ""
}

// derived binds a definition used as an operand. Each is bound once, however
// often it is used, so that the cost of nested definitions grows only with
// their number.
func (b *binder) derived(n *Name, def *Definition) plan {
	if i := slices.Index(b.inside, def.Name); i >= 0 {
		circle := strings.Join(append(slices.Clone(b.inside[i:]), def.Name), " uses ")
		return b.fault(n, "The definitions are circular: %s.", clip(circle))
	}
	if p, ok := b.nested[def.Name]; ok {
		if p == nil {
			return b.fault(n, "%s cannot be computed here either.", clip(def.Name))
		}
		p.uses++
		return p
	}
	if len(b.inside) > maxHeight {
		return b.fault(n, "More than %d definitions are nested in each other.", maxHeight)
	}
	outer := b.faults
	b.faults = nil
	b.inside = append(b.inside, def.Name)
	p := b.bind(def.Expr.Root)
	b.inside = b.inside[:len(b.inside)-1]
	inner := b.faults
	b.faults = outer
	if p == nil || len(inner) > 0 {
		b.nested[def.Name] = nil
		return b.fault(n, "%s = %s cannot be computed here: %s", clip(def.Name), clip(def.Expr.Text), pcp.Clip(inner[0].Message, 4*maxClip))
	}
	shared := &sharedPlan{shape: shape{p.desc(), []plan{p}}, uses: 1}
	b.nested[def.Name] = shared
	return shared
}

// about describes an operand in a message: its text and its descriptor.
func about(n Node, p plan) string {
	d := p.desc()
	units := d.Units.String()
	if units == "" {
		units = "no units"
	}
	text := brief(n) + " (" + d.Type.String() + " " + d.Sem.String() + ", " + units
	if d.InDom != pcp.NullInDom {
		text += ", instances of " + d.InDom.String()
	}
	return text + ")"
}
