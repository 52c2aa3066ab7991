package ui

import (
	"strings"

	"cmp"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/compare"
	"pcpscope/web/format"
)

// comparing is the source whose windows are compared; nil if none.
func comparing(app *app.App) *app.Tab {
	if tab := app.Current(); tab != nil && app.Layout.Comparing {
		return tab
	}
	return nil
}

// Open reports whether windows are being compared.
func (c *CompareView) Open() bool { return comparing(c.App) != nil }

func (c *CompareView) picked() (*app.Tab, *api.Change) {
	tab := comparing(c.App)
	if tab == nil {
		return nil, nil
	}
	return tab, tab.Compare.Picked()
}

// Description names the selected change, or says why there is none.
func (c *CompareView) Description() string {
	tab, ch := c.picked()
	switch {
	case tab == nil:
		return ""
	case tab.Compare.Busy && ch == nil:
		return "Comparing…"
	case tab.Compare.Fault != "":
		return tab.Compare.Fault
	case ch == nil && tab.Compare.Result != nil && tab.Compare.Result.Why != "":
		return tab.Compare.Result.Why
	case ch == nil:
		return "No change above the thresholds."
	}
	return ch.DisplayName()
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
	tab, ch := c.picked()
	if ch == nil {
		return ""
	}
	shown := tab.Compare.ShownOf(ch)
	if unit := cmp.Or(shown.Of, shown.Unit); unit != "" {
		return unit + ", same scale"
	}
	return "same scale"
}

// Sentence says what changed.
func (c *CompareView) Sentence() string {
	if tab, ch := c.picked(); ch != nil {
		return compare.Sentence(ch, tab.Compare.ShownOf(ch))
	}
	return ""
}

// RangeA and RangeB are the windows, with their lengths.
func (c *CompareView) RangeA() string { return rangeOf(comparing(c.App), "A", true) }

func (c *CompareView) RangeB() string { return rangeOf(comparing(c.App), "B", true) }

// SamplesA and SamplesB are the numbers of values of the change in each window.
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

// rangeOf writes window A or B; long adds the host and the date where there are two sources,
// the length, and how much of it is not recorded.
func rangeOf(tab *app.Tab, which string, long bool) string {
	if tab == nil {
		return ""
	}
	of, window := tab.Compare.Side(which)
	text := of.Clock.Range(window.Start, window.End)
	if long {
		if tab.Compare.Other != 0 {
			text = strings.TrimPrefix(of.Source.Host+", ", ", ") + of.Clock.Dated(window.Start, window.End)
		}
		text += "  " + format.Span(window.Len())
		if missing := of.Findings.NotRecorded(window); int64(missing) > window.Len()/100 {
			text += ", of which " + format.Span(int64(missing)) + " not recorded"
		}
	}
	return text
}
