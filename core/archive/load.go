package archive

import (
	"cmp"
	"context"
	"io"
	"path"
	"slices"
	"unsafe"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Gap is a stretch of time for which a data volume is missing.
type Gap struct{ Start, End pcp.Time }

const (
	maxRecord = 64 << 20 // in bytes; the format has no limit
	maxMarks  = 1 << 20  // in succession; a logger writes one for each interruption
	weighing  = 8 << 20  // bytes of records between measurements of the store, at most
)

// Load reads all data volumes, once, into the change store. progress, which may
// be nil, is called with the number of bytes of the given files that have been read, and
// their total. Damage is not an error (see Problems); a cancelled context is, and so
// is a server that does not answer. What has been read then stays until another call
// starts again. Once the
// archive is loaded, further calls do nothing.
func (a *Archive) Load(ctx context.Context, progress func(done, total int64)) error {
	a.loading.Lock()
	defer a.loading.Unlock()
	if a.Loaded() {
		return nil
	}
	a.reset()
	l := loader{a: a, st: a.store, version: a.label.Version, progress: progress}
	for _, v := range a.group.Volumes {
		l.total += v.Size
	}
	if len(a.group.Volumes) > 0 {
		// The first values make the table of all metrics. Others may take the memory that
		// is left before the store is weighed, so it has the table's from the beginning.
		if err := a.stored.Set(8 * int64(len(a.meta.described))); err != nil {
			l.full(pcp.AsFault(err), &a.group.Volumes[0])
			return nil
		}
	}
	var ahead *stream
	for i := range a.group.Volumes {
		v := &a.group.Volumes[i]
		s := ahead
		if ahead = nil; s == nil {
			s = v.stream(ctx, a.opt.Unpacker, a.stored)
		}
		s.begin()
		if i+1 < len(a.group.Volumes) {
			ahead = a.group.Volumes[i+1].ahead(ctx, a.opt.Unpacker, a.stored)
		}
		l.before(i)
		err := l.volume(ctx, v, s)
		s.close()
		if err != nil {
			if ahead != nil {
				ahead.close()
			}
			if f := pcp.AsFault(err); f.Kind == pcp.OutOfMemory {
				l.full(f, v)
				return nil
			}
			return err
		}
		a.completed(v)
	}
	l.finish()
	return nil
}

// reset drops what a cancelled call of Load has read, and gets ready to read.
func (a *Archive) reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.store.recs) > 0 {
		a.store, a.gaps, a.damage, a.mistyped = newStore(a.label.Version, a.meta), nil, nil, nil
	}
	a.store.pass = &pass{}
	a.store.log.begin()
	clear(a.reads)
	a.faults.cut(a.atOpen)
}

// A loader is one pass over the volumes.
type loader struct {
	a        *Archive
	st       *store
	version  int
	progress func(done, total int64)
	done     int64 // bytes of the volumes before this one
	reported int64 // what progress was last reported
	total    int64
	weighed  int64 // bytes of records when the store was last measured
	read     int64 // bytes of records

	last    pcp.Time // time of the last record, if any
	any     bool
	marks   int            // in succession, up to the last record
	pending *pendingDamage // damage whose end in time is not known yet
	gap     *Gap           // likewise
	early   early

	skipped, falseBytes int // bytes of damage, and of false records in it
}

// early counts records with times before those already read.
type early struct {
	n        int
	from, to pcp.Time
	file     string
	offset   int64
}

// before reports volumes that are missing before the i-th one.
func (l *loader) before(i int) {
	vols := l.a.group.Volumes
	missing := vols[i].Number
	if i > 0 {
		missing -= vols[i-1].Number + 1
	}
	if missing == 0 {
		return
	}
	base := path.Base(l.a.group.Name)
	start := l.a.start
	if l.any {
		start = l.last
	}
	first := vols[i].Number - missing
	l.flushDamage(pcp.MaxTime)
	l.pending = &pendingDamage{fault: *pcp.Faultf(pcp.Corrupt, "%s of the archive %s not given.", volumeNames(base, first, missing), isAre(missing)).In(l.a.group.Name + "." + itoa(first)),
		done: "Reading went on with " + path.Base(vols[i].Name) + ".", from: start}
	l.gap = &Gap{Start: start}
}

