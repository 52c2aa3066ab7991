package app

import (
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/web/timeline"
)

// Limits of the values searched. Processes are excluded, since their names are already
// found as instances.
const (
	maxTextMetrics = 200
	maxTextHits    = 40
)

// searchValues finds string values that contain all words, as of the middle of the window:
// "hinv.map.scsi = sdb". It is slow work.
func (fetcher *Fetcher) searchValues(text string) []api.Hit {
	tab := fetcher.tab
	words := strings.Fields(strings.ToLower(text))
	var names []string
	for i := range tab.Metrics {
		m := &tab.Metrics[i]
		if m.Type == "STRING" && !strings.HasPrefix(m.Name, "proc.") && !strings.HasPrefix(m.Name, "hotproc.") && len(names) < maxTextMetrics {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 || len(words) == 0 {
		return nil
	}
	mid, second := tab.Window.Start+(tab.Window.End-tab.Window.Start)/2, int64(time.Second)
	f, err := fetcher.query(tab.ctx, api.Query{Metrics: names, Start: timeline.When(mid), Interval: &api.When{Nanos: &second}, Count: 1})
	if err != nil {
		return nil
	}
	var hits []api.Hit
	for i := range f.Columns {
		c := &f.Columns[i]
		if len(c.Strings) == 0 || c.Strings[0] == nil || len(hits) == maxTextHits {
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
