package analysis

import (
	"math"
	"sort"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// One process has one number, but a number may have belonged to several processes, one
// after the other. The agent names an instance after the first one and keeps that name.

// reuses lists, for each number that several processes had in a part, the samples from
// which on it was another one's. The time of its start identifies a process; where that is
// not logged, CPU time that has become less shows that it is another one.
func (p *Processes) reuses(s sampled) map[int32][]int {
	const same = 1 // second
	another := func(before, v float64) bool { return math.Abs(v-before) > same }
	all := p.data.Observations("psinfo.start_time")
	if all == nil || all[s.part] == nil || !all[s.part].Desc.Type.Numeric() {
		all = p.data.Observations("psinfo.utime")
		another = func(before, v float64) bool { return v < before }
	}
	o := all[s.part]
	rows, scale := rowsAt(o.Times, s.at), 1.0
	if o.Desc.Units.Time != 0 {
		scale = secondsOf(o.Desc.Units)
	}
	var list map[int32][]int
	for i := range o.Series {
		in := &o.Series[i]
		before, seen := 0.0, false
		spans(in.Runs, rows, 0, math.MaxInt, func(run series.Run, k, _ int) {
			v := series.Float(o.Desc.Type, run.Val) * scale
			const each = 64 // bytes
			if seen && another(before, v) && p.data.Claim(each) {
				if list == nil {
					list = map[int32][]int{}
				}
				list[in.Inst] = append(list[in.Inst], k)
			}
			before, seen = v, true
		})
	}
	return list
}

// A holder is one of the processes that had a number: the first one is 0.
type holder struct {
	inst int32
	n    int
}

// holderAt returns which of the processes with a number was in a sample.
func (s *sampled) holderAt(inst int32, k int) holder {
	return holder{inst, sort.SearchInts(s.reused[inst], k+1)}
}

// samplesOf returns the samples of a process, first and last.
func (s *sampled) samplesOf(h holder) (first, last int) {
	last = len(s.at) - 1
	list := s.reused[h.inst]
	if h.n > 0 {
		first = list[h.n-1]
	}
	if h.n < len(list) {
		last = list[h.n] - 1
	}
	return first, last
}

// pathOf is path for one of the processes that had a number; "" if the name is still that
// of another one.
func (p *Processes) pathOf(s *sampled, h holder, at pcp.Time) string {
	full := p.path(s.part, h.inst, at)
	if h.n == 0 || full == "" {
		return full
	}
	first, _ := s.samplesOf(h)
	cmd := p.words(s.part, "psinfo.cmd", h.inst, at)
	if cmd != "" && !strings.HasPrefix(program(full), cmd) && p.data.Name(s.part, h.inst, at) == p.data.Name(s.part, h.inst, s.at[first-1]) {
		return ""
	}
	return full
}
