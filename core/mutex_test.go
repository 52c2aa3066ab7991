package core

import (
	"context"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A question that waits for what another one computes hears that it is cancelled.
func TestWaitersHearTheirCancel(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	src, err := s.source(id)
	if err != nil {
		t.Fatal(err)
	}
	src.insight.mu.Lock() // as by a question that takes long
	defer src.insight.mu.Unlock()
	for name, ask := range map[string]func(context.Context) error{
		"activity":   func(ctx context.Context) error { _, err := s.Activity(ctx, id, nil); return err },
		"overview":   func(ctx context.Context) error { _, err := s.Overview(ctx, id, nil); return err },
		"dashboards": func(ctx context.Context) error { _, err := s.Dashboards(ctx, id); return err },
		"findings":   func(ctx context.Context) error { _, err := s.Findings(ctx, id, nil); return err },
		"explain": func(ctx context.Context) error {
			_, err := s.Explain(ctx, api.ExplainQuery{Source: id}, nil)
			return err
		},
		"moves": func(ctx context.Context) error {
			_, err := s.Moves(ctx, api.MovesQuery{Source: id, Metric: "kernel.all.cpu.user"}, nil)
			return err
		},
		"story": func(ctx context.Context) error { _, err := s.Story(ctx, api.StoryQuery{Source: id}, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			answer := make(chan error)
			go func() { answer <- ask(ctx) }()
			cancel()
			if f := pcp.AsFault(<-answer); f == nil || f.Kind != pcp.Cancelled {
				t.Errorf("cancelled, it answers %v", f)
			}
		})
	}
}
