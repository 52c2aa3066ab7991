package e2e

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

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
	stop, err := warmUp()
	if err != nil {
		return fail(err)
	}
	defer stop()
	return m.Run()
}

// warmUp opens a tab that compiles the program and stays: the tests' own tabs
// are in the same process and find it compiled.
func warmUp() (stop func(), err error) {
	address, stop := browser.Serve(pages)
	p, err := chromium.NewTab(800, 600)
	if err == nil {
		err = p.Do(chromedp.Navigate(address + "/bare"))
	}
	if err == nil {
		_, err = browser.Eval[bool](p, `WebAssembly.compileStreaming(fetch("/app.wasm")).then((program) => { globalThis.program = program; return true })`)
	}
	return stop, err
}
