package panel

import "strings"

// Stacked reports whether the lines are stacked areas.
func (s *Settings) Stacked() bool {
	switch s.Style {
	case "stack", "utilisation", "mirror":
		return true
	case "topn":
		return s.additive()
	}
	return s.Stack
}

// Tabular reports whether the panel is a table.
func (s *Settings) Tabular() bool { return s.Table || s.Style == "table" || s.Style == "rows" }

// Lanes and Heat are the styles that draw one row per instance.
func (s *Settings) Lanes() bool { return s.Style == "state" && !s.Table }

func (s *Settings) Heat() bool { return s.Style == "heatmap" && !s.Table }

// ByInstance reports whether there is a row per instance; there may be many.
func (s *Settings) ByInstance() bool {
	return s.Style == "heatmap" || s.Style == "state" || s.Style == "event" || s.Tabular()
}

// additive reports whether a sum of the lines is meaningful.
func (s *Settings) additive() bool {
	switch {
	case s.Breakdown != nil || s.Unit == "" || strings.HasPrefix(s.Unit, "% of one CPU"):
		return true
	case strings.HasPrefix(s.Unit, "%") || strings.Contains(s.Unit, "°") || strings.HasSuffix(s.Unit, "Hz"):
		return false
	}
	return true
}

// HasEvents reports whether the panel shows event records: a lane per instance, with marks
// for events.
func (s *Settings) HasEvents() bool { return s.Style == "event" && !s.Table }
