package analysis

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A TableBuilder lays out tables. Metrics that were recorded together have rows at the same
// times; what depends only on these is computed once and shared by their tables.
// It must not be used concurrently. The zero value is ready to use.
type TableBuilder struct {
	// Rest, if not nil, is called again and again with the work done, in values,
	// so that others can have their turn.
	Rest func(values int)
	// Take, if not nil, is called before a table is made, with what that and its
	// rates take; if it returns false, there is no table.
	Take  func(bytes int64) bool
	known []*layout // most recently used first
}

// maxLayouts is how many are cached: hosts are logged in a few groups.
const maxLayouts = 8

// A layout is what tables share whose parts have rows at the same times.
type layout struct {
	of     []moments
	parts  []partRows
	times  []pcp.Time
	broken []bool
	scales []scaling
	cuts   []cut
}

// moments identify the times of a part by their address.
type moments struct {
	times, marks *pcp.Time
	rows, breaks int
}

// partRows are the rows of one part.
type partRows struct {
	from int   // first row in the table
	kept []int // rows of the part that are kept; nil if it has none
}

// Table lays out parts, in order of time. name returns the external name of
// an instance. It returns nil if there are no numbers at all.
//
// Metrics recorded by two groups of a logger occur twice within milliseconds;
// of rows closer together than a quarter of the usual interval, without a mark in
// between, the first is kept, so that rates are not just noise.
func (l *TableBuilder) Table(parts []Part, name func(inst int32) string) *Table {
	t := &Table{rest: l.Rest}
	for _, p := range parts {
		if p.numbers() {
			t.Desc = p.Obs.Desc
		}
	}
	laid := l.layoutOf(parts)
	if len(laid.times) == 0 {
		return nil
	}
	t.Times, t.Broken, t.laid = laid.times, laid.broken, laid
	present := lastedIn(parts, t.worked)
	if len(present) > 1 {
		present = lasting(present, len(t.Times))
	}
	const columnBytes, valueBytes = 48, 8
	if bytes := 2 * int64(len(present)) * (columnBytes + valueBytes*int64(len(t.Times))); l.Take != nil && !l.Take(bytes) {
		return nil
	}
	vals := make([]float64, len(present)*len(t.Times))
	for i := range vals {
		vals[i] = math.NaN()
	}
	t.Columns = make([]Column, 0, len(present))
	for i, in := range present {
		t.worked(oneColumn)
		t.Columns = append(t.Columns, Column{Inst: in.inst, Name: name(in.inst), Vals: vals[i*len(t.Times) : (i+1)*len(t.Times)]})
	}
	for i, p := range parts {
		rows := laid.parts[i]
		if rows.kept == nil {
			continue
		}
		scale, convert := pcp.Scale{}, p.Obs.Desc.Units != t.Desc.Units
		if convert {
			var ok bool
			if scale, ok = pcp.ScaleOf(p.Obs.Desc.Units, t.Desc.Units); !ok {
				continue
			}
		}
		next := t.Finder()
		for _, s := range p.Obs.Series {
			t.worked(oneColumn + len(p.Obs.Times))
			at, kept := next(s.Inst)
			if !kept {
				continue
			}
			fill(t.Columns[at].Vals[rows.from:], rows.kept, s.Runs, p.Obs.Desc.Type, func(v float64) float64 {
				if convert {
					return scale.Float64(v)
				}
				return v
			})
		}
	}
	return t
}

// Finder returns a function that finds the columns of instances, most of which
// follow the one before.
func (t *Table) Finder() func(inst int32) (at int, known bool) {
	next := 0
	return func(inst int32) (at int, known bool) {
		if at = next; at == len(t.Columns) || t.Columns[at].Inst != inst {
			at, known = slices.BinarySearchFunc(t.Columns, inst, func(c Column, id int32) int { return cmp.Compare(c.Inst, id) })
		} else {
			known = true
		}
		if known {
			next = at + 1
		}
		return at, known
	}
}

// numbers reports whether a part has numeric values.
func (p Part) numbers() bool {
	return p.Obs != nil && p.Obs.Desc.Type.Numeric() && len(p.Obs.Times) > 0
}

func (p Part) moments() (m moments) {
	if !p.numbers() {
		return m
	}
	m.times, m.rows = &p.Obs.Times[0], len(p.Obs.Times)
	if m.breaks = len(p.Marks); m.breaks > 0 {
		m.marks = &p.Marks[0]
	}
	return m
}

// layoutOf returns the layout of parts, from the cache if possible.
func (l *TableBuilder) layoutOf(parts []Part) *layout {
	same := func(of []moments) bool {
		if len(of) != len(parts) {
			return false
		}
		for i, p := range parts {
			if p.moments() != of[i] {
				return false
			}
		}
		return true
	}
	for i, known := range l.known {
		if same(known.of) {
			copy(l.known[1:i+1], l.known[:i])
			l.known[0] = known
			return known
		}
	}
	made := newLayout(parts)
	l.known = append([]*layout{made}, l.known...)
	l.known = l.known[:min(len(l.known), maxLayouts)]
	return made
}

