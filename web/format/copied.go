package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pcpscope/core/pattern"
)

// OneLine makes a single line of a text that contains names from files: without
// line breaks, control characters, or characters that change the direction of
// writing.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// Copied is OneLine for text that is pasted into a ticket, which may interpret it
// as Markdown or HTML: names must not become tags, links, or pictures that its
// readers would load.
func Copied(text string) string {
	return markup().ReplaceAllString(OneLine(text), `\$0`)
}

// markup matches the beginning of a tag, or of a link's address.
var markup = pattern.New(`<[A-Za-z/!?]|\]\(|\]\[|\]:`)
