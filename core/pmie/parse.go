package pmie

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
)

const (
	maxNesting = 100   // of the parser: parentheses and operators before an operand
	maxHeight  = 200   // of an expression's tree
	maxNodes   = 20000 // operators and operands of a file
	maxRules   = 2000
	maxSamples = 1000    // of @0..999
	maxRegexp  = 1000    // bytes
	maxRegexps = 100_000 // size of all regular expressions: see package pattern
	usualDelta = 10e9    // pmie's default, 10 seconds
)

// Parse reads a file of rules. A rule that cannot be read has a Fault, with the
// place in the file, and those after it are read nevertheless. The error is a
// fault of the file as a whole.
func Parse(text string) (*Program, error) {
	if len(text) > maxText {
		return nil, pcp.Faultf(pcp.BadExpression, "The file of rules is longer than %d bytes.", maxText)
	}
	p := &parser{lexer: lexer{file: text, text: text, macros: map[string]string{"delta": "10"}}, delta: usualDelta}
	p.out.text = text
	for p.statement() {
		if len(p.out.Rules) > maxRules {
			return nil, pcp.Faultf(pcp.BadExpression, "The file has more than %d rules.", maxRules)
		}
	}
	return &p.out, nil
}

type parser struct {
	lexer
	tok     token
	nesting int
	delta   int64
	unnamed int
	regexps map[string]*regexp.Regexp
	size    int // of regexps
	out     Program
}

func (p *parser) advance() token {
	t := p.tok
	p.tok = p.lexer.next()
	return t
}

func (p *parser) is(sign string) bool { return p.tok.kind == tokSign && p.tok.text == sign }

func (p *parser) accept(sign string) bool {
	if !p.is(sign) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) found() string {
	switch p.tok.kind {
	case tokEnd:
		return "the end of the file"
	case tokString:
		return "a text in quotes"
	}
	return strconv.Quote(p.tok.text)
}

func (p *parser) expect(sign string) {
	if !p.accept(sign) {
		p.fail(p.tok.at, "%q is expected before %s.", sign, p.found())
	}
}

// statement reads up to a semicolon and reports whether there may be more. The
// next token is not yet read when it begins.
func (p *parser) statement() (more bool) {
	rule := Rule{Delta: p.delta}
	before := p.unnamed
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *pcp.Fault:
			// The rest of the statement is skipped, as pmie skips it.
			p.outerText()
			p.nesting = 0
			if rule.Name == "" {
				p.unnamed = before + 1
				rule.Name = "expr_" + strconv.Itoa(p.unnamed)
			}
			end := strings.IndexByte(p.text[p.at:], ';')
			if p.tok.kind == tokSign && p.tok.text == ";" {
				end = -1
			}
			rule.Fault, rule.root = r, nil
			if more = end >= 0 || p.tok.kind == tokSign && p.tok.text == ";"; end >= 0 {
				p.at += end + 1
			}
			rule.Text = trimmed(p.out.text, rule.At, p.at)
			p.out.Rules = append(p.out.Rules, rule)
		default:
			panic(r)
		}
	}()
	p.nesting = 0
	p.tok = token{}
	p.skip()
	rule.At = p.place()
	p.advance()
	for p.is(";") {
		p.skip()
		rule.At = p.place()
		p.advance()
	}
	if p.tok.kind == tokEnd {
		return false
	}
	if p.tok.kind == tokName && p.ahead("=") {
		name := p.advance().text
		p.advance()
		if name == "delta" {
			p.setDelta()
			return true
		}
		if p.tok.kind == tokString {
			value := p.advance().text
			if p.is(";") {
				p.macros[name] = value
				return true
			}
			p.fail(p.tok.at, "\";\" is expected after the macro %s.", name)
		}
		rule.Name = name
	}
	if p.tok.kind == tokName && (p.tok.text == "ruleset" || p.tok.text == "else" || p.tok.text == "unknown" || p.tok.text == "otherwise") {
		p.fail(p.tok.at, "%s is not supported: write the rules of a ruleset one by one.", p.tok.text)
	}
	start := p.tok.at
	root := p.expression()
	if folded := root; folded.op == "number" && rule.Name != "" && p.is(";") {
		p.macros[rule.Name] = strconv.FormatFloat(folded.value, 'g', -1, 64)
		return true
	}
	rule.Text = trimmed(p.out.text, start, p.tok.at)
	if p.accept("->") {
		rule.Actions = p.actions()
	}
	if !p.is(";") && p.tok.kind != tokEnd {
		p.fail(p.tok.at, "An operator or \";\" is expected before %s.", p.found())
	}
	if rule.Name == "" {
		p.unnamed++
		rule.Name = "expr_" + strconv.Itoa(p.unnamed)
	}
	rule.root = root
	p.out.Rules = append(p.out.Rules, rule)
	return p.tok.kind != tokEnd
}

