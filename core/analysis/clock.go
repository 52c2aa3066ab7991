package analysis

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/pcp"
)

// A Clock knows when the host's clock was set during the recording, and when
// the host was booted.
type Clock struct {
	Steps []Step     // in order of time
	Boots []pcp.Time // in order
}

// A Step is a change of the clock between two records.
type Step struct {
	Before, At pcp.Time // times of the records
	By         float64  // in seconds; negative if the clock was set back
}

const (
	minStep   = 2.5 // in seconds; the time since boot is logged in whole seconds
	maxBack   = 30 * 86400
	bootSlack = 30 // seconds by which the clock may drift against the time since boot
)

// Stepped reports whether the clock was set between two times. A nil Clock
// reports false.
func (c *Clock) Stepped(from, to pcp.Time) bool {
	if c == nil {
		return false
	}
	for _, s := range c.Steps {
		if from < s.At && to > s.Before {
			return true
		}
	}
	return false
}

// Add adds a step that two archives tell of, unless it is known. booted is when the host was,
// by the clock as it was set, or 0: that and the same by the clock before are one boot.
func (c *Clock) Add(s Step, booted pcp.Time) {
	at, known := slices.BinarySearchFunc(c.Steps, s.At, func(have Step, t pcp.Time) int { return cmp.Compare(have.At, t) })
	if known {
		return
	}
	c.Steps = slices.Insert(c.Steps, at, s)
	if booted == 0 {
		return
	}
	had := false
	c.Boots = slices.DeleteFunc(c.Boots, func(b pcp.Time) bool {
		same := !apart(b, booted) || !apart(b, booted-pcp.Time(s.By*1e9))
		again := same && had
		had = had || same
		return again
	})
}

// newClock compares the times of records with the time since boot, which
// setting the clock does not change. modes, counters that together cover all of
// the time of so many CPUs, give the size of a step more precisely; they may be nil.
func newClock(uptime, modes *Table, cpus func(pcp.Time) float64) *Clock {
	c := &Clock{}
	up := uptime.Column("")
	boot := pcp.Time(0)
	for i, t := range uptimeRows(uptime) {
		if math.IsNaN(up[i]) {
			continue
		}
		began := t - pcp.Time(up[i]*secondsOf(uptime.Desc.Units)*1e9)
		goesOn := i > 0 && uptime.Broken[i] && sameBoot(uptime, i, modes, cpus(t))
		if i == 0 || uptime.Broken[i] && !goesOn || up[i] < up[i-1] || math.IsNaN(up[i-1]) {
			if n := len(c.Boots); n == 0 || steady(uptime, i) && apart(began, c.Boots[n-1]) && (up[i] < up[i-1] || apart(began, boot)) {
				c.Boots = append(c.Boots, wholeSecond(began))
			}
			boot = began
			continue
		}
		passed := (up[i] - up[i-1]) * secondsOf(uptime.Desc.Units)
		by := t.Since(uptime.Times[i-1]) - passed
		if by < -maxBack { // no clock is set back so far; the metric is wrong
			boot = began
			continue
		}
		if math.Abs(by) < minStep || math.Abs(by) < 0.1*passed && math.Abs(by) < 60 {
			if goesOn {
				boot = began
			}
			continue
		}
		stamped := t.Since(uptime.Times[i-1])
		if exact := elapsed(modes, cpus(t), uptime.Times[i-1], t); exact > 0 {
			if math.Abs(exact-stamped) < math.Max(minStep, 0.05*stamped) {
				continue // the CPU counters agree with the timestamps: the time since boot is wrong
			}
			if math.Abs(exact-passed) < minStep {
				by = stamped - exact
			}
		}
		if !steady(uptime, i) {
			boot = began
			continue
		}
		c.Steps = append(c.Steps, Step{uptime.Times[i-1], t, by})
		boot = began
	}
	c.Boots = slices.Compact(c.Boots)
	return c
}

// sameBoot reports whether the CPUs of a host counted on from the row before to row i as long as
// the time since boot did. Then the host was not booted in between, even if a mark or the end of
// an archive lies there, and another time of boot is that of a clock that was set.
func sameBoot(uptime *Table, i int, modes *Table, cpus float64) bool {
	up := uptime.Column("")
	passed := (up[i] - up[i-1]) * secondsOf(uptime.Desc.Units)
	exact := elapsed(modes, cpus, uptime.Times[i-1], uptime.Times[i])
	return exact > 0 && math.Abs(exact-passed) < math.Max(minStep, 0.05*passed)
}

// bootsOf returns the times of boot that were logged, kernel.all.boottime, in order: where
// there is no time since boot.
func bootsOf(boottime *Table) (list []pcp.Time) {
	if boottime == nil {
		return nil
	}
	for _, v := range boottime.Column("") {
		at := pcp.Time(v * secondsOf(boottime.Desc.Units) * 1e9)
		if v > 0 && (len(list) == 0 || apart(at, list[len(list)-1])) {
			list = append(list, at)
		}
	}
	return list
}

// apart reports whether two times of boot are not the same one.
func apart(a, b pcp.Time) bool { return a-b > bootSlack*1e9 || b-a > bootSlack*1e9 }

// steady reports whether the time since boot goes on from row i as time does; in
// damaged records it does not. Of the last row, it is whether it did before: a time since boot
// that stands still is wrong at the end, too.
func steady(uptime *Table, i int) bool {
	up := uptime.Column("")
	if i+1 >= len(up) {
		if i < 2 {
			return true
		}
		i -= 2
	}
	if uptime.Broken[i+1] || math.IsNaN(up[i+1]) {
		return false
	}
	passed := (up[i+1] - up[i]) * secondsOf(uptime.Desc.Units)
	return math.Abs(uptime.Times[i+1].Since(uptime.Times[i])-passed) < math.Max(minStep, 0.1*passed)
}

func uptimeRows(t *Table) []pcp.Time {
	if t == nil {
		return nil
	}
	return t.Times
}

// elapsed returns the seconds that the CPUs counted between two records.
func elapsed(modes *Table, n float64, from, to pcp.Time) float64 {
	if modes == nil || !(n > 0) {
		return 0
	}
	a, b := modes.row(from), modes.row(to)
	if a < 0 || a == b || modes.Times[a] != from || modes.Times[b] != to {
		return 0
	}
	sum := 0.0
	for _, c := range modes.Columns {
		sum += c.Vals[b] - c.Vals[a]
	}
	return sum * secondsOf(modes.Desc.Units) / n
}

func wholeSecond(t pcp.Time) pcp.Time { return (t + 5e8) / 1e9 * 1e9 }
