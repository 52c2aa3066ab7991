package panel

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/chart"
)

// innermost removes instances that contain others, as cgroups do: their use would count
// twice. Instances are paths, possibly followed by "::" and a device.
func (p *showing) innermost() {
	path := func(s Series) string { return chart.Path(s.Metric, s.Instance) }
	contains := chart.Contains(p.Series, path)
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return contains[path(s)] })
}

// adds reports whether a metric's cgroups add up.
func (s *Settings) adds(metric string) bool {
	line := s.line(metric)
	return s.additive() && !share(line.Unit) && line.Role != "limit"
}

// bySlice draws one line for all cgroups of a slice: the sum computed by the engine if a
// sum is meaningful, else the values logged for the slice itself.
func (p *showing) bySlice() {
	own, sums := map[string]int{}, map[string]int{} // columns, by key
	for i := range p.Frame.Columns {
		switch c := &p.Frame.Columns[i]; {
		case c.Instance == nil:
		case c.Instance.ID == chart.Summed:
			sums[c.Metric+"\x00"+c.Instance.Name] = i
		default:
			own[c.Metric+"\x00"+c.Instance.Name] = i
		}
	}
	var grouped []Series
	seen := map[string]bool{}
	for _, s := range p.Series {
		slice := chart.SliceOf(s.Instance)
		key := s.Metric + "\x00" + slice
		column, there := sums[key]
		if !p.adds(s.Metric) {
			column, there = own[key]
		}
		if !there || seen[key] {
			continue // percentages of different limits cannot be combined
		}
		seen[key] = true
		c := &p.Frame.Columns[column]
		s.Key, s.Instance, s.Called, s.Column, s.Label = key, slice, cmp.Or(c.Title, slice), column, p.label(c)
		grouped = append(grouped, s)
	}
	p.Series = grouped
}

// briefly labels cgroups by the last part of their path if that is unambiguous: long
// common prefixes hide the difference.
func (p *showing) briefly() {
	path := func(s Series) string { return cmp.Or(s.Instance, s.Label) } // processes grouped by cgroup have only a label
	last := func(s Series) string { return path(s)[strings.LastIndexByte(path(s), '/')+1:] }
	times := map[string]int{}
	for _, s := range p.Series {
		times[last(s)+s.LineStyle.Name]++
	}
	for i := range p.Series {
		s := &p.Series[i]
		name := last(*s)
		if name == "" || path(*s)[0] != '/' || s.Called != s.Instance || times[name+s.LineStyle.Name] > 1 {
			continue
		}
		if s.Label == path(*s) {
			s.Label = name
		}
		if s.Instance != "" {
			s.Called = name
		}
	}
}

// share reports whether a unit is a fraction of something that differs per instance, such
// as a limit; percent of one CPU can be added.
func share(unit string) bool { return strings.HasPrefix(unit, "%") && unit != "% of one CPU" }
