package remote

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	unpacking "pcpscope/core/container"
)

// plainClient is a Client that hides what a browser hides from a page of
// another origin.
type plainClient struct {
	hide    []string
	blocked string
}

func (c plainClient) Do(ctx context.Context, q Request) (Response, error) {
	if c.blocked != "" {
		return nil, &Blocked{c.blocked}
	}
	method := "GET"
	if q.Head {
		method = "HEAD"
	}
	r, err := http.NewRequestWithContext(ctx, method, q.URL, nil)
	if err != nil {
		return nil, err
	}
	if q.Last > q.First {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", q.First, q.Last-1))
	}
	for _, h := range q.Headers {
		r.Header.Set(h.Name, h.Value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	for _, h := range c.hide {
		answer.Header.Del(h)
	}
	return plainResponse{answer}, nil
}

func (c plainClient) Keep(_ context.Context, r Response, progress func(done, total int64)) (io.ReaderAt, int64, error) {
	data, err := io.ReadAll(r.(plainResponse).Body)
	progress(int64(len(data)), int64(len(data)))
	return bytes.NewReader(data), int64(len(data)), err
}

type plainResponse struct{ *http.Response }

func (r plainResponse) Status() int               { return r.StatusCode }
func (r plainResponse) Header(name string) string { return r.Response.Header.Get(name) }
func (r plainResponse) URL() string               { return r.Request.URL.String() }
func (r plainResponse) Close()                    { r.Body.Close() }
func (r plainResponse) Bytes(limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r.Body, limit))
}

// big is longer than a cached page.
var big = func() []byte {
	b := make([]byte, 40*page+123)
	for i := range b {
		b[i] = byte(i*7 + i>>9)
	}
	return b
}()

// A host serves files, and counts the bytes it sends.
type host struct {
	*httptest.Server
	mu       sync.Mutex
	files    map[string][]byte
	tag      string
	noRanges bool
	kind     string // Content-Type of everything
	fail     int    // number of initial requests that fail
	sent     int
	requests []string
	last     string // address of the last one
}

func newHost(t *testing.T, names ...string) *host {
	h := &host{files: map[string][]byte{}, tag: `"1"`}
	for _, name := range names {
		h.files["/"+name] = big
	}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Server.Close)
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, r.URL.Path)
	h.last = r.URL.String()
	data, ok := h.files[r.URL.Path]
	if h.fail > 0 && len(h.requests) > 1 {
		h.fail--
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", h.tag)
	w.Header().Set("Content-Type", "application/octet-stream")
	if h.kind != "" {
		w.Header().Set("Content-Type", h.kind)
	} else if bytes.HasPrefix(data, []byte("[")) || bytes.HasPrefix(data, []byte("{")) {
		w.Header().Set("Content-Type", "application/json")
	}
	if h.noRanges {
		r.Header.Del("Range")
	}
	counted := &counter{w, &h.sent}
	http.ServeContent(counted, r, "", time.Time{}, bytes.NewReader(data))
}

type counter struct {
	http.ResponseWriter
	n *int
}

func (c *counter) Write(b []byte) (int, error) {
	*c.n += len(b)
	return c.ResponseWriter.Write(b)
}

