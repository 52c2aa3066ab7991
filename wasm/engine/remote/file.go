package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pcpscope/core/pcp"
)

const (
	page       = 64 << 10  // bytes of a small read
	opening    = 128 << 10 // bytes of the first: as many as it takes to see what a file is (core/container, windowSize)
	maxKept    = 1 << 20   // bytes of a read that is worth caching
	roomOfFile = 24 << 20  // bytes of a file that are cached
	maxOnce    = 8 << 20   // bytes of one request, so that it can be cancelled in time
	attempts   = 3
)

// opened is the result of opening a URL.
type opened struct {
	Found
	listing bool     // the server sent a JSON listing, all of it in text
	text    []byte   // for a listing
	from    *url.URL // after redirects
}

// open requests the first bytes of a file and finds out how to get the rest.
// size is -1 if unknown. If there is a fault, status is the server's.
func (f *Finder) open(ctx context.Context, u *url.URL, size int64, progress func(string, int64, int64)) (o opened, status int, fault *pcp.Fault) {
	name := f.nameOf(u)
	part, number := component(name)
	whole, first := part && !number, int64(opening)
	if whole || size >= 0 && size <= maxKept { // fetched by the first request
		first = maxOnce
	}
	ask := Request{URL: u.String(), First: 0, Last: first, Headers: f.Headers, Named: named(u)}
	r, err := f.do(ctx, ask)
	if err != nil {
		var all Response
		if r, all = f.despite(ctx, ask, err); all != nil {
			defer all.Close()
			o.from = u
			return f.answered(ctx, all, o, u, progress)
		}
		if r == nil {
			return o, 0, f.faultOf(u, err)
		}
	}
	defer r.Close()
	o.from = u
	if at, err := url.Parse(r.URL()); err == nil && at.Host != "" {
		o.from = at
	}
	switch r.Status() {
	case 206:
	case 416: // no range of it exists: an empty file, or a server that has no ranges
		return f.unranged(ctx, r, o, u, progress)
	case 200:
		return f.whole(ctx, r, o, u, progress)
	default:
		return o, r.Status(), f.faultOfStatus(u, r.Status())
	}
	head, err := r.Bytes(first + 1)
	if encoded(r, int64(len(head)), first, err) {
		return f.unranged(ctx, r, o, u, progress)
	}
	if err != nil {
		return o, 0, f.faultOf(u, err)
	}
	head = head[:min(int64(len(head)), first)]
	if isJSON(r) {
		if total(r) == int64(len(head)) || total(r) < 0 && int64(len(head)) < first {
			o.listing, o.text = true, head
			return o, 0, nil
		}
		return f.unranged(ctx, r, o, u, progress)
	}
	if n := total(r); n >= 0 {
		size = n
	} else if int64(len(head)) < first {
		size = int64(len(head))
	}
	if size < 0 { // CORS may hide Content-Range but not Content-Length
		if size, fault = f.length(ctx, u); fault != nil {
			return o, 0, fault
		}
	}
	if begin(r) > 0 {
		return o, 0, otherBytes(u).In(name)
	}
	file := &File{client: f.Client, finder: f, url: u, size: size, whole: whole, end: int64(len(head))}
	file.versions = map[version]bool{file.versionOf(r): true}
	file.proofs[0] = piece{end: min(proof, int64(len(head))), data: head[:min(proof, len(head))]}
	file.proofs[1] = ending(head, int64(len(head)))
	if len(head) > 0 {
		file.keep(&piece{end: int64(len(head)), data: head})
	}
	o.Found = Found{Name: name, Size: size, At: file, url: u}
	return o, 0, nil
}

// despite asks a server again of which a range gave no response. Chromium hides those with a
// Content-Encoding: if all of the file can be had but still no range of it, it returns the
// response with all of it. It returns nothing if the server is not there.
func (f *Finder) despite(ctx context.Context, ranged Request, failed error) (again, all Response) {
	var blocked *Blocked
	if errors.As(failed, &blocked) || ctx.Err() != nil {
		return nil, nil
	}
	whole := ranged
	whole.First, whole.Last = 0, 0
	all, err := f.do(ctx, whole)
	if err != nil {
		return nil, nil
	}
	if again, err = f.do(ctx, ranged); err != nil {
		return nil, all
	}
	all.Close()
	return again, nil
}

