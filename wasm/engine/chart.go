package engine

import (
	"context"
	"math"

	"pcpscope/core"
	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// chart answers the query of a panel, with the cached answer if there is one.
func (s *Server) chart(ctx context.Context, in rpc.Message, p progress) (rpc.Message, error) {
	defer s.first.end()
	var q api.ChartQuery
	if err := rpc.Decode(in, &q); err != nil {
		return rpc.Message{}, err
	}
	id, question := q.Query.Source, in.Text+string(in.Data)
	if q.Consumers != nil {
		id = q.Consumers.Source
	}
	if kept, ok := s.session.CachedAnswer(id, question).(rpc.Message); ok {
		return kept, nil
	}
	out, err := s.session.CacheAnswer(id, question, func() (any, int64, error) {
		reply, err := charted(ctx, s.session, q, p, s.turnsOf(ctx))
		if err != nil {
			return rpc.Message{}, 0, err
		}
		m, err := s.encode(ctx, reply)
		return m, int64(len(m.Text) + len(m.Data) + len(question)), err
	})
	return out.(rpc.Message), err
}

// charted answers the query of a panel. turns lets other work run.
func charted(ctx context.Context, session *core.Session, q api.ChartQuery, p progress, turns func()) (rpc.Charted, error) {
	var f *api.Frame
	unreadable := ""
	if q.Consumers != nil {
		c, err := session.Consumers(ctx, *q.Consumers, p)
		if err != nil {
			return rpc.Charted{}, err
		}
		f, unreadable = consumers(&c), c.Unreadable
	} else {
		var err error
		if f, err = session.Fetch(ctx, q.Query, p); err != nil {
			return rpc.Charted{}, err
		}
	}
	m := chart.Make(f, &q, turns)
	made := rpc.NewCharted(m.Frame, m.Lines, m.Others, m.LeftOut, m.Reason, m.Total)
	made.Unreadable = unreadable
	made.Cut = m.Cut
	return made, nil
}

// consumers makes a frame of processes' shares. The first line is the
// topmost.
func consumers(c *api.Consumers) *api.Frame {
	f, end := &api.Frame{Start: c.Start, Times: c.Times}, c.Start
	if n := len(c.Times); n > 0 {
		end += pcp.Time(math.Ceil(c.Times[n-1] * 1e9))
	}
	for _, kind := range []string{"in no sample", "estimated", "others", "named"} {
		for _, s := range c.Series {
			if s.Kind == kind {
				units := c.Units
				if units == "%" {
					units = ""
				}
				name := s.Name
				if s.Kind == "estimated" {
					name += " ± " + analysis.Decimals(max(1, s.Error), 0) + ", estimate"
				}
				col := api.Column{Metric: name, Units: units, Type: "DOUBLE", Semantics: "instant", Values: s.Values, Operand: s.Kind}
				// Samples may be unevenly far apart: the mean of their values is not that over time.
				if st := chart.StatsOf(f, &col, c.Start, end); st.Count > 0 {
					col.Statistics = &api.Statistics{Count: st.Count, Average: s.Mean, P95: st.P95, Minimum: st.Min, Maximum: st.Max, MaximumAt: st.MaxAt, Last: st.Last}
				}
				f.Columns = append(f.Columns, col)
			}
		}
	}
	return f
}
