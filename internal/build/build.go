// Package build makes the site: it compiles the program, collects what the page
// loads, and writes to dist/ a folder that any static host can serve.
package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"pcpscope/internal/shrink"
	"pcpscope/internal/site"
)

// Options says what to build.
type Options struct {
	Root     string // folder of go.mod
	Dist     string // where the site is written; created if missing
	Compress bool   // write .br and .gz beside large files
	NoShrink bool   // leave the program as Go made it
	Log      func(format string, args ...any)
}

// sample is the archive offered to people who have none at hand.
var sample = []string{"web01.0.zst", "web01.index", "web01.meta"}

// Site builds everything. Unchanged files are not rewritten, so that a second
// build is quick; files that are no longer made are removed.
func Site(o Options) error {
	b := &builder{Options: o, made: map[string]bool{}, inside: map[string]bool{}}
	for _, step := range []func() error{b.generated, b.program, b.tables, b.runtime, b.bundle, b.static, b.chartModule, b.guides, b.samples, b.single, b.worker, b.headers} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := b.compress(); err != nil {
		return err
	}
	for _, name := range b.packed {
		b.made[name] = true
	}
	return b.sweep()
}

type builder struct {
	Options
	made   map[string]bool // names below Dist, slash-separated
	inside map[string]bool // names below web/static that are part of a bundle
	packed []string        // compressed copies among made
}

// Components writes the Go files of components anew that are older than these.
func Components(o Options) error { return (&builder{Options: o}).generated() }

// generated regenerates the Go code of .vugu files that are newer than their
// output.
func (b *builder) generated() error {
	templates, err := filepath.Glob(filepath.Join(b.Root, "web", "ui", "*.vugu"))
	if err != nil || len(templates) == 0 {
		return err
	}
	stale := false
	for _, name := range templates {
		in, err := os.Stat(name)
		if err != nil {
			return err
		}
		out, err := os.Stat(strings.TrimSuffix(name, ".vugu") + "_gen.go")
		stale = stale || err != nil || out.ModTime().Before(in.ModTime())
	}
	if !stale {
		return nil
	}
	b.Log("web: vugugen")
	return Generate(filepath.Join(b.Root, "web", "ui"))
}

// program compiles the WebAssembly program used by the page and the engine.
func (b *builder) program() error {
	return b.compile("app.wasm", "./wasm", func(wasm []byte) ([]byte, error) {
		small, names, err := shrink.Numbered(wasm)
		if err == nil {
			err = b.write("app"+site.Names, []byte(strings.Join(names, "\n")))
		}
		return small, err
	})
}

// tables compiles the program that writes tables, which is loaded for an
// export.
func (b *builder) tables() error { return b.compile("tables.wasm", "./wasm/tables", shrink.Program) }

