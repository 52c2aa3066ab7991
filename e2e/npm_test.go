package e2e

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/build"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/serve"
)

// The npm package in an application: it shows the first load averages of web01
// that pmdumplog prints, and one chart.
const packaged = "0.84,2.20,1.88 1"

func TestPackage(t *testing.T) {
	tarball, err := build.NPM(build.Options{Root: root, Dist: dist, Log: t.Logf}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := nodejs.Unpack(root, "pcpscope", tarball); err != nil {
		t.Skip(err)
	}
	// webpack writes its output beside other files: a folder for each.
	app := func(t *testing.T, name string) string {
		dir, err := nodejs.Folder(root, name)
		if err != nil {
			t.Fatal(err)
		}
		copied := []string{"index.html", "main.js", "app.tsx"}
		for _, file := range copied {
			text, err := os.ReadFile(filepath.Join("testdata", "npm", file))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, file), text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	// What the guide says about the script that contains the program.
	if info, err := os.Stat(filepath.Join(filepath.Dir(tarball), "inlined.js")); err != nil || info.Size() < 35e5 || info.Size() > 45e5 {
		t.Errorf("the program inside the script is not 4 MB: %v, %v", info.Size(), err)
	}
	archives, err := serve.Handler(serve.Options{Dist: dist, Prefix: "/site/", Archives: filepath.Join(root, "testdata", "live"), Origins: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	far := httptest.NewServer(archives)
	defer far.Close()
	shows := func(t *testing.T, at string) {
		p := openURL(t, at+"?archives="+url.QueryEscape(far.URL+"/archives/web01"))
		p.expectComplaints("404") // archives are looked up by base name
		p.until(`document.title !== "app"`)
		if got := eval[string](p, `document.title`); got != packaged {
			t.Errorf("the application shows %q, want %q", got, packaged)
		}
	}
	guide, err := os.ReadFile(filepath.Join(root, "docs", "embedding.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("`npx (esbuild [^`]*)`").FindAllStringSubmatch(string(guide), -1)
	if len(lines) != 2 {
		t.Fatalf("the guide has %d command lines of esbuild", len(lines))
	}
	for _, tt := range []struct {
		what, tool, line string
		inline           bool
		copied           []string
	}{
		{what: "vite", tool: "vite"},
		{what: "webpack", tool: "webpack"},
		{what: "esbuild", tool: "esbuild", line: lines[0][1]},
		{what: "esbuild, files beside", tool: "esbuild", line: lines[1][1], copied: []string{"pcpscope/app.wasm", "pcpscope/worker.js"}},
		{what: "inline", tool: "esbuild", line: lines[1][1], inline: true},
	} {
		t.Run(tt.what, func(t *testing.T) {
			dir := app(t, "_"+tt.tool)
			options, _ := json.Marshal(map[string]any{"tool": tt.tool, "dir": dir, "inline": tt.inline, "line": tt.line, "copied": tt.copied})
			cmd, err := nodejs.Script(root, "e2e/js/bundle.mjs", string(options))
			if err != nil {
				t.Fatal(err)
			}
			if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "done\n") {
				t.Fatalf("%v\n%s", err, out)
			}
			server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "out"))))
			defer server.Close()
			shows(t, server.URL+"/")
		})
	}
	t.Run("vite dev", func(t *testing.T) {
		options, _ := json.Marshal(map[string]any{"tool": "vite dev", "dir": app(t, "_dev"), "inline": false})
		cmd, err := nodejs.Script(root, "e2e/js/bundle.mjs", string(options))
		if err != nil {
			t.Fatal(err)
		}
		in, _ := cmd.StdinPipe()
		out, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer in.Close()
		at, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		go io.Copy(io.Discard, out)
		shows(t, strings.TrimSpace(at))
	})
	t.Run("node", func(t *testing.T) {
		cmd, err := nodejs.Script(root, "docs/examples/node.mjs", absolute([]string{"testdata/live/web01.meta", "testdata/live/web01.index", "testdata/live/web01.0.zst"})...)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "ok kernel.all.load was never above 100 for 60 s: 900 values.\n" {
			t.Errorf("%v\n%s", err, out)
		}
		// From a server; a file that cannot be sent to the thread; errors.
		cmd, err = nodejs.Script(root, "e2e/testdata/npm/node.mjs", far.URL, filepath.Join(root, "testdata", "live", "web01.meta"))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "0.84,2.20,1.88\nThe files cannot be sent to the engine\nThere is no open source with the ID 9.\ncancelled\n" {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("tsc", func(t *testing.T) {
		dir := app(t, "_types")
		for _, resolution := range []string{"bundler", "nodenext"} {
			module := map[string]string{"bundler": "esnext", "nodenext": "nodenext"}[resolution]
			tsc, err := nodejs.Tool(root, "tsc", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--jsx", "react-jsx", "--target", "es2022",
				"--module", module, "--moduleResolution", resolution, "--lib", "es2023,dom,dom.iterable", "--types", "react", filepath.Join(dir, "app.tsx"))
			if err != nil {
				t.Fatal(err)
			}
			tsc.Dir = dir
			if out, err := tsc.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", resolution, err, out)
			}
		}
	})
	t.Run("npm pack", func(t *testing.T) {
		cmd, err := nodejs.NPM(filepath.Dir(tarball), "pack", "--dry-run", "--json", "--ignore-scripts", "--offline")
		if err != nil {
			t.Skip(err)
		}
		out, err := cmd.Output()
		var said []struct{ Files []struct{ Path string } }
		if err != nil || json.Unmarshal(out, &said) != nil || len(said) != 1 {
			t.Fatalf("npm pack: %v\n%s", err, out)
		}
		var want []string
		for _, f := range said[0].Files {
			if !strings.HasSuffix(f.Path, ".tgz") {
				want = append(want, f.Path)
			}
		}
		slices.Sort(want)
		if got := inTarball(t, tarball); !slices.Equal(got, want) {
			t.Errorf("the archive has %q, npm would pack %q", got, want)
		}
	})
}

func inTarball(t *testing.T, name string) (list []string) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			slices.Sort(list)
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, strings.TrimPrefix(h.Name, "package/"))
	}
}

// If there is no Worker, as in a SharedWorker, the engine runs in the thread
// that started it: all pages that share it share its open sources.
func TestSharedWorker(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dist)))
	mux.Handle("/testdata/", http.StripPrefix("/testdata/", http.FileServer(http.Dir(filepath.Join(root, "testdata")))))
	mux.HandleFunc("/shared.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		io.WriteString(w, `import { start } from "/pcpscope.js";
		  const engine = start();
		  const opened = engine.then((p) => p.openURL(["/testdata/live/web01"]));
		  onconnect = ({ ports: [port] }) => {
		    port.onmessage = async ({ data }) => {
		      try {
		        const { sources: [source] } = await opened;
		        port.postMessage(await (await engine).fetch({ source: source.id, ...data }));
		      } catch (e) { port.postMessage({ fault: String(e.message) }); }
		    };
		  };`)
	})
	mux.HandleFunc("/app", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><title>app</title>`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	for range 2 { // a second page uses the same one
		p := openURL(t, server.URL+"/app")
		p.expectComplaints("404")
		got := eval[string](p, `new Promise((done) => {
		  const { port } = new SharedWorker("/shared.js", { type: "module" });
		  port.onmessage = ({ data }) => done(data.fault ?? data.columns.map((c) => c.values[0].toFixed(2)).join());
		  port.postMessage({ metrics: ["kernel.all.load"], mode: "raw" });
		})`)
		if got != "0.84,2.20,1.88" {
			t.Errorf("the shared engine answers %q", got)
		}
	}
}
