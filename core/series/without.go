package series

import (
	"slices"

	"pcpscope/core/pcp"
)

// Without returns the observations without the rows at some times, which are in ascending
// order. What is not left out is shared with o.
func (o *Observations) Without(times []pcp.Time) *Observations {
	if len(o.Times) == 0 || len(times) == 0 {
		return o
	}
	before := make([]uint32, len(o.Times)+1) // how many rows are left before each
	for i, t := range o.Times {
		before[i+1] = before[i]
		if _, out := slices.BinarySearch(times, t); !out {
			before[i+1]++
		}
	}
	rows := before[len(o.Times)]
	if int(rows) == len(o.Times) {
		return o
	}
	c := *o
	c.Times, c.Series = make([]pcp.Time, 0, rows), nil
	for i, t := range o.Times {
		if before[i+1] > before[i] {
			c.Times = append(c.Times, t)
		}
	}
	for _, s := range o.Series {
		var runs []Run
		for i, r := range s.Runs {
			next := rows
			if i+1 < len(s.Runs) {
				next = before[s.Runs[i+1].Row&RowNum]
			}
			row := before[r.Row&RowNum]
			if row < next && (r.Row&Gone == 0 || len(runs) > 0) {
				r.Row = r.Row&^RowNum | row
				runs = append(runs, r)
			}
		}
		if len(runs) > 0 {
			c.Series = append(c.Series, Series{s.Inst, runs})
		}
	}
	return &c
}
