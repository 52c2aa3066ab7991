package panel

import (
	"slices"
	"strings"

	"pcpscope/web/format"
)

// Reductions are the ways to reduce the observations of a step to one point of a chart,
// with their names.
var Reductions = [][2]string{{"mean", "Mean"}, {"max", "Max"}, {"min", "Min"}, {"p95", "p95"}, {"last", "Last"}, {"sample", "Sample"}}

// Reduction is how each point is reduced: the mean unless the user has chosen, or the
// maximum in a heat map, whose cells have no room for a band.
func (s *Settings) Reduction() string {
	switch {
	case s.Reduce != "":
		return s.Reduce
	case s.Heat():
		return "max"
	}
	return "mean"
}

// total is the expression for the total height of a stack: the sum of each area's maximum
// would be too high, as they need not coincide. It is "" if there is no stack, or not all
// of it is drawn.
func (s *Settings) total(wide func(metric string) bool) string {
	if !s.Stacked() || s.Breakdown != nil || s.Solo != "" || s.hidesInstances() || s.Filter != "" || s.InnermostOnly || s.Log || s.Share || s.Tabular() {
		return ""
	}
	var terms []string
	for _, metric := range s.Metrics {
		switch line := s.line(metric); {
		case line.Right || line.Below:
			return ""
		case line.Hidden && !s.Revealed.Has(metric), s.Hidden.Has(metric):
		case wide(metric):
			terms = append(terms, "sum("+metric+")")
		default:
			terms = append(terms, "("+metric+")")
		}
	}
	if len(terms) == 1 && terms[0][0] == '(' {
		return "" // the line itself shows it
	}
	return strings.Join(terms, " + ")
}

// hidesInstances reports whether the user hid an instance, or showed one hidden by
// default: the rest of its metric then has no expression.
func (s *Settings) hidesInstances() bool {
	return slices.ContainsFunc(slices.Concat(s.Hidden, s.Revealed), func(key string) bool { return metricOf(key) != key })
}

// reducedWords are the names of reductions in the interface.
var reducedWords = map[string]string{"mean": "mean", "max": "highest", "min": "lowest", "p95": "p95", "last": "last value"}

// PointText says what each point represents: "mean of each 15 min", "every 10 s"; "" if
// points are logged values.
func (v *View) PointText() string {
	switch {
	case v.Frame == nil || v.Step <= 0 || v.Near:
		return ""
	case v.Reduced() != "" && v.Reduced() != "sample":
		return reducedWords[v.Reduced()] + " of each " + format.Span(v.steps())
	}
	return "every " + format.Span(v.steps())
}

// steps is the interval between points: the engine lengthens it if there would be too
// many.
func (v *View) steps() int64 {
	if v.Frame.Step > 0 {
		return int64(v.Frame.Step*1e9 + 0.5)
	}
	return v.Step
}

// GridText explains the lines of a chart and the bands around them; "" if points are as
// close as the records, which the page says once for all panels.
func GridText(s *Settings, v *View) string {
	text := v.PointText()
	switch {
	case text == "" || s.HasEvents():
		return ""
	case s.Reduce == "sample":
		return "the value " + text + ", not the values in between"
	case v.Reduced() == "" && s.Every == 0:
		return ""
	case v.Reduced() == "" || s.Heat() || s.Tabular() || s.Lanes():
		return text
	case v.Reduced() == "sample":
		return text + ", with a band where there are records in between"
	case v.Total >= 0:
		return text + ", grey: highest total"
	case s.Stacked() && v.Count() > 1:
		return text
	}
	return text + ", with a band from lowest to highest"
}
