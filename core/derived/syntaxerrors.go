package derived

import "pcpscope/core/pcp"

// wanted is the fault of an unexpected token.
func (p *parser) wanted(what string) *pcp.Fault {
	switch {
	case p.tok.kind == tokEnd && p.last.kind == tokEnd:
		return fault(p.tok.span, "The expression is empty: %s was expected.", what)
	case p.tok.kind == tokEnd:
		return fault(p.tok.span, "The expression ends after %s, where %s was expected.", p.last, what)
	case p.last.kind == tokEnd:
		return fault(p.tok.span, "An expression cannot begin with %s; %s was expected.%s", p.tok, what, p.hint())
	}
	return fault(p.tok.span, "After %s, %s was expected, not %s.%s", p.last, what, p.tok, p.hint())
}

// hint adds what an unexpected token was probably meant to be.
func (p *parser) hint() string {
	switch p.tok.kind {
	case tokKeyword:
		return " A metric of just this name cannot be used, the word is reserved."
	case tokString:
		return " Strings are only used in rescale(), mkconst(), novalue() and movavg()."
	case tokInstance:
		return " An instance follows the metric it belongs to: kernel.all.load[1 minute]."
	}
	return ""
}

// afterOperand is the fault of a token that cannot follow a complete operand.
func (p *parser) afterOperand(x Node) *pcp.Fault {
	switch p.tok.kind {
	case tokClose:
		return fault(p.tok.span, `This ")" has no matching "(".`)
	case tokAssign:
		return fault(p.tok.span, `"=" has no meaning here; "==" compares.`)
	case tokInstance:
		return fault(p.tok.span, "An instance can be selected from a metric or a parenthesis only, not from %s.", brief(x))
	case tokColon:
		return fault(p.tok.span, `This ":" has no "?" before it.`)
	case tokComma:
		return fault(p.tok.span, `A "," separates the arguments of a function and has no meaning here.`)
	}
	return fault(p.tok.span, "After %s, an operator such as + - * / < == && ? was expected, not %s.", brief(x), p.tok)
}

// notFunction is the fault of an unknown name before a parenthesis. The parser
// has read up to the parenthesis.
func (p *parser) notFunction(name token) *pcp.Fault {
	at := name.span.to(p.tok.span)
	if lookup(name.text) != nil {
		return fault(at, "There must be no blank between %s and its parenthesis; with one, %s is taken for a metric.", name.text, name.text)
	}
	if s := similar(name.text, functionNames()); s != "" {
		f := fault(at, "There is no function %s. Did you mean %s?", quote(name.text), lookup(s).Signature)
		f.Fix = &pcp.Fix{Span: [2]int(name.span), Text: s}
		return f
	}
	return fault(at, "There is no function %s.", quote(name.text))
}
