//go:build !js

package worker

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pcpscope/internal/site"
)

const volume = "0123456789abcdefghij"

// bucket makes a folder with the archives of two hosts.
func bucket(t *testing.T) *Folder {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{
		"web01/20261120.00.10.0", "web01/20261120.00.10.meta", "web01/20261121.00.10.0", "web01/20261121.00.10.meta", "web01/Latest",
		"db-7/2026/20260101.0", "db-7/evil.html",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(volume), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// assets is an upstream with wrong headers.
func assets(r *http.Request, name string) (Asset, error) {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Security-Policy", "default-src *")
	w.Header().Set("Set-Cookie", "a=b")
	w.Header().Set("ETag", `"asset"`)
	switch {
	case name == "moved.html":
		http.Redirect(w, r, "https://elsewhere.example/", http.StatusTemporaryRedirect)
	case name != "index.html" && name != "embed.html" && name != "app.wasm" && name != "_headers":
		w.WriteHeader(http.StatusNotFound)
	case r.Header.Get("If-None-Match") == `"asset"`:
		w.WriteHeader(http.StatusNotModified)
	default:
		io.WriteString(w, "file "+name)
	}
	return Asset{w.Code, w.Header(), text(w.Body.Bytes())}, nil
}

type text []byte

func (t text) Send(w http.ResponseWriter) error { _, err := w.Write(t); return err }
func (t text) Discard()                         {}

func ask(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(r *http.Response) string {
	text, _ := io.ReadAll(r.Body)
	return string(text)
}

func TestSiteHasThePolicysHeaders(t *testing.T) {
	policy := site.Policy{Embedders: []string{"https://dash.example"}}
	h := New(Config{Policy: policy}, assets, nil)
	for path, name := range map[string]string{"/": "index.html", "/app.wasm": "app.wasm", "/?embed=1": "embed.html", "/x/../embed.html": "embed.html"} {
		r := ask(h, "GET", path)
		if got := body(r); r.StatusCode != 200 || got != "file "+name {
			t.Errorf("%s: %d %q", path, r.StatusCode, got)
		}
		for _, want := range policy.Headers(name) {
			if got := r.Header.Values(want.Name); len(got) != 1 || got[0] != want.Value {
				t.Errorf("%s: %s is %q, want %q", path, want.Name, got, want.Value)
			}
		}
		if r.Header.Get("Set-Cookie") != "" || r.Header.Get("ETag") != `"asset"` {
			t.Errorf("%s: headers of the upstream: %v", path, r.Header)
		}
	}
	for _, tt := range []struct {
		method, path string
		status       int
	}{{"GET", "/nothing", 404}, {"GET", "/_headers", 404}, {"GET", "/moved.html", 502}, {"POST", "/", 405}, {"HEAD", "/", 200}} {
		r := ask(h, tt.method, tt.path)
		if r.StatusCode != tt.status || r.Header.Get("Location") != "" || tt.status != 405 && r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: %d %v, want %d", tt.method, tt.path, r.StatusCode, r.Header, tt.status)
		}
		if tt.method == "HEAD" && body(r) != "" {
			t.Error("HEAD is answered with a body")
		}
	}
	if r := ask(h, "GET", "/", "If-None-Match", `"asset"`); r.StatusCode != 304 {
		t.Errorf("asked again, the answer is %d, want 304", r.StatusCode)
	}
}

func TestRanges(t *testing.T) {
	h := New(Config{Public: true}, assets, bucket(t))
	const path = "/archives/web01/20261121.00.10.0"
	tag := ask(h, "GET", path).Header.Get("ETag")
	for _, tt := range []struct {
		headers []string
		status  int
		body    string
		extent  string // Content-Range
	}{
		{nil, 200, volume, ""},
		{[]string{"Range", "bytes=0-3"}, 206, "0123", "bytes 0-3/20"},
		{[]string{"Range", "bytes=18-"}, 206, "ij", "bytes 18-19/20"},
		{[]string{"Range", "bytes=18-99"}, 206, "ij", "bytes 18-19/20"},
		{[]string{"Range", "bytes=-3"}, 206, "hij", "bytes 17-19/20"},
		{[]string{"Range", "bytes=-99"}, 206, volume, "bytes 0-19/20"},
		{[]string{"Range", "bytes=20-"}, 416, "", "bytes */20"},
		{[]string{"Range", "bytes=-0"}, 416, "", "bytes */20"},
		{[]string{"Range", "bytes=5-2"}, 200, volume, ""},
		{[]string{"Range", "bytes=0-1,4-5"}, 200, volume, ""},
		{[]string{"Range", "bytes=0-1", "Range", "4-5"}, 200, volume, ""}, // as split by the platform
		{[]string{"Range", "bytes=x-"}, 200, volume, ""},
		{[]string{"Range", "bytes=99999999999999999999-"}, 200, volume, ""},
		{[]string{"Range", "lines=1-2"}, 200, volume, ""},
		{[]string{"Range", "bytes=0-3", "If-Range", tag}, 206, "0123", "bytes 0-3/20"},
		{[]string{"Range", "bytes=0-3", "If-Range", `"old"`}, 200, volume, ""},
		{[]string{"If-None-Match", tag}, 304, "", ""},
		{[]string{"If-None-Match", `"a", W/` + tag}, 304, "", ""},
		{[]string{"If-Match", `"old"`}, 412, "", ""},
		{[]string{"If-Match", tag, "Range", "bytes=1-1"}, 206, "1", "bytes 1-1/20"},
	} {
		r := ask(h, "GET", path, tt.headers...)
		got := body(r)
		if r.StatusCode >= 400 {
			got = ""
		}
		if r.StatusCode != tt.status || got != tt.body || r.Header.Get("Content-Range") != tt.extent {
			t.Errorf("%q: %d %q %q, want %d %q %q", tt.headers, r.StatusCode, got, r.Header.Get("Content-Range"), tt.status, tt.body, tt.extent)
		}
		if r.StatusCode < 300 && r.Header.Get("Content-Length") != fmt.Sprint(len(tt.body)) {
			t.Errorf("%q: Content-Length %q", tt.headers, r.Header.Get("Content-Length"))
		}
	}
	r := ask(h, "HEAD", path)
	if r.StatusCode != 200 || body(r) != "" || r.Header.Get("Content-Length") != "20" || r.Header.Get("Accept-Ranges") != "bytes" {
		t.Errorf("HEAD: %d %v", r.StatusCode, r.Header)
	}
	// Nothing in the bucket can run as a page of this site.
	r = ask(h, "GET", "/archives/db-7/evil.html")
	if r.Header.Get("Content-Type") != "application/octet-stream" || !strings.Contains(r.Header.Get("Content-Security-Policy"), "sandbox") || r.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("a page in the bucket is sent with %v", r.Header)
	}
	for _, path := range []string{"/archives/none", "/archives/../secret", "/archives/%2e%2e/%2e%2e/etc/passwd", "/archives/web01/nothing/"} {
		if r := ask(h, "GET", path); r.StatusCode != 404 {
			t.Errorf("%s: %d, want 404", path, r.StatusCode)
		}
	}
}

func TestListing(t *testing.T) {
	h := New(Config{Public: true}, assets, bucket(t))
	for path, want := range map[string][]string{
		"/archives/":      {"db-7 directory", "web01 directory"},
		"/archives/db-7/": {"2026 directory", "evil.html file 20"},
		"/archives/web01/": {"20261120 directory 40 files=2", "20261121 directory 40 files=2",
			"20261120.00.10.0 file 20", "20261120.00.10.meta file 20", "20261121.00.10.0 file 20", "20261121.00.10.meta file 20", "Latest file 20"},
		"/archives/web01/20261121/": {"20261121.00.10.0 file 20 ../20261121.00.10.0", "20261121.00.10.meta file 20 ../20261121.00.10.meta"},
	} {
		r := ask(h, "GET", path)
		var entries []Entry
		if err := json.Unmarshal([]byte(body(r)), &entries); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v %v", path, err, r.Header)
			continue
		}
		var got []string
		for _, e := range entries {
			line := e.Name + " " + e.Type
			if e.Size > 0 {
				line += fmt.Sprint(" ", e.Size)
			}
			if e.Files > 0 {
				line += fmt.Sprint(" files=", e.Files)
			}
			if e.URL != "" {
				line += " " + e.URL
			}
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists\n%q, want\n%q", path, got, want)
		}
	}
	for _, path := range []string{"/archives/web01/20261122/", "/archives/none/"} {
		if r := ask(h, "GET", path); r.StatusCode != 404 {
			t.Errorf("%s: %d, want 404", path, r.StatusCode)
		}
	}
}

