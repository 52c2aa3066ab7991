package archive

import (
	"context"
	"fmt"
	"sort"
	"strconv"

	"pcpscope/core/pcp"
)

// pendingDamage is damage to the data whose end in time is not known before the next
// good record has been read.
type pendingDamage struct {
	fault   pcp.Fault
	done    string
	from    pcp.Time
	records int // consecutive damaged records
}

// addDamaged records a skipped record.
func (l *loader) addDamaged(fault *pcp.Fault) {
	if l.pending != nil && l.pending.records > 0 {
		l.pending.records++
		return
	}
	l.flushDamage(l.last)
	l.pending = &pendingDamage{fault: *fault, from: l.lastOrStart(), records: 1}
}

func (l *loader) lastOrStart() pcp.Time {
	if l.any {
		return l.last
	}
	return l.a.start
}

// flushDamage reports the pending damage, which ends at the given time; MaxTime
// means that no record followed.
func (l *loader) flushDamage(to pcp.Time) {
	h := l.pending
	if h == nil {
		return
	}
	l.pending = nil
	if to == pcp.MaxTime {
		to = h.from
		if n := len(l.a.index); n > 0 { // its times do not decrease
			to = max(to, l.a.index[n-1].Time)
		}
	}
	h.fault.Lost = &pcp.Span{Start: h.from, End: max(h.from, to)}
	if h.records > 0 {
		h.done = pcp.Counted(h.records, "damaged record was", "damaged records were") + " skipped."
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

// damaged handles bytes at the start of the window that are not a record. It
// moves the window to where reading can continue, or reports that it cannot.
func (l *loader) damaged(ctx context.Context, s *stream, v *Volume) bool {
	at := s.base
	size := int64(int32(be32(s.win)))
	// A record with inconsistent lengths may still be whole: then its values
	// fill it exactly, and another record or the end follows.
	if n := int(size); size >= int64(l.st.head+4) && size%4 == 0 && size <= maxRecord && s.need(ctx, n) && l.whole(s.win[:n]) &&
		(!s.need(ctx, n+8) || l.looksLikeRecord(s.win[n:])) {
		l.a.faults.in(v.Name).add(pcp.Faultf(pcp.Corrupt, "The lengths of a record disagree: %s at its start, %s at its end.", pcp.Grouped(size), pcp.Grouped(int32(be32(s.win[n-4:])))).At(at+size-4, "length"),
			"Its values fill it exactly by the first length, so it was used.")
		l.record(s.win[:n], s.base, v)
		s.skip(n)
		return true
	}
	cut := size > int64(len(s.win)) && size <= maxRecord && l.looksLikeRecord(s.win)
	var zero = allZero(s.win)
	for skipped := 1; ; skipped++ {
		if skipped+l.st.head+4 > len(s.win) {
			s.skip(skipped)
			l.skipped += skipped
			at0 := len(s.win)
			if !s.need(ctx, at0+1+l.st.head+4) {
				break
			}
			if l.report(v, s); !l.a.proceed(ctx) {
				break
			}
			zero = zero && allZero(s.win)
			skipped = -1
			continue
		}
		if be64(s.win[skipped:]) == 0 { // no record begins with a length of 0: neither here nor at the next four bytes
			skipped += 4
			continue
		}
		if !l.looksLikeRecord(s.win[skipped:]) {
			continue
		}
		n := int(be32(s.win[skipped:]))
		if !s.need(ctx, skipped+n) || int(be32(s.win[skipped+n-4:])) != n || !l.whole(s.win[skipped:skipped+n]) {
			continue
		}
		s.skip(skipped)
		l.skipped += skipped
		l.flushDamage(l.last)
		l.pending = &pendingDamage{from: l.lastOrStart(), done: pcp.Counted(int(s.base-at), "byte was", "bytes were") + " skipped, up to the next whole record.",
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
		fault = pcp.Faultf(pcp.Truncated, "The volume ends with %s in place of records.", pcp.Counted(int(end-at), "zero byte", "zero bytes"))
	case cut:
		fault = pcp.Faultf(pcp.Truncated, "The volume ends inside a record: %s of its %s bytes are there.", pcp.Grouped(end-at), pcp.Grouped(size))
	default:
		fault = pcp.Faultf(pcp.Corrupt, "The last %s bytes of the volume are damaged.", pcp.Grouped(end-at))
	}
	l.flushDamage(l.last)
	l.pending = &pendingDamage{from: l.lastOrStart(), done: "Everything before was read.", fault: *fault.In(v.Name).At(at, "record")}
	return false
}

// looksLikeRecord reports whether a record could begin here: its length is plausible,
// and its time is neither before that of the last record nor far after it.
func (l *loader) looksLikeRecord(b []byte) bool {
	if len(b) < l.st.head || b[0] != 0 || b[3]&3 != 0 { // below 16 MiB: larger records are not searched for
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

// Bytes that look like the beginning of a record may do so many times, nested.
// Candidates that turn out not to be records may together be maxFalseFactor times
// as long as what was skipped, plus a fixed amount.
const (
	maxFalseFactor = 4
	maxFalseBytes  = 16 << 20
)

// whole reports whether the contents of a record are sound, whatever its last
// word.
func (l *loader) whole(rec []byte) bool {
	if l.falseBytes+len(rec) > maxFalseBytes+maxFalseFactor*l.skipped {
		return false
	}
	l.a.mu.Lock()
	defer l.a.mu.Unlock()
	s, fault := l.st.shapeOf(rec)
	if fault == nil && l.st.examine(rec, s) == nil {
		return true
	}
	l.falseBytes += len(rec)
	return false
}

// farAhead is how far a timestamp must be ahead to be doubted; below, the
// timestamp is taken as is, as libpcp does, which costs at most as much time.
const farAhead = 600 * 1e9

// hasWrongTime reports whether the record at the start of the window has a wrong
// timestamp: much later than the two records that follow, which themselves fit
// the one before. libpcp trusts the timestamp and loses all records up to it.
func (l *loader) hasWrongTime(ctx context.Context, s *stream, size int, v *Volume) bool {
	t := l.stamp(s.win)
	if l.any && t <= l.last {
		return false
	}
	if !s.need(ctx, size+l.st.head) {
		return ctx.Err() == nil && l.lastHasWrongTime(t, s, v)
	}
	next := l.stamp(s.win[size:])
	if !l.any && l.firstHasWrongTime(t, next, s, v) {
		return true
	}
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

// maxAhead is how far the last record may be ahead of the one before and of the
// temporal index, and the first behind the start.
const maxAhead = 30 * 24 * 3600 * 1e9

// firstHasWrongTime reports whether the first record of an archive has a wrong
// timestamp: weeks before the start in the label, which the next record fits.
func (l *loader) firstHasWrongTime(t, next pcp.Time, s *stream, v *Volume) bool {
	start := l.a.start
	if start-t < maxAhead || next < start-maxAhead || next > start+maxAhead {
		return false
	}
	f := pcp.Faultf(pcp.Corrupt, "The first record is stamped %s, weeks before the start of the archive and the record behind it.", t.Std().Format(stampLayout)).At(s.base+4, "timestamp")
	l.a.faults.in(v.Name).add(f, "The record was left out.")
	return true
}

// lastHasWrongTime reports whether the last record of a volume has a wrong timestamp:
// weeks later than the one before and than every time in the temporal index.
func (l *loader) lastHasWrongTime(t pcp.Time, s *stream, v *Volume) bool {
	if !l.any || t-l.last < maxAhead || len(l.a.index) == 0 {
		return false
	}
	for _, e := range l.a.index {
		if e.Time > t-maxAhead {
			return false
		}
	}
	f := pcp.Faultf(pcp.Corrupt, "The last record is stamped %s, weeks after the one before and after every time in the temporal index.", t.Std().Format(stampLayout)).At(s.base+4, "timestamp")
	l.a.faults.in(v.Name).add(f, "The record was left out.")
	return true
}

// cutShort reports a volume that ends between two records, so far before the
// offset that the index has for it that another record would fit.
func (l *loader) cutShort(v *Volume, end int64) {
	if l.pending != nil {
		return // it ends with damage that has been reported
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
	l.pending = &pendingDamage{from: l.lastOrStart(), done: "Everything before was read.",
		fault: *pcp.Faultf(pcp.Truncated, "The volume ends after %s bytes; by the temporal index it had %s.", pcp.Grouped(end), pcp.Grouped(far.Offset)).In(v.Name).At(end, "record")}
}

// missingTail reports volumes after the last one that are in the index.
func (l *loader) missingTail() {
	vols, index := l.a.group.Volumes, l.a.index
	if len(vols) == 0 || len(index) == 0 {
		return
	}
	last, want := vols[len(vols)-1].Number, index[len(index)-1]
	if want.Volume <= last || want.Volume-last > 1<<16 || want.Time <= l.lastOrStart() {
		return
	}
	l.flushDamage(pcp.MaxTime)
	f := pcp.Faultf(pcp.Corrupt, "%s of the archive %s not given: the temporal index goes on after %s.",
		volumeNames(l.a.group.Name, last+1, want.Volume-last), isAre(want.Volume-last), vols[len(vols)-1].Name)
	l.pending = &pendingDamage{fault: *f.In(l.a.group.Name + "." + itoa(last+1)), done: "The archive ends where the last volume does.", from: l.lastOrStart()}
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
