package core

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/dashboard"
	"pcpscope/core/departures"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// maxTexts is how many changes the sentence of an incident names.
const maxTexts = 4

// shifted puts a change into the answer.
func (t *storyBuilder) shifted(m *departures.LevelChange[*departed]) api.LevelChange {
	x := t.level(m.Series, m.Kind, m.Before, m.After)
	x.At, x.Until, x.Weight = t.began(m.At), t.over(m.Until), m.Weight()
	x.Text = x.Text + " " + t.amount(&x, m.Before) + " to " + t.amount(&x, m.After)
	return x
}

// ownTime says when a change happened that began after its incident, or lasted another time.
func (t *storyBuilder) ownTime(in *departures.Incident[*departed], m *departures.LevelChange[*departed]) string {
	few, first := 2*t.merged, in.At+in.Late
	apart := func(a, b int) bool { return a-b > few || b-a > few }
	length := in.Until - first
	until := in.Until >= 0 && m.Until != in.Until && (m.Until < 0 || apart(m.Until, in.Until) && 4*max(m.Until-in.Until, in.Until-m.Until) > length) || in.Until < 0 && m.Until >= 0
	if !until && !apart(m.At, first) {
		return ""
	}
	day := t.began(first).Std().In(t.zone).Format(time.DateOnly)
	clock := func(when pcp.Time) string {
		at := when.Std().In(t.zone)
		if at.Format(time.DateOnly) == day {
			return at.Format("15:04:05")
		}
		return at.Format("2 Jan 15:04")
	}
	if m.Until < 0 {
		return " (from " + clock(t.began(m.At)) + " on)"
	}
	return " (" + clock(t.began(m.At)) + " – " + clock(*t.over(m.Until)) + ")"
}

// level describes a series between two levels; Text is what it is called.
func (t *storyBuilder) level(who *departed, k departures.Kind, before, after float64) api.LevelChange {
	x := api.LevelChange{Family: k.Family, Subject: strings.TrimSpace(k.Name + " " + k.Of), Metric: who.metric, Instance: who.ref, Command: who.command, Before: before, After: after}
	if who.command != "" {
		x.Subject, x.Name, x.Unit, x.Units = "Command "+who.command, "CPU time of "+who.command, "% of one CPU", ""
		x.Text = x.Name
		return x
	}
	called := dashboard.NameOf(who.metric)
	x.Name, x.Unit, x.Units = called.Text, called.Unit, who.units.String()
	x.Text = cmp.Or(x.Name, x.Metric)
	if who.ref != nil {
		titles := titling{src: t.src}
		x.Title = titles.of(who.metric, who.ref.Name)
		x.Text += " of " + cmp.Or(x.Title, who.ref.Name)
	}
	return x
}

func (t *storyBuilder) amount(x *api.LevelChange, v float64) string {
	if x.Command != "" {
		return analysis.Number(v) + " %"
	}
	return amountOf(x.Metric, unitBeside(x.Name, x.Unit), x.Units, t.host.CPUs, v)
}

// recurring puts what recurs at the same times together.
func (t *storyBuilder) recurring() {
	type job struct {
		departures.Recurrence
		list []api.LevelChange
	}
	var jobs []*job
	for _, r := range t.jobs {
		x := t.level(r.series, r.Kind, r.Usual, r.Peak)
		x.Weight = r.Tier * departures.Weigh((r.Peak-r.Usual)/r.Kind.FloorAt(r.Usual, r.Peak))
		x.Text += " " + t.amount(&x, r.Usual) + " to " + t.amount(&x, r.Peak)
		at := slices.IndexFunc(jobs, func(j *job) bool { return j.Recurrence.SameTimes(&r.Recurrence) })
		if at < 0 {
			jobs, at = append(jobs, &job{Recurrence: r.Recurrence}), len(jobs)
		}
		j := jobs[at]
		if k := slices.IndexFunc(j.list, func(o api.LevelChange) bool { return o.Subject == x.Subject }); k < 0 {
			j.list = append(j.list, x)
		} else if x.Weight > j.list[k].Weight {
			j.list[k] = x
		}
	}
	for _, j := range jobs {
		sorting.Stable(j.list, func(a, b api.LevelChange) int { return cmp.Compare(b.Weight, a.Weight) })
		x := api.Recurrence{Period: float64(j.Period), Clock: clockText(&j.Recurrence), Hits: j.Hits, Slots: j.Slots, Changes: j.list[:min(len(j.list), maxSubjects)]}
		for _, p := range j.Phases {
			x.Phases = append(x.Phases, float64(p))
		}
		t.out.Recurring = append(t.out.Recurring, x)
	}
	sorting.Stable(t.out.Recurring, func(a, b api.Recurrence) int { return cmp.Compare(b.Changes[0].Weight, a.Changes[0].Weight) })
	t.out.Recurring = t.out.Recurring[:min(len(t.out.Recurring), maxRecurring)]
}

