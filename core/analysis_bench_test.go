package core

import (
	"testing"

	"pcpscope/core/api"
)

// The page's first queries about the big archive, after it has been read.
func BenchmarkAnalysis(b *testing.B) {
	s, id := openBig(b, bigFiles(b))
	if _, err := s.Loaded(b.Context(), id, nil); err != nil {
		b.Fatal(err)
	}
	src, _ := s.source(id)
	at := func(s string) *api.When { return &api.When{Text: s} }
	for _, q := range []struct {
		name string
		ask  func() error
	}{
		{"activity", func() error { _, err := s.Activity(b.Context(), id, nil); return err }},
		{"overview", func() error { _, err := s.Overview(b.Context(), id, nil); return err }},
		{"dashboards", func() error { _, err := s.Dashboards(b.Context(), id); return err }},
		{"dashboard", func() error { _, err := s.Dashboard(b.Context(), id, "overview"); return err }},
		{"story", func() error { _, err := s.Story(b.Context(), api.StoryQuery{Source: id}, nil); return err }},
		{"processes", func() error {
			_, err := s.Processes(b.Context(), api.ProcessQuery{Source: id, At: at("@14:21:46")}, nil)
			return err
		}},
		{"consumers", func() error { _, err := s.Consumers(b.Context(), api.ConsumerQuery{Source: id}, nil); return err }},
		{"compare", func() error {
			_, err := s.Compare(b.Context(), api.CompareQuery{Source: id, AStart: at("@10:17:35"), AEnd: at("@10:37:35"), BStart: at("@10:42:05"), BEnd: at("@11:02:05")}, nil)
			return err
		}},
	} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				src.insight.forget(q.name)
				if err := q.ask(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// forget makes the next query of a kind compute its answer again.
func (i *insight) forget(what string) {
	switch what {
	case "activity":
		i.survey = nil
	case "overview":
		i.overview = nil
	case "dashboards":
		i.dashboards = nil
	case "processes", "consumers":
		i.accounts, i.accounted = nil, false
	}
}
