package derived

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Limits of a pattern. What Go's regexp makes of one grows with the product of
// its counts, and takes stack with the depth of its groups.
const (
	maxPattern = 4096   // bytes
	maxGroups  = 100    // in one another
	maxProgram = 20_000 // characters, with every repetition written out
)

// compilePattern compiles a POSIX extended regular expression, as regcomp(3)
// of the GNU library understands it: with \w \W \s \S, word boundaries \b \B
// \< \>, and any other character behind a backslash standing for itself.
func compilePattern(pattern string) (*regexp.Regexp, error) {
	var b strings.Builder
	perl := false // boundaries exist in Go's other dialect only
	first := true // nothing comes before that a * could repeat
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
			// Inside brackets a backslash is a character like any other.
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

// programSize is about how many characters an expression has once its
// repetitions are written out.
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

// bracketEnd returns the index behind the bracket expression that starts at
// i, or -1. A ] that comes first is a member, and [:class:] has its own.
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
