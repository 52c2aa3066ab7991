package derived

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"pcpscope/core/pattern"
)

// Limits on patterns, whose compiled form grows with the product of nested
// repetition counts, and which are compiled by recursion into groups.
const (
	maxPattern  = 4096    // bytes
	maxGroups   = 100     // nested in each other
	maxPatterns = 100_000 // size of all patterns of an expression and the definitions in it
)

// patternSize checks a pattern, and returns how large its compiled form is: see
// package pattern. Compiling it is left to when it is used: of the thousands of
// definitions that a file may have, few are.
func patternSize(text string) (int, error) {
	expression, flags, err := translated(text)
	if err != nil {
		return 0, err
	}
	size, err := pattern.Size(expression, flags)
	var at *syntax.Error
	switch {
	case errors.As(err, &at):
		return 0, fmt.Errorf("%s: `%s`", at.Code, clip(at.Expr))
	case err != nil:
		return 0, errors.New(clip(err.Error()))
	}
	return size, nil
}

// compilePattern compiles a pattern that patternSize has accepted.
func compilePattern(text string) *regexp.Regexp {
	compiled.Lock()
	re := compiled.patterns[text]
	compiled.Unlock()
	if re != nil {
		return re
	}
	expression, flags, _ := translated(text)
	if flags == syntax.POSIX {
		re = regexp.MustCompilePOSIX(expression)
	} else {
		re = regexp.MustCompile(expression)
	}
	if size, _ := pattern.Size(expression, flags); size <= keptPattern {
		compiled.Lock()
		defer compiled.Unlock()
		if compiled.patterns == nil || len(compiled.patterns) == keptPatterns {
			compiled.patterns = map[string]*regexp.Regexp{}
		}
		compiled.patterns[text] = re
	}
	return re
}

// compiled are the latest patterns: an expression is evaluated many times, and
// compiling takes longer than all the rest of that.
var compiled struct {
	sync.Mutex
	patterns map[string]*regexp.Regexp
}

const (
	keptPatterns = 32
	keptPattern  = 2000 // size
)

// translated returns a POSIX extended regular expression as Go writes it. It is
// that of regcomp(3) of the GNU library: with \w \W \s \S, word boundaries \b \B
// \< \>, and a backslash before any other character to match it literally.
func translated(pattern string) (expression string, flags syntax.Flags, err error) {
	var b strings.Builder
	perl := false // Go supports boundaries only in its Perl syntax
	first := true // nothing precedes that a * could repeat
	depth := 0
	if len(pattern) > maxPattern {
		return "", 0, fmt.Errorf("it is longer than %d bytes", maxPattern)
	}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch c {
		case '(':
			if depth++; depth > maxGroups {
				return "", 0, fmt.Errorf("its groups are nested more than %d deep", maxGroups)
			}
		case ')':
			depth--
		}
		star := c == '*' && first
		first = c == '(' || c == '|' || c == '^' && first
		switch {
		case c == '[':
			end := bracketEnd(pattern, i)
			if end < 0 {
				return "", 0, errors.New(`a "[" has no "]"`)
			}
			// Inside brackets a backslash is an ordinary character.
			b.WriteString(strings.ReplaceAll(pattern[i:end], `\`, `\\`))
			i = end - 1
		case c == '\\':
			i++
			if i == len(pattern) {
				return "", 0, errors.New("it ends in a backslash")
			}
			switch e := pattern[i]; {
			case strings.IndexByte("wWsS", e) >= 0:
				b.WriteString(map[byte]string{'w': "[[:word:]]", 'W': "[^[:word:]]", 's': "[[:space:]]", 'S': "[^[:space:]]"}[e])
			case strings.IndexByte("bB<>", e) >= 0:
				perl = true
				b.WriteString(map[byte]string{'b': `\b`, 'B': `\B`, '<': `\b`, '>': `\b`}[e])
			case e >= '1' && e <= '9':
				return "", 0, errors.New("references to groups are not supported")
			default:
				b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
			}
		case star:
			b.WriteString(`\*`)
		default:
			b.WriteByte(c)
		}
	}
	if perl {
		return b.String(), syntax.Perl, nil
	}
	return b.String(), syntax.POSIX, nil
}

// bracketEnd returns the index after the bracket expression that starts at i,
// or -1. A ] in first position is a member, and so is one that ends [:class:].
func bracketEnd(s string, i int) int {
	i++
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s); i++ {
		switch {
		case s[i] == ']':
			return i + 1
		case s[i] == '[' && i+1 < len(s) && s[i+1] == ':':
			if n := strings.Index(s[i+2:], ":]"); n >= 0 {
				i += n + 3
			}
		}
	}
	return -1
}

// Selects reports whether matchinst() keeps an instance.
func (m *Match) Selects(name string) bool {
	return compilePattern(m.Pattern).MatchString(name) != m.Not
}
