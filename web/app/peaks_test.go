package app

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
	"pcpscope/web/panel"
)

// history opens a day of corpus/history, for which expected values come from
// Debian's PCP 6.0.3; without that folder the test is skipped.
func history(t *testing.T, day string) (*bench, *Tab) {
	t.Helper()
	dir := reference.Need(t, "corpus", "history")
	list, _ := filepath.Glob(filepath.Join(dir, day+".*"))
	var files []File
	for _, name := range list {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: filepath.Base(name), Size: int64(len(data)), Data: data})
	}
	b := newBench(t)
	return b, b.open(t, files)
}

func highest(values []float64) float64 {
	high := math.Inf(-1)
	for _, v := range values {
		if v > high {
			high = v
		}
	}
	return high
}

// A day with a load of 126.58 in one record, and a minute with 70.7 % of the CPUs
// busy; the page has a point for each minute. For kernel.all.load[1 minute],
// `TZ=UTC pmlogsummary -mMyI 20170227 kernel.all.load` prints
// 0.174 0.000 126.580 03:40:42.753 2996. The CPU time was counted in the output of
// `pmdumplog -z 20170227`: at half past twelve the sum of the five counters grew by
// 339,160 ms in 60.004 s, on eight CPUs.
func TestPeaksOfADay(t *testing.T) {
	b, tab := history(t, "20170227")
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}})
	for _, every := range []float64{0, 60, 3600, 43200} {
		p := tab.Dashboard.Panels[0]
		tab.Dashboard.Change(p.ID, func(s *panel.Settings) { s.Every = every })
		b.run()
		s := &p.Series[0]
		_, high := p.Answer.Band(s.Column)
		if float32(highest(high)) != 126.58 || float32(s.Stats.Max) != 126.58 || math.Abs(s.Stats.Avg-0.174) > 5e-4 || s.Stats.Min != 0 {
			t.Errorf("every %v s: top of the band %v, statistics %+v; want 126.58 and average 0.174", every, highest(high), s.Stats)
		}
		if at := s.Stats.MaxAt.Std().UTC().Format("15:04:05.000"); at != "03:40:42.753" {
			t.Errorf("every %v s: time of the maximum = %s, want 03:40:42.753", every, at)
		}
		if words := p.Describe(tab.Clock); !strings.Contains(words, "at most 126.58 tasks") && !strings.Contains(words, "at most 126.6") {
			t.Errorf("description = %q, want a maximum of 126.58 tasks", words)
		}
	}
	pulse := &tab.Pulse
	if pulse.High != nil {
		top := highest(pulse.High)
		if math.Abs(top-0.706552) > 1e-3 || math.Abs(pulse.Stats.Max-0.706552) > 1e-6 {
			t.Errorf("strip: top %v, maximum %v; want 0.706552", top, pulse.Stats.Max)
		}
	} else {
		t.Errorf("the strip has %d points and no band, want fewer points than observations", len(pulse.Values))
	}
	if worst, mean, ok := pulse.WorstMinute(); !ok || worst.Len() != int64(time.Minute) || mean < 0.5 || mean > 0.706553 {
		t.Errorf("WorstMinute() = %v, %v, %v; want a minute with a mean from 0.5 to 0.7066", worst, mean, ok)
	}
}

// A point summarises its step. Six records a minute, each one larger than the
// previous one; expected values by hand.
func TestGrid(t *testing.T) {
	b, tab := opened(t)
	p := tab.Dashboard.Panels[0]
	if p.Reduced() != "" || panel.GridText(&p.Settings, &p.View) != "" || p.PointText() != "every 10 s" {
		t.Errorf("at the logging interval: reduced %q, %q; want every 10 s, not reduced", p.Reduced(), p.PointText())
	}
	tab.Dashboard.SetGrid(p.ID, "1min")
	b.run()
	// In the first 60 s the value was 0 for 10 s, then 1, …, and became 6 at the end.
	for reduce, want := range map[string]float64{"": 2.5, "max": 6, "min": 0, "last": 6, "sample": 6} {
		tab.Dashboard.Change(p.ID, func(s *panel.Settings) { s.Reduce = reduce })
		b.run()
		if got := valuesOf(p, p.Series[0].Column)[1]; got != want || p.Step != int64(time.Minute) {
			t.Errorf("%q of a minute = %v, want %v; step %v, want 1 min", reduce, got, want, time.Duration(p.Step))
		}
		if p.Series[0].Stats.Last != 60 || p.Series[0].Stats.Max != 60 {
			t.Errorf("%q: statistics = %+v, want last and maximum of 60", reduce, p.Series[0].Stats)
		}
	}
	tab.Dashboard.Change(p.ID, func(s *panel.Settings) { s.Reduce = "" })
	b.run()
	if text := panel.GridText(&p.Settings, &p.View); text != "mean of each 1 min, with a band from lowest to highest" {
		t.Errorf("GridText = %q, want mean of each 1 min, with a band from lowest to highest", text)
	}
	csv := tab.sheet([]*Panel{p}).CSV()
	if head := "kernel.all.load[1 minute], mean of each 1 min\",\"kernel.all.load[1 minute], lowest\",\"kernel.all.load[1 minute], highest\""; !strings.Contains(csv, head) || !strings.Contains(csv, "T10:02:25-04:00,2.5,0,6,") {
		t.Errorf("CSV begins %.400s; want columns for mean, lowest and highest", csv)
	}
	tab.History.Undo()
	tab.History.Undo()
	b.run()
	if tab.Dashboard.SetGrid(p.ID, "two fortnights"); len(b.Intake.Refused) != 0 || p.Every != 60 {
		t.Errorf("interval before the reply about an invalid one = %v, want 60", p.Every)
	}
	b.run()
	if p := tab.Dashboard.Panels[0]; p.Every != 60 {
		t.Errorf("interval after an invalid one = %v, want 60", p.Every)
	}
}

