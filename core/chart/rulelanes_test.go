package chart

import (
	"fmt"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A picture of lanes has what can be seen, however often rules change and
// however many instances they have.
func TestDrawableLanes(t *testing.T) {
	runs := func(states ...string) (list []api.RuleRun) {
		for i, s := range states {
			list = append(list, api.RuleRun{Start: pcp.Time(i), End: pcp.Time(i + 1), State: s})
		}
		return list
	}
	for _, c := range []struct {
		runs  []api.RuleRun
		width pcp.Time
		want  string
	}{
		{runs("true", "false", "true", "false"), 1, "true 0-1 false 1-2 true 2-3 false 3-4 "},
		{runs("true", "false", "false", "false"), 2, "true 0-2 false 2-4 "},
		{runs("false", "false", "true", "false"), 2, "false 0-2 true 2-4 "},
		{runs("false", "unknown", "false", "false"), 2, "unknown 0-2 false 2-4 "},
		{runs("unknown", "true", "true", "unknown"), 2, "true 0-3 unknown 3-4 "},
		{append(runs("false"), api.RuleRun{Start: 1, End: 100, State: "true"}, api.RuleRun{Start: 100, End: 200, State: "false"}), 2, "true 0-100 false 100-200 "},
	} {
		got := ""
		for _, r := range joinedRuns(c.runs, c.width) {
			got += fmt.Sprintf("%s %d-%d ", r.State, r.Start, r.End)
		}
		if got != c.want {
			t.Errorf("%v at %d: %q, want %q", c.runs, c.width, got, c.want)
		}
	}
	for _, c := range []struct{ rules, lanes, changes int }{{1, 1, 100_000}, {20, 10_000, 20}, {2000, 2, 50}} {
		out := api.RuleResults{End: pcp.Time(c.changes) * 1e9}
		for range c.rules {
			r := api.RuleResult{}
			for k := range c.lanes {
				l := api.RuleLane{True: float64(k)}
				for i := range c.changes {
					l.Runs = append(l.Runs, api.RuleRun{Start: pcp.Time(i) * 1e9, End: pcp.Time(i+1) * 1e9, State: []string{"true", "false"}[i%2]})
				}
				r.Lanes = append(r.Lanes, l)
			}
			out.Rules = append(out.Rules, r)
		}
		Lanes(&out, 1000)
		n := 0
		for _, r := range out.Rules {
			if r.Lanes[0].True != float64(c.lanes-1) {
				t.Errorf("%+v: the first lane is true for %v", c, r.Lanes[0].True)
			}
			for _, l := range r.Lanes {
				n += len(l.Runs)
				if first, last := l.Runs[0], l.Runs[len(l.Runs)-1]; first.Start != 0 || last.End != out.End {
					t.Errorf("%+v: a lane from %v to %v", c, first.Start, last.End)
				}
			}
		}
		if n > 10_000 || n < min(1000, c.rules) {
			t.Errorf("%+v: %d stretches", c, n)
		}
	}
}
