package house

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/build"
	"pcpscope/internal/inputs"
)

const (
	root   = "../.."
	module = "pcpscope"
)

// mayImport lists for each part of the repository which others it may import.
// The rule with the longest matching path applies to a package. Tests are
// exempt.
var mayImport = map[string][]string{
	"core/pcp":              {},
	"core/sorting":          {},
	"core/pattern":          {},
	"core/shell":            {},
	"core/trend":            {},
	"core/zone":             {"core/pcp"},
	"core/budget":           {"core/pcp"},
	"core/series":           {"core/pcp", "core/sorting"},
	"core/api":              {"core/pcp"},
	"core/loader":           {"core/pcp", "core/sorting", "core/api"},
	"core/chart":            {"core/pcp", "core/series", "core/api", "core/sorting"},
	"core/container":        {"core/pcp", "core/budget", "core/series", "core/sorting", "core/pattern"},
	"core/archive":          {"core/pcp", "core/budget", "core/series", "core/container", "core/sorting"},
	"core/interp":           {"core/pcp", "core/series", "core/sorting", "core/pattern"},
	"core/interp/when":      {"core/pcp", "core/pattern", "core/zone"},
	"core/pmie":             {"core/pcp", "core/series", "core/pattern"},
	"core/derived":          {"core/pcp", "core/series", "core/interp", "core/sorting", "core/trend", "core/pattern"},
	"core/mmv":              {"core/pcp", "core/series", "core/sorting"},
	"core/columns":          {"core/pcp"},
	"core/export":           {"core/pcp"},
	"core/tables":           {"core/columns", "core/export", "core/pcp"},
	"core/zstd":             {},
	"core/dashboard":        {"core/pcp", "core/derived", "core/sorting", "core/pattern", "core/shell"},
	"core/analysis":         {"core/pcp", "core/series", "core/api", "core/sorting", "core/pattern", "core/trend"},
	"core":                  {"core"},
	"wasm/rpc":              {"core/pcp", "core/api"},
	"wasm/engine":           {"core", "core/chart", "core/pcp", "core/save", "core/export", "core/api", "core/container", "core/zone", "wasm/garbage", "wasm/rpc", "wasm/zones"},
	"wasm/garbage":          {},
	"wasm/tables":           {"core/columns", "core/export", "core/pcp", "core/tables", "core/zstd", "wasm/rpc"},
	"wasm/zones":            {"core/zone"},
	"wasm":                  {"wasm", "web"},
	"wasm/edge":             {"internal/catalog", "internal/site", "wasm/edge/worker"},
	"web":                   {"web/page"},
	"web/format":            {"core/pcp", "core/pattern", "core/zone"},
	"web/render":            {},
	"web/scripts":           {"internal/nodejs"},
	"web/timeline":          {"core/api", "core/chart", "core/pcp", "core/series", "core/sorting"},
	"web/metric":            {"core/api", "core/pcp", "core/pattern", "core/sorting", "web/format"},
	"web/tree":              {"core/api", "web/format"},
	"web/derive":            {"core/api", "core/pcp", "core/pattern", "web/format", "web/metric"},
	"web/panel":             {"core/api", "core/chart", "core/pattern", "core/pcp", "core/series", "core/sorting", "web/format", "web/metric", "web/timeline"},
	"web/compare":           {"core/api", "core/pcp", "core/sorting", "web/format", "web/timeline"},
	"web/table":             {"core/api", "core/pcp", "web/format", "web/metric", "web/panel", "web/timeline"},
	"web/session":           {"core/api", "core/pcp", "web/compare", "web/format", "web/panel", "web/table"},
	"web/export":            {"core/api", "core/pcp", "core/pattern", "core/shell", "web/format", "web/metric", "web/panel", "web/timeline"},
	"web/report":            {"core/api", "core/pcp", "core/sorting", "web/compare", "web/format", "web/panel", "web/session", "web/timeline"},
	"web/app":               {"core/api", "core/pcp", "core/pattern", "core/sorting", "wasm/rpc", "web/compare", "web/derive", "web/export", "web/format", "web/metric", "web/panel", "web/report", "web/session", "web/table", "web/timeline", "web/tree"},
	"web/ui":                {"core/api", "core/pcp", "core/sorting", "web/app", "web/compare", "web/derive", "web/format", "web/metric", "web/panel", "web/session", "web/table", "web/tree"},
	"web/canvas":            {"core/api", "core/pcp", "core/series", "wasm/rpc", "web/app", "web/compare", "web/format", "web/panel", "web/table"},
	"web/page":              {"core/api", "core/pcp", "wasm/garbage", "wasm/rpc", "wasm/zones", "web/app", "web/canvas", "web/export", "web/format", "web/render", "web/report", "web/session", "web/ui"},
	"cmd/pcpscope":          {"internal/cli"},
	"internal/cli":          {"core", "internal/catalog", "internal/fleet", "internal/serve", "wasm/engine", "wasm/rpc", "web/app", "web/format", "web/report", "web/timeline"},
	"internal/catalog":      {"core/archive", "core/pcp"},
	"internal/site":         {},
	"internal/browser":      {"internal/site"},
	"internal/build":        {"internal/shrink", "internal/site"},
	"internal/shrink":       {},
	"internal/recording":    {"core/archive", "core/pcp"},
	"internal/hostile":      {"core"},
	"internal/insightbench": {"core", "internal/cli"},
	"internal/dev":          {"internal", "wasm/edge/worker"},
	"internal/fleet":        {"core", "internal/catalog", "wasm/edge/worker"},
	"internal/fleetgen":     {"core/archive", "core/pcp"},
	"internal/serve":        {"internal/catalog", "internal/site", "wasm/edge/worker"},
	"internal/house":        {},
	"internal/inputs":       {},
	"internal/nodejs":       {},
	"internal/damaged":      {},
	"internal/reference":    {},
	"e2e":                   {},
	"docs/examples":         {},
	"e2e/bench":             {"internal", "core"},
}

