package ui

import (
	"math"
	"testing"

	"pcpscope/core/api"
)

// The chart of a row is 24 units high, with a margin of one: from 40 to 62, each is a point.
// The band of a level that changed is around the one it began with.
func TestExplainBand(t *testing.T) {
	for name, c := range map[string]struct {
		row       api.ExplanationRow
		y, height string
	}{
		"a mean":            {api.ExplanationRow{Was: 62, Low: 40, High: 44, Values: []float64{40, math.NaN(), 62}}, "19.0", "4.0"},
		"a change":          {api.ExplanationRow{Was: 20, Low: -2, High: 3, Changed: &api.FromTo{From: 42, To: 62}, Values: []float64{42, 50, 62}}, "18.0", "5.0"},
		"what never did so": {api.ExplanationRow{Was: 22, Changed: &api.FromTo{From: 40, To: 62}, Values: []float64{40, 62}}, "23.0", "1.0"},
	} {
		var row ExplainRow
		row.draw(&api.Explanation{Step: 10}, &c.row)
		if row.BandY != c.y || row.BandHeight != c.height {
			t.Errorf("%s: %s high from %s on, want %s from %s", name, row.BandHeight, row.BandY, c.height, c.y)
		}
	}
}
