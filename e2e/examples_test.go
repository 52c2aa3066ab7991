package e2e

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/serve"
)

// examples serves docs/examples as an embedding site would: pcpscope below
// /pcpscope/, archives below /archives/.
func examples(t *testing.T) string {
	t.Helper()
	return embedder(t, http.FileServer(http.Dir(filepath.Join(root, "docs", "examples"))))
}

// embedder serves the pages of an embedding site along with what "./build.sh
// serve --archives DIR --prefix /pcpscope/" serves.
func embedder(t *testing.T, pages http.Handler) string {
	t.Helper()
	served, err := serve.Handler(serve.Options{Dist: dist, Prefix: "/pcpscope/", Archives: filepath.Join(root, "testdata", "live")})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", pages)
	mux.Handle("/pcpscope/", served)
	mux.Handle("/archives/", served)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// The guide's examples run as printed.
func TestGuideRunsAsPrinted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "embedding.md"))
	if err != nil {
		t.Fatal(err)
	}
	var printed []string
	for _, m := range regexp.MustCompile("(?s)```(html|js|css)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		switch m[1] {
		case "css":
			printed[len(printed)-1] += "<style>" + m[2] + "</style>"
		case "js":
			printed = append(printed, `<script src="/pcpscope/vendor/uPlot.iife.min.js"></script><script type="module">`+m[2]+`</script>`)
		default:
			printed = append(printed, m[2])
		}
	}
	if len(printed) < 3 {
		t.Fatalf("the guide prints %d examples", len(printed))
	}
	for _, html := range printed {
		if strings.Contains(html, "https://pcpscope.example.com") {
			continue // another host: TestFrameOfTheGuide
		}
		server := embedder(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><body>`+html)
		}))
		p := openURL(t, server)
		p.expectComplaints("404") // archives are looked up by base name
		if n := eval[int](p, `(async () => {
		  const drawn = () => document.querySelectorAll("canvas").length + [...document.querySelectorAll("pcp-scope")].filter((e) => e.shadowRoot?.querySelector("canvas, table")).length;
		  for (let i = 0; i < 300 && !drawn(); i++) await new Promise((d) => setTimeout(d, 50));
		  return drawn();
		})()`); n == 0 {
			t.Errorf("nothing is drawn by\n%s", html)
		}
		p.Close()
	}
}

func TestExamplePages(t *testing.T) {
	server := examples(t)
	quiet := func(p *page) { p.expectComplaints("404") } // favicon.ico, and archives looked up by base name

	p := openURL(t, server+"/chart.html")
	quiet(p)
	eval[any](p, `(async () => { while (document.title !== "drawn") await new Promise((d) => setTimeout(d, 50)); return true })()`)
	if labels := eval[string](p, `[...document.querySelectorAll(".u-legend .u-label")].slice(1).map((e) => e.textContent).join()`); labels != "1 minute,5 minute,15 minute" {
		t.Errorf("the chart's legend is %q", labels)
	}
	p.shot("example-chart")

	p = openURL(t, server+"/elements.html")
	quiet(p)
	if n := eval[int](p, `(async () => {
	  await customElements.whenDefined("pcp-scope");
	  const all = [...document.querySelectorAll("pcp-scope")];
	  for (const e of all) for (let s; s !== e.settled;) await (s = e.settled);
	  return all.reduce((n, e) => n + e.shadowRoot.querySelectorAll("canvas, table").length, 0);
	})()`); n != 3 {
		t.Errorf("the elements show %d charts and tables, want 3", n)
	}
	p.shot("example-elements")

	p = openURL(t, server+"/table.html")
	quiet(p)
	p.must(p.Do(chromedp.Sleep(500e6)))
	p.choose("#files", "testdata/live/web01.meta", "testdata/live/web01.index", "testdata/live/web01.0.zst")
	if cpus := eval[string](p, `(async () => { while (!document.querySelector("td")) await new Promise((d) => setTimeout(d, 50)); return [...document.querySelectorAll("tr")].map((r) => r.cells[0].textContent).join() })()`); !strings.HasPrefix(cpus, "cpu0,cpu1") {
		t.Errorf("the table lists %q", cpus)
	}
}

func TestExampleInTypeScript(t *testing.T) {
	tsc, err := nodejs.Tool(root, "tsc", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "es2022",
		"--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable", "--types", "", filepath.Join(root, "docs", "examples", "values.ts"))
	if err != nil {
		t.Skip(err)
	}
	if out, err := tsc.CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}

func TestExampleInJavaScript(t *testing.T) {
	path, err := browser.Find()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
		files = append(files, filepath.Join(root, "testdata", "live", name))
	}
	cmd, err := nodejs.Script(root, "docs/examples/headless.mjs", files...)
	if err != nil {
		t.Skip(err)
	}
	cmd.Env = append(os.Environ(), "PCPSCOPE_URL="+address(t), "CHROME_PATH="+path)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "ok") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestExampleInGo(t *testing.T) {
	path, err := browser.Find()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-count=1", "-json", "./docs/examples")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "PCPSCOPE_URL="+address(t), "CHROME_PATH="+path)
	out, err := cmd.CombinedOutput()
	passed := false
	for line := range strings.Lines(string(out)) {
		var e struct{ Action, Test string }
		json.Unmarshal([]byte(line), &e)
		passed = passed || e.Test == "TestLoadOfWeb01" && e.Action == "pass"
	}
	if err != nil || !passed {
		t.Errorf("go test ./docs/examples: %v\n%s", err, out)
	}
}

// In test mode the page looks the same at any time and place.
func TestModeForTests(t *testing.T) {
	alone(t)
	p := open(t, "/?test=1")
	p.idle()
	if got := eval[string](p, `(async () => [new Date().toISOString(), Date.now(), new Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.NumberFormat().resolvedOptions().locale, getComputedStyle(document.querySelector("button")).transitionDuration, getComputedStyle(document.documentElement).colorScheme, (await navigator.serviceWorker.getRegistrations()).length].join(" "))()`); got != "2026-01-02T03:04:05.000Z 1767323045000 UTC en-GB 0s light 0" {
		t.Errorf("the page's surroundings are %s", got)
	}
	picture := func(p *page) image.Image {
		smoke(p)
		shot, err := p.Screenshot()
		p.must(err)
		img, err := png.Decode(bytes.NewReader(shot))
		p.must(err)
		return img
	}
	first := picture(p)
	q := open(t, "/?test=1")
	q.idle()
	// Browsers render a few pixels of rounded corners differently.
	if share, _ := compareImages(first, picture(q)); share > 0.0001 {
		t.Errorf("two pictures of the same page differ in %.3f %% of their pixels", 100*share)
	}
}
