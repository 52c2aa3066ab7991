package core

import (
	"cmp"
	"fmt"
	"slices"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// minOutage is from how many seconds on a stretch without records is reported
// individually. Loggers are restarted every day, which takes a minute.
const minOutage = 300

// minPaused is the least total of pauses, in seconds, that is reported.
const minPaused = 1

// fewRests is how many times between records say what is usual.
const fewRests = 20

// minDamaged is from how many seconds on a stretch lost to damage is reported:
// what a logger that was killed left half written is shorter, as a rule.
const minDamaged = 5

// recording says how much of the time was recorded. interval is how often the
// logger wrote, in seconds, so that metrics logged once an hour do not count as
// missing in between. pauses are the stretches that r counts as such.
func (src *source) recording(interval float64) (r api.Recording, pauses []pcp.Span) {
	start, end := src.span()
	r = api.Recording{Length: end.Since(start), Outages: []api.Outage{}}
	pause := func(from, to, usual pcp.Time) {
		if d := to - from; 2*d > 3*usual { // else it is when the next record was due
			pauses = append(pauses, pcp.Span{Start: from, End: to})
			r.Pauses++
			r.Paused += float64(d) / 1e9
		}
	}
	var spans []recordedSpan
	var empty []pcp.Time // of records without values
	common := src.usualInterval()
	for _, p := range src.parts {
		a, ok := p.(recorded)
		if !ok {
			spans = append(spans, recordedSpan{pcp.Span{Start: p.Start(), End: p.End()}, 0})
			continue
		}
		usual := common // of an archive that is too short to say
		if rests := a.rests(nil); len(rests) >= fewRests {
			usual = upperQuartile(rests) // archives of a host may have been thinned, or logged otherwise
		}
		least := leastOutage(interval, usual)
		first, marked, marks, valueless := true, false, p.Marks(), a.Valueless() // marked says that a mark lies between the record and the last one
		for i, rec := range a.Records() {
			if len(valueless) > 0 && int(valueless[0]) == i {
				valueless, empty = valueless[1:], append(empty, rec.Time)
				continue
			}
			for len(marks) > 0 && marks[0] < rec.Time {
				marks, marked = marks[1:], true
			}
			if len(marks) > 0 && marks[0] == rec.Time { // the mark itself
				marks, marked = marks[1:], true
				continue
			}
			if n := len(spans) - 1; !first && (rec.Time-spans[n].End < least || rec.Time-spans[n].End < leastOutage(interval, a.usualAround(i))) {
				if marked {
					pause(spans[n].End, rec.Time, usual)
				}
				spans[n].End = max(spans[n].End, rec.Time)
			} else {
				spans = append(spans, recordedSpan{pcp.Span{Start: rec.Time, End: rec.Time}, usual})
			}
			first, marked = false, false
		}
	}
	slices.Sort(empty)
	sorting.Stable(spans, func(a, b recordedSpan) int { return cmp.Compare(a.Start, b.Start) })
	spans = append(spans, recordedSpan{pcp.Span{Start: end, End: end}, 0})
	to, usual, near := start, pcp.Time(0), src.absences()
	for _, s := range spans {
		if d := s.Start - to; d > 0 {
			usual := max(usual, s.usual)
			damaged := func(o api.Outage) bool { return o.Why == "damage" && d >= minDamaged*1e9 }
			least := leastOutage(interval, usual)
			if why := near.during(to, s.Start); d >= least || why.volume || damaged(why.Outage) {
				if !why.volume && why.Why != "damage" && goOn(empty, to, s.Start, least) {
					why.Why = "no values"
				}
				r.Outages = append(r.Outages, why.Outage)
				r.Missing += float64(d) / 1e9
			} else {
				pause(to, s.Start, usual)
			}
		}
		if s.End >= to {
			to, usual = s.End, s.usual
		}
	}
	sorting.Stable(pauses, func(a, b pcp.Span) int { return cmp.Compare(a.Start, b.Start) })
	return r, pauses
}

// withoutClockSteps leaves out outages in which the host's clock was set forward by as much:
// no time was lost there.
func withoutClockSteps(r api.Recording, steps []analysis.Step) api.Recording {
	for _, s := range steps {
		i := slices.IndexFunc(r.Outages, func(o api.Outage) bool {
			return s.Before < o.End && s.At > o.Start && o.End.Since(o.Start)-s.By < minOutage
		})
		if i < 0 {
			continue
		}
		r.Length -= s.By
		r.Missing -= r.Outages[i].End.Since(r.Outages[i].Start)
		r.Outages = slices.Delete(slices.Clone(r.Outages), i, i+1)
	}
	return r
}

// goOn reports whether records went on between two times without an outage.
func goOn(records []pcp.Time, from, to, least pcp.Time) bool {
	at, _ := slices.BinarySearch(records, from)
	for ; at < len(records) && records[at] < to && records[at]-from < least; at++ {
		from = records[at]
	}
	return to-from < least
}

// A recordedSpan is a stretch of records, with the usual time between them.
type recordedSpan struct {
	pcp.Span
	usual pcp.Time
}

// leastOutage is from how long on a time without records is reported individually,
// where so long is usual.
func leastOutage(interval float64, usual pcp.Time) pcp.Time {
	return max(minOutage*1e9, pcp.Time(3*interval*1e9), 3*usual)
}

// usualInterval is the upper quartile of the times between records of all parts.
func (src *source) usualInterval() pcp.Time {
	var rests []pcp.Time
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			rests = a.rests(rests)
		}
	}
	return upperQuartile(rests)
}

// rests adds the times between an archive's records to a list.
func (r recorded) rests(list []pcp.Time) []pcp.Time {
	recs := r.Records()
	for i := 1; i < len(recs); i++ {
		if d := recs[i].Time - recs[i-1].Time; d > 1e9 { // records less than a second apart are one
			list = append(list, d)
		}
	}
	return list
}

