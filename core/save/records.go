package save

import (
	"context"
	"iter"
	"path"
	"slices"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A Rewriter changes texts on their way into the result.
type Rewriter interface {
	Host(s string) string
	Zone(s string) string
	MetricName(s string) string
	Help(s string) string
	Instance(id pcp.InDom, s string) string
	Labels(json string) string
	// Text changes a value of type STRING, without its NUL.
	Text(m *archive.Metric, s []byte) []byte
	// Events changes a value of event records; false if it cannot be kept.
	Events(t pcp.Type, payload []byte) ([]byte, bool)
}

// A writer writes the result.
type writer struct {
	ctx      context.Context
	plan     *plan
	out      *archive.Writer
	progress Progress
	turn     func() bool // to be called in long loops; false where the saving was stopped
	timeline *timeline
	build    archive.Builder
	report   Report

	any     bool     // a record has been written
	last    pcp.Time // its time
	marked  bool     // a mark follows it, at pending
	pending pcp.Time
	ended   bool  // the last that was written is a mark
	done    int64 // bytes of earlier parts
	total   int64
	texts   map[textKey][]byte

	sinceTurn int // see worked
}

func (w *writer) run() error {
	p := w.plan
	w.timeline = p.newTimeline()
	if w.ctx.Err() != nil {
		return errStopped
	}
	w.texts = map[textKey][]byte{}
	for _, pt := range p.parts {
		recs := pt.a.Records()
		for _, r := range recs[pt.first:pt.end] {
			w.total += int64(r.Size)
		}
	}
	if err := w.descriptions(); err != nil {
		return err
	}
	for from := 0; from < len(p.parts); {
		to, end := from+1, p.parts[from].last
		for to < len(p.parts) && p.parts[to].start <= end {
			end = max(end, p.parts[to].last)
			to++
		}
		if err := w.between(p.parts[from]); err != nil {
			return err
		}
		if err := w.together(p.parts[from:to]); err != nil {
			return err
		}
		from = to
	}
	if !w.any { // an archive without a record cannot be opened
		p.notes.add("There was no readable record: the result has the metadata, and one mark.")
		w.mark(w.timeline.start)
	}
	if p.settings && !p.whole && !w.marked && !w.ended { // they hold as long as the host was recorded
		if end := p.parts[len(p.parts)-1].last; end > w.last {
			p.notes.add("The result ends with a mark, up to which its last values hold.")
			w.mark(end)
		}
	}
	if p.whole || p.settings {
		if err := w.flushMark(); err != nil {
			return err
		}
	}
	w.report.Metrics = len(p.targets)
	w.report.Volumes = max(1, w.report.Volumes)
	w.progress("writing", w.total, w.total)
	return nil
}

// between marks where one archive ends and the next begins.
func (w *writer) between(next *part) error {
	if !w.any || w.marked {
		return nil
	}
	return w.markBefore(next.begins())
}

// markBefore writes a mark between the last record and one at t.
func (w *writer) markBefore(t pcp.Time) error {
	const usual = pcp.Time(1e6) // a millisecond after, as pmlogextract does
	at := w.last + usual
	if at >= t {
		at = w.last + (t-w.last)/2
	}
	return w.mark(at)
}

// mark schedules a mark. It is written with the record after it: at the end of
// a window it would be meaningless.
func (w *writer) mark(t pcp.Time) error {
	w.marked, w.pending = true, t
	return nil
}

// flushMark writes the scheduled mark.
func (w *writer) flushMark() error {
	if !w.marked {
		return nil
	}
	w.marked = false
	if err := w.metaUntil(w.pending); err != nil {
		return err
	}
	if err := w.room(24); err != nil {
		return err
	}
	if !w.any {
		w.report.Start = w.pending
	}
	w.any, w.ended, w.last, w.report.End = true, true, w.pending, w.pending
	w.report.Marks++
	return w.out.Mark(w.pending)
}

// begin prepares for a record of n bytes at t.
func (w *writer) begin(t pcp.Time, n int) error {
	if err := w.flushMark(); err != nil {
		return err
	}
	if err := w.metaUntil(t); err != nil {
		return err
	}
	if !w.any {
		w.report.Start = t
	}
	w.any, w.ended, w.last, w.report.End = true, false, t, t
	w.report.Records++
	return w.room(n)
}

// room begins another volume if n bytes do not fit into the current one.
func (w *writer) room(n int) error {
	if size := w.out.VolumeSize(); size > 0 && size+int64(n) > w.plan.VolumeSize {
		w.report.Volumes++
		return w.out.NextVolume()
	}
	w.report.Volumes = max(1, w.report.Volumes)
	return nil
}

// together writes parts that overlap in time: usually just one.
func (w *writer) together(parts []*part) error {
	if w.plan.Every > 0 {
		for i, pt := range parts {
			var before pcp.Time // where the next one overlaps, it is used
			if i+1 < len(parts) {
				before = parts[i+1].start
			}
			if err := w.thinned(pt, before); err != nil {
				return err
			}
		}
		return nil
	}
	if len(parts) == 1 {
		pt := parts[0]
		if err := w.lead(pt); err != nil {
			return err
		}
		return w.scan(pt, func(r archive.RawRecord) error { return w.record(pt, &r) })
	}
	if err := w.lead(parts[0]); err != nil {
		return err
	}
	type head struct {
		pt   *part
		next func() (archive.RawRecord, error, bool)
		rec  archive.RawRecord
	}
	var heads []*head
	for _, pt := range parts {
		next, stop := iter.Pull2(func(yield func(archive.RawRecord, error) bool) {
			err := w.scan(pt, func(r archive.RawRecord) error {
				if !yield(r, nil) {
					return errStopped
				}
				return nil
			})
			if err != nil && err != errStopped {
				yield(archive.RawRecord{}, err)
			}
		})
		defer stop()
		rec, err, ok := next()
		if err != nil {
			return err
		}
		if ok {
			heads = append(heads, &head{pt, next, rec})
		}
	}
	for len(heads) > 0 {
		first := slices.MinFunc(heads, func(a, b *head) int { return int(min(1, max(-1, a.rec.Time-b.rec.Time))) })
		if len(heads) == 1 || !first.rec.Mark() { // a mark would apply to the others too
			if err := w.record(first.pt, &first.rec); err != nil {
				return err
			}
		}
		var err error
		var ok bool
		if first.rec, err, ok = first.next(); err != nil {
			return err
		} else if !ok {
			heads = slices.DeleteFunc(heads, func(h *head) bool { return h == first })
		}
	}
	return nil
}

var errStopped = pcp.Faultf(pcp.Cancelled, "Saving was stopped.")

// scan reads the records of a part.
func (w *writer) scan(pt *part, f func(archive.RawRecord) error) error {
	recs := pt.a.Records()[pt.first:pt.end]
	if len(recs) == 0 {
		return nil
	}
	phase := "writing " + path.Base(pt.a.Name())
	err := pt.a.Scan(w.ctx, recs[0].Time, recs[len(recs)-1].Time, func(bytes int64) { w.progress(phase, min(w.done+bytes, w.total), w.total) }, f)
	for _, r := range recs {
		w.done += int64(r.Size)
	}
	return err
}

// record writes one record, or the selected parts of it.
func (w *writer) record(pt *part, r *archive.RawRecord) error {
	if err := w.hole(pt, r.Time); err != nil {
		return err
	}
	if r.Mark() {
		if !w.any || w.marked {
			return nil
		}
		return w.mark(r.Time)
	}
	if pt.plain {
		if err := w.begin(r.Time, len(r.Bytes)+4); err != nil {
			return err
		}
		return w.out.Copy(r.Time, r)
	}
	if err := w.flushMark(); err != nil {
		return err
	}
	w.build.Reset()
	if err := w.metaUntil(r.Time); err != nil { // selecting instances needs their names
		return err
	}
	w.sets(pt, r, nil)
	return w.built(r.Time)
}

// hole writes a mark if data are missing before a record.
func (w *writer) hole(pt *part, t pcp.Time) error {
	for len(pt.holes) > 0 && pt.holes[0] < t {
		after := pt.holes[0]
		pt.holes = pt.holes[1:]
		if !w.any || w.marked || w.last < after {
			continue
		}
		if w.last < t {
			if err := w.markBefore(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// built writes the assembled record, if it is not empty.
func (w *writer) built(t pcp.Time) error {
	if w.build.Len() == 0 {
		return nil
	}
	if err := w.begin(t, w.build.Size()); err != nil {
		return err
	}
	return w.out.Build(t, &w.build)
}

// sets adds the selected sets of a record to the one being assembled: of the
// metrics in only, unless that is nil.
func (w *writer) sets(pt *part, r *archive.RawRecord, only map[pcp.PMID]bool) {
	r.Sets(func(s *archive.RawSet) bool {
		m := pt.metrics[s.PMID]
		if m == nil || m.to == nil || only != nil && !only[s.PMID] || m.hidden != 0 && r.Time >= m.hidden {
			return true
		}
		w.set(m, s, r.Time)
		return true
	})
}

// set adds one value set.
func (w *writer) set(m *metric, s *archive.RawSet, t pcp.Time) {
	p := w.plan
	if s.N <= 0 {
		w.build.Void(m.to.PMID, s.N)
		return
	}
	pick := p.Instances != nil && m.InDom != pcp.NullInDom
	if p.Repair {
		w.complete(m, s, t)
	}
	rewrite := p.Rewrite != nil && !m.Type.Numeric()
	if !pick && m.convert == nil && !rewrite && (!p.Repair || sound(s, m.Type)) {
		w.build.Set(s, m.to.PMID)
		return
	}
	var names map[int32]string
	if pick {
		names = w.domain(m.InDom).now
	}
	inSitu := m.to.Type == pcp.Int32 || m.to.Type == pcp.Uint32
	format := s.Format
	if m.convert != nil || p.Repair {
		format = 1
		if inSitu {
			format = 0
		}
	}
	w.build.Begin(m.to.PMID, format)
	lost := 0
	for i := range int(s.N) {
		v := value{inst: s.Inst(i), word: s.Word(i), block: s.Block(i)}
		if pick && !p.chosen(names[v.inst]) {
			continue
		}
		if !w.value(m, v, s.Format) {
			lost++
		}
	}
	if lost > 0 {
		w.lose(m, lost)
	}
	if !w.build.End() && !pick {
		w.build.Void(m.to.PMID, 0)
	}
}

// value adds one value; false if there is none to add.
func (w *writer) value(m *metric, v value, format uint32) bool {
	switch {
	case m.convert != nil:
		n, ok := number(v, m.convert.from)
		if !ok {
			return false
		}
		if n, ok = m.convert.value(n); ok {
			w.build.Number(v.inst, m.to.Type, n)
		}
		return ok
	case w.plan.Repair && !m.Type.Numeric() && (v.block == nil || pcp.Type(v.block[0]) != m.Type):
		return false
	case w.plan.Rewrite != nil && !m.Type.Numeric():
		return w.rewrite(m, v)
	case w.plan.Repair && m.Type.Numeric():
		n, ok := number(v, m.Type)
		if ok {
			w.build.Number(v.inst, m.Type, n)
		}
		return ok
	case v.block != nil:
		w.build.Block(v.inst, v.block)
		return true
	case format == 0:
		w.build.InSitu(v.inst, v.word)
		return true
	}
	return false
}

// lose notes, once, that values of a metric could not be kept.
func (w *writer) lose(m *metric, _ int) {
	why := "they are not stored as the metric's description says"
	switch {
	case m.convert != nil:
		why = "they do not fit the metric's later descriptor"
	case w.plan.Rewrite != nil && !m.Type.Numeric():
		why = "texts in them cannot be distinguished from other bytes"
	}
	w.plan.notes.add("Values of " + m.Name() + " are left out: " + why + ".")
}
