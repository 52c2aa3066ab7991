package core

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A readState is a snapshot of how far each part of a source has been read. The
// loader keeps running while a question is answered, and all metrics of one
// answer must see the same state.
type readState struct {
	whole   bool // every part has been read
	upTo    []pcp.Time
	preview []*archive.Preview // for parts not read completely; nil if there is none
	exact   []*archive.Window  // for parts of which only a window was read; else nil
	outages []api.Outage       // across which no value is carried; PCP's tools do, unless there is a mark
}

// previewRecords is how many stretches a preview of a whole source reads. A
// browser needs about a millisecond for each, and they are shown for as long as
// reading takes.
const previewRecords = 80

// extent returns how far the source has been read.
func (src *source) extent() readState {
	if l := src.finished(); l != nil && l.extent.whole {
		return l.extent
	}
	return src.extentOfParts()
}

// recordedExtent is the extent of what was recorded alone: nothing is known of the time of an
// outage, and a rate across it is that of neither side.
func (src *source) recordedExtent(ctx context.Context) (readState, error) {
	x := src.extent()
	list, err := src.outages(ctx)
	x.outages = list
	return x, err
}

// broken adds a mark at the start of each outage.
func (x *readState) broken(segs []interp.Segment) []interp.Segment {
	copied := false
	for _, o := range x.outages {
		for i := range segs {
			if o.Start < segs[i].Start || o.End > segs[i].End {
				continue
			}
			if !copied {
				segs, copied = slices.Clone(segs), true
			}
			marks := append(slices.Clip(segs[i].Marks), o.Start+1)
			slices.Sort(marks)
			segs[i].Marks = marks
			break
		}
	}
	return segs
}

func (src *source) extentOfParts() readState {
	x := readState{whole: true, upTo: make([]pcp.Time, len(src.parts)), preview: make([]*archive.Preview, len(src.parts)), exact: make([]*archive.Window, len(src.parts))}
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

// A preview of a part in a window.
type preview struct {
	part   int
	window pcp.Span
	seen   *archive.Preview
}

// keptPreviews is how many windows each part keeps a preview of.
const keptPreviews = 4

// Limits on previews of a source on a server, where each request costs a round
// trip.
const (
	remoteReads = 32
	remoteBytes = 5 << 20
)

// affordable returns how many stretches a preview of an archive on a server may
// read, if the source has so many parts.
func affordable(a *archive.Archive, parts int) int {
	g := a.Group()
	var size int64
	for i := range g.Volumes {
		size += g.Volumes[i].Size
	}
	each := max(1, size/int64(max(1, len(a.Index()))))
	return int(max(1, min(int64(remoteReads/parts), min(size/12, remoteBytes/int64(parts))/each)))
}

// look reads a preview, between two times, of the parts that are not loaded
// yet. It fails if a server does not answer and nothing else is known of that time; such a
// preview is not kept.
func (src *source) look(ctx context.Context, x *readState, from, to pcp.Time) error {
	if x.whole || src.far && !src.about.OnDemand { // small archives on a server are soon read completely
		return nil
	}
	select { // several panels ask at the same time; only one reads
	case src.looking <- struct{}{}:
		defer func() { <-src.looking }()
	case <-ctx.Done():
		return nil
	}
	var failed error
	known := false
	for i, p := range src.parts {
		a, ok := p.(recorded)
		if ok && (x.upTo[i] >= from || x.exact[i] != nil) && p.Start() <= to {
			known = true
		}
		if !ok || x.upTo[i] >= p.End() || p.Start() > to || p.End() < from || src.session.proceed(ctx) != nil {
			continue
		}
		window, n := pcp.Span{Start: pcp.MinTime, End: pcp.MaxTime}, max(8, previewRecords/len(src.parts))
		if src.about.OnDemand { // this may be all that is ever read
			window, n = pcp.Span{Start: max(from, p.Start()), End: min(to, p.End())}, affordable(a.Archive, len(src.parts))
		}
		at := slices.IndexFunc(src.previews, func(have preview) bool { return have.part == i && have.window == window })
		if at < 0 {
			seen, err := src.preview(ctx, a, window, n)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				failed = err
				break // the other parts are on that server, too
			}
			at = len(src.previews)
			src.previews = append(src.previews, preview{i, window, seen})
			if limit := keptPreviews * len(src.parts); at >= limit {
				src.previews = slices.Delete(src.previews, 0, 1)
				at--
			}
		}
		x.preview[i] = src.previews[at].seen
		known = true
	}
	if known {
		return nil
	}
	return failed
}

// preview reads a preview while the loader pauses: the user is waiting for it.
func (src *source) preview(ctx context.Context, a recorded, window pcp.Span, n int) (*archive.Preview, error) {
	defer src.loader.Pause()()
	return a.Preview(ctx, window.Start, window.End, n)
}

// stretches splits a part at the point up to which it has been read: exact
// values before it; after it those of the preview, or a hole.
func (x *readState) stretches(i int, seg interp.Segment, o *series.Observations, id pcp.PMID) ([]interp.Segment, []*series.Observations) {
	if x.upTo[i] == pcp.MaxTime {
		return []interp.Segment{seg}, []*series.Observations{o}
	}
	if w := x.exact[i]; w != nil {
		return windowOf(w, seg, o, id)
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

// reportExtent notes in an answer how far its window had been read.
func (src *source) reportExtent(out *api.Frame, w window, x *readState) {
	if x.whole {
		out.Read = "all"
		return
	}
	to := pcp.MaxTime
	for i, p := range src.parts {
		if x.exact[i] == nil && p.Start() <= w.to && p.End() >= w.from && x.upTo[i] < min(w.to, p.End()) {
			to = min(to, max(w.from, p.Start(), x.upTo[i]))
		}
	}
	if out.Read = "window"; to != pcp.MaxTime {
		out.Preview, out.ReadTo, out.Read = true, &to, "preview"
	}
}
