package core

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/departures"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/recording"
)

func storyOf(t *testing.T, s *Session, q api.StoryQuery) api.Story {
	t.Helper()
	x, err := s.Story(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(slices.Clone(x.Text), x.Why) {
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "root cause") {
			t.Errorf("the story has a number that is none, or claims a cause:\n%s", text)
		}
	}
	return x
}

// The eight main events of the reference archive, UTC, each with the series or
// the command that tells it: five begin an incident, that of the disk ends an
// hour later, and so does that of the browser, after an hour and a half. An
// onset is off by 10 s, one sample, at the median.
func TestStory(t *testing.T) {
	s, src := openReference(t)
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: "UTC"})
	var off []float64
	for _, c := range []struct {
		at, until, tells string
		off              float64 // seconds, at most
	}{
		{"14:04:05", "", "disk.dev.write_bytes[sda]", 10},
		{"14:15:25", "", "Web Content", 30},
		{"14:40:55", "15:40:35", "disk.dev.avactive[sdb]", 30},
		{"16:04:00", "17:40:10", "kernel.all.cpu.user", 60},
		{"18:21:00", "", "cc1plus", 30},
		{"18:29:20", "", "disk.dev.avactive[sda]", 30},
	} {
		at := atBig(t, c.at)
		i := slices.IndexFunc(x.Incidents, func(in api.Incident) bool { return math.Abs(in.At.Since(at)) <= c.off })
		if i < 0 {
			t.Errorf("%s: no incident", c.at)
			continue
		}
		in := x.Incidents[i]
		off = append(off, math.Abs(in.At.Since(at)))
		if !slices.ContainsFunc(in.Changes, func(c2 api.LevelChange) bool {
			return c2.Command == c.tells || c2.Instance == nil && c2.Metric == c.tells || c2.Instance != nil && c2.Metric+"["+c2.Instance.Name+"]" == c.tells
		}) {
			t.Errorf("%s: %s is not in %q", c.at, c.tells, in.Text)
		}
		if c.until != "" && (in.Until == nil || math.Abs(in.Until.Since(atBig(t, c.until))) > 60) {
			t.Errorf("%s: until %v", c.at, in.Until)
		}
	}
	slices.Sort(off)
	if len(off) == 6 && off[3] > 20 {
		t.Errorf("onsets are off by %v s", off)
	}
	// Strong, and of few series. By pmval -t 10 (PCP 6.0.3), disk sda is busy for 0.3 to 0.7 of the time in
	// the half minute to 14:24:25, after 0.08 on average over five minutes, and reads 4 to 37 MiB/s from 14:51:15 to 14:51:45,
	// after nothing.
	others := slices.Clone(x.Incidents)
	for _, at := range []string{"14:23:55", "14:51:15"} {
		i := slices.IndexFunc(others, func(in api.Incident) bool { return math.Abs(in.At.Since(atBig(t, at))) <= 10 })
		if i < 0 {
			t.Errorf("%s: no incident", at)
			continue
		}
		others = slices.Delete(others, i, i+1)
	}
	if t.Logf("onsets off by %v s; %d incidents", off, len(x.Incidents)); len(others) > 12 {
		t.Errorf("%d other incidents", len(others))
	}
	at := slices.IndexFunc(x.Incidents, func(in api.Incident) bool { return slices.Contains(in.Began, "rsync") })
	if at < 0 || !strings.Contains(x.Incidents[at].Text, "Disk busy of sdb") {
		t.Errorf("rsync: %q", x.Text)
	}
	// Nobody did anything from 16:40 to 17:30.
	from, to := int64(atBig(t, "16:40:00")), int64(atBig(t, "17:30:00"))
	quiet := storyOf(t, s, api.StoryQuery{Source: src.ID, Start: &api.When{Nanos: &from}, End: &api.When{Nanos: &to}})
	if len(quiet.Incidents) > 0 || len(quiet.Text) == 0 || !strings.Contains(quiet.Text[0], "No incidents") {
		t.Errorf("quiet: %q", quiet.Text)
	}
}

func atBig(t *testing.T, clock string) pcp.Time {
	t.Helper()
	v, err := time.Parse(time.DateTime, "2018-04-16 "+clock)
	if err != nil {
		t.Fatal(err)
	}
	return pcp.Time(v.UnixNano())
}

