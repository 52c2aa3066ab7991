package core

import (
	"fmt"
	"slices"

	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A timeline is what a source has of one metric: stretches that do not
// overlap, in order, and the observations in each (nil where the metric is
// not known).
type timeline struct {
	segs []interp.Segment
	obs  []*series.Observations
	key  string // the same for equal segs
}

// timeline lays out a metric. Mostly each part of the source is a stretch.
// Where parts were recorded at the same time, as two loggers of one host do,
// the one that began later speaks while it lasts, provided it has the metric.
func (src *source) timeline(ms []*archive.Metric, x extent) timeline {
	return src.timelineIn(nil, ms, x)
}

// timelineIn lays it out in buffers: see observationsIn.
func (src *source) timelineIn(buffers []archive.Buffer, ms []*archive.Metric, x extent) timeline {
	laid := src.laidOut()
	if !laid.overlapping {
		segs, obs := laid.segs, src.observationsIn(buffers, ms)
		if x.whole {
			return timeline{segs: segs, obs: obs}
		}
		var line timeline
		for i, s := range segs {
			id := pcp.NullPMID
			if ms[i] != nil {
				id = ms[i].PMID
			}
			s, o := x.stretches(i, s, obs[i], id)
			line.segs, line.obs = append(line.segs, s...), append(line.obs, o...)
		}
		return line
	}
	whole, obs := laid.segs, src.observationsIn(buffers, ms)
	var free []pcp.Span // what later parts have left over
	free = append(free, pcp.Span{Start: pcp.MinTime, End: pcp.MaxTime})
	var line timeline
	for i, s := range slices.Backward(whole) {
		if obs[i] == nil {
			continue
		}
		var left []pcp.Span
		for _, f := range free {
			own := pcp.Span{Start: max(f.Start, s.Start), End: min(f.End, s.End)}
			if own.Start > own.End {
				left = append(left, f)
				continue
			}
			if f.Start < own.Start {
				left = append(left, pcp.Span{Start: f.Start, End: own.Start - 1})
			}
			if own.End < f.End {
				left = append(left, pcp.Span{Start: own.End + 1, End: f.End})
			}
			line.segs = append(line.segs, clipped(s, own))
			line.obs = append(line.obs, obs[i].Between(own.Start, own.End))
			line.key += fmt.Sprintln(own)
		}
		free = left
	}
	order := make([]int, len(line.segs))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return int(min(1, max(-1, line.segs[a].Start-line.segs[b].Start))) })
	sorted := timeline{key: line.key}
	for _, i := range order {
		sorted.segs, sorted.obs = append(sorted.segs, line.segs[i]), append(sorted.obs, line.obs[i])
	}
	return sorted
}

func clipped(s interp.Segment, to pcp.Span) interp.Segment {
	s.Start, s.End = to.Start, to.End
	s.Marks = slices.DeleteFunc(slices.Clone(s.Marks), func(m pcp.Time) bool { return m < to.Start || m > to.End })
	return s
}

// overlapping says whether parts were recorded at the same time.
func (src *source) overlapping() bool {
	for i, p := range src.parts[1:] {
		if p.Start() < src.parts[i].End() {
			return true
		}
	}
	return false
}
