package core

import (
	"context"
	"strings"

	"pcpscope/core/api"
)

// Matching says of each metric, in the order of Metrics, whether every word of
// text is found in its name, its help or its unit: 1 if so, else 0.
func (s *Session) Matching(ctx context.Context, id api.SourceID, text string) ([]uint8, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(text))
	list := src.metricList("")
	found := make([]uint8, len(list))
	for i := range list {
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		if m := &list[i]; inAny(words, m.Name, m.Oneline, m.Help, m.Units) {
			found[i] = 1
		}
	}
	return found, nil
}

// inAny reports whether each word, in lower case, is found in any of the texts.
func inAny(words []string, texts ...string) bool {
	for k := range texts {
		texts[k] = strings.ToLower(texts[k])
	}
	for _, w := range words {
		found := false
		for _, text := range texts {
			found = found || strings.Contains(text, w)
		}
		if !found {
			return false
		}
	}
	return true
}
