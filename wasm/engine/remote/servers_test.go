package remote

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pcpscope/core/pcp"
)

// serve starts a server.
func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

// hurry shortens the pauses between attempts.
func hurry(t *testing.T) {
	t.Helper()
	before := pauses
	pauses = slices.Repeat([]time.Duration{time.Millisecond}, len(pauses))
	t.Cleanup(func() { pauses = before })
}

// one is the only file behind an address.
func one(t *testing.T, c Client, address string) Found {
	t.Helper()
	found, missed := find(t, Finder{Client: c, Origin: "http://page"}, address)
	if len(found) != 1 || len(missed) != 0 {
		t.Fatalf("%s: found %v, missed %+v", address, names(found), missed)
	}
	return found[0]
}

// same reports whether a file has the given bytes.
func same(t *testing.T, f Found, want []byte) {
	t.Helper()
	got, err := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes, %v, want those %d that the server has", f.Name, len(got), err, len(want))
	}
}

// A connection that ends in the middle of a body costs nothing that arrived before.
func TestCutConnections(t *testing.T) {
	hurry(t)
	for _, sent := range []int{0, 1, 5000} {
		var n atomic.Int64
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1)%2 == 0 { // every other one is cut
				w = &cut{w, sent}
			}
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(big))
		})
		same(t, one(t, plainClient{}, at+"/web01.0"), big)
	}
}

// cut is a response that ends after a number of bytes.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(b []byte) (int, error) {
	if len(b) >= c.left {
		c.ResponseWriter.Write(b[:c.left])
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

// What a server refuses for now says so, so that it is asked again, as is one that sends all
// of a file, or a login page, instead of a range; what it does not have is lost.
func TestPassingFaults(t *testing.T) {
	hurry(t)
	for status, passing := range map[int]bool{401: true, 403: true, 404: false, 410: false, 416: false, 429: true, 500: true, 503: true, 200: true} {
		var down atomic.Bool
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if down.Load() {
				w.WriteHeader(status)
				return
			}
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(big))
		})
		file := one(t, plainClient{}, at+"/web01.0")
		down.Store(true)
		b := make([]byte, 100)
		if _, err := file.At.ReadAt(b, 30*page); err == nil || pcp.AsFault(err).Passing != passing {
			t.Errorf("status %d: %v, passing %v, want %v", status, err, pcp.AsFault(err).Passing, passing)
		}
		down.Store(false)
		if _, err := file.At.ReadAt(b, 30*page); err != nil || !bytes.Equal(b, big[30*page:30*page+100]) {
			t.Errorf("after status %d: %v", status, err)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(big))
	}))
	file := one(t, plainClient{}, s.URL+"/web01.0")
	s.Close()
	if _, err := file.At.ReadAt(make([]byte, 100), 30*page); err == nil || !pcp.AsFault(err).Passing {
		t.Errorf("of a server that is down: %v", err)
	}
}

// decoding is a client that decompresses bodies, as browsers do.
type decoding struct{ plainClient }

func (c decoding) Do(ctx context.Context, q Request) (Response, error) {
	r, err := plainClient{}.Do(ctx, q)
	if err != nil || r.Header("Content-Encoding") != "gzip" {
		return r, err
	}
	p := r.(plainResponse)
	for _, h := range c.hide {
		p.Response.Header.Del(h)
	}
	data, _ := io.ReadAll(p.Body)
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		p.Body = io.NopCloser(io.MultiReader(strings.NewReader(""), failing{err}))
	} else {
		p.Body = io.NopCloser(z)
	}
	return p, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Apache with AddEncoding sends ranges of a compressed file, and has the browser
// decompress each.
func TestEncodedRanges(t *testing.T) {
	noise := make([]byte, 8*page) // larger when compressed
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	for what, plain := range map[string][]byte{"small": []byte(strings.Repeat("PCP ", 5000)), "large": noise, "empty": {}} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(plain)
		z.Close()
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(packed.Bytes()))
		})
		for _, name := range []string{"web01.meta.gz", "web01.tar.gz"} {
			t.Run(what+" "+name, func(t *testing.T) {
				same(t, one(t, decoding{}, at+"/"+name), plain)
				if what != "large" {
					same(t, one(t, decoding{plainClient{hide: []string{"Content-Encoding"}}}, at+"/"+name), plain)
				}
			})
		}
	}
}

// Not every server that answers 416 has an empty file.
func TestRangeThatIsRefused(t *testing.T) {
	for _, want := range [][]byte{big, {}} {
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				w.WriteHeader(416)
				return
			}
			w.Write(want)
		})
		same(t, one(t, plainClient{}, at+"/web01.0"), want)
	}
}

// A listing may be longer than the first range of it.
func TestLongListingInRanges(t *testing.T) {
	h := newHost(t, "d/web01.0", "d/web01.meta")
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, `{"name":"a file that is none of an archive %d.txt","type":"file"},`, i)
	}
	h.files["/d/files.json"] = []byte("[" + text.String() + `{"name":"web01.0"},{"name":"web01.meta"}]`)
	for _, hide := range [][]string{nil, {"Content-Range"}} {
		found, missed := find(t, Finder{Client: plainClient{hide: hide}, Origin: h.URL}, h.URL+"/d/files.json")
		if got := names(found); !slices.Equal(got, []string{"d/web01.0", "d/web01.meta"}) || len(missed) != 0 {
			t.Errorf("found %q, missed %+v", got, missed)
		}
	}
}

// A signed URL may be for GET alone; the length of its refusal is not the file's.
func TestLengthWithoutHead(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			http.Error(w, "not for this method", http.StatusForbidden)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(big))
	})
	same(t, one(t, plainClient{hide: []string{"Content-Range"}}, at+"/web01.0"), big)
}

