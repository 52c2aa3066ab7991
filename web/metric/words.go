package metric

import (
	"encoding/json"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// TypeText is a metric's type in words.
func TypeText(t string) string {
	words := map[string]string{
		"32": "32-bit signed", "U32": "32-bit unsigned", "64": "64-bit signed", "U64": "64-bit unsigned",
		"FLOAT": "32-bit floating point", "DOUBLE": "64-bit floating point", "STRING": "text",
		"AGGREGATE": "bytes", "EVENT": "event records", "HIGHRES_EVENT": "event records",
	}
	if word := words[t]; word != "" {
		return t + ", " + word
	}
	return t
}

// SemanticsText says what a metric's values mean and how they are displayed.
func SemanticsText(m *api.Metric, rates bool) string {
	if m.Semantics == "counter" && rates {
		return "counter, shown as a rate"
	}
	return m.Semantics
}

// UnitsText says which unit a metric has and which it is shown in.
func UnitsText(m *api.Metric, shown format.Shown, rates bool) string {
	units := m.Units
	if units == "" {
		units = "none"
	}
	if Utilisation(m, rates) {
		return units + ", shown as % of time"
	}
	if shown.Unit != "" && shown.Unit != format.Short(m.Units) {
		return units + ", shown as " + shown.Unit
	}
	return units
}

// Labels lists a label set by name; values other than strings are written as
// JSON.
func Labels(raw json.RawMessage) [][2]string {
	var set map[string]json.RawMessage
	if json.Unmarshal(raw, &set) != nil {
		return nil
	}
	var list [][2]string
	for name, value := range set {
		var s string
		if json.Unmarshal(value, &s) != nil {
			s = string(value)
		}
		list = append(list, [2]string{name, s})
	}
	sorting.Stable(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}

// HelpText is the metric's help text, if it says more than the one-line text.
func HelpText(m *api.Metric) string {
	if m.Help == m.Oneline {
		return ""
	}
	return unwrap(m.Help)
}

// unwrap removes the line breaks of a text that was wrapped for terminals:
// successive lines are joined unless the second is indented or a list item.
func unwrap(text string) string {
	var b strings.Builder
	blank := false
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "":
			blank = true
			continue
		case i == 0:
		case blank:
			b.WriteString("\n\n")
		case strings.ContainsRune(" \t*-+", rune(line[0])):
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		blank = false
		b.WriteString(line)
	}
	return b.String()
}
