package report

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A markup is an HTML or SVG text under construction. Texts are always escaped.
type markup struct{ strings.Builder }

// start opens an element; attributes are alternating names and values.
func (m *markup) start(name string, attributes ...string) {
	m.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		m.WriteString(" " + attributes[i] + `="`)
		m.say(attributes[i+1])
		m.WriteByte('"')
	}
	m.WriteByte('>')
}

func (m *markup) end(name string) { m.WriteString("</" + name + ">") }

// put writes an element that contains only a text.
func (m *markup) put(name, said string, attributes ...string) {
	m.start(name, attributes...)
	m.say(said)
	m.end(name)
}

// say writes a text. Five characters are escaped, and those that HTML does
// not allow are replaced.
func (m *markup) say(text string) {
	for _, r := range text {
		switch {
		case r == '&':
			m.WriteString("&amp;")
		case r == '<':
			m.WriteString("&lt;")
		case r == '>':
			m.WriteString("&gt;")
		case r == '"':
			m.WriteString("&quot;")
		case r == '\'':
			m.WriteString("&#39;")
		case r != '\n' && r != '\t' && unicode.IsControl(r), r&0xfffe == 0xfffe:
			m.WriteRune(utf8.RuneError)
		default:
			m.WriteRune(r)
		}
	}
}

// digits writes a coordinate with at most one decimal.
func digits(v float64) string {
	v = math.Round(v*10) / 10
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// share writes a horizontal position as a percentage of the width.
func share(x float64) string {
	return strconv.FormatFloat(math.Round(x/across*1e5)/1e3, 'f', -1, 64) + "%"
}
