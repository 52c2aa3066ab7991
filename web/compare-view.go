package web

import (
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
	return changeName(ch)
}

// changeName is the first line of the help, else the metric.
func changeName(ch *api.Change) string {
	name := ch.Metric
	if ch.Oneline != "" {
		name = ch.Oneline
	}
	if ch.Instance != nil {
		name += ", " + ch.Instance.Name
	}
	return name
}

// Metric is the metric of the change.
func (c *CompareView) Metric() string {
	_, ch := c.picked()
	switch {
	case ch == nil:
		return ""
	case ch.Instance != nil:
		return ch.Metric + "[" + ch.Instance.Name + "]"
	}
	return ch.Metric
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
