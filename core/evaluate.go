package core

import (
	"pcpscope/core/interp"
	"pcpscope/core/series"
)

// An evaluation answers for metrics and expressions on one grid.
type evaluation struct {
	src     *source
	grid    series.Grid
	fetcher *interp.Fetcher
}

func (src *source) newEvaluation(grid series.Grid) *evaluation {
	return &evaluation{src: src, grid: grid, fetcher: interp.NewFetcher(src.segments(), grid, interp.Options{})}
}

// frame returns the values of a logged or derived metric, or of an expression.
func (e *evaluation) frame(name string) (series.Frame, error) {
	return e.src.frame(name, e.fetcher)
}
