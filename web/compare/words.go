package compare

import (
	"fmt"
	"math"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// ShownOf is the display unit of a change. utilisation says that its metric is shown
// as a share of time.
func ShownOf(c *api.Change, utilisation bool) format.Shown {
	largest := math.Max(math.Abs(c.MedianA), math.Abs(c.MedianB))
	for _, list := range [][]float64{c.A, c.B} {
		for _, v := range list {
			if !math.IsNaN(v) {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	s := format.Show(c.Units, utilisation && c.Units == "", largest, false)
	if s.Unit == "" || s.Unit == "count/s" && strings.HasSuffix(c.Unit, "/s") {
		s.Unit = c.Unit
	}
	return s
}

// Sentence describes a change.
func Sentence(c *api.Change, s format.Shown) string {
	unit := ""
	if s.Unit != "" {
		unit = " " + s.Unit
	}
	if s.Unit == "%" {
		unit = " percentage points"
	}
	direction, by := "higher", c.Shift
	if c.Shift < 0 {
		direction, by = "lower", -c.Shift
	}
	text := fmt.Sprintf("In B it is %s by %s%s (median %s to %s)", direction, s.Text(by), unit, s.Text(c.MedianA), s.Text(c.MedianB))
	switch {
	case c.Effect >= 1:
		text += "; every sample of B lies above every sample of A"
	case c.Effect <= -1:
		text += "; every sample of B lies below every sample of A"
	}
	return text + "."
}