func (b *builder) compile(name, from string, smaller func([]byte) ([]byte, error)) error {
	out := filepath.Join(b.Dist, name)
	if err := os.MkdirAll(b.Dist, 0o755); err != nil {
		return err
	}
	tmp := out + ".new"
	defer os.Remove(tmp)
	args := append([]string{"build", "-ldflags=-s -w -X main.version=" + b.version()}, CompileFlags()...)
	cmd := exec.Command("go", append(args, "-o", tmp, from)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if err := b.run(cmd); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	wasm, err := os.ReadFile(tmp)
	if err != nil {
		return err
	}
	return b.write(name, b.shrunk(name, wasm, smaller))
}

// shrunk returns the program made smaller. With an untested version of Go it
// stays as it is: a larger download, but an equally good program.
func (b *builder) shrunk(name string, wasm []byte, smaller func([]byte) ([]byte, error)) []byte {
	if b.NoShrink {
		return wasm
	}
	cmd := exec.Command("go", "env", "GOVERSION")
	cmd.Dir = b.Root
	version, err := cmd.Output()
	if toolchain := strings.TrimSpace(string(version)); err == nil && !shrink.Known(toolchain) {
		err = fmt.Errorf("%s is not one of the versions of Go that internal/shrink was tried with", toolchain)
	}
	if err == nil {
		var small []byte
		if small, err = smaller(wasm); err == nil {
			return small
		}
	}
	b.Log("%s stays a third larger than need be: %v", name, err)
	return wasm
}

// inlined are the packages compiled with inlining: those that loop over values,
// and those whose small functions they call. All others are better compiled
// small. It saves an eighth of the download.
var inlined = []string{
	"runtime", "internal/runtime/...", "internal/bytealg", "internal/abi", "math", "math/bits", "encoding/binary", "sync/atomic", "cmp", "slices",
	"pcpscope/core/archive", "pcpscope/core/container/xz", "pcpscope/core/departures", "pcpscope/core/derived", "pcpscope/core/interp", "pcpscope/core/series",
	"pcpscope/core/sorting", "pcpscope/core/trend",
	"pcpscope/wasm/rpc", "pcpscope/web/render", "github.com/vugu/vugu",
	"github.com/klauspost/compress/zstd/...", "github.com/klauspost/compress/huff0", "github.com/klauspost/compress/fse",
}

// CompileFlags returns the arguments of the go command for compiling the
// program's packages.
func CompileFlags() []string {
	flags := []string{"-trimpath", "-gcflags=all=-l"}
	for _, p := range inlined {
		flags = append(flags, "-gcflags="+p+"=")
	}
	return flags
}

// version names the build: the commit, or "dev" outside a checkout.
func (b *builder) version() string {
	cmd := exec.Command("git", "rev-parse", "--short", "HEAD")
	cmd.Dir = b.Root
	out, err := cmd.Output()
	if err != nil {
		return "dev"
	}
	return strings.TrimSpace(string(out))
}

// runtime copies Go's JavaScript support from the toolchain that compiled the
// program; the two must match. What names functions in its output is added.
func (b *builder) runtime() error {
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Dir = b.Root
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	names, err := os.ReadFile(filepath.Join(b.Root, "web", "static", "names.js"))
	if err != nil {
		return err
	}
	if text, err = minified("wasm_exec.js", slices.Concat(text, names)); err != nil {
		return err
	}
	return b.write("wasm_exec.js", text)
}

// chartModule makes a module of the chart library and its styles, for the
// element: it leaves nothing in the surrounding page, and asks for a valid
// language (WebKit's may be empty, which throws).
func (b *builder) chartModule() error {
	text, err := os.ReadFile(filepath.Join(b.Root, "web", "static", "vendor", "uPlot.iife.min.js"))
	if err != nil {
		return err
	}
	css, err := os.ReadFile(filepath.Join(b.Root, "web", "static", "vendor", "uPlot.min.css"))
	if err != nil {
		return err
	}
	look, err := json.Marshal(string(css))
	if err != nil {
		return err
	}
	const language = `const navigator = { get language() { try { return Intl.getCanonicalLocales(globalThis.navigator?.language)[0]; } catch { return "en"; } } };`
	return b.write("scope/uplot.js", slices.Concat([]byte(language+"\n"), text, []byte("\nexport default uPlot;\nexport const css = "), look, []byte(";\n")))
}

// static copies the other files in web/static.
func (b *builder) static() error {
	from := os.DirFS(filepath.Join(b.Root, "web", "static"))
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if name == "index.html" { // the same page, served with another policy
			if err := b.write(site.Embed, text); err != nil {
				return err
			}
		}
		if name == "worker.js" {
			if text, err = b.workerScript(text); err != nil {
				return err
			}
		}
		if name == "start.js" || name == "worker.js" { // all visitors load them
			if text, err = minified(name, text); err != nil {
				return err
			}
		}
		if name == "sw.js" || name == "names.js" || b.inside[name] { // written by worker; part of wasm_exec.js; part of a bundle
			return nil
		}
		return b.write(name, text)
	})
}

// samples copies the sample archive.
func (b *builder) samples() error {
	for _, name := range sample {
		data, err := os.ReadFile(filepath.Join(b.Root, "testdata", "live", name))
		if err != nil {
			return err
		}
		if err := b.write("sample/"+name, data); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) headers() error {
	return b.write("_headers", []byte(site.HeadersFile()))
}

// write writes one file in Dist, unless it is there already.
func (b *builder) write(name string, data []byte) error {
	b.made[name] = true
	file := filepath.Join(b.Dist, filepath.FromSlash(name))
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// sweep removes files of an earlier build that this one did not make.
func (b *builder) sweep() error {
	return filepath.WalkDir(b.Dist, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(b.Dist, file)
		if err != nil || b.made[filepath.ToSlash(name)] {
			return err
		}
		return os.Remove(file)
	})
}

func (b *builder) run(cmd *exec.Cmd) error {
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.Root, os.Stderr, os.Stderr
	return cmd.Run()
}
