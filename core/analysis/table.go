package analysis

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A Table is a numeric metric over time. Rows are in strictly ascending order
// of time.
type Table struct {
	Desc    pcp.Desc
	Times   []pcp.Time
	Broken  []bool // by row: a break lies between this row and the previous one
	Columns []Column

	rates  bool                           // each value is of the time since the row before
	moment atomic.Int64                   // see apart; 1 more, 0 if that is not known yet
	laid   *layout                        // nil if it shares none
	byName atomic.Pointer[map[string]int] // columns by name, if there are many; nil until needed
	rest   func(values int)               // see Layer; may be nil
}

// A Column is one instance of a table.
type Column struct {
	Inst int32
	Name string    // "" for a singular metric
	Vals []float64 // by row; NaN if missing
}

// A Part is a metric in one segment of the time line, such as one archive of a
// set. No value carries over from one part to the next.
type Part struct {
	Obs   *series.Observations // nil if none
	Marks []pcp.Time           // in order
}

// Where instances come and go, most cells of a table are empty. A table may have
// fieldsPerValue times as many cells as values, and freeFields in any case.
const (
	fieldsPerValue = 8
	freeFields     = 1 << 20
)

// lasting returns the instances that fit into a table of that many rows, in
// order: all or, if thousands of them were short-lived, those present longest.
func lasting(all []lasted, rows int) []lasted {
	values := 0
	for _, p := range all {
		values += p.rows
	}
	room := (fieldsPerValue*values + freeFields) / rows
	if len(all) <= room {
		return all
	}
	sorting.Stable(all, func(a, b lasted) int { return b.rows - a.rows })
	all = all[:room]
	sorting.Stable(all, byInstance)
	return all
}

// A lasted says in how many rows an instance has a value.
type lasted struct {
	inst int32
	rows int
}

func byInstance(a, b lasted) int { return cmp.Compare(a.inst, b.inst) }

// lastedIn returns those of all instances of the parts, in order.
func lastedIn(parts []Part, worked func(values int)) []lasted {
	var list []lasted
	index := map[int32]int{} // in list, once there are several parts
	several := false
	for _, p := range parts {
		if !p.numbers() {
			continue
		}
		if several = len(list) > 0; several && len(index) == 0 {
			for i := range list {
				index[list[i].inst] = i
			}
		}
		if list == nil {
			list = make([]lasted, 0, len(p.Obs.Series))
		}
		for _, s := range p.Obs.Series {
			worked(oneColumn)
			n := rowsOf(s.Runs, len(p.Obs.Times))
			at, known := index[s.Inst]
			if known {
				list[at].rows += n
				continue
			}
			if several {
				index[s.Inst] = len(list)
			}
			list = append(list, lasted{s.Inst, n})
		}
	}
	if several {
		sorting.Stable(list, byInstance)
	}
	return list
}

// thin chooses rows that are not too close together. The first after a mark stays: nothing
// is computed from it and the row before.
func thin(times, marks []pcp.Time) []int {
	least := usual(times) / 4
	if len(times) <= fewTimes {
		least = max(least, together)
	}
	kept := make([]int, 0, len(times))
	for i, t := range times {
		marked := false
		for len(marks) > 0 && marks[0] < t {
			marks, marked = marks[1:], true
		}
		if i == 0 || marked || t-times[kept[len(kept)-1]] > least {
			kept = append(kept, i)
		}
	}
	return kept
}

// Of so few rows, all may be those of one moment, which several groups of a logger record
// together, in nanoseconds.
const (
	fewTimes = 4
	together = 100e6
)

// usual returns the usual interval between rows: the upper quartile, because
// half of the intervals may be the short ones between duplicate rows.
func usual(times []pcp.Time) pcp.Time {
	if len(times) < 2 {
		return 0
	}
	steps := make([]pcp.Time, 0, len(times)-1)
	for i := 1; i < len(times); i++ {
		steps = append(steps, times[i]-times[i-1])
	}
	if len(times) <= fewTimes {
		return slices.Max(steps)
	}
	return sorting.Select(steps, (len(steps)-1)*3/4)
}

// Column returns the column of an instance by name, "" for a singular metric;
// nil if there is none.
func (t *Table) Column(name string) []float64 {
	if t == nil {
		return nil
	}
	const few = 16
	if len(t.Columns) > few {
		if at, known := t.names()[name]; known {
			return t.Columns[at].Vals
		}
		return nil
	}
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return t.Columns[i].Vals
		}
	}
	return nil
}

// names maps names to columns. If instances share a name, the first counts.
func (t *Table) names() map[string]int {
	if have := t.byName.Load(); have != nil {
		return *have
	}
	names := make(map[string]int, len(t.Columns))
	for i := len(t.Columns) - 1; i >= 0; i-- {
		names[t.Columns[i].Name] = i
	}
	t.byName.Store(&names)
	return names
}

// alone is the table of one of its columns.
func (t *Table) alone(c Column) *Table {
	return &Table{Desc: t.Desc, Times: t.Times, Broken: t.Broken, Columns: []Column{c}}
}

// anyAt reports whether any column has a value in a row.
func (t *Table) anyAt(row int) bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Vals[row] == c.Vals[row] })
}

