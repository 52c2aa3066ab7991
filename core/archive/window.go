package archive

import (
	"context"
	"slices"

	"pcpscope/core/pcp"
)

// A Window is everything that an archive has between two times, read without
// the rest of it.
type Window struct {
	Preview
	Span pcp.Span // no record with a time inside is missing
}

// ReadWindow reads what was logged between two times, using the temporal index,
// and then further to both sides, twice as far each time, until enough reports
// that what is needed from before and after is there. It returns nil if there
// is no index, if volumes are compressed or missing, or if more than limit
// bytes would have to be read: use Load then. It returns an error only if a server does not
// answer.
func (a *Archive) ReadWindow(ctx context.Context, from, to pcp.Time, limit int64, enough func(w *Window) (before, after bool)) (*Window, error) {
	vols := a.plainVolumes(ctx)
	if slices.ContainsFunc(a.index, func(e IndexEntry) bool { return vols[e.Volume] == nil || e.Offset > vols[e.Volume].Size }) {
		return nil, nil
	}
	all := a.stretchesOf(vols)
	if len(all) == 0 {
		return nil, nil
	}
	for i := range all { // data before the first indexed offset of a volume
		if i == 0 || all[i].vol != all[i-1].vol {
			all[i].from = int64(labelLen(a.label.Version))
		}
	}
	// Times before an entry's offset are at most its time; after it, later.
	first, last := 0, len(all)-1
	for first+1 < len(all) && all[first+1].time < from {
		first++
	}
	for last > first && all[last-1].time > to {
		last--
	}
	var pieces []piece
	for left, right := 1, 1; ; {
		size := sizeOf(all[first : last+1])
		if size > limit {
			return nil, nil
		}
		pieces = extended(pieces, all[first:last+1])
		w, err := a.readPieces(ctx, pieces, size <= maxHeld)
		if w == nil {
			return nil, err
		}
		w.Span = pcp.Span{Start: all[first].time + 1, End: pcp.MaxTime}
		if first == 0 {
			w.Span.Start = pcp.MinTime
		}
		if last+1 < len(all) {
			w.Span.End = all[last+1].time - 1
		}
		before, after := enough(w)
		before, after = before || first == 0, after || last == len(all)-1
		if before && after {
			return w, nil
		}
		if !before {
			first, left = max(0, first-left), 2*left
		}
		if !after {
			last, right = min(len(all)-1, last+right), 2*right
		}
	}
}

// maxHeld is up to how many bytes are held while a window is widened, so that they need not
// be read again.
const maxHeld = 32 << 20

// A piece is adjacent stretches, read at once; data is nil until then.
type piece struct {
	stretch
	data []byte
}

// extended returns the pieces of adjacent stretches, of which some may be held from before:
// either all that were read or none.
func extended(before []piece, list []stretch) (pieces []piece) {
	before = slices.DeleteFunc(before, func(p piece) bool { return p.data == nil })
	have := func(s stretch) bool {
		return slices.ContainsFunc(before, func(p piece) bool { return p.vol == s.vol && p.from <= s.from && s.to <= p.to })
	}
	added := false
	for _, s := range list {
		if have(s) {
			if !added {
				pieces, added = append(pieces, before...), true
			}
			continue
		}
		if n := len(pieces) - 1; n >= 0 && pieces[n].data == nil && pieces[n].vol == s.vol && pieces[n].to == s.from && s.to-pieces[n].from <= longRun {
			pieces[n].to = s.to
			continue
		}
		pieces = append(pieces, piece{stretch: s})
	}
	return pieces
}

func sizeOf(list []stretch) (size int64) {
	for _, s := range list {
		size += s.to - s.from
	}
	return size
}

// readPieces reads those pieces that are not held from before. If they are not to be held, each
// is dropped when its records have been taken.
func (a *Archive) readPieces(ctx context.Context, pieces []piece, hold bool) (*Window, error) {
	w := &Window{Preview: Preview{st: newStore(a.label.Version, a.meta)}}
	w.st.pass = &pass{}
	l := loader{a: a, st: w.st, version: a.label.Version}
	complete := true
	for i, read := range readAhead(ctx, len(pieces), func(ctx context.Context, i, _ int) ([]byte, error) {
		if pieces[i].data != nil {
			return pieces[i].data, nil
		}
		return pieces[i].all(ctx)
	}) {
		if ctx.Err() != nil {
			return nil, nil
		}
		if passing(read.err) {
			return nil, read.err
		}
		pieces[i].data = nil
		if hold {
			pieces[i].data = read.data
		}
		w.Bytes += int64(len(read.data))
		if w.take(&l, pieces[i].stretch, read.data) != len(read.data) || int64(len(read.data)) != pieces[i].to-pieces[i].from {
			complete = false
		}
	}
	if ctx.Err() != nil || !complete {
		return nil, nil
	}
	w.st.log.end()
	return w, nil
}

// stretchesOf returns all stretches of the given volumes, in order.
func (a *Archive) stretchesOf(vols map[int]*Volume) []stretch {
	var all []stretch
	for i, e := range a.index {
		v := vols[e.Volume]
		if v == nil || e.Offset >= v.Size {
			continue
		}
		s := stretch{v, e.Offset, v.Size, e.Time}
		if i+1 < len(a.index) && a.index[i+1].Volume == e.Volume {
			s.to = a.index[i+1].Offset
		}
		if s.to > s.from {
			all = append(all, s)
		}
	}
	return all
}

// Spans reports whether a metric has observations at or before one time, and at
// or after another.
func (w *Window) Spans(id pcp.PMID, from, to pcp.Time) (before, after bool) {
	o, ok := w.Observations(id)
	if !ok {
		return false, false
	}
	times := o.Times
	return slices.ContainsFunc(times, func(t pcp.Time) bool { return t <= from }), slices.ContainsFunc(times, func(t pcp.Time) bool { return t >= to })
}