func newLayout(parts []Part) *layout {
	out := &layout{of: make([]moments, len(parts)), parts: make([]partRows, len(parts))}
	rows := 0
	for i, p := range parts {
		if out.of[i] = p.moments(); p.numbers() {
			out.parts[i].kept = thin(p.Obs.Times, p.Marks)
			rows += len(out.parts[i].kept)
		}
	}
	out.times, out.broken = make([]pcp.Time, 0, rows), make([]bool, 0, rows)
	for i, p := range parts {
		out.parts[i].from = len(out.times)
		mark := 0
		for k, row := range out.parts[i].kept {
			at := p.Obs.Times[row]
			broken := k == 0
			for mark < len(p.Marks) && p.Marks[mark] < at {
				broken = true
				mark++
			}
			out.times = append(out.times, at)
			out.broken = append(out.broken, broken)
		}
	}
	return out
}

// A scaling is the factors that turn growth from row to row into a rate.
type scaling struct {
	clock *Clock
	own   float64   // seconds in one of the counter's units of time
	per   []float64 // by row; NaN for no rate
}

// scaling returns those of a table.
func (t *Table) scaling(clock *Clock, own float64) []float64 {
	if t.laid != nil {
		for _, s := range t.laid.scales {
			if s.clock == clock && s.own == own {
				return s.per
			}
		}
	}
	per := make([]float64, len(t.Times))
	for i := range per {
		per[i] = math.NaN()
		if i > 0 && !t.Broken[i] && !clock.Stepped(t.Times[i-1], t.Times[i]) {
			per[i] = own / t.Times[i].Since(t.Times[i-1])
		}
	}
	if t.laid != nil {
		t.laid.scales = append(t.laid.scales, scaling{clock, own, per})
	}
	return per
}

// A cut is how a window lies over the rows of a table.
type cut struct {
	span     pcp.Span
	points   int
	rates    bool
	from, to int       // rows
	point    []int32   // index of the chart's point, by row from the first on
	seconds  []float64 // seconds that a row covers, likewise
	step     float64   // see evenStep
}

// cut returns that of a table.
func (t *Table) cut(span pcp.Span, points int) *cut {
	if t.laid != nil {
		for i := range t.laid.cuts {
			if c := &t.laid.cuts[i]; c.span == span && c.points == points && c.rates == t.rates {
				return c
			}
		}
	}
	c := &cut{span: span, points: points, rates: t.rates}
	from, at := slices.BinarySearch(t.Times, span.Start)
	if c.from = from; at && t.rates && span.End > span.Start { // all of what it says was before
		c.from++
	}
	c.to = max(c.from, t.row(span.End)+1)
	c.point, c.seconds = make([]int32, c.to-c.from), make([]float64, c.to-c.from)
	length := span.End.Since(span.Start)
	for i := c.from; i < c.to; i++ {
		if i > 0 && !t.Broken[i] {
			c.seconds[i-c.from] = t.Times[i].Since(max(t.Times[i-1], span.Start))
		}
		if length > 0 {
			c.point[i-c.from] = int32(min(points-1, int(float64(points)*t.Times[i].Since(span.Start)/length)))
		}
	}
	c.step = evenStep(c.seconds)
	if t.laid != nil {
		t.laid.cuts = append(t.laid.cuts, *c)
	}
	return c
}

// NewTable lays out a single table: see Layer.Table.
func NewTable(parts []Part, name func(inst int32) string) *Table {
	return new(TableBuilder).Table(parts, name)
}

// rowsOf counts the rows in which a series has a value.
func rowsOf(runs []series.Run, rows int) (n int) {
	for i, run := range runs {
		if run.Row&series.Gone != 0 {
			continue
		}
		end := rows
		if i+1 < len(runs) {
			end = int(runs[i+1].Row & series.RowNum)
		}
		n += end - int(run.Row&series.RowNum)
	}
	return n
}

// fill writes the values of the kept rows.
func fill(dst []float64, kept []int, runs []series.Run, typ pcp.Type, scale func(float64) float64) {
	k := 0
	for i, run := range runs {
		row, end := int(run.Row&series.RowNum), math.MaxInt
		if i+1 < len(runs) {
			end = int(runs[i+1].Row & series.RowNum)
		}
		for k < len(kept) && kept[k] < row {
			k++
		}
		if run.Row&(series.Gone|series.Failed) != 0 {
			continue
		}
		v := scale(series.Float(typ, run.Val))
		if math.IsInf(v, 0) { // an agent divided by zero
			continue
		}
		for ; k < len(kept) && kept[k] < end; k++ {
			dst[k] = v
		}
	}
}
