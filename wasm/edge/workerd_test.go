// Vet for the browser need not compile what builds sites.

//go:build !js

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pcpscope/internal/build"
	"pcpscope/internal/inputs"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/site"
)

const volume = "0123456789"

// deployed is the Worker as an operator deploys it.
type deployed struct {
	t                         *testing.T
	root, worker, dist, files string
	toml                      string
}

// deploy builds what wrangler.toml names, and a bucket with a few archives.
func deploy(t *testing.T) *deployed {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := nodejs.Ready(root); err != nil {
		t.Skip(err)
	}
	inputs.Watch(t, root)
	dir := t.TempDir()
	d := &deployed{t: t, root: root, worker: filepath.Join(dir, "worker"), dist: filepath.Join(dir, "dist"), files: filepath.Join(dir, "archives")}
	text, err := os.ReadFile("wrangler.toml")
	if err == nil {
		d.toml = string(text)
		err = build.Edge(build.Options{Root: root}, d.worker)
	}
	if err == nil {
		err = build.Site(build.Options{Root: root, Dist: d.dist, Log: t.Logf})
	}
	if err == nil {
		err = os.MkdirAll(d.files, 0o755)
	}
	for name, text := range map[string]string{"web01.0": volume, "web01.meta": "meta"} {
		if err == nil {
			err = os.WriteFile(filepath.Join(d.files, name), []byte(text), 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	d.affordable()
	return d
}

// affordable compares the Worker's size with the guide's claims.
func (d *deployed) affordable() {
	d.t.Helper()
	guide, err := os.ReadFile("../../docs/operators.md")
	if err != nil {
		d.t.Fatal(err)
	}
	said := regexp.MustCompile(`this one is ([0-9.]+) MB`).FindSubmatch(guide)
	if said == nil {
		d.t.Fatal("docs/operators.md does not say how large the Worker is")
	}
	files, _ := filepath.Glob(filepath.Join(d.worker, "*"))
	var packed bytes.Buffer
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			d.t.Fatal(err)
		}
		z := gzip.NewWriter(&packed)
		z.Write(data)
		z.Close()
	}
	if got := float64(packed.Len()) / 1e6; fmt.Sprintf("%.0f", got) != string(said[1]) {
		d.t.Errorf("packed the Worker has %.2f MB, the guide says %s", got, said[1])
	}
}

// set reads a setting from wrangler.toml.
func (d *deployed) set(name string) string {
	m := regexp.MustCompile(`(?m)^` + name + ` = "?([^"\n]*)"?$`).FindStringSubmatch(d.toml)
	if m == nil {
		d.t.Fatalf("wrangler.toml does not set %s", name)
	}
	return m[1]
}

// run starts the Worker with these settings.
func (d *deployed) run(vars map[string]string) *served {
	d.t.Helper()
	config, _ := json.Marshal(map[string]any{
		"worker": d.worker, "entry": filepath.Base(d.set("main")), "dist": d.dist, "archives": d.files, "vars": vars,
		"first": d.set("run_worker_first") == "true", "html": d.set("html_handling"), "date": d.set("compatibility_date"),
	})
	cmd, err := nodejs.Script(d.root, "e2e/js/edge.mjs", string(config))
	if err != nil {
		d.t.Fatal(err)
	}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	in, _ := cmd.StdinPipe()
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	s := &served{t: d.t, in: in}
	d.t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		late.Stop()
		if d.t.Failed() {
			d.t.Logf("workerd says\n%s", &complaints)
		}
	})
	giveUp := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer giveUp.Stop()
	lines := bufio.NewScanner(out)
	for s.address == "" && lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http://") {
			s.address = strings.TrimSuffix(lines.Text(), "/")
		}
	}
	if s.address == "" {
		d.t.Fatalf("workerd does not start:\n%s", &complaints)
	}
	go func() {
		for lines.Scan() {
			s.mu.Lock()
			s.log = append(s.log, lines.Text())
			s.mu.Unlock()
		}
	}()
	return s
}

