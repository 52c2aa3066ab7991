package web

import (
	"os"
	"regexp"
	"slices"
	"testing"
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