// volume reads one volume.
func (l *loader) volume(ctx context.Context, v *Volume, s *stream) error {
	f := l.a.faults.in(v.Name)
	size := labelLen(l.version)
	if !s.need(ctx, size) {
		if err := stopped(ctx, s); err != nil {
			return err
		}
		if !l.unreadable(s) {
			l.shortVolume(v, s)
		}
		return nil
	}
	label, fault := readLabel(s.win[:size], v.Name, int32(v.Number))
	if v.Number != l.a.group.Volumes[0].Number { // Open has checked that volume's label
		switch {
		case fault != nil:
			f.add(fault, "Its records were read all the same.")
		case label.Version != l.version:
			f.add(pcp.Faultf(pcp.Corrupt, "The volume is of version %d, the archive of version %d.", label.Version, l.version).At(4, "magic"), "The volume was left out.")
			return nil
		case label.Host != l.a.label.Host:
			f.add(pcp.Faultf(pcp.Corrupt, "The volume is of host %q, the archive of %q.", label.Host, l.a.label.Host).At(4, "hostname"), "The volume was read all the same.")
		}
	}
	if fault == nil || !l.looksLikeRecord(s.win) { // else the label itself is lost
		s.skip(size)
	}
	for n := 0; s.need(ctx, 4); n++ {
		size := int(int32(be32(s.win)))
		if size < l.st.head+4 || size%4 != 0 || size > maxRecord || !s.need(ctx, size) || int(be32(s.win[size-4:])) != size {
			if err := stopped(ctx, s); err != nil {
				return err
			}
			if s.unread() != nil || !l.damaged(ctx, s, v) {
				break
			}
			continue
		}
		if !l.hasWrongTime(ctx, s, size, v) {
			l.record(s.win[:size], s.base, v)
		}
		s.skip(size)
		l.read += int64(size)
		if l.marks > maxMarks {
			f.add(pcp.Faultf(pcp.Corrupt, "The volume has more than %s marks in succession and was abandoned: it holds no real data.", pcp.Grouped(maxMarks)).At(s.base, "record"), "The values before are there.")
			return nil
		}
		if n%64 == 0 || size > 1<<16 {
			if !l.a.proceed(ctx) {
				return cancelled()
			}
			l.report(v, s)
			if err := l.claimGrowth(s); err != nil {
				return err
			}
		}
	}
	if err := stopped(ctx, s); err != nil {
		return err
	}
	lost := l.unreadable(s)
	if left := len(s.win); !lost && left > 0 && left < 4 {
		f.add(pcp.Faultf(pcp.Truncated, "%s left at the end of the volume.", pcp.Counted(left, "stray byte is", "stray bytes are")).At(s.base, "record"), "%s", choose(left, "It was ignored.", "They were ignored."))
	}
	if s.err == nil || s.err == io.EOF {
		l.cutShort(v, s.base+int64(len(s.win)))
	}
	if !lost {
		l.unpackFault(s, f)
	}
	s.skip(len(s.win)) // stray bytes count as well
	l.a.progressed(v, s)
	l.done += v.Size
	if l.progress != nil {
		l.progress(l.done, l.total)
	}
	return nil
}

// report reports the progress.
func (l *loader) report(v *Volume, s *stream) {
	l.a.progressed(v, s)
	if now := l.done + s.raw.Load(); now != l.reported && l.progress != nil {
		l.reported = now
		l.progress(now, l.total)
	}
}

// claimGrowth claims the memory that the store has grown by.
func (l *loader) claimGrowth(s *stream) error {
	every := int64(weighing)
	if b := l.a.opt.Budget; b != nil { // measure more often when little memory is left
		every = min(every, max(weighing/32, b.Limit()/64))
	}
	if l.read-l.weighed < every {
		return nil
	}
	l.weighed = l.read
	return l.a.stored.Set(l.a.storeSize(l.st) + buffers(s) + int64(s.own))
}

func (a *Archive) storeSize(st *store) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return st.size()
}

// buffers returns how much memory reading a volume takes besides the store.
func buffers(s *stream) int64 { return 2 * (headroom + int64(s.size)) }

// unpackFault reports why a volume could not be read to its end.
func (l *loader) unpackFault(s *stream, f fileFaults) {
	if s.err != nil && s.err != io.EOF {
		f.add(pcp.AsFault(s.err), "What could be unpacked before was read.")
	}
}

func cancelled() error { return pcp.Faultf(pcp.Cancelled, "Reading was stopped.") }

// stopped returns why reading ended early, unless it was for good.
func stopped(ctx context.Context, s *stream) error {
	if ctx.Err() != nil {
		return cancelled()
	}
	if f := s.unread(); f != nil && f.Passing {
		return f
	}
	return nil
}

