package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the page imports is inside its bundles, and not served a second time.
func TestBundle(t *testing.T) {
	b := &builder{Options: Options{Root: filepath.Join("..", ".."), Dist: t.TempDir()}, made: map[string]bool{}, inside: map[string]bool{}}
	for _, step := range []func() error{b.runtime, b.bundle, b.static} { // the workers' script has Go's support inside
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	for name, wants := range map[string][]string{
		"early.js":    {"pcpscopePage.early", "pcpscopePage.intake", "pcpscopePage.handles", "pcpscopePage.recent"},
		"main.js":     {"pcpscopePage.charts", `from"./pcpscope.js"`, `"./start.js"`, `"./embed/requests.js"`},
		"pcpscope.js": {"import(/* @vite-ignore */ /* webpackIgnore: true */String("}, // bundlers of embedders follow other imports
		"page.css":    {".uplot", "light-dark("},
	} {
		text, err := os.ReadFile(filepath.Join(b.Dist, name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not contain %s", name, want)
			}
		}
	}
	for _, name := range []string{"boot.js", "charts/sync.js", "style/look.css"} {
		if b.made[name] {
			t.Errorf("%s is served by itself, too", name)
		}
	}
	for _, name := range []string{"pcpscope.js", "start.js", "embed/requests.js", "vendor/uPlot.min.css"} {
		if !b.made[name] {
			t.Errorf("%s is not served, but others load it", name)
		}
	}
}
