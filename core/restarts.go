package core

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// restarts are stretches of time in which a logger was restarted so often that rates are
// known for at most half of the time: a mark ends them until there are two records again
// without one in between. All are in order of time.
type restarts struct {
	stretches []pcp.Span
	rated     []pcp.Span // when rates are known
	marks     []pcp.Time
}

// restarts finds the stretches in which rates are unknown for as long as an outage lasts,
// at least, by the metric that is most typical of the logger. The survey must have been made.
func (src *source) restarts(outages []api.Outage) (r restarts) {
	g := leading(src.insight.coverage)
	if g == nil {
		return r
	}
	if r.marks = src.markTimes(); len(r.marks) == 0 {
		return r
	}
	slices.Sort(r.marks)
	r.rated = src.rated(src.insight.typical)
	least := leastOutage(g.Interval, src.usualInterval())
	var list []restarted
	sum := 0.0
	end := func() {
		for _, p := range list {
			if now := p.Span; now.End-now.Start-r.known(now.Start, now.End) >= least {
				r.stretches = append(r.stretches, now)
			}
		}
		list = list[:0]
	}
	for i := 1; i < len(r.rated); i++ {
		from, to := r.rated[i-1].End, r.rated[i].Start
		for len(outages) > 0 && outages[0].End <= from {
			outages = outages[1:]
		}
		told := len(outages) > 0 && outages[0].Start < to
		if told || to-from >= least && r.times(from, to) == 1 { // or an agent failed
			end()
			continue
		}
		before := sum - knownWeight*float64(from-r.rated[i-1].Start)
		sum = before + float64(to-from)
		list = merged(list, restarted{pcp.Span{Start: from, End: to}, before, sum})
	}
	end()
	return r
}

// restarted is a time in which rates are unknown, or several with what is between them.
type restarted struct {
	pcp.Span
	before, after float64 // how much longer rates are unknown than known, up to its start and up to its end
}

// merged appends a time to those before it, or makes one of it and some of these: the largest
// in which rates are unknown for half of the time, and of whose beginning and end that is true,
// too. A single restart an hour later has no part in it. (Ruzzo and Tompa: A linear time
// algorithm for finding all maximal scoring subsequences, ISMB 1999.)
func merged(list []restarted, one restarted) []restarted {
	for {
		k := len(list) - 1
		for k >= 0 && list[k].before >= one.before {
			k--
		}
		if k < 0 || list[k].after >= one.after {
			return append(list, one)
		}
		one.Start, one.before = list[k].Start, list[k].before
		list = list[:k]
	}
}

// most reports whether rates are known for more than half of a time, but for records that
// came early or late.
func most(known, of pcp.Time) bool { return known > of/100*51 }

// knownWeight is what time of which rates are known counts: with it, 51 % of a time are half.
const knownWeight = 49.0 / 51

// rated are the times between two records of a metric without a mark in between.
func (src *source) rated(metric string) (list []pcp.Span) {
	ms, known := src.lookup(metric)
	if !known {
		return nil
	}
	line := src.timeline(ms, src.extent())
	for i, o := range line.obs {
		if o == nil {
			continue
		}
		marks := line.segs[i].Marks
		for k, t := range o.Times {
			at, _ := slices.BinarySearch(marks, t)
			if marks = marks[at:]; at > 0 || k == 0 {
				list = append(list, pcp.Span{Start: t, End: t})
			}
			list[len(list)-1].End = t
		}
	}
	return list
}

// text says for how much of a window that is in such stretches rates are known, and how
// often the logger was restarted; "" where rates are known for most of it.
func (r restarts) text(w pcp.Span) string {
	of, known, times := pcp.Time(0), pcp.Time(0), 0
	for _, s := range r.stretches {
		from, to := max(s.Start, w.Start), min(s.End, w.End)
		if from >= to {
			continue
		}
		of, times = of+to-from, times+r.times(from, to)
		known += r.known(from, to)
	}
	if times == 0 || most(known, of) {
		return ""
	}
	text := "Rates are known for only " + analysis.FormatDuration(known.Since(0)) + " of "
	if known < 1e9 {
		text = "Rates are unknown for "
	}
	return text + fmt.Sprintf("%s, in which the logger was restarted %s", analysis.FormatDuration(of.Since(0)), analysis.Times(times))
}

// times is how often the logger was restarted between two times.
func (r restarts) times(from, to pcp.Time) int {
	first, _ := slices.BinarySearch(r.marks, from)
	last, _ := slices.BinarySearch(r.marks, to)
	return last - first
}

// known is for how long rates are known between two times.
func (r restarts) known(from, to pcp.Time) (known pcp.Time) {
	k, _ := slices.BinarySearchFunc(r.rated, from, func(k pcp.Span, t pcp.Time) int { return cmp.Compare(k.End, t) })
	for ; k < len(r.rated) && r.rated[k].Start < to; k++ {
		known += min(r.rated[k].End, to) - max(r.rated[k].Start, from)
	}
	return known
}

// unknown is for how many seconds of the stretches rates are unknown.
func (r restarts) unknown() (seconds float64) {
	for _, s := range r.stretches {
		seconds += s.End.Since(s.Start) - r.known(s.Start, s.End).Since(0)
	}
	return seconds
}

// outside returns those of some pauses that are in no such stretch.
func (r restarts) outside(pauses []pcp.Span) (list []pcp.Span) {
	left := r.stretches
	for _, p := range pauses {
		for len(left) > 0 && left[0].End <= p.Start {
			left = left[1:]
		}
		if len(left) == 0 || p.End <= left[0].Start {
			list = append(list, p)
		}
	}
	return list
}

// Restarts says for how much of a window rates are known, as a sentence, if that is little
// because the logger was restarted again and again; else it is "".
func (s *Session) Restarts(ctx context.Context, id api.SourceID, start, end *api.When, zone string) (string, error) {
	src, err := s.source(id)
	if err != nil {
		return "", err
	}
	w, err := s.windowOnceRead(ctx, src, start, end, zone, nil)
	if err != nil || len(src.markTimes()) == 0 {
		return "", err
	}
	outages, err := src.outages(ctx)
	if err != nil {
		return "", err
	}
	return src.restartsIn(ctx, w, outages)
}

// restartsIn is the same of a window of a source that has been read.
func (src *source) restartsIn(ctx context.Context, w window, outages []api.Outage) (string, error) {
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return "", err
	}
	defer src.insight.mu.Unlock()
	if err := src.survey(ctx); err != nil {
		return "", err
	}
	return src.restarts(outages).text(pcp.Span{Start: w.from, End: w.to}), nil
}
