package analysis

import (
	"fmt"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/trend"
)

func (h *Host) disks() verdict {
	v := verdict{tile: api.Tile{Resource: "Disks", Dashboard: "disks"}}
	busy := h.diskBusy()
	if busy == nil && h.firstOf("disk.dev.total", "disk.dev.read", "disk.dev.write", "disk.dev.bytes", "disk.dev.read_bytes", "disk.dev.write_bytes", "disk.all.total", "disk.all.read", "disk.all.bytes", "disk.all.read_bytes") == "" {
		return v.notThere("disk.dev.avactive")
	}
	v.tile.Utilisation = unjudged("disk.dev.avactive")
	v.tile.Saturation = unjudged("disk.dev.aveq")
	flight := h.inFlight()
	latency := h.latency("total")
	h.worstDisk(&v, busy, flight)
	if busy != nil {
		for _, c := range busy.Columns {
			h.busyDisk(&v, busy, c, flight, latency)
		}
	}
	h.slow(&v, latency)
	h.uneven(&v, latency)
	h.shifts(&v)
	h.smallRequests(&v)
	h.raid(&v)
	return v
}

// diskBusy is the fraction of time in which each disk had a request in flight.
// It is avactive on Linux, active on IRIX, run.time on Solaris, and on Windows
// the complement of the idle time. core/dashboard's diskBusy has the same as
// expressions: this package has the values already, and evaluates none.
func (h *Host) diskBusy() *Table {
	for _, metric := range []string{"disk.dev.avactive", "disk.dev.active", "disk.dev.run.time"} {
		if t := h.rate(metric); t != nil {
			return t.Keep(RealDisk)
		}
	}
	idle := h.rate("disk.dev.idle").Keep(RealDisk)
	return combine(idle, idle, func(v, _ float64) float64 { return max(0, 1-v) })
}

// worstDisk fills in the extremes, without judging them.
func (h *Host) worstDisk(v *verdict, busy, flight *Table) {
	worst := math.Inf(-1)
	if busy != nil {
		for _, c := range busy.Columns {
			s := busy.signal(c.Vals)
			// Of several disks that were saturated, report the one that was so
			// longest.
			if highest, row := s.highest(); row >= 0 {
				key := math.Min(highest, 1) + s.mean(0, len(s.vals))/1000
				if key > worst {
					worst = key
					v.tile.Utilisation = at(cell(c.Name+" "+points(math.Min(100, 100*highest))+" %", fine), math.Min(100, 100*highest), "%", s.span(row))
				}
			}
		}
	}
	worst = math.Inf(-1)
	if flight != nil {
		for _, c := range flight.Columns {
			s := flight.signal(c.Vals)
			if highest, row := s.highest(); row >= 0 && highest > worst {
				worst = highest
				v.tile.Saturation = at(cell(c.Name+" queue "+whole(highest)+" at most", fine), highest, "requests", s.span(row))
			}
		}
	}
}

// whole rounds to an integer, unless that would make a small value 0.
func whole(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v > 0 && v < 0.05:
		return "<0.1"
	case v < 10:
		return Decimals(v, 1)
	}
	return Decimals(v, 0)
}

// points rounds a percentage to an integer, but what is more than rounding errors is not 0.
func points(v float64) string {
	if v > 1e-6 && v < 0.5 {
		return "<1"
	}
	return Decimals(v, 0)
}

// inFlight is the average queue size of each disk. It is the growth of aveq,
// which the kernel counts while requests wait. rawactive, which counts the
// whole time of a request when it completes, so that a long request shows up at
// its end, is used only if aveq is not logged; on IRIX it is called response. Archives
// imported from sar have the average itself.
func (h *Host) inFlight() *Table {
	read, write := h.rate("disk.dev.read_rawactive"), h.rate("disk.dev.write_rawactive")
	if t := h.rate("disk.dev.aveq"); t != nil {
		return t.Keep(RealDisk)
	}
	if t := h.rate("disk.dev.response"); t != nil {
		return t.Keep(RealDisk)
	}
	if t := h.table("disk.dev.avqsz"); t != nil {
		return t.Keep(RealDisk)
	}
	return combine(read, write, func(a, b float64) float64 { return a + b }).Keep(RealDisk)
}

// latency is the mean time of a request of each disk, in milliseconds. That is how
// sar's figures are imported, with 0 where there was no request.
func (h *Host) latency(op string) *Table {
	if t := h.table("disk.dev.await"); t != nil && op == "total" {
		return combine(t, t, func(ms, _ float64) float64 {
			if ms == 0 {
				return math.NaN()
			}
			return ms
		})
	}
	raw := h.firstOf("disk.dev." + op + "_rawactive")
	if raw == "" && op == "total" {
		raw = h.firstOf("disk.dev.response")
	}
	count := h.rate("disk.dev." + op)
	if raw == "" && op == "total" {
		return combine(combine(h.rate("disk.dev.read_rawactive"), h.rate("disk.dev.write_rawactive"), func(a, b float64) float64 { return a + b }), count, func(a, n float64) float64 { return 1000 * a / n })
	}
	return combine(h.rate(raw), count, func(a, n float64) float64 { return 1000 * a / n })
}

