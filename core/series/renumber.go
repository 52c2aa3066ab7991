package series

import (
	"cmp"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Spell says under which number an instance counts from a time on, up to its
// next spell.
type Spell struct {
	From pcp.Time
	Inst int32
}

// Renumbered returns the observations with other numbers of instances. spells
// returns those of an instance, in order of time, nil if it keeps its number
// throughout. Where several have a value under one number in a row, the one that
// keeps its number counts, else the lowest. What is not changed is shared with o.
func (o *Observations) Renumbered(spells func(inst int32) []Spell) *Observations {
	var kept, moved []Series
	for _, s := range o.Series {
		if list := spells(s.Inst); list != nil {
			moved = o.spelled(moved, s.Runs, list)
		} else {
			kept = append(kept, s)
		}
	}
	if len(kept) == len(o.Series) {
		return o
	}
	c := *o
	c.Series = append(kept, moved...)
	sorting.Stable(c.Series, func(a, b Series) int { return cmp.Compare(a.Inst, b.Inst) })
	c.Series = joined(c.Series)
	return &c
}

// spelled adds the series that an instance's runs are under other numbers.
func (o *Observations) spelled(list []Series, runs []Run, spells []Spell) []Series {
	for i, s := range spells {
		from, to := 0, len(o.Times)
		if i > 0 {
			from, _ = slices.BinarySearch(o.Times, s.From)
		}
		if i+1 < len(spells) {
			to, _ = slices.BinarySearch(o.Times, spells[i+1].From)
		}
		if from >= to {
			continue
		}
		part := rowsBetween(runs, uint32(from), uint32(to))
		if len(part) == 0 {
			continue
		}
		for k := range part {
			part[k].Row += uint32(from)
		}
		if to < len(o.Times) && part[len(part)-1].Row&Ended != Gone {
			part = append(part, Run{Row: uint32(to) | Gone})
		}
		list = append(list, Series{s.Inst, part})
	}
	return list
}

// joined merges series with the same number, which are next to each other.
func joined(list []Series) []Series {
	var out []Series
	for from, to := 0, 0; from < len(list); from = to {
		for to = from + 1; to < len(list) && list[to].Inst == list[from].Inst; to++ {
		}
		same := list[from:to]
		for len(same) > 1 { // by twos, so that no run is copied often
			half := make([]Series, 0, (len(same)+1)/2)
			for i := 0; i+1 < len(same); i += 2 {
				half = append(half, Series{same[i].Inst, either(same[i].Runs, same[i+1].Runs)})
			}
			if len(same)%2 > 0 {
				half = append(half, same[len(same)-1])
			}
			same = half
		}
		out = append(out, same[0])
	}
	return out
}

// either has the value of a in each row in which that has one, else that of b.
func either(a, b []Run) []Run {
	var out []Run
	none := Run{Row: Gone}
	nowA, nowB, last := none, none, none
	there := func(r Run) bool { return r.Row&Ended != Gone }
	for len(a)+len(b) > 0 {
		row := RowNum
		if len(a) > 0 {
			row = a[0].Row & RowNum
		}
		if len(b) > 0 {
			row = min(row, b[0].Row&RowNum)
		}
		if len(a) > 0 && a[0].Row&RowNum == row {
			nowA, a = a[0], a[1:]
		}
		if len(b) > 0 && b[0].Row&RowNum == row {
			nowB, b = b[0], b[1:]
		}
		now := nowA
		if !there(nowA) && (there(nowB) || !there(last)) {
			now = nowB
		}
		if now.Row&^RowNum == last.Row&^RowNum && (!there(now) || now.Val == last.Val) {
			continue
		}
		last = Run{Row: now.Row&^RowNum | row, Val: now.Val}
		out = append(out, last)
	}
	return out
}
