package ui

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// Values that are text are counted as numbers are: three of the two instances' five points are
// in the window, of which one instance has three and the other one.
func TestTextsAreCounted(t *testing.T) {
	text := func(s string) *string { return &s }
	f := &api.Frame{Times: []float64{0, 1, 2, 3, 4}, Columns: []api.Column{
		{Metric: "a.text", Type: "STRING", Instance: &api.InstanceRef{ID: 1, Name: "x"}, Strings: []*string{text("1"), text("1"), text("2"), text("2"), text("2")}},
		{Metric: "a.text", Type: "STRING", Instance: &api.InstanceRef{ID: 2, Name: "y"}, Strings: []*string{nil, text("1"), nil, nil, text("2")}},
		{Metric: "a.text", Type: "STRING", Instance: &api.InstanceRef{ID: 3, Name: "z"}, Strings: make([]*string, 5)},
	}}
	w := timeline.Window{Start: 1e9, End: 3e9}
	answer := panel.Answer{Frame: f, Window: w, Others: -1, Total: -1, Known: make([]api.ChartLine, 3),
		Load: func(int) ([]float64, []uint8) { return nil, nil }, Band: func(int) (low, high []float64) { return nil, nil }}
	v := panel.Show(panel.Settings{Metrics: []string{"a.text"}}, answer, panel.Context{Metric: func(string) *api.Metric { return nil }})
	list := v.CountsWithin(w)
	if got, want := valuesText(list, v.PointsWithin(w)), "x 3, y 1, z none of 3"; got != want {
		t.Errorf("values: %q, want %q", got, want)
	}
	if len(list) != 3 || list[0].Label != "x" {
		t.Errorf("series: %+v, want those of x, y and z", list)
	}
	single := &api.Frame{Times: []float64{0, 1}, Columns: []api.Column{{Metric: "a.text", Type: "STRING", Strings: []*string{text("1"), text("2")}}}}
	alone := panel.View{Answer: panel.Answer{Frame: single}}
	if got, want := valuesText(alone.CountsWithin(timeline.Window{End: 1e9}), 2), "2 of 2"; got != want {
		t.Errorf("values: %q, want %q", got, want)
	}
}
