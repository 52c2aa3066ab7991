package derived

import (
	"strings"
	"unicode/utf8"

	"pcpscope/core/pcp"
)

// A Span is a range of an expression's text, start and end, in UTF-16 units as
// used by editors in a browser.
type Span [2]int

// to returns the span from the start of s to the end of t.
func (s Span) to(t Span) Span { return Span{s[0], t[1]} }

func fault(at Span, format string, args ...any) *pcp.Fault {
	f := pcp.Faultf(pcp.BadExpression, format, args...)
	span := [2]int(at)
	f.Span = &span
	return f
}

// A lexer splits an expression into tokens. See spec/derived.md section 2. It
// panics with a *pcp.Fault, which Parse recovers.
type lexer struct {
	text string
	at   int // offset of the next byte
	// Bytes and UTF-16 units differ only after the first non-ASCII character;
	// at byte seen, the position is units.
	seen, units int
}

// place returns the position of a byte in UTF-16 units. Bytes must be passed in
// ascending order, except for short steps back.
func (l *lexer) place(at int) int {
	if at < l.seen {
		l.seen, l.units = 0, 0
	}
	for l.seen < at {
		r, n := utf8.DecodeRuneInString(l.text[l.seen:])
		l.seen += n
		l.units++
		if r > 0xffff {
			l.units++
		}
	}
	return l.units
}

func (l *lexer) span(from, to int) Span { return Span{l.place(from), l.place(to)} }

func (l *lexer) skipBlanks() {
	for l.at < len(l.text) && strings.IndexByte(" \t\n\r\v\f", l.text[l.at]) >= 0 {
		l.at++
	}
}

// take makes a token of the bytes up to end.
func (l *lexer) take(k kind, end int, text string) token {
	t := token{k, text, l.span(l.at, end)}
	l.at = end
	return t
}

// next returns the next token. After the last one it always returns tokEnd,
// located at the last character, where a reader looks for what is missing.
func (l *lexer) next() token {
	l.skipBlanks()
	if l.at >= len(l.text) {
		end := len(strings.TrimRight(l.text, " \t\n\r\v\f"))
		_, n := utf8.DecodeLastRuneInString(l.text[:end])
		return token{tokEnd, "", l.span(end-n, end)}
	}
	switch c := l.text[l.at]; {
	case isDigit(c), c == '.':
		return l.number()
	case isLetter(c):
		return l.name()
	case c == '"':
		end := strings.IndexByte(l.text[l.at+1:], '"')
		if end < 0 {
			panic(fault(l.span(l.at, len(l.text)), `This text has no closing ".`))
		}
		end += l.at + 1
		return l.take(tokString, end+1, l.text[l.at+1:end])
	case c == '[':
		return l.delimited(tokInstance, ']', "This instance name has no closing ].")
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.text[l.at:], s.text) {
			return l.take(s.kind, l.at+len(s.text), s.text)
		}
	}
	panic(l.illegal())
}

func (l *lexer) illegal() *pcp.Fault {
	_, n := utf8.DecodeRuneInString(l.text[l.at:])
	c, at := l.text[l.at:l.at+n], l.span(l.at, l.at+n)
	switch c {
	case "&", "|":
		return fault(at, "A single %s means nothing here; %q is the operator.", quote(c), c+c)
	case "]":
		return fault(at, `"]" has no "[" before it.`)
	case "%":
		return fault(at, `"%%" is not an operator; write 100 * part / whole for a percentage.`)
	case "'":
		return fault(at, `Strings are written in double quotes.`)
	}
	return fault(at, "The character %s has no meaning in an expression.", quote(c))
}

// pattern reads a regular expression between slashes, if there is one. It
// removes one level of backslashes, as PCP does.
func (l *lexer) pattern() (token, bool) {
	l.skipBlanks()
	if l.at >= len(l.text) || l.text[l.at] != '/' {
		return token{}, false
	}
	return l.delimited(tokPattern, '/', "This pattern has no closing /."), true
}

// delimited reads up to an unescaped end byte; \c means c.
func (l *lexer) delimited(k kind, end byte, unclosed string) token {
	var text strings.Builder
	for i := l.at + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == end:
			return l.take(k, i+1, text.String())
		case c == '\\' && i+1 < len(l.text):
			i++
			text.WriteByte(l.text[i])
		default:
			text.WriteByte(c)
		}
	}
	panic(fault(l.span(l.at, len(l.text)), "%s", unclosed))
}

// number reads an integer or a double: digits with at most one point. An
// exponent, which PCP does not support, makes either a double.
func (l *lexer) number() token {
	k, i := tokInteger, l.at
	for ; i < len(l.text); i++ {
		if c := l.text[i]; c == '.' && k == tokInteger {
			k = tokDouble
		} else if !isDigit(c) {
			break
		}
	}
	if i < len(l.text) && l.text[i]|0x20 == 'e' && l.text[l.at:i] != "." {
		j := i + 1
		if j < len(l.text) && (l.text[j] == '+' || l.text[j] == '-') {
			j++
		}
		if j < len(l.text) && isDigit(l.text[j]) {
			for j < len(l.text) && isDigit(l.text[j]) {
				j++
			}
			k, i = tokDouble, j
		}
	}
	return l.take(k, i, l.text[l.at:i])
}

func (l *lexer) name() token {
	i := l.at
	for i < len(l.text) && (isLetter(l.text[i]) || isDigit(l.text[i]) || l.text[i] == '_' || l.text[i] == '.') {
		i++
	}
	text := l.text[l.at:i]
	if i < len(l.text) && l.text[i] == '(' && lookup(text) != nil {
		return l.take(tokFunction, i+1, text+"(")
	}
	switch text {
	case "type", "semantics", "units", "indom", "meta":
		return l.take(tokKeyword, i, text)
	}
	return l.take(tokName, i, text)
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
