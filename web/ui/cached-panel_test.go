package ui

import (
	"testing"

	"github.com/vugu/vugu"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/panel"
)

// A panel is rebuilt only when something it shows has changed: when a reply
// arrives, not when it is requested.
func TestPanelsAreReused(t *testing.T) {
	a := app.New(nil, nil)
	tab := &app.Tab{Metrics: []api.Metric{{Name: "disk.all.read"}}}
	p := &app.Panel{ID: 1}
	p.Settings = panel.Settings{Metrics: []string{"disk.all.read"}}
	kept := &CachedPanel{App: a, Tab: tab, Panel: p}
	env, err := vugu.NewBuildEnv(nil)
	if err != nil {
		t.Fatal(err)
	}
	built := func() bool {
		before := kept.built
		env.RunBuild(kept)
		return kept.built != before
	}
	for _, step := range []struct {
		what   string
		change func()
		built  bool
	}{
		{"the first time", func() {}, true},
		{"nothing changed", func() {}, false},
		{"values are asked for, and there were none", func() { p.Loading = true }, true},
		{"values came", func() { p.Loading, p.Frame, p.Rev = false, &api.Frame{}, 1 }, true},
		{"others are asked for", func() { p.Loading = true }, false},
		{"it is the one that new metrics go to", func() { tab.Dashboard.Active = 1 }, true},
		{"its menu is open", func() { a.Layout.ToggleMenu("panel", 1) }, true},
		{"another's menu is open", func() { a.Layout.ToggleMenu("panel", 2) }, true},
		{"a third one's menu is open", func() { a.Layout.ToggleMenu("panel", 3) }, false},
		{"panels are tables", func() { a.Layout.Tables = true }, true},
		{"one instance alone is drawn", func() { tab.Dashboard.Only = "sda" }, true},
		{"times are of another zone", func() { tab.Clock.Name = "UTC" }, true},
		{"more metrics are known", func() { tab.Metrics = append(tab.Metrics, api.Metric{Name: "x"}) }, true},
		{"the cursor moved", func() { a.Cursor.Set(7) }, false},
	} {
		step.change()
		if got := built(); got != step.built {
			t.Errorf("%s: rebuilt = %v, want %v", step.what, got, step.built)
		}
	}
}