type served struct {
	t       *testing.T
	address string
	in      io.Writer // takes files for the bucket
	mu      sync.Mutex
	log     []string
}

func (s *served) ask(method, path string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.address+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Errorf("%s %s: %v", method, path, err)
	}
	return answer, string(text)
}

// The Worker as deployed, in Cloudflare's runtime.
func TestInWorkerd(t *testing.T) {
	d := deploy(t)
	for what, vars := range map[string]map[string]string{
		"as it is": {"READ_TOKEN": "secret"},
		"widened":  {"READ_TOKEN": "secret", "EMBEDDERS": "https://dash.example.com", "ARCHIVE_ORIGINS": "https://logs.example.com https://more.example.com"},
	} {
		t.Run(what, func(t *testing.T) {
			d.t = t
			s := d.run(vars)
			headers(s, d.dist, site.Policy{Archives: strings.Fields(vars["ARCHIVE_ORIGINS"]), Embedders: strings.Fields(vars["EMBEDDERS"])})
			if what == "as it is" {
				archives(s)
				catalogs(s)
			}
		})
	}
	t.Run("settings that are none", func(t *testing.T) {
		d.t = t
		if r, text := d.run(map[string]string{"EMBEDDERS": "https://a; script-src *"}).ask("GET", "/"); r.StatusCode != 500 || !strings.Contains(text, "settings") {
			t.Errorf("%d %q", r.StatusCode, text)
		}
	})
}

// headers checks every path of the site.
func headers(s *served, dist string, policy site.Policy) {
	t := s.t
	paths := map[string]string{"/": "index.html", "/?embed=1": "embed.html", "/docs/": "docs/index.html", "/x/../embed.html": "embed.html"}
	fs.WalkDir(os.DirFS(dist), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != "_headers" && name != "catalog.json" { // the Worker has its own
			paths["/"+name] = name
		}
		return err
	})
	if len(paths) < 40 {
		t.Errorf("the site has %d paths only", len(paths))
	}
	for path, name := range paths {
		want, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"GET", "HEAD"} {
			r, text := s.ask(method, path, "Accept-Encoding", "identity")
			if r.StatusCode != 200 || method == "GET" && text != string(want) || method == "HEAD" && text != "" {
				t.Errorf("%s %s: %d, %d bytes, want %d", method, path, r.StatusCode, len(text), len(want))
			}
			for _, h := range policy.Headers(name) {
				if got := r.Header.Values(h.Name); len(got) != 1 || got[0] != h.Value {
					t.Errorf("%s %s: %s is %q, want %q", method, path, h.Name, got, h.Value)
				}
			}
		}
	}
	for _, path := range []string{"/missing.js", "/_headers", "/embed", "/docs", "/confirm"} {
		if r, _ := s.ask("GET", path); r.StatusCode != 404 || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
	}
	page, _ := s.ask("GET", "/index.html")
	if r, _ := s.ask("GET", "/index.html", "If-None-Match", page.Header.Get("ETag")); r.StatusCode != 304 || r.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("with its ETag: %d %v, want 304", r.StatusCode, r.Header)
	}
	if r, _ := s.ask("POST", "/"); r.StatusCode != 405 {
		t.Errorf("POST: %d", r.StatusCode)
	}
}

