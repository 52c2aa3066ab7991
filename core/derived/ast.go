package derived

import (
	"slices"
	"strings"
)

// An Expr is a syntactically valid expression.
type Expr struct {
	Text string // as it was written
	Root Node
}

// String prints the expression so that it parses back to the same tree.
func (e *Expr) String() string { return e.Root.String() }

// Names returns the names of metrics in the expression, each once, in the
// order in which they appear.
func (e *Expr) Names() []string {
	var names []string
	seen := map[string]bool{}
	Walk(e.Root, func(n Node) {
		if m, ok := n.(*Name); ok && !seen[m.Name] {
			seen[m.Name] = true
			names = append(names, m.Name)
		}
	})
	return names
}

// A Node is a part of an expression: *Name, *Number, *Const, *NoValue, *Text,
// *Unary, *Binary, *Ternary, *Select, *Match or *Call.
type Node interface {
	Where() Span
	String() string
	level() int // how tightly it binds, one of the levels below
}

// Where returns the span of the node in the text.
func (s Span) Where() Span { return s }

// Name is a metric.
type Name struct {
	Span
	Name string
}

// Number is an integer or double literal.
type Number struct {
	Span
	Text  string
	Int   bool
	Value float64 // exact: integers have at most 32 bits
}

// Const is mkconst(), a constant with metadata.
type Const struct {
	Span
	X *Number
	Specs
}

// NoValue is novalue(), an arm of a ternary that never has a value.
type NoValue struct {
	Span
	Specs
}

// Text is a string, as an argument.
type Text struct {
	Span
	Text string
}

// Unary is -x or !x.
type Unary struct {
	Span
	Op Op
	X  Node
}

// Binary is x op y.
type Binary struct {
	Span
	Op   Op
	L, R Node
}

// Ternary is guard ? then : else.
type Ternary struct {
	Span
	Guard, Then, Else Node
}

// Select is x[instance].
type Select struct {
	Span
	X        Node
	Instance string
}

// Match is matchinst(/pattern/, x), with Not matchinst(!/pattern/, x).
type Match struct {
	Span
	Not     bool
	Pattern string
	X       Node

	size int // see patternSize
}

// Call is any other function.
type Call struct {
	Span
	Func *Function
	Args []Node
}

// An Op is an operator.
type Op uint8

// Operators, in the order of their levels. See spec/derived.md section 3.
const (
	OpAnd Op = iota
	OpOr
	OpNot
	OpLess
	OpLessEq
	OpEqual
	OpGreaterEq
	OpGreater
	OpNotEqual
	OpAdd
	OpSub
	OpNeg
	OpMul
	OpDiv
)

// levels of precedence, lowest first. See spec/derived.md section 3.
const (
	levelTernary = iota + 1
	levelBool
	levelNot
	levelCompare
	levelAdd
	levelMul
	levelPrimary
)

var operators = [...]struct {
	text  string
	level int
}{
	OpAnd: {"&&", levelBool}, OpOr: {"||", levelBool}, OpNot: {"!", levelNot},
	OpLess: {"<", levelCompare}, OpLessEq: {"<=", levelCompare}, OpEqual: {"==", levelCompare},
	OpGreaterEq: {">=", levelCompare}, OpGreater: {">", levelCompare}, OpNotEqual: {"!=", levelCompare},
	OpAdd: {"+", levelAdd}, OpSub: {"-", levelAdd}, OpNeg: {"-", levelAdd},
	OpMul: {"*", levelMul}, OpDiv: {"/", levelMul},
}

func (o Op) String() string { return operators[o].text }

func (o Op) relational() bool { return o >= OpLess && o <= OpNotEqual }
func (o Op) boolean() bool    { return o <= OpOr }

func (*Name) level() int     { return levelPrimary }
func (*Number) level() int   { return levelPrimary }
func (*Const) level() int    { return levelPrimary }
func (*NoValue) level() int  { return levelPrimary }
func (*Text) level() int     { return levelPrimary }
func (*Select) level() int   { return levelPrimary }
func (*Match) level() int    { return levelPrimary }
func (*Call) level() int     { return levelPrimary }
func (*Unary) level() int    { return levelTernary } // a prefix extends as far right as possible, so as an operand it needs parentheses
func (b *Binary) level() int { return operators[b.Op].level }
func (*Ternary) level() int  { return levelTernary }

func (n *Name) String() string    { return n.Name }
func (n *Number) String() string  { return n.Text }
func (n *Text) String() string    { return printed(n) }
func (n *NoValue) String() string { return printed(n) }
func (n *Const) String() string   { return printed(n) }
func (n *Unary) String() string   { return printed(n) }
func (n *Binary) String() string  { return printed(n) }
func (n *Ternary) String() string { return printed(n) }
func (n *Select) String() string  { return printed(n) }
func (n *Match) String() string   { return printed(n) }
func (n *Call) String() string    { return printed(n) }

// escape puts a backslash before backslashes and before end.
func escape(s, end string) string {
	if !strings.ContainsAny(s, `\`+end) {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, end, `\`+end).Replace(s)
}

// Walk calls visit for n and every node below it, parents before children, in
// the order of the text.
func Walk(n Node, visit func(Node)) {
	chain, first := leftChain(n)
	for _, c := range slices.Backward(chain) {
		visit(c)
	}
	if len(chain) > 0 {
		Walk(first, visit)
	} else {
		visit(n)
		for _, part := range parts(n) {
			Walk(part, visit)
		}
	}
	for _, c := range chain {
		for _, part := range parts(c)[1:] {
			Walk(part, visit)
		}
	}
}

// leftChain follows left operands that need no parentheses, such as those of a
// + b - c * d. It returns the operators, innermost first, each of which is the
// left operand of the next, and the left operand of the first. Only Binary and
// Ternary have any. Chains can be long, so code that walks a tree iterates
// along them instead of recursing.
func leftChain(n Node) (chain []Node, first Node) {
	for first = n; ; {
		left := leftOf(first)
		if left == nil {
			break
		}
		chain = append(chain, first)
		outer := first
		if first = left; left.level() < outer.level() {
			break // is in parentheses
		}
	}
	slices.Reverse(chain)
	return chain, first
}

// leftOf returns the left operand of Binary and Ternary, nil for others.
func leftOf(n Node) Node {
	switch n := n.(type) {
	case *Binary:
		return n.L
	case *Ternary:
		return n.Guard
	}
	return nil
}

func parts(n Node) []Node {
	switch n := n.(type) {
	case *Unary:
		return []Node{n.X}
	case *Binary:
		return []Node{n.L, n.R}
	case *Ternary:
		return []Node{n.Guard, n.Then, n.Else}
	case *Select:
		return []Node{n.X}
	case *Match:
		return []Node{n.X}
	case *Call:
		return n.Args
	}
	return nil
}
