package analysis

import (
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// A ProcessUse is what one process used of a resource, on average over a stretch of time.
// User and Cgroup are "" where they were not logged.
type ProcessUse struct {
	Command, User, Cgroup string
	PID                   int32
	Mean                  float64
}

// ByProcess says what each process used of a resource in a stretch of time, as far as it was
// sampled; none if that cannot be known. what and take are as for Consumers.
func (p *Processes) ByProcess(what string, span pcp.Span, take func(bytes int64) error) ([]ProcessUse, error) {
	c, known := consumed[what]
	from, _ := slices.BinarySearch(p.times, span.Start)
	to, found := slices.BinarySearch(p.times, span.End)
	if found {
		to++
	}
	if !known || from >= to || p.unreadable(what) != "" {
		return nil, nil
	}
	u := use{p: p, consumption: c, by: byAll, from: from, to: to, groups: map[string]int{}, take: take}
	if u.total(); u.err != nil {
		return nil, u.err
	}
	samples := 0.0
	for _, scale := range u.scales() {
		if scale == scale {
			samples++
		}
	}
	var list []ProcessUse
	for n, name := range u.names {
		part := strings.Split(name, "\x00")
		if pid, err := strconv.Atoi(part[len(part)-1]); err == nil && len(part) == 4 {
			list = append(list, ProcessUse{part[0], part[1], part[2], int32(pid), u.totals[n] / samples})
		}
	}
	return list, nil
}

// byAll makes groups of single processes, named by all that they may be grouped by.
const byAll = "all"

func (p *Processes) named(part int, inst int32, at pcp.Time) string {
	return strings.Join([]string{p.command(part, inst, at), p.user(part, inst, at), p.cgroup(part, inst, at), strconv.Itoa(int(inst))}, "\x00")
}