// catalogs adds days to the bucket, and checks that the catalogue soon lists
// them.
func catalogs(s *served) {
	t := s.t
	const token = "Bearer secret"
	if r, text := s.ask("GET", "/catalog.json"); r.StatusCode != 200 || text != `{"version":1,"archives":"/archives/","needs":"token","hosts":[]}` {
		t.Errorf("without a token the page gets %d %s", r.StatusCode, text)
	}
	index := func() string { _, text := s.ask("GET", "/catalog.json", "Authorization", token); return text }
	if got := index(); !strings.Contains(got, `"hosts":[{"host":"web01"`) {
		t.Errorf("the hosts are %s", got)
	}
	for _, day := range []string{"20261122", "20261123"} {
		for _, name := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
			data, err := os.ReadFile(filepath.Join("../../testdata/live", name))
			if err != nil {
				t.Fatal(err)
			}
			line, _ := json.Marshal(map[string]any{"key": "db-7/" + day + strings.TrimPrefix(name, "web01"), "bytes": data})
			if _, err := s.in.Write(append(line, '\n')); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := `{"host":"db-7","days":2,"first":"2026-11-22","last":"2026-11-23"}`
	for end := time.Now().Add(30 * time.Second); !strings.Contains(index(), want) && time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
	}
	if got := index(); !strings.Contains(got, want) {
		t.Errorf("after two days came the hosts are %s", got)
	}
	// 1795232942315071973 is the start that pmdumplog -L prints of web01; its end is that of the last record, 03:54:02.
	r, text := s.ask("GET", "/archives/db-7/catalog.json", "Authorization", token)
	if r.StatusCode != 200 || strings.Count(text, `"start":"2026-11-21T03:49:02.315071973Z","end":"2026-11-21T03:54:0`) != 2 || strings.Count(text, `"name":"20261122.`) != 3 {
		t.Errorf("the days are %d %s", r.StatusCode, text)
	}
	var days struct {
		Days []struct{ Files []struct{ Name, V string } }
	}
	if err := json.Unmarshal([]byte(text), &days); err != nil || len(days.Days) != 2 {
		t.Fatal(err, text)
	}
	for _, f := range days.Days[0].Files {
		if r, _ := s.ask("GET", "/archives/db-7/"+f.Name+"?v="+f.V, "Authorization", token, "Range", "bytes=0-9"); r.StatusCode != 206 || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", f.Name, r.StatusCode, r.Header)
		}
	}
	if r, _ := s.ask("GET", "/archives/db-7/catalog.json"); r.StatusCode != 401 {
		t.Errorf("without a token the days are told: %d", r.StatusCode)
	}
	// An index of all hosts is added, announced, listed and served like
	// archives.
	const manifest, page = "pcpscope-fleet/manifest.json", "pcpscope-fleet/page/day=2026-11-22/0123456789abcdef.bin"
	for key, text := range map[string]string{page: volume, manifest: `{"version":1}`} {
		line, _ := json.Marshal(map[string]any{"key": key, "bytes": []byte(text)})
		if _, err := s.in.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(30 * time.Second); !strings.Contains(index(), `"fleet":"pcpscope-fleet/"`) && time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
	}
	if got := index(); !strings.Contains(got, `"fleet":"pcpscope-fleet/"`) || strings.Contains(got, `"host":"pcpscope-fleet"`) {
		t.Errorf("after an index came the catalogue is %s", got)
	}
	if r, text := s.ask("GET", "/archives/"+page, "Authorization", token, "Range", "bytes=3-5"); r.StatusCode != 206 || text != "345" || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("a range of the index is %d %q %v", r.StatusCode, text, r.Header)
	}
	if r, text := s.ask("GET", "/archives/"+manifest, "Authorization", token); r.StatusCode != 200 || text != `{"version":1}` || r.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("the manifest is %d %q %v", r.StatusCode, text, r.Header)
	}
	if r, text := s.ask("GET", "/archives/pcpscope-fleet/", "Authorization", token); r.StatusCode != 200 || !strings.Contains(text, `"name":"page"`) {
		t.Errorf("the files of the index are %d %s", r.StatusCode, text)
	}
	for _, key := range []string{manifest, page} {
		if r, _ := s.ask("GET", "/archives/"+key); r.StatusCode != 401 {
			t.Errorf("without a token %s is %d", key, r.StatusCode)
		}
	}
}

