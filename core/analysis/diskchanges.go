package analysis

import (
	"fmt"
	"math"
	"slices"

	"pcpscope/core/pcp"
)

// slow looks for disks whose requests take seconds, however busy they are. What
// has been said of them as busy is not said again.
func (h *Host) slow(v *verdict, latency *Table) {
	latency = latency.Keep(RealDisk)
	if latency == nil {
		return
	}
	said := v.findings
	for _, c := range latency.Columns {
		s := latency.signal(c.Vals)
		for _, e := range s.episodes(above(h.Rules.DiskSlow), h.Rules.Lasting, h.Rules.Pause) {
			again := false
			for i := range said {
				again = again || said[i].Level == look && said[i].Metrics[0] == "disk.dev.avactive["+c.Name+"]" && said[i].Start < e.End && said[i].End > e.Start
			}
			if again {
				continue
			}
			v.lasting(look, e, fmt.Sprintf("latency of a disk above %s ms for %s", Decimals(h.Rules.DiskSlow, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("Latency of %s: %s ms for %s", c.Name, Number(e.mean), FormatDuration(e.lasted))+h.whoWaited(e.Span), "disk.dev.total_rawactive["+c.Name+"]", "disk.dev.total["+c.Name+"]")
		}
	}
}

// shifts looks for disks that read or write many times as much as before, or as
// little, and keep to it.
func (h *Host) shifts(v *verdict) {
	for _, k := range []struct{ metric, what string }{{"disk.dev.read_bytes", "Reads"}, {"disk.dev.write_bytes", "Writes"}} {
		t := h.rate(k.metric).Keep(RealDisk)
		if t == nil {
			continue
		}
		scale, known := pcp.ScaleOf(h.table(k.metric).Desc.Units, pcp.Units{Space: 1})
		if !known {
			continue
		}
		for _, c := range t.Columns {
			s := t.signal(c.Vals).with(func(_ int, x float64) float64 { return scale.Float64(x) })
			row, before, after := s.shift(h.Rules)
			if row < 0 {
				continue
			}
			way := "rose"
			if after < before {
				way = "fell"
			}
			begin, end := s.span(row).Start, s.times[len(s.times)-1]
			v.find(know, pcp.Span{Start: begin, End: end}, fmt.Sprintf("a disk that reads or writes %s times as much as before, or as little, for %s", Number(h.Rules.Shift), FormatDuration(h.Rules.ShiftLasting)),
				fmt.Sprintf("%s of %s %s from %s to %s and stayed there for %s", k.what, c.Name, way, Quantity(before, "byte / sec"), Quantity(after, "byte / sec"), FormatDuration(end.Since(begin))), k.metric+"["+c.Name+"]")
		}
	}
}

// shift finds the row where a rate, in bytes, changes for good: the medians
// before and after it differ many times, and hardly any value of one side is
// among those of the other, so that no burst or daily job counts. It returns -1
// if there is none.
func (s signal) shift(r Rules) (row int, before, after float64) {
	var rows []int
	var logs []float64 // of magnitudes, so that a single burst has little weight
	least := r.ShiftLeast * (1 << 20)
	sum, highest := 0.0, 0.0
	for i, v := range s.vals {
		if v == v {
			rows, logs = append(rows, i), append(logs, math.Log1p(v/(least/r.Shift)))
			sum, highest = sum+logs[len(logs)-1], max(highest, v)
		}
	}
	n := len(rows)
	if n < 2 || highest < least {
		return -1, 0, 0
	}
	at, best, left := 0, 0.0, 0.0
	for i := 1; i < n; i++ {
		left += logs[i-1]
		if d := left - sum*float64(i)/float64(n); d*d/float64(i)/float64(n-i) > best {
			at, best = i, d*d/float64(i)/float64(n-i)
		}
	}
	if at < fewRows || n-at < fewRows || s.times[rows[at-1]].Since(s.span(rows[0]).Start) < r.ShiftLasting || s.times[rows[n-1]].Since(s.span(rows[at]).Start) < r.ShiftLasting {
		return -1, 0, 0
	}
	side := func(from, to int) (low, mid, high float64) {
		vals := make([]float64, 0, to-from)
		for _, i := range rows[from:to] {
			vals = append(vals, s.vals[i])
		}
		slices.Sort(vals)
		last := len(vals) - 1
		return vals[last/10], vals[last/2], vals[last*9/10]
	}
	lowBefore, before, highBefore := side(0, at)
	lowAfter, after, highAfter := side(at, n)
	up := after > max(least, r.Shift*before) && lowAfter > highBefore
	down := before > max(least, r.Shift*after) && lowBefore > highAfter
	if !up && !down {
		return -1, 0, 0
	}
	return rows[at], before, after
}

// fewRows is too few to tell a lasting change from chance.
const fewRows = 20

// sizes are the metrics that say how much space each database takes: of SQL Server
// (pmdamssql, and pmdawindows), and of MongoDB (pmdamongodb), whose storage is
// without its indexes. Agents of other databases export no sizes.
var sizes = []string{
	"mssql.databases.data_file_size", "mssql.databases.log_file_size",
	"sqlserver.databases.db.data_file_size", "sqlserver.databases.db.log_file_size",
	"mongodb.dbStats.storageSize", "mongodb.dbStats.indexSize",
}

// doubled looks for filesystems and databases that grew many times.
func (h *Host) doubled(v *verdict) {
	for _, metric := range append([]string{"filesys.used"}, sizes...) {
		t := h.table(metric)
		if t == nil {
			continue
		}
		scale, known := pcp.ScaleOf(t.Desc.Units, pcp.Units{Space: 1})
		if !known {
			continue
		}
		for _, c := range t.Columns {
			s := t.signal(c.Vals)
			_, first, final := s.whole()
			first, final = scale.Float64(first), scale.Float64(final)
			if !(first > 0 && final >= h.Rules.Doubled*first && final-first >= h.Rules.DoubledLeast*(1<<30)) {
				continue
			}
			name, what := short(c.Name), "a filesystem or the files of a database that grow"
			v.find(know, pcp.Span{Start: s.times[0], End: s.times[len(s.times)-1]}, fmt.Sprintf("%s %s times and by more than %s GiB", what, Number(h.Rules.Doubled), Number(h.Rules.DoubledLeast)),
				fmt.Sprintf("Space used by %s grew from %s to %s in %s", name, Quantity(first, "byte"), Quantity(final, "byte"), FormatDuration(s.times[len(s.times)-1].Since(s.times[0]))), metric+"["+c.Name+"]")
		}
	}
}