// A month of a workstation: cron starts pmlogger_check at :25 and :55 and
// pmie_check at :28 and :58, as PCP's own crontabs do. Somebody builds programs.
func TestStoryOfWeeks(t *testing.T) {
	s, o := month(t)
	x := storyOf(t, s, api.StoryQuery{Source: o.Sources[0].ID})
	// Minutes of pmrep 6.0.3 (-t 1min): in the first of each kernel.all.sysfork or
	// kernel.all.cpu.wait.total rose. None of these took an hour.
	for _, c := range []struct{ at, metric string }{
		{"02-22 21:43", "kernel.all.sysfork"},         // 868/s, 5.2 CPUs
		{"02-27 01:29", "kernel.all.cpu.user"},        // 4.1 CPUs for four minutes
		{"02-28 05:35", "kernel.all.sysfork"},         // 605/s
		{"02-28 06:38", "kernel.all.cpu.user"},        // with 627 forks/s
		{"03-01 04:51", "kernel.all.sysfork"},         // 692/s
		{"03-02 23:30", "kernel.all.cpu.user"},        // with 877 forks/s
		{"03-09 05:38", "kernel.all.cpu.wait.total"},  // 2.1 CPUs
		{"03-23 07:17", "kernel.all.cpu.user"},        // with 696 forks/s
		{"04-02 03:44", "network.interface.in.bytes"}, // 8 MB/s, 4.8 CPUs
	} {
		at, err := time.Parse("2006-01-02 15:04", "2017-"+c.at)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(x.Incidents, func(in api.Incident) bool { return math.Abs(in.At.Since(pcp.Time(at.UnixNano()))) <= 120 })
		if i < 0 {
			t.Errorf("%s: no incident", c.at)
		} else if !slices.ContainsFunc(x.Incidents[i].Changes, func(s api.LevelChange) bool { return s.Metric == c.metric }) {
			t.Errorf("%s: %s is not in %q", c.at, c.metric, x.Incidents[i].Text)
		}
	}
	// A weekend on which pmrep -t 5min shows no 0.25 CPUs of programs.
	for _, in := range x.Incidents {
		if day := in.At.Std().UTC().Format(time.DateOnly); day == "2017-03-04" {
			t.Errorf("%s: %q", day, in.Text)
		}
	}
	if n := len(x.Incidents); n > 34 {
		t.Errorf("%d incidents in 34 days", n)
	}
	if !slices.ContainsFunc(x.Recurring, func(r api.Recurrence) bool {
		return r.Clock == "every 30 min at :25, :28, :55 and :58" && r.Changes[0].Metric == "kernel.all.sysfork" && r.Hits*10 > r.Slots*9
	}) {
		t.Errorf("story = %q, want the sentence about recurring jobs", x.Text)
	}
	if len(x.History) == 0 {
		t.Error("no history")
	}
}

// host makes counters of a host of four CPUs from shares of a CPU and rates.
func host(n int, step float64, cpu, disk, forks func(i int) float64) map[string]map[string]any {
	rng := rand.New(rand.NewPCG(4, 2))
	sum := func(per float64, f func(i int) float64) []float64 {
		total, vals := 1e6, make([]float64, n)
		for i := range vals {
			total += math.Round(per * step * max(0, f(i)*(1+0.05*rng.NormFloat64())))
			vals[i] = total
		}
		return vals
	}
	one := func(v []float64) map[string]any { return map[string]any{"": v} }
	return map[string]map[string]any{
		"hinv.ncpu":            one([]float64{4}),
		"mem.physmem":          one([]float64{8 << 20}),
		"kernel.all.cpu.user":  one(sum(1000, cpu)),
		"kernel.all.cpu.idle":  one(sum(1000, func(i int) float64 { return 4 - cpu(i) })),
		"kernel.all.pswitch":   one(sum(1, func(i int) float64 { return 1000 + 4000*cpu(i) })),
		"kernel.all.sysfork":   one(sum(1, forks)),
		"disk.dev.avactive":    {"sda": sum(1000, disk)},
		"disk.dev.aveq":        {"sda": sum(1000, func(i int) float64 { return 8 * disk(i) })},
		"disk.dev.write_bytes": {"sda": sum(50_000, disk)},
		"mem.util.available":   one(make([]float64, n)),
	}
}

