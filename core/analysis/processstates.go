package analysis

import (
	"fmt"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// states calls visit for each range of samples, from (inclusive) to to (exclusive),
// throughout which a process was in a state.
func (p *Processes) states(s sampled, state string, first, last int, visit func(inst int32, from, to int)) {
	all := p.data.Observations(stateMetrics[0])
	if all == nil || all[s.part] == nil || all[s.part].Desc.Type != pcp.String {
		return
	}
	o := all[s.part]
	rows := rowsAt(o.Times, s.at)
	for i := range o.Series {
		in := &o.Series[i]
		spans(in.Runs, rows, first, last, func(run series.Run, from, to int) {
			if string(o.Blobs.At(run.Val)) == state {
				visit(in.Inst, from, to)
			}
		})
	}
}

// lasted returns the seconds that a sample covers, 0 after a break.
func (s *sampled) lasted(k int) float64 {
	if s.cut[k] {
		return 0
	}
	return s.at[k].Since(s.at[k-1])
}

// stateShares sets in a table in how many of the samples after first up to k each
// process waited for I/O, and was runnable. holders are those of its rows.
func (p *Processes) stateShares(s sampled, first, k int, t *api.ProcessTable, holders []holder) {
	if p.data.Observations(stateMetrics[0]) == nil || first >= k {
		return
	}
	seconds := s.at[k].Since(s.at[first])
	until := make([]float64, k-first+1) // seconds covered up to each sample
	for i := first + 1; i <= k; i++ {
		until[i-first] = until[i-first-1] + s.lasted(i)
	}
	for _, state := range []string{"D", "R"} {
		sums := map[holder]float64{}
		p.states(s, state, first+1, k, func(inst int32, from, to int) {
			for from < to {
				h := s.holderAt(inst, from)
				_, last := s.samplesOf(h)
				end := min(to, last+1)
				sums[h] += until[end-1-first] - until[from-1-first]
				from = end
			}
		})
		for i := range t.Processes {
			row := &t.Processes[i]
			share := ref(100 * sums[holders[i]] / seconds)
			if state == "D" {
				row.Uninterruptible = share
			} else {
				row.Runnable = share
			}
		}
	}
}

// renamed reports whether a PID belonged to several commands within a part.
func (p *Processes) renamed(part int, inst int32) bool {
	all := p.data.Observations("psinfo.cmd")
	if all == nil || all[part] == nil {
		return false
	}
	last, seen := uint64(0), false
	for _, run := range runsOf(all[part], inst) {
		if run.Row&(series.Gone|series.Failed) != 0 {
			continue
		}
		if seen && run.Val != last {
			return true
		}
		last, seen = run.Val, true
	}
	return false
}

// unreadable explains why I/O counters that are always zero mean nothing.
func (p *Processes) unreadable(what string) string {
	of := map[string][]string{"read": {"io.read_bytes", "io.rchar"}, "write": {"io.write_bytes", "io.wchar"}}
	logged := false
	for _, metric := range slices.Concat(of["read"], of["write"]) { // all from one file of a process
		for _, o := range p.data.Observations(metric) {
			if o == nil {
				continue
			}
			for i := range o.Series {
				for _, run := range o.Series[i].Runs {
					if run.Row&(series.Gone|series.Failed) != 0 {
						continue
					}
					if series.Float(o.Desc.Type, run.Val) != 0 {
						return ""
					}
					logged = logged || slices.Contains(of[what], metric)
				}
			}
		}
	}
	if !logged {
		return ""
	}
	return "The I/O of processes could not be read: it is logged as zero for all of them, as it is when pmdaproc may not read /proc/PID/io."
}

// whoWaited names the command that waited for I/O most of the time in a span.
func (h *Host) whoWaited(span pcp.Span) string {
	p := h.Processes()
	if p == nil {
		return ""
	}
	by, all := map[string]map[int]bool{}, 0
	for _, s := range p.parts {
		first, last := rowAfter(s.at, span.Start), rowAfter(s.at, span.End)-1
		all += max(0, last-first+1)
		p.states(s, "D", first, last, func(inst int32, from, to int) {
			for k := from; k < to; k++ {
				if s.cut[k] {
					continue
				}
				name := p.command(s.part, inst, s.at[k])
				if by[name] == nil {
					by[name] = map[int]bool{}
				}
				by[name][s.from+k] = true
			}
		})
	}
	best, highest := "", 0
	for name, samples := range by {
		if n := len(samples); n > highest || n == highest && name < best {
			best, highest = name, n
		}
	}
	if all < 2 || 2*highest < all { // no single process
		return ""
	}
	return fmt.Sprintf("; %s waited for I/O in %d of %d samples", best, highest, all)
}
