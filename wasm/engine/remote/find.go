package remote

import (
	"cmp"
	"context"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"pcpscope/core/pcp"
)

// A Found file can be read.
type Found struct {
	Name string
	Size int64
	At   io.ReaderAt
	url  *url.URL
}

// same identifies a file, of whatever version.
func (f Found) same() string {
	u := *f.url
	q := u.Query()
	q.Del("v")
	u.RawQuery = q.Encode()
	return u.String()
}

// A Missed address is one without a file, and the reason.
type Missed struct {
	Name  string
	Fault pcp.Fault
}

// atOnce is the number of concurrent requests: browsers allow this many per
// host over HTTP/1.1.
const atOnce = 6

// Find finds the files behind addresses: a file, a folder whose server
// returns a JSON listing, or an archive's base name without a suffix
// (".meta", ".0" and so on). progress reports what had to be fetched whole.
func (f *Finder) Find(ctx context.Context, addresses []string, progress func(phase string, done, total int64)) (found []Found, missed []Missed, err error) {
	type answer struct {
		found  []Found
		missed []Missed
	}
	answers := make([]answer, len(addresses))
	f.each(ctx, len(addresses), 2, func(i int) {
		a := &answers[i]
		a.found, a.missed = f.look(ctx, addresses[i], progress)
	})
	if ctx.Err() != nil {
		return nil, nil, pcp.Faultf(pcp.Cancelled, "Opening was cancelled.")
	}
	seen, names := map[string]bool{}, map[string]bool{}
	for _, a := range answers {
		for _, file := range a.found {
			key := file.same()
			if seen[key] { // such as an archive's base name along with its files
				continue
			}
			if names[file.Name] { // such as download?id=1 and download?id=2
				file.Name += "?" + file.url.RawQuery
			}
			seen[key], names[file.Name] = true, true
			found = append(found, file)
		}
		missed = append(missed, a.missed...)
	}
	return found, missed, nil
}

// each calls do for 0 to n-1, several at a time. When all have ended, a panic in
// one is passed on to the caller, who can handle it.
func (f *Finder) each(ctx context.Context, n, limit int, do func(i int)) {
	var wg sync.WaitGroup
	var panicked atomic.Pointer[any]
	slots := make(chan struct{}, limit)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				if e := recover(); e != nil {
					panicked.Store(&e)
				}
				<-slots
			}()
			do(i)
		}()
	}
	wg.Wait()
	if e := panicked.Load(); e != nil {
		panic(*e)
	}
}

// look finds the files of one address.
func (f *Finder) look(ctx context.Context, address string, progress func(string, int64, int64)) ([]Found, []Missed) {
	u, fault := parse(address)
	if fault != nil {
		return nil, []Missed{{address, *fault}}
	}
	miss := func(fault *pcp.Fault) []Missed { return []Missed{{f.nameOf(u), *fault}} }
	if !strings.HasSuffix(u.Path, "/") {
		file, status, fault := f.open(ctx, u, -1, progress)
		switch {
		case fault == nil && !file.listing:
			return []Found{file.Found}, nil
		case fault == nil:
			u = file.from
			return f.folder(ctx, u, file.text, progress)
		case status == 404 || status == 403: // S3 says 403 for what it does not have
			if part, number := component(u.Path); part && !number || container(u.Path) {
				return nil, miss(fault)
			}
			// A number at the end may be a volume's, or a part of a time in
			// the base name.
			if found, other := f.archive(ctx, u, progress); len(found) > 0 || other != nil {
				if other != nil {
					return found, miss(other)
				}
				return found, nil
			}
			if status == 404 {
				base := path.Base(u.Path)
				fault = pcp.Faultf(pcp.BadArgument, "On %s there is neither %s nor %s.meta, %s.0 or a compressed form of these.", u.Host, base, base, base).In(f.nameOf(u))
			}
		}
		return nil, miss(fault)
	}
	r, err := f.do(ctx, Request{URL: u.String(), Headers: f.Headers})
	if err != nil {
		return nil, miss(f.faultOf(u, err))
	}
	defer r.Close()
	if r.Status() != 200 {
		return nil, miss(f.faultOfStatus(u, r.Status()))
	}
	text, err := r.Bytes(maxListing)
	if err != nil {
		return nil, miss(f.faultOf(u, err))
	}
	if at, err := url.Parse(r.URL()); err == nil && at.Host != "" {
		u = at
	}
	return f.folder(ctx, u, text, progress)
}

