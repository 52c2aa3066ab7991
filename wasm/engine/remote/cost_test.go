package remote

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/container/xz"
	"pcpscope/core/pcp"
)

// A metered host serves a folder with a delay, and records each range sent.
type metered struct {
	*httptest.Server
	busy     sync.WaitGroup // requests under way
	mu       sync.Mutex
	requests int
	bytes    int64
	ranges   map[string][]pcp.Span // by file
}

func meter(t *testing.T, dir string, delay time.Duration) *metered {
	m := &metered{ranges: map[string][]pcp.Span{}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.busy.Add(1)
		defer m.busy.Done()
		time.Sleep(delay)
		c := &counter{w, new(int)}
		http.ServeFile(c, r, filepath.Join(dir, filepath.Base(r.URL.Path)))
		m.mu.Lock()
		defer m.mu.Unlock()
		m.requests++
		m.bytes += int64(*c.n)
		var first int64
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &first)
		if _, err := os.Stat(filepath.Join(dir, filepath.Base(r.URL.Path))); err == nil && *c.n > 0 {
			m.ranges[r.URL.Path] = append(m.ranges[r.URL.Path], pcp.Span{Start: pcp.Time(first), End: pcp.Time(first + int64(*c.n))})
		}
	}))
	t.Cleanup(m.Close)
	return m
}

// sent returns the number of requests and the number of bytes sent.
func (m *metered) sent() (requests int, bytes int64) {
	m.busy.Wait() // the client may have everything before it is counted
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests, m.bytes
}

// twice lists what was sent more than once.
func (m *metered) twice() (list []string) {
	m.busy.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, ranges := range m.ranges {
		slices.SortFunc(ranges, func(a, b pcp.Span) int { return cmp.Compare(a.Start, b.Start) })
		for i := 1; i < len(ranges); i++ {
			if ranges[i].Start < ranges[i-1].End {
				list = append(list, fmt.Sprintf("%s %d-%d and %d-%d", name, ranges[i-1].Start, ranges[i-1].End, ranges[i].Start, ranges[i].End))
			}
		}
	}
	return list
}

// These tests use as many connections as a browser does.
func init() { http.DefaultTransport.(*http.Transport).MaxConnsPerHost = atOnce }

// openAt opens a URL as the engine does.
func openAt(t *testing.T, address string) (*core.Session, api.Source) {
	t.Helper()
	found, missed := find(t, Finder{Client: plainClient{}, Origin: "http://page", LastVolume: core.LastVolume}, address)
	if len(missed) > 0 {
		t.Fatal(missed)
	}
	var files []core.File
	for _, f := range found {
		files = append(files, core.File{Name: f.Name, Size: f.Size, At: f.At})
	}
	s := core.NewSession(core.Options{})
	opened, err := s.Open(t.Context(), files, nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatal(opened, err)
	}
	return s, opened.Sources[0]
}

// bigArchive unpacks the large archive beside the module.
func bigArchive(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{"0", "1", "2", "3", "meta", "index"} {
		from := filepath.Join("../../../../shared/corpus/big", "20180416.10.00."+part)
		in, err := os.Open(from)
		var r io.Reader = in
		if err != nil {
			if in, err = os.Open(from + ".xz"); err != nil {
				t.Skip("the reference data is not beside the repository")
			}
			r = xz.NewReader(in, 64<<20)
		}
		out, err := os.Create(filepath.Join(dir, "20180416.10.00."+part))
		if err == nil {
			_, err = io.Copy(out, r)
		}
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		out.Close()
	}
	return dir
}

func (m *metered) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests, m.bytes = 0, 0
}

// The first chart of the large archive, with a cold cache.
func TestFirstChartsCost(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks for half a minute under the race detector")
	}
	m := meter(t, bigArchive(t), 80*time.Millisecond)
	begin := time.Now()
	s, src := openAt(t, m.URL+"/20180416.10.00")
	requests, bytes := m.sent()
	t.Logf("open: %d requests, %.1f MB, %v", requests, float64(bytes)/1e6, time.Since(begin))
	step := int64(60e9)
	q := api.Query{Source: src.ID, Metrics: []string{"kernel.all.load"}, Interval: &api.When{Nanos: &step}, Partial: true}
	f, err := s.Fetch(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	requests, bytes = m.sent()
	t.Logf("first chart: %d requests, %.1f MB, %v, preview %v", requests, float64(bytes)/1e6, time.Since(begin), f.Preview)
	if requests > 60 || bytes > 12e6 || !f.Preview {
		t.Errorf("the first chart costs %d requests and %.1f MB, want at most 60 and 12; preview: %v", requests, float64(bytes)/1e6, f.Preview)
	}
	if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
		t.Fatal(err)
	}
	requests, bytes = m.sent()
	t.Logf("all: %d requests, %.1f MB, %v", requests, float64(bytes)/1e6, time.Since(begin))
	if list := m.twice(); len(list) > 0 {
		t.Errorf("%d ranges are sent twice, such as %s", len(list), list[0])
	}
}

