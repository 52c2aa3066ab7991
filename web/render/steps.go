package render

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"
)

// steps collects the changes to the page as one array of names and arguments
// for a whole drawing, since each call out of Go costs more than the change
// itself. drawing.js defines each step.
type steps struct{ text []byte }

func (s *steps) begin() { s.text = append(s.text[:0], '[') }

func (s *steps) end() []byte {
	if n := len(s.text) - 1; s.text[n] == ',' {
		s.text = s.text[:n]
	}
	s.text = append(s.text, ']')
	return s.text
}

// add appends a step: its name, the number of a node, and string or number
// arguments.
func (s *steps) add(name string, id int, args ...any) {
	s.quote(name)
	s.number(id)
	for _, a := range args {
		switch a := a.(type) {
		case int:
			s.number(a)
		case string:
			s.quote(a)
		}
	}
}

// content sets text, or markup if the template asks for it. Text that is
// merely escaped is sent as text.
func (s *steps) content(id int, html string) {
	if strings.ContainsAny(html, "<&") {
		s.add("markup", id, html)
		return
	}
	s.add("content", id, html)
}

func (s *steps) attributes(id int, list []vugu.VGAttribute) {
	s.add("attributes", id, len(list))
	for _, a := range list {
		s.quote(a.Key)
		s.quote(a.Val)
	}
}

func (s *steps) property(id int, key string, json []byte) {
	s.add("property", id, key)
	s.text = append(append(s.text, json...), ',')
}

func (s *steps) number(n int) {
	s.text = append(strconv.AppendInt(s.text, int64(n), 10), ',')
}

// quote appends a JSON string.
func (s *steps) quote(text string) {
	const hex = "0123456789abcdef"
	b := append(s.text, '"')
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, text[from:i]...)
		from = i + 1
		if c < ' ' {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			b = append(b, '\\', c)
		}
	}
	s.text = append(append(b, text[from:]...), '"', ',')
}