// folder opens the files of a listing.
func (f *Finder) folder(ctx context.Context, u *url.URL, text []byte, progress func(string, int64, int64)) ([]Found, []Missed) {
	entries, fault := parseListing(u, text)
	if fault != nil {
		return nil, []Missed{{f.nameOf(u), *fault.In(f.nameOf(u))}}
	}
	entries = useful(entries)
	if len(entries) == 0 {
		return nil, []Missed{{f.nameOf(u), *pcp.Faultf(pcp.BadArgument, "The server lists this folder, but there is no file of an archive in it.").In(f.nameOf(u))}}
	}
	found := make([]*Found, len(entries))
	faults := make([]*pcp.Fault, len(entries))
	var opened atomic.Int64
	f.each(ctx, len(entries), atOnce, func(i int) {
		if n := opened.Add(1); progress != nil && len(entries) > 1 {
			progress("opening file "+pcp.Grouped(int(n))+" of "+pcp.Grouped(len(entries)), 0, 0) // their bytes are not known yet
		}
		file, _, fault := f.open(ctx, entries[i].url, entries[i].size, progress)
		if fault != nil {
			faults[i] = fault
		} else {
			found[i] = &file.Found
		}
	})
	var list []Found
	var missed []Missed
	for i := range entries {
		if faults[i] != nil {
			missed = append(missed, Missed{f.nameOf(entries[i].url), *faults[i]})
		} else if found[i] != nil {
			list = append(list, *found[i])
		}
	}
	return list, missed
}

// archive finds the files of an archive by its base name: metadata, index, and
// the volumes that the index names plus one; without an index, volumes until
// one is missing. Requests are concurrent where possible.
func (f *Finder) archive(ctx context.Context, base *url.URL, progress func(string, int64, int64)) ([]Found, *pcp.Fault) {
	s := search{f: f, base: base, progress: progress}
	meta, index := s.file("meta"), s.file("index")
	f.each(ctx, 2, 2, func(i int) {
		[]*lookedFor{meta, index}[i].try(ctx, packed[0])
	})
	rest := func(list ...*lookedFor) { // tries the compressed forms of what was not found
		var all []func()
		for _, l := range list {
			if l.found == nil && l.fault == nil {
				for _, suffix := range packed {
					all = append(all, func() { l.try(ctx, suffix) })
				}
			}
		}
		f.each(ctx, len(all), atOnce, func(i int) { all[i]() })
	}
	rest(meta)
	list := []*lookedFor{meta, index}
	at := func(n int) *lookedFor {
		v := s.file(strconv.Itoa(n))
		list = append(list, v)
		return v
	}
	last, known := -1, false
	if index.found != nil && f.LastVolume != nil && index.found.Size < 64<<20 {
		head := make([]byte, index.found.Size)
		if n, _ := index.found.At.ReadAt(head, 0); int64(n) == index.found.Size {
			last, known = f.LastVolume(head)
		}
	}
	if known { // all at once, and one more, which a running logger may have begun
		var volumes []*lookedFor
		for n := range min(last, maxFiles) + 2 {
			volumes = append(volumes, at(n))
		}
		f.each(ctx, len(volumes), atOnce, func(i int) { volumes[i].try(ctx, meta.suffix()) })
		rest(volumes[:len(volumes)-1]...)
	} else {
		first := at(0)
		first.try(ctx, meta.suffix())
		rest(first, index)
		for n, v := 1, first; n == 1 && meta.found != nil || v.found != nil; n++ {
			before := v
			v = at(n)
			v.try(ctx, cmp.Or(before.suffix(), meta.suffix()))
			rest(v)
		}
	}
	var found []Found
	var fault *pcp.Fault
	for _, l := range list {
		if l.found != nil {
			found = append(found, *l.found)
		}
		fault = cmp.Or(fault, l.fault)
	}
	return found, fault
}

// A search looks for the files of one archive.
type search struct {
	f        *Finder
	base     *url.URL
	progress func(string, int64, int64)
}

// A lookedFor file may exist in one of several compressed forms.
type lookedFor struct {
	s   *search
	ext string

	mu     sync.Mutex
	tried  map[string]bool
	found  *Found
	packed string // the suffix that it has
	fault  *pcp.Fault
}

func (s *search) file(ext string) *lookedFor {
	return &lookedFor{s: s, ext: ext, tried: map[string]bool{}}
}

func (l *lookedFor) suffix() string { return l.packed }

// try requests the file with a suffix, once.
func (l *lookedFor) try(ctx context.Context, suffix string) {
	l.mu.Lock()
	before := l.tried[suffix]
	l.tried[suffix] = true
	l.mu.Unlock()
	if before || ctx.Err() != nil {
		return
	}
	u := *l.s.base
	u.Path += "." + l.ext + suffix
	if u.RawPath != "" { // %2F is not /
		u.RawPath += "." + l.ext + suffix
	}
	file, status, fault := l.s.f.open(ctx, &u, -1, l.s.progress)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case fault == nil && l.found == nil:
		l.found, l.packed = &file.Found, suffix
	case fault != nil && status != 404 && status != 403:
		l.fault = cmp.Or(l.fault, fault)
	}
}
