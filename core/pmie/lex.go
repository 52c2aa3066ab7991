package pmie

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"pcpscope/core/pcp"
)

// Limits that keep hostile input from exhausting memory or the stack.
const (
	maxText   = 1 << 18 // bytes of a file
	maxTokens = 1 << 16 // of a file with its macros expanded
	maxMacros = 16      // macros within macros
	maxString = 1 << 16 // bytes of a string with its macros expanded
	maxTexts  = 1 << 20 // bytes of all strings with their macros expanded
)

type kind uint8

const (
	tokEnd    kind = iota
	tokName        // of a metric, a rule, an operator such as some_inst
	tokQuoted      // 'text'
	tokNumber
	tokString // "text"
	tokSign   // an operator or a delimiter, and %_inst, %_host, %_sample
	tokClock  // $hour and so on
)

type token struct {
	kind  kind
	text  string
	value float64 // of a number
	at    int     // byte of the file
}

// A lexer splits a file of rules into tokens, and expands macros. It panics
// with a *pcp.Fault, which Parse recovers.
type lexer struct {
	file   string
	text   string
	at     int
	outer  []input // texts that contain the macro being expanded
	macros map[string]string
	tokens int
	texts  int // bytes of strings so far
	places places
}

// An input is a text and the place to go on there.
type input struct {
	text string
	at   int
}

// place returns the byte of the file that is being read: of a macro, that of
// its outermost use.
func (l *lexer) place() int {
	if len(l.outer) > 0 {
		return l.outer[0].at
	}
	return l.at
}

// places converts places in a text, most of which come in order: a file may have
// a mistake in each of thousands of rules.
type places struct {
	at                  int // bytes passed
	line, column, units int // that precede it, of the text, of the line, and of the text in UTF-16
}

// fault locates a message in a text: by line and column in its sentence, and in
// UTF-16 units for an editor.
func (p *places) fault(text string, at int, format string, args ...any) *pcp.Fault {
	at = min(at, len(text))
	if at < p.at {
		*p = places{}
	}
	for _, r := range text[p.at:at] {
		p.column++
		if p.units++; r > 0xffff {
			p.units++
		}
		if r == '\n' {
			p.line, p.column = p.line+1, 0
		}
	}
	p.at = at
	f := pcp.Faultf(pcp.BadExpression, "Line "+strconv.Itoa(p.line+1)+", column "+strconv.Itoa(p.column+1)+": "+format, args...)
	f.Span = &[2]int{p.units, p.units + 1}
	return f
}

