package pattern

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

// MaxSize is the largest size of an expression from outside. Its compiled form
// takes about a hundred bytes for each.
const MaxSize = 20_000

// errSize is the error of an expression that is larger.
var errSize = errors.New("its repetitions multiply to too much")

// Size returns how large an expression's compiled form is: its length in
// characters with all repetitions expanded. The error says that the expression
// is not valid, or that it is larger than MaxSize.
func Size(expression string, flags syntax.Flags) (int, error) {
	parsed, err := syntax.Parse(expression, flags)
	if err != nil {
		return 0, err
	}
	n := sizeOf(parsed)
	if n > MaxSize {
		return n, errSize
	}
	return n, nil
}

// Compile is regexp.Compile for expressions from outside, which may not be
// larger than MaxSize.
func Compile(expression string) (*regexp.Regexp, error) {
	if _, err := Size(expression, syntax.Perl); err != nil {
		return nil, err
	}
	return regexp.Compile(expression)
}

func sizeOf(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n = min(n+sizeOf(sub), MaxSize+1)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return min(n, MaxSize+1)
}