func find(t *testing.T, f Finder, addresses ...string) ([]Found, []Missed) {
	t.Helper()
	found, missed, err := f.Find(t.Context(), addresses, func(string, int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return found, missed
}

func names(found []Found) []string {
	var list []string
	for _, f := range found {
		list = append(list, f.Name)
	}
	return list
}

func TestReadsRanges(t *testing.T) {
	for _, hide := range [][]string{nil, {"Content-Range", "ETag", "Last-Modified"}} {
		h := newHost(t, "a/web01.0")
		found, missed := find(t, Finder{Client: plainClient{hide: hide}, Origin: h.URL}, h.URL+"/a/web01.0#here")
		if len(found) != 1 || len(missed) != 0 || found[0].Name != "a/web01.0" || found[0].Size != int64(len(big)) {
			t.Fatalf("found %+v, missed %+v", found, missed)
		}
		at := found[0].At
		for _, tt := range []struct{ off, n int }{{0, 4}, {0, 132}, {page - 2, 4}, {len(big) - 4, 4}, {len(big) - 4, 10}, {3 * page, page}, {5, 3*page + 1}, {0, len(big)}, {len(big), 1}, {7 * page, 1}} {
			p := make([]byte, tt.n)
			n, err := at.ReadAt(p, int64(tt.off))
			want := big[tt.off:min(tt.off+tt.n, len(big))]
			if !bytes.Equal(p[:n], want) || (err == io.EOF) != (len(want) < tt.n) || err != nil && err != io.EOF {
				t.Errorf("%d bytes at %d: %d bytes, %v", tt.n, tt.off, n, err)
			}
		}
		if _, err := at.ReadAt(make([]byte, 1), int64(len(big))+1); err == nil {
			t.Error("a read behind the end succeeds")
		}
	}
}

// A small read fetches one page once; cached data are not fetched again.
func TestFetchesOnlyWhatIsNeeded(t *testing.T) {
	h := newHost(t, "web01.0")
	found, _ := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.0")
	if h.sent != opening {
		t.Errorf("finding a file costs %d bytes, want %d", h.sent, opening)
	}
	for range 10 {
		found[0].At.ReadAt(make([]byte, 16), 20*page+5)
		found[0].At.ReadAt(make([]byte, 16), 3)
	}
	if h.sent != opening+page {
		t.Errorf("twenty reads of two places cost %d bytes, want %d", h.sent, opening+page)
	}
}

// Sequential reading fetches larger and larger pieces.
func TestReadsAhead(t *testing.T) {
	h := newHost(t, "web01.tar")
	found, _ := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.tar")
	got, err := io.ReadAll(io.NewSectionReader(found[0].At, 0, found[0].Size))
	if err != nil || !bytes.Equal(got, big) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if n := len(h.requests); n > 8 || h.sent > len(big)+2*page {
		t.Errorf("a file of 40 pages took %d requests and %d bytes", n, h.sent)
	}
}

func TestFindsArchivesByBaseName(t *testing.T) {
	h := newHost(t, "logs/web01.meta.xz", "logs/web01.index", "logs/web01.0.xz", "logs/web01.1.xz", "logs/web01.2.xz", "logs/web02.0", "logs/web0", "logs/20261121.00.10.0", "logs/20261121.00.10.meta")
	for base, want := range map[string][]string{
		"web01":          {"logs/web01.0.xz", "logs/web01.1.xz", "logs/web01.2.xz", "logs/web01.index", "logs/web01.meta.xz"},
		"web02":          {"logs/web02.0"},
		"20261121.00.10": {"logs/20261121.00.10.0", "logs/20261121.00.10.meta"},
		"web0":           {"logs/web0"},
	} {
		found, missed := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/logs/"+base)
		if got := slices.Sorted(slices.Values(names(found))); !slices.Equal(got, want) || len(missed) > 0 {
			t.Errorf("%s: found %q, missed %v, want %q", base, got, missed, want)
		}
	}
}

func TestListings(t *testing.T) {
	h := newHost(t, "d/web01.0", "d/web01.meta", "d/a b:c.0", "d/note.txt", "d/x.tar.xz", "e/only.txt", "other/web09.0")
	evil := newHost(t, "w.0")
	for listing, want := range map[string][]string{
		`["web01.0", "web01.meta", "note.txt", "x.tar.xz"]`:                                                                       {"web01.0", "web01.meta"},
		`[{"name":"web01.0","type":"file","size":2621563},{"name":"old","type":"directory"},{"name":"web01.meta","type":"file"}]`: {"web01.0", "web01.meta"},
		`{"files":["web01.meta"]}`:                      {"web01.meta"},
		`[{"name":"web09.0","url":"../other/web09.0"}]`: {"../other/web09.0"},
		`["a b:c.0"]`:             {"a b:c.0"},
		`["x.tar.xz","note.txt"]`: {"x.tar.xz"},
		`["note.txt"]`:            {"note.txt"},
		`[{"name":"web01.0"},{"name":"web09.0","url":"` + evil.URL + `/w.0"}]`: {"web01.0"},
		`["web01.0", 5, null, {"name":7}, "` + evil.URL + `/w.0"]`:             {"web01.0"},
	} {
		for _, address := range []string{"/d/", "/d/files.json"} {
			h.files[address] = []byte(listing)
			found, missed := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+address)
			var got []string
			for _, name := range names(found) {
				name = strings.TrimPrefix(name, "d/")
				if strings.HasPrefix(name, "other/") {
					name = "../" + name
				}
				got = append(got, name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s %s: found %q, missed %v, want %q", address, listing, got, missed, want)
			}
		}
	}
	if len(evil.requests) > 0 {
		t.Errorf("another host was asked: %v", evil.requests)
	}
}

// While a folder of many files is opened, it is said how many are.
func TestFolderTellsHowFarItIs(t *testing.T) {
	h := newHost(t)
	var names []string
	for i := range 1200 {
		names = append(names, fmt.Sprintf(`"web%04d.meta"`, i))
		h.files[fmt.Sprintf("/d/web%04d.meta", i)] = []byte("PCP")
	}
	h.files["/d/"] = []byte("[" + strings.Join(names, ",") + "]")
	f := Finder{Client: plainClient{}, Origin: h.URL}
	var mu sync.Mutex
	said := map[string]bool{}
	found, _, err := f.Find(t.Context(), []string{h.URL + "/d/"}, func(phase string, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		said[phase] = true
	})
	if err != nil || len(found) != 1200 || !said["opening file 7 of 1,200"] || !said["opening file 1,200 of 1,200"] {
		t.Errorf("%v, %d files, %d sentences", err, len(found), len(said))
	}
}

func TestServerWithoutRanges(t *testing.T) {
	h := newHost(t, "web01.0")
	h.noRanges = true
	found, missed := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.0")
	if len(missed) > 0 || len(found) != 1 {
		t.Fatalf("found %v, missed %v", found, missed)
	}
	p := make([]byte, 9)
	if _, err := found[0].At.ReadAt(p, 30*page); err != nil || !bytes.Equal(p, big[30*page:30*page+9]) {
		t.Errorf("%v %v", p, err)
	}
	if h.sent != len(big) {
		t.Errorf("%d bytes were sent, want the file once: %d", h.sent, len(big))
	}
}

func TestSentences(t *testing.T) {
	h := newHost(t, "web01.0")
	h.files["/page/"] = []byte("<!doctype html>")
	h.files["/text/"] = []byte("{\"a\": 1}")
	h.files["/empty/"] = []byte("[]")
	page := newHost(t, "web01.0")
	page.kind, page.noRanges = "text/html; charset=utf-8", true
	gone := httptest.NewServer(nil)
	gone.Close()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) }))
	t.Cleanup(refusing.Close)
	for _, tt := range []struct {
		client  plainClient
		address string
		want    string
	}{
		{plainClient{}, h.URL + "/web02.meta", "There is no such file"},
		{plainClient{}, h.URL + "/web02", "neither web02 nor web02.meta, web02.0"},
		{plainClient{}, h.URL + "/page/", "sent a web page for this folder"},
		{plainClient{}, h.URL + "/text/", "not a JSON listing"},
		{plainClient{}, h.URL + "/empty/", "no file of an archive in it"},
		{plainClient{}, h.URL + "/nothing/", "There is no such file"},
		{plainClient{}, page.URL + "/web01.0", "sent a web page instead of an archive file"},
		{plainClient{}, gone.URL + "/web01.0", "Access-Control-Allow-Origin header (CORS)"},
		{plainClient{}, refusing.URL + "/web01.0", "requires a login or a token"},
		{plainClient{blocked: "The policy says no."}, h.URL + "/web01.0", "The policy says no."},
		{plainClient{}, "javascript:alert(1)", "is not a URL"},
		{plainClient{}, "file:///etc/passwd", "is not a URL"},
		{plainClient{}, "web01", "is not a URL"},
	} {
		found, missed := find(t, Finder{Client: tt.client, Origin: "https://page.example"}, tt.address)
		if len(found) != 0 || len(missed) != 1 || !strings.Contains(missed[0].Fault.Message, tt.want) {
			t.Errorf("%s: found %v, missed %+v, want %q", tt.address, names(found), missed, tt.want)
		}
	}
	if _, missed := find(t, Finder{Client: plainClient{}, Origin: gone.URL}, gone.URL+"/web01.0"); !strings.Contains(missed[0].Fault.Message, "cannot be reached.") {
		t.Errorf("the page's own server is down: %+v", missed)
	}
}

