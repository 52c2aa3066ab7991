package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/klauspost/compress/zstd"

	"pcpscope/internal/browser"
	"pcpscope/internal/reference"
	"pcpscope/internal/site"
)

// A far host serves a folder of archives, and counts the bytes it sends.
type far struct {
	dir     string
	listing string // its answer to "/"
	closed  bool   // to other origins
	delay   time.Duration
	sent    atomic.Int64
	asked   atomic.Int64 // requests
	began   time.Time    // requests are recorded from then on, if set
	mu      sync.Mutex
	noted   []string
}

// times are the recorded requests with their times.
func (f *far) times() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.noted, "; ")
}

func (f *far) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !f.closed {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "Range")
	}
	if r.Method == http.MethodOptions {
		return
	}
	if r.URL.Path == "/" {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, f.listing)
		return
	}
	f.asked.Add(1)
	if !f.began.IsZero() {
		f.mu.Lock()
		f.noted = append(f.noted, fmt.Sprintf("%d %s %s", time.Since(f.began).Milliseconds(), filepath.Ext(r.URL.Path), strings.TrimPrefix(r.Header.Get("Range"), "bytes=")))
		f.mu.Unlock()
	}
	time.Sleep(f.delay)
	http.ServeFile(counting{w, &f.sent}, r, filepath.Join(f.dir, filepath.Base(r.URL.Path)))
}

type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counting) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return c.ResponseWriter.Write(b)
}

// farWeb01 serves web01 with its volume decompressed.
func farWeb01(t *testing.T) (*far, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"web01.0.zst", "web01.meta", "web01.index"} {
		data, err := os.ReadFile(filepath.Join(root, "testdata", "live", name))
		if err == nil && strings.HasSuffix(name, ".zst") {
			var d *zstd.Decoder
			if d, err = zstd.NewReader(nil); err == nil {
				data, err = d.DecodeAll(data, nil)
			}
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".zst")), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f := &far{dir: dir, listing: `[{"name":"web01.0","type":"file"},{"name":"web01.meta","type":"file"},{"name":"web01.index","type":"file"},{"name":"older","type":"directory"}]`}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, server.URL
}

// bareAt starts the module on the bare page of a site whose policy allows
// requests to other origins.
func bareAt(t *testing.T, from ...string) *page {
	t.Helper()
	server, stop := browser.Serve(browser.Site(site.Policy{Archives: from}, dist, nil))
	t.Cleanup(stop)
	p := openURL(t, server+"/bare")
	eval[any](p, "(async () => {"+prelude+"; await boot(); return true })()")
	return p
}

