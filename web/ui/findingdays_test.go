package ui

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// A finding of four days: minutes on the first, hours on the second and third,
// nothing on the fourth.
func TestFindingByDay(t *testing.T) {
	const hour = pcp.Time(3600e9)
	var days []app.Day
	for i := range pcp.Time(4) {
		days = append(days, app.Day{Start: 24 * hour * i, End: 24 * hour * (i + 1)})
	}
	f := api.Finding{Spans: []pcp.Span{{Start: hour, End: hour + hour/60}, {Start: 40 * hour, End: 50 * hour}}}
	got, box, on := byDay(days, format.UTC, f)
	if len(got) != 3 || box != "0 0 4 1" || on != "on 3 days: 1 Jan – 3 Jan" {
		t.Fatalf("byDay = %v, %q, %q; want three grades, 0 0 4 1, on 3 days", got, box, on)
	}
	for i, want := range []DayMarks{{"grade1", "M0 0h.85v1h-.85z"}, {"grade2", "M2 0h.85v1h-.85z"}, {"grade3", "M1 0h.85v1h-.85z"}} {
		if got[i] != want {
			t.Errorf("grade %d = %v, want %v", i, got[i], want)
		}
	}
	if got, _, _ := byDay(days, format.UTC, api.Finding{Start: hour, End: 2 * hour}); got != nil {
		t.Errorf("calendar of a single occurrence = %v, want none", got)
	}
	if got, _, _ := byDay(days[:2], format.UTC, f); got != nil {
		t.Errorf("calendar of two days = %v, want none", got)
	}
}
