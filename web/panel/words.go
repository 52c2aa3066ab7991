package panel

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// maxWords is how many lines of a chart are described in words.
const maxWords = 4

// Describe describes the lines of a panel for screen readers, largest first: "user: rises
// from 12 % to 94 % at 14:05:10 and stays for 20 min".
func Describe(p *Settings, v *View, clock format.Clock) string {
	if p.HasEvents() {
		return v.DescribeEvents()
	}
	drawn := make([]*Series, 0, len(v.Series))
	for i := range v.Series {
		if s := &v.Series[i]; p.Drawn(s) && s.Stats.Count > 0 && s.Column < len(v.Frame.Columns) {
			drawn = append(drawn, s)
		}
	}
	sorting.Stable(drawn, func(a, b *Series) int { return cmp.Compare(b.Stats.Max, a.Stats.Max) })
	var parts []string
	for _, s := range drawn[:min(len(drawn), maxWords)] {
		parts = append(parts, s.Label+": "+v.shape(s, clock))
	}
	if n := len(drawn) - maxWords; n > 0 {
		parts = append(parts, format.Plural(n, "more line"))
	}
	return strings.Join(parts, "; ")
}

// shape describes one line within the panel's window in words.
func (v *View) shape(s *Series, clock format.Clock) string {
	shown := s.ShownIn(v)
	say := func(x float64) string {
		text := shown.For(x).Text(x)
		if shown.Unit != "" {
			text += " " + shown.Unit
		}
		return text
	}
	when := func(t pcp.Time) string { return clock.Within(t, v.Window.Start, v.Window.End) }
	values, times := []float64{}, []pcp.Time{}
	all, _ := v.load(s.Column)
	for i, value := range all {
		if t := timeline.At(v.Frame, i); !math.IsNaN(value) && v.Window.Contains(t) {
			values, times = append(values, value), append(times, t)
		}
	}
	if len(values) == 0 {
		return "no value in this window"
	}
	low, high := slices.Min(values), slices.Max(values)
	highest := func() pcp.Time { return times[slices.Index(values, high)] }
	if v.Reduced() != "" && s.Stats.Count > 0 { // points are reduced: use the statistics
		low, high = min(low, s.Stats.Min), max(high, s.Stats.Max)
		highest = func() pcp.Time { return s.Stats.MaxAt }
	}
	if len(values) < 3 && v.Reduced() == "" || say(low) == say(high) || high-low <= 0.05*math.Max(math.Abs(high), math.Abs(low)) {
		return "steady at " + say(median(values))
	}
	from, to := plateau(values, low+(high-low)/2)
	n := len(values)
	before, level, after := median(values[:from]), median(values[from:to]), median(values[to:])
	less := func(x, y float64) bool { return x < y && say(x) != say(y) }
	switch length := to - from; {
	case length < max(3, n/50) || from == 0 && to == n:
		return "mostly about " + say(median(values)) + ", at most " + say(high) + " at " + when(highest())
	case from == 0 && less(after, level):
		return "falls from " + say(level) + " to " + say(after) + " at " + when(times[to])
	case from > 0 && less(before, level):
		text := "rises from " + say(before) + " to " + say(level) + " at " + when(times[from]) + " and stays for " + format.Span(int64(times[to-1]-times[from]))
		if to < n && less(after, level) {
			text += ", then falls to " + say(after)
		}
		return text
	}
	least := slices.Min(values)
	return "mostly about " + say(median(values)) + ", at least " + say(least) + " at " + when(times[slices.Index(values, least)]) // high most of the time, with dips
}

// plateau is the longest range of values above a level. Brief dips below it, of up to a
// hundredth of all values, do not end it.
func plateau(values []float64, level float64) (from, to int) {
	patience := len(values) / 100
	start, last := -1, -1
	end := func() {
		if start >= 0 && last+1-start > to-from {
			from, to = start, last+1
		}
		start = -1
	}
	for i, v := range values {
		switch {
		case v > level:
			if start < 0 {
				start = i
			}
			last = i
		case start >= 0 && i-last > patience:
			end()
		}
	}
	end()
	return from, to
}

// median returns the median without modifying values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}
