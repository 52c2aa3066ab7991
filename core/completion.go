package core

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"pcpscope/core/api"
	"pcpscope/core/derived"
	"pcpscope/core/pattern"
)

// maxCandidates is the most completions that are listed.
const maxCandidates = 40

var (
	wordBefore     = pattern.New(`[A-Za-z][\w.]*$`)
	wordAfter      = pattern.New(`^[\w.]*`)
	instanceBefore = pattern.New(`([A-Za-z][\w.]*)\s*\[((?:[^\]\\]|\\.)*)$`)
)

// Complete lists possible completions at a position of an expression: metrics
// and functions that begin with the word before it or, if there are none,
// metrics whose names contain it; after "[", the instances of the metric before
// it. at counts UTF-16 units, as editors do.
func (s *Session) Complete(id api.SourceID, expression string, at int) (api.Completion, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Completion{}, err
	}
	units := utf16.Encode([]rune(expression))
	at = max(0, min(at, len(units)))
	before, after := string(utf16.Decode(units[:at])), string(utf16.Decode(units[at:]))
	out := api.Completion{Span: [2]int{at, at}, Candidates: []api.Candidate{}}
	if in := instanceBefore().FindStringSubmatch(before); in != nil {
		out.Span[0] -= len(utf16.Encode([]rune(in[2])))
		src.completeInstance(&out, in[1], in[2])
		return out, nil
	}
	if insideText(before) {
		return out, nil
	}
	word := wordBefore().FindString(before)
	out.Span[0] -= len(word) // the word is ASCII: bytes are UTF-16 units
	out.Span[1] += len(wordAfter().FindString(after))
	if word == "" {
		out.Span[1] = at
	}
	if !strings.Contains(word, ".") {
		for _, f := range derived.Functions {
			if strings.HasPrefix(f.Name, word) && f.Name != "anon" {
				out.Candidates = append(out.Candidates, api.Candidate{Text: f.Name + "(", Kind: "function", Name: f.Signature, Help: f.Help})
			}
		}
	}
	out.Total = len(out.Candidates)
	if word != "" {
		src.completeMetric(&out, word)
	}
	return out, nil
}

// insideText reports whether a string literal is open at the end of s.
func insideText(s string) bool {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch {
		case quote == 0 && (s[i] == '"' || s[i] == '\''):
			quote = s[i]
		case quote != 0 && s[i] == '\\':
			i++
		case s[i] == quote:
			quote = 0
		}
	}
	return quote != 0
}

// completeMetric adds the metrics that begin with word. If they are too many,
// only the next component of the name is offered, once for all metrics below
// it.
func (src *source) completeMetric(out *api.Completion, word string) {
	list := src.metricList("")
	at, _ := slices.BinarySearchFunc(list, word, byName)
	end := at
	for end < len(list) && strings.HasPrefix(list[end].name, word) {
		end++
	}
	found := list[at:end]
	switch room := maxCandidates - len(out.Candidates); {
	case len(found) == 0:
		for i := range list {
			if strings.Contains(list[i].name, word) {
				addCandidate(out, metricCandidate(&list[i]))
			}
		}
	case len(found) <= room:
		for i := range found {
			addCandidate(out, metricCandidate(&found[i]))
		}
	default:
		for i := 0; i < len(found); {
			rest := found[i].name[len(word):]
			dot := strings.IndexByte(rest, '.')
			if dot == 0 { // the word is a complete component: continue after the dot
				dot = strings.IndexByte(rest[1:], '.') + 1
			}
			if dot <= 0 {
				addCandidate(out, metricCandidate(&found[i]))
				i++
				continue
			}
			head, from := word+rest[:dot+1], i
			for i < len(found) && strings.HasPrefix(found[i].name, head) {
				i++
			}
			if i == from+1 {
				addCandidate(out, metricCandidate(&found[from]))
				continue
			}
			addCandidate(out, api.Candidate{Text: head, Kind: "prefix", Name: head, Help: fmt.Sprintf("%d metrics", i-from)})
		}
	}
}

func metricCandidate(m *metricEntry) api.Candidate {
	c := api.Candidate{Text: m.name, Kind: "metric", Name: m.name, Help: m.oneline(), Type: typeName(m.Type), Semantics: m.Sem.String(), Units: m.Units.String()}
	if m.derived() {
		c.Kind = "derived"
		if c.Help == "" {
			c.Help = m.expression()
		}
	}
	return c
}

// completeInstance adds the instances of a metric whose names begin with what
// has been typed.
func (src *source) completeInstance(out *api.Completion, metric, written string) {
	list := src.metricList(metric)
	if len(list) == 0 || list[0].name != metric {
		return
	}
	plain := strings.NewReplacer(`\\`, `\`, `\]`, `]`).Replace(written)
	for _, in := range src.instancesOf(&list[0]) {
		if strings.HasPrefix(in.Name, plain) {
			escaped := strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(in.Name)
			addCandidate(out, api.Candidate{Text: escaped + "]", Kind: "instance", Name: in.Name})
		}
	}
}

// addCandidate counts a candidate, and lists it unless the list is full.
func addCandidate(out *api.Completion, c api.Candidate) {
	if out.Total++; len(out.Candidates) < maxCandidates {
		out.Candidates = append(out.Candidates, c)
	}
}
