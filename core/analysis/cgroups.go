package analysis

import (
	"fmt"
	"math"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// unlimited is the smallest limit in bytes that means no limit: the kernel then
// reports the largest number of whole pages.
const unlimited = 1e18

// called returns the name that people use for a cgroup: its container's, if
// known, else the last part of its path.
func (h *Host) called(group string) string {
	if h.Title != nil {
		if title := h.Title("cgroup.", group); title != "" {
			return title
		}
	}
	return Short(group)
}

// cgroups judges cgroups by their limits.
func (h *Host) cgroups() verdict {
	v := verdict{tile: api.Tile{Resource: "Cgroups", Dashboard: "cgroups"}}
	if h.firstOf("cgroup.cpu.stat.usage", "cgroup.cpuacct.usage", "cgroup.memory.current", "cgroup.memory.usage", "cgroup.memory.stat.rss", "cgroup.memory.stat.anon", "cgroup.cpusched.periods") == "" {
		return v.notThere("cgroup.cpu.stat.usage or cgroup.cpuacct.usage")
	}
	v.tile.Utilisation = unjudged("cgroup.memory.limit and cgroup.cpusched.cfs_quota")
	v.tile.Saturation = unjudged("cgroup.cpusched.throttled and cgroup.pressure.memory.full.total")
	worst := math.Inf(-1)
	judge := func(of *Table, c Column, share func(i int, x float64) float64, limit float64, what, besides string, metrics ...string) {
		s := of.signal(c.Vals).with(share)
		highest, row := s.highest()
		if row < 0 {
			return
		}
		if highest > worst {
			worst = highest
			v.tile.Utilisation = at(cell(fmt.Sprintf("%s %s %% of %s", h.called(c.Name), points(highest), what), v.tile.Utilisation.State), highest, "%", s.span(row))
			if v.tile.Utilisation.State != look {
				v.tile.Utilisation.State = fine
			}
		}
		for _, e := range s.episodes(above(limit), h.Rules.Lasting, h.Rules.Pause) {
			v.tile.Utilisation.State = look
			v.lasting(look, e, fmt.Sprintf("a cgroup above %s %% of %s%s for %s", Decimals(limit, 0), what, besides, FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s used %s %% of %s for %s", h.called(c.Name), Decimals(e.mean, 0), what, FormatDuration(e.lasted)), metrics...)
		}
	}
	memory := h.firstOf("cgroup.memory.usage", "cgroup.memory.current")
	if used, limit := h.table(memory), h.table("cgroup.memory.limit"); used != nil && limit != nil {
		for _, c := range used.Columns {
			if limit.Column(c.Name) == nil {
				continue
			}
			of, metrics, besides := limit.At(limit.Column(c.Name), used.Times), []string{memory + "[" + c.Name + "]", "cgroup.memory.limit[" + c.Name + "]"}, ""
			spare, metric := h.inactive(c.Name, used.Times)
			if metric != "" {
				metrics, besides = append(metrics, metric), ", without inactive page cache,"
			}
			judge(used, c, func(i int, x float64) float64 {
				if !(of[i] > 0 && of[i] < unlimited) {
					return math.NaN()
				}
				return 100 * math.Max(0, x-spare[i]) / of[i]
			}, h.Rules.GroupMemory, "its memory", besides, metrics...)
		}
	}
	usage := h.firstOf("cgroup.cpuacct.usage", "cgroup.cpu.stat.usage")
	if used, quota, period := h.rate(usage), h.table("cgroup.cpusched.cfs_quota"), h.table("cgroup.cpusched.cfs_period"); used != nil && quota != nil && period != nil {
		for _, c := range used.Columns {
			if quota.Column(c.Name) == nil || period.Column(c.Name) == nil {
				continue
			}
			some, all := quota.At(quota.Column(c.Name), used.Times), period.At(period.Column(c.Name), used.Times)
			judge(used, c, func(i int, x float64) float64 {
				if !(some[i] > 0) {
					return math.NaN()
				}
				return 100 * x * all[i] / some[i]
			}, h.Rules.GroupCPU, "its CPU quota", "", usage+"["+c.Name+"]", "cgroup.cpusched.cfs_quota["+c.Name+"]")
		}
	}
	h.throttled(&v)
	h.groupPressure(&v)
	h.failures(&v)
	return v
}

// inactive returns at each of these times the page cache of a cgroup that was not used lately,
// and which metric says so; zeros and "" if none was logged. The kernel gives it back before a
// limit is reached, so that, as for docker stats and Kubernetes, it is not memory in use. With
// cgroup v1, only the total includes the groups below, as the usage does.
func (h *Host) inactive(group string, times []pcp.Time) (bytes []float64, metric string) {
	for _, m := range []string{"cgroup.memory.stat.total.inactive_file", "cgroup.memory.stat.inactive_file"} {
		if t := h.table(m); t.Column(group) != nil {
			return t.At(t.Column(group), times), m + "[" + group + "]"
		}
	}
	return make([]float64, len(times)), ""
}

// throttled looks for cgroups that exhausted their CPU quota.
func (h *Host) throttled(v *verdict) {
	share := combine(h.rate("cgroup.cpusched.throttled"), h.rate("cgroup.cpusched.periods"), func(some, all float64) float64 {
		if some < h.Rules.GroupPeriods {
			return 0
		}
		return 100 * some / all
	})
	if share == nil {
		return
	}
	worst := 0.0
	v.tile.Saturation = cell("none throttled", fine)
	for _, c := range share.Columns {
		s := share.signal(c.Vals)
		list := s.episodes(above(h.Rules.GroupThrottled), h.Rules.Lasting, h.Rules.Pause)
		if highest, row := s.highest(); highest > worst {
			worst = highest
			v.tile.Saturation = at(cell(fmt.Sprintf("%s throttled %s %%", h.called(c.Name), Decimals(highest, 0)), v.tile.Saturation.State), highest, "% of periods", s.span(row))
		}
		for _, e := range list {
			v.tile.Saturation.State = look
			v.lasting(look, e, fmt.Sprintf("a cgroup throttled in more than %s %% of its periods for %s", Decimals(h.Rules.GroupThrottled, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s was throttled in %s %% of its periods for %s", h.called(c.Name), Decimals(e.mean, 0), FormatDuration(e.lasted)), "cgroup.cpusched.throttled["+c.Name+"]", "cgroup.cpusched.periods["+c.Name+"]")
		}
	}
}

// groupPressure looks for cgroups that stalled, with the thresholds for the
// whole machine. Of nested cgroups only the innermost are reported.
func (h *Host) groupPressure(v *verdict) {
	for _, k := range []struct {
		kind, what string
		limit      float64
	}{{"memory.full", "memory", h.Rules.PressureMemory}, {"io.full", "I/O", h.Rules.PressureIO}, {"cpu.some", "a CPU", h.Rules.PressureCPU}} {
		metric := "cgroup.pressure." + k.kind + ".total"
		t := innermost(h.rate(metric))
		if t == nil {
			continue
		}
		if v.tile.Saturation.State == cannotJudge {
			v.tile.Saturation = cell("no pressure", fine)
		}
		for _, c := range t.Columns {
			s := t.signal(c.Vals).with(func(_ int, x float64) float64 { return 100 * x })
			for _, e := range s.episodes(above(k.limit), h.Rules.Lasting, h.Rules.Pause) {
				mean := e.mean
				text := fmt.Sprintf("%s waited for %s %s %% of the time", h.called(c.Name), k.what, Decimals(mean, 0))
				if v.tile.Saturation.State != look {
					v.tile.Saturation = at(cell(text, look), mean, "%", e.Span)
				}
				v.lasting(look, e, fmt.Sprintf("pressure of a cgroup, %s, above %s %% for %s", strings.Replace(k.kind, ".", " ", 1), Decimals(k.limit, 0), FormatDuration(h.Rules.Lasting)), text+" for "+FormatDuration(e.lasted), metric+"["+c.Name+"]")
			}
		}
	}
}

// innermost keeps only the cgroups that contain no others.
func innermost(t *Table) *Table {
	if t == nil {
		return nil
	}
	outer := map[string]bool{}
	for _, c := range t.Columns {
		for at := strings.TrimSuffix(c.Name, "/"); ; {
			i := strings.LastIndexByte(at, '/')
			if i < 0 {
				break
			}
			at = at[:i]
			outer[at] = true
		}
	}
	return t.Keep(func(name string) bool { return !outer[strings.TrimSuffix(name, "/")] })
}

// failures counts how often cgroups hit their memory limit.
func (h *Host) failures(v *verdict) {
	const metric = "cgroup.memory.failcnt"
	t := h.table(metric)
	if t == nil {
		v.tile.Errors = unjudged(metric)
		return
	}
	v.tile.Errors = cell("none", fine)
	highest := 0.0
	for _, c := range t.Columns {
		n, when := growthOf(t.alone(c))
		if n == 0 {
			continue
		}
		if n > highest {
			highest = n
			v.tile.Errors = at(cell(h.called(c.Name)+" at its limit", fine), n, "count", pcp.Span(when))
		}
		v.find(know, when, "a cgroup at its memory limit", fmt.Sprintf("%s reached its memory limit %s", h.called(c.Name), Times(int(n))), metric+"["+c.Name+"]")
	}
}