func level(v float64) func(int) float64 { return func(int) float64 { return v } }

// A step at a known record is found there, and where it ends: counters of record 401 are
// those of what was from record 400 on.
func TestStoryOfAStep(t *testing.T) {
	busy := func(low, high float64) func(int) float64 {
		return func(i int) float64 {
			if i > 400 && i <= 520 {
				return high
			}
			return low
		}
	}
	s, src := record(t, recording.Recording{Host: "step", Step: 10e9, Values: host(720, 10, busy(0.4, 2.4), busy(0.02, 0.9), level(3))})
	x := storyOf(t, s, api.StoryQuery{Source: src.ID})
	if len(x.Incidents) != 1 {
		t.Fatalf("story = %q, want one incident", x.Text)
	}
	in := x.Incidents[0]
	if want := recording.Start + 400*10e9; in.At != want || in.Until == nil || *in.Until != want+120*10e9 {
		t.Errorf("from %v to %v, want %v", in.At, in.Until, want)
	}
	if !slices.ContainsFunc(in.Changes, func(c api.LevelChange) bool {
		return c.Metric == "disk.dev.avactive" && math.Abs(c.Before-0.02) < 0.001 && math.Abs(c.After-0.9) < 0.01
	}) {
		t.Errorf("changes = %+v", in.Changes)
	}
}

// Of working days with high load from 9 to 17 h, recorded every five minutes, all is told
// at its time, and nothing beside it: the steps before a change of level are no incident. A job that runs at half past one is one of that time.
func TestStoryOfWorkingDays(t *testing.T) {
	const step, days = 300, 9 // the first record is at 22:15 of a zone 100 s ahead
	clock := func(i int) int { return (80100 + i*step) % 86400 }
	busy := func(high, low float64) func(int) float64 {
		return func(i int) float64 { // what was from record i-1 to record i
			if began := clock(i - 1); began >= 9*3600 && began < 17*3600 {
				return high
			}
			return low
		}
	}
	job := func(i int) float64 {
		if clock(i-1) == 90*60 {
			return 120
		}
		return 3
	}
	values := host(days*288, step, busy(2.4, 0.4), busy(0.9, 0.02), job)
	s, src := record(t, recording.Recording{Host: "office", Step: step * 1e9, Values: values})
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: "<+0001>-0:01:40"})
	for _, in := range x.Incidents {
		if in.Until == nil || int64(in.At-recording.Start)/1e9%86400 != 9*3600-80100+86400 || *in.Until != in.At+8*3600e9 {
			t.Errorf("from %v until %v: %q", in.At.Std(), in.Until, in.Text)
		}
	}
	if len(x.Incidents) != days || len(x.Recurring) != 1 || x.Recurring[0].Clock != "every day at 01:30" {
		t.Errorf("story = %q, want %d incidents and a job at 01:30", x.Text, days)
	}
}

// A job of twenty minutes every four hours is one sentence, not an incident each time.
func TestStoryOfLongJobs(t *testing.T) {
	busy := func(i int) float64 { // recording.Start is 22:13:20
		if (13+i)%240 > 120 && (13+i)%240 <= 140 {
			return 0.9
		}
		return 0.02
	}
	s, src := record(t, recording.Recording{Host: "backup", Step: 60e9, Values: host(3*1440, 60, level(0.4), busy, level(3))})
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: "UTC", Least: 1})
	if len(x.Incidents) > 0 || len(x.Recurring) != 1 || x.Recurring[0].Period != 4*3600 {
		t.Errorf("story = %q, want a job every four hours", x.Text)
	}
}

