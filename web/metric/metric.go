// Package metric answers what the whole page asks about a metric: whether it
// is numeric, which unit it is shown in, its short name.
package metric

import (
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Numeric reports whether a metric's values are numbers.
func Numeric(m *api.Metric) bool {
	switch m.Type {
	case "32", "U32", "64", "U64", "FLOAT", "DOUBLE":
		return true
	}
	return false
}

// HasEvents reports whether values of a type contain event records.
func HasEvents(typ string) bool { return typ == "EVENT" || typ == "HIGHRES_EVENT" }

// Utilisation reports whether a metric is displayed as a share of time: a
// counter of time, shown as a rate. rates says that counters are shown as
// rates.
func Utilisation(m *api.Metric, rates bool) bool {
	if m.Semantics != "counter" || !rates || queues(m.Name) {
		return false
	}
	_, ok := pcp.SecondsIn(m.Units)
	return ok
}

// queues reports whether a counter of time sums the waiting times of all
// concurrent requests: its rate is then the average number of requests in the
// queue, not a share.
func queues(name string) bool {
	last := LastPart(name)
	return last == "aveq" || strings.HasSuffix(last, "_rawactive") || strings.HasPrefix(name, "disk.") && (last == "response" || strings.HasSuffix(last, "_time")) ||
		strings.HasPrefix(name, "nfsclient.ops.") && (last == "queue" || last == "rtt" || last == "execute")
}

// ShownUnits is the unit in which panels show a metric, in PCP's notation.
func ShownUnits(m *api.Metric, rates bool) string {
	if m.Semantics == "counter" && rates && queues(m.Name) {
		return ""
	}
	if m.Semantics == "counter" && rates {
		if m.Units == "" || m.Units == "none" {
			return "count / sec"
		}
		return m.Units + " / sec"
	}
	return m.Units
}

// Family returns a key; metrics with equal keys can share a panel.
func Family(m *api.Metric, rates bool) string {
	switch {
	case m.Type == "STRING":
		return "text"
	case HasEvents(m.Type):
		return "events"
	}
	return format.Family(ShownUnits(m, rates), Utilisation(m, rates))
}

// names matches the metric names in an expression.
var names = pattern.New(`[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+`)

// NamesIn are the metric names in an expression, in order.
func NamesIn(expression string) []string { return names().FindAllString(expression, -1) }

var name = pattern.New(`^[A-Za-z]\w*(\.[A-Za-z]\w*)*$`)

// IsName reports whether a text is a metric name rather than an expression.
func IsName(s string) bool { return name().MatchString(s) }

// Brief removes from a metric's name the prefix that all the metrics have in
// common.
func Brief(metrics []string, name string) string {
	parts := strings.Split(name, ".")
	n := 0
	for ; n < len(parts)-1; n++ {
		prefix := strings.Join(parts[:n+1], ".") + "."
		if slices.ContainsFunc(metrics, func(m string) bool { return !strings.HasPrefix(m, prefix) }) {
			break
		}
	}
	return strings.TrimSuffix(strings.Join(parts[n:], "."), ".total")
}

// LastPart is what follows the last dot of a metric's name. An expression is
// returned as it is.
func LastPart(metric string) string {
	if strings.ContainsAny(metric, "()[]+-*/<>=!&|?: ,\"") {
		return metric
	}
	return metric[strings.LastIndexByte(metric, '.')+1:]
}