// Values fetched over HTTP are those that pmdumplog prints.
func TestOpenURL(t *testing.T) {
	_, there := farWeb01(t)
	near, wide := bare(t), bareAt(t, there)
	for _, tt := range []struct {
		p    *page
		urls string
	}{
		{near, `["/testdata/live/web01.0.zst", "testdata/live/web01.meta", new URL("/testdata/live/web01.index", location)]`},
		{near, `"/testdata/live/web01"`},
		{wide, `["` + there + `/"]`},
		{wide, `["` + there + `/web01"]`},
	} {
		tt.p.expectComplaints("404") // an archive is looked up by its base name
		o := plain[opened](tt.p, "pcp.openURL("+tt.urls+")")
		if len(o.Sources) != 1 || len(o.Rejected) != 0 || o.Sources[0].Name != "web01" {
			t.Errorf("%s: opened %+v", tt.urls, o)
			continue
		}
		compareLogged(t, plain[frame](tt.p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], mode: "raw" })`, o.Sources[0].ID)), "testdata/web01.kernel.all.load.txt")
	}
}

func TestOpenURLSaysWhatIsWrong(t *testing.T) {
	closed, there := farWeb01(t)
	closed.closed = true
	wide, strict := bareAt(t, there), bare(t)
	for _, tt := range []struct {
		p               *page
		url, want, kind string
	}{
		{wide, there + "/web01.meta", "Access-Control-Allow-Origin", "unsupported"},
		{strict, there + "/web01.meta", "page’s policy", "unsupported"},
		{strict, "/testdata/live/web09.meta", "There is no such file", "argument"},
		{strict, "/testdata/live/web09", "neither web09 nor web09.meta", "argument"},
		{strict, "/index.html", "HTML page", "unsupported"},
		{strict, "/", "web page", "unsupported"},
		{strict, "javascript:alert(1)", "not a URL", "argument"},
	} {
		tt.p.expectComplaints("") // browsers log every failed request
		o := plain[opened](tt.p, `pcp.openURL(["`+tt.url+`"])`)
		if len(o.Sources) != 0 || len(o.Rejected) != 1 || !strings.Contains(o.Rejected[0].Fault.Message, tt.want) || o.Rejected[0].Fault.Kind != tt.kind {
			t.Errorf("%s: %+v, want %q", tt.url, o, tt.want)
		}
	}
}

// Servers that send files with a Content-Encoding, though ranges were requested, and those
// that redirect, to another origin as well; and names of files that have to be escaped.
func TestOpenURLOfOddServers(t *testing.T) {
	f, there := farWeb01(t)
	names := []string{"a b", "100%", "a#b?c", "a+b;c&d=e", "fürth-日本", "a%41", "[x]"}
	packed := func(w http.ResponseWriter, r *http.Request, name string, ranges bool) {
		data, err := os.ReadFile(filepath.Join(f.dir, name))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		if !ranges {
			r.Header.Del("Range")
		}
		w.Header().Set("Content-Encoding", "gzip")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Bytes()))
	}
	odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch folder {
		case "moved":
			http.Redirect(w, r, "/here/"+name, http.StatusFound)
		case "elsewhere":
			http.Redirect(w, r, there+"/"+name, http.StatusTemporaryRedirect)
		case "encoded":
			packed(w, r, name, false)
		case "encoded-ranges":
			packed(w, r, name, true)
		case "names":
			base := strings.TrimSuffix(name, filepath.Ext(name))
			if !slices.Contains(names, base) {
				http.NotFound(w, r)
				return
			}
			http.ServeFile(w, r, filepath.Join(f.dir, "web01"+filepath.Ext(name)))
		default:
			http.ServeFile(w, r, filepath.Join(f.dir, name))
		}
	}))
	defer odd.Close()
	paths := map[string]string{"/moved/web01": "web01", "/elsewhere/web01": "web01", "/encoded/web01": "web01", "/encoded-ranges/web01": "web01"}
	for _, name := range names {
		paths["/names/"+url.PathEscape(name)] = name
	}
	p := bareAt(t, there, odd.URL)
	p.expectComplaints("")
	for address, name := range paths {
		o := plain[opened](p, "pcp.openURL(["+fmt.Sprintf("%q", odd.URL+address)+"])")
		if len(o.Sources) != 1 || len(o.Rejected) != 0 || o.Sources[0].Name != name {
			t.Errorf("%s: opened %+v", address, o)
			continue
		}
		compareLogged(t, plain[frame](p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], mode: "raw" })`, o.Sources[0].ID)), "testdata/web01.kernel.all.load.txt")
		eval[any](p, fmt.Sprintf(`pcp.close(%d).then(() => true)`, o.Sources[0].ID))
	}
}

// The service worker is answered once, whatever is opened first.
func TestOpenURLAnswersOnce(t *testing.T) {
	p := bare(t)
	n := eval[int](p, `(async () => {
	let n = 0;
	Object.defineProperty(navigator, "serviceWorker", { value: { addEventListener() { n++; } } });
	for (let i = 0; i < 3; i++) await pcp.openURL([]);
	await pcp.openURL(["/testdata/live/web01.meta"]);
	return n;
	})()`)
	if n != 1 {
		t.Errorf("%d listeners", n)
	}
}

// After a cancellation nothing more is fetched.
func TestOpenURLIsCancelled(t *testing.T) {
	given := make(chan bool, 10)
	stuck := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		given <- true
	}))
	defer stuck.Close()
	p := bareAt(t, stuck.URL)
	f := eval[fault](p, `faultOf(pcp.openURL(["`+stuck.URL+`/web01.0"], { signal: AbortSignal.timeout(400) }))`)
	if f.Kind != "cancelled" || f.Name != "AbortError" {
		t.Errorf("cancelled, openURL gives %+v", f)
	}
	select {
	case <-given:
	case <-time.After(5 * time.Second):
		t.Error("the request goes on")
	}
	eval[any](p, `pcp.idle().then(() => true)`)
}

