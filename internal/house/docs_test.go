package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/derived"
)

// The test IDs listed in docs/testing.md exist.
func TestPromisedTestIDs(t *testing.T) {
	var sources strings.Builder
	for _, ext := range []string{".vugu", ".go", ".html", ".js"} { // some are made in Go
		walk(t, ext, func(name string, text []byte) {
			if strings.HasPrefix(name, "web/") && !strings.HasSuffix(name, "_gen.go") && !strings.HasSuffix(name, "_test.go") {
				sources.Write(text)
			}
		})
	}
	_, list, found := strings.Cut(read(t, "docs/testing.md"), "| `data-testid` |")
	if !found {
		t.Fatal("docs/testing.md has no list of test ids")
	}
	n := 0
	for line := range strings.Lines(list) {
		ids, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, id := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(ids, -1) {
			n++
			if !strings.Contains(sources.String(), `"`+id[1]+`"`) {
				t.Errorf("docs/testing.md promises %s, which is gone", id[1])
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d test ids are promised", n)
	}
}

// Links between the documents are valid, and quoted parts of the examples
// match them.
func TestDocumentsHoldTogether(t *testing.T) {
	link := regexp.MustCompile(`(?:^|[^!])\[[^\]]*\]\(([^)#:]+)\)`) // pictures are added by hand
	walk(t, ".md", func(name string, text []byte) {
		text = regexp.MustCompile("(?s)```.*?```").ReplaceAll(text, nil) // code has brackets too
		for _, m := range link.FindAllSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), string(m[1]))); err != nil {
				t.Errorf("%s points to %s, which is not there", name, m[1])
			}
		}
	})
	if !strings.Contains(read(t, "docs/embedding.md"), strings.TrimSuffix(read(t, "docs/examples/chart.js"), "document.title = \"drawn\";\n")) {
		t.Error("the chart in docs/embedding.md is not docs/examples/chart.js")
	}
}

// What moves together is not what caused it: no text promises a "root cause".
func TestNoRootCause(t *testing.T) {
	looked := 0
	for _, ext := range []string{".md", ".go", ".vugu", ".html", ".js", ".ts"} {
		walk(t, ext, func(name string, text []byte) {
			if strings.HasSuffix(name, "_test.go") {
				return
			}
			looked++
			if strings.Contains(strings.ToLower(strings.Join(strings.Fields(string(text)), " ")), "root "+"cause") {
				t.Errorf("%s speaks of a root cause", name)
			}
		})
	}
	if looked < 500 {
		t.Errorf("only %d files were looked at", looked)
	}
}

// The guide to derived metrics names every function of the language.
func TestFunctionsAreDocumented(t *testing.T) {
	guide := read(t, "docs/derived.md") + read(t, "docs/spec/derived.md")
	for _, f := range derived.Functions {
		text := guide
		if f.Ours {
			text = read(t, "docs/derived.md")
		}
		if !strings.Contains(text, f.Name+"(") {
			t.Errorf("docs/derived.md says nothing of %s", f.Signature)
		}
	}
}

// The files that the documents for developers name exist: a path from the root
// or from web/, core/ or a folder of them, or the name of a file anywhere.
func TestNamedFilesExist(t *testing.T) {
	var all []string
	for _, ext := range []string{".go", ".js", ".ts", ".vugu", ".txt", ".md"} {
		walk(t, ext, func(name string, _ []byte) { all = append(all, "/"+name) })
	}
	code := regexp.MustCompile("`([a-z][A-Za-z0-9_./-]*\\.(?:go|js|ts|vugu|txt|md))`")
	n := 0
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "web/README.md"} {
		for _, m := range code.FindAllStringSubmatch(read(t, name), -1) {
			n++
			if file := m[1]; !strings.Contains(file, "NAME.") && !slices.ContainsFunc(all, func(path string) bool { return strings.HasSuffix(path, "/"+file) }) {
				t.Errorf("%s names %s, which does not exist", name, file)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d files are named, want 50 or more", n)
	}
}

// So do those that comments name with their path.
func TestFilesNamedInCommentsExist(t *testing.T) {
	named := regexp.MustCompile(`(?m)^.*// .*?\b((?:cmd|core|docs|e2e|internal|wasm|web)/[A-Za-z0-9_./-]*\.(?:go|js|md|ts|txt|vugu))\b`)
	n := 0
	walk(t, ".go", func(name string, text []byte) {
		for _, m := range named.FindAllSubmatch(text, -1) {
			n++
			if _, err := os.Stat(filepath.Join(root, string(m[1]))); err != nil {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
	})
	if n < 20 {
		t.Errorf("%d files are named, want 20 or more", n)
	}
}