func (h *Host) busyDisk(v *verdict, busy *Table, c Column, flight, latency *Table) {
	s := busy.signal(c.Vals)
	limit := above(h.Rules.DiskBusy / 100)
	all := s.episodes(limit, h.Rules.Lasting, h.Rules.Pause)
	if len(all) == 0 {
		return
	}
	whileBusy := func(t *Table) signal { return t.signal(t.Column(c.Name)).where(s, limit) }
	queue, wait := whileBusy(flight), whileBusy(latency)
	for _, e := range all {
		queued, slow := queue.over(e.Span), wait.over(e.Span)
		text := fmt.Sprintf("%s %s %% busy for %s", c.Name, Decimals(math.Min(100, 100*e.mean), 0), FormatDuration(e.lasted))
		level := know
		switch {
		case queued > h.Rules.DiskFlight:
			level = look
			text += fmt.Sprintf(", average queue size %s", whole(queued))
		case slow > h.Rules.DiskLatency:
			level = look
			text += fmt.Sprintf(", latency %s ms", Number(slow))
		case slow == slow:
			text += fmt.Sprintf(", but latency only %s ms", Number(slow))
		}
		if level == look {
			highest, _ := signal{vals: s.vals[e.from:e.to]}.highest()
			if v.tile.Utilisation.State != look || *v.tile.Utilisation.Value < 100*highest {
				v.tile.Utilisation = at(cell(c.Name+" "+Decimals(math.Min(100, 100*highest), 0)+" %", look), math.Min(100, 100*highest), "%", e.Span)
			}
			if queued > h.Rules.DiskFlight {
				v.tile.Saturation.State = look
			}
			text += h.whoWaited(e.Span)
		}
		rule := fmt.Sprintf("a disk above %s %% busy for %s", Decimals(h.Rules.DiskBusy, 0), FormatDuration(h.Rules.Lasting))
		if level == look {
			rule += fmt.Sprintf(", with an average queue size above %s or a latency above %s ms", Decimals(h.Rules.DiskFlight, 0), Decimals(h.Rules.DiskLatency, 0))
		}
		v.lasting(level, e, rule, text, "disk.dev.avactive["+c.Name+"]", "disk.dev.aveq["+c.Name+"]", "disk.dev.read_bytes["+c.Name+"]", "disk.dev.write_bytes["+c.Name+"]")
	}
}

// uneven looks for disks that are occasionally far slower than usual.
func (h *Host) uneven(v *verdict, latency *Table) {
	latency = latency.Keep(RealDisk)
	if latency == nil {
		return
	}
	for _, c := range latency.Columns {
		var vals []float64
		for _, x := range c.Vals {
			if x == x {
				vals = append(vals, x)
			}
		}
		usual := trend.Median(vals) // sorts them
		if len(vals) < 20 {
			continue
		}
		if slow := vals[len(vals)*95/100]; slow > h.Rules.DiskLatency && slow > h.Rules.DiskSpread*usual {
			v.find(know, pcp.Span{Start: latency.Times[0], End: latency.Times[len(latency.Times)-1]}, fmt.Sprintf("95th percentile of latency above %s ms, and more than %s times the median", Decimals(h.Rules.DiskLatency, 0), Number(h.Rules.DiskSpread)),
				fmt.Sprintf("Latency of %s %s ms or more in 5 %% of samples, with a median of %s ms", c.Name, Number(slow), Number(usual)), "disk.dev.total_rawactive["+c.Name+"]", "disk.dev.total["+c.Name+"]")
		}
	}
}

func (h *Host) smallRequests(v *verdict) {
	ops, bytes := h.rate("disk.dev.total").Keep(RealDisk), h.rate("disk.dev.total_bytes")
	size := combine(bytes, ops, func(b, n float64) float64 {
		if n < h.Rules.SmallIOPS {
			return math.NaN()
		}
		return b / n
	})
	if size == nil {
		return
	}
	kib := 1024.0
	if scale, known := pcp.ScaleOf(h.table("disk.dev.total_bytes").Desc.Units, pcp.Units{Space: 1, SpaceScale: 1}); known {
		kib = scale.Float64(1)
	}
	for _, c := range size.Columns {
		s := size.signal(c.Vals).with(func(_ int, x float64) float64 { return x * kib })
		for _, e := range s.episodes(below(h.Rules.SmallRequest), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(know, e, fmt.Sprintf("requests below %s KiB at more than %s a second", Number(h.Rules.SmallRequest), Decimals(h.Rules.SmallIOPS, 0)),
				fmt.Sprintf("%s served requests of only %s KiB for %s", c.Name, Number(e.mean), FormatDuration(e.lasted)), "disk.dev.total", "disk.dev.total_bytes")
		}
	}
}

// Exit status of "mdadm --detail --test", which is the state of an array:
// mdadm(8).
const (
	notWhole = 1 // one device has failed
	useless  = 2 // too many devices have failed
)

// raid looks for degraded arrays.
func (h *Host) raid(v *verdict) {
	t := h.table("disk.md.status")
	if t == nil {
		v.tile.Errors = unjudged("disk.md.status")
		return
	}
	v.tile.Errors = cell("none", fine)
	for _, c := range t.Columns {
		s := t.signal(c.Vals).with(func(_ int, x float64) float64 {
			if x >= 256 { // the status of a process as returned by wait(2)
				x = math.Floor(x / 256)
			}
			if x != notWhole && x != useless {
				return 0 // mdadm is missing or could not tell
			}
			return x
		})
		if row := slices.IndexFunc(s.vals, func(x float64) bool { return x != 0 }); row >= 0 {
			when := s.span(row) // one record may be all that is known of it
			if bad := s.episodes(unequal(0), 0, math.MaxFloat64); len(bad) > 0 {
				when = bad[0].Span
			}
			v.tile.Errors = at(cell(c.Name+" degraded", isBroken), 1, "", when)
			v.find(isBroken, when, "the state of an array is not 0", fmt.Sprintf("The array %s is degraded", c.Name), "disk.md.status")
		}
	}
}
