package engine

import (
	"context"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
)

// TestWarmHost tests that the archive for warming up is one about which the
// page's questions have answers: an incident, findings, lines.
func TestWarmHost(t *testing.T) {
	s := core.NewSession(core.Options{})
	server := NewServer(s, nil, fromMemory)
	reply, _ := server.Call(context.Background(), 0, string(rpc.Open), rpc.Encode(rpc.OpenRequest{Files: warmHost()}), func(api.Progress) {})
	var opened api.Opened
	if err := rpc.Decode(reply, &opened); err != nil || len(opened.Sources) != 1 {
		t.Fatal(opened, err)
	}
	id := opened.Sources[0].ID
	story, err := s.Story(context.Background(), api.StoryQuery{Source: id}, func(api.Progress) {})
	if err != nil || len(story.Incidents) == 0 || story.Series < 20 {
		t.Errorf("%d incidents of %d series, %v", len(story.Incidents), story.Series, err)
	}
	overview, err := s.Overview(context.Background(), id, func(api.Progress) {})
	if err != nil || len(overview.Who) == 0 {
		t.Error(overview, err)
	}
	for _, metrics := range warmPanels {
		frame, err := s.Fetch(context.Background(), api.Query{Source: id, Metrics: metrics, Convert: "rate"}, func(api.Progress) {})
		if err != nil || len(frame.Columns) < len(metrics) {
			t.Error(metrics, len(frame.Columns), err)
		}
	}
	t.Logf("%d incidents of %d series, %d findings", len(story.Incidents), story.Series, len(overview.Findings))
}

func BenchmarkWarm(b *testing.B) {
	for b.Loop() {
		warm(func() {}, func() bool { return true })
	}
}
