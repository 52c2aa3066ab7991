package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/build"
)

var (
	chromium *browser.Browser // nil where there is none
	address  string           // of the served site, without a slash at the end
	root     string           // of the module
	dist     string           // folder of the site
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
	if shared != "" {
		folders["corpus"] = os.DirFS(filepath.Join(shared, "corpus"))
	}
	var stop func()
	address, stop = browser.Serve(dist, folders)
	defer stop()
	if chromium, err = browser.Start(); err != nil {
		return fail(err)
	}
	defer chromium.Close()
	return m.Run()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