// written writes an archive of roughly the given size, with records of 100
// values.
func written(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: "web01", Timezone: "UTC"}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) { return os.Create(filepath.Join(dir, "web01."+suffix)) })
	if err != nil {
		t.Fatal(err)
	}
	var sets []archive.ValueSet
	steps := []error{}
	for i := range 100 {
		d := pcp.Desc{PMID: pcp.MakePMID(60, 0, i), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Instant}
		steps = append(steps, w.Desc(d, fmt.Sprintf("a.m%02d", i)))
		sets = append(sets, archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance}}})
	}
	rare := pcp.Desc{PMID: pcp.MakePMID(60, 1, 0), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter}
	once := pcp.Desc{PMID: pcp.MakePMID(60, 1, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	steps = append(steps, w.Desc(rare, "b.rare"), w.Desc(once, "b.once"))
	for k := range bytes / 3000 {
		for i := range sets {
			sets[i].Values[0].Val = uint64(k*1000 + i)
		}
		some := sets
		if k%500 == 0 { // logged rarely, and once
			some = append(slices.Clone(sets), archive.ValueSet{PMID: rare.PMID, Type: rare.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(k)}}})
		}
		if k == 0 {
			some = append(some, archive.ValueSet{PMID: once.PMID, Type: once.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 7}}})
		}
		steps = append(steps, w.Record(label.Start+pcp.Time(k)*1e9, some))
	}
	for _, err := range append(steps, w.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Reading in parts never costs more than reading everything, and a small
// archive is read as a whole.
func TestPartsCostNoMoreThanAll(t *testing.T) {
	sizes := []int{2 << 20, 12 << 20, 40 << 20}
	if testing.Short() { // the largest is read in parts like the one before it
		sizes = sizes[:2]
	}
	for _, size := range sizes {
		dir := written(t, size)
		var raw int64
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			info, _ := e.Info()
			raw += info.Size()
		}
		m := meter(t, dir, 5*time.Millisecond)
		s, src := openAt(t, m.URL+"/web01")
		step := int64(60e9)
		var wg sync.WaitGroup
		for i := range 20 { // like a page that shows a dashboard
			wg.Add(1)
			go func() {
				defer wg.Done()
				if _, err := s.Fetch(context.Background(), api.Query{Source: src.ID, Metrics: []string{fmt.Sprintf("a.m%02d", i)}, Interval: &api.When{Nanos: &step}, Partial: true}, nil); err != nil {
					t.Error(err)
				}
			}()
		}
		wg.Wait()
		if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
			t.Fatal(err)
		}
		requests, bytes := m.sent()
		t.Logf("%.1f MB: %d requests, %.1f MB", float64(raw)/1e6, requests, float64(bytes)/1e6)
		if bytes > raw+4096 {
			t.Errorf("of %d bytes, %d were sent; want at most 4,096 more", raw, bytes)
		}
		if limit := 12 + int(raw>>20); size < 24<<20 && requests > limit {
			t.Errorf("%.1f MB took %d requests, want at most %d", float64(raw)/1e6, requests, limit)
		}
		if list := m.twice(); len(list) > 0 {
			t.Errorf("%d ranges are sent twice, such as %s", len(list), strings.Join(list[:1], ""))
		}
	}
}

// A window is read separately and exactly: the answer equals that after
// reading everything, and is marked as exact; its cost depends on the window,
// and repeating a query costs nothing.
func TestWindowsCost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector")
	}
	dir := written(t, 32<<20)
	m := meter(t, dir, 0)
	s, src := openAt(t, m.URL+"/web01")
	at := func(seconds int64) *api.When { n := int64(src.Start) + seconds*1e9; return &api.When{Nanos: &n} }
	step := int64(5e9)
	for _, metrics := range [][]string{{"a.m07"}, {"a.m07", "a.m08 - a.m07", "delta(a.m09)"}, {"b.rare"}, {"b.once"}} {
		for _, mode := range []string{"interp", "raw"} {
			for _, convert := range []string{"none", "rate"} {
				s, src := openAt(t, m.URL+"/web01")
				q := api.Query{Source: src.ID, Metrics: metrics, Start: at(7003), End: at(7122), Mode: mode, Convert: convert, Read: "window"}
				if mode == "interp" {
					q.Interval = &api.When{Nanos: &step}
				}
				m.reset()
				window, err := s.Fetch(t.Context(), q, nil)
				if err != nil {
					t.Fatal(err)
				}
				requests, cost := m.sent()
				_, err = s.Fetch(t.Context(), q, nil)
				if _, again := m.sent(); err != nil || again != cost {
					t.Errorf("%v: asked again, it costs %d more bytes: %v", metrics, again-cost, err)
				}
				q.Read = "all"
				all, err := s.Fetch(t.Context(), q, nil)
				if err != nil {
					t.Fatal(err)
				}
				if window.Preview || window.Read != "window" && window.Read != "all" || all.Read != "all" {
					t.Errorf("%v: the answers say %q (preview: %v) and %q", metrics, window.Read, window.Preview, all.Read)
				}
				if metrics[0] == "a.m07" && (window.Read != "window" || cost > 2<<20 || requests > 8) {
					t.Errorf("%v: two minutes of a day cost %d bytes in %d requests; read: %q", metrics, cost, requests, window.Read)
				}
				window.Read = all.Read
				if got, want := fmt.Sprintf("%+v", *window), fmt.Sprintf("%+v", *all); got != want {
					t.Errorf("%v, %s, %s: the window is\n%.600s\nwant\n%.600s", metrics, mode, convert, got, want)
				}
			}
		}
	}
	if _, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"a.m07"}, Read: "some"}, nil); err == nil || !strings.Contains(err.Error(), "read") {
		t.Errorf("read: \"some\" gives %v", err)
	}
}
