package core

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pcpscope/core/budget"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An evaluation computes metrics and expressions on one grid.
type evaluation struct {
	src        *source
	grid       series.Grid
	fetchers   map[string]*interp.Fetcher // by timeline.key
	gaps       bool                       // as charts need it: division by zero leaves a gap, and settings last across marks
	extent     readState
	moments    []pcp.Time          // used instead of the grid, whose count still applies
	wider      map[int]*evaluation // the same with more points before the first, by their number
	ctx        context.Context     // nil if it cannot be cancelled
	sinceCheck int                 // values since ctx was last checked: see pace
	ended      error               // why the work was abandoned: cancelled, or too large
	claim      *budget.Claim       // working memory and memory of the answer
	kept       int64               // bytes of claim used by the answer
	laid       int64               // bytes of claim before the vectors being laid out
	span       pcp.Span            // of a sparkline
	byMean     bool                // a sparkline is of the instance with the highest mean, not with the highest peak
	lost       []pcp.Span          // a sparkline shows nothing there, although the sum of nothing is 0
}

func (src *source) newEvaluation(grid series.Grid) *evaluation {
	return &evaluation{src: src, grid: grid, fetchers: map[string]*interp.Fetcher{}, extent: src.extent(), claim: src.session.memory.Claim(0)}
}

// done releases the memory claimed by the evaluation, once the answer is on its
// way.
func (e *evaluation) done() { e.claim.Release() }

// fetcher returns the fetcher of a timeline; metrics with equal timelines share
// it.
func (e *evaluation) fetcher(line timeline) *interp.Fetcher {
	f := e.fetchers[line.key]
	if f == nil {
		if e.moments != nil {
			f = interp.NewFetcherAt(line.segs, e.moments, interp.Options{Stop: e.stop, AfterMarks: true})
		} else {
			f = interp.NewFetcher(line.segs, e.grid, interp.Options{Stop: e.stop})
		}
		e.fetchers[line.key] = f
	}
	return f
}

// take claims the memory needed to compute one metric or expression.
func (e *evaluation) take(bytes int) error {
	if e.claim.Take(int64(bytes)) != nil {
		return pcp.Faultf(pcp.OutOfMemory, "Computing this takes more than %d MiB; ask for a shorter window or a longer interval.", (e.src.session.memory.Left()+e.claim.Held())>>20)
	}
	return nil
}

// valueBytes is how many bytes a value takes at most while it is computed,
// stored in an answer and sent.
const valueBytes = 24

// keep claims the memory of the answer so far, as a number of values, and
// releases what was needed to compute it.
func (e *evaluation) keep(values int) bool {
	e.kept = valueBytes * int64(values)
	return values <= maxPoints && e.claim.Set(e.kept) == nil
}

// stop reports whether to give up: the caller has cancelled, or a single metric
// with thousands of instances needs more memory than there is.
func (e *evaluation) stop(vectors int) bool {
	if e.paused(vectors) || vectors == 0 {
		return e.ended != nil
	}
	if values := vectors * e.grid.Count; values > maxPoints || e.claim.Set(e.laid+valueBytes*int64(values)) != nil {
		e.claim.Release() // first: the fault states how much memory is left
		e.ended = e.src.session.tooMany(" values of one metric", "a shorter window or a longer interval")
	}
	return e.ended != nil
}

// paused gives up only where the caller has gone.
func (e *evaluation) paused(int) bool {
	if e.sinceCheck += e.grid.Count + oneSeries; e.sinceCheck >= checkEvery && e.ctx != nil {
		e.sinceCheck = 0
		if err := e.src.session.proceed(e.ctx); err != nil {
			e.ended = err
		}
	}
	return e.ended != nil
}

// logged returns a logged metric's values on the grid, as far as the source has
// been read.
func (e *evaluation) logged(name string) (series.Frame, error) {
	return e.loggedOf(name, math.MinInt32, math.MaxInt32, false)
}

// loggedOf is logged for the instances from first to last; a metric without
// instances is returned as it is. If settings are to last, values of a discrete metric
// are not ended by marks.
func (e *evaluation) loggedOf(name string, first, last int32, lasting bool) (series.Frame, error) {
	src := e.src
	ms, known := src.lookup(name)
	if !known {
		return series.Frame{}, src.unknownMetric(name)
	}
	need, err := src.fits(ms)
	if err == nil {
		err = e.take(int(need))
	}
	if err != nil {
		return series.Frame{}, err
	}
	e.laid = e.claim.Held()
	d := src.inDom(descOf(ms).InDom)
	line := src.timeline(ms, e.extent)
	if lasting && descOf(ms).Sem == pcp.Discrete {
		line = line.unmarked()
	}
	if first > math.MinInt32 || last < math.MaxInt32 {
		line.obs = between(line.obs, first, last)
	}
	frame := e.fetcher(line).Frame(line.obs, d.life)
	if e.ended != nil {
		return series.Frame{}, e.ended
	}
	if len(d.list) > 0 && !src.metadataDamaged() {
		// Only instances named in the metadata are candidates. See
		// spec/interp.md section 6.
		find := d.finder()
		frame.Vectors = slices.DeleteFunc(frame.Vectors, func(v series.Vector) bool {
			_, named := find(v.Inst)
			return !named && v.Inst != pcp.NoInstance
		})
	}
	d.setNames(frame.Vectors)
	e.claim.Set(e.laid - need)
	return frame, e.take(len(frame.Vectors) * e.grid.Count * (8 + 2))
}

// between returns observations of the instances from first to last only; those
// of metrics without instances as they are.
func between(obs []*series.Observations, first, last int32) []*series.Observations {
	at := func(list []series.Series, inst int32) int {
		i, _ := slices.BinarySearchFunc(list, inst, func(s series.Series, inst int32) int { return cmp.Compare(s.Inst, inst) })
		return i
	}
	out := slices.Clone(obs)
	for i, o := range obs {
		if o == nil || o.Desc.InDom == pcp.NullInDom {
			continue
		}
		one := *o
		if last < math.MaxInt32 {
			one.Series = one.Series[:at(one.Series, last+1)]
		}
		one.Series = one.Series[at(one.Series, first):]
		out[i] = &one
	}
	return out
}
