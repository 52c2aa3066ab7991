package canvas

import (
	"pcpscope/core/pcp"
	"pcpscope/web/app"
)

// days are the days of a source at a glance.
func days(tab *app.Tab) Days {
	d := &tab.Days
	r := &d.Result
	out := Days{
		Name: d.Measure.Name, Unit: d.Shown.Unit, Factor: d.Shown.Factor, Decimals: d.Shown.Decimals, Highest: d.Highest, Picked: d.Picked,
		Average: r.Average, Minimum: r.Minimum, Maximum: r.Maximum, Covered: r.Covered, Median: r.Median, P10: r.P10, P90: r.P90,
	}
	for _, day := range r.Days {
		out.Starts = append(out.Starts, seconds(tab, day.Start))
		out.Labels, out.Names = append(out.Labels, tab.Clock.Day(day.Start)), append(out.Names, tab.Clock.Weekday(day.Start))
		out.Weekdays = append(out.Weekdays, float64(day.Weekday))
	}
	for _, b := range r.Boots {
		out.Boots = append(out.Boots, seconds(tab, b))
	}
	unusual := map[pcp.Time]bool{}
	for _, u := range d.Unusual {
		unusual[u.Start] = true
	}
	for _, u := range r.Unusual {
		unusual[u.Start] = true
	}
	for i, day := range r.Days {
		if unusual[day.Start] {
			out.Unusual = append(out.Unusual, float64(i))
		}
	}
	return out
}
