package derived

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// Limits that keep hostile input from exhausting the stack.
const (
	maxNesting = 300     // recursion of the parser: each parenthesis, function, prefix and right operand adds one
	maxHeight  = 100     // height of the tree; printed, each level needs at most three of the parser's
	maxParts   = 10000   // operators and operands in all
	maxText    = 1 << 18 // bytes
)

// Parse parses an expression. The error is a *pcp.Fault of kind
// pcp.BadExpression with the position of the first mistake. See spec/derived.md
// section 3.
func Parse(text string) (e *Expr, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *pcp.Fault:
			err = r
		default:
			panic(r)
		}
	}()
	if len(text) > maxText {
		return nil, fault(Span{}, "The expression is longer than %d bytes.", maxText)
	}
	p := &parser{lexer: lexer{text: text}}
	p.advance()
	root := p.expr(levelTernary)
	if p.tok.kind != tokEnd {
		panic(p.afterOperand(root))
	}
	if height(root) > maxHeight {
		panic(fault(root.Where(), "The expression is nested more than %d deep.", maxHeight))
	}
	return &Expr{text, root}, nil
}

type parser struct {
	lexer
	tok     token // not yet used
	last    token // the one before
	nesting int
	parts   int
}

func (p *parser) advance() token {
	p.last, p.tok = p.tok, p.next()
	return p.last
}

// expect consumes a token of one kind; wanted describes it for the message.
func (p *parser) expect(k kind, wanted string) token {
	if p.tok.kind != k {
		panic(p.wanted(wanted))
	}
	return p.advance()
}

var binary = map[kind]Op{
	tokAnd: OpAnd, tokOr: OpOr, tokLess: OpLess, tokLessEq: OpLessEq, tokEqual: OpEqual, tokGreaterEq: OpGreaterEq,
	tokGreater: OpGreater, tokNotEqual: OpNotEqual, tokPlus: OpAdd, tokMinus: OpSub, tokStar: OpMul, tokSlash: OpDiv,
}

// expr reads operands joined by operators that bind at least as tightly as
// level. All operators are left associative, including the ternary.
func (p *parser) expr(level int) Node {
	p.nesting++
	if p.nesting > maxNesting {
		panic(fault(p.tok.span, "The expression is nested more than %d deep.", maxNesting))
	}
	left := p.operand()
	for {
		if p.parts++; p.parts > maxParts {
			panic(fault(p.tok.span, "The expression has more than %d parts.", maxParts))
		}
		if op, ok := binary[p.tok.kind]; ok && operators[op].level >= level {
			p.advance()
			right := p.expr(operators[op].level + 1)
			left = &Binary{left.Where().to(right.Where()), op, left, right}
		} else if p.tok.kind == tokQuest && levelTernary >= level {
			left = p.ternary(left)
		} else {
			p.nesting--
			return left
		}
	}
}

func (p *parser) ternary(guard Node) Node {
	p.advance()
	then := p.arm(levelTernary)
	if p.tok.kind != tokColon {
		if _, none := then.(*NoValue); !none && p.tok.kind != tokEnd {
			panic(p.afterOperand(then))
		}
		panic(p.wanted(`":" and the other arm of the ternary`))
	}
	p.advance()
	at := p.tok
	other := p.arm(levelTernary + 1)
	if _, none := then.(*NoValue); none {
		if _, none := other.(*NoValue); none {
			panic(fault(at.span, "Only one arm of a ternary may be novalue()."))
		}
	}
	return &Ternary{guard.Where().to(other.Where()), guard, then, other}
}

// arm reads one side of a ternary's colon, where novalue() is allowed.
func (p *parser) arm(level int) Node {
	if p.tok.kind == tokFunction && lookup(strings.TrimSuffix(p.tok.text, "(")).id == fnNoValue {
		start := p.advance().span
		var s Specs
		if p.tok.kind != tokClose {
			s = p.specs()
		}
		end := p.expect(tokClose, `"," or ")"`).span
		return &NoValue{start.to(end), s}
	}
	return p.expr(level)
}

// operand reads a prefix expression, or a primary expression with its instance
// selection.
func (p *parser) operand() Node {
	switch t := p.tok; t.kind {
	case tokMinus, tokNot:
		op := OpNeg
		if t.kind == tokNot {
			op = OpNot
		}
		p.advance()
		x := p.expr(operators[op].level + 1)
		return &Unary{t.span.to(x.Where()), op, x}
	case tokOpen:
		p.advance()
		x := p.expr(levelTernary)
		if p.tok.kind != tokClose {
			if p.tok.kind == tokEnd {
				panic(p.wanted(`")" to close the "("`))
			}
			panic(p.afterOperand(x))
		}
		p.advance()
		return p.selection(t.span, x)
	case tokName:
		p.advance()
		if p.tok.kind == tokOpen {
			panic(p.notFunction(t))
		}
		return p.selection(t.span, &Name{t.span, t.text})
	case tokInteger, tokDouble:
		p.advance()
		return p.number(t)
	case tokFunction:
		p.advance()
		return p.call(t)
	}
	panic(p.wanted("a metric, a number, a function or \"(\""))
}

// selection reads the [instance] that may follow a metric or a parenthesis.
func (p *parser) selection(start Span, x Node) Node {
	if p.tok.kind != tokInstance {
		return x
	}
	t := p.advance()
	if p.tok.kind == tokInstance {
		panic(fault(p.tok.span, "An instance is selected already; a selection cannot follow another."))
	}
	return &Select{start.to(t.span), x, t.text}
}

