package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/interp/when"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// CheckRule finds when an expression exceeded a limit and for how long, from
// its observations as they were logged.
func (s *Session) CheckRule(ctx context.Context, q api.CheckQuery, progress func(api.Progress)) (api.Checked, error) {
	out := api.Checked{Runs: []api.CheckRun{}}
	limit, err := limitOf(q)
	if err != nil {
		return out, err
	}
	src, err := s.source(q.Source)
	if err != nil {
		return out, err
	}
	var least int64
	if q.For != nil {
		if q.For.Nanos != nil {
			least = *q.For.Nanos
		} else if least, err = when.ParseInterval(q.For.Text); err != nil {
			return out, err
		}
		if least < 0 {
			return out, pcp.Faultf(pcp.BadArgument, "The duration \"for\" must not be negative.")
		}
	}
	convert := cmp.Or(q.Convert, "rate")
	// Settings such as the number of CPUs are logged rarely, so few moments
	// have all operands of an expression: its leading operand alone sets the
	// moments.
	f, err := s.fetch(ctx, api.Query{Source: q.Source, Metrics: []string{q.Expression}, Instances: q.Instances, Mode: "raw", Convert: convert,
		Start: q.Start, End: q.End, Zone: q.Zone, Read: cmp.Or(q.Read, "window")}, true, progress)
	if err != nil {
		return out, err
	}
	w, err := s.window(src, q.Start, q.End, q.Zone)
	if err != nil {
		return out, err
	}
	_, end := src.span()
	w.to = min(w.to, end)
	back := src.looksBack(q.Expression, convert)
	for i := range f.Columns {
		c := &f.Columns[i]
		if c.Fault != nil {
			return out, c.Fault
		}
		if c.Strings != nil || len(c.Values) != len(f.Times) {
			return out, pcp.Faultf(pcp.BadArgument, "%s is not numeric, so it cannot be compared with a limit.", q.Expression)
		}
		out.Units = c.Units
		var runs []api.CheckRun
		var n int
		if c.Semantics == pcp.Discrete.String() && !back {
			runs, n = heldRuns(f, c, limit, w)
		} else {
			runs, n = badRuns(f, c, limit, w, back)
		}
		out.Observations += n
		for _, r := range runs {
			if int64(r.End-r.Start) >= least {
				out.Runs = append(out.Runs, r)
			}
		}
	}
	sorting.Stable(out.Runs, func(a, b api.CheckRun) int { return cmp.Compare(a.Start, b.Start) })
	out.OK = out.Observations > 0 && len(out.Runs) == 0
	loc, err := s.location(src, q.Zone)
	if err != nil {
		return out, err
	}
	out.Sentence = limit.sentence(q.Expression, &out, least, loc)
	return out, nil
}

// A limit is the condition that values must not meet.
type limit struct {
	is      string // "above 90", used in a sentence
	beyond  func(v float64) bool
	worse   func(a, b float64) bool
	extreme string // name of the worst value in a sentence; "" to omit it
}

