package archive

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An event says that a series has another value from one row on: a series.Run
// not yet sorted by series.
type event struct {
	series, row uint32 // row with series.Gone and series.Failed
	val         uint64
}

// How values of a series are packed: by the operation that keeps differences of
// neighbours small.
const (
	packNumber uint8 = iota // difference
	packFloat               // exclusive or, last byte first
	packDouble
)

func packingOf(t pcp.Type) uint8 {
	switch t {
	case pcp.Float:
		return packFloat
	case pcp.Double:
		return packDouble
	}
	return packNumber
}

// An eventLog takes events in the order of the records and returns them by
// series. Events collect in fresh until there are enough to sort and pack.
type eventLog struct {
	packing []uint8 // of each series
	fresh   []event
	packed  []segment
	total   int
	work    *workspace // nil until events are packed
}

// A workspace is the memory for collecting and packing events, besides the log
// itself.
type workspace struct {
	fresh, sorted []event
	data          []byte
}

// workspaces are those of finished logs, for reuse: one is several times the size
// of what is kept of a day, and would become garbage with each archive.
var workspaces sync.Pool

// begin takes over the memory of a log that has ended.
func (l *eventLog) begin() {
	if w, ok := workspaces.Get().(*workspace); ok {
		l.fresh, l.work = w.fresh, w
	}
}

// end packs the last events and leaves the memory to another log.
func (l *eventLog) end() {
	l.flush()
	if l.work != nil {
		l.work.fresh = l.fresh[:0]
		workspaces.Put(l.work)
	}
	l.fresh, l.work = nil, nil
}

// A segment holds packed events: those of series s are data[start[s]:start[s+1]].
type segment struct {
	start []uint32
	data  []byte
}

const freshEvents = 1 << 18

// add creates a series and returns its number.
func (l *eventLog) add(packing uint8) uint32 {
	l.packing = append(l.packing, packing)
	return uint32(len(l.packing) - 1)
}

func (l *eventLog) full() bool {
	return len(l.fresh) >= freshEvents && len(l.fresh) >= 4*len(l.packing)
}

// flush packs the fresh events into a segment.
func (l *eventLog) flush() {
	if len(l.fresh) == 0 {
		return
	}
	l.total += len(l.fresh)
	if l.work == nil {
		l.work = &workspace{}
	}
	w := l.work
	next := make([]uint32, len(l.packing)+1)
	countSeries(next, l.fresh)
	w.sorted = slices.Grow(w.sorted[:0], len(l.fresh))[:len(l.fresh)]
	sortEvents(w.sorted, l.fresh, next)
	// next[s] is now the end of series s.
	seg := segment{start: make([]uint32, len(l.packing)+1)}
	data := slices.Grow(w.data[:0], 4*len(w.sorted))
	from := uint32(0)
	for s, packing := range l.packing {
		seg.start[s] = uint32(len(data))
		if to := next[s]; to > from {
			data = packEvents(data, w.sorted[from:to], packing)
			from = to
		}
	}
	seg.start[len(l.packing)] = uint32(len(data))
	seg.data = append(make([]byte, 0, len(data)), data...)
	w.data = data
	l.packed = append(l.packed, seg)
	l.fresh = l.fresh[:0]
}

// countSeries sets next to the index of the first event of each series.
func countSeries(next []uint32, events []event) {
	for i := range events {
		next[events[i].series]++
	}
	sum := uint32(0)
	for s, n := range next {
		next[s] = sum
		sum += n
	}
}

func sortEvents(to, from []event, next []uint32) {
	for i := range from {
		e := &from[i]
		to[next[e.series]] = *e
		next[e.series]++
	}
}

// packEvents appends the events of one series. Each is a varint of the step in
// rows and the two flags, followed by one of the value unless the instance is
// gone.
func packEvents(data []byte, events []event, packing uint8) []byte {
	var row uint32
	var val uint64
	for i := range events {
		e := &events[i]
		r := e.row & series.RowNum
		data = binary.AppendUvarint(data, uint64(r-row)<<2|uint64(e.row>>30))
		row = r
		switch {
		case e.row&series.Gone != 0:
		case e.row&series.Failed != 0:
			data = binary.AppendVarint(data, int64(e.val))
		case packing == packNumber:
			data = binary.AppendVarint(data, int64(e.val-val))
			val = e.val
		case packing == packFloat:
			data = binary.AppendUvarint(data, uint64(bits.ReverseBytes32(uint32(e.val^val))))
			val = e.val
		default:
			data = binary.AppendUvarint(data, bits.ReverseBytes64(e.val^val))
			val = e.val
		}
	}
	return data
}

// size returns how many bytes the packed events of series s take.
func (l *eventLog) size(s uint32) int {
	n := 0
	for i := range l.packed {
		if start := l.packed[i].start; int(s)+1 < len(start) {
			n += int(start[s+1] - start[s])
		}
	}
	return n
}

// unpack appends the runs of series s.
func (seg *segment) unpack(runs []series.Run, s uint32, packing uint8) []series.Run {
	if int(s)+1 >= len(seg.start) {
		return runs
	}
	return unpackRuns(runs, seg.data[seg.start[s]:seg.start[s+1]], packing)
}

func unpackRuns(runs []series.Run, data []byte, packing uint8) []series.Run {
	var row uint32
	var val uint64
	for i := 0; i < len(data); {
		// Most numbers take one byte: only call a function for the others.
		head := uint64(data[i])
		if i++; head >= 0x80 {
			head, i = uvarint(data, i-1)
		}
		row += uint32(head >> 2)
		r := series.Run{Row: row | uint32(head)<<30}
		if r.Row&series.Gone != 0 || i >= len(data) {
			runs = append(runs, r)
			continue
		}
		u := uint64(data[i])
		if i++; u >= 0x80 {
			u, i = uvarint(data, i-1)
		}
		switch {
		case r.Row&series.Failed != 0:
			r.Val = unzigzag(u)
		case packing == packNumber:
			val += unzigzag(u)
			r.Val = val
		case packing == packFloat:
			val ^= uint64(bits.ReverseBytes32(uint32(u)))
			r.Val = val
		default:
			val ^= bits.ReverseBytes64(u)
			r.Val = val
		}
		runs = append(runs, r)
	}
	return runs
}

func unzigzag(u uint64) uint64 { return u>>1 ^ -(u & 1) }

// uvarint reads the number at data[at:] and returns where the next one begins.
func uvarint(data []byte, at int) (uint64, int) {
	var u uint64
	for shift := 0; at < len(data); shift += 7 {
		b := data[at]
		at++
		u |= uint64(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	return u, at
}
