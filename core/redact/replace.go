package redact

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"pcpscope/core/pattern"
)

// Text replaces what is distinctive in any text.
func (t *Table) Text(text string) string {
	if text == "" || t.match == nil {
		return text
	}
	if done, known := t.replaced[text]; known {
		return done
	}
	out := t.replaceAll(text)
	for range 4 { // if an escape or another form hides something, the text is used in that form
		view, hit := t.hidden(out)
		if !hit && out != text { // a letter and the pseudonym after it may be a text, too
			view = out
			_, _, hit = t.match.find([]byte(out), 0)
		}
		if !hit {
			break
		}
		out = t.replaceAll(view)
	}
	if len(t.replaced) > 1<<16 {
		clear(t.replaced)
	}
	t.replaced[text] = out
	return out
}

// mayHide reports whether a text has other readings: it has escapes, or
// non-ASCII letters.
func mayHide[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || c == '%' || c == '\\' {
			return true
		}
	}
	return false
}

// hidden returns a reading of a text that contains something to replace, if
// there is one.
func (t *Table) hidden(text string) (string, bool) {
	if !mayHide(text) {
		return "", false
	}
	for _, view := range t.views(text) {
		if _, _, hit := t.match.find([]byte(view), 0); hit {
			return view, true
		}
		if low := strings.ToLower(view); low != view {
			if _, _, hit := t.match.find([]byte(low), 0); hit {
				return low, true
			}
		}
	}
	return "", false
}

func (t *Table) replaceAll(text string) string {
	b := []byte(text)
	at, p, ok := t.match.find(b, 0)
	if !ok && !t.folded(text) {
		return text
	}
	if !ok {
		return t.scrubFolded(text)
	}
	var out strings.Builder
	from := 0
	for ok {
		out.WriteString(text[from:at])
		out.WriteString(t.pseudonym(p.entry))
		from = at + len(p.text)
		at, p, ok = t.match.find(b, from)
	}
	out.WriteString(text[from:])
	if s := out.String(); t.folded(s) {
		return t.scrubFolded(s)
	}
	return out.String()
}

// folded reports whether something is found only when non-ASCII letters are
// lower-cased, too.
func (t *Table) folded(text string) bool {
	low := strings.ToLower(text)
	if len(low) != len(text) || low == strings.Map(asciiLower, text) {
		return false
	}
	_, _, hit := t.match.find([]byte(low), 0)
	return hit
}

func (t *Table) scrubFolded(text string) string {
	low := []byte(strings.ToLower(text))
	var out strings.Builder
	from := 0
	for {
		at, p, ok := t.match.find(low, from)
		if !ok {
			break
		}
		out.WriteString(text[from:at])
		out.WriteString(t.pseudonym(p.entry))
		from = at + len(p.text)
	}
	out.WriteString(text[from:])
	return out.String()
}

func asciiLower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// ReplaceWhole replaces a text of a kind as a whole; if the kind is kept, or the text
// is public, only what is distinctive in it.
func (t *Table) ReplaceWhole(k Kind, text string) string {
	if e := t.entries[t.fold(text)]; e != nil && !t.off[k] && !t.off[e.kind] {
		return t.pseudonym(e)
	}
	return t.Text(text)
}

// ReplaceParts replaces the parts of paths in a text, then what is distinctive.
func (t *Table) ReplaceParts(text string, k Kind) string {
	text = slashed().ReplaceAllStringFunc(text, func(p string) string {
		var b strings.Builder
		from := 0
		flush := func(to int) {
			part := p[from:to]
			stem := part
			if k == Containers {
				stem = unitStem(part)
			}
			if e := t.entries[t.fold(stem)]; e != nil && stem != "" && !t.publicPart(stem) {
				b.WriteString(t.pseudonym(e) + part[len(stem):])
			} else {
				b.WriteString(part)
			}
		}
		for i := 0; i < len(p); i++ {
			if p[i] == '/' || p[i] == '\\' {
				flush(i)
				b.WriteByte(p[i])
				from = i + 1
			}
		}
		flush(len(p))
		return b.String()
	})
	return t.Text(text)
}

// Document replaces what is distinctive in a text of any kind, and names that
// occur as words: in JSON, names and strings individually, and words only in
// members that people read.
func (t *Table) Document(text string) string {
	if json.Valid([]byte(text)) && strings.ContainsAny(text, `{["`) {
		out, ok := mapJSON(text, t.Text, func(key, s string) string {
			if prose[key] {
				return t.prose(s)
			}
			return t.Text(s)
		})
		if ok {
			return out
		}
	}
	return t.prose(text)
}

// prose are the members of a session file that people read.
var prose = map[string]bool{"name": true, "host": true, "files": true, "heading": true, "title": true, "text": true}

// spoken are the kinds whose texts are also replaced when they occur as words.
var spoken = map[Kind]bool{Hosts: true, Domains: true, Machines: true, Users: true, Containers: true, Words: true}

var word = pattern.New(`[\pL\pN][\pL\pN\pM_@-]*`)

// prose is Text for what people read: short names are replaced there, too.
func (t *Table) prose(text string) string {
	return word().ReplaceAllStringFunc(t.Text(text), func(w string) string {
		if e := t.entries[t.fold(w)]; e != nil && !e.hunted && spoken[e.kind] && t.match != nil {
			return t.pseudonym(e)
		}
		return w
	})
}

// mapJSON replaces the strings in a JSON value by value, which gets the name of
// the member that each belongs to, and names by name. Values may be nested to
// any depth: open ones are on a list, so there is no recursion.
func mapJSON(text string, name func(string) string, value func(key, s string) string) (string, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var b strings.Builder
	type level struct {
		brace  json.Delim // its opening bracket; 0 around everything
		key    string     // name of the current member
		inside int        // values so far
		named  bool       // the name of the next value has been read
	}
	open := []level{{}}
	for {
		tok, err := d.Token()
		if err != nil {
			return b.String(), err == io.EOF && len(open) == 1
		}
		l := &open[len(open)-1]
		if tok == json.Delim('}') || tok == json.Delim(']') {
			b.WriteByte(byte(tok.(json.Delim)))
			open = open[:len(open)-1]
			continue
		}
		if l.brace == '{' && !l.named {
			s, isText := tok.(string)
			if !isText {
				return "", false
			}
			if l.inside > 0 {
				b.WriteByte(',')
			}
			l.key, l.named = s, true
			quote(&b, name(s))
			b.WriteByte(':')
			continue
		}
		if l.brace == '[' && l.inside > 0 {
			b.WriteByte(',')
		}
		l.inside, l.named = l.inside+1, false
		switch v := tok.(type) {
		case json.Delim:
			b.WriteByte(byte(v))
			open = append(open, level{brace: v, key: l.key})
		case string:
			quote(&b, value(l.key, v))
		case json.Number:
			b.WriteString(v.String())
		case bool:
			b.WriteString(strconv.FormatBool(v))
		default:
			b.WriteString("null")
		}
	}
}

func quote(b *strings.Builder, s string) {
	var line strings.Builder
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	e.Encode(s)
	b.WriteString(strings.TrimSuffix(line.String(), "\n"))
}
