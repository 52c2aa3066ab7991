package export

import (
	"math"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// Integers that a double would round are written as they were logged, others as they are drawn.
func TestExactIntegers(t *testing.T) {
	column := func(name string, exact any, values ...float64) api.Column {
		return api.Column{Metric: name, Semantics: "instant", Exact: exact, Values: values}
	}
	f := &api.Frame{Times: []float64{0, 1, 2, 3}, Step: 1, Columns: []api.Column{
		column("unsigned", []uint64{math.MaxUint64, 1<<53 + 1, 5, 0}, math.MaxUint64, 1<<53, 5, math.NaN()),
		column("signed", []int64{math.MinInt64, -1<<53 - 1, -5, 0}, math.MinInt64, -1<<53, -5, math.NaN()),
		column("changed", []uint64{1<<54 + 1, 1<<54 + 1, 0, 0}, 1<<55, math.NaN(), 0.5, 1),
	}}
	settings := panel.Settings{Metrics: []string{"unsigned", "signed", "changed"}}
	view := panel.Show(settings, panel.Answer{Frame: f, Window: timeline.Window{End: 3e9}, Step: 1e9, Others: -1, Total: -1, Known: make([]api.ChartLine, 3),
		Load: func(i int) ([]float64, []uint8) { return f.Columns[i].Values, nil }}, panel.Context{Metric: func(string) *api.Metric { return nil }})
	sheet := Sheet{Source: &api.Source{}, Clock: format.UTC, Window: view.Window, Panels: []Panel{{&settings, &view}}}
	want := "time,unsigned,signed,changed\r\n" +
		"1970-01-01T00:00:00Z,18446744073709551615,-9223372036854775808,3.602879701896397e+16\r\n" +
		"1970-01-01T00:00:01Z,9007199254740993,-9007199254740993,\r\n" +
		"1970-01-01T00:00:02Z,5,-5,0.5\r\n1970-01-01T00:00:03Z,,,1\r\n"
	if got := sheet.CSV(); got != want {
		t.Errorf("CSV:\n%s, want\n%s", got, want)
	}
	text := strings.Join(strings.Fields(sheet.JSON()), "")
	for _, want := range []string{`"values":[18446744073709551615,9007199254740993,5,null]`, `"values":[-9223372036854775808,-9007199254740993,-5,null]`, `"values":[36028797018963970,null,0.5,1]`} {
		if !strings.Contains(text, want) {
			t.Errorf("JSON: %s, want %s", text, want)
		}
	}
}
