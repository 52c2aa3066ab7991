package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"pcpscope/wasm/edge/worker"
)

// started serves a site and a host with a sparse volume of a terabyte.
func started(t *testing.T, change func(*Options)) string {
	t.Helper()
	dist, archives := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dist, "index.html"), "page")
	write(filepath.Join(dist, "docs/index.html"), "guides")
	write(filepath.Join(archives, "web01/20261121.0"), "volume")
	if err := os.Truncate(filepath.Join(archives, "web01/20261121.0"), 1<<40); err != nil {
		t.Fatal(err)
	}
	o := Options{Dist: dist, Archives: archives}
	change(&o)
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func get(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
	return answer, string(text)
}

func TestServe(t *testing.T) {
	at := started(t, func(o *Options) { o.Prefix = "/pcpscope/" })
	for path, want := range map[string]string{
		"/pcpscope/": "page", "/pcpscope/index.html": "page", "/pcpscope/docs/": "guides", "/pcpscope/docs/index.html": "guides", "/": "page", "/pcpscope": "page",
		"/archives/": `[{"name":"web01","type":"directory"}]`,
	} {
		if r, text := get(t, at+path); r.StatusCode != 200 || text != want {
			t.Errorf("%s: %d %q, want %q", path, r.StatusCode, text, want)
		}
	}
	// The cost of a range depends on its length, not on the file.
	r, text := get(t, at+"/archives/web01/20261121.0", "Range", "bytes=0-5")
	if r.StatusCode != 206 || text != "volume" || r.Header.Get("Content-Range") != "bytes 0-5/1099511627776" || r.Header.Get("ETag") == "" {
		t.Errorf("a range: %d %q %v", r.StatusCode, text, r.Header)
	}
	if r, _ := get(t, at+"/archives/web01/20261121.0", "Range", "bytes=1099511627770-", "Origin", "https://a.example"); r.StatusCode != 206 || r.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a page of another origin: %d %v", r.StatusCode, r.Header)
	}
}

func TestServeForOthers(t *testing.T) {
	at := started(t, func(o *Options) {
		o.Origins, o.Tokens = []string{"*"}, []worker.Token{{Name: "a", Secret: "secret"}}
	})
	if r, _ := get(t, at+"/archives/web01/"); r.StatusCode != 401 {
		t.Errorf("without a token: %d", r.StatusCode)
	}
	r, _ := get(t, at+"/archives/web01/20261121.0", "Range", "bytes=0-5", "Origin", "https://a.example", "Authorization", "Bearer secret")
	if r.StatusCode != 206 || r.Header.Get("Access-Control-Allow-Origin") != "https://a.example" {
		t.Errorf("by CORS: %d %v", r.StatusCode, r.Header)
	}
	if _, text := get(t, at+"/"); text != "page" {
		t.Errorf("the page needs a token: %q", text)
	}
}
