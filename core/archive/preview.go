package archive

import (
	"context"
	"slices"
	"sync"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Preview samples an archive: it reads the records at some of the offsets in
// the temporal index. Its observations are exact, but most are missing. It is
// used until Load has read the data.
type Preview struct {
	mu    sync.Mutex // guards what the store computes lazily
	st    *store
	Times []pcp.Time // of the records
	Bytes int64      // bytes read
}

// Previewable reports whether Preview can work: there is an index, and no
// volume is compressed.
func (a *Archive) Previewable() bool {
	for i := range a.group.Volumes {
		if !a.group.Volumes[i].plain(context.Background()) {
			return false
		}
	}
	return len(a.index) > 0 && len(a.group.Volumes) > 0
}

// Preview reads about n stretches of records, evenly spread between two times,
// found through the temporal index, and the beginning of the archive, where
// metrics are logged that are logged once. It returns nil without an index, or
// if volumes are compressed and thus lack random access, and an error only if a server
// does not answer. It may run while Load does.
func (a *Archive) Preview(ctx context.Context, from, to pcp.Time, n int) (*Preview, error) {
	some := a.stretches(from, to, n, a.plainVolumes(ctx))
	if len(some) == 0 {
		return nil, nil
	}
	p := &Preview{st: newStore(a.label.Version, a.meta)}
	p.st.pass = &pass{}
	l := loader{a: a, st: p.st, version: a.label.Version}
	runs := joinAdjacent(some)
	for i, read := range readAhead(ctx, len(runs), func(ctx context.Context, i, guess int) ([]byte, error) {
		return runs[i].read(ctx, guess, p.st.head)
	}) {
		if !a.proceed(ctx) {
			return nil, nil
		}
		if passing(read.err) {
			return nil, read.err
		}
		data := read.data
		p.Bytes += int64(len(data))
		p.take(&l, runs[i].stretch, data)
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	p.st.log.end()
	return p, nil
}

// passing reports whether reading may succeed later.
func passing(err error) bool {
	f := pcp.AsFault(err)
	return f != nil && f.Passing
}

// take stores the records of a stretch, and returns how many bytes of it were
// usable. It stops at damage, which Load reports.
func (p *Preview) take(l *loader, s stretch, data []byte) (at int) {
	for len(data)-at >= p.st.head+4 {
		size := int(int32(be32(data[at:])))
		if size < p.st.head+4 || size%4 != 0 || size > len(data)-at || int(be32(data[at+size-4:])) != size {
			return at
		}
		rec := data[at : at+size]
		r := Record{Time: l.stamp(rec), Offset: s.from + int64(at), Size: int32(size), Volume: int32(s.vol.Number)}
		at += size
		if !possible(r.Time) || len(p.Times) > 0 && r.Time < p.Times[len(p.Times)-1] {
			continue
		}
		if l.a.keep(p.st, rec, r) == nil {
			p.Times = append(p.Times, r.Time)
		}
	}
	return at
}

// A stretch is the data between two neighbours in the temporal index:
// everything that pmlogger logged at one time.
type stretch struct {
	vol      *Volume
	from, to int64
	time     pcp.Time
}

const (
	longStretch = 1 << 20 // in bytes; only the first record of a longer one is read
	beginning   = 1 << 18 // bytes of the start of the archive that are always read
)

// stretches chooses at most n in the window, plus those just outside it and at
// the start of the archive.
func (a *Archive) stretches(from, to pcp.Time, n int, vols map[int]*Volume) []stretch {
	all := a.stretchesOf(vols)
	in := func(s stretch) bool { return s.time >= from && s.time <= to }
	first := slices.IndexFunc(all, in)
	if first < 0 {
		return nil
	}
	last := first
	for last+1 < len(all) && in(all[last+1]) {
		last++
	}
	first, last = max(0, first-1), min(len(all)-1, last+1)
	var some []stretch
	for i := 0; i < first && all[i].vol == all[0].vol && all[i].from < beginning; i++ {
		some = append(some, all[i])
	}
	count := last - first + 1
	for i := range min(count, max(n, 2)) {
		some = append(some, all[first+i*(count-1)/max(min(count, max(n, 2))-1, 1)])
	}
	return some
}

// A run is several adjacent stretches, read at once.
type run struct {
	stretch
	several bool
}

// longRun is how many bytes are read at once.
const longRun = 4 << 20

// joinAdjacent joins adjacent stretches.
func joinAdjacent(list []stretch) []run {
	var runs []run
	for _, s := range list {
		if n := len(runs) - 1; n >= 0 && runs[n].vol == s.vol && runs[n].to == s.from && s.to-runs[n].from <= longRun && s.to-s.from <= longStretch &&
			(runs[n].several || runs[n].to-runs[n].from <= longStretch) {
			runs[n].to, runs[n].several = s.to, true
			continue
		}
		runs = append(runs, run{stretch: s})
	}
	return runs
}

// read returns the bytes of the run or, of one long stretch, its first record,
// whose expected length is guess.
func (s run) read(ctx context.Context, guess, head int) ([]byte, error) {
	if s.several || s.to-s.from <= longStretch {
		return s.all(ctx)
	}
	return s.vol.recordAt(ctx, s.from, guess, head)
}

// all returns the bytes of the stretch.
func (s stretch) all(ctx context.Context) ([]byte, error) {
	b := make([]byte, s.to-s.from)
	n, err := container.ReadAt(ctx, s.vol.At, b, s.from)
	return b[:n], err
}

// Observations returns the metric's observations in the preview.
func (p *Preview) Observations(id pcp.PMID) (*series.Observations, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.st.find(id); c != nil {
		return p.st.observations(c, nil), true
	}
	return nil, false
}

// Marks returns the times of the mark records that were read.
func (p *Preview) Marks() []pcp.Time { return p.st.marks }

// plainVolumes returns the volumes with random access, by number. Checking one
// takes a read; all are checked in parallel.
func (a *Archive) plainVolumes(ctx context.Context) map[int]*Volume {
	vols := map[int]*Volume{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range a.group.Volumes {
		all.Go(func() {
			if v := &a.group.Volumes[i]; v.plain(ctx) {
				mu.Lock()
				vols[v.Number] = v
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return vols
}

// plain reports whether the volume is uncompressed, and so has random access.
func (v *Volume) plain(ctx context.Context) bool {
	defer func() {
		if e := recover(); e != nil {
			pcp.Panicked("looking at "+v.Name, e)
		}
	}()
	var head [container.SniffLen]byte
	n, _ := container.ReadAt(ctx, v.At, head[:min(v.Size, container.SniffLen)], 0)
	return container.Sniff(head[:n]) == container.None
}

// recordAt reads the record at an offset, whose expected length is guess; nil
// if there is no complete record.
func (v *Volume) recordAt(ctx context.Context, offset int64, guess, head int) ([]byte, error) {
	read := func(n int) ([]byte, error) {
		return stretch{vol: v, from: offset, to: offset + max(0, min(int64(n), v.Size-offset))}.all(ctx)
	}
	b, err := read(guess)
	if len(b) < 4 {
		return nil, err
	}
	size := int(int32(be32(b)))
	if size < head+4 || size%4 != 0 || size > maxRecord || int64(size) > v.Size-offset {
		return nil, err
	}
	if size > len(b) {
		b, err = read(size)
	}
	if len(b) < size || int(be32(b[size-4:])) != size {
		return nil, err
	}
	return b[:size], nil
}

// readBytes is what was read; err says why it may be less than was asked for.
type readBytes struct {
	data []byte
	err  error
}

// readOne calls read and returns nothing if that panics.
func readOne(ctx context.Context, i, guess int, read func(ctx context.Context, i, guess int) ([]byte, error)) (b readBytes) {
	defer func() {
		if e := recover(); e != nil {
			pcp.Panicked("a preview", e)
			b = readBytes{}
		}
	}()
	data, err := read(ctx, i, guess)
	return readBytes{data, err}
}

// readAhead calls read for 0 to n-1, several at a time, and yields the results
// in order. guess grows to the size of the largest record seen. Reads of which nobody wants
// the results any more end with their context.
func readAhead(ctx context.Context, n int, read func(ctx context.Context, i, guess int) ([]byte, error)) func(yield func(int, readBytes) bool) {
	const atOnce = 8
	return func(yield func(int, readBytes) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		slots := make([]chan readBytes, n)
		for i := range slots {
			slots[i] = make(chan readBytes, 1)
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
				b := readOne(ctx, i, g, read)
				mu.Lock()
				guess = max(guess, len(b.data))
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
