package site

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
)

var files = fstest.MapFS{
	"index.html":    {Data: []byte("<!doctype html>")},
	"embed.html":    {Data: []byte("<!doctype html>")},
	"app.wasm":      {Data: []byte("\x00asm plain")},
	"app.wasm.br":   {Data: []byte("brotli")},
	"app.wasm.gz":   {Data: []byte("gzip")},
	"pcpscope.d.ts": {Data: []byte("export {}")},
	"_headers":      {Data: []byte(HeadersFile())},
}

func get(path string, headers ...string) *http.Response {
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler(files).ServeHTTP(w, r)
	return w.Result()
}

func TestPolicy(t *testing.T) {
	csp := get("/").Header.Get("Content-Security-Policy")
	for _, directive := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "worker-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains("; "+csp+";", "; "+directive+";") {
			t.Errorf("the policy %q lacks %q", csp, directive)
		}
	}
	if strings.Contains(csp, "unsafe-inline") || strings.Contains(csp, "'unsafe-eval'") || strings.Contains(csp, "*") || strings.Contains(csp, "http") {
		t.Errorf("the policy %q lets too much through", csp)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := get("/").Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestHandler(t *testing.T) {
	for _, tt := range []struct {
		path, accept, kind, coding string
		status                     int
	}{
		{"/", "", "text/html; charset=utf-8", "", 200},
		{"/app.wasm", "", "application/wasm", "", 200},
		{"/app.wasm", "gzip, deflate, br", "application/wasm", "br", 200},
		{"/app.wasm", "gzip;q=1, br;q=0", "application/wasm", "gzip", 200},
		{"/pcpscope.d.ts", "br", "text/plain; charset=utf-8", "", 200},
		{"/nothing.js", "", "text/plain; charset=utf-8", "", 404},
		{"/_headers", "", "text/plain; charset=utf-8", "", 404},
		{"/../../etc/passwd", "", "text/plain; charset=utf-8", "", 404},
	} {
		var headers []string
		if tt.accept != "" {
			headers = []string{"Accept-Encoding", tt.accept}
		}
		r := get(tt.path, headers...)
		if r.StatusCode != tt.status || r.Header.Get("Content-Type") != tt.kind || r.Header.Get("Content-Encoding") != tt.coding {
			t.Errorf("%s (%s): %d %q %q, want %d %q %q", tt.path, tt.accept, r.StatusCode, r.Header.Get("Content-Type"), r.Header.Get("Content-Encoding"), tt.status, tt.kind, tt.coding)
		}
		if r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s is sent without a policy", tt.path)
		}
	}
	tag := get("/app.wasm").Header.Get("ETag")
	if r := get("/app.wasm", "If-None-Match", tag); tag == "" || r.StatusCode != http.StatusNotModified {
		t.Errorf("asked again with ETag %q, the answer is %d, want 304", tag, r.StatusCode)
	}
}

// Static hosts get the same headers from the file as from the handler.
func TestHeadersFileSaysTheSame(t *testing.T) {
	text := HeadersFile()
	for _, name := range []string{"index.html", "app.wasm", "pcpscope.js"} {
		for _, h := range (Policy{}).Headers(name) {
			if h.Name == "Content-Type" && !strings.HasSuffix(name, ".wasm") {
				continue // left to the host
			}
			if !strings.Contains(text, "\n  "+h.Name+": "+h.Value+"\n") {
				t.Errorf("_headers lacks %s: %s", h.Name, h.Value)
			}
		}
	}
}

// Beyond the default, only what the operator allows is allowed.
func TestOperatorsPolicy(t *testing.T) {
	policy := func(p Policy, name string) string {
		for _, h := range p.Headers(name) {
			if h.Name == "Content-Security-Policy" {
				return h.Value
			}
		}
		return ""
	}
	wide := Policy{Archives: []string{"https://logs.example.com"}, Embedders: []string{"https://dash.example.com"}}
	for _, tt := range []struct {
		p         Policy
		name      string
		has, lack string
	}{
		{Policy{}, "index.html", "frame-ancestors 'self'", "*"},
		{Policy{}, "embed.html", "frame-ancestors *", "frame-ancestors 'self'"},
		{wide, "embed.html", "frame-ancestors 'self' https://dash.example.com", "*"},
		{wide, "index.html", "frame-ancestors 'self'", "dash.example.com"},
		{wide, "index.html", "connect-src 'self' https://logs.example.com;", "connect-src *"},
	} {
		if got := policy(tt.p, tt.name); !strings.Contains(got, tt.has) || strings.Contains(got, tt.lack) {
			t.Errorf("%s under %+v: %q, want %q in it and not %q", tt.name, tt.p, got, tt.has, tt.lack)
		}
	}
	if text := wide.File(); !strings.Contains(text, "/embed.html\n  ! Content-Security-Policy\n") {
		t.Errorf("_headers adds a second policy to embed.html:\n%s", text)
	}
}

func TestPolicyTakesOriginsOnly(t *testing.T) {
	for origin, good := range map[string]bool{
		"https://dash.example.com": true, "http://localhost:8080": true, "https://dash.example.com/": false, "dash.example.com": false,
		"*": false, "https://*": false, "https://a;script-src *": false, "https://a, https://b": false, "https://a'": false, "": false,
	} {
		for _, p := range []Policy{{Archives: []string{origin}}, {Embedders: []string{origin}}} {
			if err := p.Check(); (err == nil) != good {
				t.Errorf("%q: %v", origin, err)
			}
		}
	}
}

// The query of the page's URL selects the file, for the page only.
func TestForms(t *testing.T) {
	for query, want := range map[string]string{"": "index.html", "embed=1": Embed, "embed=0": "index.html", "fleet=archives/x/": Fleet, "fleet=x&embed=1": Embed, "host=web01": "index.html"} {
		q, err := url.ParseQuery(query)
		if got := Page("index.html", q); err != nil || got != want {
			t.Errorf("?%s is %s, want %s", query, got, want)
		}
		if got := Page("docs/index.html", q); got != "docs/index.html" {
			t.Errorf("docs/index.html?%s is %s", query, got)
		}
	}
}

func TestEmbedIsThePageWithAnotherPolicy(t *testing.T) {
	for path, want := range map[string]string{"/?embed=1": "frame-ancestors *", "/": "frame-ancestors 'self'", "/embed.html": "frame-ancestors *", "/?embed=0": "frame-ancestors 'self'"} {
		if csp := get(path).Header.Get("Content-Security-Policy"); !strings.HasSuffix(csp, want) {
			t.Errorf("%s is sent with %q, want %q", path, csp, want)
		}
	}
}
