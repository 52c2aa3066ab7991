package derived

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Limits on patterns. The size of Go's compiled regexp grows with the product
// of nested repetition counts, and compiling recurses into groups.
const (
	maxPattern = 4096   // bytes
	maxGroups  = 100    // nested in each other
	maxProgram = 20_000 // characters, with all repetitions expanded
)

// compilePattern compiles a POSIX extended regular expression as regcomp(3) of
// the GNU library does: with \w \W \s \S, word boundaries \b \B \< \>, and a
// backslash before any other character to match it literally.
func compilePattern(pattern string) (*regexp.Regexp, error) {
	compiled.Lock()
	re := compiled.patterns[pattern]
	compiled.Unlock()
	if re != nil {
		return re, nil
	}
	re, err := compileNew(pattern)
	if err == nil && len(pattern) <= keptPattern {
		compiled.Lock()
		defer compiled.Unlock()
		if compiled.patterns == nil || len(compiled.patterns) == keptPatterns {
			compiled.patterns = map[string]*regexp.Regexp{}
		}
		compiled.patterns[pattern] = re
	}
	return re, err
}

// compiled are the latest patterns: an expression is parsed and bound many times, and
// compiling takes longer than all the rest of that.
var compiled struct {
	sync.Mutex
	patterns map[string]*regexp.Regexp
}

const (
	keptPatterns = 32
	keptPattern  = 256 // bytes
)

func compileNew(pattern string) (*regexp.Regexp, error) {
	var b strings.Builder
	perl := false // Go supports boundaries only in its Perl syntax
	first := true // nothing precedes that a * could repeat
	depth := 0
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("it is longer than %d bytes", maxPattern)
	}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch c {
		case '(':
			if depth++; depth > maxGroups {
				return nil, fmt.Errorf("its groups are nested more than %d deep", maxGroups)
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
				return nil, errors.New(`a "[" has no "]"`)
			}
			// Inside brackets a backslash is an ordinary character.
			b.WriteString(strings.ReplaceAll(pattern[i:end], `\`, `\\`))
			i = end - 1
		case c == '\\':
			i++
			if i == len(pattern) {
				return nil, errors.New("it ends in a backslash")
			}
			switch e := pattern[i]; {
			case strings.IndexByte("wWsS", e) >= 0:
				b.WriteString(map[byte]string{'w': "[[:word:]]", 'W': "[^[:word:]]", 's': "[[:space:]]", 'S': "[^[:space:]]"}[e])
			case strings.IndexByte("bB<>", e) >= 0:
				perl = true
				b.WriteString(map[byte]string{'b': `\b`, 'B': `\B`, '<': `\b`, '>': `\b`}[e])
			case e >= '1' && e <= '9':
				return nil, errors.New("references to groups are not supported")
			default:
				b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
			}
		case star:
			b.WriteString(`\*`)
		default:
			b.WriteByte(c)
		}
	}
	compile, flags := regexp.CompilePOSIX, syntax.POSIX
	if perl {
		compile, flags = regexp.Compile, syntax.Perl
	}
	parsed, err := syntax.Parse(b.String(), flags)
	if err == nil && programSize(parsed) > maxProgram {
		return nil, errors.New("its repetitions multiply to too much")
	}
	if err == nil {
		var re *regexp.Regexp
		if re, err = compile(b.String()); err == nil {
			return re, nil
		}
	}
	var at *syntax.Error
	if errors.As(err, &at) {
		return nil, fmt.Errorf("%s: `%s`", at.Code, clip(at.Expr))
	}
	return nil, errors.New(clip(err.Error()))
}

// programSize estimates the length of an expression in characters with its
// repetitions expanded.
func programSize(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return min(n, maxProgram+1)
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
