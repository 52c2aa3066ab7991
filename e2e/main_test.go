// Package e2e tests the whole program in a real browser: the site as it is
// built, served with its headers, driven through Chromium.
//
// Without a browser the tests are skipped, unless PCPSCOPE_BROWSER=required.
// PCPSCOPE_SCREENSHOTS names a folder for pictures of the states that the
// tests pass through.
package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/build"
	"pcpscope/internal/site"
)

var (
	chromium *browser.Browser // nil where there is none
	address  string           // of the served site, without a slash at the end
	root     string           // of the module
	shared   string           // a folder with more archives beside the module; "" where there is none
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	fail := func(err error) int { fmt.Fprintln(os.Stderr, "e2e:", err); return 1 }
	if _, err := browser.Find(); err != nil {
		if os.Getenv("PCPSCOPE_BROWSER") == "required" {
			return fail(err)
		}
		fmt.Println("e2e: skipped:", err)
		return 0
	}
	root, _ = filepath.Abs("..")
	if dir := filepath.Join(root, "..", "shared"); isDir(filepath.Join(dir, "corpus")) {
		shared = dir
	}
	dist, err := os.MkdirTemp("", "pcpscope-e2e-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dist)
	if err := build.Site(build.Options{Root: root, Dist: dist, Log: func(f string, a ...any) { fmt.Printf(f+"\n", a...) }}); err != nil {
		return fail(err)
	}
	server := httptest.NewServer(handler(dist))
	defer server.Close()
	address = server.URL
	if chromium, err = browser.Start(); err != nil {
		return fail(err)
	}
	defer chromium.Close()
	return m.Run()
}

// handler serves the site, and what tests need beside it: a page with nothing
// on it, and the archives.
func handler(dist string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.HandleFunc("/bare", func(w http.ResponseWriter, r *http.Request) {
		for _, h := range site.Headers("index.html") {
			w.Header().Set(h.Name, h.Value)
		}
		fmt.Fprint(w, `<!doctype html><title>bare</title><link rel="icon" href="icon.svg"><input type="file" multiple>`)
	})
	mux.Handle("/testdata/", site.Handler(os.DirFS(root)))
	if shared != "" {
		mux.Handle("/corpus/", site.Handler(os.DirFS(shared)))
	}
	return mux
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