// outerText leaves the macros that are being expanded.
func (p *parser) outerText() {
	if len(p.outer) > 0 {
		p.text, p.at = p.outer[0].text, p.outer[0].at
		p.outer = p.outer[:0]
	}
}

func trimmed(text string, from, to int) string {
	to = min(to, len(text))
	return strings.TrimSpace(text[min(from, to):to])
}

// ahead reports whether a sign follows the present token. Nothing else begins
// with "=" but "==".
func (p *parser) ahead(sign string) bool {
	p.skip()
	rest := p.text[p.at:]
	return strings.HasPrefix(rest, sign) && !strings.HasPrefix(rest, "==")
}

func (p *parser) setDelta() {
	at := p.tok.at
	n := p.expression()
	if n.op != "number" || !(n.value >= 1e-3) || n.value > 1e9 {
		p.fail(at, "delta must be a length of time of at least a millisecond, such as 10 sec.")
	}
	if !p.is(";") && p.tok.kind != tokEnd {
		p.fail(p.tok.at, "\";\" is expected after delta.")
	}
	p.delta = int64(math.Round(n.value * 1e9))
	p.macros["delta"] = strconv.FormatFloat(n.value, 'g', -1, 64)
}

func (p *parser) node(n node) *node {
	if p.out.nodes++; p.out.nodes > maxNodes {
		p.fail(n.at, "The file has more than %d operators and operands.", maxNodes)
	}
	n.id = p.out.nodes - 1
	for _, operand := range []*node{n.a, n.b} {
		if operand != nil {
			n.height = max(n.height, operand.height+1)
		}
	}
	if n.height > maxHeight {
		p.fail(n.at, "The expression has more than %d operators in a row or within each other.", maxHeight)
	}
	return &n
}

func (p *parser) want(n *node, s sort, what string) {
	if n.sort != s {
		p.fail(n.at, "A %s is expected %s, this is a %s.", sortNames[s], what, sortNames[n.sort])
	}
}

// expression reads conditions joined by && and ||, which bind equally tightly,
// from the left.
func (p *parser) expression() *node {
	if p.nesting++; p.nesting > maxNesting {
		p.fail(p.tok.at, "The expression is nested more than %d deep.", maxNesting)
	}
	left := p.relation()
	for p.is("&&") || p.is("||") {
		op := p.advance()
		right := p.relation()
		p.want(left, truth, "before "+op.text)
		p.want(right, truth, "after "+op.text)
		left = p.node(node{op: op.text, sort: truth, a: left, b: right, at: left.at, samples: p.together(left, right, op)})
	}
	p.nesting--
	return left
}

// together returns the number of samples of two operands.
func (p *parser) together(a, b *node, op token) int {
	if a.samples > 0 && b.samples > 0 && a.samples != b.samples {
		p.fail(op.at, "The operands of %s have %d and %d samples.", op.text, a.samples, b.samples)
	}
	return max(a.samples, b.samples)
}

var relations = []string{"<", "<=", "==", ">=", ">", "!="}

func (p *parser) relation() *node {
	left := p.sum()
	if left.sort == truth || p.tok.kind != tokSign || !slices.Contains(relations, p.tok.text) {
		return left // of a condition: count_inst (x > 1) > 2 compares the count
	}
	op := p.advance()
	right := p.sum()
	if left.sort == text || right.sort == text {
		p.comparable(left, right, op)
	} else {
		p.want(left, number, "before "+op.text)
		p.want(right, number, "after "+op.text)
	}
	return p.node(node{op: op.text, sort: truth, a: left, b: right, at: left.at, samples: p.together(left, right, op)})
}

// comparable checks a comparison of texts: of a metric with a constant.
func (p *parser) comparable(left, right *node, op token) {
	if op.text != "==" && op.text != "!=" {
		p.fail(op.at, "Texts are compared by == and != only.")
	}
	if left.op != "metric" && right.op != "metric" {
		p.fail(op.at, "A text is compared with the value of a metric.")
	}
}

func (p *parser) arithmetic(op token, left, right *node) *node {
	p.want(left, number, "before "+op.text)
	p.want(right, number, "after "+op.text)
	if left.op == "number" && right.op == "number" {
		left.value = calculate(op.text, left.value, right.value)
		return left
	}
	return p.node(node{op: op.text, a: left, b: right, at: left.at, samples: p.together(left, right, op)})
}

