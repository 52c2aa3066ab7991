package derived

import (
	"cmp"
	"slices"
	"unsafe"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Values is where Eval gets the values of operands.
type Values interface {
	// Frame returns a metric's values at the moments that Eval was asked for.
	// Eval does not write to it, but its result may share memory with it.
	Frame(metric string) (*series.Frame, error)
	// Instances lists every instance that the source ever names of a domain,
	// in the order in which it does; nil for a domain it does not know.
	Instances(d pcp.InDom) []Member
}

// A Member is an instance of a domain.
type Member struct {
	pcp.Instance
	Life []pcp.Span // when it was in the domain; nil for always
}

// Eval computes the expression at all points of a grid. Rates and differences
// look at the grid point before, as PCP's look at the fetch before: see
// Lookback. Spec: derived 6 and 7.
//
// A point without a value says why. Where that is a missing operand, Why is
// series.OperandMissing and the vector's Cause names it with its own reason.
// The error is one of values; a missing value is none.
func (b *Bound) Eval(grid series.Grid, values Values) (*series.Frame, error) {
	e := &evaluation{n: grid.Count, grid: grid, values: values, operands: b.Operands, gaps: b.gaps}
	return e.run(b)
}

// EvalAt is Eval at any moments, in the order in which they are fetched. It is
// for values as they were logged: error codes in the operands' frames count as
// answers, which all but count() pass on.
func (b *Bound) EvalAt(times []pcp.Time, values Values) (*series.Frame, error) {
	e := &evaluation{n: len(times), times: times, values: values, operands: b.Operands, gaps: b.gaps, logged: true}
	e.grid.Count = len(times)
	if len(times) > 0 {
		e.grid.Start = times[0]
	}
	return e.run(b)
}

// WithGaps returns b with another rule for division by zero: no value
// (series.DividedByZero), where PCP has infinity, or 0 for 0/0. Charts are
// better for it.
func (b *Bound) WithGaps() *Bound {
	c := *b
	c.gaps = true
	return &c
}

// A plan is a bound node.
type plan interface {
	desc() pcp.Desc
	parts() []plan
	lookback(step int64) int
	open(e *evaluation) stream
}

// shape is what all plans have.
type shape struct {
	d  pcp.Desc
	in []plan
}

func (s *shape) desc() pcp.Desc { return s.d }
func (s *shape) parts() []plan  { return s.in }

func (s *shape) lookback(step int64) int {
	n := 0
	for _, p := range s.in {
		n = max(n, p.lookback(step))
	}
	return n
}

func isSet(p plan) bool { return p.desc().InDom != pcp.NullInDom }

func isLiteral(p plan) bool {
	_, ok := p.(*constPlan)
	return ok
}

// A head names the instance of a column.
type head struct {
	inst int32
	name string
}

var singular = head{inst: pcp.NoInstance}

// A column holds one instance's values. vals may hold anything where miss
// says that there is none.
type column struct {
	vals  []uint64 // as series.Vector.Vals
	miss  []miss   // nil when all points have a value
	own   bool     // nobody else has miss
	codes map[int]pcp.Code
	// All values lie from point lo up to point len(vals)-tail, some of them
	// perhaps missing too. Most processes live shorter than the grid is long.
	lo, tail int
}

// bounds returns the stretch of points that may have values.
func (c *column) bounds() (lo, hi int) {
	lo, hi = c.lo, len(c.vals)-c.tail
	return lo, max(lo, hi)
}

// has says that point i has a value.
func (c *column) has(i int) bool { return c.miss == nil || c.miss[i] == 0 }

// writable returns c.miss, a copy if others have it too.
func (e *evaluation) writable(c *column) []miss {
	if !c.own {
		m := e.misses()
		copy(m, c.miss)
		c.miss, c.own = m, true
	}
	return c.miss
}

// A miss says why there is no value; 0 says that there is one. Its low byte is
// a series.Why, its high byte the number of the operand whose reason it is,
// counted from 1; 0 for the expression's own.
type miss uint16

func missing(w series.Why, operand int) miss { return miss(w) | miss(min(operand, 255))<<8 }

func (m miss) why() series.Why { return series.Why(m) }

// A stream gives the columns of a plan, in ascending order of instances. A
// singular plan gives exactly one.
type stream interface {
	// peek names the next column.
	peek() (head, bool)
	// take computes it and goes on. The values are in dst, or in memory that
	// must not be written and does not change.
	take(dst []uint64) column
	skip()
}

type evaluation struct {
	n        int
	grid     series.Grid
	times    []pcp.Time // instead of the grid
	values   Values
	operands []string
	frames   []*series.Frame // by operand, filled when first asked for
	shared   map[*sharedPlan]*table
	first    []miss    // no previous sample at the first point
	span     []float64 // seconds from the point before
	gaps     bool
	logged   bool
	arena    []miss
	whys     []series.Why
	zeros    []uint8
	err      error
}

func (e *evaluation) time(i int) pcp.Time {
	if e.times != nil {
		return e.times[i]
	}
	return e.grid.At(i)
}

// misses returns room for one column's reasons, all of them 0.
func (e *evaluation) misses() []miss { return carve(&e.arena, e.n) }

// both starts the column of something that needs a and b. Where both are
// missing, the reason is that of a.
func (e *evaluation) both(a, b *column) (out column) {
	out.lo, out.tail = max(a.lo, b.lo), max(a.tail, b.tail)
	out.codes = mergeCodes(a.codes, b.codes)
	switch {
	case len(b.miss) == 0 || len(a.miss) > 0 && &a.miss[0] == &b.miss[0]:
		out.miss, out.own = a.miss, a.own && len(b.miss) == 0
	case len(a.miss) == 0:
		out.miss, out.own = b.miss, b.own
	default:
		out.miss, out.own, out.vals = a.miss, a.own, a.vals
		m := e.writable(&out)
		lo, hi := a.bounds() // all others are missing in a
		second := b.miss[lo:hi]
		for i, w := range m[lo:hi] {
			if w == 0 {
				m[lo+i] = second[i]
			}
		}
	}
	return out
}

// mergeCodes joins error codes the same way.
func mergeCodes(a, b map[int]pcp.Code) map[int]pcp.Code {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	out := make(map[int]pcp.Code, len(a)+len(b))
	for i, c := range b {
		out[i] = c
	}
	for i, c := range a {
		out[i] = c
	}
	return out
}

func (e *evaluation) run(b *Bound) (*series.Frame, error) {
	e.frames = make([]*series.Frame, len(b.Operands))
	s := b.root.open(e)
	room, hint := []uint64(nil), e.hint(b.root)
	f := &series.Frame{Desc: b.Desc, Grid: e.grid, Vectors: make([]series.Vector, 0, hint)}
	var last []miss
	var why []series.Why
	var cause *series.Cause
	for {
		h, ok := s.peek()
		if !ok {
			break
		}
		if len(room) < e.n {
			room = make([]uint64, max(1, hint)*e.n)
			hint = 16
		}
		dst := room[:e.n:e.n]
		c := s.take(dst)
		c.blank(dst)
		if len(c.vals) > 0 && unsafe.SliceData(c.vals) == unsafe.SliceData(dst) {
			room = room[e.n:]
		}
		v := series.Vector{Inst: h.inst, Name: h.name, Vals: c.vals}
		if c.miss != nil {
			if unsafe.SliceData(last) != unsafe.SliceData(c.miss) {
				last = c.miss
				why, cause = e.reasons(c.miss)
			}
			v.Why, v.Cause, v.Codes = why, cause, c.codes
			if cause != nil {
				v.Operand = cause.Operands[0]
			}
		}
		f.Vectors = append(f.Vectors, v)
	}
	if !b.Desc.Type.Numeric() {
		f.Blobs = *e.blobs(b.root)
	}
	if e.err != nil {
		return nil, e.err
	}
	return f, nil
}

// hint guesses how many vectors a plan gives.
func (e *evaluation) hint(p plan) int {
	if !isSet(p) {
		return 1
	}
	n := 1
	for _, f := range e.frames {
		if f != nil {
			n = max(n, len(f.Vectors))
		}
	}
	return min(n, 1+1<<20/max(e.n, 1))
}

// blank makes values 0 where they are missing. Values outside dst are not
// written but copied there.
func (c *column) blank(dst []uint64) {
	if len(c.miss) == 0 {
		c.miss = nil
		return
	}
	lo, hi := c.bounds()
	whole := lo == 0 && hi == len(c.vals)
	for _, w := range c.miss[lo:hi] {
		if w != 0 {
			whole = false
			break
		}
	}
	if whole {
		c.miss = nil
		return
	}
	if unsafe.SliceData(c.vals) != unsafe.SliceData(dst) {
		if zero(c.vals, c.miss) {
			return
		}
		copy(dst, c.vals)
		c.vals = dst
	}
	clear(dst[:lo])
	clear(dst[hi:])
	for i, w := range c.miss[lo:hi] {
		if w != 0 {
			dst[lo+i] = 0
		}
	}
}

// zero says that all values are 0 where they are missing, as in a frame.
func zero(vals []uint64, m []miss) bool {
	for i, w := range m {
		if w != 0 && vals[i] != 0 {
			return false
		}
	}
	return true
}

// reasons spells out a column's misses for users.
func (e *evaluation) reasons(m []miss) ([]series.Why, *series.Cause) {
	why := carve(&e.whys, len(m))
	cause := &series.Cause{Why: carve(&e.whys, len(m))}
	one := miss(0) // the operand, while there is but one
	for i, w := range m {
		operand := w >> 8
		if operand == 0 {
			why[i] = w.why()
			continue
		}
		why[i], cause.Why[i] = series.OperandMissing, w.why()
		if operand != one {
			if one != 0 {
				return e.several(m, why, cause)
			}
			one = operand
		}
	}
	if one == 0 {
		return why, nil
	}
	if e.zeros == nil {
		e.zeros = make([]uint8, e.n)
	}
	cause.Operands, cause.Which = e.operandNames(one), e.zeros
	return why, cause
}

// several is reasons for a column that misses more than one operand.
func (e *evaluation) several(m []miss, why []series.Why, cause *series.Cause) ([]series.Why, *series.Cause) {
	cause.Which = make([]uint8, len(m))
	var number [256]uint8 // of an operand in the cause, counted from 1
	for i, w := range m {
		operand := w >> 8
		if operand == 0 {
			why[i] = w.why()
			continue
		}
		if number[operand] == 0 {
			cause.Operands = append(cause.Operands, e.operandNames(operand)...)
			number[operand] = uint8(len(cause.Operands))
		}
		why[i], cause.Why[i], cause.Which[i] = series.OperandMissing, w.why(), number[operand]-1
	}
	return why, cause
}

// operandNames returns the name of an operand, as a list that many may share.
func (e *evaluation) operandNames(number miss) []string {
	if int(number) > len(e.operands) || number == 255 {
		return []string{"an operand"}
	}
	return e.operands[number-1 : number : number]
}

// carve cuts n fresh elements off an arena.
func carve[T any](arena *[]T, n int) []T {
	if len(*arena) < n {
		*arena = make([]T, max(1, min(64, 1<<16/max(n, 1)))*n)
	}
	part := (*arena)[:n:n]
	*arena = (*arena)[n:]
	return part
}

// A table holds all columns of a plan.
type table struct {
	heads []head
	cols  []column
}

func (t *table) find(inst int32) *column {
	i, ok := slices.BinarySearchFunc(t.heads, inst, func(h head, inst int32) int { return cmp.Compare(h.inst, inst) })
	if !ok {
		return nil
	}
	return &t.cols[i]
}

func (e *evaluation) table(p plan) *table {
	t := &table{}
	var dst []uint64
	for s := p.open(e); ; {
		h, ok := s.peek()
		if !ok {
			return t
		}
		if dst == nil {
			dst = make([]uint64, e.n)
		}
		c := s.take(dst)
		if unsafe.SliceData(c.vals) == unsafe.SliceData(dst) {
			dst = nil // in use now
		}
		t.heads, t.cols = append(t.heads, h), append(t.cols, c)
	}
}

// one computes a singular plan.
func (e *evaluation) one(p plan) column {
	return p.open(e).take(make([]uint64, e.n))
}

// tableStream gives the columns of a table.
type tableStream struct {
	*table
	i int
}

func (s *tableStream) peek() (head, bool) {
	if s.i >= len(s.heads) {
		return head{}, false
	}
	return s.heads[s.i], true
}

func (s *tableStream) take([]uint64) column {
	s.i++
	c := s.cols[s.i-1]
	c.own = false // the table may be read again
	return c
}

func (s *tableStream) skip() { s.i++ }

func single(c column) stream {
	return &tableStream{table: &table{[]head{singular}, []column{c}}}
}

// sortHeads sorts by instance and takes out what is there twice.
func sortHeads(all []head) []head {
	slices.SortStableFunc(all, func(a, b head) int { return cmp.Compare(a.inst, b.inst) })
	return slices.CompactFunc(all, func(a, b head) bool { return a.inst == b.inst })
}
