package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/browser"
	"pcpscope/internal/build"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/serve"
)

// blocks are the code blocks of a guide in one language.
func blocks(t *testing.T, guide, language string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", guide))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	return list
}

// The examples of the testing guide run as printed: on the page, with
// Playwright, with chromedp, in Node.
func TestChecksOfTheGuide(t *testing.T) {
	scripts, programs := blocks(t, "testing.md", "js"), blocks(t, "testing.md", "go")
	if len(scripts) != 3 || len(programs) != 1 {
		t.Fatalf("the guide has %d scripts and %d programs", len(scripts), len(programs))
	}
	t.Run("the call", func(t *testing.T) {
		said := regexp.MustCompile(`// "(.*)"`).FindStringSubmatch(scripts[0])
		if said == nil {
			t.Fatal("the guide does not quote the check's output")
		}
		p := openPage(t)
		got := eval[string](p, `(async () => { const pcp = pcpscope, [source] = await pcp.sources(); try { `+scripts[0]+` } catch (e) { return e.message; } return "ok"; })()`)
		if got != said[1] {
			t.Errorf("the check says %q, the guide %q", got, said[1])
		}
	})
	path, err := browser.Find()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(slices.Clone(scripts[1:]), programs...) {
		n := 0
		for line := range strings.Lines(text) {
			if line != "\n" && !strings.HasPrefix(line, "import ") {
				n++
			}
		}
		if n > 10 {
			t.Errorf("a check takes %d lines:\n%s", n, text)
		}
	}
	env := append(os.Environ(), "PCPSCOPE_URL="+address(t), "CHROME_PATH="+path, "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
	scripted := nodejs.Ready(root) == nil
	if scripted {
		tarball, err := build.NPM(build.Options{Root: root, Dist: dist, Log: t.Logf}, t.TempDir())
		if err == nil {
			err = nodejs.Unpack(root, "pcpscope", tarball)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// A check that passes, and one that fails.
	for limit, holds := range map[string]bool{"above: 100": true, "above: 1": false} {
		run := func(cmd *exec.Cmd) {
			t.Helper()
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			if (err == nil) != holds || !holds && !strings.Contains(string(out), "kernel.all.load") {
				t.Errorf("%s: %v\n%s", limit, err, out)
			}
		}
		dir := filepath.Join(root, "tmp", "_guide") // inside the module, but not matched by ./...
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		program := fmt.Sprintf("package guide\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n\t\"github.com/chromedp/chromedp\"\n)\n\nvar files = %#v\n\n%s", absolute(web01), strings.Replace(programs[0], "above: 100", limit, 1))
		if err := os.WriteFile(filepath.Join(dir, "load_test.go"), []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "test", "-count=1", "-vet=off", filepath.Join(dir, "load_test.go"))
		cmd.Dir = root
		run(cmd)
		if !scripted {
			continue
		}
		for i, name := range []string{"playwright.mjs", "node.mjs"} {
			name = filepath.Join("tmp", "_guide", name)
			if err := os.WriteFile(filepath.Join(root, name), []byte(strings.Replace(scripts[i+1], "above: 100", limit, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd, err := nodejs.Script(root, name, absolute(web01)...)
			if err != nil {
				t.Fatal(err)
			}
			run(cmd)
		}
	}
}

// The guide's frame, and the complete embedding page in docs/examples,
// communicate with a page of another host.
func TestFrameOfTheGuide(t *testing.T) {
	f, _ := farWeb01(t)
	const there = "https://pcpscope.example.com"
	page, err := os.ReadFile(filepath.Join(root, "docs", "examples", "frame.html"))
	if err != nil {
		t.Fatal(err)
	}
	var printed string
	for _, html := range blocks(t, "embedding.md", "html") {
		if strings.Contains(html, there) {
			printed = html
		}
	}
	const hearing = `<link rel="icon" href="data:,"><script>globalThis.heard = []; addEventListener("message", ({ data }) => heard.push(data.event ?? data.type))</script>`
	for what, tt := range map[string]struct{ html, script string }{
		"printed": {hearing + printed, `heard.includes("available")`},
		// It opens an archive, and moves its window.
		"frame.html": {strings.Replace(string(page), "<iframe", hearing+"<iframe", 1), `heard.includes("loaded") && heard.includes("window") && heard.filter((m) => m === "reply").length === 3`},
	} {
		var origins []string
		site := listing(t, &origins)
		mux := http.NewServeMux()
		mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, strings.Replace(tt.html, there, site, 1))
		})
		mux.Handle("/", http.FileServer(http.Dir(filepath.Join(root, "docs", "examples"))))
		mux.Handle("/archives/", http.StripPrefix("/archives", f))
		server := httptest.NewServer(mux)
		origins = []string{server.URL}
		if !strings.Contains(tt.html, there) {
			t.Fatalf("%s names no other host", what)
		}
		p := openURL(t, server.URL)
		p.until(tt.script)
		p.Close()
		server.Close()
	}
}

// A preview is marked as such: the element says that it is one, and a peak that
// it missed appears once everything has been read.
func TestElementSaysPreview(t *testing.T) {
	dir := t.TempDir()
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: "h", Timezone: "UTC"}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) { return os.Create(filepath.Join(dir, "big."+suffix)) })
	if err != nil {
		t.Fatal(err)
	}
	peaks := pcp.Desc{PMID: pcp.MakePMID(60, 0, 0), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	text := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Instant}
	steps := []error{w.Desc(peaks, "a.peaks"), w.Desc(text, "a.text")}
	ballast := strings.Repeat("x", 8000)
	for k := range 3600 { // 29 MB
		v := uint64(95)
		if k == 1777 {
			v = 892
		}
		steps = append(steps, w.Record(label.Start+pcp.Time(k)*1e9, []archive.ValueSet{
			{PMID: peaks.PMID, Type: peaks.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: v}}},
			{PMID: text.PMID, Type: text.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(ballast)}}},
		}))
	}
	for _, err := range append(steps, w.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	archives, err := serve.Handler(serve.Options{Dist: dist, Archives: dir})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", archives)
	mux.HandleFunc("/app", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/pcp-scope.js"></script><pcp-scope src="/archives/big" metrics="a.peaks" interval="1sec"></pcp-scope>`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	p := openURL(t, server.URL+"/app")
	p.expectComplaints("404")
	p.until(`document.querySelector("pcp-scope").frame`)
	status := func() string {
		return eval[string](p, `document.querySelector("pcp-scope").settled.then(() => document.querySelector("pcp-scope").shadowRoot.querySelector("[part=status]").textContent)`)
	}
	peak := func() float64 {
		return eval[float64](p, `Math.max(...[...document.querySelector("pcp-scope").frame.columns[0].values].filter((v) => !Number.isNaN(v)))`)
	}
	if got := status(); !strings.Contains(got, "A preview from a sample of the logged values") || !strings.Contains(got, "Read everything") || peak() != 95 {
		t.Errorf("with a peak of %v the element says %q", peak(), got)
	}
	p.shot("element-preview")
	eval[bool](p, `(document.querySelector("pcp-scope").shadowRoot.querySelector("[part=read-all]").click(), true)`)
	p.until(`document.querySelector("pcp-scope").frame.read !== "preview"`)
	if got := status(); got != "" || peak() != 892 {
		t.Errorf("after everything was read, with a peak of %v, the element says %q", peak(), got)
	}
}