func (p *parser) sum() *node {
	left := p.product()
	for p.is("+") || p.is("-") {
		op := p.advance()
		left = p.arithmetic(op, left, p.product())
	}
	return left
}

func (p *parser) product() *node {
	left := p.prefixed()
	for p.is("*") || p.is("/") {
		op := p.advance()
		left = p.arithmetic(op, left, p.prefixed())
	}
	return left
}

// Operators before an operand. Those on conditions take a comparison, those on
// numbers a single operand.
var (
	onConditions = []string{"some_inst", "some_host", "some_sample", "all_inst", "all_host", "all_sample", "rising", "falling",
		"count_inst", "count_host", "count_sample"}
	onNumbers = []string{"rate", "instant", "min_inst", "min_host", "min_sample", "max_inst", "max_host", "max_sample",
		"sum_inst", "sum_host", "sum_sample", "avg_inst", "avg_host", "avg_sample"}
)

func (p *parser) prefixed() *node {
	if p.nesting++; p.nesting > maxNesting {
		p.fail(p.tok.at, "The expression is nested more than %d deep.", maxNesting)
	}
	defer func() { p.nesting-- }()
	t := p.tok
	switch {
	case p.is("-"):
		p.advance()
		a := p.prefixed()
		p.want(a, number, "after -")
		if a.op == "number" {
			a.value = -a.value
			return a
		}
		return p.node(node{op: "neg", a: a, at: t.at, samples: a.samples})
	case p.is("!"):
		p.advance()
		a := p.relation()
		p.want(a, truth, "after !")
		return p.node(node{op: "!", sort: truth, a: a, at: t.at, samples: a.samples})
	case t.kind == tokName && slices.Contains(onConditions, t.text):
		p.advance()
		a := p.relation()
		p.want(a, truth, "after "+t.text)
		n := node{op: t.text, sort: truth, a: a, at: t.at}
		if strings.HasPrefix(t.text, "count_") {
			n.sort = number
		}
		return p.aggregate(n)
	case t.kind == tokName && slices.Contains(onNumbers, t.text):
		p.advance()
		a := p.prefixed()
		p.want(a, number, "after "+t.text)
		return p.aggregate(node{op: t.text, a: a, at: t.at})
	case t.kind == tokName && (t.text == "match_inst" || t.text == "nomatch_inst"):
		return p.match()
	}
	return p.operand()
}

// aggregate completes a node over instances, samples or the host.
func (p *parser) aggregate(n node) *node {
	n.samples = n.a.samples
	switch {
	case strings.HasSuffix(n.op, "_sample"):
		n.samples = 0
	case n.op == "rising", n.op == "falling", n.op == "rate":
		if n.samples > 1 {
			p.fail(n.at, "%s takes one sample, and this has %d.", n.op, n.samples)
		}
	case n.op == "instant":
		if n.a.op == "metric" {
			n.a.raw = true
		}
	}
	return p.node(n)
}

func (p *parser) match() *node {
	t := p.advance()
	if p.tok.kind != tokString {
		p.fail(p.tok.at, "%s is followed by a regular expression in double quotes.", t.text)
	}
	if len(p.tok.text) > maxRegexp {
		p.fail(p.tok.at, "The regular expression is longer than %d bytes.", maxRegexp)
	}
	re := p.regexp(p.tok.text)
	p.advance()
	a := p.relation()
	p.want(a, truth, "after "+t.text)
	return p.node(node{op: t.text, sort: truth, a: a, at: t.at, matches: re, samples: a.samples})
}

// regexp compiles a regular expression. Those that are equal share what is
// compiled.
func (p *parser) regexp(text string) *regexp.Regexp {
	if re := p.regexps[text]; re != nil {
		return re
	}
	size, err := pattern.Size(text, syntax.Perl)
	switch {
	case size > pattern.MaxSize:
		p.fail(p.tok.at, "The regular expression %q is too large: %s.", pcp.Clip(text, 60), err)
	case err != nil:
		p.fail(p.tok.at, "The regular expression %q is not valid.", text)
	}
	if p.size += size; p.size > maxRegexps {
		p.fail(p.tok.at, "The regular expressions of the file are too large together.")
	}
	if p.regexps == nil {
		p.regexps = map[string]*regexp.Regexp{}
	}
	p.regexps[text] = regexp.MustCompile(text)
	return p.regexps[text]
}
