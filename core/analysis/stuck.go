package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// stuckSamples is how many samples must find a process waiting: between two, it may have
// done anything.
const stuckSamples = 3

// stuck looks for processes that hang: in each sample they wait uninterruptibly (state D),
// and between samples they use no CPU time and are not switched. It is what the kernel
// reports as hung tasks. Kernel threads are left out, some of which sleep like that.
func (h *Host) stuck() verdict {
	v := verdict{tile: api.Tile{Resource: "Processes", Dashboard: "processes"}}
	p := h.Processes()
	if p == nil {
		return v
	}
	for _, s := range p.parts {
		waits := p.waits(s, h.Rules.Stuck)
		ran := map[int32][]int{} // samples before which a process ran
		if len(waits) > 0 {
			p.increments(s, []string{"psinfo.utime", "psinfo.stime", "psinfo.vctxsw", "psinfo.nvctxsw"}, 0, math.MaxInt, func(inst int32, k int, _ float64) {
				if waits[inst] != nil {
					ran[inst] = append(ran[inst], k)
				}
			})
		}
		for _, inst := range slices.Sorted(maps.Keys(waits)) {
			slices.Sort(ran[inst])
			for _, w := range waits[inst] {
				for _, one := range w.splitAt(ran[inst]) {
					if s.long(one, h.Rules.Stuck) {
						h.findStuck(&v, p, s, inst, one)
					}
				}
			}
		}
	}
	return v
}

func (h *Host) findStuck(v *verdict, p *Processes, s sampled, inst int32, w sampleRange) {
	e := episode{Span: pcp.Span{Start: s.at[w.from], End: s.at[w.to-1]}, from: w.from, to: w.to}
	if p.pathOf(&s, s.holderAt(inst, w.from), e.End) == "" {
		if resident, _ := p.number(s.part, inst, e.End, residentMetrics...); !(resident > 0) {
			return // a kernel thread
		}
	}
	e.lasted = e.End.Since(e.Start)
	e.beyond = ratio(e.lasted, h.Rules.Stuck)
	metrics := []string{"proc.psinfo.sname"}
	if full := p.data.Name(s.part, inst, e.End); full != "" {
		metrics[0] += "[" + full + "]"
	}
	v.lasting(look, e, fmt.Sprintf("a process in state D without running for %s", FormatDuration(h.Rules.Stuck)),
		fmt.Sprintf("%s (PID %d) hung: it waited in state D for %s and did not run", cmp.Or(p.command(s.part, inst, e.End), "a process"), p.pid(s.part, inst, e.End), FormatDuration(e.lasted)), metrics...)
}

// A sampleRange is samples from from (inclusive) to to (exclusive).
type sampleRange struct{ from, to int }

// splitAt splits a range before each of some samples, given in order.
func (r sampleRange) splitAt(samples []int) (list []sampleRange) {
	for _, k := range samples[sort.SearchInts(samples, r.from+1):] {
		if k >= r.to {
			break
		}
		if k > r.from {
			list = append(list, sampleRange{r.from, k})
			r.from = k
		}
	}
	return append(list, r)
}

// long reports whether a range lasts that many seconds and has enough samples.
func (s *sampled) long(r sampleRange, seconds float64) bool {
	return r.to-r.from >= stuckSamples && s.at[r.to-1].Since(s.at[r.from]) >= seconds
}

// maxWaits is how many ranges are looked at: an archive may have more processes, each with
// more breaks, than there is time for.
const maxWaits = 10_000

// waits lists the ranges of at least that many seconds throughout which one process was in
// state D, in order.
func (p *Processes) waits(s sampled, seconds float64) map[int32][]sampleRange {
	var whole []sampleRange // long ones without a break
	from := 0
	for k := 1; k <= len(s.at); k++ {
		if k == len(s.at) || s.cut[k] {
			if r := (sampleRange{from, k}); s.long(r, seconds) {
				whole = append(whole, r)
			}
			from = k
		}
	}
	list, n := map[int32][]sampleRange{}, 0
	add := func(inst int32, r sampleRange) {
		at := sort.Search(len(whole), func(i int) bool { return whole[i].to > r.from })
		for ; at < len(whole) && whole[at].from < r.to && n < maxWaits; at++ {
			part := sampleRange{max(r.from, whole[at].from), min(r.to, whole[at].to)}
			for _, one := range part.splitAt(s.reused[inst]) {
				if s.long(one, seconds) {
					list[inst] = append(list[inst], one)
					n++
				}
			}
		}
	}
	last, current := int32(0), sampleRange{}
	p.states(s, "D", 0, math.MaxInt, func(inst int32, from, to int) {
		if inst == last && from == current.to {
			current.to = to
			return
		}
		add(last, current)
		last, current = inst, sampleRange{from, to}
	})
	add(last, current)
	return list
}
