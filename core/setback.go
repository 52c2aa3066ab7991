package core

import (
	"fmt"
	"path"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A setBack is a change of the host's clock to an earlier time while the logger was started
// anew: the archive that it wrote next begins, by its stamps, before the end of the last one.
type setBack struct {
	analysis.Step
	booted pcp.Time // by the clock as it was set; 0 if that is not known
	hidden pcp.Span // what both archives have stamps of
	behind string   // the archive of which that is not shown
	other  string
}

// maxRestart is how long, in seconds, a logger may be gone: cron looks for it twice an hour.
const maxRestart = 3600

// minSetBack is from how many seconds on the clock was set; the time since boot is logged in whole seconds.
const minSetBack = 2.5

// setBacks lists them, in order of the archives. Of two archives with the same stamps, one
// was written after the other if the time since boot, or else the CPU time of a CPU, goes on
// from the end of one to the beginning of the other: two loggers that ran at once have a time
// between that is negative.
func (src *source) setBacks(cpus func(pcp.Time) float64) (list []setBack) {
	if !src.overlapping() {
		return nil
	}
	boot, _ := src.lookup("kernel.all.uptime")
	clocks := [][]*archive.Metric{boot}
	var modes [][]*archive.Metric
	for _, mode := range []string{"user", "nice", "sys", "idle", "irq.hard", "irq.soft", "wait.total", "steal"} {
		if ms, known := src.lookup("kernel.all.cpu." + mode); known {
			modes = append(modes, ms)
		}
	}
	for i := 1; i < len(src.parts); i++ {
		a, b := src.parts[i-1], src.parts[i]
		if a.End() <= b.Start() {
			continue
		}
		for _, from := range []int{i - 1, i} {
			to := 2*i - 1 - from
			s, known := src.goesOn(from, to, clocks, 1)
			if !known {
				s, known = src.goesOn(from, to, modes, cpus(src.parts[to].Start()))
			}
			if !known {
				continue
			}
			s.hidden = pcp.Span{Start: b.Start(), End: min(a.End(), b.End())}
			s.behind, s.other = path.Base(a.Name()), path.Base(b.Name())
			list = append(list, s)
			break
		}
	}
	return list
}

// goesOn compares what counters of seconds, times n, have grown by from the end of one part to
// the start of another with their stamps.
func (src *source) goesOn(from, to int, counters [][]*archive.Metric, n float64) (s setBack, known bool) {
	passed, before, at := 0.0, pcp.Time(0), pcp.Time(0)
	for _, ms := range counters {
		if ms[from] == nil || ms[to] == nil {
			return s, false
		}
		last, ok := endOf(src.observationsOf(nil, from, ms[from]), true)
		first, also := endOf(src.observationsOf(nil, to, ms[to]), false)
		if !ok || !also || known && (last.at != before || first.at != at) {
			return s, false
		}
		passed += first.seconds - last.seconds
		s.booted = first.at - pcp.Time(first.seconds*1e9)
		before, at, known = last.at, first.at, true
	}
	if passed /= n; !known || !(passed >= 0 && passed <= maxRestart) {
		return s, false
	}
	if n != 1 || len(counters) > 1 {
		s.booted = 0
	}
	s.Step = analysis.Step{Before: at - 1, At: at, By: at.Since(before) - passed}
	return s, s.By < -minSetBack
}

// An endValue is a number of seconds in the first or last record that has it.
type endValue struct {
	at      pcp.Time
	seconds float64
}

// endOf is the first or the last value of a metric without instances.
func endOf(o *series.Observations, last bool) (v endValue, known bool) {
	if len(o.Times) == 0 || len(o.Series) != 1 || len(o.Series[0].Runs) == 0 || !o.Desc.Type.Numeric() {
		return v, false
	}
	row, run := 0, o.Series[0].Runs[0]
	if last {
		row, run = len(o.Times)-1, o.Series[0].Runs[len(o.Series[0].Runs)-1]
	}
	if at := int(run.Row & series.RowNum); run.Row&(series.Gone|series.Failed) != 0 || at > row {
		return v, false
	}
	perUnit := 1.0
	if o.Desc.Units.Time != 0 {
		perUnit = pcp.SecondsPer[min(o.Desc.Units.TimeScale, pcp.Hour)]
	}
	return endValue{o.Times[row], series.Float(o.Desc.Type, run.Val) * perUnit}, true
}

// text says what the change hides.
func (s setBack) text() string {
	return fmt.Sprintf(": %s of %s have the same times as %s and are not shown; open %s alone to see them",
		analysis.FormatDuration(s.hidden.End.Since(s.hidden.Start)), s.behind, s.other, s.behind)
}

// hiddenBy adds to the history what a clock that was set back hides.
func (src *source) hiddenBy(list []api.Event, set []setBack) {
	for _, s := range set {
		for i := range list {
			if e := &list[i]; e.Kind == "clock" && e.At == s.At {
				e.Text += s.text()
			}
		}
	}
}