// The first chart of a large archive needs only a fraction of it; it is
// approximately right everywhere, and exact values follow on request.
func TestFirstChartOverHTTP(t *testing.T) {
	dir := t.TempDir()
	var raw int64
	for _, part := range []string{"0.xz", "1.xz", "2.xz", "3.xz", "meta.xz", "index"} {
		reference.UnpackTo(t, dir, filepath.Join(reference.Need(t, "corpus", "big"), "20180416.10.00."+part))
		info, err := os.Stat(filepath.Join(dir, "20180416.10.00."+strings.TrimSuffix(part, ".xz")))
		if err != nil {
			t.Fatal(err)
		}
		raw += info.Size()
	}
	f := &far{dir: dir, delay: 80 * time.Millisecond}
	server := httptest.NewServer(f)
	defer server.Close()
	affordable := func(what string) {
		t.Helper()
		t.Logf("%s took %d requests and %.1f of %.1f MB", what, f.asked.Load(), float64(f.sent.Load())/1e6, float64(raw)/1e6)
		if f.asked.Load() > 60 || f.sent.Load() > 12e6 {
			t.Errorf("%s took more than 60 requests and 12 MB", what)
		}
	}

	// The whole page, opened by a link to its own host: everything that it
	// initially shows of the archive, not only a chart.
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.Handle("/archives/", http.StripPrefix("/archives", f))
	p := openURL(t, lend(t, mux)+"/?src=/archives/20180416.10.00")
	p.expectComplaints("404")
	p.idle()
	t.Logf("at %v latency the page is at rest %.1f s after its navigation began", f.delay, eval[float64](p, `performance.now()`)/1e3)
	p.shot("preview")
	if n := eval[int](p, `document.querySelectorAll("[data-testid=preview]:not([hidden]) [data-testid=read-all]").length`); n != 1 {
		t.Error("the page does not say that it shows a preview")
	}
	affordable("the page")
	f.delay = 0
	p.must(p.Do(chromedp.Click(chromedp.CSS("[data-testid=read-all]"))))
	p.idle()
	if n := eval[int](p, `document.querySelectorAll("[data-testid=preview]:not([hidden]) [data-testid=read-all]").length`); n != 0 || f.sent.Load() < raw*99/100 || f.sent.Load() > raw+4096 {
		t.Errorf("asked to read everything, the page fetched %d of %d bytes", f.sent.Load(), raw)
	}
	p.Close()

	f.sent.Store(0)
	f.asked.Store(0)
	p = bareAt(t, server.URL)
	p.expectComplaints("404")
	f.delay, f.began = 80*time.Millisecond, time.Now()
	eval[bool](p, `(globalThis.began = performance.now(), true)`)
	o := plain[opened](p, `pcp.openURL(["`+server.URL+`/20180416.10.00"])`)
	if len(o.Sources) != 1 {
		t.Fatalf("%+v", o)
	}
	const query = `pcp.fetch({ source: 1, metrics: ["kernel.all.load"], interval: "1min", partial: %t })`
	first := plain[struct {
		frame
		Preview bool
	}](p, fmt.Sprintf(query, true))
	t.Logf("at %v latency the first chart took %.1f s, requests began at %v", f.delay, eval[float64](p, `performance.now() - began`)/1e3, f.times())
	sent := f.sent.Load()
	affordable("the first chart")
	f.delay = 0
	if !first.Preview {
		t.Error("the first chart is not called a preview")
	}
	eval[any](p, "pcp.idle().then(() => true)")
	if again := f.sent.Load(); again != sent {
		t.Errorf("%d bytes were fetched that nobody asked for", again-sent)
	}
	plain[frame](p, `pcp.fetch({ source: 1, metrics: ["kernel.all.cpu.user"], interval: "1min", partial: true })`)
	if again := f.sent.Load(); again != sent {
		t.Errorf("the second chart of the same window fetched %d bytes", again-sent)
	}
	// A preview consists of some of the logged values: the chart says so, and
	// each value is correct.
	const logged = `pcp.fetch({ source: 1, metrics: ["kernel.all.load"], mode: "raw", partial: %t })`
	some := plain[frame](p, fmt.Sprintf(logged, true))
	if again := f.sent.Load(); again != sent {
		t.Errorf("the logged values of the same window fetched %d bytes", again-sent)
	}
	all := plain[frame](p, fmt.Sprintf(logged, false))
	if f.sent.Load() < raw*99/100 {
		t.Errorf("exact values came without reading the archive: %d of %d bytes", f.sent.Load(), raw)
	}
	at := map[float64]int{}
	for i, seconds := range all.Times {
		at[seconds] = i
	}
	for i, seconds := range some.Times {
		k, ok := at[seconds]
		for c := range some.Columns {
			if !ok || fmt.Sprint(some.Columns[c].Values[i]) != fmt.Sprint(all.Columns[c].Values[k]) {
				t.Fatalf("%v s after the start the preview has %v, which was not logged", seconds, some.Columns[c].Values[i])
			}
		}
	}
	if len(some.Times) < 20 {
		t.Errorf("the preview has %d moments", len(some.Times))
	}
}
