package dashboard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every dashboard that is written, and every map of a platform's panels, is
// used: one that is missing from defined or byPlatform would never be shown.
func TestAllIsShown(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	uses, written := map[string]int{}, []string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(file) {
			switch n := n.(type) {
			case *ast.Ident:
				uses[n.Name]++
			case *ast.FuncDecl:
				if n.Type.Results == nil || len(n.Type.Results.List) != 1 || n.Name.IsExported() {
					continue
				}
				if of := types.ExprString(n.Type.Results.List[0].Type); of == "Dashboard" || of == "map[string][]Panel" {
					written = append(written, n.Name.Name)
				}
			}
		}
	}
	for _, name := range []string{"ofDarwin", "overview"} {
		if !slices.Contains(written, name) {
			t.Errorf("%s is not found", name)
		}
	}
	for _, name := range written {
		if uses[name] < 2 { // its declaration is one
			t.Errorf("nothing shows %s", name)
		}
	}
}

// The maps of platforms name dashboards that are there.
func TestPlatformsAddToDashboards(t *testing.T) {
	for _, of := range byPlatform() {
		for id, panels := range of {
			d, ok := Find(id)
			if !ok {
				t.Errorf("there is no dashboard %q", id)
			}
			for _, p := range panels {
				if !slices.ContainsFunc(d.Panels, func(shown Panel) bool { return shown.ID == p.ID }) {
					t.Errorf("the dashboard %s does not show %s", id, p.ID)
				}
			}
		}
	}
}