// unreadable reports a volume whose file could not be read to its end, which does not
// mean that anything in it is damaged.
func (l *loader) unreadable(s *stream) bool {
	f := s.unread()
	if f != nil {
		l.flushDamage(l.lastOrStart())
		l.pending = &pendingDamage{fault: *f, done: "Everything before was read.", from: l.lastOrStart()}
	}
	return f != nil
}

// shortVolume reports a volume that ends inside its label and therefore has no
// data. For the first volume Open has reported it, but not the consequence.
func (l *loader) shortVolume(v *Volume, s *stream) {
	label, fault := readLabel(s.win, v.Name, int32(v.Number))
	switch {
	case s.err != nil && s.err != io.EOF:
		fault = pcp.AsFault(s.err)
	case fault == nil: // undamaged, but shorter than a label of the archive's version
		fault = pcp.Faultf(pcp.Corrupt, "The volume is of version %d, the archive of version %d.", label.Version, l.version).At(4, "magic")
	}
	l.flushDamage(l.last)
	l.pending = &pendingDamage{fault: *fault.In(v.Name), done: "The volume holds no data.", from: l.lastOrStart()}
}

// record reads one framed record at the given offset.
func (l *loader) record(rec []byte, offset int64, v *Volume) {
	r := Record{Offset: offset, Size: int32(len(rec)), Volume: int32(v.Number)}
	r.Time = l.stamp(rec)
	if !possible(r.Time) {
		l.addDamaged(pcp.Faultf(pcp.Corrupt, "A record is stamped with a time outside the years 1678 to 2262.").In(v.Name).At(offset+4, "timestamp"))
		return
	}
	if l.any && r.Time < l.last {
		l.early.add(r.Time, v.Name, offset)
		return
	}
	if fault := l.a.keep(l.st, rec, r); fault != nil {
		l.addDamaged(fault.In(v.Name).At(offset+*fault.Offset, fault.Field))
		return
	}
	if l.pending != nil {
		l.flushDamage(r.Time)
	}
	l.last, l.any = r.Time, true
	if l.marks++; be32(rec[l.st.head-4:]) > 0 {
		l.marks = 0
	}
}

// keep adds a record to a store, the archive's or a preview's.
func (a *Archive) keep(st *store, rec []byte, r Record) *pcp.Fault {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, fault := st.shapeOf(rec)
	if fault == nil {
		fault = st.examine(rec, s)
	}
	if fault != nil {
		return fault
	}
	st.commit(rec, s, r)
	if st == a.store {
		a.end = max(a.end, r.Time) // exact once everything has been read
	}
	return nil
}

// stamp returns the time of a record.
func (l *loader) stamp(rec []byte) pcp.Time {
	if l.version == 2 {
		return timeV2(rec[4:])
	}
	return timeV3(rec[4:])
}

func (e *early) add(t pcp.Time, file string, offset int64) {
	if e.n == 0 {
		*e = early{0, t, t, file, offset}
	}
	e.n++
	e.from, e.to = min(e.from, t), max(e.to, t)
}

// unread returns the stretch for which the records left out of a span leave most of it without
// any; nil if there is none. The clock may have been set back, or another metric recorded for
// the same time; but where a wrong time lies ahead, all is left out until then. Times before
// all others are wrong, and it is not known which they would be.
func unread(recs []Record, span pcp.Span) *pcp.Span {
	if len(recs) == 0 || span.End < recs[0].Time {
		return &span
	}
	from, _ := slices.BinarySearchFunc(recs, span.Start, func(r Record, t pcp.Time) int { return cmp.Compare(r.Time, t) })
	last, longest := span.Start, pcp.Span{}
	widen := func(t pcp.Time) {
		if t-last > longest.End-longest.Start {
			longest = pcp.Span{Start: last, End: t}
		}
		last = t
	}
	for _, r := range recs[from:] {
		if r.Time >= span.End {
			break
		}
		widen(r.Time)
	}
	if widen(span.End); longest.End-longest.Start > (span.End-span.Start)/2 {
		return &longest
	}
	return nil
}

// full ends the pass when memory is exhausted: what has been read stays.
func (l *loader) full(why *pcp.Fault, v *Volume) {
	a := l.a
	l.flushDamage(l.lastOrStart())
	f := pcp.Faultf(pcp.OutOfMemory, "%s was not read further. %s", path.Base(a.group.Name), why.Message).In(v.Name)
	if from := l.lastOrStart(); a.promised > from {
		f.Lost = &pcp.Span{Start: from, End: a.promised}
	}
	a.faults.add(f, "The values before are there.")
	l.end()
}

// finish ends the pass.
func (l *loader) finish() {
	l.missingTail()
	l.flushDamage(pcp.MaxTime)
	l.end()
}