// closed is what nothing below core/ may import, because it must run wherever
// Go runs.
var closed = regexp.MustCompile(`^(syscall/js|net/http|os/exec|honnef\.co/go/js/.*|github\.com/vugu/.*)$`)

type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

func packages(t *testing.T, env ...string) []goPackage {
	t.Helper()
	inputs.Watch(t, root)
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...")
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p goPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) < 5 {
		t.Fatalf("go list knows %d packages only", len(list))
	}
	return list
}

func TestImportsPointOneWay(t *testing.T) {
	for _, env := range [][]string{{"GOOS=linux"}, {"GOOS=js", "GOARCH=wasm"}} {
		for _, p := range packages(t, env...) {
			name := strings.TrimPrefix(p.ImportPath, module+"/")
			allowed, ok := rule(name)
			if !ok {
				t.Errorf("%s: no rule says what it may import; add one to mayImport", name)
				continue
			}
			inCore := name == "core" || strings.HasPrefix(name, "core/")
			for _, imported := range p.Imports {
				if inCore && closed.MatchString(imported) {
					t.Errorf("%s imports %s, which nothing below core/ may", name, imported)
				}
				local, ok := strings.CutPrefix(imported, module+"/")
				if ok && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, local) }) {
					t.Errorf("%s (%v) imports %s; it may import %v", name, env, local, allowed)
				}
			}
		}
	}
}

// rule finds the rule of a package.
func rule(name string) ([]string, bool) {
	for at := name; ; at = filepath.ToSlash(filepath.Dir(at)) {
		if at == "." {
			return nil, false
		}
		if allowed, ok := mayImport[at]; ok {
			return append(slices.Clone(allowed), at+"/"), true
		}
	}
}

// covers reports whether an entry of a rule allows a package: "core" and
// "internal" alone mean the whole tree, as does an entry that ends in a slash.
func covers(entry, name string) bool {
	switch entry {
	case "internal", "web", "wasm", "core":
		return name == entry || strings.HasPrefix(name, entry+"/")
	}
	return name == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(name, entry)
}

// Only files named accordingly may use JavaScript.
func TestJavaScriptStaysInGlue(t *testing.T) {
	for _, p := range packages(t, "GOOS=js", "GOARCH=wasm") {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		for _, file := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(text, []byte(`"syscall/js"`)) && !bytes.Contains(text, []byte(`"honnef.co/go/js/dom`)) {
				continue
			}
			room, _, _ := strings.Cut(name, "/")
			if !strings.HasSuffix(file, "_js.go") || room != "wasm" && room != "web" {
				t.Errorf("%s/%s imports syscall/js; only files named *_js.go in wasm/ and web/ may", name, file)
			}
		}
	}
}