// A grid of one minute on an archive shorter than that: the first value is the one
// that pmval prints, the second summarises the rest.
func TestGridLongerThanTheArchive(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, written(t, "", volume{0, 50}))
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}})
	tab.Dashboard.SetGrid(tab.Dashboard.Panels[0].ID, "1min")
	b.run()
	p := tab.Dashboard.Panels[0]
	s := &p.Series[0]
	_, high := p.Answer.Band(s.Column)
	if values := valuesOf(p, s.Column); p.Fault != "" || len(values) < 2 || values[0] != 0 || values[1] != 2 || high[1] != 5 || s.Stats.Max != 5 {
		t.Errorf("fault %q, values %v, highest %v, statistics %+v; want 0, 2 with a maximum of 5", p.Fault, values, high, s.Stats)
	}
}

// An export has all panels of a view, including those never scrolled to.
func TestExportIncludesUnseenPanels(t *testing.T) {
	b, tab := opened(t)
	saved := ""
	b.Page.Save = func(_, _, text string) { saved = text }
	tab.Dashboard.SetVisible(nil)
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}, {"disk.dev.avactive"}})
	for _, p := range tab.Dashboard.Panels {
		p.away, p.stale = true, true
	}
	b.Share.ExportView("csv")
	b.run()
	if !strings.Contains(saved, "kernel.all.load[1 minute]") || !strings.Contains(saved, "disk.dev.avactive[sdb]") {
		t.Errorf("saved table = %.300s; want the series of both panels", saved)
	}
}

// Of a short archive with a pause, the first records count as well: a counter at 0 s, and
// after a pause at 64, 70, 80, 90 and 100 s, by which it has grown by 64, by 60 in 6 s, and
// by 200 in each 10 s. It has grown by 724 in 100 s; pmlogsummary says 7.240.
func TestShortArchiveWithAPause(t *testing.T) {
	w, parts := newArchive(t)
	desc := worldMetrics[0].Desc
	steps := []error{w.Desc(desc, worldMetrics[0].name)}
	for _, r := range []struct {
		at    int
		value uint64
	}{{0, 0}, {64, 64}, {70, 124}, {80, 324}, {90, 524}, {100, 724}} {
		steps = append(steps, w.Record(start+pcp.Time(r.at)*second, []archive.ValueSet{{PMID: desc.PMID, Type: desc.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: r.value}}}}))
	}
	if err := errors.Join(append(steps, w.Close())...); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	tab := b.open(t, filesOf(parts))
	p := b.show(tab, "line", worldMetrics[0].name)
	if s := p.Series[0].Stats; math.Abs(s.Avg-7.24) > 1e-9 || s.Min != 1 || s.Max != 20 || s.Count != 5 {
		t.Errorf("statistics %+v, want an average of 7.24 from 1 to 20, of 5 rates", s)
	}
	if avg := tab.Pulse.Stats.Avg; math.Abs(avg-7.24) > 1e-9 {
		t.Errorf("average on the strip = %v (%s), want 7.24", avg, tab.Pulse.Name)
	}
}

// A window between two records has no value, and says why: there is one every 10 s.
func TestWindowBetweenRecords(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}, {"disk.dev.avactive"}})
	b.run()
	tab.Zoom(start+123*second, start+127*second)
	b.run()
	for _, p := range tab.Dashboard.Panels {
		if want := "No value in this window: it lies between two records, which are 10 s apart."; p.Fault != want {
			t.Errorf("%s says %q, want %q", p.Heading(), p.Fault, want)
		}
	}
}