// Memory that leaks all day and is free again at once: that it is free is no end of the
// first hour of the leak, whose change was small.
func TestStoryOfALeak(t *testing.T) {
	values := host(3*1440, 60, level(0.4), level(0.02), level(3))
	available := make([]float64, 3*1440)
	for i := range available {
		available[i] = 7 << 20
		if i >= 1440 && i < 2880 {
			available[i] = math.Round(float64(7<<20) - float64(i-1440)/1440*(6<<20))
		}
		available[i] += float64(i % 7 * 512) // KiB
	}
	values["mem.util.available"][""] = available
	values["mem.util.used"] = map[string]any{"": available}
	s, src := record(t, recording.Recording{Host: "leak", Step: 60e9, Values: values})
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Least: 5})
	for _, in := range x.Incidents {
		if in.At < recording.Start+2870*60e9 && in.Until != nil && math.Abs(in.Until.Since(recording.Start)-2880*60) < 600 && in.Score > 6 {
			t.Errorf("a part of the leak is told as all of it: %q", in.Text)
		}
	}
	if !slices.ContainsFunc(x.Incidents, func(in api.Incident) bool { return math.Abs(in.At.Since(recording.Start)-2880*60) <= 120 }) {
		t.Errorf("story = %q, want that memory was free again", x.Text)
	}
}

// A minute in which much was written is told beside the hour of a little with which it
// begins.
func TestStoryOfABurstWithATail(t *testing.T) {
	written := func(i int) float64 {
		switch {
		case i > 1000 && i <= 1003:
			return 100 // times 50,000 KiB/s
		case i > 1000 && i <= 1080:
			return 4
		}
		return 0.2
	}
	values := host(2000, 60, level(0.4), written, level(3))
	for _, other := range []string{"disk.dev.avactive", "disk.dev.aveq"} {
		delete(values, other)
	}
	s, src := record(t, recording.Recording{Host: "tail", Step: 60e9, Values: values})
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Least: 1})
	if !slices.ContainsFunc(x.Incidents, func(in api.Incident) bool {
		return math.Abs(in.At.Since(recording.Start)-1000*60) <= 60 && slices.ContainsFunc(in.Changes, func(c api.LevelChange) bool {
			return c.Metric == "disk.dev.write_bytes" && c.After > 4.5e6
		})
	}) {
		t.Errorf("story = %q, want 5,000,000 KiB/s", x.Text)
	}
}

// What is said of a burst of three records is the mean of these. By pmdumplog (PCP 6.0.3), in UTC,
// kernel.all.sysfork is 2042810 at 00:57:12.903, then 2046609, 2047946, and 2049187 at 01:00:12.909;
// steps are whole minutes.
func TestStoryOfABurstOfThree(t *testing.T) {
	s, o := openAll(t, historyFiles(t, "20170328")...)
	x := storyOf(t, s, api.StoryQuery{Source: o.Sources[0].ID})
	const want = float64(2049187-2042810) / 180.006
	for _, in := range x.Incidents {
		for _, c := range in.Changes {
			if clock := c.At.Std().UTC().Format("15:04"); clock == "00:57" && c.Metric == "kernel.all.sysfork" {
				if math.Abs(c.After-want) > 0.1 || !strings.HasSuffix(c.Text, " to 35.4/s") {
					t.Errorf("%q, %v, want %v", c.Text, c.After, want)
				}
				return
			}
		}
	}
	t.Errorf("story = %q, want that processes were started", x.Text)
}

// What a few records have is no level, and rows that say little are left out. By pmdumplog (PCP
// 6.0.3), in UTC: network.tcp.insegs is 2 to 3/s until 04:52 of 1 April, then mostly 3 to 50/s,
// but 5757/s in the minute from 06:29:51 on; on 30 March, xfs.btree.alloc_blocks.rshift is 118.5/s in
// one minute and mostly 0 around it.
func TestStoryWithoutOddRecords(t *testing.T) {
	for _, day := range []string{"20170330", "20170401"} {
		s, o := openAll(t, historyFiles(t, day)...)
		x := storyOf(t, s, api.StoryQuery{Source: o.Sources[0].ID, Least: 5})
		if len(x.Incidents) == 0 {
			t.Fatalf("%s: %q", day, x.Text)
		}
		for _, in := range x.Incidents {
			for i, c := range in.Changes {
				if i > 0 && c.Weight < departures.MinWeight || c.Metric == "network.tcp.insegs" && c.After > 50 {
					t.Errorf("%s: %q, of weight %.2f", day, c.Text, c.Weight)
				}
			}
		}
	}
}

