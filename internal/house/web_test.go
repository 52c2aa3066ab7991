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

// In the root of web/ are its package, which is Run, and what is said of it.
// What a room needs lies in the room.
func TestRootOfWebIsEmpty(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join(root, "web"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains([]string{"README.md", "doc.go", "run_js.go", "package.json"}, e.Name()) {
			t.Errorf("web/%s has no room", e.Name())
		}
	}
}

// maxMethods is how many a type of web/ may have: one with more is several.
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

// A change of a template shows as one: the markup of a line is no longer than can
// be read. Sentences and the paths of pictures stay in one piece.
func TestTemplatesAreWrittenOverLines(t *testing.T) {
	const longest = 180
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