func (l *loader) end() {
	a := l.a
	if e := l.early; e.n > 0 {
		f := pcp.Faultf(pcp.Corrupt, "%s stamped with times before those already read.", pcp.Counted(e.n, "record is", "records are")).In(e.file).At(e.offset, "timestamp")
		f.Lost = unread(l.st.recs, pcp.Span{Start: e.from, End: e.to})
		a.faults.add(f, "Left out, as PCP's own tools do: the order in time is kept.")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l.st.log.end()
	for c := range l.st.all() {
		c.lastRow = nil
		if c.extras != noExtras {
			c.texts, c.cells = nil, nil
		}
		c.dom.read()
	}
	l.st.pass = nil
	a.findMistyped()
	l.sumUp()
	if l.any {
		a.end = l.last
	}
	if len(a.group.Volumes) == 0 && a.end > a.start {
		a.gaps = append(a.gaps, Gap{a.start, a.end})
	}
	a.loaded = true
	size := int64(0) // of a store that has nothing, where there was no memory to read anything
	if len(l.st.recs) > 0 {
		size = l.st.size()
	}
	a.stored.Force(size)
}

// Observations returns all values of a metric that have been read so far; false
// if the archive does not know the metric. Each call makes a new copy, which
// the caller may modify except for Times and Blobs.
func (a *Archive) Observations(id pcp.PMID) (*series.Observations, bool) {
	return a.ObservationsIn(nil, id)
}

// ObservationsIn returns the same without Voids, laid out in buf and valid
// until buf is reused: for callers that visit all metrics.
func (a *Archive) ObservationsIn(buf *Buffer, id pcp.PMID) (*series.Observations, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.store.find(id); c != nil && (!c.Guessed || a.meta.metric(id) != nil) {
		return a.store.observations(c, buf), true
	}
	m := a.meta.metric(id)
	if m == nil {
		return nil, false
	}
	return &series.Observations{Desc: m.Desc}, true
}

// WorkingBytes returns an upper bound of the memory that the unpacked values of
// a metric take.
func (a *Archive) WorkingBytes(id pcp.PMID) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.store.find(id)
	if c == nil {
		return 0
	}
	return a.store.workingBytes(c)
}

func (st *store) workingBytes(c *column) int64 {
	packed := int64(0)
	c.slots.all(func(_, s uint32) { packed += int64(st.log.size(s)) })
	return st.unpacked(packed)
}

// unpacked is an upper bound of the memory that packed events of that many bytes
// take as runs, including those not packed yet.
func (st *store) unpacked(packed int64) int64 {
	const least = 2 // bytes of a packed event
	return (packed/least + int64(len(st.log.fresh))) * int64(unsafe.Sizeof(series.Run{}))
}

// AllWorkingBytes is WorkingBytes for all metrics together.
func (a *Archive) AllWorkingBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	packed := int64(0)
	for i := range a.store.log.packed {
		packed += int64(len(a.store.log.packed[i].data))
	}
	return a.store.unpacked(packed)
}

// SeriesCount returns how many series have been found so far.
func (a *Archive) SeriesCount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.store.log.packing)
}

// SeriesOf returns how many series have been found so far of one metric.
func (a *Archive) SeriesOf(id pcp.PMID) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.store.find(id); c != nil {
		return c.slots.n
	}
	return 0
}

// Marks returns the times of the mark records, in order. No value carries over
// a mark. See spec/archive.md section 5.4.
func (a *Archive) Marks() []pcp.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store.marks[:len(a.store.marks):len(a.store.marks)]
}

// Valueless returns the numbers of those records read so far of which nothing is known: they
// have metrics, even such as have exactly one value, but no values. pmlogreduce(1) writes
// them where nothing was recorded. A record of instances alone, of which there are none
// now, is not among them. The slice is read-only.
func (a *Archive) Valueless() []int32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store.valueless[:len(a.store.valueless):len(a.store.valueless)]
}

// Records returns the position and time of the records read so far, in order.
// The slice is read-only.
func (a *Archive) Records() []Record {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store.recs[:len(a.store.recs):len(a.store.recs)]
}

// Gaps returns the stretches of time whose data volumes are missing.
func (a *Archive) Gaps() []Gap {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Gap(nil), a.gaps...)
}

// Damage returns the stretches of time whose records are damaged.
func (a *Archive) Damage() []Gap {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Gap(nil), a.damage...)
}

// StoreBytes estimates the memory of the values; the metadata, kept as in the
// file, are not included.
func (a *Archive) StoreBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store.size()
}