// clockText says when something recurs: "every 30 min at :25 and :55".
func clockText(r *departures.Recurrence) string {
	period, phases := r.Period, r.Phases
	const minute, hour, day = 60, 3600, 86400
	every := "every " + analysis.FormatDuration(float64(period))
	var at []string
	switch {
	case period <= hour && hour%period == 0:
		if period == hour {
			every = "every hour"
		}
		for from := int64(0); from < hour; from += period {
			for _, p := range phases {
				at = append(at, fmt.Sprintf(":%02d", (from+p)/minute))
			}
		}
	case day%period == 0:
		switch {
		case r.Weekdays:
			every = "every weekday"
		case period == day:
			every = "every day"
		}
		for from := int64(0); from < day; from += period {
			for _, p := range phases {
				at = append(at, fmt.Sprintf("%02d:%02d", (from+p)/hour, (from+p)%hour/minute))
			}
		}
	}
	if len(at) == 0 || len(at) > 6 {
		return every
	}
	return every + " at " + clockList(at)
}

// clockList joins words: "a, b and c".
func clockList(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// writeText puts the story into sentences.
func (t *storyBuilder) writeText() {
	say := func(text string) { t.out.Text = append(t.out.Text, text) }
	for i := range t.out.Incidents {
		x := &t.out.Incidents[i]
		x.Text = incidentText(x)
		say(t.timeText(x.At, x.Until) + ": " + x.Text)
	}
	if len(t.out.Incidents) == 0 {
		say("No incidents: " + t.noIncidents())
	}
	for i := range t.out.Recurring {
		x := &t.out.Recurring[i]
		x.Text = recurringText(x)
		say(x.Text)
	}
}

// noIncidents says why there are none.
func (t *storyBuilder) noIncidents() string {
	few := t.fewer
	switch {
	case few == nil && t.out.Series == 1:
		return "the only relevant series did not change its level by much."
	case few == nil:
		return fmt.Sprintf("no step from one level to another was found in the %s series; a slow rise or fall is none.", pcp.Grouped(t.out.Series))
	}
	who := "the only relevant series"
	if t.out.Series > 1 {
		who = fmt.Sprintf("%s of the %s series", pcp.Grouped(few.Series), pcp.Grouped(t.out.Series))
	}
	score := analysis.Number(math.Floor(100*few.Score) / 100) // never rounded up to the least
	return fmt.Sprintf("the largest change of level, of %s at %s, has a score of %s; incidents have %s or more.", who, t.timeText(t.began(few.At+few.Late), nil), score, analysis.Number(t.least))
}

// timeText writes from when to when something lasted.
func (t *storyBuilder) timeText(at pcp.Time, until *pcp.Time) string {
	from := at.Std().In(t.zone)
	text := from.Format(time.DateTime)
	if until == nil {
		return text
	}
	to := until.Std().In(t.zone)
	if to.Format(time.DateOnly) == from.Format(time.DateOnly) {
		return text + " to " + to.Format(time.TimeOnly)
	}
	return text + " to " + to.Format(time.DateTime)
}

func incidentText(x *api.Incident) string {
	var parts []string
	for _, c := range x.Changes[:min(len(x.Changes), maxTexts)] {
		parts = append(parts, c.Text)
	}
	text := fmt.Sprintf("%d series changed. %s.", x.Series, strings.Join(parts, "; "))
	if x.First != nil {
		text += " First: " + x.First.Text + "."
	}
	if len(x.Began) > 0 {
		text += " Started with it: " + strings.Join(x.Began, ", ") + "."
	}
	if x.After != "" {
		text += " Just before: " + x.After + "."
	}
	if x.During != "" {
		text += " Meanwhile: " + x.During + "."
	}
	return text
}

func recurringText(x *api.Recurrence) string {
	c := x.Changes[0]
	text := strings.ToUpper(x.Clock[:1]) + x.Clock[1:] + ": " + c.Text
	if times := c.After / c.Before; c.Before > 0 && times >= 2 && times < 1e6 {
		text += fmt.Sprintf(", %s times as much", analysis.Number(times))
	}
	return fmt.Sprintf("%s, in %s of %s cases.", text, pcp.Grouped(x.Hits), pcp.Grouped(x.Slots))
}
