package analysis

import (
	"fmt"
	"math"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// states calls tell for each of samples first to last in which a process was in
// a state, with the seconds that the sample covers.
func (p *Processes) states(s sampled, state string, first, last int, tell func(inst int32, k int, seconds float64)) {
	all := p.data.Observations(stateMetrics[0])
	if all == nil || all[s.part] == nil || all[s.part].Desc.Type != pcp.String {
		return
	}
	o := all[s.part]
	rows := rowsAt(o.Times, s.at)
	first, last = max(first, 0), min(last, len(s.at)-1)
	for i := range o.Series {
		in := &o.Series[i]
		k := first
		for r, run := range in.Runs {
			row, end := int(run.Row&series.RowNum), math.MaxInt
			if r+1 < len(in.Runs) {
				end = int(in.Runs[r+1].Row & series.RowNum)
			}
			for k <= last && rows[k] < row {
				k++
			}
			if run.Row&(series.Gone|series.Failed) != 0 || string(o.Blobs.At(run.Val)) != state {
				continue
			}
			for ; k <= last && rows[k] < end; k++ {
				if k > 0 && !s.cut[k] {
					tell(in.Inst, k, s.at[k].Since(s.at[k-1]))
				}
			}
		}
	}
}

// stateShares sets in a table in how many of the samples after first up to k each
// process waited for I/O, and was runnable.
func (p *Processes) stateShares(s sampled, first, k int, t *api.ProcessTable) {
	if p.data.Observations(stateMetrics[0]) == nil || first >= k {
		return
	}
	seconds := s.at[k].Since(s.at[first])
	for _, state := range []string{"D", "R"} {
		sums := map[int32]float64{}
		p.states(s, state, first+1, k, func(inst int32, _ int, lasted float64) { sums[inst] += lasted })
		for i := range t.Processes {
			row := &t.Processes[i]
			share := ref(100 * sums[row.Instance] / seconds)
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
	if what != "read" && what != "write" {
		return ""
	}
	logged := false
	for _, metric := range []string{"io.read_bytes", "io.write_bytes", "io.rchar", "io.wchar"} {
		for _, o := range p.data.Observations(metric) {
			if o == nil {
				continue
			}
			for i := range o.Series {
				for _, run := range o.Series[i].Runs {
					if run.Row&(series.Gone|series.Failed) != 0 {
						continue
					}
					if logged = true; series.Float(o.Desc.Type, run.Val) != 0 {
						return ""
					}
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
		p.states(s, "D", first, last, func(inst int32, k int, _ float64) {
			name := p.command(s.part, inst, s.at[k])
			if by[name] == nil {
				by[name] = map[int]bool{}
			}
			by[name][s.from+k] = true
		})
	}
	best, most := "", 0
	for name, samples := range by {
		if n := len(samples); n > most || n == most && name < best {
			best, most = name, n
		}
	}
	if all < 2 || 2*most < all { // no single process
		return ""
	}
	return fmt.Sprintf("; %s waited for I/O in %d of %d samples", best, most, all)
}
