package core

import (
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// acrossSummerTime writes two archives of a metric of a host whose clock is put forward on 31
// March 2024. Their labels, of version 2, have the offset alone: CET-1 so many days before, and
// CEST-2 after it. value is that of a record, the i-th of its archive, by the host's clock.
func acrossSummerTime(t *testing.T, name string, d pcp.Desc, before, after int, step time.Duration, value func(i int, here time.Time) uint64) written {
	t.Helper()
	w := written{}
	change := time.Date(2024, 3, 31, 1, 0, 0, 0, time.UTC)
	for _, half := range []struct {
		name, timezone string
		from, to       time.Time
		east           time.Duration
	}{{"a", "CET-1", change.AddDate(0, 0, -before), change, time.Hour}, {"b", "CEST-2", change, change.AddDate(0, 0, after), 2 * time.Hour}} {
		out, err := archive.NewWriter(archive.Label{Version: 2, Host: "h", Start: pcp.FromStd(half.from), Timezone: half.timezone}, w.create(half.name))
		if err != nil {
			t.Fatal(err)
		}
		out.Desc(d, name)
		for i, at := 0, half.from; at.Before(half.to); i, at = i+1, at.Add(step) {
			out.Record(pcp.FromStd(at), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: value(i, at.Add(half.east))}}}})
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// A host works from 9 to 17 by its clock, and so by the calendar from 8 to 16 in April: these
// days are like each other, and not unusual. The 14th of March is, on which it worked at night.
func TestUnusualAcrossSummerTime(t *testing.T) {
	w := acrossSummerTime(t, "ramp.level", rampLevel, 28, 5, 15*time.Minute, func(_ int, here time.Time) uint64 {
		if hour := here.Hour(); here.Day() == 14 && hour < 4 || hour >= 9 && hour < 17 {
			return 60
		}
		return 5
	})
	s, id := w.open(t)
	d, err := s.Days(t.Context(), api.DaysQuery{Source: id, Metric: "ramp.level"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if morning := d.Average[hourOf(&d, "2024-04-01", 8)]; morning != 60 {
		t.Fatalf("on 1 April the level is %g at 8 h of CET", morning)
	}
	if len(d.Unusual) != 1 || d.Unusual[0].Date != "2024-03-14" {
		t.Errorf("unusual days: %+v", d.Unusual)
	}
}

// A job runs every night at 02:40 by the host's clock: 6 of 6 nights on one side of the change,
// and 3 of 3 on the other. What the record of 02:40 has was done since 02:39.
func TestStoryOfAJobAcrossSummerTime(t *testing.T) {
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 14), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.Units{Count: 1}}
	forks := uint64(0)
	w := acrossSummerTime(t, "kernel.all.sysfork", d, 6, 3, time.Minute, func(i int, here time.Time) uint64 {
		if i == 0 {
			forks = 0
		}
		forks += 180 // in a minute
		if here.Hour() == 2 && here.Minute() >= 40 && here.Minute() < 45 {
			forks += 7200
		}
		return forks
	})
	s, id := w.open(t)
	x := storyOf(t, s, api.StoryQuery{Source: id})
	if len(x.Recurring) != 1 || x.Recurring[0].Hits != 9 || x.Recurring[0].Slots != 9 || x.Recurring[0].Clock != "every day at 02:39" {
		t.Errorf("by the host's clock: %+v", x.Recurring)
	}
}
