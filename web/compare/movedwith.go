package compare

import (
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// maxWith is how many series that moved with a change are listed.
const maxWith = 4

// MovedWith lists what moved with a change: instances for its own metric, the
// distinguishing part of the name for others.
func MovedWith(ch *api.Change) string {
	var list []string
	for _, name := range ch.With[:min(maxWith, len(ch.With))] {
		metric, instance, _ := strings.Cut(name, "[")
		instance = strings.TrimSuffix(instance, "]")
		switch {
		case metric == ch.Metric && instance != "":
			name = instance
		case ch.Instance == nil && instance != "" || ch.Instance != nil && instance != ch.Instance.Name:
			name = apart(metric, ch.Metric) + "[" + instance + "]"
			name = strings.TrimSuffix(name, "[]")
		default:
			name = apart(metric, ch.Metric)
		}
		list = append(list, name)
	}
	text := strings.Join(list, ", ")
	if more := len(ch.With) - len(list); more > 0 {
		text += " and " + format.Count(more) + " more"
	}
	return text
}

// apart removes the leading branches of a metric's name that it shares with
// another metric.
func apart(metric, other string) string {
	for {
		branch, rest, ok := strings.Cut(metric, ".")
		same, more, too := strings.Cut(other, ".")
		if !ok || !too || branch != same {
			return metric
		}
		metric, other = rest, more
	}
}