// unranged requests all of a file at once, instead of a range.
func (f *Finder) unranged(ctx context.Context, ranged Response, o opened, u *url.URL, progress func(string, int64, int64)) (opened, int, *pcp.Fault) {
	ranged.Close()
	r, err := f.do(ctx, Request{URL: u.String(), Headers: f.Headers, Named: named(u)})
	if err != nil {
		return o, 0, f.faultOf(u, err)
	}
	defer r.Close()
	return f.answered(ctx, r, o, u, progress)
}

// answered handles the response to a request for all of a file.
func (f *Finder) answered(ctx context.Context, r Response, o opened, u *url.URL, progress func(string, int64, int64)) (opened, int, *pcp.Fault) {
	if r.Status() != 200 {
		return o, r.Status(), f.faultOfStatus(u, r.Status())
	}
	return f.whole(ctx, r, o, u, progress)
}

// encoded reports whether the ranges of a file are those of its compressed form, as from
// Apache with AddEncoding: browsers decompress each, and only the first can be.
// err is what ended the first range, of which asked bytes were requested. Other origins may
// hide the encoding, but then there are not as many bytes as the server says.
func encoded(r Response, got, asked int64, err error) bool {
	if how := r.Header("Content-Encoding"); how != "" && how != "identity" {
		return true
	}
	n := length(r)
	if n < 0 {
		return got > asked
	}
	return got > n || err == nil && got < min(n, asked+1)
}

// whole handles a response of a server without range support.
func (f *Finder) whole(ctx context.Context, r Response, o opened, u *url.URL, progress func(string, int64, int64)) (opened, int, *pcp.Fault) {
	if isJSON(r) {
		text, err := r.Bytes(maxListing)
		if err != nil {
			return o, 0, f.faultOf(u, err)
		}
		o.listing, o.text = true, text
		return o, 0, nil
	}
	name := f.nameOf(u)
	if strings.HasPrefix(r.Header("Content-Type"), "text/html") {
		return o, 0, pcp.Faultf(pcp.Unsupported, "%s sent a web page instead of an archive file; perhaps a login page.", u.Host).In(name)
	}
	at, size, err := f.Client.Keep(ctx, r, func(done, total int64) {
		if progress != nil {
			progress("fetching "+name, done, max(total, done))
		}
	})
	if err != nil {
		return o, 0, f.faultOf(u, err)
	}
	o.Found = Found{Name: name, Size: size, At: at, url: u}
	return o, 0, nil
}

