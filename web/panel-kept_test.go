package web

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/state"
)

// A panel that is kept as it was built shows what was so then. Whatever its
// view asks of the page or of the source must be in panelLook, and then here;
// what only handlers use is not.
func TestPanelLookHasAllThatViewsAskFor(t *testing.T) {
	known := []string{
		"App.Menu", "App.MenuFor", "App.Tables",
		"Work.Active", "Work.Clock", "Work.Metric", "Work.Only",
		"Work.Words",                                           // of the panel and the clock
		"App.ToggleMenu", "Work.HideSeries", "Work.SoloSeries", // handlers
	}
	asked := regexp.MustCompile(`\bc\.((?:App|Work)\.\w+)`)
	var found []string
	for _, file := range []string{"panel-view.go", "panel-view.vugu"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), ".Loading") {
			t.Errorf("%s asks for Panel.Loading: a kept panel tells no difference but that of Waiting", file)
		}
		for _, m := range asked.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(found, m[1]) {
				found = append(found, m[1])
			}
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s asks for %s: put it into panelLook", file, m[1])
			}
		}
	}
	for _, k := range known {
		if !slices.Contains(found, k) {
			t.Errorf("no view asks for %s any more", k)
		}
	}
}

// What a panel asks for does not change its view; what comes does.
func TestUnchangedPanels(t *testing.T) {
	frame := &api.Frame{}
	kept, now := state.Panel{ID: 1, Frame: frame}, state.Panel{ID: 1, Frame: frame, Loading: true}
	if !unchanged(&kept, &now) {
		t.Error("a panel that shows values is another when others are asked for")
	}
	now.Loading, now.Rev = false, 1
	if unchanged(&kept, &now) {
		t.Error("a panel with other values is the same")
	}
	kept, now = state.Panel{ID: 1}, state.Panel{ID: 1, Loading: true}
	if unchanged(&kept, &now) {
		t.Error("a panel without values does not say that they are on their way")
	}
}