// All of a day counts, though the agent of Apache, whose metrics are the first by name, was
// there only from a mark on. Above 3/s by TZ=UTC pmval -t 1min kernel.all.sysfork (PCP 6.0.3), at
// :25, :28, :55 and :58: 95 of the 96 minutes of 20170308, and of that at 23:28, beside the mark,
// it has no value; all 56 of the next day, most of whose morning is missing.
func TestStoryOfJobsBesideMarks(t *testing.T) {
	for _, c := range []struct {
		days []string
		want string
	}{
		{[]string{"20170308"}, "in 95 of 95 cases."},
		{[]string{"20170308", "20170309"}, "in 151 of 151 cases."},
	} {
		s, o := openAll(t, historyFiles(t, c.days...)...)
		x := storyOf(t, s, api.StoryQuery{Source: o.Sources[0].ID})
		if len(x.Recurring) != 1 || !strings.HasSuffix(x.Recurring[0].Text, c.want) || x.Recurring[0].Changes[0].Metric != "kernel.all.sysfork" {
			t.Errorf("%v: %q, want one that ends with %q", c.days, x.Text, c.want)
		}
	}
}

// Noise is no story, and that is said.
func TestStoryOfNoise(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "noise", Step: 10e9, Values: host(2000, 10, level(0.4), level(0.05), level(3))})
	x := storyOf(t, s, api.StoryQuery{Source: src.ID})
	if len(x.Incidents)+len(x.Recurring) > 0 || len(x.Text) != 1 || !strings.Contains(x.Text[0], "No incidents") {
		t.Errorf("story = %q, want that there are no incidents", x.Text)
	}
}

// A recurring job is reported with its times, in the requested zone.
func TestStoryOfAJob(t *testing.T) {
	job := func(i int) float64 { // recording.Start is 22:13:20 UTC: record i is i minutes later
		if (13+i)%30 == 25 {
			return 120
		}
		return 3
	}
	s, src := record(t, recording.Recording{Host: "job", Step: 60e9, Values: host(1000, 60, level(0.4), level(0.05), job)})
	for zone, clock := range map[string]string{"UTC": "every 30 min at :25 and :55", "<+0545>-05:45": "every 30 min at :10 and :40"} {
		x := storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: zone})
		if len(x.Incidents) > 0 || len(x.Recurring) != 1 || x.Recurring[0].Clock != clock || x.Recurring[0].Changes[0].Metric != "kernel.all.sysfork" {
			t.Errorf("%s: %q", zone, x.Text)
		}
	}
}

// If there can be no incidents, a sentence says why.
func TestStoryOfLittle(t *testing.T) {
	for name, c := range map[string]recording.Recording{
		"one sample":  {Step: 10e9, Values: host(1, 10, level(1), level(1), level(1))},
		"few samples": {Step: 10e9, Values: host(20, 10, level(1), level(1), level(1))},
		"one metric":  {Step: 10e9, Values: map[string]map[string]any{"hinv.ncpu": {"": []float64{4}}}},
		"no change":   {Step: 10e9, Values: map[string]map[string]any{"kernel.all.sysfork": {"": make([]float64, 500)}}},
	} {
		c.Host = "little"
		s, src := record(t, c)
		if x := storyOf(t, s, api.StoryQuery{Source: src.ID}); x.Why == "" || len(x.Incidents)+len(x.Recurring) > 0 {
			t.Errorf("%s: %q, %q", name, x.Why, x.Text)
		}
	}
	s, src := record(t, recording.Recording{Host: "bad", Step: 10e9, Values: host(100, 10, level(1), level(1), level(1))})
	for _, q := range []api.StoryQuery{{Source: src.ID, Least: math.NaN()}, {Source: src.ID, Least: -1}, {Source: 99}, {Source: src.ID, Zone: "Nowhere/At_All"}} {
		if _, err := s.Story(t.Context(), q, nil); err == nil {
			t.Errorf("%+v has a story", q)
		}
	}
	const want = "Nothing was recorded in this window: the recording is from 2023-11-14 22:13:20 UTC to 2023-11-14 22:29:50 UTC."
	start, end := &api.When{Text: "2023-11-15"}, &api.When{Text: "2023-11-16"}
	if x, err := s.Story(t.Context(), api.StoryQuery{Source: src.ID, Start: start, End: end}, nil); err == nil || pcp.AsFault(err).Message != want {
		t.Errorf("of a window after the recording: %v, %q, want %q", err, x.Why, want)
	}
}

