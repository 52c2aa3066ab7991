package table

import (
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// Cursor lists the values at a time of everything that panels draw; at is nil
// if there is no cursor.
func Cursor(at *pcp.Time, list []panel.CursorValue, clock format.Clock) Table {
	t := Table{Page: "cursor", Name: "values", SortBy: -1, Empty: "Point at a chart, or tap it, to see the values there."}
	if at == nil {
		return t
	}
	t.Title, t.Empty = "At "+clock.TimeFine(*at), "No line is drawn here."
	metric, instance, value, unit, why := textColumn("metric", "minmax(0, 2fr)", len(list)), textColumn("instance", "minmax(0, 1fr)", len(list)), textColumn("value", "110px", len(list)), textColumn("unit", "120px", len(list)), textColumn("reason", "minmax(0, 1fr)", len(list))
	value.Strong, why.Faint = true, true
	value.Kind = "figure"
	titles := make([]string, 0, len(list))
	for _, v := range list {
		titles = append(titles, v.Title)
		value.Numbers = append(value.Numbers, v.Number)
		metric.Texts, instance.Texts, value.Texts = append(metric.Texts, v.Metric), append(instance.Texts, v.Instance), append(value.Texts, v.Value)
		unit.Texts, why.Texts = append(unit.Texts, v.Unit), append(why.Texts, v.Why)
	}
	t.Rows, t.Columns = len(list), []Column{metric, instance, value, unit, why}
	t.titled(1, titles)
	return t
}
