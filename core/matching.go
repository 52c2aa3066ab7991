package core

import (
	"context"
	"strings"

	"pcpscope/core/api"
)

// Matching returns for each metric, in the order of Metrics, 1 if every word of
// text occurs in its name, help or units, else 0.
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
		if m := &list[i]; inAny(words, m.name, m.oneline(), m.help(), m.Units.String()) {
			found[i] = 1
		}
	}
	return found, nil
}

// inAny reports whether each word, in lower case, occurs in any of the texts.
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
