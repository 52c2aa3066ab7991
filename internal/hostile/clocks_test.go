package hostile

import (
	"fmt"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// What is said of a window and of a whole record, where clocks step, where a mark
// follows each minute or each record, and where there is hardly anything: in
// each case it follows from what was written, and nothing is said of periods
// without records.
func TestStoriesOfStrangeRecords(t *testing.T) {
	load := func(e *encoder, n int, at func(i int) int) {
		e.metric(0, none, pcp.Instant, "kernel.all.load")
		e.metric(1, none, pcp.Instant, "kernel.all.uptime")
		for i := range n {
			e.one(at(i), id(0), -1, 1+i%3)
			e.one(at(i), id(1), -1, 1000+10*i)
		}
	}
	ten := func(i int) int { return 10 * i }
	const nothing, unmarked = "", "Nothing was recorded at an interval"
	for _, c := range []struct {
		name           string
		fill           func(e *encoder)
		from, to       int // the window, in seconds after the first record
		explain, story string
		history        string
	}{
		{"one sample", func(e *encoder) { load(e, 1, ten) }, 0, 10, "Everything was recorded at one moment", unmarked, nothing},
		{"two samples", func(e *encoder) { load(e, 2, ten) }, 4, 5, "other periods of 1 s", unmarked, nothing},
		{"a constant", func(e *encoder) {
			e.metric(0, none, pcp.Instant, "kernel.all.load")
			for i := range 600 {
				e.one(10*i, id(0), -1, 7)
			}
		}, 2000, 2300, "No relevant metric changes", "No relevant metric changes", nothing},
		{"one metric", func(e *encoder) { load(e, 600, ten) }, 2000, 2300, "unlike the 18 other periods of 5 min", "No incidents", nothing},
		{"a day later", func(e *encoder) {
			load(e, 600, func(i int) int { return 10*i + i/300*86400 })
		}, 40_000, 44_000, "No relevant metric was recorded for at least half", "No incidents", "Clock set forward by 1 day"},
		{"a day later, the last minutes", func(e *encoder) {
			load(e, 600, func(i int) int { return 10*i + i/300*86400 })
		}, 90_000, 91_000, "Only 2 other periods have enough data", "No incidents", "Clock set forward by 1 day"}, // the time since boot goes on: nothing is missing
		{"an hour back", func(e *encoder) {
			load(e, 900, func(i int) int { return 10*i - i/450*3600 })
		}, 2000, 2300, "other periods of 5 min", "No incidents", "Clock set back by 1 h"},
		{"to and fro", func(e *encoder) {
			load(e, 600, func(i int) int { return 10*i + i%2*3600 })
		}, 2000, 2300, "", "", nothing},
		{"a mark each minute", func(e *encoder) {
			load(e, 600, ten)
			for i := range 100 {
				e.result(0, 60*i+55)
			}
		}, 2000, 2300, "", "No incidents", nothing},
		{"sampling that changes", func(e *encoder) {
			at := 0
			load(e, 900, func(i int) int {
				at += []int{1, 60, 10, 2}[i/225]
				return at
			})
		}, 7000, 7600, "unlike the ", "No incidents", nothing},
		{"a mark after each", func(e *encoder) {
			e.metric(0, none, pcp.Counter, "kernel.all.cpu.user")
			for i := range 600 {
				e.one(10*i, id(0), -1, i*i)
				e.result(0, 10*i+5)
			}
		}, 2000, 2300, "No relevant metric changes", unmarked, nothing},
		{"the last moment of the format", func(e *encoder) {
			load(e, 2, ten)
			e.one(1<<31-1-epoch, id(0), -1, 5)
		}, 1_000_000, 2_000_000, "No relevant metric was recorded", unmarked, nothing},
	} {
		for _, version := range []int{2, 3} {
			e := newEncoder(version)
			c.fill(e)
			s := core.NewSession(core.Options{})
			opened, err := s.Open(t.Context(), e.files(), nil)
			if err != nil || len(opened.Sources) != 1 {
				t.Fatalf("%s: %+v, %v", c.name, opened, err)
			}
			src := opened.Sources[0]
			from, to := int64(epoch+c.from)*1e9, int64(epoch+c.to)*1e9
			x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &from}, End: &api.When{Nanos: &to}}, nil)
			told := fmt.Sprint(x.Why, x.Text)
			if err != nil {
				told = err.Error()
			}
			y, fault := s.Story(t.Context(), api.StoryQuery{Source: src.ID}, nil)
			if fault != nil || err != nil && pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("%s: %v, %v", c.name, err, fault)
			}
			story := fmt.Sprint(y.Why, y.Text)
			if !strings.Contains(told, c.explain) || !strings.Contains(story, c.story) || !strings.Contains(fmt.Sprint(y.History), c.history) || strings.Contains(told+story, "NaN") || strings.Contains(told+story, "Inf") {
				t.Errorf("%s, version %d: Window reports %q, Story %q, with history %v", c.name, version, told, story, y.History)
			}
			s.Close(src.ID)
		}
	}
}
