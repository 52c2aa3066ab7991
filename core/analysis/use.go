package analysis

import (
	"cmp"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// use adds up by group what processes used of a resource, for samples from to
// to-1. There may be as many groups as samples, so they are gone through twice:
// for the total of each group, and for the values of the largest.
type use struct {
	p *Processes
	consumption
	group    func(s sampled, inst int32, at pcp.Time) string // what a process counts for
	from, to int
	after    pcp.Time // see usedAfter

	groups map[string]int // index by name
	names  []string
	totals []float64

	last       string // that number looked up
	lastNumber int
	lastKnown  bool

	take func(bytes int64) error // claims memory
	err  error                   // why it was refused
}

// groupBytes is the size of a group, or of the name of a process's group.
const groupBytes = 128

// room claims memory for the groups of a part's processes, which the caller gives
// back. If that is refused, they are left out.
func (p *Processes) room(s sampled) (bytes int64, fits bool) {
	bytes = p.namesBytes(s)
	return bytes, p.data.Claim(bytes)
}

func (p *Processes) namesBytes(s sampled) int64 {
	return groupBytes * int64(len(p.data.Observations("psinfo.utime")[s.part].Series))
}

// each calls visit with what each process used in each sample, as recorded: for
// counters, how much they grew.
func (u *use) each(visit func(group string, i int, v float64)) {
	p := u.p
	for _, s := range p.parts {
		bytes := p.namesBytes(s)
		if u.err == nil {
			u.err = u.take(bytes)
		}
		if u.err != nil {
			return
		}
		names := map[int32]string{}
		latest, same, name := int32(0), false, "" // samples come mostly process by process
		add := func(inst int32, k int, v float64) {
			n := s.from + k
			if n < u.from || n >= u.to {
				return
			}
			if same && inst == latest {
				visit(name, n-u.from, v)
				return
			}
			name, same = names[inst]
			if latest = inst; !same {
				at, again := pcp.MaxTime, p.renamed(s.part, inst)
				if again {
					at = s.at[k]
				}
				if name, same = u.group(s, inst, at), !again; same {
					names[inst] = name
				}
			}
			visit(name, n-u.from, v)
		}
		first, last := u.from-s.from, u.to-1-s.from
		switch {
		case u.state != "":
			p.states(s, u.state, first, last, func(inst int32, from, to int) {
				for k := from; k < to; k++ {
					if !s.cut[k] {
						add(inst, k, s.lasted(k))
					}
				}
			})
		case !u.level:
			p.increments(s, u.metrics, first, last, add)
		default:
			for _, m := range u.metrics {
				if all := p.data.Observations(m); all != nil && all[s.part] != nil {
					levels(all[s.part], s, first, last, add)
					break
				}
			}
		}
		u.take(-bytes)
	}
}

// number is that of a group, which is mostly that of the last call.
func (u *use) number(group string) (n int, known bool) {
	if u.lastKnown && group == u.last {
		return u.lastNumber, true
	}
	n, known = u.groups[group]
	u.last, u.lastNumber, u.lastKnown = group, n, known
	return n, known
}

// lengths returns how many seconds each sample covers, NaN for those that do not count;
// nil for levels, which are the same whenever they were sampled.
func (u *use) lengths() []float64 {
	if u.level {
		return nil
	}
	return u.p.lengths(u.from, u.to, u.after)
}

// scales returns the factors that turn growth into rates, by sample; NaN after a
// break.
func (u *use) scales() []float64 {
	scales := u.p.lengths(u.from, u.to, pcp.MinTime)
	for i, length := range scales {
		switch {
		case u.level:
			scales[i] = 1
		case u.units == "%":
			scales[i] = 100 / length
		default:
			scales[i] = 1 / length
		}
	}
	return scales
}

// total finds the groups, and how much each used.
func (u *use) total() {
	scales := u.scales()
	if lengths := u.lengths(); lengths != nil { // what was used in all, however far apart the samples are
		for i := range scales {
			scales[i] *= lengths[i]
		}
	}
	u.each(func(group string, i int, v float64) {
		n, known := u.number(group)
		if !known {
			if n = len(u.names); u.err == nil {
				u.err = u.take(groupBytes)
			}
			if u.err != nil {
				return
			}
			u.groups[group], u.names, u.totals = n, append(u.names, group), append(u.totals, 0)
		}
		if v *= scales[i]; v == v {
			u.totals[n] += v
		}
	})
}

// layers returns the values of the largest groups, and of all others together.
func (u *use) layers(top int) []api.Consumer {
	order := make([]int, len(u.names))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(u.totals[b], u.totals[a]), cmp.Compare(u.names[a], u.names[b]))
	})
	if len(order) > top+1 {
		order = order[:top]
	}
	scales, lengths := u.scales(), u.lengths()
	place, list := make([]int, len(u.names)), make([]api.Consumer, len(order), len(order)+1)
	for i := range place {
		place[i] = len(list)
	}
	for i, n := range order {
		place[n], list[i] = i, api.Consumer{Name: u.names[n], Kind: "named", Values: make([]float64, len(scales))}
	}
	if len(order) < len(u.names) {
		list = append(list, api.Consumer{Name: "all others", Kind: "others", Values: make([]float64, len(scales))})
	}
	u.each(func(group string, i int, v float64) {
		n, _ := u.number(group)
		list[place[n]].Values[i] += v
	})
	for n := range list {
		c := &list[n]
		for i := range c.Values {
			c.Values[i] *= scales[i]
		}
		c.Mean = meanOf(c.Values, lengths)
	}
	return list
}
