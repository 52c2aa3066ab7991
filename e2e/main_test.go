package e2e

import (
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/build"
	"pcpscope/internal/reference"
	"pcpscope/internal/site"
)

var (
	chromium *browser.Browser // nil where there is none
	pages    http.Handler     // the site, and other files for tests
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
	if dist = os.Getenv("PCPSCOPE_SITE"); dist == "" { // otherwise it was built for several runs
		if dist, err = os.MkdirTemp("", "pcpscope-e2e-"); err != nil {
			return fail(err)
		}
		defer os.RemoveAll(dist)
		if err := build.Site(build.Options{Root: root, Dist: dist, Log: func(f string, a ...any) { fmt.Printf(f+"\n", a...) }}); err != nil {
			return fail(err)
		}
	}
	folders := map[string]fs.FS{"testdata": os.DirFS(filepath.Join(root, "testdata")), "recordings": os.DirFS(filepath.Join(root, "internal", "insightbench", "testdata"))}
	if corpus := reference.Path("corpus"); corpus != "" {
		folders["corpus"] = os.DirFS(corpus)
	}
	pages = browser.Site(site.Policy{}, dist, folders)
	if chromium, err = browser.Start(); err != nil {
		return fail(err)
	}
	defer chromium.Close()
	if shared, err = startSite(); err != nil {
		return fail(err)
	}
	defer func() { shared.close() }()
	if dir := os.Getenv("PCPSCOPE_SHARED_TESTS"); dir != "" {
		return runShared(m, dir)
	}
	return m.Run()
}

// runShared runs the tests listed as files in a folder, together with other
// processes: whoever removes a file runs its test.
func runShared(m *testing.M, dir string) (code int) {
	files, err := os.ReadDir(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	for _, f := range files {
		if os.Remove(filepath.Join(dir, f.Name())) == nil {
			_, name, _ := strings.Cut(f.Name(), " ")
			flag.Set("test.run", "^"+name+"$")
			code = max(code, m.Run())
		}
	}
	return code
}
