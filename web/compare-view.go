package web

import (
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/state"
)

// comparing is the source whose windows are compared; nil where none is.
func comparing(app *state.App) *state.Work {
	if w := app.Current(); w != nil && app.Comparing {
		return w
	}
	return nil
}

// Open says whether windows are compared.
func (c *CompareView) Open() bool { return comparing(c.App) != nil }

func (c *CompareView) picked() (*state.Work, *api.Change) {
	w := comparing(c.App)
	if w == nil {
		return nil, nil
	}
	return w, w.Compare.Picked()
}

// What names the change that is shown, or says why there is none.
func (c *CompareView) What() string {
	w, ch := c.picked()
	switch {
	case w == nil:
		return ""
	case w.Compare.Busy && ch == nil:
		return "Comparing…"
	case w.Compare.Fault != "":
		return w.Compare.Fault
	case ch == nil:
		return "Nothing changed that counts."
	}
	return ch.Called()
}

// mostWith is how many series that moved with a change are named.
const mostWith = 4

// movedWith names what moved with a change: of its own metric the instances,
// of others what they do not have in common with it.
func movedWith(ch *api.Change) string {
	var list []string
	for _, name := range ch.With[:min(mostWith, len(ch.With))] {
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

// apart leaves out of a metric's name the branches of the tree that another
// one lies in, too.
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

// Metric is the metric of the change.
func (c *CompareView) Metric() string {
	if _, ch := c.picked(); ch != nil {
		return ch.Series()
	}
	return ""
}

// Scale is the unit of both charts.
func (c *CompareView) Scale() string {
	w, ch := c.picked()
	if ch == nil {
		return ""
	}
	if unit := w.ShownOf(ch).Unit; unit != "" {
		return unit + ", same scale"
	}
	return "same scale"
}

// Sentence says what changed.
func (c *CompareView) Sentence() string {
	if w, ch := c.picked(); ch != nil {
		return w.Sentence(ch)
	}
	return ""
}

// RangeA and RangeB are the windows, with their lengths.
func (c *CompareView) RangeA() string { return rangeOf(comparing(c.App), true, true) }
func (c *CompareView) RangeB() string { return rangeOf(comparing(c.App), false, true) }

// SamplesA and SamplesB say how many values of the change a window has.
func (c *CompareView) SamplesA() string {
	if _, ch := c.picked(); ch != nil {
		return format.Plural(ch.SamplesA, "sample")
	}
	return ""
}

func (c *CompareView) SamplesB() string {
	if _, ch := c.picked(); ch != nil {
		return format.Plural(ch.SamplesB, "sample")
	}
	return ""
}

func rangeOf(w *state.Work, a, long bool) string {
	if w == nil {
		return ""
	}
	window := w.Compare.B
	if a {
		window = w.Compare.A
	}
	text := w.Clock.Range(window.Start, window.End)
	if long {
		text += "  " + format.Span(window.Len())
	}
	return text
}