func limitOf(q api.CheckQuery) (limit, error) {
	given := 0
	for _, yes := range []bool{q.Above != nil, q.Below != nil, q.Always} {
		if yes {
			given++
		}
	}
	if given != 1 {
		return limit{}, pcp.Faultf(pcp.BadArgument, "A check takes exactly one of above, below and always.")
	}
	for _, v := range []*float64{q.Above, q.Below} {
		if v != nil && math.IsNaN(*v) { // nothing is above or below it
			return limit{}, pcp.Faultf(pcp.BadArgument, "The limit of a check must be a number; it is NaN.")
		}
	}
	number := func(v float64) string { // as it was given
		if a := math.Abs(v); a >= 1e-4 && a <= 1<<53 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	switch {
	case q.Above != nil:
		a := *q.Above
		return limit{"above " + number(a), func(v float64) bool { return v > a }, func(x, y float64) bool { return x > y }, "at most"}, nil
	case q.Below != nil:
		b := *q.Below
		return limit{"below " + number(b), func(v float64) bool { return v < b }, func(x, y float64) bool { return x < y }, "at least"}, nil
	}
	return limit{"not true", func(v float64) bool { return v == 0 }, func(x, y float64) bool { return false }, ""}, nil
}

// looksBack reports whether a value of an expression describes the time since
// the previous observation, as rates and differences do.
func (src *source) looksBack(expression, convert string) bool {
	if ms, known := src.lookup(expression); known {
		return convert == "rate" && descOf(ms).Sem == pcp.Counter
	}
	b, err := src.bind(expression)
	return err == nil && (b.Differs() || convert == "rate" && b.Desc.Sem == pcp.Counter)
}

// badRuns finds the runs of one series that violate the limit, and counts its
// values. Where values describe the time before them, the first record, also after a mark,
// has none but is what the next value counts from. It may lie before the window.
func badRuns(f *api.Frame, c *api.Column, l limit, w window, back bool) (runs []api.CheckRun, n int) {
	at := func(i int) pcp.Time { return f.Start + pcp.Time(math.Round(f.Times[i]*1e9)) }
	marked := func(a, b int) bool {
		k, _ := slices.BinarySearch(f.Marks, f.Times[a])
		return k < len(f.Marks) && f.Marks[k] <= f.Times[b]
	}
	var run *api.CheckRun
	end := func(t pcp.Time) {
		if run != nil {
			run.End = max(t, run.Start)
			run.Seconds = float64(run.End-run.Start) / 1e9
			runs = append(runs, *run)
			run = nil
		}
	}
	before := -1 // index of the previous value
	since := -1  // of the record that the next value counts from
	for i, v := range c.Values {
		if math.IsNaN(v) {
			why := whyAt(c, i)
			if why == series.NotLogged || why == series.OperandMissing {
				continue
			}
			if before >= 0 {
				end(at(before))
			}
			before, since = -1, -1
			if back && (why == series.NoPrevious || why == series.WentBackwards) {
				since = i
			}
			continue
		}
		if back && at(i) <= w.from {
			before, since = i, i
			continue
		}
		n++
		if before >= 0 && marked(before, i) {
			end(at(before))
			before, since = -1, -1
		}
		switch bad := l.beyond(v); {
		case bad && run == nil:
			from := at(i)
			if back && since >= 0 {
				from = max(at(since), w.from)
			}
			run = &api.CheckRun{Instance: c.Instance, Start: from, Worst: v, WorstAt: at(i)}
		case bad && l.worse(v, run.Worst):
			run.Worst, run.WorstAt = v, at(i)
		case !bad && back && before >= 0:
			end(at(before))
		case !bad:
			end(at(i))
		}
		before, since = i, i
	}
	if before >= 0 {
		end(at(before))
	}
	return runs, n
}

// heldRuns is badRuns for a setting: each value holds until the next record, a
// mark or the end of the window. The first record may lie before the window.
func heldRuns(f *api.Frame, c *api.Column, l limit, w window) (runs []api.CheckRun, n int) {
	at := func(seconds float64) pcp.Time { return f.Start + pcp.Time(math.Round(seconds*1e9)) }
	until := w.to // what the present value holds until
	for i := len(c.Values) - 1; i >= 0; i-- {
		v, why := c.Values[i], whyAt(c, i)
		if math.IsNaN(v) && (why == series.NotLogged || why == series.OperandMissing) {
			continue
		}
		own, end := at(f.Times[i]), until
		until = own
		if k, _ := slices.BinarySearch(f.Marks, f.Times[i]); k < len(f.Marks) {
			end = min(end, at(f.Marks[k]))
		}
		from := max(own, w.from)
		if math.IsNaN(v) || own < w.from && end <= w.from {
			continue
		}
		n++
		if !l.beyond(v) {
			continue
		}
		run := api.CheckRun{Instance: c.Instance, Start: from, End: max(from, end), Worst: v, WorstAt: from}
		if k := len(runs) - 1; k >= 0 && runs[k].Start == run.End { // the violation goes on
			next := runs[k]
			runs = runs[:k]
			run.End = next.End
			if l.worse(next.Worst, v) {
				run.Worst, run.WorstAt = next.Worst, next.WorstAt
			}
		}
		run.Seconds = float64(run.End-run.Start) / 1e9
		runs = append(runs, run)
	}
	slices.Reverse(runs)
	return runs, n
}

// neededFrom returns the start of a window; of settings and rates, the time of the record
// before it, if there is one: the setting is in effect when the window starts, and the first
// rate counts from that record. line is that of an expression.
func (src *source) neededFrom(name string, line timeline, w window, x readState, convert string) pcp.Time {
	if ms, known := src.lookup(name); known {
		if descOf(ms).Sem != pcp.Discrete && !src.looksBack(name, convert) {
			return w.from
		}
		buffers := make([]archive.Buffer, len(src.parts))
		for i := range buffers {
			buffers[i].TimesOnly = true
		}
		line = src.timelineIn(buffers, ms, x)
	} else if descOfLine(line).Sem != pcp.Discrete && !src.looksBack(name, convert) {
		return w.from
	}
	if times := line.times(w.from, w.to); len(times) > 0 {
		return min(w.from, times[0])
	}
	return w.from
}

func whyAt(c *api.Column, i int) series.Why {
	if i < len(c.Why) {
		return series.Why(c.Why[i])
	}
	return series.NotLogged
}

// sentence words the result, with times in the given zone.
func (l limit) sentence(expression string, out *api.Checked, least int64, loc *time.Location) string {
	length := func(seconds float64) string {
		return strconv.FormatFloat(math.Round(seconds*1000)/1000, 'f', -1, 64) + " s"
	}
	during := ""
	if least > 0 {
		during = " for " + length(float64(least)/1e9)
	}
	switch {
	case out.Observations == 0:
		return fmt.Sprintf("%s has no values here, so it cannot be checked.", expression)
	case len(out.Runs) == 0:
		return fmt.Sprintf("%s was never %s%s: %d values.", expression, l.is, during, out.Observations)
	}
	longest := slices.MaxFunc(out.Runs, func(a, b api.CheckRun) int { return cmp.Compare(a.Seconds, b.Seconds) })
	var b strings.Builder
	b.WriteString(expression)
	if longest.Instance != nil {
		fmt.Fprintf(&b, " [%s]", longest.Instance.Name)
	}
	fmt.Fprintf(&b, " was %s for %s from %s on", l.is, length(longest.Seconds), longest.Start.Std().In(loc).Format("2006-01-02T15:04:05.999Z07:00"))
	if l.extreme != "" {
		fmt.Fprintf(&b, ", %s %s", l.extreme, pcp.Digits(longest.Worst))
	}
	if n := len(out.Runs); n > 1 {
		fmt.Fprintf(&b, "; the longest of %d times", n)
	}
	b.WriteByte('.')
	return b.String()
}