// A change of an incident has its own time where it began later, or lasted another time.
func TestTimesOfChanges(t *testing.T) {
	b := storyBuilder{grid: series.Grid{Start: second(3600), Step: 60e9, Count: 5000}, merged: 1, zone: time.UTC} // 14 November, 23:13:20; step 100 is what was from 00:52:20 to 00:53:20
	for _, tt := range []struct {
		until, at, to int
		want          string
	}{
		{110, 100, 110, ""},
		{110, 101, 111, ""}, // as good as the same
		{110, 107, 110, " (00:59:20 – 01:02:20)"},
		{110, 100, 2000, " (00:52:20 – 16 Nov 08:32)"},
		{110, 100, -1, " (from 00:52:20 on)"},
		{-1, 100, -1, ""},
		{-1, 100, 104, " (00:52:20 – 00:56:20)"},
	} {
		got := b.ownTime(&departures.Incident[*departed]{At: 100, Until: tt.until}, &departures.LevelChange[*departed]{Change: departures.Change{At: tt.at}, Until: tt.to})
		if got != tt.want {
			t.Errorf("of 100 to %d, from %d to %d: %q, want %q", tt.until, tt.at, tt.to, got, tt.want)
		}
	}
}

// What came just before an incident came no later than it began, by what the page shows of both.
// By pmdumplog (PCP 6.0.3), UTC: programs were built from 01:28:11 on, and pmcd.version is 3.11.9
// from 01:34:11 on; disk sdb is there from 05:38:40 on, and disks are read in the record before that
// is of 05:37:40; nothing is recorded from 13:14:12 to 20:05:40 of 8 March. By pmval -t 1min, lo
// has about 158,000 byte/s until then, from 00:16 on.
func TestStoryOfWhatCameBefore(t *testing.T) {
	for _, c := range []struct {
		days              []string
		at, after, during string
	}{
		{[]string{"20170227"}, "02-27 01:28:11", "", "collector: 3.11.9, was 3.11.8"},
		{[]string{"20170309"}, "03-09 05:37:12", "", "The disk sdb appeared"},
		{[]string{"20170308", "20170309"}, "03-08 20:05:40", "Host rebooted", ""},
	} {
		s, o := openAll(t, historyFiles(t, c.days...)...)
		x := storyOf(t, s, api.StoryQuery{Source: o.Sources[0].ID, Least: 5})
		clock := func(at pcp.Time) string { return at.Std().UTC().Format("01-02 15:04:05") }
		i := slices.IndexFunc(x.Incidents, func(in api.Incident) bool { return clock(in.At) == c.at })
		if i < 0 {
			t.Fatalf("%v: no incident at %s: %q", c.days, c.at, x.Text)
		}
		in := x.Incidents[i]
		if in.After != c.after || in.During != c.during || strings.Contains(in.Text, "Just before: ") != (c.after != "") || strings.Contains(in.Text, "Meanwhile: ") != (c.during != "") {
			t.Errorf("%v: after %q, during %q: %q; want %q, %q", c.days, in.After, in.During, in.Text, c.after, c.during)
		}
		for _, other := range x.Incidents {
			for _, change := range append(other.Changes, api.LevelChange{At: other.At, Until: other.Until}) {
				for _, at := range []*pcp.Time{&change.At, change.Until} {
					if at != nil && clock(*at) > "03-08 13:14:13" && clock(*at) < "03-08 20:05:40" {
						t.Errorf("%v: %s is in the outage: %q", c.days, clock(*at), other.Text)
					}
				}
				if change.Until != nil && clock(change.At) <= "03-08 13:14:12" && clock(*change.Until) >= "03-08 20:05:40" {
					t.Errorf("%v: a level lasts through the outage: %q", c.days, other.Text)
				}
			}
		}
	}
}

