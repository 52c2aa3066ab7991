package archive

import (
	"context"
	"fmt"
	"sort"
	"strconv"

	"pcpscope/core/pcp"
)

// harm is damage to data whose end in time is not known before the next good
// record has been read.
type harm struct {
	fault   pcp.Fault
	done    string
	from    pcp.Time
	records int // damaged one after the other
}

// hurt notes a record that was stepped over.
func (l *loader) hurt(fault *pcp.Fault, size int) {
	if l.harm != nil && l.harm.records > 0 {
		l.harm.records++
		return
	}
	l.flushHarm(l.last)
	l.harm = &harm{fault: *fault, from: l.lastOrStart(), records: 1}
}

func (l *loader) lastOrStart() pcp.Time {
	if l.any {
		return l.last
	}
	return l.a.start
}

// flushHarm reports the harm at hand, which ends at the given time; MaxTime
// means that no record followed.
func (l *loader) flushHarm(to pcp.Time) {
	h := l.harm
	if h == nil {
		return
	}
	l.harm = nil
	if to == pcp.MaxTime {
		to = h.from
		if n := len(l.a.index); n > 0 { // its times do not decrease
			to = max(to, l.a.index[n-1].Time)
		}
	}
	h.fault.Lost = &pcp.Span{Start: h.from, End: max(h.from, to)}
	if h.records > 0 {
		h.done = count(h.records, "damaged record was", "damaged records were") + " stepped over."
	}
	l.a.faults.replace(&h.fault, h.done)
	if l.gap == nil && h.fault.Lost.End > h.from {
		l.a.mu.Lock()
		l.a.damage = append(l.a.damage, Gap{h.from, h.fault.Lost.End})
		l.a.mu.Unlock()
	}
	if l.gap != nil {
		l.gap.End = h.fault.Lost.End
		l.a.mu.Lock()
		l.a.gaps = append(l.a.gaps, *l.gap)
		l.a.mu.Unlock()
		l.gap = nil
	}
}

// damaged deals with bytes at the start of the window that are no record. It
// moves the window to where reading can go on, or says that it cannot.
func (l *loader) damaged(ctx context.Context, s *stream, v *Volume) bool {
	at := s.base
	size := int64(int32(be32(s.win)))
	// A record whose lengths disagree may be whole all the same: then its
	// values fill it exactly, and another record or the end follows.
	if n := int(size); size >= int64(l.st.head+4) && size%4 == 0 && size <= maxRecord && s.need(ctx, n) && l.whole(s.win[:n]) &&
		(!s.need(ctx, n+8) || l.promising(s.win[n:])) {
		l.a.faults.in(v.Name).add(pcp.Faultf(pcp.Corrupt, "The lengths of a record disagree: %s at its start, %s at its end.", pcp.Grouped(size), pcp.Grouped(int32(be32(s.win[n-4:])))).At(at+size-4, "length"),
			"Its values fill it exactly by the first length, so it was used.")
		l.record(s.win[:n], s.base, v)
		s.skip(n)
		return true
	}
	cut := size > int64(len(s.win)) && size <= maxRecord && l.promising(s.win)
	var zero = allZero(s.win)
	for skipped := 1; ; skipped++ {
		if skipped+l.st.head+4 > len(s.win) {
			s.skip(skipped)
			l.skipped += skipped
			at0 := len(s.win)
			if !s.need(ctx, at0+1+l.st.head+4) {
				break
			}
			if l.tell(v, s); !l.a.proceed(ctx) {
				break
			}
			zero = zero && allZero(s.win)
			skipped = -1
			continue
		}
		if be64(s.win[skipped:]) == 0 { // no record begins with a length of 0, here or at the next four
			skipped += 4
			continue
		}
		if !l.promising(s.win[skipped:]) {
			continue
		}
		n := int(be32(s.win[skipped:]))
		if !s.need(ctx, skipped+n) || int(be32(s.win[skipped+n-4:])) != n || !l.whole(s.win[skipped:skipped+n]) {
			continue
		}
		s.skip(skipped)
		l.skipped += skipped
		l.flushHarm(l.last)
		l.harm = &harm{from: l.lastOrStart(), done: count(int(s.base-at), "byte was", "bytes were") + " skipped, up to the next whole record.",
			fault: *pcp.Faultf(pcp.Corrupt, "The data here are damaged: a record says that it has %s bytes.", pcp.Grouped(size)).In(v.Name).At(at, "length")}
		return true
	}
	end := s.base + int64(len(s.win))
	s.skip(len(s.win))
	if ctx.Err() != nil {
		return false
	}
	var fault *pcp.Fault
	switch {
	case zero:
		fault = pcp.Faultf(pcp.Truncated, "The volume ends with %s in place of records.", count(int(end-at), "zero byte", "zero bytes"))
	case cut:
		fault = pcp.Faultf(pcp.Truncated, "The volume ends inside a record: %s of its %s bytes are there.", pcp.Grouped(end-at), pcp.Grouped(size))
	default:
		fault = pcp.Faultf(pcp.Corrupt, "The last %s bytes of the volume are damaged.", pcp.Grouped(end-at))
	}
	l.flushHarm(l.last)
	l.harm = &harm{from: l.lastOrStart(), done: "Everything before was read.", fault: *fault.In(v.Name).At(at, "record")}
	return false
}

