package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No test is forgotten: the tests distributed are those found by Go's parser.
func TestBrowserTestsAreSharedOut(t *testing.T) {
	names, err := testNames("../../e2e")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../e2e/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests in a browser: ", err)
	}
	var want []string
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" {
				want = append(want, f.Name.Name)
			}
		}
	}
	all := longestFirst(names)
	if !slices.Equal(all[:len(longTests)], longTests) {
		t.Errorf("%q come first, of which all are to be long: %q", all[:len(longTests)], longTests)
	}
	slices.Sort(all)
	slices.Sort(want)
	if !slices.Equal(all, want) {
		t.Errorf("shared out are %q, there are %q", all, want)
	}
}
