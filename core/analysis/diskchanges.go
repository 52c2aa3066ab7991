package analysis

import (
	"cmp"
	"fmt"
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
			name, what := h.filesystem(c.Name), "a filesystem or the files of a database that grow"
			when := pcp.Span{Start: s.times[0], End: s.times[len(s.times)-1]}
			took := FormatDuration(when.End.Since(when.Start))
			if most := s.steepest(mostGrowth); most.End-most.Start < (when.End-when.Start)/2 {
				when = most
				took += fmt.Sprintf(", %s %% of it within %s", Decimals(100*mostGrowth, 0), FormatDuration(most.End.Since(most.Start)))
			}
			v.find(know, when, fmt.Sprintf("%s %s times and by more than %s GiB", what, Number(h.Rules.Doubled), Number(h.Rules.DoubledLeast)),
				fmt.Sprintf("Space used by %s grew from %s to %s in %s", name, Quantity(first, "byte"), Quantity(final, "byte"), took), metric+"["+c.Name+"]")
		}
	}
}

// mostGrowth is the share of growth for which it is said in what time it happened.
const mostGrowth = 0.9

// steepest is the shortest time in which a signal that rises did so by that share of its
// whole rise.
func (s signal) steepest(share float64) pcp.Span {
	var lows []int // rows with a value lower than all later ones so far
	whole, best := 0.0, pcp.Span{}
	for i, v := range s.vals {
		if v != v {
			continue
		}
		if len(lows) == 0 && best.End == 0 {
			best = pcp.Span{Start: s.times[i], End: s.times[len(s.times)-1]}
			whole = last(s.vals) - v
		}
		above := func(row int, low float64) int { return cmp.Compare(s.vals[row], low) }
		if k, found := slices.BinarySearchFunc(lows, v-share*whole, above); found || k > 0 {
			if !found {
				k--
			}
			if from := s.times[lows[k]]; s.times[i]-from < best.End-best.Start {
				best = pcp.Span{Start: from, End: s.times[i]}
			}
		}
		for len(lows) > 0 && s.vals[lows[len(lows)-1]] >= v {
			lows = lows[:len(lows)-1]
		}
		lows = append(lows, i)
	}
	return best
}
