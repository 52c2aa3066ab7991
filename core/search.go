package core

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// Search looks for every word of text in a source's metric names, help,
// instances, labels, also those of instances, and units. The best matches come
// first: complete names, then parts of names, then what describes them. It returns
// at most limit matches; 100 for 0.
func (s *Session) Search(ctx context.Context, id api.SourceID, text string, limit int) ([]api.Hit, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(text))
	switch {
	case limit < 0:
		return nil, pcp.Faultf(pcp.BadArgument, "The limit %d is negative.", limit)
	case limit == 0:
		limit = 100
	}
	var found []ranked
	labels := labelTexts{words: words, known: map[string]labelText{}}
	within := instanceSearch{src: src, titles: titling{src: src}, pace: s.newPace(ctx), first: map[instanceKey]*instanceHit{}}
	merged := labelled{src: src}
	list := src.metricList("")
	room := s.memory.Claim(0)
	defer room.Release()
	for i := range list {
		m := &list[i]
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		if err := room.Set(hitBytes*int64(cap(found)) + 2*int64(labels.bytes)); err != nil {
			return nil, err
		}
		r, ok := matchMetric(m, labels.of(merged.of(m)), words)
		if !ok && m.InDom != pcp.NullInDom {
			r, ok = within.match(m, words)
		}
		if !ok {
			continue
		}
		if found = append(found, r); len(found)/2 >= max(limit, 1000) { // of which the best are kept
			found = best(found, limit)
		}
	}
	found = best(found, limit)
	hits := make([]api.Hit, 0, len(found))
	for _, r := range found {
		hits = append(hits, r.hit)
	}
	return hits, nil
}

// hitBytes is the approximate size of a match in a list, in the answer and in its
// message.
const hitBytes = 1 << 9

// best returns the highest-scoring results, best first, at most limit.
func best(found []ranked, limit int) []ranked {
	sorting.Stable(found, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	return found[:min(limit, len(found))]
}

type ranked struct {
	score int
	hit   api.Hit
}

// matchMetric matches all words against what describes a metric. Each word
// scores where it matches best; the result is reported at the best match of the
// first word.
func matchMetric(m *metricEntry, label labelText, words []string) (ranked, bool) {
	if len(words) == 0 {
		return ranked{}, false
	}
	places := []struct{ where, text string }{
		{"name", m.name}, {"help", m.oneline()}, {"units", m.Units.String()}, {"label", label.text}, {"help", m.help()},
	}
	total := 0
	first := api.Hit{Metric: m.name}
	for i, w := range words {
		best := 0
		for rank, p := range places {
			var at int
			if p.where == "label" {
				at = label.at[i]
			} else {
				at = strings.Index(strings.ToLower(p.text), w)
			}
			if at < 0 {
				continue
			}
			score := 20 - 3*rank
			if p.where == "name" {
				score = nameScore(p.text, w)
			}
			if score > best {
				best = score
				if i == 0 {
					first.Where, first.Excerpt = p.where, excerpt(p.text, at)
				}
			}
		}
		if best == 0 {
			return ranked{}, false
		}
		total += best
	}
	return ranked{total*100 - len(m.name), first}, true
}

func nameScore(name, w string) int {
	name = strings.ToLower(name)
	switch {
	case name == w:
		return 100
	case strings.HasPrefix(name, w):
		return 60
	case strings.HasSuffix(name, "."+w):
		return 70
	case strings.Contains(name, "."+w):
		return 50
	}
	return 40
}

// instanceSearch looks for words in instances' names. The result for a domain
// is shared by its metrics.
type instanceSearch struct {
	src    *source
	titles titling
	pace   *pace
	first  map[instanceKey]*instanceHit // nil if there is none
}

type instanceKey struct {
	indom  pcp.InDom
	naming naming // of the metric: instances have titles
	words  string // the words looked for
}

type instanceHit struct {
	ref            *api.InstanceRef
	where          string
	title, excerpt string
}

// match matches words against an instance's name or title, or its own labels; the
// words left over must match the metric.
func (s *instanceSearch) match(m *metricEntry, words []string) (ranked, bool) {
	name := strings.ToLower(m.name)
	var left []string
	for _, w := range words {
		if !strings.Contains(name, w) {
			left = append(left, w)
		}
	}
	key := instanceKey{m.InDom, namingOf(m.name), strings.Join(left, " ")}
	hit, looked := s.first[key]
	if !looked {
		hit = s.find(m, left)
		s.first[key] = hit
	}
	if hit == nil {
		return ranked{}, false
	}
	return ranked{1200 - len(m.name), api.Hit{Metric: m.name, Instance: hit.ref, Title: hit.title, Where: hit.where, Excerpt: hit.excerpt}}, true
}

// find returns the first instance of a metric that matches all words, preferably by
// its name or title.
func (s *instanceSearch) find(m *metricEntry, words []string) *instanceHit {
	var labelled *instanceHit
	for _, in := range s.src.instancesOf(m) {
		if s.pace.worked(oneSeries/4 + len(in.Name)) {
			return nil
		}
		text, title := in.Name, s.titles.of(m.name, in.Name)
		if title != "" { // either may match
			text = title + " " + in.Name
		}
		lower := strings.ToLower(text)
		if containsAll(lower, words) {
			return &instanceHit{&api.InstanceRef{ID: in.ID, Name: in.Name}, "instance", title, excerpt(text, strings.Index(lower, words[0]))}
		}
		if labelled != nil {
			continue
		}
		own := s.src.instanceLabels(m.InDom, &in)
		if s.pace.worked(len(own)) {
			return nil
		}
		labels := formatLabels(own)
		if lower := strings.ToLower(labels); containsAll(lower, words) {
			labelled = &instanceHit{&api.InstanceRef{ID: in.ID, Name: in.Name}, "label", title, excerpt(labels, strings.Index(lower, words[0]))}
		}
	}
	return labelled
}

func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return len(words) > 0
}

