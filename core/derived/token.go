package derived

import "strconv"

// A kind tells tokens apart. Operators are their own kind.
type kind uint8

const (
	tokEnd kind = iota
	tokInteger
	tokDouble
	tokName
	tokKeyword  // type semantics units indom meta
	tokFunction // a function's name with its parenthesis: "avg("
	tokString
	tokInstance // [text]
	tokPattern  // /text/, only where the parser asks for it

	tokPlus
	tokMinus
	tokStar
	tokSlash
	tokLess
	tokLessEq
	tokEqual
	tokGreaterEq
	tokGreater
	tokNotEqual
	tokAnd
	tokOr
	tokNot
	tokQuest
	tokColon
	tokOpen
	tokClose
	tokComma
	tokAssign
)

// symbols lists the operators; of two that begin alike the longer is first.
var symbols = []struct {
	text string
	kind kind
}{
	{"<=", tokLessEq}, {"==", tokEqual}, {">=", tokGreaterEq}, {"!=", tokNotEqual}, {"&&", tokAnd}, {"||", tokOr},
	{"+", tokPlus}, {"-", tokMinus}, {"*", tokStar}, {"/", tokSlash}, {"<", tokLess}, {">", tokGreater}, {"!", tokNot},
	{"?", tokQuest}, {":", tokColon}, {"(", tokOpen}, {")", tokClose}, {",", tokComma}, {"=", tokAssign},
}

// A token is a piece of an expression. Its text is what it means: a string
// without quotes, an instance without brackets and backslashes.
type token struct {
	kind kind
	text string
	span Span
}

func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "the end of the expression"
	case tokString:
		return `the text "` + clip(t.text) + `"`
	case tokInstance:
		return "the instance [" + clip(t.text) + "]"
	case tokPattern:
		return "the pattern /" + clip(t.text) + "/"
	}
	return quote(t.text)
}

func quote(s string) string { return strconv.Quote(clip(s)) }

// maxClip is how many characters of a text a message shows.
const maxClip = 60

// clip keeps messages readable when someone pastes a novel.
func clip(s string) string { return clipTo(s, maxClip) }

func clipTo(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
