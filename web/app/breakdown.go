package app

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// consumers asks who used a resource. It is slow work.
func (fetcher *Fetcher) consumers(ctx context.Context, q panel.Breakdown, window timeline.Window) (*api.Frame, int64, error) {
	tab := fetcher.tab

	c, err := rpc.Invoke(ctx, tab.app.Engine, rpc.Consumers, api.ConsumerQuery{Source: tab.Source.ID, What: q.What, By: q.By, Top: q.Top, Start: timeline.When(window.Start), End: timeline.When(window.End)}, nil)
	if err != nil {
		return nil, 0, err
	}
	f := &api.Frame{Start: c.Start, Times: c.Times}
	order := map[string]int{"in no sample": 0, "others": 1, "named": 2} // from the top of the stack
	for kind := range 3 {
		for _, s := range c.Series {
			if order[s.Kind] == kind {
				units := c.Units
				if units == "%" {
					units = ""
				}
				f.Columns = append(f.Columns, api.Column{Metric: s.Name, Units: units, Type: "DOUBLE", Semantics: "instant", Values: s.Values, Operand: s.Kind})
			}
		}
	}
	return f, timeline.Usual(timeline.Between(f)), nil
}
