package core

import (
	"slices"

	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An evaluation answers for metrics and expressions on one grid.
type evaluation struct {
	src      *source
	grid     series.Grid
	fetchers map[string]*interp.Fetcher // by timeline.key
	gaps     bool                       // division by zero leaves a gap
	extent   extent
	lost     []pcp.Span // a sparkline shows nothing there, though the sum of nothing is 0
}

func (src *source) newEvaluation(grid series.Grid) *evaluation {
	return &evaluation{src: src, grid: grid, fetchers: map[string]*interp.Fetcher{}, extent: src.extent()}
}

// fetcher returns the one for a timeline; metrics with the same one share it.
func (e *evaluation) fetcher(line timeline) *interp.Fetcher {
	f := e.fetchers[line.key]
	if f == nil {
		f = interp.NewFetcher(line.segs, e.grid, interp.Options{})
		e.fetchers[line.key] = f
	}
	return f
}

// logged returns a logged metric's values on the grid, as far as they are read.
func (e *evaluation) logged(name string) (series.Frame, error) {
	src := e.src
	ms, known := src.lookup(name)
	if !known {
		return series.Frame{}, src.unknownMetric(name)
	}
	d := src.inDom(descOf(ms).InDom)
	line := src.timeline(ms, e.extent)
	frame := e.fetcher(line).Frame(line.obs, d.life)
	if len(d.list) > 0 && !src.metadataDamaged() {
		// Only instances that the metadata name are candidates. Spec: interp 6.
		frame.Vectors = slices.DeleteFunc(frame.Vectors, func(v series.Vector) bool {
			_, named := d.name[v.Inst]
			return !named && v.Inst != pcp.NoInstance
		})
	}
	d.give(frame.Vectors)
	return frame, nil
}
