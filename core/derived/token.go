package derived

import (
	"strconv"

	"pcpscope/core/pcp"
)

// A kind is the kind of a token. Each operator has its own.
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
	tokPattern  // /text/, only if the parser asks for it

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

// symbols lists the operators; an operator comes before its own prefixes.
var symbols = []struct {
	text string
	kind kind
}{
	{"<=", tokLessEq}, {"==", tokEqual}, {">=", tokGreaterEq}, {"!=", tokNotEqual}, {"&&", tokAnd}, {"||", tokOr},
	{"+", tokPlus}, {"-", tokMinus}, {"*", tokStar}, {"/", tokSlash}, {"<", tokLess}, {">", tokGreater}, {"!", tokNot},
	{"?", tokQuest}, {":", tokColon}, {"(", tokOpen}, {")", tokClose}, {",", tokComma}, {"=", tokAssign},
}

// A token is a lexical element of an expression. Its text is the decoded value:
// a string without quotes, an instance without brackets and backslashes.
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

func clip(s string) string { return pcp.Clip(s, maxClip) }
