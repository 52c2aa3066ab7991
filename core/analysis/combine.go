package analysis

import (
	"math"

	"pcpscope/core/pcp"
)

// combine computes f of two tables in the rows that both have; nil if there are none. Metrics
// that one group of a logger records may still differ in their rows: one was added to its
// configuration later, or is left out where its agent was not there.
func combine(a, b *Table, f func(a, b float64) float64) *Table {
	if a == nil || b == nil {
		return nil
	}
	rows := a.rowsIn(b)
	if rows == nil {
		return nil
	}
	out := &Table{Desc: a.Desc, Times: a.Times, Broken: a.Broken}
	for _, c := range a.Columns {
		other := b.Column(c.Name)
		if other == nil {
			continue
		}
		vals := make([]float64, len(c.Vals))
		for i, row := range rows {
			vals[i] = math.NaN()
			if row < 0 {
				continue
			}
			if v := f(c.Vals[i], other[row]); !math.IsInf(v, 0) {
				vals[i] = v
			}
		}
		out.Columns = append(out.Columns, Column{c.Inst, c.Name, vals})
	}
	return out
}

// rowsIn returns for each row of a table the one of another table that was recorded at the same
// time, -1 for none; nil if there is none at all. Two rates are of the same time only if their
// rows before are, too.
func (t *Table) rowsIn(other *Table) []int {
	rows, some, k := make([]int, len(t.Times)), false, 0
	for i, at := range t.Times {
		for k < len(other.Times) && other.Times[k] < at {
			k++
		}
		rows[i] = -1
		if k == len(other.Times) || other.Times[k] != at {
			continue
		}
		some = true
		if alike := i > 0 && k > 0 && t.Times[i-1] == other.Times[k-1]; alike || !t.rates && !other.rates {
			rows[i] = k
		}
	}
	if !some {
		return nil
	}
	return rows
}

// heldAt is the table at other times, each value until the next one: of a setting, which may
// be recorded more seldom than what it limits.
func (t *Table) heldAt(times []pcp.Time, broken []bool) *Table {
	if t == nil {
		return nil
	}
	out := &Table{Desc: t.Desc, Times: times, Broken: broken}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, Column{c.Inst, c.Name, t.At(c.Vals, times)})
	}
	return out
}