// Files may differ in the query alone.
func TestQueriesNameFiles(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("file "+r.URL.Query().Get("id")))
	})
	found, _ := find(t, Finder{Client: plainClient{}, Origin: at}, at+"/get?id=1", at+"/get?id=2", at+"/get?id=1", at+"/get?id=2&v=0123456789ab")
	if got := names(found); !slices.Equal(got, []string{"get", "get?id=2"}) {
		t.Fatalf("found %q", got)
	}
	same(t, found[0], []byte("file 1"))
	same(t, found[1], []byte("file 2"))
}

// rangeless is a client that hides responses with an encoding to requests for ranges, as
// Chromium does.
type rangeless struct{ decoding }

func (c rangeless) Do(ctx context.Context, q Request) (Response, error) {
	r, err := c.decoding.plainClient.Do(ctx, q)
	if err != nil || q.Last == 0 || r.Header("Content-Encoding") == "" {
		if err == nil {
			r.Close()
		}
		return c.decoding.Do(ctx, q)
	}
	r.Close()
	return nil, errors.New("Failed to fetch")
}

// Chromium gives no response to a request for a range if it has an encoding.
func TestEncodedRangesThatBrowsersHide(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(big)
	z.Close()
	var asked atomic.Int64
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path != "/web01.0.gz" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(packed.Bytes()))
	})
	same(t, one(t, rangeless{}, at+"/web01.0.gz"), big)
	same(t, one(t, rangeless{}, at+"/web01"), big)
}

// A range that could not be had once does not make a large file be fetched whole.
func TestRangeThatIsLostOnce(t *testing.T) {
	h := newHost(t, "web01.0")
	found := one(t, &losing{left: 1}, h.URL+"/web01.0")
	if h.sent > 2*opening || found.Size != int64(len(big)) {
		t.Errorf("%d bytes were sent to open a file of %d", h.sent, found.Size)
	}
}

// losing is a client that loses the first responses.
type losing struct {
	plainClient
	left int
}

func (c *losing) Do(ctx context.Context, q Request) (Response, error) {
	if c.left--; c.left >= 0 {
		return nil, errors.New("Failed to fetch")
	}
	if q.Last == 0 { // its body is not read
		return c.plainClient.Do(ctx, Request{URL: q.URL, First: 0, Last: 1})
	}
	return c.plainClient.Do(ctx, q)
}

// An encoded slash in an archive's base name is part of it.
func TestEncodedSlash(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/o/logs%2Fweb01.0" {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(big))
	})
	same(t, one(t, plainClient{}, at+"/o/logs%2Fweb01"), big)
}

// One answer with all of the file instead of a range, as from a proxy, ends nothing.
func TestRangesStopForAMoment(t *testing.T) {
	hurry(t)
	h := newHost(t, "web01.0")
	file := one(t, plainClient{}, h.URL+"/web01.0")
	var n atomic.Int64
	proxy := &through{before: func(r *http.Request) {
		if n.Add(1)%2 == 1 {
			r.Header.Del("Range")
		}
	}}
	file.At.(*File).client = proxy
	same(t, file, big)
}

// through is a client that changes requests.
type through struct {
	plainClient
	before func(r *http.Request)
}

func (c *through) Do(ctx context.Context, q Request) (Response, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", q.URL, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", q.First, q.Last-1))
	c.before(r)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	return plainResponse{answer}, nil
}

// A logger appends to the files that it writes: what was there when they were opened is
// read. Other files are not read on if they become longer.
func TestGrowingFile(t *testing.T) {
	for name, grows := range map[string]bool{"web01.0": true, "20261121.00.10": true, "web01.0.xz": false, "web01.tar": false} {
		h := newHost(t, name)
		file := one(t, plainClient{}, h.URL+"/"+name)
		for i := range 3 {
			h.mu.Lock()
			h.files["/"+name] = append(h.files["/"+name][:len(h.files["/"+name]):len(h.files["/"+name])], make([]byte, 1000)...)
			h.tag = fmt.Sprintf(`"%d"`, i+2)
			h.mu.Unlock()
			at := (10 + 10*i) * page
			p := make([]byte, 100)
			if _, err := file.At.ReadAt(p, int64(at)); (err == nil) != grows || grows && !bytes.Equal(p, big[at:at+100]) {
				t.Errorf("%s, longer for the %d. time: %v", name, i+1, err)
			}
		}
		if grows {
			same(t, file, big)
		}
		h.mu.Lock()
		h.files["/"+name], h.tag = big[:35*page], `"9"`
		h.mu.Unlock()
		file.At.(*File).kept = nil
		if _, err := file.At.ReadAt(make([]byte, 100), 31*page); err == nil || !strings.Contains(err.Error(), "has changed") {
			t.Errorf("%s, shorter: %v", name, err)
		}
	}
}

// That a growing file cannot be compared with what was read does not mean that it is
// another one.
func TestGrowingFileOnAFailingServer(t *testing.T) {
	hurry(t)
	h := newHost(t, "web01.0")
	file := one(t, plainClient{}, h.URL+"/web01.0")
	h.mu.Lock()
	h.files["/web01.0"], h.tag = append(bytes.Clone(big), 1), `"2"`
	h.mu.Unlock()
	fails := 3
	file.At.(*File).client = &through{before: func(r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") && fails > 0 {
			r.URL.Path, fails = "/none", fails-1
		}
	}}
	p := make([]byte, 100)
	if _, err := file.At.ReadAt(p, 20*page); err != nil || !bytes.Equal(p, big[20*page:20*page+100]) {
		t.Errorf("%v", err)
	}
}
