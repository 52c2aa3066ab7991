package state

import (
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
)

// Bounds of the values that are searched: what each process is called is among
// the instances already.
const (
	mostTextMetrics = 200
	mostTextHits    = 40
)

// searchValues finds the values that are texts and hold all words, as they are
// in the middle of the window: "hinv.map.scsi = sdb". It is slow work.
func (w *Work) searchValues(text string) []api.Hit {
	words := strings.Fields(strings.ToLower(text))
	var names []string
	for i := range w.Metrics {
		m := &w.Metrics[i]
		if m.Type == "STRING" && !strings.HasPrefix(m.Name, "proc.") && !strings.HasPrefix(m.Name, "hotproc.") && len(names) < mostTextMetrics {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 || len(words) == 0 {
		return nil
	}
	mid, second := w.Window.Start+(w.Window.End-w.Window.Start)/2, int64(time.Second)
	f, err := w.app.Engine.Fetch(w.ctx, api.Query{Source: w.Source.ID, Metrics: names, Start: whenAt(mid), Interval: &api.When{Nanos: &second}, Count: 1}, nil)
	if err != nil {
		return nil
	}
	var hits []api.Hit
	for i := range f.Columns {
		c := &f.Columns[i]
		if len(c.Strings) == 0 || c.Strings[0] == nil || len(hits) == mostTextHits {
			continue
		}
		value := *c.Strings[0]
		lower := strings.ToLower(value)
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(lower, word) }) {
			continue
		}
		hits = append(hits, api.Hit{Metric: c.Metric, Instance: c.Instance, Where: "value", Excerpt: value})
	}
	return hits
}
