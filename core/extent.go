package core

import (
	"context"

	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An extent says how far each part of a source has been read, at one moment:
// reading goes on while a question is answered, and all metrics of an answer
// should agree on what there is.
type extent struct {
	whole   bool // everything
	upTo    []pcp.Time
	preview []*archive.Preview // of parts that are not whole; nil where there is none
}

// previewRecords is how many records a preview of a whole source reads.
const previewRecords = 200

// extent looks how far the source has been read.
func (src *source) extent() extent {
	x := extent{whole: true, upTo: make([]pcp.Time, len(src.parts)), preview: make([]*archive.Preview, len(src.parts))}
	for i, p := range src.parts {
		x.upTo[i] = pcp.MaxTime
		if a, ok := p.(recorded); ok && !a.Loaded() {
			x.whole = false
			x.upTo[i] = pcp.MinTime
			if recs := a.Records(); len(recs) > 0 {
				x.upTo[i] = recs[len(recs)-1].Time
			}
		}
	}
	return x
}

// look reads a preview of the parts that are not read yet, in a stretch of time.
func (src *source) look(ctx context.Context, x *extent, from, to pcp.Time) {
	if x.whole {
		return
	}
	src.mu.Lock()
	if src.previews == nil {
		src.previews = map[int]*archive.Preview{}
	}
	src.mu.Unlock()
	for i, p := range src.parts {
		a, ok := p.(recorded)
		if !ok || x.upTo[i] >= p.End() || p.Start() > to || p.End() < from || ctx.Err() != nil {
			continue
		}
		src.mu.Lock()
		seen, have := src.previews[i]
		src.mu.Unlock()
		if !have {
			seen = a.Preview(ctx, pcp.MinTime, pcp.MaxTime, max(8, previewRecords/len(src.parts)))
			src.mu.Lock()
			src.previews[i] = seen
			src.mu.Unlock()
		}
		x.preview[i] = seen
	}
}

// stretches cuts a part where it has not been read further: before lie exact
// values, behind what the preview shows, or a hole.
func (x *extent) stretches(i int, seg interp.Segment, o *series.Observations, id pcp.PMID) ([]interp.Segment, []*series.Observations) {
	if x.upTo[i] == pcp.MaxTime {
		return []interp.Segment{seg}, []*series.Observations{o}
	}
	rest := seg
	rest.Start = max(seg.Start, x.upTo[i]+1)
	rest.Holes = append(rest.Holes[:len(rest.Holes):len(rest.Holes)], interp.Hole{Span: pcp.Span{Start: rest.Start, End: seg.End}, Why: series.NotRead})
	var seen *series.Observations
	if o != nil {
		seen = &series.Observations{Desc: o.Desc}
	}
	if p := x.preview[i]; p != nil && o != nil {
		rest.Marks = p.Marks()
		if obs, ok := p.Observations(id); ok {
			seen = obs.Between(rest.Start, seg.End)
		}
	}
	if x.upTo[i] < seg.Start {
		return []interp.Segment{rest}, []*series.Observations{seen}
	}
	read := seg
	read.End = x.upTo[i]
	if o != nil {
		o = o.Between(pcp.MinTime, read.End)
	}
	return []interp.Segment{read, rest}, []*series.Observations{o, seen}
}

// isRead says whether a stretch of time had been read.
func (src *source) isRead(from, to pcp.Time, x extent) bool {
	for i, p := range src.parts {
		if p.Start() <= to && p.End() >= from && x.upTo[i] < min(to, p.End()) {
			return false
		}
	}
	return true
}