// A test that runs a system program fails, or tests less without notice, if it
// is not installed. internal/reference does that in one place, records outputs
// that tests need, and reports missing programs uniformly.
func TestToolsAreUsedInOnePlace(t *testing.T) {
	allowed := []string{
		"internal/house/house_test.go", "internal/house/recursion_test.go", "internal/house/stack_test.go", "internal/dev/library_test.go", "e2e/examples_test.go", "e2e/guides_test.go", // the go command
		"e2e/quoting_test.go", "core/shell/shell_test.go", // the shell, and nothing in it
		"internal/shrink/shrink_test.go", "internal/shrink/tables_test.go", "internal/shrink/core_test.go", // go, and Node by its own support of Go
		"cmd/pcpscope/main_test.go", "internal/cli/fulldisk_test.go", // themselves
	}
	walk(t, ".go", func(name string, text []byte) {
		if strings.HasSuffix(name, "_test.go") && bytes.Contains(text, []byte(`"os/exec"`)) && !slices.Contains(allowed, name) {
			t.Errorf("%s imports os/exec; programs are run through internal/reference, Node through internal/nodejs", name)
		}
	})
}

// What the program compiles before main is compiled on every visit, twice.
func TestPatternsAreCompiledWhenUsed(t *testing.T) {
	early := regexp.MustCompile(`(?m)^(?:var |\t)\w+\s*= regexp\.MustCompile`)
	for _, p := range packages(t, "GOOS=js", "GOARCH=wasm") {
		for _, file := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if at := early.Find(text); at != nil && !strings.HasPrefix(strings.TrimPrefix(p.ImportPath, module+"/"), "internal/") {
				t.Errorf("%s/%s: %s; core/pattern compiles when first used", p.ImportPath, file, at)
			}
		}
	}
}

func TestGoIsFormatted(t *testing.T) {
	walk(t, ".go", func(name string, text []byte) {
		if strings.HasSuffix(name, "_gen.go") {
			return
		}
		if want, err := format.Source(text); err != nil || !bytes.Equal(want, text) {
			t.Errorf("%s is not as gofmt has it", name)
		}
	})
}

// vugugen's output for the components is committed and up to date.
func TestComponentsAreGenerated(t *testing.T) {
	dir := t.TempDir()
	ui := filepath.Join(root, "web", "ui")
	if err := os.CopyFS(filepath.Join(dir, "ui"), os.DirFS(ui)); err != nil {
		t.Fatal(err)
	}
	templates, _ := filepath.Glob(filepath.Join(dir, "ui", "*.vugu"))
	if len(templates) == 0 {
		t.Fatal("there are no components")
	}
	// vugugen runs as a tool of this module, over the copy.
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(dir, file), text, 0o644)
	}
	if err := build.Generate(filepath.Join(dir, "ui")); err != nil {
		t.Fatal(err)
	}
	for _, template := range templates {
		name := strings.TrimSuffix(filepath.Base(template), ".vugu") + "_gen.go"
		fresh, err := os.ReadFile(filepath.Join(dir, "ui", name))
		if err != nil {
			t.Errorf("vugugen made no %s", name)
			continue
		}
		if old, _ := os.ReadFile(filepath.Join(ui, name)); !bytes.Equal(old, fresh) {
			t.Errorf("web/ui/%s is out of date: run go tool vugugen -skip-go-mod -skip-main . in web/ui/", name)
		}
	}
}

// Vendored files are byte for byte those of npm's uplot-1.6.32.tgz (SHA-256
// 4b8a8191e425658e3ea8c8c1314b0fc679c861ee3a1af2b20c7b16ba50b5133d).
func TestVendoredFilesAreUntouched(t *testing.T) {
	want := map[string]string{
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"uPlot.LICENSE":     "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	}
	dir := filepath.Join(root, "web", "static", "vendor")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		if hex.EncodeToString(sum[:]) != want[e.Name()] {
			t.Errorf("%s is not what its makers published", e.Name())
		}
		delete(want, e.Name())
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

// The policy would block inline code and inline styles at run time.
func TestPagesHaveNothingInline(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<style|\sstyle\s*=|<script(\s[^>]*)?>\s*[^<\s]|\son[a-z]+\s*=\s*["']`)
	for _, ext := range []string{".html", ".vugu"} {
		walk(t, ext, func(name string, text []byte) {
			markup := text
			if ext == ".vugu" { // their script blocks are Go, for the generator
				markup = regexp.MustCompile(`(?s)<script type="application/x-go">.*?</script>`).ReplaceAll(text, nil)
			}
			if found := inline.Find(markup); found != nil {
				t.Errorf("%s has inline code or style: %s", name, found)
			}
		})
	}
}

// walk calls f for each file of the repository with an extension.
func walk(t *testing.T, ext string, f func(name string, text []byte)) {
	t.Helper()
	n := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "dist" || d.Name() == "tmp") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ext {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		n++
		f(name, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 && ext != ".vugu" {
		t.Errorf("there is no %s file", ext)
	}
}