// Steps of a minute, from 23:13:20 on; step 100 is what was from 00:52:20 to 00:53:20.
func TestEventsOfIncidents(t *testing.T) {
	at := func(seconds int) pcp.Time { return second(3600 + 99*60 + seconds) } // from the start of step 100 on
	event := func(seconds int, kind, text string) api.Event {
		return api.Event{At: at(seconds), Kind: kind, Text: text}
	}
	resumed := at(28)
	outage := api.Event{At: at(-3600), Until: &resumed, Kind: "outage", Text: "Nothing"}
	disk, boot := event(-60, "hardware", "disk"), event(-20, "boot", "boot")
	for name, c := range map[string]struct {
		history       []api.Event
		paused        bool
		began         int
		after, during string
	}{
		"nothing":                              {nil, false, 0, "", ""},
		"a disk, a minute before":              {[]api.Event{disk}, false, 0, "disk", ""},
		"and a boot":                           {[]api.Event{disk, boot}, false, 0, "boot", ""},
		"a disk, an hour before":               {[]api.Event{event(-3600, "hardware", "disk")}, false, 0, "", ""},
		"when it began":                        {[]api.Event{event(0, "hardware", "disk")}, false, 0, "disk", ""},
		"in the record that shows it":          {[]api.Event{event(60, "hardware", "disk")}, false, 0, "", "disk"},
		"with the last change":                 {[]api.Event{event(180, "hardware", "disk")}, false, 0, "", "disk"},
		"after that":                           {[]api.Event{event(200, "hardware", "disk")}, false, 0, "", ""},
		"a boot, which is when it began":       {[]api.Event{event(24, "boot", "boot")}, false, 24, "boot", ""},
		"a boot in a later record":             {[]api.Event{event(84, "boot", "boot")}, false, 0, "", "boot"},
		"an outage":                            {[]api.Event{outage}, true, 28, "Nothing", ""},
		"an outage with a boot":                {[]api.Event{outage, event(4, "boot", "boot")}, true, 28, "boot", ""},
		"and a disk in the record after it":    {[]api.Event{outage, event(4, "boot", "boot"), event(60, "hardware", "disk")}, true, 28, "boot", ""},
		"an outage, across which all is known": {[]api.Event{outage}, false, 0, "", "Nothing"},
	} {
		b := storyBuilder{grid: series.Grid{Start: second(3600), Step: 60e9, Count: 5000}, merged: 1, zone: time.UTC, out: &api.Story{History: c.history}}
		if c.paused {
			b.pauses = []pcp.Span{{Start: outage.At, End: resumed}}
		}
		for _, e := range c.history {
			if e.Kind == "boot" {
				b.boots = append(b.boots, e.At)
			}
		}
		in := departures.Incident[*departed]{At: 100, Last: 102, Until: 100, Changes: []departures.LevelChange[*departed]{{Change: departures.Change{At: 100}, Series: &departed{}}}}
		in.First = in.Changes[0]
		x := b.incident(&in)
		if x.At != at(c.began) || x.After != c.after || x.During != c.during {
			t.Errorf("%s: at %v s, after %q, during %q, want %v, %q, %q", name, x.At.Since(at(0)), x.After, x.During, c.began, c.after, c.during)
		}
		want := at(0)
		if c.paused {
			want = outage.At
		}
		if *x.Until != want {
			t.Errorf("%s: a level that this ends lasts until %v s, want %v", name, x.Until.Since(at(0)), want.Since(at(0)))
		}
	}
}