// labelTexts formats labels and searches them for words, once for all metrics with
// the same ones: most have, and labels can be long.
type labelTexts struct {
	words []string
	known map[string]labelText
	bytes int // of labels in known

	last json.RawMessage // the labels asked for last
	text labelText       // and what became of them
}

// labelText is a metric's labels, as "name=value name=value", and the byte at
// which each word is found, or -1.
type labelText struct {
	text string
	at   []int
}

const maxLabelTexts = 1 << 20 // bytes of cached labels

func (l *labelTexts) of(labels json.RawMessage) labelText {
	if len(labels) == len(l.last) && len(labels) > 0 && &labels[0] == &l.last[0] {
		return l.text
	}
	known, is := l.known[string(labels)]
	if !is {
		known.text = formatLabels(labels)
		lower := strings.ToLower(known.text)
		for _, w := range l.words {
			known.at = append(known.at, strings.Index(lower, w))
		}
		if l.bytes += len(labels); l.bytes <= maxLabelTexts {
			l.known[string(labels)] = known
		}
	}
	l.last, l.text = labels, known
	return known
}

// formatLabels formats labels as "name=value name=value".
func formatLabels(labels json.RawMessage) string {
	var m map[string]any
	if len(labels) <= len("{}") || json.Unmarshal(labels, &m) != nil {
		return ""
	}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		v, _ := json.Marshal(m[k])
		b.WriteString(k + "=" + strings.Trim(string(v), `"`) + " ")
	}
	return strings.TrimSpace(b.String())
}

// excerpt returns the part of a text around byte at, without splitting
// characters.
func excerpt(s string, at int) string {
	const before, after = 30, 90
	s = strings.ReplaceAll(s, "\n", " ")
	from, to := max(0, at-before), min(len(s), at+after)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	cut := s[from:to]
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(s) {
		cut += "…"
	}
	return cut
}
