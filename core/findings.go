package core

import (
	"context"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
)

// Findings lists what happened: what is broken first, then what deserves a
// look, then what is good to know, each in order of time. It waits until the
// source has been read.
func (s *Session) Findings(ctx context.Context, id api.SourceID, progress func(api.Progress)) ([]api.Finding, error) {
	o, err := s.Overview(ctx, id, progress)
	return o.Findings, err
}

// decimals and quantity word numbers for headlines.
func decimals(v float64, n int) string        { return analysis.Decimals(v, n) }
func quantity(v float64, units string) string { return analysis.Quantity(v, units) }