// promising says that a record could begin here: its length is a sane one,
// and its time does not lie before the last record's nor ages after it.
func (l *loader) promising(b []byte) bool {
	if len(b) < l.st.head || b[0] != 0 || b[3]&3 != 0 { // below 16 MiB: larger ones are not looked for
		return false
	}
	n := int(be32(b))
	if n < l.st.head+4 {
		return false
	}
	t := l.stamp(b)
	const ages = 400 * 24 * 3600 * 1e9
	last := l.lastOrStart()
	if t < last && (l.any || last-t > ages) || t > last && t-last > ages {
		return false
	}
	p := int(be32(b[l.st.head-4:]))
	return p >= 0 && p <= (n-l.st.head-4)/8
}

// Bytes that look like the beginning of a record may do so many times over,
// one inside the other. All that turn out to hold nothing may together be so
// many times as long as what was skipped, and some more to begin with.
const (
	vainTimes = 4
	vainFirst = 16 << 20
)

// whole says that the contents of a record are sound, whatever its last word.
func (l *loader) whole(rec []byte) bool {
	if l.vain+len(rec) > vainFirst+vainTimes*l.skipped {
		return false
	}
	l.a.mu.Lock()
	defer l.a.mu.Unlock()
	s, fault := l.st.shapeOf(rec)
	if fault == nil && l.st.examine(rec, s) == nil {
		return true
	}
	l.vain += len(rec)
	return false
}

// farAhead is how far a stamp must be ahead before it is doubted; below, the
// rule of libpcp holds, which costs no more than as much time.
const farAhead = 600 * 1e9

// astray says that the record at the start of the window has a wrong stamp:
// it is much later than the two records that follow, and these follow well
// on the one before. libpcp goes by the stamp, and loses all records up to it.
func (l *loader) astray(ctx context.Context, s *stream, size int, v *Volume) bool {
	t := l.stamp(s.win)
	if l.any && t <= l.last {
		return false
	}
	if !s.need(ctx, size+l.st.head) {
		return ctx.Err() == nil && l.beyond(t, s, v)
	}
	next := l.stamp(s.win[size:])
	if next > t-farAhead || l.any && next < l.last {
		return false
	}
	n := int(int32(be32(s.win[size:])))
	if n < l.st.head+4 || n > maxRecord || !s.need(ctx, size+n+l.st.head) {
		return false
	}
	if after := l.stamp(s.win[size+n:]); after >= t || after < next {
		return false
	}
	f := pcp.Faultf(pcp.Corrupt, "The record is stamped %s, later than the records behind it.", t.Std().Format("2006-01-02 15:04:05 UTC")).At(s.base+4, "timestamp")
	f.Lost = &pcp.Span{Start: l.lastOrStart(), End: next}
	l.a.faults.in(v.Name).add(f, "The record was left out.")
	return true
}

// wayAhead is how far the last record may be ahead of the one before and of the
// temporal index.
const wayAhead = 30 * 24 * 3600 * 1e9

// beyond says that the last record of a volume has a wrong stamp: it is weeks
// later than the one before, and than anything that the temporal index knows of.
func (l *loader) beyond(t pcp.Time, s *stream, v *Volume) bool {
	if !l.any || t-l.last < wayAhead || len(l.a.index) == 0 {
		return false
	}
	for _, e := range l.a.index {
		if e.Time > t-wayAhead {
			return false
		}
	}
	f := pcp.Faultf(pcp.Corrupt, "The last record is stamped %s, weeks after the one before and after all that the temporal index knows of.", t.Std().Format(stampLayout)).At(s.base+4, "timestamp")
	l.a.faults.in(v.Name).add(f, "The record was left out.")
	return true
}

// cutShort reports a volume that ends between two records, as far before the
// place up to which the index knows it that another record would have had room.
func (l *loader) cutShort(v *Volume, end int64) {
	if l.harm != nil {
		return // it ends with damage, which has been reported
	}
	var far IndexEntry
	index := l.a.index // in order of volumes
	for _, e := range index[sort.Search(len(index), func(i int) bool { return index[i].Volume >= v.Number }):] {
		if e.Volume > v.Number {
			break
		}
		if e.Offset > far.Offset {
			far = e
		}
	}
	if far.Offset < end+int64(l.st.head+4) || far.Time <= l.lastOrStart() {
		return
	}
	l.harm = &harm{from: l.lastOrStart(), done: "Everything before was read.",
		fault: *pcp.Faultf(pcp.Truncated, "The volume ends after %s bytes; by the temporal index it had %s.", pcp.Grouped(end), pcp.Grouped(far.Offset)).In(v.Name).At(end, "record")}
}

// missingTail notes volumes after the last one that the index knows of.
func (l *loader) missingTail() {
	vols, index := l.a.group.Volumes, l.a.index
	if len(vols) == 0 || len(index) == 0 {
		return
	}
	last, want := vols[len(vols)-1].Number, index[len(index)-1]
	if want.Volume <= last || want.Volume-last > 1<<16 || want.Time <= l.lastOrStart() {
		return
	}
	l.flushHarm(pcp.MaxTime)
	f := pcp.Faultf(pcp.Corrupt, "%s of the archive %s not given: the temporal index goes on after %s.",
		volumeNames(l.a.group.Name, last+1, want.Volume-last), isAre(want.Volume-last), vols[len(vols)-1].Name)
	l.harm = &harm{fault: *f.In(l.a.group.Name + "." + itoa(last+1)), done: "The archive ends where the last volume does.", from: l.lastOrStart()}
	l.gap = &Gap{Start: l.lastOrStart()}
}

func volumeNames(base string, first, n int) string {
	if n == 1 {
		return "Data volume " + base + "." + itoa(first)
	}
	return fmt.Sprintf("Data volumes %s.%d to .%d", base, first, first+n-1)
}

func isAre(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func itoa(n int) string { return strconv.Itoa(n) }

func allZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}