func archives(s *served) {
	t := s.t
	const path, token = "/archives/web01/20261121.web01.0", "Bearer secret"
	whole, text := s.ask("GET", path, "Authorization", token)
	tag := whole.Header.Get("ETag")
	if whole.StatusCode != 200 || text != volume || tag == "" {
		t.Errorf("a volume: %d %q %v", whole.StatusCode, text, whole.Header)
	}
	for _, tt := range []struct {
		headers []string
		status  int
		body    string
		extent  string
	}{
		{[]string{"Range", "bytes=3-5", "If-Match", tag}, 206, "345", "bytes 3-5/10"},
		{[]string{"Range", "bytes=8-99"}, 206, "89", "bytes 8-9/10"},
		{[]string{"Range", "bytes=8-"}, 206, "89", "bytes 8-9/10"},
		{[]string{"Range", "bytes=-3"}, 206, "789", "bytes 7-9/10"},
		{[]string{"Range", "bytes=-99"}, 206, volume, "bytes 0-9/10"},
		{[]string{"Range", "bytes=10-"}, 416, "", "bytes */10"},
		{[]string{"Range", "bytes=-0"}, 416, "", "bytes */10"},
		{[]string{"Range", "bytes=0-1,4-5"}, 200, volume, ""},
		{[]string{"Range", "bytes=0-3", "If-Range", `"old"`}, 200, volume, ""},
		{[]string{"If-None-Match", tag}, 304, "", ""},
		{[]string{"If-Match", `"old"`}, 412, "", ""},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			r, text := s.ask(method, path, append(tt.headers, "Authorization", token)...)
			want := tt.body
			if method == "HEAD" {
				want = ""
			}
			if r.StatusCode != tt.status || tt.status < 300 && (text != want || r.ContentLength != int64(len(tt.body))) || r.Header.Get("Content-Range") != tt.extent {
				t.Errorf("%s %q: %d %q of %d, %q, want %d %q %q", method, tt.headers, r.StatusCode, text, r.ContentLength, r.Header.Get("Content-Range"), tt.status, want, tt.extent)
			}
		}
	}
	for path, want := range map[string]int{"/archives/web01/nothing": 404, "/archives/web01": 404, "/archives/web01/20261122/": 404, "/archives": 301} {
		for _, method := range []string{"GET", "HEAD"} {
			if r, _ := s.ask(method, path, "Authorization", token); r.StatusCode != want {
				t.Errorf("%s %s: %d, want %d", method, path, r.StatusCode, want)
			}
		}
	}
	if r, _ := s.ask("GET", "/archives/web01/", "Authorization", "Bearer wrong"); r.StatusCode != 401 {
		t.Errorf("with a wrong token: %d, want 401", r.StatusCode)
	}
	if _, text := s.ask("GET", "/archives/", "Authorization", token); text != `[{"name":"web01","type":"directory"}]` {
		t.Errorf("the hosts are %s", text)
	}
	if _, text := s.ask("GET", "/archives/web01/20261121/", "Authorization", token); strings.Count(text, `"url":"../20261121.web01.`) != 2 {
		t.Errorf("the day's files are %s", text)
	}
	// Many concurrent requests to one program: responses are not mixed up, and
	// some clients disconnect.
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			from := i % 10
			r, _ := http.NewRequest("GET", s.address+path, nil)
			r.Header.Set("Authorization", token)
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, from))
			if i%7 == 0 {
				client := http.Client{Timeout: time.Millisecond}
				if a, err := client.Do(r); err == nil {
					a.Body.Close()
				}
				return
			}
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			text, _ := io.ReadAll(a.Body)
			a.Body.Close()
			if a.StatusCode != 206 || string(text) != volume[from:from+1] {
				t.Errorf("byte %d: %d %q", from, a.StatusCode, text)
			}
		}()
	}
	wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if log := strings.Join(s.log, "\n"); !strings.Contains(log, `{"who":"token","method":"GET","path":"/archives/web01/20261121.web01.0","range":"bytes=3-5","status":206,"bytes":3}`) || strings.Contains(log, "secret") {
		t.Errorf("the access log is\n%.2000s", log)
	}
}