// do makes one of the first requests for a file, and retries temporary failures.
func (f *Finder) do(ctx context.Context, q Request) (r Response, err error) {
	for try := 1; ; try++ {
		r, err = f.Client.Do(ctx, q)
		var blocked *Blocked
		if try == attempts || ctx.Err() != nil || errors.As(err, &blocked) || err == nil && r.Status() < 500 && r.Status() != 429 {
			return r, err
		}
		if err == nil {
			r.Close()
		} else {
			return nil, err // the server is not there
		}
		select {
		case <-time.After(time.Duration(try) * 300 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// length determines the length of a file. Since it requests a range, no
// server counts compressed bytes.
func (f *Finder) length(ctx context.Context, u *url.URL) (int64, *pcp.Fault) {
	ask := Request{URL: u.String(), Head: true, Headers: f.Headers}
	r, err := f.do(ctx, ask)
	if err == nil && r.Status() != 200 && r.Status() != 206 { // a signed URL may be for GET alone
		r.Close()
		ask.Head, ask.Last = false, 1<<53
		r, err = f.do(ctx, ask)
	}
	if err != nil {
		return 0, f.faultOf(u, err)
	}
	defer r.Close()
	if r.Status() != 200 && r.Status() != 206 {
		return 0, f.faultOfStatus(u, r.Status())
	}
	n, err := strconv.ParseInt(r.Header("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return 0, pcp.Faultf(pcp.Unsupported, "%s does not say how long the file is; it must let pages see the Content-Range header (Access-Control-Expose-Headers).", u.Host).In(f.nameOf(u))
	}
	return n, nil
}

func isJSON(r Response) bool {
	kind, _, _ := strings.Cut(r.Header("Content-Type"), ";")
	return strings.TrimSpace(kind) == "application/json"
}

// total returns the length of the file from Content-Range, or -1.
func total(r Response) int64 {
	_, after, ok := strings.Cut(r.Header("Content-Range"), "/")
	n, err := strconv.ParseInt(after, 10, 64)
	if !ok || err != nil || n < 0 {
		return -1
	}
	return n
}

// begin returns the offset of a response's first byte from Content-Range, or
// -1.
func begin(r Response) int64 {
	span, ok := strings.CutPrefix(r.Header("Content-Range"), "bytes ")
	first, _, _ := strings.Cut(span, "-")
	n, err := strconv.ParseInt(strings.TrimSpace(first), 10, 64)
	if !ok || err != nil {
		return -1
	}
	return n
}

// length returns how many bytes a response has by its Content-Range, or -1.
func length(r Response) int64 {
	span, _, ok := strings.Cut(r.Header("Content-Range"), "/")
	_, last, _ := strings.Cut(span, "-")
	n, err := strconv.ParseInt(strings.TrimSpace(last), 10, 64)
	if first := begin(r); ok && err == nil && first >= 0 && n >= first {
		return n - first + 1
	}
	return -1
}

func otherBytes(u *url.URL) *pcp.Fault {
	return pcp.Faultf(pcp.Unsupported, "%s sent different bytes of the file than were requested.", u.Host)
}

// tagOf returns a validator, which changes when the file does.
func tagOf(r Response) string {
	if tag := r.Header("ETag"); tag != "" {
		return tag
	}
	return r.Header("Last-Modified")
}

// A File reads ranges of a file on a server. Fetched ranges are cached as far as
// space allows, and a pending fetch is shared, so no range is fetched twice.
// Small reads fetch a page, sequential reads fetch increasingly more, and
// metadata is fetched whole.
type File struct {
	client Client
	finder *Finder
	url    *url.URL
	size   int64 // as of when it was opened
	whole  bool  // all of it will be needed

	mu       sync.Mutex
	versions map[version]bool // that have the bytes of the opened one
	proofs   [2]piece         // of these: at the beginning, and the last that were read
	kept     []*piece         // in order, apart from each other
	flying   []*piece         // are being fetched
	end      int64            // of the last fetched range
	stride   int64            // size of the next range if it begins at end
	turn     int64            // number of reads
}

// A piece is a range of the file, from at up to end.
type piece struct {
	at, end int64
	data    []byte
	used    int64         // turn of its last use
	keep    bool          // it is worth caching
	readers int           // that wait for it
	cancel  func()        // ends the fetch
	done    chan struct{} // closed when data or err is there
	err     error
}

func (p *piece) has(at int64) bool { return at >= p.at && at < p.end }

// OnDemand reports that reading the whole file costs more than reading parts.
// The engine reads such files only as far as questions require.
func (f *File) OnDemand() bool { return true }

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	return f.ReadAtContext(context.Background(), p, off)
}

// ReadAtContext implements container.ContextReaderAt.
func (f *File) ReadAtContext(ctx context.Context, p []byte, off int64) (n int, err error) {
	if off < 0 || off > f.size {
		return 0, fmt.Errorf("offset %d is outside the file's %d bytes", off, f.size)
	}
	end := min(off+int64(len(p)), f.size)
	if end < off+int64(len(p)) {
		err = io.EOF
	}
	p = p[:end-off]
	for n < len(p) {
		got, failed := f.part(ctx, p[n:], off+int64(n))
		n += got
		if failed == nil && got == 0 {
			failed = io.ErrNoProgress
		}
		if failed != nil {
			return n, failed
		}
	}
	return n, err
}

// part reads at least one byte.
func (f *File) part(ctx context.Context, p []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn++
	if i := f.find(f.kept, at); i >= 0 {
		f.kept[i].used = f.turn
		return copy(p, f.kept[i].data[at-f.kept[i].at:]), nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	var some *piece
	if i := f.find(f.flying, at); i >= 0 {
		some = f.flying[i]
	} else {
		some = f.next(int64(len(p)), at)
		size := some.end - some.at
		some.keep = min(int64(len(p)), some.end-at) < size || size <= maxKept // long sequential reads happen only once
		f.flying = append(f.flying, some)
		var fetching context.Context
		fetching, some.cancel = context.WithCancel(context.Background())
		go f.fly(fetching, some)
	}
	some.readers++
	f.mu.Unlock()
	select {
	case <-some.done:
	case <-ctx.Done():
	}
	f.mu.Lock()
	if some.readers--; some.readers == 0 {
		some.cancel()
		f.landed(some) // who reads it next fetches it again
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if some.err != nil {
		return 0, some.err
	}
	return copy(p, some.data[at-some.at:]), nil
}

// fly fetches a piece.
func (f *File) fly(ctx context.Context, some *piece) {
	data, err := f.fetchSafely(ctx, some.at, some.end)
	f.mu.Lock()
	defer f.mu.Unlock()
	some.data, some.err = data, err
	if f.landed(some) && err == nil {
		f.end = some.end
		if p := &f.proofs[1]; some.end > p.end {
			*p = ending(data, some.end)
		}
		if some.keep {
			f.keep(some)
		}
	}
	close(some.done)
}

// fetchSafely makes a panic the error of those who read the piece.
func (f *File) fetchSafely(ctx context.Context, first, last int64) (data []byte, err error) {
	defer pcp.Recover("reading "+f.url.Path, &err)
	return f.fetch(ctx, first, last)
}

// landed takes a piece off those that are being fetched, and reports whether it was one.
func (f *File) landed(some *piece) bool {
	i := slices.Index(f.flying, some)
	if i >= 0 {
		f.flying = slices.Delete(f.flying, i, i+1)
	}
	return i >= 0
}

func (f *File) find(list []*piece, at int64) int {
	return slices.IndexFunc(list, func(p *piece) bool { return p.has(at) })
}

// next chooses what to fetch for a read of n bytes, excluding what is cached
// or pending.
func (f *File) next(n, at int64) *piece {
	from, to := at, at+n
	low, high := int64(0), f.size
	for _, p := range slices.Concat(f.kept, f.flying) {
		if p.end <= at {
			low = max(low, p.end)
		} else {
			high = min(high, p.at)
		}
	}
	switch {
	case f.whole:
		to = high
	case at == f.end:
		f.stride = min(2*max(f.stride, page), maxOnce)
		to = max(to, at+f.stride)
	default:
		f.stride = 0
		if n < page {
			from, to = max(low, at/page*page), max(to, (at/page+1)*page)
		}
	}
	return &piece{at: from, end: min(to, high, from+maxOnce), used: f.turn, done: make(chan struct{})}
}

// keep caches a piece, and evicts the least recently used ones if necessary.
func (f *File) keep(p *piece) {
	i := slices.IndexFunc(f.kept, func(other *piece) bool { return other.at > p.at })
	if i < 0 {
		i = len(f.kept)
	}
	f.kept = slices.Insert(f.kept, i, p)
	size := 0
	for _, p := range f.kept {
		size += len(p.data)
	}
	for size > roomOfFile && len(f.kept) > 1 {
		oldest := -1
		for i, other := range f.kept {
			if other != p && (oldest < 0 || other.used < f.kept[oldest].used) {
				oldest = i
			}
		}
		size -= len(f.kept[oldest].data)
		f.kept = slices.Delete(f.kept, oldest, oldest+1)
	}
}

// pauses come before each further attempt to read: a computer that was asleep takes
// seconds to be online.
var pauses = []time.Duration{300 * time.Millisecond, time.Second, 3 * time.Second}

// fetch requests the bytes from first up to last. A server may return fewer
// bytes than requested, but at least one; a connection may end at any of them.
func (f *File) fetch(ctx context.Context, first, last int64) ([]byte, error) {
	data := make([]byte, 0, last-first)
	for tried := 0; int64(len(data)) < last-first; {
		some, fault := f.request(ctx, first+int64(len(data)), last)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if fault != nil && fault.Kind == pcp.Internal && tried < len(pauses) {
			select {
			case <-time.After(pauses[tried]):
			case <-ctx.Done():
			}
			tried++
			continue
		}
		if fault != nil {
			return nil, fault
		}
		data, tried = append(data, some...), 0
	}
	return data, nil
}

// request makes one request; it returns at least one byte. Its fault is internal if the
// next request may succeed.
func (f *File) request(ctx context.Context, first, last int64) ([]byte, *pcp.Fault) {
	r, err := f.ask(ctx, first, last)
	name := f.finder.nameOf(f.url)
	lost := pcp.Faultf(pcp.Internal, "%s can no longer be reached.", f.url.Host).In(name)
	lost.Passing = true
	var blocked *Blocked
	switch {
	case errors.As(err, &blocked):
		return nil, f.finder.faultOf(f.url, err)
	case err != nil:
		return nil, lost
	}
	defer r.Close()
	if r.Status() == 200 { // of a proxy, for example, or a login page
		whole := pcp.Faultf(pcp.Internal, "%s no longer serves ranges of the file.", f.url.Host).In(name)
		whole.Passing = true
		return nil, whole
	}
	changed := pcp.Faultf(pcp.Corrupt, "The file on %s has changed since it was opened; open it again.", f.url.Host).In(name)
	if r.Status() == 416 || r.Status() == 412 {
		return nil, changed
	}
	if r.Status() != 206 {
		return nil, f.finder.faultOfStatus(f.url, r.Status())
	}
	v := f.versionOf(r)
	if !f.knows(v) && !f.mayBeGrown(v) {
		return nil, changed
	}
	if at := begin(r); at >= 0 && at != first {
		return nil, otherBytes(f.url).In(name)
	}
	data, _ := r.Bytes(last - first)
	if len(data) == 0 {
		return nil, lost
	}
	if !f.knows(v) {
		r.Close() // its connection may be needed
		switch grown, err := f.hasGrown(ctx); {
		case err != nil:
			return nil, lost
		case !grown:
			return nil, changed
		}
		f.mu.Lock()
		f.versions[v] = true
		f.mu.Unlock()
	}
	return data, nil
}

// ask requests a range.
func (f *File) ask(ctx context.Context, first, last int64) (Response, error) {
	q := Request{URL: f.url.String(), First: first, Last: last, Headers: f.finder.Headers, Named: named(f.url)}
	if q.Named { // a separate URL per range, because browsers serialise cached reads of the same URL
		q.URL += "&at=" + strconv.FormatInt(first, 10)
	}
	return f.client.Do(ctx, q)
}

// A version of a file on a server.
type version struct {
	size int64
	tag  string
}

// versionOf returns the version that a response is of. Where the server does not tell the
// size, it is taken to be unchanged.
func (f *File) versionOf(r Response) version {
	v := version{total(r), tagOf(r)}
	if v.size < 0 {
		v.size = f.size
	}
	return v
}

// proof is how many bytes show that a file has only grown.
const proof = 4 << 10

// ending is the end of what was read up to an offset.
func ending(data []byte, end int64) piece {
	n := min(proof, len(data))
	return piece{at: end - int64(n), end: end, data: bytes.Clone(data[len(data)-n:])}
}

// knows reports whether a version has the bytes of the file that was opened.
func (f *File) knows(v version) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.versions[v]
}

// mayBeGrown reports whether a version may be the file that was opened and more. A logger
// appends to the files of an archive while it runs: everything before stays as it is, and is
// read as if there was no more.
func (f *File) mayBeGrown(v version) bool { return v.size > f.size && appendable(f.url.Path) }

// hasGrown reports whether the file on the server has the same bytes as before in some
// places.
func (f *File) hasGrown(ctx context.Context) (bool, error) {
	f.mu.Lock()
	proofs := f.proofs
	f.mu.Unlock()
	for _, p := range proofs {
		if p.end == p.at {
			continue
		}
		r, err := f.ask(ctx, p.at, p.end)
		if err != nil {
			return false, err
		}
		data, err := r.Bytes(p.end - p.at)
		r.Close()
		if r.Status() != 206 || int64(len(data)) < p.end-p.at {
			return false, cmp.Or(err, io.ErrUnexpectedEOF)
		}
		if !bytes.Equal(data, p.data) {
			return false, nil
		}
	}
	return true, nil
}

// appendable reports whether a file is written by a logger: it is an uncompressed part of an
// archive.
func appendable(name string) bool {
	part, _ := component(name)
	return part && !slices.ContainsFunc(packed[1:], func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}
