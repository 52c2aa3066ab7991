package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pcpscope/core/pattern"
)

// OneLine makes one line of a text that has names from files in it: without line
// breaks, control characters, or what turns the direction of writing.
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

// Copied is OneLine for a text that is pasted into a ticket, which may take it for
// Markdown or HTML: of a name it makes no tag, and no link or picture, which those
// who read the ticket would fetch.
func Copied(text string) string {
	return markup().ReplaceAllString(OneLine(text), `\$0`)
}

// markup is what a tag, or the address of a link, begins with.
var markup = pattern.New(`<[A-Za-z/!?]|\]\(|\]\[|\]:`)
