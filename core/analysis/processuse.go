package analysis

import (
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
	from, to := p.samplesWithin(span)
	if !known || from >= to || p.unreadable(what) != "" {
		return nil, nil
	}
	who := map[string]ProcessUse{}
	group := func(s sampled, inst int32, at pcp.Time) string {
		one := ProcessUse{Command: p.command(s.part, inst, at), User: p.user(s.part, inst, at), Cgroup: p.cgroup(s.part, inst, at), PID: inst}
		name := strings.Join([]string{one.Command, one.User, one.Cgroup, strconv.Itoa(int(inst))}, "\x00")
		who[name] = one
		return name
	}
	u := use{p: p, consumption: c, group: group, from: from, to: to, after: p.usedAfter(span), groups: map[string]int{}, take: take}
	if u.total(); u.err != nil {
		return nil, u.err
	}
	covered := 0.0 // seconds or, of levels, samples
	lengths := u.lengths()
	for i := range to - from {
		switch {
		case lengths == nil:
			covered++
		case lengths[i] == lengths[i]:
			covered += lengths[i]
		}
	}
	if covered == 0 {
		return nil, nil
	}
	var list []ProcessUse
	for n, name := range u.names {
		one := who[name]
		one.Mean = u.totals[n] / covered
		list = append(list, one)
	}
	return list, nil
}