// One of two disks is busy for 0.4 of the time instead of 0.03, for 15 minutes. In floors of 0.02
// that is 18.5, so the disk weighs w = log2(19.5), which adds w*w/3 to the score, and the disks
// together three tenths of w: 7.407 in all, less than the 8 of an incident. Together they are busy
// for 0.06 and 0.43: a number of disks, which is no share. If it is busy for 0.6, w is log2(29.5), and
// the score 9.412.
func TestStoryOfLowScore(t *testing.T) {
	const n, from, to = 1000, 600, 690
	disks := func(busyMs float64) (*Session, api.Source) {
		busy, all := []float64{0}, []float64{0}
		for i := 1; i < n; i++ {
			ms := 300.0
			if i > from && i <= to {
				ms = busyMs
			}
			busy, all = append(busy, busy[i-1]+ms), append(all, all[i-1]+ms+300)
		}
		return record(t, recording.Recording{Host: "disk", Step: 10e9, Values: map[string]map[string]any{
			"disk.dev.avactive": {"sda": busy, "sdb": recording.Rising(n, 0, 300)}, "disk.all.avactive": {"": all},
		}})
	}
	s, src := disks(4000)
	const none = "No incidents: the largest change of level, of 2 of the 3 series at 2023-11-14 23:53:20, has a score of 7.40; incidents have 8 or more."
	if x := storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: "UTC"}); len(x.Incidents) > 0 || !slices.Equal(x.Text, []string{none}) {
		t.Errorf("got %q", x.Text)
	}
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: "UTC", Least: 6})
	if len(x.Incidents) != 1 || x.Incidents[0].Text != "2 series changed. Disk busy of sda 3 % to 40 %; Busy disks 0.06 to 0.43." {
		t.Errorf("from 6 on: %q", x.Text)
	}
	s, src = disks(6000)
	x = storyOf(t, s, api.StoryQuery{Source: src.ID, Zone: "UTC"})
	if len(x.Incidents) != 1 || math.Abs(x.Incidents[0].Score-9.412) > 0.01 || x.Incidents[0].Text != "2 series changed. Disk busy of sda 3 % to 60 %; Busy disks 0.06 to 0.63." {
		t.Errorf("busier: %q", x.Text)
	}
}

// Strong changes of few series are told. By pmdumplog (PCP 6.0.3), in UTC: from 22:56 of 27 March on,
// programs used one CPU for seven minutes and wrote 0.6 to 2.4 MiB/s; little else changed by much.
func TestStoryOfFewStrongChanges(t *testing.T) {
	s, o := openAll(t, historyFiles(t, "20170328")...)
	x := storyOf(t, s, api.StoryQuery{Source: o.Sources[0].ID})
	if !slices.ContainsFunc(x.Incidents, func(in api.Incident) bool { return in.At.Std().UTC().Format("15:04") == "22:56" && in.Series <= 4 }) {
		t.Errorf("story = %q, want an incident at 22:56 UTC", x.Text)
	}
}

// A clock that is set forward by an hour is no change of what the host does: the rates of that
// hour are wrong.
func TestClockSetIsNoIncident(t *testing.T) {
	w := written{}
	counter := pcp.Desc{PMID: pcp.MakePMID(60, 0, 20), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}}
	uptime := pcp.Desc{PMID: pcp.MakePMID(60, 26, 0), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}
	cpus := pcp.Desc{PMID: pcp.MakePMID(60, 0, 32), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Discrete}
	aw := w.begin(t, "a", second(0))
	aw.Desc(counter, "kernel.all.cpu.user")
	aw.Desc(uptime, "kernel.all.uptime")
	aw.Desc(cpus, "hinv.ncpu")
	for up := 0; up <= 7200; up += 60 {
		at := up
		if up >= 3600 {
			at += 3600
		}
		aw.Record(second(at), []archive.ValueSet{
			{PMID: counter.PMID, Type: counter.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(up) * 1600}}},
			{PMID: uptime.PMID, Type: uptime.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 1000 + uint64(up)}}},
			{PMID: cpus.PMID, Type: cpus.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 4}}},
		})
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	x, err := s.Story(t.Context(), api.StoryQuery{Source: id}, nil)
	if err != nil || len(x.Incidents) > 0 || !slices.ContainsFunc(x.History, func(e api.Event) bool { return e.Text == "Clock set forward by 1 h" }) {
		t.Errorf("%v: %q, %+v; the CPU is 40 %% busy throughout", err, x.Text, x.Incidents)
	}
	// Records came every minute; the hour did not occur.
	o, err := s.Overview(t.Context(), id, nil)
	if err != nil || o.Recording.Length != 7200 || o.Recording.Missing != 0 || len(o.Recording.Outages) > 0 ||
		slices.ContainsFunc(o.History, func(e api.Event) bool { return e.Kind == "outage" }) || slices.ContainsFunc(o.Findings, func(f api.Finding) bool { return strings.Contains(f.Text, "recorded") }) {
		t.Errorf("%v: the recording %+v, history %+v, findings %+v; want two hours without an outage", err, o.Recording, o.History, o.Findings)
	}
}
