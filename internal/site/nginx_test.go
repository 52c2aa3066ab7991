package site

import (
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pcpscope/internal/reference"
)

// The guide's nginx configuration, with files prepared as it says, sends what
// this package's own handler does.
func TestNginxOfTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/operators.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(guide), "```nginx\n")
	block, _, closed := strings.Cut(block, "```")
	if !found || !closed {
		t.Fatal("the guide has no block for nginx")
	}
	reference.Program(t, "nginx")
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"index.html", "embed.html", "confirm.html", "app.wasm", "main.js", "page.css", "embed.json", "manifest.webmanifest", "pcpscope.d.ts", "icon.svg"}
	for _, name := range names {
		write("dist/"+name, "this is "+name)
	}
	write("dist/app.wasm.gz", "this is packed")
	write("archives/web01/20261121.00.10.0", "0123456789")
	// The files that the block includes.
	blocks := map[string]string{}
	own := ""
	for line := range strings.Lines(HeadersFile()) {
		name, value, isHeader := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case !strings.HasPrefix(line, " "):
			own = strings.TrimSpace(line)
		case isHeader:
			blocks[own] += fmt.Sprintf("add_header %q %q always;\n", name, value)
		}
	}
	replaced := func(with string) string {
		text := with
		for line := range strings.Lines(blocks["/*"]) {
			if name := strings.Fields(line)[1]; !strings.Contains(with, "add_header "+name+" ") {
				text += line
			}
		}
		return text
	}
	write("pcpscope.conf", blocks["/*"])
	write("pcpscope-embed.conf", replaced(blocks["/embed.html"]))
	write("pcpscope-confirm.conf", replaced(blocks["/confirm.html"]))

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	listener.Close()
	block = strings.NewReplacer("/srv/pcpscope/dist/", dir+"/dist/", "/var/log/pcp/pmlogger/", dir+"/archives/").Replace(block)
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/tmp; ", kind, dir)
	}
	write("nginx.conf", fmt.Sprintf("pid %s/pid; events {} http { access_log off; %s server { listen %s; index index.html;\n%s } }", dir, temporary.String(), at, block))
	reference.Daemon(t, "nginx", "-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-e", "stderr", "-g", "daemon off; master_process off;")

	ask := func(path string, headers ...string) *http.Response {
		t.Helper()
		r, _ := http.NewRequest("GET", "http://"+at+path, nil)
		r.Header.Set("Accept-Encoding", "identity")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		for until := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			answer, err := http.DefaultClient.Do(r)
			if err == nil {
				return answer
			}
			if time.Now().After(until) {
				t.Fatal(err)
			}
		}
	}
	body := func(r *http.Response) string {
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		return string(text)
	}
	for _, name := range names {
		r := ask("/pcpscope/" + name)
		if got := body(r); r.StatusCode != 200 || got != "this is "+name {
			t.Errorf("%s: %d %q", name, r.StatusCode, got)
		}
		for _, h := range (Policy{}).Headers(name) {
			got := r.Header.Values(h.Name)
			if h.Name == "Content-Type" { // except for the charset, which the files contain
				h.Value, _, _ = mime.ParseMediaType(h.Value)
			}
			if len(got) != 1 || got[0] != h.Value {
				t.Errorf("%s: %s is %q, want %q", name, h.Name, got, h.Value)
			}
		}
	}
	if got := body(ask("/pcpscope/")); got != "this is index.html" {
		t.Errorf("the folder is %q", got)
	}
	if r := ask("/pcpscope/app.wasm", "Accept-Encoding", "gzip"); body(r) != "this is packed" || r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("Content-Type") != "application/wasm" {
		t.Errorf("the packed program comes with %v", r.Header)
	}
	if r := ask("/archives/web01/"); !strings.Contains(body(r), `"name":"20261121.00.10.0"`) || r.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the list of a folder comes with %v", r.Header)
	}
	r := ask("/archives/web01/20261121.00.10.0", "Range", "bytes=2-4")
	if got := body(r); r.StatusCode != 206 || got != "234" || r.Header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("a range is %d %q with %v", r.StatusCode, got, r.Header)
	}
}
