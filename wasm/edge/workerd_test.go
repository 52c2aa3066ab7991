package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pcpscope/internal/build"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/site"
)

// The Worker as it is deployed, in Cloudflare's runtime, with a bucket that
// holds a few archives.
func TestInWorkerd(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := nodejs.Ready(root); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := build.Edge(build.Options{Root: root}, filepath.Join(dir, "worker")); err != nil {
		t.Fatal(err)
	}
	const volume = "0123456789"
	for name, text := range map[string]string{"dist/index.html": "<!doctype html>page", "archives/web01.0": volume, "archives/web01.meta": "meta"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd, err := nodejs.Script(root, "e2e/js/edge.mjs", filepath.Join(dir, "worker"), filepath.Join(dir, "dist"), filepath.Join(dir, "archives"), "secret")
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	in, _ := cmd.StdinPipe()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		late.Stop()
	})
	giveUp := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer giveUp.Stop()
	lines := bufio.NewScanner(out)
	address := ""
	for address == "" && lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http://") {
			address = lines.Text()
		}
	}
	if address == "" {
		t.Fatalf("workerd does not start:\n%s", &complaints)
	}
	ask := func(path string, headers ...string) (*http.Response, string) {
		t.Helper()
		r, _ := http.NewRequest("GET", address+path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer, string(text)
	}
	page, text := ask("")
	if page.StatusCode != 200 || text != "<!doctype html>page" {
		t.Errorf("the page: %d %q", page.StatusCode, text)
	}
	for _, h := range site.Headers("index.html") {
		if page.Header.Get(h.Name) != h.Value {
			t.Errorf("the page: %s is %q, want %q", h.Name, page.Header.Get(h.Name), h.Value)
		}
	}
	if r, _ := ask("missing.js"); r.StatusCode != 404 {
		t.Errorf("a missing file: %d", r.StatusCode)
	}
	const token = "Bearer secret"
	whole, text := ask("archives/web01/20261121.web01.0", "Authorization", token)
	tag := whole.Header.Get("ETag")
	if whole.StatusCode != 200 || text != volume || tag == "" {
		t.Errorf("a volume: %d %q %v", whole.StatusCode, text, whole.Header)
	}
	part, text := ask("archives/web01/20261121.web01.0", "Authorization", token, "Range", "bytes=3-5", "If-Match", tag)
	if part.StatusCode != 206 || text != "345" || part.Header.Get("Content-Range") != "bytes 3-5/10" || part.Header.Get("Content-Length") != "3" {
		t.Errorf("a range: %d %q %v", part.StatusCode, text, part.Header)
	}
	if r, _ := ask("archives/web01/20261121.web01.0", "Authorization", token, "If-None-Match", tag); r.StatusCode != 304 {
		t.Errorf("with its ETag: %d, want 304", r.StatusCode)
	}
	if r, _ := ask("archives/web01/nothing", "Authorization", token); r.StatusCode != 404 {
		t.Errorf("a missing object: %d, want 404", r.StatusCode)
	}
	if r, _ := ask("archives/web01/", "Authorization", "Bearer wrong"); r.StatusCode != 401 {
		t.Errorf("with a wrong token: %d, want 401", r.StatusCode)
	}
	if _, text := ask("archives/", "Authorization", token); text != `[{"name":"web01","type":"directory"}]` {
		t.Errorf("the hosts are %s", text)
	}
	if _, text := ask("archives/web01/20261121/", "Authorization", token); strings.Count(text, `"url":"../20261121.web01.`) != 2 {
		t.Errorf("the day's files are %s", text)
	}
}
