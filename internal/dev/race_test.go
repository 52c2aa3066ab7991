package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every package outside the core that starts goroutines in tests is tested under the
// race detector.
func TestWhatStartsGoroutinesIsRaced(t *testing.T) {
	starts := regexp.MustCompile(`(?m)^[^/\n]*(\bgo func\(|\bgo [\w.]+\(|\.Go\(func\()`)
	var found []string
	for _, folder := range []string{"core/columns", "internal/fleet", "wasm", "web"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(file string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_js.go") || strings.HasSuffix(file, "_gen.go") {
				return err
			}
			text, err := os.ReadFile(file)
			name, _ := filepath.Rel("../..", filepath.Dir(file))
			if p := "./" + filepath.ToSlash(name); starts.Match(text) && p != "./wasm/edge" && !slices.Contains(found, p) {
				found = append(found, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range found {
		if !slices.ContainsFunc(raced, func(r string) bool {
			return p == r || strings.HasSuffix(r, "/...") && strings.HasPrefix(p+"/", strings.TrimSuffix(r, "..."))
		}) {
			t.Errorf("%s starts goroutines but is not tested with the race detector", p)
		}
	}
	if len(found) < len(raced) {
		t.Errorf("goroutines are started in %q only", found)
	}
}

// Every test that is left out under the detector exists.
func TestSequentialTestsAreThere(t *testing.T) {
	var names []string
	for _, pattern := range raced {
		folder := filepath.Join("..", "..", strings.TrimSuffix(filepath.FromSlash(pattern), "..."))
		there, err := testNames(folder)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, there...)
	}
	for _, name := range sequential {
		if !slices.Contains(names, name) {
			t.Errorf("no raced package has %s", name)
		}
	}
}
