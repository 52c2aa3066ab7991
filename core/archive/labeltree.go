package archive

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxLabelDepth is how deep labels may be nested. PCP's agents nest them once
// or twice; JSON readers recurse.
const maxLabelDepth = 32

// jsonDepth returns the nesting depth of a text, if it is JSON.
func jsonDepth(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// A labelTree merges the JSON objects of labels. Values keep their text from
// the archive, so that numbers lose no digits.
type labelTree struct {
	nodes []labelNode // sorted by name
}

type labelNode struct {
	name  string
	value string     // JSON text, if inner is nil
	inner *labelTree // a compound label

	at, valueAt, end int // offsets of name and value in the text scanned last
}

// merge adds the labels of an object, replacing those of the same name. Text
// that is not an object is ignored.
func (l *labelTree) merge(text []byte) {
	if len(text) > 0 && json.Valid(text) {
		s := scanner{text: text}
		s.object(l)
	}
}

func (l *labelTree) find(name string) (int, bool) {
	return slices.BinarySearchFunc(l.nodes, name, func(n labelNode, name string) int { return strings.Compare(n.name, name) })
}

func (l *labelTree) text() string {
	if len(l.nodes) == 0 {
		return ""
	}
	var b strings.Builder
	l.write(&b)
	return b.String()
}

func (l *labelTree) write(b *strings.Builder) {
	b.WriteByte('{')
	for i, n := range l.nodes {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + n.name + `":`)
		if n.inner != nil {
			n.inner.write(b)
		} else {
			b.WriteString(n.value)
		}
	}
	b.WriteByte('}')
}

// A scanner cuts valid JSON into names and values without decoding them.
type scanner struct {
	text []byte
	at   int
}

func (s *scanner) blank() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// object reads an object into l, from its brace to its end.
func (s *scanner) object(l *labelTree) {
	s.blank()
	if s.text[s.at] != '{' {
		s.at = len(s.text)
		return
	}
	s.at++
	for {
		s.blank()
		switch s.text[s.at] {
		case '}':
			s.at++
			return
		case ',':
			s.at++
			continue
		}
		at := s.at + 1
		name := s.value()
		name = name[1 : len(name)-1]
		s.blank()
		s.at++ // the colon
		s.blank()
		n := labelNode{name: name, at: at, valueAt: s.at}
		i, found := l.find(name)
		if s.text[s.at] == '{' {
			n.inner = &labelTree{}
			if found && l.nodes[i].inner != nil {
				n.inner = l.nodes[i].inner
			}
			s.object(n.inner)
		} else {
			n.value = s.value()
		}
		n.end = s.at
		switch {
		case !validLabel(name):
		case found:
			l.nodes[i] = n
		default:
			l.nodes = slices.Insert(l.nodes, i, n)
		}
	}
}

// value returns the text of the value here and moves past it.
func (s *scanner) value() string {
	from, depth := s.at, 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"':
			for s.at++; s.text[s.at] != '"'; s.at++ {
				if s.text[s.at] == '\\' {
					s.at++
				}
			}
			if s.at++; depth == 0 {
				return string(s.text[from:s.at])
			}
			continue
		case '[', '{':
			depth++
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return string(s.text[from:s.at])
			}
			if c == ']' || c == '}' {
				if depth--; depth == 0 {
					s.at++
					return string(s.text[from:s.at])
				}
			}
		}
		s.at++
	}
	return string(s.text[from:])
}

// validLabel reports whether PCP allows a name: letters, digits and
// underscores.
func validLabel(name string) bool {
	if len(name) == 0 || len(name) > 254 {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
