package core

import (
	"context"
	"slices"

	"pcpscope/core/budget"
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
	moments  []pcp.Time          // in place of the grid, which has only their number
	wider    map[int]*evaluation // that begin so many points earlier
	ctx      context.Context     // nil where it cannot be cancelled
	silent   int                 // values since ctx was asked
	ended    error               // why the work was given up: cancelled, or too large
	room     *budget.Claim       // what is worked with and kept for the answer
	kept     int64               // bytes of it for the answer
	laid     int64               // bytes of it before the vectors that are being laid out
	lost     []pcp.Span          // a sparkline shows nothing there, though the sum of nothing is 0
}

func (src *source) newEvaluation(grid series.Grid) *evaluation {
	return &evaluation{src: src, grid: grid, fetchers: map[string]*interp.Fetcher{}, extent: src.extent(), room: src.session.memory.Claim(0)}
}

// done gives back the memory that the evaluation has claimed. The answer is on
// its way then.
func (e *evaluation) done() { e.room.Release() }

// fetcher returns the one for a timeline; metrics with the same one share it.
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

// take claims the memory of what is worked out for one metric or expression.
func (e *evaluation) take(bytes int) error {
	if e.room.Take(int64(bytes)) != nil {
		return pcp.Faultf(pcp.OutOfMemory, "It takes more than %d MiB to work this out; ask for a shorter window or a longer interval.", (e.src.session.memory.Left()+e.room.Held())>>20)
	}
	return nil
}

// perValue is how many bytes a value takes at most, while it is worked out, put
// into an answer, and sent.
const perValue = 24

// keep claims what the answer has so far, so many values, and gives back what it
// was worked out with.
func (e *evaluation) keep(values int) bool {
	e.kept = perValue * int64(values)
	return values <= maxPoints && e.room.Set(e.kept) == nil
}

// askEvery is how many values are worked out, in about a millisecond, before
// somebody is asked whether to go on, which is not free either.
const askEvery = 1 << 16

// stop gives up where the caller has gone, or a single metric is more than
// fits: one with thousands of instances must not cost all that is open.
func (e *evaluation) stop(vectors int) bool {
	if e.silent += e.grid.Count; e.silent >= askEvery && e.ctx != nil {
		e.silent = 0
		if err := e.src.session.proceed(e.ctx); err != nil {
			e.ended = err
		}
	}
	if vectors == 0 {
		return e.ended != nil
	}
	if values := vectors * e.grid.Count; values > maxPoints || e.room.Set(e.laid+perValue*int64(values)) != nil {
		e.room.Release() // the fault tells of what was left before
		e.ended = e.src.session.tooMany(" values of one metric", "a shorter window or a longer interval")
	}
	return e.ended != nil
}

// logged returns a logged metric's values on the grid, as far as they are read.
func (e *evaluation) logged(name string) (series.Frame, error) {
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
	e.laid = e.room.Held()
	d := src.inDom(descOf(ms).InDom)
	line := src.timeline(ms, e.extent)
	frame := e.fetcher(line).Frame(line.obs, d.life)
	if e.ended != nil {
		return series.Frame{}, e.ended
	}
	if len(d.list) > 0 && !src.metadataDamaged() {
		// Only instances that the metadata name are candidates. See spec/interp.md section 6.
		frame.Vectors = slices.DeleteFunc(frame.Vectors, func(v series.Vector) bool {
			_, named := d.find(v.Inst)
			return !named && v.Inst != pcp.NoInstance
		})
	}
	d.give(frame.Vectors)
	e.room.Set(e.laid - need)
	return frame, e.take(len(frame.Vectors) * e.grid.Count * (8 + 2))
}
