package derived

import (
	"errors"
	"regexp"
	"strings"
)

// compilePattern compiles a POSIX extended regular expression, as regcomp(3)
// of the GNU library understands it: with \w \W \s \S, word boundaries \b \B
// \< \>, and any other character behind a backslash standing for itself.
func compilePattern(pattern string) (*regexp.Regexp, error) {
	var b strings.Builder
	perl := false // boundaries exist in Go's other dialect only
	first := true // nothing stands before that a * could repeat
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
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
	compile := regexp.CompilePOSIX
	if perl {
		compile = regexp.Compile
	}
	re, err := compile(b.String())
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
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