func (l *lexer) fail(at int, format string, args ...any) {
	panic(l.places.fault(l.file, at, format, args...))
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// skip passes blanks and comments, and returns to the outer text at the end of
// a macro's.
func (l *lexer) skip() {
	for {
		rest := l.text[l.at:]
		switch {
		case rest == "" && len(l.outer) > 0:
			last := len(l.outer) - 1
			l.text, l.at = l.outer[last].text, l.outer[last].at
			l.outer = l.outer[:last]
		case rest == "":
			return
		case strings.IndexByte(" \t\r\n\f\v\\", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "//"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				l.at += end
			} else {
				l.at = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.fail(l.place(), "This comment has no end.")
			}
			l.at += end + 4
		default:
			return
		}
	}
}

// count counts a word, or a macro, which may stand for none.
func (l *lexer) count() {
	if l.tokens++; l.tokens > maxTokens {
		l.tokens = maxTokens // what follows is refused as well
		l.fail(l.place(), "With its macros expanded the file has more than %d words.", maxTokens)
	}
}

func (l *lexer) next() token {
	for {
		if t, is := l.word(); is {
			return t
		}
	}
}

// word reads a token, or enters a macro.
func (l *lexer) word() (t token, is bool) {
	l.count()
	l.skip()
	at := l.place()
	rest := l.text[l.at:]
	if rest == "" {
		return token{at: at}, true
	}
	take := func(k kind, n int) (token, bool) {
		l.at += n
		return token{kind: k, text: rest[:n], at: at}, true
	}
	switch c := rest[0]; {
	case letter(c):
		n := 1
		for n < len(rest) && (letter(rest[n]) || digit(rest[n]) || rest[n] == '.') {
			n++
		}
		return take(tokName, n)
	case digit(c), c == '.' && len(rest) > 1 && digit(rest[1]):
		return l.number(rest, at), true
	case c == '"':
		return l.quoted(rest, at, tokString), true
	case c == '\'':
		return l.quoted(rest, at, tokQuoted), true
	case c == '$':
		return l.macro(rest, at)
	}
	for _, sign := range []string{"%_inst", "%_host", "%_sample", "->", "<=", ">=", "==", "!=", "&&", "||", ".."} {
		if strings.HasPrefix(rest, sign) {
			return take(tokSign, len(sign))
		}
	}
	if strings.IndexByte("+-*/()<>!:#@;=&|,%", rest[0]) < 0 {
		_, n := utf8.DecodeRuneInString(rest)
		l.fail(at, "The character %q has no meaning here.", rest[:n])
	}
	return take(tokSign, 1)
}

// number reads a decimal number: 0..2 is two of them.
func (l *lexer) number(rest string, at int) token {
	digits := func(n int) int {
		for n < len(rest) && digit(rest[n]) {
			n++
		}
		return n
	}
	n := digits(0)
	if n < len(rest) && rest[n] == '.' && !strings.HasPrefix(rest[n:], "..") {
		n = digits(n + 1)
	}
	if n < len(rest) && rest[n]|0x20 == 'e' {
		m := n + 1
		if m < len(rest) && (rest[m] == '+' || rest[m] == '-') {
			m++
		}
		if end := digits(m); end > m {
			n = end
		}
	}
	v, err := strconv.ParseFloat(rest[:n], 64)
	if err != nil {
		l.fail(at, "The number %s is too large.", rest[:min(n, 40)])
	}
	l.at += n
	return token{tokNumber, rest[:n], v, at}
}

// quoted reads a text in quotes. A backslash makes the character after it an
// ordinary one, but for \n and \t.
func (l *lexer) quoted(rest string, at int, k kind) token {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == rest[0]:
			l.at += i + 1
			t := token{kind: k, text: l.expand(b.String(), at, 0), at: at}
			if l.texts += len(t.text); l.texts > maxTexts {
				l.fail(at, "With their macros expanded the texts in quotes have more than %d bytes.", maxTexts)
			}
			return t
		case c == '\\' && i+1 < len(rest):
			i++
			switch rest[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '\n':
			default:
				b.WriteByte(rest[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	l.fail(at, "This text in quotes has no end.")
	panic("unreachable")
}

// macroName returns the name after a $.
func macroName(text string) string {
	n := 0
	for n < len(text) && (letter(text[n]) || n > 0 && digit(text[n])) {
		n++
	}
	return text[:n]
}

// expand replaces the macros in a text that was in quotes; an unknown one stays
// as it is, since it may be one of a shell's variables.
func (l *lexer) expand(text string, at, depth int) string {
	if strings.IndexByte(text, '$') < 0 {
		return text
	}
	if depth > maxMacros {
		l.fail(at, "Macros are nested more than %d deep.", maxMacros)
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name := macroName(after)
		if value, known := l.macros[name]; known {
			l.count()
			b.WriteString(l.expand(value, at, depth+1))
		} else {
			b.WriteString("$" + name)
		}
		if b.Len() > maxString {
			l.fail(at, "With its macros expanded this text has more than %d bytes.", maxString)
		}
		text = after[len(name):]
	}
}

// clocks are the macros that stand for the time of the evaluation.
var clocks = []string{"minute", "hour", "day", "month", "year", "day_of_week"}

// macro enters a macro's text, or returns the token of one that stands for the
// time.
func (l *lexer) macro(rest string, at int) (token, bool) {
	name := macroName(rest[1:])
	l.at += 1 + len(name)
	for _, c := range clocks {
		if c == name {
			return token{kind: tokClock, text: name, at: at}, true
		}
	}
	value, known := l.macros[name]
	if !known {
		l.fail(at, "The macro $%s is not defined.", name)
	}
	if len(l.outer) >= maxMacros {
		l.fail(at, "Macros are nested more than %d deep.", maxMacros)
	}
	l.outer = append(l.outer, input{l.text, l.at})
	l.text, l.at = value, 0
	return token{}, false
}