func (p *parser) number(t token) *Number {
	v, err := strconv.ParseFloat(t.text, 64)
	switch {
	case t.text == ".": // 0, as in PCP
		v = 0
	case t.kind == tokInteger && v > math.MaxUint32:
		panic(fault(t.span, "The constant %s is too large: a whole number has at most 32 bits. Write %s. for a number with a fraction.", clip(t.text), clip(t.text)))
	case err != nil:
		panic(fault(t.span, "The constant %s is too large.", clip(t.text)))
	}
	return &Number{t.span, t.text, t.kind == tokInteger, v}
}

// call reads a function's arguments; its name and parenthesis have been read.
func (p *parser) call(t token) Node {
	f := lookup(strings.TrimSuffix(t.text, "("))
	switch f.id {
	case fnNoValue:
		panic(fault(t.span, "novalue() may stand only as one arm of a ternary: guard ? x : novalue()."))
	case fnConst:
		if p.tok.kind != tokInteger && p.tok.kind != tokDouble {
			panic(p.wanted("a number without sign"))
		}
		x := p.number(p.advance())
		p.expect(tokComma, `"," and type=, semantics=, units=, indom= or meta=`)
		specs := p.specs()
		end := p.expect(tokClose, `"," or ")"`).span
		checkConst(x, specs)
		return p.called(&Const{t.span.to(end), x, specs})
	case fnMatch:
		return p.called(p.match(t))
	}
	args := make([]Node, len(f.args))
	for i, a := range f.args {
		if i > 0 {
			if p.tok.kind != tokComma && p.tok.kind != tokClose && p.tok.kind != tokEnd {
				panic(p.afterOperand(args[i-1]))
			}
			p.expect(tokComma, `"," and `+argWords[a])
		}
		if a == argExpr && p.tok.kind != tokClose {
			args[i] = p.expr(levelTernary) // not by way of argument: nested calls need one frame less each
		} else {
			args[i] = p.argument(a)
		}
	}
	if p.tok.kind != tokClose && p.tok.kind != tokEnd && f.args[len(args)-1] == argExpr {
		panic(p.afterOperand(args[len(args)-1]))
	}
	end := p.expect(tokClose, `")" to close `+quote(t.text)).span
	return p.called(&Call{t.span.to(end), f, args})
}

// called checks what follows a function call.
func (p *parser) called(n Node) Node {
	if p.tok.kind == tokInstance {
		panic(fault(p.tok.span, "An instance can be selected from a metric or a parenthesis only; write (%s)[%s].", brief(n), clip(p.tok.text)))
	}
	return n
}

var argWords = [...]string{
	argExpr: "an expression", argMetric: "a metric's name", argType: "a type such as PM_TYPE_U32",
	argUnits: "units in double quotes", argDuration: `a length of time in double quotes, such as "5min"`, argNumber: "a number",
}

// argument reads one that is not an expression, or reports that it is missing.
func (p *parser) argument(a argument) Node {
	switch t := p.tok; a {
	case argMetric, argType:
		p.expect(tokName, argWords[a])
		if p.tok.kind == tokOpen {
			panic(p.notFunction(t))
		}
		return &Name{t.span, t.text}
	case argUnits, argDuration:
		p.expect(tokString, argWords[a])
		check := checkUnits
		if a == argDuration {
			check = checkDuration
		}
		if err := check(t.text); err != nil {
			panic(fault(t.span, "%s", err.Message))
		}
		return &Text{t.span, t.text}
	case argNumber:
		if t.kind != tokInteger && t.kind != tokDouble {
			panic(p.wanted(argWords[a]))
		}
		p.advance()
		return p.number(t)
	}
	panic(p.wanted("an expression"))
}

// match reads what follows "matchinst(". Only here does a slash begin a
// pattern.
func (p *parser) match(t token) Node {
	at := p.tok.span
	m := &Match{Span: t.span, Not: p.tok.kind == tokNot}
	if m.Not {
		p.advance()
	}
	if p.tok.kind != tokSlash {
		panic(p.wanted("a pattern between slashes, as in matchinst(/^sd/, x)"))
	}
	p.at-- // the slash was read as an operator
	pattern, _ := p.pattern()
	size, err := patternSize(pattern.text)
	if err != nil {
		panic(fault(pattern.span, "/%s/ is not a regular expression: %s.", clip(pattern.text), err))
	}
	m.Pattern, m.size = pattern.text, size
	p.tok = pattern
	p.advance()
	p.expect(tokComma, `"," and the expression whose instances are chosen`)
	if p.tok.kind == tokClose {
		panic(p.wanted("the expression whose instances are chosen"))
	}
	m.X = p.expr(levelTernary)
	if p.tok.kind != tokClose && p.tok.kind != tokEnd {
		panic(p.afterOperand(m.X))
	}
	m.Span = at.to(p.expect(tokClose, `")"`).span)
	m.Span[0] = t.span[0]
	return m
}

// height returns the height of a tree. A left operand is on its operator's own
// level unless it needs parentheses, so that long sums are not high.
func height(n Node) int {
	chain, first := leftChain(n)
	h := 0
	if len(chain) == 0 {
		for _, part := range parts(n) {
			h = max(h, height(part)+1)
		}
		return h
	}
	if h = height(first); first.level() < chain[0].level() {
		h++
	}
	for _, c := range chain {
		for _, part := range parts(c)[1:] {
			h = max(h, height(part)+1)
		}
	}
	return h
}

// functionNames lists what notFunction may suggest.
func functionNames() []string {
	names := make([]string, len(Functions))
	for i := range Functions {
		names[i] = Functions[i].Name
	}
	return slices.DeleteFunc(names, func(s string) bool { return s == "anon" })
}
