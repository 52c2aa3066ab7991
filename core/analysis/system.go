package analysis

import (
	"fmt"
	"math"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

func (h *Host) pressure() verdict {
	v := verdict{tile: api.Tile{Resource: "Pressure", Dashboard: "pressure"}}
	const root = "kernel.all.pressure."
	if h.firstOf(root+"cpu.some.total", root+"memory.some.total", root+"io.some.total", root+"io.full.total") == "" {
		return v.notThere(root + "cpu.some.total and its like")
	}
	worst := func(kinds map[string]string) api.TileCell {
		c, highest := unjudged(root+"io.some.total"), math.Inf(-1)
		for metric, name := range kinds {
			s := h.percent(root + metric)
			if x, row := s.highest(); row >= 0 && (x > highest || x == highest && name < c.Text) {
				highest = x
				c = at(cell(name+" "+whole(math.Min(x, 100))+" %", fine), x, "%", s.span(row))
			}
		}
		return c
	}
	v.tile.Utilisation = worst(map[string]string{"cpu.some.total": "CPU", "memory.some.total": "memory", "io.some.total": "I/O"})
	v.tile.Utilisation.Why = "some task waited"
	v.tile.Saturation = worst(map[string]string{"memory.full.total": "memory", "io.full.total": "I/O", "irq.full.total": "interrupts"})
	v.tile.Saturation.Why = "nothing else went on"
	v.tile.Errors = api.TileCell{Text: textNoJudge, State: cannotJudge, Why: "pressure has no errors"}
	for _, k := range []struct {
		metric, what string
		limit        float64
		cell         *api.TileCell
	}{{"cpu.some.total", "Tasks waited for a CPU", h.Rules.PressureCPU, &v.tile.Utilisation}, {"io.full.total", "Everything waited for I/O", h.Rules.PressureIO, &v.tile.Saturation}} {
		s := h.percent(root + k.metric)
		for _, e := range s.episodes(above(k.limit), h.Rules.Lasting, h.Rules.Pause) {
			k.cell.State = look
			v.lasting(look, e, fmt.Sprintf("%s above %s %% for %s", k.metric, Decimals(k.limit, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s %s %% of the time for %s", k.what, Decimals(e.mean, 0), FormatDuration(e.lasted)), root+k.metric)
		}
	}
	return v
}

// clock reports clock steps and reboots during the recording.
func (h *Host) clock() verdict {
	v := verdict{tile: api.Tile{Resource: "Clock", Dashboard: "collector"}}
	if h.Clock == nil {
		return v
	}
	for _, s := range h.Clock.Steps {
		way := "forward"
		if s.By < 0 {
			way = "back"
		}
		v.find(look, pcp.Span{Start: s.Before, End: s.At}, "the time since boot and the clock disagree", fmt.Sprintf("The clock was set %s by %s; rates of that sample are wrong, and not judged", way, FormatDuration(math.Abs(s.By))), "kernel.all.uptime")
	}
	up := h.table("kernel.all.uptime")
	for _, b := range h.Clock.Boots {
		if up != nil && (b > up.Times[0] || h.Begin > 0 && b > h.Begin) {
			v.find(know, pcp.Span{Start: b, End: b}, "the time since boot begins anew", "Host rebooted", "kernel.all.uptime")
		}
	}
	return v
}

// kernelLimits are tables of the kernel with their sizes.
var kernelLimits = []struct{ used, limit, what string }{
	{"vfs.files.count", "vfs.files.max", "open files"}, {"kernel.all.nprocs", "kernel.all.pid_max", "processes"},
	{"netfilter.ip_conntrack_count", "netfilter.ip_conntrack_max", "tracked connections"}, {"vfs.aio.count", "vfs.aio.max", "asynchronous requests"},
	{"ipc.sem.used_sem", "ipc.sem.max_semid", "semaphore sets"}, {"ipc.shm.used_ids", "ipc.shm.max_seg", "shared memory segments"}, {"ipc.msg.used_queues", "ipc.msg.max_msgqid", "message queues"},
}

// kernelTables looks for kernel tables that fill up.
func (h *Host) kernelTables() verdict {
	v := verdict{tile: api.Tile{Resource: "Kernel tables", Dashboard: "tables"}}
	v.notThere("vfs.files.count and vfs.files.max")
	worst, full := math.Inf(-1), false
	for _, k := range kernelLimits {
		used, limit := h.table(k.used), h.table(k.limit)
		if used == nil || limit == nil {
			continue
		}
		limits := limit.At(limit.Column(""), used.Times)
		s := h.value(k.used).with(func(i int, x float64) float64 {
			if limits[i] <= 0 { // none: 2^63-1 files in 32 bits, as vfs.files.max has them, are -1
				return math.NaN()
			}
			return 100 * x / limits[i]
		})
		highest, row := s.highest()
		if row >= 0 && highest > worst {
			worst = highest
			v.tile.Utilisation = at(cell(points(highest)+" % of "+k.what, fine), highest, "%", s.span(row))
			v.tile.Saturation, v.tile.Errors = api.TileCell{Text: textNoJudge, State: cannotJudge, Why: "a table is full or not"}, api.TileCell{Text: textNoJudge, State: cannotJudge, Why: "tables have no errors"}
		}
		if all := s.episodes(above(h.Rules.Tables), 0, h.Rules.Pause); len(all) > 0 {
			full = true
			v.find(look, longest(all).Span, fmt.Sprintf("more than %s %% of a table of the kernel", Decimals(h.Rules.Tables, 0)), fmt.Sprintf("%s %% of all %s that the kernel allows", Decimals(highest, 0), k.what), k.used, k.limit)
		}
	}
	if full {
		v.tile.Utilisation.State = look
	}
	return v
}

// collector judges whether the archive can be trusted.
func (h *Host) collector() verdict {
	v := verdict{tile: api.Tile{Resource: "Collector", Dashboard: "collector"}}
	if t := h.table("pmcd.agent.status"); t != nil {
		for _, c := range t.Columns {
			s := t.signal(c.Vals)
			if bad := s.episodes(unequal(0), 0, h.Rules.Pause); len(bad) > 0 {
				level := know // an agent that was restarted
				if total(bad) >= h.Rules.Lasting {
					level = look
				}
				v.find(level, longest(bad).Span, "the status of an agent is not 0", fmt.Sprintf("The agent %s did not answer for %s; its metrics are missing", c.Name, FormatDuration(total(bad))), "pmcd.agent.status["+c.Name+"]")
			}
		}
	}
	s := h.percent("pmcd.cputime.total")
	for _, e := range s.episodes(above(h.Rules.PmcdCPU), h.Rules.Lasting, h.Rules.Pause) {
		v.lasting(know, e, fmt.Sprintf("pmcd above %s %% of a CPU", Decimals(h.Rules.PmcdCPU, 0)), fmt.Sprintf("pmcd used %s %% of a CPU for %s", Decimals(e.mean, 0), FormatDuration(e.lasted)), "pmcd.cputime.total")
	}
	return v
}
