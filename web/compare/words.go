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
	largest := max(math.Abs(c.MedianA), math.Abs(c.MedianB), math.Abs(c.MeanA), math.Abs(c.MeanB))
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
	if s.Unit == "%" && (c.Command != "" || strings.HasPrefix(c.Metric, "kernel.all.cpu.")) {
		s.Of = format.CPUs(0) // elsewhere on the page CPU time is a share of all CPUs
		if strings.HasPrefix(c.Unit, "% of all") {
			s.Of = c.Unit
		}
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
	from, to, by, bursts := Levels(c)
	direction, level := "higher", "median"
	if by < 0 {
		direction, by = "lower", -by
	}
	if bursts {
		direction, level = direction+" on average", "mean"
	}
	text := fmt.Sprintf("In B it is %s by %s%s (%s %s to %s)", direction, s.Text(by), unit, level, s.Text(from), s.Text(to))
	switch {
	case c.Effect >= 1:
		text += "; every sample of B lies above every sample of A"
	case c.Effect <= -1:
		text += "; every sample of B lies below every sample of A"
	}
	return text + "."
}

// LevelText writes one of a change's levels for a table of medians.
func LevelText(s format.Shown, v float64, bursts bool) string {
	if bursts {
		return "mean " + s.Text(v)
	}
	return s.Text(v)
}

// Only describes what only one window has.
func Only(o *api.OnlyIn) string {
	if o.Command != "" {
		return o.Command + " used CPU time in " + o.In + " alone"
	}
	name := o.Metric
	switch {
	case o.Instances > 0:
		return format.Count(o.Instances) + " instances of " + name + " have values in " + o.In + " alone"
	case o.Instance != nil:
		name += " of " + o.Instance.Name
	}
	return name + " has values in " + o.In + " alone"
}

// Setting says how a setting differs.
func Setting(c *api.ChangedSetting) string {
	name := c.Metric
	if c.Instance != nil {
		name += " of " + c.Instance.Name
	}
	return name + ": " + c.A + " in A, " + c.B + " in B"
}

// Others lists what only one window has, and settings that differ.
func (c *State) Others() []string {
	var list []string
	if c.Result == nil {
		return nil
	}
	for i := range c.Result.Only {
		list = append(list, Only(&c.Result.Only[i]))
	}
	for i := range c.Result.Settings {
		list = append(list, Setting(&c.Result.Settings[i]))
	}
	return list
}