// The maximum of what was logged once, such as a setting, is when it was logged, and not at
// the next point of the grid: 8 CPUs, 94.9 s after the start.
func TestPeakOfASetting(t *testing.T) {
	const n, step = 40, 7_300_000_000
	cpus := recording.Steady(n, math.NaN())
	cpus[13] = 8
	_, tab := withCPUs(t, step, cpus)
	s := tab.Dashboard.Panels[0].Series[0].Stats
	if at := s.MaxAt.Since(recording.Start); s.Max != 8 || math.Abs(at-94.9) > 1e-6 {
		t.Errorf("maximum %v after %v s, want 8 after 94.9 s", s.Max, at)
	}
}

// In a window that is shorter than the time between two values of a setting, the one from
// before it lasts until the next: 4 for 15 s, and 8 for 15 s.
func TestLegendOfASettingThatChanges(t *testing.T) {
	const step = 60_000_000_000
	b, tab := withCPUs(t, step, []float64{4, 4, 8, 2, 2, 2})
	tab.Zoom(recording.Start+105*second, recording.Start+135*second)
	b.run()
	s := tab.Dashboard.Panels[0].Series[0].Stats
	if s.Last != 8 || s.Min != 4 || s.Max != 8 || s.MaxAt != recording.Start+120*second || math.Abs(s.Avg-6) > 0.05 || s.P95 != 8 {
		t.Errorf("%+v, want 4 to 8, 6 on average, and 8 at the end", s)
	}
}

// A counter that was logged 25 s after each minute since the start, as by a logger that was
// restarted: the rate of the minute is there also in a window without a full minute. In one
// without a record there is none.
func TestShortWindowWithARecord(t *testing.T) {
	forks := recording.Steady(60, math.NaN())
	for i := range 5 {
		forks[5+12*i] = float64(600 * i * i)
	}
	b, tab := recorded(t, 5_000_000_000, "kernel.all.sysfork|64-bit unsigned int|-|counter|count", forks)
	for _, window := range []struct {
		from, to pcp.Time
		rate, at float64
	}{{130, 150, 30, 145}, {144, 170, 30, 145}, {150, 175, math.NaN(), 0}} {
		tab.Zoom(recording.Start+window.from*second, recording.Start+window.to*second)
		b.run()
		p := tab.Dashboard.Panels[0]
		if window.rate != window.rate {
			if p.Fault == "" {
				t.Errorf("%d to %d s: no word of the window being between two records", window.from, window.to)
			}
			continue
		}
		if len(p.Series) == 0 {
			t.Errorf("%d to %d s: %s", window.from, window.to, p.Fault)
			continue
		}
		if s := p.Series[0].Stats; s.Last != window.rate || s.Avg != window.rate || s.MaxAt.Since(recording.Start) != window.at {
			t.Errorf("%d to %d s: %+v, want %v/s after %v s", window.from, window.to, s, window.rate, window.at)
		}
	}
}

// withCPUs opens a recording of the number of CPUs, NaN where it was not logged, and shows it.
func withCPUs(t *testing.T, step pcp.Time, cpus []float64) (*bench, *Tab) {
	t.Helper()
	return recorded(t, step, "hinv.ncpu|32-bit unsigned int|-|discrete|none", cpus)
}

// recorded opens a recording of a metric, NaN where it was not logged, beside another, and
// shows it. What it is stands in agent, as in the output of pminfo(1).
func recorded(t *testing.T, step pcp.Time, agent string, values []float64) (*bench, *Tab) {
	t.Helper()
	agents := filepath.Join(t.TempDir(), "agents")
	if err := os.WriteFile(agents, []byte(agent+"\nkernel.all.nusers|32-bit unsigned int|-|instant|none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(agent, "|")
	var files []File
	for _, file := range (recording.Recording{Agents: agents, Host: "h", Step: step, Values: map[string]map[string]any{name: {"": values}, "kernel.all.nusers": {"": recording.Steady(len(values), 1.0)}}}).Write(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: filepath.Base(file), Size: int64(len(data)), Data: data})
	}
	b := newBench(t)
	tab := b.open(t, files)
	tab.Dashboard.SetPanels([][]string{{name}})
	b.run()
	return b, tab
}

// Of two requests for the strip, the later one counts, whichever is answered first: the
// earlier may be about the part of the source that had been read.
func TestStripIsThatOfTheLastRequest(t *testing.T) {
	b, tab := opened(t)
	end := tab.Source.End
	tab.Source.End = start + 100*second // as after a sixth
	tab.Pulse.load()
	tab.Source.End = end
	tab.Pulse.load()
	slices.Reverse(b.jobs)
	b.run()
	if p := &tab.Pulse; p.Stats.MaxAt < start+500*second {
		t.Errorf("the strip's maximum is %d s after the start, want it in the last minute", (p.Stats.MaxAt-start)/second)
	}
}
