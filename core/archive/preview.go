package archive

import (
	"context"
	"sync"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Preview is a look at an archive through a few of its records: those that
// the temporal index points at. Its observations are true, but there are many
// more between them. It serves until Load has come by.
type Preview struct {
	st    *store
	Times []pcp.Time // of the records
	Bytes int64      // that were read
}

// Preview reads about n records, evenly spread from one moment to another, by
// the temporal index. Without an index, and for compressed volumes, which
// cannot be read anywhere, it returns nil. It may run beside Load.
func (a *Archive) Preview(ctx context.Context, from, to pcp.Time, n int) *Preview {
	vols := map[int]*Volume{}
	for i := range a.group.Volumes {
		if v := &a.group.Volumes[i]; v.plain() {
			vols[v.Number] = v
		}
	}
	entries := evenly(a.index, from, to, n, func(e IndexEntry) bool { return vols[e.Volume] != nil })
	if len(entries) == 0 {
		return nil
	}
	p := &Preview{st: newStore(a.label.Version, a.meta)}
	l := loader{a: a, st: p.st, version: a.label.Version}
	for i, rec := range readAhead(ctx, len(entries), func(i int, guess int) []byte {
		return vols[entries[i].Volume].recordAt(entries[i].Offset, guess, p.st.head)
	}) {
		if ctx.Err() != nil {
			return nil
		}
		if rec == nil || len(p.Times) > 0 && l.stamp(rec) < p.Times[len(p.Times)-1] {
			continue
		}
		r := Record{Time: l.stamp(rec), Offset: entries[i].Offset, Size: int32(len(rec)), Volume: int32(entries[i].Volume)}
		a.mu.Lock()
		s, fault := p.st.shapeOf(rec)
		if fault == nil {
			fault = p.st.examine(rec, s)
		}
		if fault == nil {
			p.st.commit(rec, s, r)
		}
		a.mu.Unlock()
		if fault == nil {
			p.Times = append(p.Times, r.Time)
			p.Bytes += int64(len(rec))
		}
	}
	p.st.log.flush()
	return p
}

// Observations returns what the preview has of a metric.
func (p *Preview) Observations(id pcp.PMID) (*series.Observations, bool) {
	if c := p.st.columns[id]; c != nil {
		return p.st.observations(c), true
	}
	return nil, false
}

// Marks returns the stamps of the mark records among those that were read.
func (p *Preview) Marks() []pcp.Time { return p.st.marks }

// plain says whether the volume can be read anywhere.
func (v *Volume) plain() bool {
	var head [container.SniffLen]byte
	n, _ := v.At.ReadAt(head[:min(v.Size, container.SniffLen)], 0)
	return container.Sniff(head[:n]) == container.None
}

// evenly chooses at most n of the entries in a stretch of time.
func evenly(index []IndexEntry, from, to pcp.Time, n int, usable func(IndexEntry) bool) []IndexEntry {
	var in []IndexEntry
	for _, e := range index {
		if e.Time >= from && e.Time <= to && usable(e) {
			in = append(in, e)
		}
	}
	if n < 1 || len(in) <= n {
		return in
	}
	some := make([]IndexEntry, n)
	for i := range some {
		some[i] = in[i*(len(in)-1)/max(n-1, 1)]
	}
	return some
}

// recordAt reads the record that begins at an offset. guess is how long it may
// be; nil where there is no whole record.
func (v *Volume) recordAt(offset int64, guess, head int) []byte {
	read := func(n int) []byte {
		b := make([]byte, max(0, min(int64(n), v.Size-offset)))
		got, _ := v.At.ReadAt(b, offset)
		return b[:got]
	}
	b := read(guess)
	if len(b) < 4 {
		return nil
	}
	size := int(int32(be32(b)))
	if size < head+4 || size%4 != 0 || size > maxRecord || int64(size) > v.Size-offset {
		return nil
	}
	if size > len(b) {
		b = read(size)
	}
	if len(b) < size || int(be32(b[size-4:])) != size {
		return nil
	}
	return b[:size]
}

// readAhead calls read for 0 to n-1, several at a time, and yields the results
// in order. guess grows to the size of the largest record seen.
func readAhead(ctx context.Context, n int, read func(i, guess int) []byte) func(yield func(int, []byte) bool) {
	const atOnce = 8
	return func(yield func(int, []byte) bool) {
		slots := make([]chan []byte, n)
		for i := range slots {
			slots[i] = make(chan []byte, 1)
		}
		var mu sync.Mutex
		next, guess := 0, 4096
		work := func() {
			for {
				mu.Lock()
				i, g := next, guess
				next++
				mu.Unlock()
				if i >= n || ctx.Err() != nil {
					return
				}
				b := read(i, g)
				mu.Lock()
				guess = max(guess, len(b))
				mu.Unlock()
				slots[i] <- b
			}
		}
		for range min(atOnce, n) {
			go work()
		}
		for i := range slots {
			select {
			case b := <-slots[i]:
				if !yield(i, b) {
					mu.Lock()
					next = n
					mu.Unlock()
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}
