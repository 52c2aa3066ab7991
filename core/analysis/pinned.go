package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// pinned looks for processes that use one CPU all the time: a loop without end,
// or work that a single thread cannot do fast enough.
func (h *Host) pinned(v *verdict) {
	p := h.Processes()
	if p == nil {
		return
	}
	limit, least := h.Rules.Pinned/100, (1-jitter)*h.Rules.PinnedLasting
	for _, s := range p.parts {
		if len(s.at) == 0 || s.at[len(s.at)-1].Since(s.at[0]) < least {
			continue
		}
		total := map[int32]float64{}
		p.increments(s, cpuTimes, 0, len(s.at)-1, func(inst int32, _ int, seconds float64) { total[inst] += seconds })
		maps.DeleteFunc(total, func(_ int32, seconds float64) bool { return seconds < limit*least })
		used := map[int32][]rowShare{} // few processes are in all rows
		if len(total) > 0 {
			p.increments(s, cpuTimes, 0, len(s.at)-1, func(inst int32, k int, seconds float64) {
				if _, much := total[inst]; !much {
					return
				}
				used[inst] = append(used[inst], rowShare{int32(k), seconds / s.at[k].Since(s.at[k-1])})
			})
		}
		usual := sync.OnceValue(signal{times: s.at, broken: s.cut}.interval)
		for _, inst := range slices.Sorted(maps.Keys(used)) {
			rows, shares := added(used[inst])
			for _, e := range (signal{times: s.at, broken: s.cut, vals: shares}).mostlyAbove(rows, limit, least, usual) {
				name := cmp.Or(p.command(s.part, inst, e.End), "a process")
				metrics := []string{"proc.psinfo.utime", "proc.psinfo.stime"}
				if full := p.data.Name(s.part, inst, e.End); full != "" {
					metrics[0] += "[" + full + "]"
				}
				v.lasting(look, e, fmt.Sprintf("a process above %s %% of one CPU for %s", Decimals(h.Rules.Pinned, 0), FormatDuration(h.Rules.PinnedLasting)),
					fmt.Sprintf("%s (PID %d) used %s %% of one CPU for %s", name, p.pid(s.part, inst, e.End), Decimals(100*e.mean, 0), FormatDuration(e.lasted)), metrics...)
			}
		}
	}
}

// spareShare is the part of the time in which a process that uses one CPU all the
// time may pause.
const spareShare = 0.05

// mostlyAbove finds where a share of time is above a limit for at least that many seconds,
// but for short pauses: where the mean over each stretch as long as that is above it. Values
// far above the limit do not make up for a long pause. The signal has values in
// some rows alone, in order, and is 0 elsewhere. Rows that cover a gap in the
// recording do not count; usual returns the interval. An episode begins and ends
// with rows that are above the limit; its mean includes the pauses.
func (s signal) mostlyAbove(rows []int32, limit, seconds float64, usual func() float64) (list []episode) {
	begin := func(k int) pcp.Time { return s.times[rows[k]-1] }
	capped := func(k int) float64 { return min(s.vals[k], limit/(1-spareShare)) * s.lasted(int(rows[k])) }
	longest, sum := tooLong*usual(), 0.0
	least := pcp.Time(seconds * 1e9)
	first, from, to := 0, 0, -1 // rows from first to k are about as long as they must be; from to to are those that are above
	end := func() {
		for from <= to && !(s.vals[from] > limit) {
			from++
		}
		for from <= to && !(s.vals[to] > limit) {
			to--
		}
		if from <= to && s.times[rows[to]]-begin(from) >= least {
			used := 0.0
			for k := from; k <= to; k++ {
				used += s.vals[k] * s.lasted(int(rows[k]))
			}
			e := episode{Span: pcp.Span{Start: begin(from), End: s.times[rows[to]]}, from: int(rows[from]), to: int(rows[to]) + 1}
			e.lasted = e.End.Since(e.Start)
			e.mean = used / e.lasted
			e.beyond = ratio(e.mean, limit)
			list = append(list, e)
		}
		from, to = 0, -1
	}
	for k := range rows {
		if k > 0 && s.interrupted(int(rows[k-1])+1, int(rows[k])) {
			first, sum = k, 0
		}
		if s.lasted(int(rows[k])) > longest { // the mean of a gap says nothing of how long it was so
			first, sum = k+1, 0
			continue
		}
		sum += capped(k)
		for first < k && s.times[rows[k]]-begin(first+1) >= least {
			sum -= capped(first)
			first++
		}
		took := s.times[rows[k]] - begin(first)
		if took < least || !(sum > limit*took.Since(0)) {
			continue
		}
		if to >= 0 && first > to {
			end()
		}
		if to < 0 {
			from = first
		}
		to = k
	}
	end()
	return list
}

// rowShare is the share of one CPU that a process used in a row, of user or of
// system time.
type rowShare struct {
	row   int32
	share float64
}

// added adds up the shares of each row, in order of rows.
func added(list []rowShare) (rows []int32, shares []float64) {
	sorting.Stable(list, func(a, b rowShare) int { return cmp.Compare(a.row, b.row) })
	for _, one := range list {
		if n := len(rows); n > 0 && rows[n-1] == one.row {
			shares[n-1] += one.share
			continue
		}
		rows, shares = append(rows, one.row), append(shares, one.share)
	}
	return rows, shares
}
