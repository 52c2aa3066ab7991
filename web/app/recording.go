package app

import (
	"path"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// Recording is how much of the span was recorded; nil until known.
func (f *Findings) Recording() *api.Recording {
	if f.Overview == nil {
		return nil
	}
	return &f.Overview.Recording
}

// LargelyMissing reports whether so much is missing that the page says so first: one per cent
// of the span, or six hours.
func (f *Findings) LargelyMissing() bool {
	r := f.Recording()
	return r != nil && len(r.Outages) > 0 && (r.Missing > 0.01*r.Length || r.Missing > 6*3600)
}

// Unexplained are outages not explained by a gap between archives, a missing volume or
// damage, and drawn as such.
func (f *Findings) Unexplained() []api.Outage {
	var list []api.Outage
	if r := f.Recording(); r != nil {
		for _, o := range r.Outages {
			if o.Why == "mark" || o.Why == "no records" || o.Why == "no values" {
				list = append(list, o)
			}
		}
	}
	return list
}

// NotRecorded is how much of a window is not recorded.
func (f *Findings) NotRecorded(w timeline.Window) (missing pcp.Time) {
	if r := f.Recording(); r != nil {
		for _, o := range r.Outages {
			missing += max(0, min(o.End, w.End)-max(o.Start, w.Start))
		}
	}
	return missing
}

// A Day is a day on the host's clock.
type Day struct{ Start, End pcp.Time }

// Days are the days of the span, on the host's clock.
func (f *Findings) Days() []Day {
	const limit = 1000
	var list []Day
	whole := f.tab.Whole()
	for start := f.tab.Clock.Midnight(whole.Start); start < whole.End && len(list) < limit; {
		end := f.tab.Clock.NextDay(start)
		list = append(list, Day{start, end})
		start = end
	}
	return list
}

// logTurns is how long after midnight the log of the day before may end: pmlogger_daily
// starts a new one at ten past.
const logTurns = pcp.Time(15 * time.Minute)

// EmptyDays are the days of the span without data, except perhaps for the end of the log of
// the day before.
func (f *Findings) EmptyDays() []Day {
	if f.Recording() == nil {
		return nil
	}
	var list []Day
	for _, d := range f.Days() {
		from := d.Start + logTurns
		if f.NotRecorded(timeline.Window{Start: from, End: d.End}) >= d.End-from {
			list = append(list, d)
		}
	}
	return list
}

// DaysText writes days briefly: "26 Feb, 9 – 11 Mar".
func DaysText(clock format.Clock, list []Day) string {
	var parts []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1].Start == list[k].End {
			k++
		}
		switch {
		case k == i:
			parts = append(parts, clock.Day(list[i].Start))
		default:
			parts = append(parts, clock.Day(list[i].Start)+" – "+clock.Day(list[k].Start))
		}
		i = k + 1
	}
	return strings.Join(parts, ", ")
}

// MissingFiles names missing files: volumes whose archives are open without them, and
// archives for days without data if the others are named by day.
func (f *Findings) MissingFiles() []string {
	r, tab := f.Recording(), f.tab
	if r == nil {
		return nil
	}
	var list []string
	named := map[string]bool{}
	for _, o := range r.Outages {
		for _, name := range o.Files {
			if o.Why == "missing volume" && !named[name] {
				named[name] = true
				list = append(list, name)
			}
		}
	}
	days, other := map[string]bool{}, 0
	for _, m := range tab.Source.Members {
		base := path.Base(m)
		if len(base) > 8 && strings.Trim(base[:8], "0123456789") == "" && base[8] == '.' {
			days[base[:8]] = true
		} else {
			other++
		}
	}
	if len(days) < 2 || other > 0 {
		return list
	}
	for _, d := range f.EmptyDays() {
		if name := tab.Clock.Digits(d.Start); !days[name] {
			list = append(list, name)
		}
	}
	return list
}

// MissingTitle is a sentence on how much of the span is not recorded; "" if nothing is
// missing, or unknown.
func (f *Findings) MissingTitle() string {
	r := f.Recording()
	if r == nil || len(r.Outages) == 0 {
		return ""
	}
	return format.Span(int64(r.Missing*1e9)) + " of " + format.Span(int64(r.Length*1e9)) + " (" + format.Percent(r.Missing/r.Length) + ") is " + whyMissing(r.Outages) + "."
}

// whyMissing says what became of the time of outages.
func whyMissing(list []api.Outage) string {
	damaged := 0
	for _, o := range list {
		if o.Why == "damage" {
			damaged++
		}
	}
	switch damaged {
	case 0:
		return "not recorded"
	case len(list):
		return "lost in damaged data"
	}
	return "not recorded or lost in damaged data"
}

// RestartsText is a sentence on restarts of the logger; "" if they cost little, or that is
// unknown.
func (f *Findings) RestartsText() string {
	if r := f.Recording(); r != nil && r.Restarts != "" {
		return r.Restarts + "."
	}
	return ""
}

// MissingText says when, and which files would help.
func (f *Findings) MissingText() string {
	r := f.Recording()
	if r == nil || len(r.Outages) == 0 {
		return ""
	}
	tab := f.tab
	longest := r.Outages[0]
	for _, o := range r.Outages {
		if o.End-o.Start > longest.End-longest.Start {
			longest = o
		}
	}
	span := format.Span(int64(longest.End-longest.Start)) + " from " + tab.Clock.ShortDateTime(longest.Start)
	text := "One gap, of " + span + "."
	if n := len(r.Outages); n > 1 {
		text = format.Plural(n, "gap") + ", the longest of " + span + "."
	}
	if days := f.EmptyDays(); len(days) > 0 {
		text += " Days without data: " + DaysText(tab.Clock, days) + "."
	}
	if files := f.MissingFiles(); len(files) > 0 {
		const limit = 4
		names := strings.Join(files[:min(len(files), limit)], ", ")
		if n := len(files) - limit; n > 0 {
			names += " and " + format.Count(n) + " more"
		}
		text += " Not among the files: " + names + "."
	}
	return text
}
