// Package hostile makes inputs meant to break the engine, and asks every
// question about them. Its tests enforce the law of cost (time and memory are
// proportional to the input's bytes), run questions concurrently for the race
// detector, and damage inputs at random while a second, plain reader checks the
// answers.
package hostile

import (
	"context"
	"slices"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Question is one that the page asks about every source.
type Question struct {
	Name string
	Ask  func(ctx context.Context, s *core.Session, id api.SourceID) error
}

// few is how many metrics are looked at individually, as a user does.
const few = 20

// Questions returns all of them, in the order in which a page asks. A question
// that the source has no answer to may fail with a fault: that is an answer.
func Questions() []Question {
	return []Question{
		{"sources", func(_ context.Context, s *core.Session, _ api.SourceID) error {
			s.Sources()
			return nil
		}},
		{"files", func(_ context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Files(id)
			return err
		}},
		{"metrics", func(_ context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Metrics(id, "")
			return err
		}},
		{"parts", func(_ context.Context, s *core.Session, id api.SourceID) error {
			return inParts(s, id, func(int, *api.Metric) error { return nil })
		}},
		{"loaded", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Loaded(ctx, id, nil)
			return err
		}},
		{"instances", instances},
		{"activity", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Activity(ctx, id, nil)
			return err
		}},
		{"overview", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Overview(ctx, id, nil)
			return err
		}},
		{"findings", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Findings(ctx, id, nil)
			return err
		}},
		{"dashboards", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Dashboards(ctx, id)
			return err
		}},
		{"dashboard", dashboards},
		{"search", search},
		{"fetch", fetch(api.Query{Count: 200, Gaps: true})},
		{"fetch rates", fetch(api.Query{Count: 200, Convert: "rate"})},
		{"fetch raw", fetch(api.Query{Mode: "raw", Pixels: 500})},
		{"fetch partially", fetch(api.Query{Partial: true, Count: 10})},
		{"sparklines", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			names, err := someNames(s, id)
			if err == nil {
				_, err = s.Sparklines(ctx, id, names, 60, nil)
			}
			return err
		}},
		{"summary", summaryInParts},
		{"compare", compare},
		{"days", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			names, err := someNames(s, id)
			for _, name := range names {
				if _, fault := s.Days(ctx, api.DaysQuery{Source: id, Metric: name}, nil); fault != nil && ctx.Err() != nil {
					return fault
				}
			}
			return err
		}},
		{"unusualDays", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.UnusualDays(ctx, api.UnusualQuery{Source: id}, nil)
			return err
		}},
		{"explain", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Explain(ctx, api.ExplainQuery{Source: id}, nil)
			return err
		}},
		{"story", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Story(ctx, api.StoryQuery{Source: id}, nil)
			return err
		}},
		{"moves", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			names, err := someNames(s, id)
			for _, name := range names {
				if _, fault := s.Moves(ctx, api.MovesQuery{Source: id, Metric: name}, nil); fault != nil && ctx.Err() != nil {
					return fault
				}
			}
			return err
		}},
		{"processes", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Processes(ctx, api.ProcessQuery{Source: id}, nil)
			return err
		}},
		{"consumers", consumers("cpu", "command")},
		{"consumers of memory", consumers("memory", "process")},
		{"inspect", func(ctx context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Inspect(ctx, id, nil)
			return err
		}},
		{"definitions", func(_ context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Definitions(id)
			return err
		}},
		{"complete", func(_ context.Context, s *core.Session, id api.SourceID) error {
			_, err := s.Complete(id, "rate(a", 6)
			return err
		}},
		{"memory", func(_ context.Context, s *core.Session, _ api.SourceID) error {
			s.Memory()
			return nil
		}},
	}
}

// instances asks for those of every domain, as the tree does when expanded.
func instances(_ context.Context, s *core.Session, id api.SourceID) error {
	seen := map[string]bool{}
	return inParts(s, id, func(_ int, m *api.Metric) error {
		if m.InDom == nil || seen[*m.InDom] {
			return nil
		}
		seen[*m.InDom] = true
		_, err := s.Instances(id, *m.InDom)
		return err
	})
}

// inParts goes through all metrics as the page does, which lists so many at a time.
func inParts(s *core.Session, id api.SourceID, each func(i int, m *api.Metric) error) error {
	const batch = 2000
	for from, total := 0, 1; from < total; {
		list, all, err := s.MetricPart(id, from, batch)
		if err != nil {
			return err
		}
		for i := range list {
			if err := each(from+i, &list[i]); err != nil {
				return err
			}
		}
		from, total = from+batch, all
	}
	return nil
}

func consumers(what, by string) func(ctx context.Context, s *core.Session, id api.SourceID) error {
	return func(ctx context.Context, s *core.Session, id api.SourceID) error {
		_, err := s.Consumers(ctx, api.ConsumerQuery{Source: id, What: what, By: by}, nil)
		return err
	}
}

func dashboards(ctx context.Context, s *core.Session, id api.SourceID) error {
	list, err := s.Dashboards(ctx, id)
	if err != nil {
		return err
	}
	for _, d := range list[:min(few, len(list))] {
		if _, err := s.Dashboard(ctx, id, d.ID); err != nil {
			return err
		}
	}
	return nil
}

func search(ctx context.Context, s *core.Session, id api.SourceID) error {
	for _, text := range []string{"a", "nothing of the kind", "x y", "i9", "60.0.1"} {
		if _, err := s.Search(ctx, id, text, 0); err != nil {
			return err
		}
	}
	return nil
}

// someNames returns names of metrics spread over the list.
func someNames(s *core.Session, id api.SourceID) ([]string, error) {
	_, total, err := s.MetricPart(id, 0, 0)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := 0; i < total; i += 1 + total/few {
		one, _, err := s.MetricPart(id, i, 1)
		if err != nil {
			return nil, err
		}
		names = append(names, one[0].Name)
	}
	return names, nil
}

// fetch asks for the values of some metrics, one after the other. Each query is a
// stage of its own: what an answer leaves behind is not collected within one.
func fetch(q api.Query) func(ctx context.Context, s *core.Session, id api.SourceID) error {
	return func(ctx context.Context, s *core.Session, id api.SourceID) error {
		names, err := someNames(s, id)
		if err != nil {
			return err
		}
		q := q
		q.Source = id
		for _, name := range names {
			q.Metrics = []string{name}
			if _, err := s.Fetch(ctx, q, nil); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
				return err
			}
		}
		return nil
	}
}

// summaryInParts asks for one part after the other, as the page does.
func summaryInParts(ctx context.Context, s *core.Session, id api.SourceID) error {
	for from := 0; ; {
		_, next, err := s.SummaryPart(ctx, api.SummaryQuery{Source: id}, from, 8192, nil)
		if err != nil || next == 0 {
			return err
		}
		from = next
	}
}

// compare asks what changed between the halves of a source.
func compare(ctx context.Context, s *core.Session, id api.SourceID) error {
	list := s.Sources()
	i := slices.IndexFunc(list, func(src api.Source) bool { return src.ID == id })
	if i < 0 {
		return nil
	}
	start, end := int64(list[i].Start), int64(list[i].End)
	middle := start + (end-start)/2
	_, err := s.Compare(ctx, api.CompareQuery{Source: id, AStart: &api.When{Nanos: &start}, AEnd: &api.When{Nanos: &middle}, BStart: &api.When{Nanos: &middle}, BEnd: &api.When{Nanos: &end}, Processes: true}, nil)
	return err
}
