package pmie

import (
	"slices"
	"strings"
)

// units are the words that pmie(1) allows after a number, in bytes, seconds and
// counts; those of an interval on a command line (core/interp/when) differ.
var units = map[string]float64{
	"nanosecond": 1e-9, "nanosec": 1e-9, "nsec": 1e-9,
	"microsecond": 1e-6, "microsec": 1e-6, "usec": 1e-6,
	"millisecond": 1e-3, "millisec": 1e-3, "msec": 1e-3,
	"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600,
	"byte": 1, "Kbyte": 1 << 10, "Mbyte": 1 << 20, "Gbyte": 1 << 30, "Tbyte": 1 << 40,
	"count": 1, "Kcount": 1e3, "Mcount": 1e6,
}

// unit returns the factor of the word at the present token.
func (p *parser) unit() (factor float64, ok bool) {
	if p.tok.kind != tokName {
		return 0, false
	}
	if factor, ok = units[p.tok.text]; !ok {
		factor, ok = units[strings.TrimSuffix(p.tok.text, "s")]
	}
	return factor, ok
}

// unitAhead reports whether a unit follows the present token, which is a "/".
func (p *parser) unitAhead() bool {
	p.skip()
	rest := p.text[p.at:]
	n := 0
	for n < len(rest) && (letter(rest[n]) || digit(rest[n]) || rest[n] == '.') {
		n++
	}
	word := rest[:n]
	_, ok := units[strings.TrimSuffix(word, "s")]
	return ok
}

// operand reads a constant, a metric, or an expression in parentheses.
func (p *parser) operand() *node {
	t := p.tok
	switch {
	case t.kind == tokNumber:
		return p.constant()
	case t.kind == tokString:
		p.advance()
		return p.node(node{op: "string", sort: text, text: t.text, at: t.at})
	case t.kind == tokClock:
		p.advance()
		return p.node(node{op: "$" + t.text, at: t.at})
	case p.accept("("):
		n := p.expression()
		p.expect(")")
		if factor, ok := p.unit(); ok && n.op == "number" {
			p.advance()
			n.value *= factor
		}
		return n
	case t.kind == tokName, t.kind == tokQuoted:
		return p.metric()
	}
	p.fail(t.at, "A metric, a number or an operator is expected instead of %s.", p.found())
	panic("unreachable")
}

// constant reads a number with its units, or N%_inst and its condition.
func (p *parser) constant() *node {
	t := p.advance()
	if p.tok.kind == tokSign && strings.HasPrefix(p.tok.text, "%_") {
		op := p.advance().text
		if t.value > 100 {
			p.fail(t.at, "A percentage is at most 100.")
		}
		a := p.relation()
		p.want(a, truth, "after "+op)
		return p.aggregate(node{op: op, sort: truth, a: a, value: t.value, at: t.at})
	}
	n := p.node(node{op: "number", value: t.value, at: t.at})
	if p.tok.kind == tokName {
		factor, ok := p.unit()
		if !ok {
			p.fail(p.tok.at, "The unit %q is not known; pmie has sec, min, hour, byte, Kbyte, Mbyte, count, Kcount and others.", p.tok.text)
		}
		p.advance()
		n.value *= factor
		for p.is("/") && p.unitAhead() {
			p.advance()
			factor, _ := p.unit()
			p.advance()
			n.value /= factor
		}
	}
	return n
}

// metric reads a name with its selections of hosts, instances and samples.
func (p *parser) metric() *node {
	t := p.advance()
	n := p.node(node{op: "metric", text: t.text, at: t.at, samples: 1})
	for p.is(":") || p.is("#") {
		sign := p.advance().text
		if p.tok.kind != tokName && p.tok.kind != tokQuoted {
			p.fail(p.tok.at, "A name is expected after %s; put it into single quotes unless it is a word.", sign)
		}
		if name := p.advance().text; sign == "#" {
			if n.chosen == nil {
				n.chosen = map[string]bool{}
			}
			n.insts, n.chosen[name] = append(n.insts, name), true
		} else {
			n.hosts = append(n.hosts, name)
		}
	}
	if p.accept("@") {
		n.first = p.sampleNumber()
		n.last = n.first
		if p.accept("..") {
			n.last = p.sampleNumber()
		}
		n.first, n.last = min(n.first, n.last), max(n.first, n.last)
		n.samples = n.last - n.first + 1
	}
	return n
}

func (p *parser) sampleNumber() int {
	if p.tok.kind != tokNumber || p.tok.value != float64(int(p.tok.value)) || p.tok.value >= maxSamples {
		p.fail(p.tok.at, "A sample is a whole number below %d, 0 for the present one.", maxSamples)
	}
	return int(p.advance().value)
}

// actions reads what follows "->".
func (p *parser) actions() (list []Action) {
	otherwise := false
	for {
		a := Action{Kind: p.tok.text, Else: otherwise}
		if p.tok.kind != tokName || !slices.Contains(actionKinds, a.Kind) {
			p.fail(p.tok.at, "An action is expected instead of %s: print, syslog, alarm, shell or stomp.", p.found())
		}
		p.advance()
		if p.tok.kind == tokNumber {
			a.Holdoff = int64(min(p.constant().value, 1e9) * 1e9)
		}
		for p.tok.kind == tokString || p.tok.kind == tokName {
			a.Args = append(a.Args, p.advance().text)
		}
		if len(a.Args) == 0 {
			p.fail(p.tok.at, "The action %s has no text in quotes.", a.Kind)
		}
		list = append(list, a)
		if otherwise = p.is("|"); !otherwise && !p.is("&") {
			return list
		}
		p.advance()
	}
}

var actionKinds = []string{"print", "syslog", "alarm", "shell", "stomp"}