// Rate returns the growth between rows: per second or, for a counter of time,
// as a fraction of time. It is NaN after a break, where a counter went
// backwards, and across a step of the clock. Metrics that are not counters are
// returned unchanged. Unlike interp.Rate it works on observations, so that no
// judgement is based on interpolated values.
func (t *Table) Rate(clock *Clock) *Table {
	if t == nil || t.Desc.Sem != pcp.Counter {
		return t
	}
	return t.growth(clock)
}

// growth is Rate also for metrics that are not declared as counters.
func (t *Table) growth(clock *Clock) *Table {
	if t == nil {
		return nil
	}
	out := &Table{Desc: t.Desc, Times: t.Times, Broken: t.Broken, rates: true, laid: t.laid, rest: t.rest}
	out.Desc.Sem, out.Desc.Type, out.Desc.Units = pcp.Instant, pcp.Double, t.Desc.Units.Rate()
	per := t.scaling(clock, secondsOf(t.Desc.Units))
	out.Columns = make([]Column, 0, len(t.Columns))
	vals := make([]float64, len(t.Columns)*len(t.Times))
	for c := range t.Columns {
		t.worked(oneColumn + len(t.Times))
		to := vals[c*len(t.Times) : (c+1)*len(t.Times)]
		grow(to, t.Columns[c].Vals, per)
		out.Columns = append(out.Columns, Column{t.Columns[c].Inst, t.Columns[c].Name, to})
	}
	return out
}

// ToRate is Rate in place, for a table that is not shared.
func (t *Table) ToRate(clock *Clock) *Table {
	if t == nil || t.Desc.Sem != pcp.Counter {
		return t
	}
	per := t.scaling(clock, secondsOf(t.Desc.Units))
	t.Desc.Sem, t.Desc.Type, t.Desc.Units, t.rates = pcp.Instant, pcp.Double, t.Desc.Units.Rate(), true
	for c := range t.Columns {
		t.worked(oneColumn + len(t.Times))
		grow(t.Columns[c].Vals, t.Columns[c].Vals, per)
	}
	return t
}

// Multiply multiplies all values of a table that is not shared.
func (t *Table) Multiply(by float64) {
	if by == 1 {
		return
	}
	for c := range t.Columns {
		t.worked(oneColumn + len(t.Times))
		for i := range t.Columns[c].Vals {
			t.Columns[c].Vals[i] *= by
		}
	}
}

// Divide divides the values of each row, of a table that is not shared, by what there was of
// something at its time.
func (t *Table) Divide(by func(pcp.Time) float64) {
	for i, at := range t.Times {
		n := by(at)
		for c := range t.Columns {
			t.Columns[c].Vals[i] /= n
		}
	}
}

// grow computes growth row by row, from the last one: to may be in.
func grow(to, in, per []float64) {
	for i := len(in) - 1; i > 0; i-- {
		d := in[i] - in[i-1]
		if d < 0 {
			d = math.NaN()
		}
		to[i] = d * per[i]
	}
	to[0] = math.NaN()
}

// secondsOf returns how many seconds a time unit lasts, 1 for units without
// time.
func secondsOf(u pcp.Units) float64 {
	if u.Time == 0 {
		return 1
	}
	return pcp.SecondsPer[min(u.TimeScale, pcp.Hour)]
}

// Sum adds up the columns of each row. A row without any value is NaN.
func (t *Table) Sum() []float64 {
	if t == nil {
		return nil
	}
	sum := make([]float64, len(t.Times))
	for i := range sum {
		n := 0
		for c := range t.Columns {
			if v := t.Columns[c].Vals[i]; v == v {
				sum[i], n = sum[i]+v, n+1
			}
		}
		if n == 0 {
			sum[i] = math.NaN()
		}
	}
	return sum
}

// Keep returns the table with only the columns selected by want.
func (t *Table) Keep(want func(name string) bool) *Table {
	if t == nil {
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !want(c.Name) })
	return &Table{Desc: t.Desc, Times: t.Times, Broken: t.Broken, Columns: kept, laid: t.laid}
}

// At returns, for each of other times, the last value of vals, which has this
// table's rows; NaN before the first. A value of the same moment is the last one:
// see momentOf.
func (t *Table) At(vals []float64, times []pcp.Time) []float64 {
	out := make([]float64, len(times))
	k, apart := -1, t.apart()
	for i, at := range times {
		for k+1 < len(t.Times) && t.Times[k+1] <= at+apart {
			k++
		}
		out[i] = math.NaN()
		if k >= 0 {
			out[i] = vals[k]
		}
	}
	return out
}

// row returns the last row at or before t, -1 if none.
func (t *Table) row(at pcp.Time) int {
	return sort.Search(len(t.Times), func(i int) bool { return t.Times[i] > at }) - 1
}

// WithoutCrowded returns row times without those too close to another, but for the first
// after each mark.
func WithoutCrowded(times, marks []pcp.Time) []pcp.Time {
	var kept []pcp.Time
	for _, row := range thin(times, marks) {
		kept = append(kept, times[row])
	}
	return kept
}

// oneColumn is the cost of a column apart from its values, as a number of values.
const oneColumn = 1 << 6

// worked reports how many values were processed.
func (t *Table) worked(values int) {
	if t.rest != nil {
		t.rest(values)
	}
}
