package analysis

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
)

// combine computes f of two tables in the rows that both have; nil if there are none. Metrics
// that one group of a logger records may still differ in their rows: one was added to its
// configuration later, or is left out where its agent was not there. What both are
// measures of is in the units of the first: one may have been rewritten in others.
func combine(a, b *Table, f func(a, b float64) float64) *Table {
	if a == nil || b == nil {
		return nil
	}
	rows, in := a.rowsIn(b), b.in(a.Desc.Units)
	if rows == nil {
		return nil
	}
	out := &Table{Desc: a.Desc, Times: a.Times, Broken: a.Broken, rates: a.rates || b.rates}
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
			if v := f(c.Vals[i], in(other[row])); !math.IsInf(v, 0) {
				vals[i] = v
			}
		}
		out.Columns = append(out.Columns, Column{c.Inst, c.Name, vals})
	}
	return out
}

// in converts values of the table to other units, if these are units of the same.
func (t *Table) in(units pcp.Units) func(float64) float64 {
	if scale, known := pcp.ScaleOf(t.Desc.Units, units); known && t.Desc.Units != units {
		return scale.Float64
	}
	return func(v float64) float64 { return v }
}

// rowsIn returns for each row of a table the one of another table that was recorded at the same
// moment, -1 for none; nil if there is none at all. Two rates are of the same time only if their
// rows before are, too.
func (t *Table) rowsIn(other *Table) []int {
	rows, some, k := make([]int, len(t.Times)), false, 0
	apart := momentOf(t, other)
	same := func(i, k int) bool {
		return i >= 0 && k >= 0 && k < len(other.Times) && max(t.Times[i]-other.Times[k], other.Times[k]-t.Times[i]) <= apart
	}
	for i, at := range t.Times {
		for k < len(other.Times) && other.Times[k] < at-apart {
			k++
		}
		rows[i] = -1
		if !same(i, k) {
			continue
		}
		some = true
		if !t.rates && !other.rates || same(i-1, k-1) {
			rows[i] = k
		}
	}
	if !some {
		return nil
	}
	return rows
}

// momentOf is how far apart rows of tables may be that are of one moment. Groups of a logger
// are recorded one after the other, within milliseconds; that matters little to rates of
// intervals that are fifty times as long.
func momentOf(tables ...*Table) pcp.Time {
	for _, t := range tables[1:] {
		if !slices.Equal(t.Times, tables[0].Times) {
			return tables[0].apart()
		}
	}
	return 0
}

// apart is momentOf tables with about as many rows.
func (t *Table) apart() pcp.Time {
	if known := t.moment.Load(); known > 0 {
		return pcp.Time(known - 1)
	}
	const most = 1e9
	apart := min(usual(t.Times)/50, most)
	t.moment.Store(int64(apart) + 1)
	return apart
}

// heldAt is the table at other times, each value until the next one: of a setting, which may
// be recorded more seldom than what it limits.
func (t *Table) heldAt(times []pcp.Time, broken []bool) *Table {
	out := &Table{Desc: t.Desc, Times: times, Broken: broken}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, Column{c.Inst, c.Name, t.At(c.Vals, times)})
	}
	return out
}
