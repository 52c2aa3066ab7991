package e2e

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/build"
	"pcpscope/internal/reference"
	"pcpscope/internal/site"
)

var (
	chromium *browser.Browser // nil where there is none
	pages    http.Handler     // the site, and what tests need beside it
	root     string           // of the module
	dist     string           // folder of the site
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
	var err error
	if dist = os.Getenv("PCPSCOPE_SITE"); dist == "" { // else it was built for several runs
		if dist, err = os.MkdirTemp("", "pcpscope-e2e-"); err != nil {
			return fail(err)
		}
		defer os.RemoveAll(dist)
		if err := build.Site(build.Options{Root: root, Dist: dist, Log: func(f string, a ...any) { fmt.Printf(f+"\n", a...) }}); err != nil {
			return fail(err)
		}
	}
	folders := map[string]fs.FS{"testdata": os.DirFS(filepath.Join(root, "testdata"))}
	if corpus := reference.Path("corpus"); corpus != "" {
		folders["corpus"] = os.DirFS(corpus)
	}
	pages = browser.Site(site.Policy{}, dist, folders)
	if chromium, err = browser.Start(); err != nil {
		return fail(err)
	}
	defer chromium.Close()
	if home, err = settle(); err != nil {
		return fail(err)
	}
	defer func() { home.leave() }()
	return m.Run()
}
