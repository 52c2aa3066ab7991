package derived

import (
	"strings"

	"pcpscope/core/pcp"
)

// suggest adds a suggested correction to the newest fault.
func (b *binder) suggest(at Span, text, what string) plan {
	b.faults[len(b.faults)-1].Fix = &pcp.Fix{Span: [2]int(at), Text: text, What: what}
	return nil
}

// relative looks for a metric with a similar name to the operand n that can be
// added to what want describes: disk.dev.write_rawactive instead of
// disk.dev.write_bytes. It suggests that as a correction of the newest fault.
func (b *binder) relative(n Node, want pcp.Desc) {
	name := onlyName(n)
	if name == nil {
		return
	}
	is, ok := b.md.Desc(name.Name)
	if !ok {
		return
	}
	family := name.Name[:strings.LastIndexByte(name.Name, '.')+1]
	best, least := "", len(name.Name)
	for _, other := range b.md.Names() {
		if other == name.Name || !strings.HasPrefix(other, family) {
			continue
		}
		d, _ := b.md.Desc(other)
		if d.Sem != is.Sem || d.InDom != is.InDom || !d.Type.Numeric() || dimensions(d.Units) != dimensions(want.Units) {
			continue
		}
		if far := distance(name.Name, other, least); far < least {
			best, least = other, far
		}
	}
	if best != "" {
		d, _ := b.md.Desc(best)
		b.suggest(name.Span, best, d.Units.String())
	}
}

// onlyName returns the metric that n consists of, alone or in functions that
// preserve its units; nil for anything else.
func onlyName(n Node) *Name {
	switch n := n.(type) {
	case *Name:
		return n
	case *Select:
		return onlyName(n.X)
	case *Match:
		return onlyName(n.X)
	case *Call:
		switch n.Func.id {
		case fnDelta, fnInstant, fnAvg, fnMax, fnMin, fnSum, fnScalar, fnMovAvg:
			return onlyName(n.Args[0])
		case fnTopN, fnPercentile: // after a number, but for median(x) and its like
			return onlyName(n.Args[len(n.Args)-1])
		}
	}
	return nil
}

// A Part is a piece of an expression and what it evaluates to.
type Part struct {
	Span Span
	Text string
	Desc pcp.Desc
	OK   bool // false if it or a part of it is wrong
}

// maxPieces is how many pieces of an expression are described.
const maxPieces = 500

// piece is the text of a node, shortened for a list of all nodes.
func piece(n Node) string {
	const maxBytes = 400
	p := printer{limit: maxBytes}
	if p.node(n); !p.full() {
		return p.String()
	}
	return strings.ToValidUTF8(p.String()[:maxBytes], "") + "…"
}

// Parts describes the pieces of an expression, the smallest first: metrics,
// calls, and operators with their operands. Literals are left out. Of very long
// expressions only the first pieces are described; the texts of large pieces
// are cut short.
func (s *Set) Parts(e *Expr, md Metadata) []Part {
	var list []Part
	b := newBinder(md, s, Options{NoValue: s.NoValue})
	b.noted = func(n Node, p plan) {
		switch n.(type) {
		case *Number, *Text, *NoValue, *Const:
			return
		}
		if len(list) == maxPieces {
			return
		}
		part := Part{Span: n.Where(), Text: piece(n), OK: p != nil}
		if p != nil {
			part.Desc = p.desc()
		}
		list = append(list, part)
	}
	b.bind(e.Root)
	return list
}