// A server may send less than requested; a response with other bytes is not
// mistaken for those requested.
func TestRangesOfTheServersChoice(t *testing.T) {
	var few, wrong bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var first, last int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
		last = min(last, len(big)-1)
		if few {
			last = min(last, first+999)
		}
		if wrong && first > 0 {
			first, last = 0, last-first
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(big)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(big[first : last+1])
	}))
	defer server.Close()
	at := func() io.ReaderAt {
		found, missed := find(t, Finder{Client: plainClient{}}, server.URL+"/a.0")
		if len(found) != 1 {
			t.Fatalf("found %v, missed %v", found, missed)
		}
		return found[0].At
	}
	few = true
	file, got := at(), make([]byte, 3*page)
	for _, offset := range []int64{0, 500, page - 10, 7 * page} {
		if _, err := file.ReadAt(got, offset); err != nil || !bytes.Equal(got, big[offset:offset+3*page]) {
			t.Errorf("from a server that sends 1000 bytes at a time, at %d: %v", offset, err)
		}
	}
	few, wrong = false, true
	if _, err := at().ReadAt(got, 5*page); err == nil || !strings.Contains(err.Error(), "different bytes") {
		t.Errorf("a server that sent bytes that were not requested: %v", err)
	}
}

func TestChangedFile(t *testing.T) {
	hurry(t)
	for what, change := range map[string]func(h *host){
		"another tag":   func(h *host) { h.tag = `"2"` },
		"shorter":       func(h *host) { h.files["/web01.0"] = big[:20*page] },
		"longer, other": func(h *host) { h.files["/web01.0"] = append([]byte{1}, big...) },
		"other at the end": func(h *host) {
			h.files["/web01.0"], h.tag = slices.Concat(big[:opening-1], []byte{big[opening-1] + 1}, big), `"2"`
		},
		"ranges ended": func(h *host) { h.noRanges = true },
		"gone":         func(h *host) { clear(h.files) },
	} {
		h := newHost(t, "web01.0")
		found, _ := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.0")
		h.mu.Lock()
		change(h)
		h.mu.Unlock()
		if n, err := found[0].At.ReadAt(make([]byte, 8), 30*page); err == nil || n != 0 {
			t.Errorf("%s: %d bytes, no error", what, n)
		}
	}
}

