package analysis

import (
	"cmp"
	"math"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A stretch is samples of one part without a break between them: rates are over the time
// from the first to the last.
type stretch struct {
	s           sampled
	first, last int
}

// before is the stretch for a moment: the last sample, and the one before it. A sample up
// to a quarter of the interval later still counts, because chart points are on a grid while
// loggers' timers are late.
func (p *Processes) before(at pcp.Time) (st stretch, ok bool) {
	i := sort.Search(len(p.times), func(i int) bool { return p.times[i] > at })
	if i > 0 && i < len(p.times) && p.times[i]-at <= (p.times[i]-p.times[i-1])/4 {
		i++
	}
	if i--; i < 0 {
		return stretch{}, false
	}
	for _, s := range p.parts {
		if i < s.from+len(s.at) {
			k := i - s.from
			first := max(0, k-1)
			if s.cut[k] {
				first = k
			}
			return stretch{s, first, k}, true
		}
	}
	return stretch{}, false
}

// stretches are those that cover a window, each from the last sample before it if there is
// one. With less than two samples inside, the window lies between samples: the next one
// covers its end.
func (p *Processes) stretches(from, to pcp.Time) (list []stretch) {
	for _, s := range p.parts {
		for begin := 0; begin < len(s.at); {
			end := begin + 1
			for end < len(s.at) && !s.cut[end] {
				end++
			}
			at := s.at[begin:end]
			if at[0] <= to && at[len(at)-1] >= from {
				after := sort.Search(len(at), func(i int) bool { return at[i] > to })
				inside := sort.Search(len(at), func(i int) bool { return at[i] >= from })
				first, last := inside, after-1
				if first == len(at) || at[first] > from {
					first = max(0, first-1)
				}
				if after-inside < 2 && after < len(at) && at[after-1] < to {
					last = after
				}
				if first == last {
					first = max(0, first-1) // only the last sample is inside
				}
				list = append(list, stretch{s, begin + first, begin + last})
			}
			begin = end
		}
	}
	return list
}

// Table lists the processes of the last sample at or before a time, with rates
// since the previous sample; or, with a start, what they used in between, without the
// times across which nothing is known: between archives, and at marks. The
// busiest come first. take claims memory for the answer.
func (p *Processes) Table(from, at pcp.Time, take func(bytes int64) error) (t api.ProcessTable, ok bool, err error) {
	if from == pcp.MinTime {
		st, ok := p.before(at)
		if !ok {
			return api.ProcessTable{}, false, nil
		}
		t, err = p.table(st, take)
		return t, err == nil, err
	}
	most := int64(0) // bytes of a stretch, which are free again for the next
	for i, st := range p.stretches(from, at) {
		taken := int64(0)
		next, err := p.table(st, func(bytes int64) error {
			if taken += bytes; taken <= most {
				return nil
			}
			grows := taken - most
			most = taken
			return take(grows)
		})
		if err != nil {
			return api.ProcessTable{}, false, err
		}
		if i == 0 {
			t, ok = next, true
		} else if t, err = joined(t, next, p.data.Everything(), take); err != nil {
			return api.ProcessTable{}, false, err
		}
	}
	busiestFirst(t.Processes)
	return t, ok, nil
}

// rates are the fields of a process that are averages.
func rates(p *api.Process) []**float64 {
	return []**float64{&p.CPU, &p.UserCPU, &p.SysCPU, &p.Read, &p.Write, &p.Minor, &p.Major, &p.Waiting, &p.Blocked, &p.Voluntary, &p.Forced, &p.Uninterruptible, &p.Runnable}
}

// weighted is the average of two averages, a over overA seconds and b over overB; nil if
// there is neither.
func weighted(a *float64, overA float64, b *float64, overB float64) *float64 {
	if a == nil && b == nil || overA+overB == 0 {
		return b
	}
	return ref((orZero(a)*overA + orZero(b)*overB) / (overA + overB))
}

// known is weighted for what may be unknown over one of both times, which then does not count.
func known(a *float64, overA float64, b *float64, overB float64) *float64 {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return weighted(a, overA, b, overB)
}

// joined is the table of two stretches, one after the other. everything says that all
// processes are logged, so that one that is missing later has ended.
func joined(a, b api.ProcessTable, everything bool, take func(bytes int64) error) (api.ProcessTable, error) {
	out := b
	out.Start, out.Seconds = a.Start, a.Seconds+b.Seconds
	out.Started, out.Ended = a.Started+b.Started, a.Ended+b.Ended
	out.Machine, out.Listed = known(a.Machine, a.Seconds, b.Machine, b.Seconds), known(a.Listed, a.Seconds, b.Listed, b.Seconds)
	out.InNoSample = known(a.InNoSample, a.Seconds, b.InNoSample, b.Seconds)
	out.Estimates = joinedEstimates(a, b)
	if err := take(processBytes * int64(len(a.Processes))); err != nil {
		return api.ProcessTable{}, err
	}
	earlier := map[int64][]*api.Process{}
	for i := range a.Processes {
		p := &a.Processes[i]
		earlier[p.PID] = append(earlier[p.PID], p)
	}
	seen := map[*api.Process]bool{}
	counted := b.Ended // those that b lists as ended, or knows of from its first sample
	for i := range out.Processes {
		p := &out.Processes[i]
		was := &api.Process{}
		for _, e := range earlier[p.PID] {
			if !e.Ended && !seen[e] && sameProcess(e, p) {
				was, seen[e] = e, true
			}
		}
		if was.PID == 0 && !p.New && p.Started != nil && *p.Started > a.Start {
			p.New = true
			out.Started++
		}
		if p.Ended {
			counted--
		}
		p.New = p.New || was.New
		average(p, was, a.Seconds, b.Seconds)
	}
	for i := range a.Processes {
		p := a.Processes[i]
		if seen[&a.Processes[i]] {
			continue
		}
		if !p.Ended && everything {
			p.Ended = true
			if counted--; counted < 0 {
				out.Ended++
			}
		}
		later := api.Process{}
		average(&later, &p, a.Seconds, b.Seconds)
		for k, r := range rates(&p) {
			*r = *rates(&later)[k]
		}
		out.Processes = append(out.Processes, p)
	}
	return out, nil
}

// average makes the rates of a process those of both stretches; earlier has those of the first.
func average(p, earlier *api.Process, over, overLater float64) {
	was := rates(earlier)
	for k, r := range rates(p) {
		*r = weighted(*was[k], over, *r, overLater)
	}
}

// sameProcess reports whether two rows with one PID are of one process: it began at the same
// time, to some seconds, or is called the same where that is not known. One that began another
// program has another name.
func sameProcess(a, b *api.Process) bool {
	const apart = 5e9
	if a.Started == nil || b.Started == nil {
		return a.Command == b.Command
	}
	return math.Abs(float64(*a.Started-*b.Started)) < apart
}

// joinedEstimates adds the estimates of a later stretch to those of an earlier one.
func joinedEstimates(a, b api.ProcessTable) []api.Estimate {
	all := a.Seconds + b.Seconds
	list := []api.Estimate{}
	add := func(e api.Estimate, share float64) {
		for i := range list {
			if o := &list[i]; o.Command == e.Command {
				o.CPU, o.Error, o.Sampled = o.CPU+share*e.CPU, math.Hypot(o.Error, share*e.Error), o.Sampled+e.Sampled
				return
			}
		}
		e.CPU, e.Error = share*e.CPU, share*e.Error
		list = append(list, e)
	}
	for _, t := range []api.ProcessTable{a, b} {
		for _, e := range t.Estimates {
			add(e, t.Seconds/cmp.Or(all, 1))
		}
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].CPU > list[k].CPU })
	return list
}