func TestWhoMayRead(t *testing.T) {
	const path = "/archives/web01/Latest"
	access, sign := team(t)
	claims := map[string]any{"aud": []string{"app"}, "iss": access.Team, "exp": 2000, "nbf": 500}
	good := sign(claims)
	_, forge := team(t) // with another key of the same name
	weak, signWeakly := teamOf(t, 1024)
	ofAll := &Access{Team: access.Team, Keys: access.Keys, Now: access.Now}
	for _, tt := range []struct {
		name    string
		c       Config
		headers []string
		status  int
	}{
		{"nothing set", Config{}, nil, 403},
		{"nothing set, token given", Config{}, []string{"Authorization", "Bearer "}, 403},
		{"public", Config{Public: true}, nil, 200},
		{"token", Config{Tokens: []Token{{Secret: "s,cret"}}}, []string{"Authorization", "Bearer s,cret"}, 200},
		{"token split by the platform", Config{Tokens: []Token{{Secret: "s,cret"}}}, []string{"Authorization", "Bearer s", "Authorization", "cret"}, 200},
		{"no token", Config{Tokens: []Token{{Secret: "secret"}}}, nil, 401},
		{"wrong token", Config{Tokens: []Token{{Secret: "secret"}}}, []string{"Authorization", "Bearer secreT"}, 401},
		{"empty token", Config{Tokens: []Token{{Secret: ""}}}, []string{"Authorization", "Bearer "}, 401},
		{"other scheme", Config{Tokens: []Token{{Secret: "secret"}}}, []string{"Authorization", "Basic secret"}, 401},
		{"assertion", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", good}, 200},
		{"assertion and token", Config{Access: access, Tokens: []Token{{Secret: "secret"}}}, []string{"Cf-Access-Jwt-Assertion", good}, 200},
		{"no assertion", Config{Access: access}, nil, 401},
		{"any text", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", "yes"}, 401},
		{"assertion where none is checked", Config{Tokens: []Token{{Secret: "secret"}}}, []string{"Cf-Access-Jwt-Assertion", good}, 401},
		{"expired", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", sign(map[string]any{"aud": "app", "iss": access.Team, "exp": 999})}, 401},
		{"too early", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", sign(map[string]any{"aud": "app", "iss": access.Team, "exp": 2000, "nbf": 1001})}, 401},
		{"for another", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", sign(map[string]any{"aud": "other", "iss": access.Team, "exp": 2000})}, 401},
		{"by another", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", sign(map[string]any{"aud": "app", "iss": "https://evil", "exp": 2000})}, 401},
		{"tampered", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", strings.Replace(good, ".", ".e30", 1)}, 401},
		{"signed by another", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", forge(claims)}, 401},
		{"a key of 1024 bits", Config{Access: weak}, []string{"Cf-Access-Jwt-Assertion", signWeakly(claims)}, 401},
		{"no audience", Config{Access: ofAll}, []string{"Cf-Access-Jwt-Assertion", sign(map[string]any{"aud": "", "iss": access.Team, "exp": 2000})}, 401},
		{"unsigned", Config{Access: access}, []string{"Cf-Access-Jwt-Assertion", part(map[string]any{"alg": "none", "kid": "k"}) + "." + strings.Split(good, ".")[1] + "."}, 401},
	} {
		h := New(tt.c, assets, bucket(t))
		for _, path := range []string{path, "/archives/web01/"} {
			if r := ask(h, "GET", path, tt.headers...); r.StatusCode != tt.status {
				t.Errorf("%s: %s: %d, want %d", tt.name, path, r.StatusCode, tt.status)
			}
		}
	}
}

func TestOtherOrigins(t *testing.T) {
	h := New(Config{Tokens: []Token{{Secret: "secret"}}, Origins: []string{"https://viewer.example"}}, assets, bucket(t))
	const path = "/archives/web01/Latest"
	r := ask(h, "OPTIONS", path, "Origin", "https://viewer.example", "Access-Control-Request-Method", "GET")
	if r.StatusCode != 204 || r.Header.Get("Access-Control-Allow-Origin") != "https://viewer.example" || !strings.Contains(r.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("preflight: %d %v", r.StatusCode, r.Header)
	}
	r = ask(h, "GET", path, "Origin", "https://viewer.example", "Authorization", "Bearer secret")
	if r.StatusCode != 200 || r.Header.Get("Access-Control-Allow-Origin") != "https://viewer.example" || !strings.Contains(r.Header.Get("Access-Control-Expose-Headers"), "Content-Range") {
		t.Errorf("read: %d %v", r.StatusCode, r.Header)
	}
	for _, origin := range []string{"null", "https://viewer.example.evil", "https://evil"} {
		for _, method := range []string{"GET", "OPTIONS"} {
			r := ask(h, method, path, "Origin", origin, "Authorization", "Bearer secret")
			if r.Header.Get("Access-Control-Allow-Origin") != "" || method == "OPTIONS" && r.StatusCode != 405 {
				t.Errorf("%s from %s: %d %v", method, origin, r.StatusCode, r.Header)
			}
		}
	}
	// "*" is for all hosts, not for pages that have none.
	all := New(Config{Tokens: []Token{{Secret: "secret"}}, Origins: []string{"*"}}, assets, bucket(t))
	for origin, want := range map[string]string{"https://anyone": "https://anyone", "null": ""} {
		if got := ask(all, "GET", path, "Origin", origin, "Authorization", "Bearer secret").Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("if all may read, %s is answered for %q", origin, got)
		}
	}
	// Other pages cannot embed what is sent, and no cache gives it to others.
	for _, path := range []string{path, "/archives/web01/"} {
		for _, token := range []string{"secret", "wrong"} {
			h := ask(h, "GET", path, "Authorization", "Bearer "+token).Header
			if h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("Cache-Control") != "private, no-cache" || h.Get("Vary") != "Origin, Authorization" {
				t.Errorf("%s with token %s is sent with %v", path, token, h)
			}
		}
	}
}

// team makes an Access whose clock is at 1000 s, and the key that signs for
// it.
func team(t *testing.T) (*Access, func(claims map[string]any) string) {
	t.Helper()
	return teamOf(t, 2048)
}

// teamOf does the same with a key of so many bits.
func teamOf(t *testing.T, bits int) (*Access, func(claims map[string]any) string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	certs, _ := json.Marshal(map[string]any{"keys": []any{map[string]any{"kid": "k", "kty": "RSA",
		"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes())}}})
	access := &Access{Team: "https://team.example", Audience: "app", Now: func() time.Time { return time.Unix(1000, 0) },
		Keys: func(context.Context) ([]byte, error) { return certs, nil }}
	return access, func(claims map[string]any) string {
		signed := part(map[string]any{"alg": "RS256", "kid": "k"}) + "." + part(claims)
		sum := sha256.Sum256([]byte(signed))
		mark, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return signed + "." + base64.RawURLEncoding.EncodeToString(mark)
	}
}

func part(v any) string {
	text, _ := json.Marshal(v)
	return base64.RawURLEncoding.EncodeToString(text)
}

// Forged assertions, each with a key of its own, cause no fetches of keys.
func TestForgedAssertionsFetchNothing(t *testing.T) {
	access, sign := team(t)
	var fetches, over atomic.Int32
	certs, answer := access.Keys, make(chan struct{})
	access.Keys = func(ctx context.Context) ([]byte, error) {
		fetches.Add(1)
		<-answer
		return certs(ctx)
	}
	clock := int64(1000)
	access.Now = func() time.Time { return time.Unix(clock, 0) }
	claims := map[string]any{"aud": "app", "iss": access.Team, "exp": 1_000_000, "sub": "someone"}
	good := sign(claims)
	_, rest, _ := strings.Cut(good, ".")
	forged := func(i int) string {
		return part(map[string]any{"alg": "RS256", "kid": fmt.Sprint("k", i)}) + "." + rest
	}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := access.Check(t.Context(), forged(i)); err == nil {
				t.Error("a forged assertion holds")
			}
			over.Add(1)
		}()
	}
	for fetches.Load()+over.Load() < 100 { // the keys come when everybody has asked, or was refused
		runtime.Gosched()
	}
	close(answer)
	wg.Wait()
	if n := fetches.Load(); n > keysAtOnce {
		t.Errorf("100 forged assertions at once cause %d fetches", n)
	}
	before := fetches.Load()
	for i := range 100 {
		access.Check(t.Context(), forged(i))
		if who, err := access.Check(t.Context(), good); err != nil || who != "someone" {
			t.Fatalf("a good assertion: %q %v", who, err)
		}
	}
	if n := fetches.Load(); n != before {
		t.Errorf("100 more cause %d fetches", n-before)
	}
	clock += 61 // a key that is new may be asked for
	access.Check(t.Context(), forged(1))
	access.Check(t.Context(), forged(2))
	if n := fetches.Load(); n != before+1 {
		t.Errorf("a minute later there are %d fetches, want 1", n-before)
	}
	clock += 3601 // and all are asked for again
	if _, err := access.Check(t.Context(), good); err != nil || fetches.Load() != before+2 {
		t.Errorf("an hour later: %v, %d fetches, want 2", err, fetches.Load()-before)
	}
}

// A folder exposes nothing but its files.
func TestFolderStaysInside(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write := func(name string) {
		os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte(volume), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.0"))
	write(filepath.Join(dir, "web01/20261121.0"))
	for name, to := range map[string]string{
		"web01/out.0": filepath.Join(outside, "secret.0"), "out": outside, "web01/up.0": "../../" + filepath.Base(outside) + "/secret.0",
		"web01/inside.0": "20261121.0", "web02": "web01",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := makePipe(filepath.Join(dir, "web01/pipe.0")); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := New(Config{Public: true}, assets, f)
	for path, want := range map[string]int{
		"/archives/web01/20261121.0": 200, "/archives/web01/inside.0": 200, "/archives/web02/20261121.0": 200,
		"/archives/web01/out.0": 404, "/archives/web01/up.0": 404, "/archives/out/secret.0": 404, "/archives/out/": 404, "/archives/web01/pipe.0": 404, "/archives/web01": 404,
	} {
		for _, method := range []string{"GET", "HEAD"} {
			done := make(chan int)
			go func() { done <- ask(h, method, path).StatusCode }()
			select {
			case got := <-done:
				if got != want {
					t.Errorf("%s %s: %d, want %d", method, path, got, want)
				}
			case <-time.After(5 * time.Second):
				t.Fatalf("%s %s hangs", method, path)
			}
		}
	}
	if got := body(ask(h, "GET", "/archives/")); strings.Contains(got, "out") || !strings.Contains(got, "web02") {
		t.Errorf("the folder lists %s", got)
	}
	if got := body(ask(h, "GET", "/archives/web01/")); strings.Contains(got, "out.0") || strings.Contains(got, "pipe") || !strings.Contains(got, "inside.0") {
		t.Errorf("the folder lists %s", got)
	}
}

// A token may permit only some hosts: the others are neither readable nor
// listed.
func TestTokensOfHosts(t *testing.T) {
	tokens, err := ParseTokens("# who may read\n\nalice  alices-secret-token web01/\nops 0123456789abcdef\nnight nights-secret-token web01/2026112 db\n")
	if err != nil || len(tokens) != 3 {
		t.Fatal(tokens, err)
	}
	for _, text := range []string{"", "alice", "alice short", "# only this"} {
		if _, err := ParseTokens(text); err == nil {
			t.Errorf("%q is taken for tokens", text)
		}
	}
	var log []Visit
	h := New(Config{Tokens: tokens, Log: func(v Visit) { log = append(log, v) }}, assets, bucket(t))
	for _, tt := range []struct {
		secret, path string
		status       int
		lists        string
	}{
		{"alices-secret-token", "", 200, `[{"name":"web01","type":"directory"}]`},
		{"alices-secret-token", "web01/20261121.00.10.0", 200, ""},
		{"alices-secret-token", "db-7/evil.html", 403, ""},
		{"alices-secret-token", "db-7/", 403, ""},
		{"0123456789abcdef", "db-7/evil.html", 200, ""},
		{"nights-secret-token", "web01/20261121/", 200, ""},
		{"nights-secret-token", "web01/Latest", 403, ""},
		{"nights-secret-token", "", 200, `[{"name":"db-7","type":"directory"},{"name":"web01","type":"directory"}]`},
		{"nights-secret-tokeN", "", 401, ""},
		{"alices-secret-token", "web0", 403, ""}, // which a prefix begins with
	} {
		r := ask(h, "GET", "/archives/"+tt.path, "Authorization", "Bearer "+tt.secret)
		got := body(r)
		if r.StatusCode != tt.status || tt.lists != "" && got != tt.lists {
			t.Errorf("%s %s: %d %s, want %d %s", tt.secret, tt.path, r.StatusCode, got, tt.status, tt.lists)
		}
	}
	if len(log) != 10 || log[1] != (Visit{Who: "alice", Method: "GET", Path: "/archives/web01/20261121.00.10.0", Status: 200, Bytes: 20}) || log[2].Status != 403 || log[2].Who != "alice" || log[8].Who != "" {
		t.Errorf("the log says %+v", log)
	}
	if text, _ := json.Marshal(log); strings.Contains(string(text), "secret") {
		t.Errorf("the log has secrets in it: %s", text)
	}
}