func TestTriesAgain(t *testing.T) {
	h := newHost(t, "web01.0")
	h.fail = 2
	found, missed := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.0")
	if len(found) != 1 {
		t.Fatal(missed)
	}
	if _, err := found[0].At.ReadAt(make([]byte, 8), 30*page); err != nil {
		t.Errorf("after two failures: %v", err)
	}
}

func TestHeadersAreSent(t *testing.T) {
	h := newHost(t, "web01.0")
	var seen []string
	guard := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(guard.Close)
	found, _ := find(t, Finder{Client: plainClient{hide: []string{"Content-Range"}}, Origin: guard.URL, Headers: []Header{{"Authorization", "Bearer x"}}}, guard.URL+"/web01.0")
	found[0].At.ReadAt(make([]byte, 8), 30*page)
	if len(seen) != 3 || slices.Contains(seen, "") {
		t.Errorf("Authorization of the requests: %q, want three times Bearer x", seen)
	}
}

// What waits for a server that never answers ends when it is cancelled.
func TestCancelled(t *testing.T) {
	stuck := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-stuck }))
	t.Cleanup(func() { close(stuck); slow.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	f := Finder{Client: plainClient{}, Origin: slow.URL}
	if _, _, err := f.Find(ctx, []string{slow.URL + "/a", slow.URL + "/b", slow.URL + "/c"}, nil); err == nil {
		t.Error("nothing was found, and nothing is said of it")
	}
}

func TestComponentNames(t *testing.T) {
	for name, want := range map[string]bool{"a.0": true, "a.meta": true, "a.index.xz": true, "20261121.00.10.0.zst": true, "a.12": true, "20261121.00.10": true, "20261121.00": false, "a": false, "a.txt": false, ".0": false, "a.0.txt": false, "a.tar.xz": false} {
		if part, _ := component(name); part != want {
			t.Errorf("component(%q) = %v", name, !want)
		}
	}
}

func FuzzParseListing(f *testing.F) {
	for _, url := range []string{"../b", "//evil.example/a.0", "https://evil.example/a.0", "http://logs.example/a/a.0", "https://logs.example@evil.example/a.0", `\\\\evil.example/a.0`, "data:,a"} {
		f.Add([]byte(`[{"name":"a.0","size":5,"url":"` + url + `"},"c"]`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		at, _ := parse("https://logs.example/a/")
		entries, _ := parseListing(at, text)
		for _, e := range entries {
			if e.url.Host != "logs.example" || e.url.Scheme != "https" {
				t.Errorf("%s leads to %s", text, e.url)
			}
		}
	})
}

// Everything that the engine needs of a file to open it is in the first
// response: a second request per volume would cost another round trip.
func TestOpeningIsOneRequest(t *testing.T) {
	h := newHost(t, "web01.0")
	found, _ := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.0")
	asked := len(h.requests)
	if _, err := unpacking.Expand(t.Context(), []unpacking.File{{Name: found[0].Name, Size: found[0].Size, At: found[0].At}}, unpacking.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(h.requests) - asked; n != 0 {
		t.Errorf("to see what a file is takes %d requests more", n)
	}
}

// Each range of a file that a catalogue identifies by its bytes has a URL of
// its own, so that a browser can cache all of them, and fetch them
// concurrently.
func TestNamedRanges(t *testing.T) {
	for v, want := range map[string]bool{"?v=0123456789ab": true, "?v=7": false, "?v=0123456789AB": false, "": false} {
		h := newHost(t, "web01.0")
		found, missed := find(t, Finder{Client: plainClient{}, Origin: h.URL}, h.URL+"/web01.0"+v)
		if len(found) != 1 {
			t.Fatalf("missed = %+v, want one file found", missed)
		}
		if _, err := found[0].At.ReadAt(make([]byte, 16), 5*page); err != nil {
			t.Fatal(err)
		}
		if got := strings.HasSuffix(h.last, "&at=327680"); got != want {
			t.Errorf("%q: the second range is requested at %s", v, h.last)
		}
	}
}

// A panic while looking at one of several URLs is passed to the caller, rather
// than ending the program.
func TestPanicIsTheCallers(t *testing.T) {
	done := 0
	defer func() {
		if e := recover(); e != "shaken" || done != 3 {
			t.Errorf("%v after %d others", e, done)
		}
	}()
	new(Finder).each(t.Context(), 4, 1, func(i int) {
		if i == 1 {
			panic("shaken")
		}
		done++
	})
}
