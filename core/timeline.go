package core

import (
	"fmt"
	"slices"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A timeline is the data of one metric: stretches that do not overlap, in
// order, and the observations in each (nil where the metric is not known).
type timeline struct {
	segs []interp.Segment
	obs  []*series.Observations
	key  string // equal for equal segs
}

// unmarked returns the timeline without marks that end values. pmlogger logs settings, such as
// the number of CPUs, once for an archive, and not again when it has lost its collector for a
// moment and marks that. A value that is logged after a mark holds after it only.
func (line timeline) unmarked() timeline {
	line.segs = slices.Clone(line.segs)
	for i := range line.segs {
		line.segs[i].Marks, line.segs[i].Outlasted = nil, line.segs[i].Marks
	}
	line.key = "unmarked " + line.key
	return line
}

// timeline lays out a metric. Usually each part of the source is a stretch.
// Where parts overlap in time, as with two loggers on one host, the part that
// began later is used while it lasts, if it has the metric.
func (src *source) timeline(ms []*archive.Metric, x readState) timeline {
	return src.timelineIn(nil, ms, x)
}

// timelineIn is timeline in reused buffers: see observationsIn.
func (src *source) timelineIn(buffers []archive.Buffer, ms []*archive.Metric, x readState) timeline {
	whole, overlapping := src.laidOut()
	if !overlapping {
		segs, obs := whole, src.observationsIn(buffers, ms)
		if x.whole {
			return timeline{segs: x.broken(segs), obs: obs}
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
	line := interleaved(whole, src.observationsIn(buffers, ms))
	line.segs = x.broken(line.segs)
	return line
}

// judged is the timeline of a metric for whatever judges its values. It leaves out damaged
// records, which are shown as they are, but say nothing about the host: see archive.Mistyped.
// A device that comes back under another number is the same: see identities.
func (src *source) judged(ms []*archive.Metric, x readState) timeline {
	return src.judgedIn(nil, ms, x)
}

// judgedIn is judged in reused buffers: see observationsIn.
func (src *source) judgedIn(buffers []archive.Buffer, ms []*archive.Metric, x readState) timeline {
	return src.credible(src.identified(src.timelineIn(buffers, ms, x), ms))
}

// credible is a timeline without damaged records. Of a derived metric that compares a record
// with the one before, the next goes as well.
func (src *source) credible(line timeline) timeline {
	l := src.finished()
	if l == nil || len(l.mistyped) == 0 {
		return line
	}
	for i, o := range line.obs {
		switch {
		case o == nil:
		case o.Backward:
			line.obs[i] = o.Without(withNext(l.mistyped, o.Times))
		default:
			line.obs[i] = o.Without(l.mistyped)
		}
	}
	return line
}

// withNext adds to some times the first after each of them in a list. Both are in ascending
// order, as the result is.
func withNext(some, list []pcp.Time) []pcp.Time {
	all := slices.Clone(some)
	for _, t := range some {
		if next, _ := slices.BinarySearch(list, t+1); next < len(list) {
			all = append(all, list[next])
		}
	}
	slices.Sort(all)
	return all
}

// timelineOfFew lays out a metric that few of many parts have, in time and memory
// proportional to these. The other parts are left out; they would contribute
// nothing. It reports false if they must be asked, or nothing is gained.
func (src *source) timelineOfFew(buffers []archive.Buffer, name string) (line timeline, desc pcp.Desc, ok bool) {
	l, having := src.finished(), src.partsOf()[name]
	if l == nil || !l.extent.whole || len(having) == 0 || 8*len(having) > len(src.parts) || src.allWorkingBytes() > src.session.memory.Left()/8 {
		return timeline{}, pcp.Desc{}, false
	}
	var segs []interp.Segment
	var obs []*series.Observations
	for _, i := range having {
		m, known := src.parts[i].Lookup(name)
		if !known {
			continue
		}
		desc = m.Desc
		segs, obs = append(segs, l.segs[i]), append(obs, src.observationsOf(buffers, int(i), m))
		line.key += fmt.Sprint(i, " ")
	}
	if len(segs) == 0 {
		return timeline{}, pcp.Desc{}, false
	}
	if l.overlapping {
		inTurn := interleaved(segs, obs)
		inTurn.key += line.key
		return inTurn, desc, true
	}
	if last := int32(len(src.parts) - 1); having[len(having)-1] != last { // ends of all but the last part count as marks
		segs, obs = append(segs, l.segs[last]), append(obs, nil)
	}
	line.segs, line.obs = segs, obs
	return line, desc, true
}

// interleaved lays out parts that overlap in time.
func interleaved(whole []interp.Segment, obs []*series.Observations) timeline {
	var line timeline
	var key strings.Builder
	for _, t := range turns(len(whole), func(i int) (span pcp.Span, has bool) {
		return pcp.Span{Start: whole[i].Start, End: whole[i].End}, obs[i] != nil
	}) {
		line.segs = append(line.segs, clipped(whole[t.part], t.Span))
		line.obs = append(line.obs, obs[t.part].Between(t.Start, t.End))
		fmt.Fprintln(&key, t.Span)
	}
	order := make([]int, len(line.segs))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return int(min(1, max(-1, line.segs[a].Start-line.segs[b].Start))) })
	sorted := timeline{key: key.String()}
	for _, i := range order {
		sorted.segs, sorted.obs = append(sorted.segs, line.segs[i]), append(sorted.obs, line.obs[i])
	}
	return sorted
}

// A turn is a stretch of time that is taken from one part.
type turn struct {
	pcp.Span
	part int
}

// turns divides time among n parts, which come in order of their starts: at
// each moment, the last part that has data is used.
func turns(n int, part func(i int) (span pcp.Span, has bool)) []turn {
	// free is what later parts leave over, latest first. Parts are visited in
	// descending order of start: each takes what it can from the end of the
	// list and skips what begins after it has ended.
	free := []pcp.Span{{Start: pcp.MinTime, End: pcp.MaxTime}}
	var list []turn
	for i := n - 1; i >= 0; i-- {
		s, has := part(i)
		if !has {
			continue
		}
		var left []pcp.Span // of the spans that it reaches into, in order of time
		for n := len(free); n > 0 && free[n-1].Start <= s.End; n = len(free) {
			f := free[n-1]
			free = free[:n-1]
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
			list = append(list, turn{own, i})
		}
		slices.Reverse(left)
		free = append(free, left...)
	}
	return list
}

// clipped is a segment of which only a stretch counts.
func clipped(s interp.Segment, to pcp.Span) interp.Segment {
	s.Start, s.End = to.Start, to.End
	from, _ := slices.BinarySearch(s.Marks, to.Start)
	n, _ := slices.BinarySearch(s.Marks[from:], to.End+1)
	s.Marks = slices.Clip(s.Marks[from : from+n])
	return s
}

// overlapping reports whether parts overlap in time.
func (src *source) overlapping() bool {
	for i, p := range src.parts[1:] {
		if p.Start() < src.parts[i].End() {
			return true
		}
	}
	return false
}

// within reports whether there are rows between two times, both included.
func (line timeline) within(from, to pcp.Time) bool {
	return slices.ContainsFunc(line.obs, func(o *series.Observations) bool {
		if o == nil {
			return false
		}
		at, _ := slices.BinarySearch(o.Times, from)
		return at < len(o.Times) && o.Times[at] <= to
	})
}