// usualAround is what was usual before and after the time that ended with a record: the
// interval may have been changed in the midst of an archive. 0 if that is unknown.
func (r recorded) usualAround(record int) pcp.Time {
	recs := r.Records()
	return usualAround(record, len(recs), func(i int) pcp.Time {
		if i == 0 || recs[i].Time-recs[i-1].Time <= 1e9 { // records less than a second apart are one
			return 0
		}
		return recs[i].Time - recs[i-1].Time
	})
}

// usualAround is the median of those of n times that are next to the one at i, as many
// before as after it where there are so many; 0 for fewer than fewRests. Where half of them
// are longer, the interval changed there. A time of 0 is none.
func usualAround(i, n int, at func(i int) pcp.Time) pcp.Time {
	var list []pcp.Time
	for before, after := i-1, i+1; len(list) < fewRests && (before >= 0 || after < n); before, after = before-1, after+1 {
		for _, k := range []int{before, after} {
			if k >= 0 && k < n && at(k) > 0 {
				list = append(list, at(k))
			}
		}
	}
	if len(list) < fewRests {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func upperQuartile(list []pcp.Time) pcp.Time {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[(len(list)-1)*3/4]
}

// outageText describes an outage.
func outageText(o api.Outage) string {
	length := analysis.FormatDuration(o.End.Since(o.Start))
	files := ""
	if len(o.Files) > 0 {
		files = " (" + listed(o.Files) + ")"
	}
	switch o.Why {
	case "missing volume":
		return "The files with the data of " + length + " were not given" + files
	case "no values":
		return "The records of " + length + " have no values"
	case "damage":
		return length + " are lost in damaged data" + files
	}
	return "Nothing was recorded for " + length
}

// listed names the first of several files.
func listed(files []string) string {
	const maxNamed = 3
	text := ""
	for i, f := range files {
		if i == maxNamed {
			return fmt.Sprintf("%s and %d more", text, len(files)-maxNamed)
		}
		if i > 0 {
			text += ", "
		}
		text += f
	}
	return text
}

// missing reports what was not recorded: first the outages together, then stretches in which
// restarts of the logger left hardly any rates, then shorter pauses elsewhere, such as a
// logger restart.
func (src *source) missing(r api.Recording, pauses []pcp.Span, often restarts, interval float64) []api.Finding {
	var list []api.Finding
	find := func(level string, start, end pcp.Time, rule, text string, n int) *api.Finding {
		list = append(list, api.Finding{Level: level, Resource: "Collector", Start: start, End: end, Rule: rule, Text: text, Metrics: []string{}, Dashboard: "collector", Times: n})
		return &list[len(list)-1]
	}
	if n := len(r.Outages); n > 0 {
		worst, missing, files, spans := r.Outages[0], 0, []string{}, []pcp.Span{}
		for _, o := range r.Outages {
			spans = append(spans, pcp.Span{Start: o.Start, End: o.End})
			if o.End-o.Start > worst.End-worst.Start {
				worst = o
			}
			if o.Why == "missing volume" {
				missing++
				files = append(files, o.Files...)
			}
		}
		text := outageText(worst)
		if n > 1 {
			text = fmt.Sprintf("No data for %s in %d gaps, the longest of %s", analysis.FormatDuration(r.Missing), n, analysis.FormatDuration(worst.End.Since(worst.Start)))
			if missing > 0 {
				text += "; files that are missing: " + listed(files)
			}
		}
		least := float64(leastOutage(interval, src.usualInterval())) / 1e9
		rule := "no record for " + analysis.FormatDuration(least) + " or longer"
		if slices.ContainsFunc(r.Outages, func(o api.Outage) bool { return o.Why == "no values" }) {
			rule = "no record with values for " + analysis.FormatDuration(least) + " or longer"
		}
		if worst.End.Since(worst.Start) < least {
			rule = "data that cannot be read"
		}
		f := find("look", r.Outages[0].Start, r.Outages[n-1].End, rule, text, n)
		f.Lasted, f.Cost = r.Missing, r.Missing*10 // ranks before findings about the rest
		f.Worst = &pcp.Span{Start: worst.Start, End: worst.End}
		if n > 1 {
			f.Spans = spans
		}
	}
	least := analysis.FormatDuration(float64(leastOutage(interval, src.usualInterval())) / 1e9)
	if s := often.stretches; r.Restarts != "" {
		f := find("look", s[0].Start, s[len(s)-1].End, "rates unknown for "+least+" or longer, and for at least half of the time, at mark records", r.Restarts, len(s))
		f.Lasted = often.unknown()
		f.Cost = f.Lasted
		if f.Worst = longest(s); len(s) > 1 {
			f.Spans = s
		}
		pauses = often.outside(pauses)
	}
	n, paused := len(pauses), 0.0
	for _, p := range pauses {
		paused += p.End.Since(p.Start)
	}
	if n > 0 && paused >= minPaused {
		text := fmt.Sprintf("Recording paused %s for less than %s, %s in all", analysis.Times(n), least, analysis.FormatDuration(paused))
		if n == 1 {
			text = "Recording paused once for " + analysis.FormatDuration(paused)
		}
		f := find("know", pauses[0].Start, pauses[n-1].End, "a logger restart, or a mark record", text, n)
		f.Lasted, f.Cost = paused, paused
		if f.Worst = longest(pauses); n > 1 {
			f.Spans = pauses
		}
	}
	return list
}

// longest is the longest of some spans, of equals the first.
func longest(list []pcp.Span) *pcp.Span {
	found := list[0]
	for _, s := range list {
		if s.End-s.Start > found.End-found.Start {
			found = s
		}
	}
	return &found
}
