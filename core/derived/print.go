package derived

import (
	"strings"
	"unicode/utf8"
)

// A printer writes an expression. Sums and ternaries are left associative and
// may have thousands of operands: they are written iteratively along their left
// side, so that only real nesting uses stack.
type printer struct {
	strings.Builder
	limit int // number of bytes after which printing stops; 0 for no limit
}

func (p *printer) full() bool { return p.limit > 0 && p.Len() > p.limit }

func printed(n Node) string {
	var p printer
	p.node(n)
	return p.String()
}

// brief is the text of a node for messages, generated only as far as it is
// shown.
func brief(n Node) string {
	p := printer{limit: maxClip * utf8.UTFMax}
	p.node(n)
	return clip(p.String())
}

// within prints n as an operand that must bind at least as tightly as level.
func (p *printer) within(n Node, level int) {
	if n.level() < level {
		p.WriteByte('(')
		p.node(n)
		p.WriteByte(')')
		return
	}
	p.node(n)
}

func (p *printer) node(n Node) {
	chain, first := leftChain(n)
	if len(chain) > 0 {
		p.within(first, chain[0].level())
	} else {
		p.other(n)
	}
	for _, n := range chain {
		if p.full() {
			return
		}
		switch n := n.(type) {
		case *Binary:
			p.WriteString(" " + n.Op.String() + " ")
			p.within(n.R, n.level()+1)
		case *Ternary:
			p.WriteString(" ? ")
			p.within(n.Then, levelTernary)
			p.WriteString(" : ")
			p.within(n.Else, levelBool)
		}
	}
}

// other prints nodes other than Binary and Ternary.
func (p *printer) other(n Node) {
	switch n := n.(type) {
	case *Name:
		p.WriteString(n.Name)
	case *Number:
		p.WriteString(n.Text)
	case *Text:
		p.WriteString(`"` + n.Text + `"`)
	case *NoValue:
		p.WriteString("novalue(" + strings.Join(n.Specs.list(), ", ") + ")")
	case *Const:
		p.WriteString("mkconst(" + strings.Join(append([]string{n.X.Text}, n.Specs.list()...), ", ") + ")")
	case *Unary:
		p.WriteString(n.Op.String())
		p.within(n.X, operators[n.Op].level+1)
	case *Select:
		if name, simple := n.X.(*Name); simple {
			p.WriteString(name.Name)
		} else {
			p.WriteByte('(')
			p.node(n.X)
			p.WriteByte(')')
		}
		p.WriteString("[" + escape(n.Instance, "]") + "]")
	case *Match:
		p.WriteString("matchinst(")
		if n.Not {
			p.WriteByte('!')
		}
		p.WriteString("/" + escape(n.Pattern, "/") + "/, ")
		p.node(n.X)
		p.WriteByte(')')
	case *Call:
		p.WriteString(n.Func.Name + "(")
		for i, a := range n.Args {
			if i > 0 {
				p.WriteString(", ")
			}
			p.node(a)
		}
		p.WriteByte(')')
	}
}
