//go:build !js

package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/catalog"
)

// aDay writes the three files of a day's archive: from ten past midnight to the
// next midnight, in UTC.
func aDay(t *testing.T, day string) map[string][]byte {
	t.Helper()
	begin, err := time.Parse("20060102", day)
	if err != nil {
		t.Fatal(err)
	}
	start := pcp.Time(begin.UnixNano()) + 600e9
	files := map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 7, Start: start, Host: "h", Timezone: "CET-1CEST"}, func(suffix string) (io.WriteCloser, error) {
		files[day+".00.10."+suffix] = &bytes.Buffer{}
		return closing{files[day+".00.10."+suffix]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	steps := []error{
		w.Desc(pcp.Desc{PMID: pcp.MakePMID(60, 0, 0), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}, "a.b"),
	}
	for _, at := range []pcp.Time{start, start + 85_800e9} {
		steps = append(steps, w.Record(at, []archive.ValueSet{{PMID: pcp.MakePMID(60, 0, 0), Type: pcp.Uint32, Values: []archive.Value{{Inst: -1, Val: 1}}}}))
	}
	for _, err := range append(steps, w.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	out := map[string][]byte{}
	for name, b := range files {
		out[name] = b.Bytes()
	}
	return out
}

type closing struct{ *bytes.Buffer }

func (closing) Close() error { return nil }

// memory is a writable bucket that counts requests; it may be used
// concurrently.
type memory struct {
	sync.Mutex
	objects map[string][]byte
	tags    map[string]int
	now     time.Time
	asked   []string
}

func newMemory() *memory {
	return &memory{objects: map[string][]byte{}, tags: map[string]int{}, now: time.Unix(1_800_000_000, 0)}
}

func (m *memory) put(key string, data []byte) { m.objects[key], m.tags[key] = data, m.tags[key]+1 }

func (m *memory) object(key string) *Object {
	if data, ok := m.objects[key]; ok {
		return &Object{Key: key, Size: int64(len(data)), Tag: fmt.Sprintf(`"%d"`, m.tags[key]), Modified: m.now}
	}
	return nil
}

func (m *memory) Head(_ context.Context, key string) (*Object, error) {
	m.Lock()
	defer m.Unlock()
	return m.object(key), nil
}

func (m *memory) Get(ctx context.Context, key string, r *Range) (*Object, Content, error) {
	data, o, err := m.Read(ctx, key, r)
	return o, text(data), err
}

func (m *memory) Read(_ context.Context, key string, r *Range) ([]byte, *Object, error) {
	m.Lock()
	defer m.Unlock()
	m.asked = append(m.asked, "read "+key)
	o := m.object(key)
	if o == nil {
		return nil, nil, nil
	}
	offset, n, _ := r.Within(o.Size)
	return m.objects[key][offset : offset+n], o, nil
}

func (m *memory) List(_ context.Context, prefix string) (folders []string, objects []Object, err error) {
	m.Lock()
	defer m.Unlock()
	m.asked = append(m.asked, "list "+prefix)
	for key := range m.objects {
		rest, ok := strings.CutPrefix(key, prefix)
		if folder, _, inside := strings.Cut(rest, "/"); ok && inside {
			if !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		} else if ok {
			objects = append(objects, *m.object(key))
		}
	}
	slices.Sort(folders)
	slices.SortFunc(objects, func(a, b Object) int { return strings.Compare(a.Key, b.Key) })
	return folders, objects, nil
}

func (m *memory) Put(_ context.Context, key string, data []byte, tag string) (bool, error) {
	m.Lock()
	defer m.Unlock()
	m.asked = append(m.asked, "put "+key)
	if o := m.object(key); o == nil && tag != "" || o != nil && tag != o.Tag {
		return false, nil
	}
	m.put(key, data)
	return true, nil
}

// Responses without fields that only a server can know.
func parts[T any](t *testing.T, r *http.Response) T {
	t.Helper()
	var v T
	if text := body(r); r.StatusCode != 200 || json.Unmarshal([]byte(text), &v) != nil {
		t.Fatalf("%d %s", r.StatusCode, text)
	}
	return v
}

// A bucket and a folder with the same files have the same catalogue.
func TestCatalog(t *testing.T) {
	dir, m := t.TempDir(), newMemory()
	add := func(host, name string, data []byte) {
		m.put(host+"/"+name, data)
		os.MkdirAll(filepath.Join(dir, host), 0o755)
		if err := os.WriteFile(filepath.Join(dir, host, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, day := range []string{"20261120", "20261121"} {
		for name, data := range aDay(t, day) {
			add("web01", name, data)
		}
	}
	for name, data := range aDay(t, "20261119") { // named differently, so that only the label has the date
		add("db-7", strings.Replace(name, "20261119.00.10", "today", 1), data)
	}
	add("web01", "Latest", []byte("a folio"))
	add("web01", "20261118.00.10.0.xz", []byte("a volume alone"))
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	store := &CatalogStore{Bucket: m, Writer: m, Now: func() time.Time { return m.now }}
	if err := store.Changed(t.Context(), []string{"web01/20261120.00.10.0", "db-7/x", "web01/catalog.json", "catalog.json"}); err != nil {
		t.Fatal(err)
	}
	for what, h := range map[string]http.Handler{
		"a bucket": New(Config{Public: true, Catalog: store}, assets, m),
		"a folder": New(Config{Public: true, Catalog: NewFolderCatalog(f)}, assets, f),
	} {
		for _, path := range []string{"/catalog.json", "/archives/catalog.json"} {
			want := `[{"host":"db-7","days":1,"first":"2026-11-19","last":"2026-11-19"},{"host":"web01","days":3,"first":"2026-11-18","last":"2026-11-21"}]`
			index := parts[catalog.Index](t, ask(h, "GET", path))
			if got, _ := json.Marshal(index.Hosts); string(got) != want || index.Needs != "" || (index.Archives == "/archives/") != (path == "/catalog.json") {
				t.Errorf("%s, %s: hosts = %s, want %s", what, path, got, want)
			}
		}
		days := parts[catalog.Host](t, ask(h, "GET", "/archives/web01/catalog.json"))
		if len(days.Days) != 3 || days.Timezone != "CET-1CEST" {
			t.Fatalf("%s: %+v", what, days)
		}
		first, last := days.Days[0], days.Days[2]
		if first.Day != "2026-11-18" || first.Start != "" || len(first.Files) != 1 || first.Bytes != 14 {
			t.Errorf("%s: a volume alone is %+v", what, first)
		}
		// 85,800 s after ten past midnight.
		if last.Day != "2026-11-21" || last.Start != "2026-11-21T00:10:00.000000000Z" || last.End != "2026-11-22T00:00:00.000000000Z" || len(last.Files) != 3 || last.Fingerprint == days.Days[1].Fingerprint {
			t.Errorf("%s: the last day is %+v", what, last)
		}
		var sum int64
		for _, f := range last.Files {
			sum += f.Size
			// Files may be cached by their catalogue URLs, but not by their plain names.
			at := "/archives/web01/" + f.Name
			if r := ask(h, "GET", at+"?v="+f.V, "Range", "bytes=0-3"); r.StatusCode != 206 || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %s: %d %v", what, f.Name, r.StatusCode, r.Header)
			}
			for _, other := range []string{"", "?v=", "?v=000000000000"} {
				if r := ask(h, "GET", at+other); r.StatusCode != 200 || r.Header.Get("Cache-Control") != "private, no-cache" {
					t.Errorf("%s: %s%s: %d %v", what, f.Name, other, r.StatusCode, r.Header)
				}
			}
		}
		if sum != last.Bytes {
			t.Errorf("%s: the day has %d bytes, its files %d", what, last.Bytes, sum)
		}
		r := ask(h, "GET", "/archives/web01/catalog.json")
		if again := ask(h, "GET", "/archives/web01/catalog.json", "If-None-Match", r.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s: with its ETag: %d", what, again.StatusCode)
		}
		for path, want := range map[string]int{"/archives/nobody/catalog.json": 404, "/archives/../catalog.json": 404, "/archives/a/b/catalog.json": 404} {
			if r := ask(h, "GET", path); r.StatusCode != want {
				t.Errorf("%s: %s: %d, want %d", what, path, r.StatusCode, want)
			}
		}
		if text := body(ask(h, "GET", "/archives/")); strings.Contains(text, "catalog") {
			t.Errorf("%s: the listing has %s", what, text)
		}
	}
}

// A client sees only the hosts it may read; if the page may show nothing, it
// says what is missing.
func TestCatalogOfTokens(t *testing.T) {
	m := newMemory()
	for _, host := range []string{"web01", "web02", "db-7"} {
		for _, day := range []string{"20261120", "20261121"} {
			for name, data := range aDay(t, day) {
				m.put(host+"/"+name, data)
			}
		}
	}
	store := &CatalogStore{Bucket: m, Writer: m, Now: func() time.Time { return m.now }}
	var log []Visit
	h := New(Config{Catalog: store, Log: func(v Visit) { log = append(log, v) }, Tokens: []Token{
		{"all", "a-token-for-all-hosts", nil}, {"web", "a-token-for-web-hosts", []string{"web0"}}, {"one", "a-token-for-one-day", []string{"web01/20261121"}},
	}}, assets, m)
	hosts := func(path, secret string) (list string) {
		index := parts[catalog.Index](t, ask(h, "GET", path, "Authorization", "Bearer "+secret))
		for _, l := range index.Hosts {
			list += l.Host + " "
		}
		return list + index.Needs
	}
	for secret, want := range map[string]string{"a-token-for-all-hosts": "db-7 web01 web02 ", "a-token-for-web-hosts": "web01 web02 ", "a-token-for-one-day": "web01 ", "wrong": "token", "": "token"} {
		if got := hosts("/catalog.json", secret); got != want {
			t.Errorf("with %q: %q, want %q", secret, got, want)
		}
		if want != "token" { // the same list beside the archives
			if got := hosts("/archives/catalog.json", secret); got != want {
				t.Errorf("beside the archives, with %q: %q, want %q", secret, got, want)
			}
		}
	}
	days := parts[catalog.Host](t, ask(h, "GET", "/archives/web01/catalog.json", "Authorization", "Bearer a-token-for-one-day"))
	if len(days.Days) != 1 || days.Days[0].Day != "2026-11-21" || len(days.Days[0].Files) != 3 {
		t.Errorf("the token for one day sees %+v", days.Days)
	}
	for path, want := range map[string]int{"/archives/web01/catalog.json": 401, "/archives/catalog.json": 401} {
		if r := ask(h, "GET", path); r.StatusCode != want {
			t.Errorf("%s without a token: %d, want %d", path, r.StatusCode, want)
		}
	}
	if r := ask(h, "GET", "/archives/db-7/catalog.json", "Authorization", "Bearer a-token-for-web-hosts"); r.StatusCode != 403 {
		t.Errorf("another host: %d, want 403", r.StatusCode)
	}
	if !slices.ContainsFunc(log, func(v Visit) bool { return v.Who == "web" && v.Path == "/catalog.json" && v.Status == 200 }) {
		t.Errorf("the log has %+v", log)
	}
}

// A new file requires reading only its own day: past days are not read again.
func TestCatalogIsKept(t *testing.T) {
	m := newMemory()
	for _, day := range []string{"20261119", "20261120", "20261121"} {
		for name, data := range aDay(t, day) {
			m.put("web01/"+name, data)
		}
	}
	k := &CatalogStore{Bucket: m, Writer: m, Now: func() time.Time { return m.now }}
	if err := k.Changed(t.Context(), []string{"web01/20261119.00.10.0"}); err != nil {
		t.Fatal(err)
	}
	indexes := func() (n int) {
		for _, a := range m.asked {
			if strings.HasSuffix(a, ".index") {
				n++
			}
		}
		m.asked = nil
		return n
	}
	if n := indexes(); n != 3 {
		t.Errorf("%d indexes are read, want 3", n)
	}
	for name, data := range aDay(t, "20261122") {
		m.put("web01/"+name, data)
	}
	if err := k.Changed(t.Context(), []string{"web01/20261122.00.10.0", "web01/20261122.00.10.meta"}); err != nil {
		t.Fatal(err)
	}
	if n := indexes(); n != 1 {
		t.Errorf("after one day came %d indexes are read, want 1", n)
	}
	// A request costs one read.
	index, err := k.Index(t.Context())
	if err != nil || index.Hosts[0].Last != "2026-11-22" {
		t.Fatalf("index = %+v, %v; want a last day of 2026-11-22", index, err)
	}
	if days, err := k.Host(t.Context(), "web01"); err != nil || len(days.Days) != 4 || days.Days[0].End == "" {
		t.Fatalf("days of web01 = %+v, %v; want four, the first with an end", days, err)
	}
	if want := []string{"read catalog.json", "read web01/catalog.json"}; !slices.Equal(m.asked, want) {
		t.Errorf("requests = %q, want %q", m.asked, want)
	}
	// Changes without a notification are noticed after an hour.
	made := m.now
	for name, data := range aDay(t, "20261123") {
		m.put("db-7/"+name, data)
	}
	k.Now = func() time.Time { return made.Add(2 * time.Hour) }
	if index, err = k.Index(t.Context()); err != nil || len(index.Hosts) != 2 || index.Hosts[0].Host != "db-7" {
		t.Errorf("index = %+v, %v; want two hosts, db-7 first", index, err)
	}
	if days, err := k.Host(t.Context(), "db-7"); err != nil || len(days.Days) != 1 {
		t.Errorf("days of db-7 = %+v, %v; want one", days, err)
	}
	if index, err = k.Index(t.Context()); err != nil || index.Hosts[0].Days != 1 {
		t.Errorf("index = %+v, %v; want one day of the first host", index, err)
	}
	// Unreadable parts are made again, and deleted archives disappear.
	m.put("web01/"+catalog.Name, []byte("{"))
	if days, err := k.Host(t.Context(), "web01"); err != nil || len(days.Days) != 4 {
		t.Errorf("days of web01 = %+v, %v; want four", days, err)
	}
	for key := range m.objects {
		if strings.HasPrefix(key, "db-7/2") {
			delete(m.objects, key)
		}
	}
	if err := k.Changed(t.Context(), []string{"db-7/20261123.00.10.0"}); err != nil {
		t.Fatal(err)
	}
	k.Now = func() time.Time { return made }
	if index, err = k.Index(t.Context()); err != nil || len(index.Hosts) != 1 {
		t.Errorf("after its files are gone: %+v, %v", index, err)
	}
}
