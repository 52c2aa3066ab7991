package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The root of web/ has only its package, with Run, and its documentation.
// Everything else is in a package of its own.
func TestRootOfWebIsEmpty(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join(root, "web"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains([]string{"README.md", "doc.go", "run_js.go", "package.json"}, e.Name()) {
			t.Errorf("web/%s belongs in a package below web/", e.Name())
		}
	}
}

// maxMethods is the maximum number of methods of a type in web/; larger types
// should be split.
const maxMethods = 40

func TestTypesHaveOneIdea(t *testing.T) {
	methods := map[string]int{}
	walk(t, ".go", func(name string, text []byte) {
		if !strings.HasPrefix(name, "web/") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name == "Build" && strings.HasSuffix(name, "_gen.go") {
				continue
			}
			typ := f.Recv.List[0].Type
			if p, ok := typ.(*ast.StarExpr); ok {
				typ = p.X
			}
			if id, ok := typ.(*ast.Ident); ok {
				methods[filepath.ToSlash(filepath.Dir(name))+"."+id.Name]++
			}
		}
	})
	for typ, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods; more than %d are more than one idea", typ, n, maxMethods)
		}
	}
	if len(methods) < 50 {
		t.Errorf("only %d types were found", len(methods))
	}
}

// Template changes must be visible in diffs: markup lines have a limited length,
// except for sentences and SVG paths.
func TestTemplatesAreWrittenOverLines(t *testing.T) {
	const longest = 140
	piece := regexp.MustCompile(`\bd="[^"]*"|>[^<]+<`)
	walk(t, ".vugu", func(name string, text []byte) {
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if len(piece.ReplaceAllString(line, "")) > longest {
				t.Errorf("%s:%d has %d characters", name, n, len(line))
			}
		}
	})
}
