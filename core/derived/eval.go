package derived

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Values supplies Eval with the values of operands.
type Values interface {
	// Frame returns a metric's values at the times that Eval was asked for.
	// Eval does not modify it, but its result may share memory with it.
	Frame(metric string) (*series.Frame, error)
	// Instances lists every instance of a domain that the source ever names, in
	// the source's order; nil for an unknown domain.
	Instances(d pcp.InDom) []Member
}

// A Meter, if Values implements it, meters the work of Eval. Work is called with
// the number of further bytes of memory that are about to be used, 0 for
// computing alone. An error ends the evaluation. Work may yield to other
// goroutines.
type Meter interface {
	Work(bytes int) error
}

// A Member is an instance of a domain.
type Member struct {
	pcp.Instance
	Life []pcp.Span // when it was in the domain; nil for always
}

// Eval computes the expression at all points of a grid. Rates and differences
// use the previous grid point, as PCP's use the previous fetch: see Lookback.
// See spec/derived.md sections 6 and 7.
//
// A point without a value has a reason. If that is a missing operand, Why is
// series.OperandMissing and the vector's Cause names the operand and its own
// reason. Errors come from values only; missing values are not errors.
func (b *Bound) Eval(grid series.Grid, values Values) (*series.Frame, error) {
	e := &evaluation{n: max(0, grid.Count), grid: grid, values: values, operands: b.Operands, gaps: b.gaps}
	return e.run(b)
}

// EvalAt is Eval at arbitrary times, given in the order of fetching. It is for
// values as they were logged: error codes in the operands' frames count as
// results, which everything except count() passes on.
func (b *Bound) EvalAt(times []pcp.Time, values Values) (*series.Frame, error) {
	e := &evaluation{n: len(times), times: times, values: values, operands: b.Operands, gaps: b.gaps, logged: true}
	e.grid.Count = len(times)
	if len(times) > 0 {
		e.grid.Start = times[0]
	}
	return e.run(b)
}

// EvalMoments is Eval at arbitrary ascending times. fresh lists indexes in
// times that must not use the time before: rates and differences have no value
// there.
func (b *Bound) EvalMoments(times []pcp.Time, fresh []int, values Values) (*series.Frame, error) {
	e := &evaluation{n: len(times), times: times, fresh: fresh, values: values, operands: b.Operands, gaps: b.gaps}
	e.grid.Count = len(times)
	if len(times) > 0 {
		e.grid.Start = times[0]
	}
	return e.run(b)
}

// WithGaps returns b with other results where PCP's would be drawn as measured: division
// by zero has no value (series.DividedByZero) instead of infinity, or 0 for 0/0; neither
// has an average of nothing, nor a sum of values that are missing for another reason than
// that there are no instances, such as rates at the first sample; nor is there a sum, an
// average or an extreme of rates of which one is missing as its counter went backwards.
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

// shape is the common part of all plans.
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

// isLiteral reports whether a plan is that of a number or of mkconst().
func isLiteral(p plan) bool {
	c, ok := p.(*constPlan)
	return ok && !c.defined
}

type evaluation struct {
	n        int
	grid     series.Grid
	times    []pcp.Time // instead of the grid
	fresh    []int      // points that must not use the point before
	values   Values
	operands []string
	frames   []*series.Frame // by operand, filled on demand
	shared   map[*sharedPlan]*table
	first    []miss    // the reason "no previous sample" at the first point
	span     []float64 // seconds since the previous point
	gaps     bool
	logged   bool
	arena    []miss
	whys     []series.Why
	zeros    []uint8
	err      error
	meter    Meter      // nil for none
	buffers  [][]uint64 // free buffers, each for one column
	domain   pcp.InDom
	named    []Member // the instances of domain, if it was asked for
}

// stopped is what an evaluation panics with when its meter returns an error;
// run recovers and returns the error.
type stopped struct{}

// work tells the meter about columns that are about to be made.
func (e *evaluation) work(columns int) {
	if e.meter == nil || e.err != nil {
		return
	}
	const each = 8 + 2 // a value and its reason
	if e.err = e.meter.Work(columns * each * e.n); e.err != nil {
		panic(stopped{})
	}
}

// borrow returns a buffer for one column; return it with giveBack.
func (e *evaluation) borrow() []uint64 {
	last := len(e.buffers) - 1
	if last < 0 {
		e.work(1)
		return make([]uint64, e.n)
	}
	buf := e.buffers[last]
	e.buffers = e.buffers[:last]
	return buf
}

func (e *evaluation) giveBack(buf []uint64) { e.buffers = append(e.buffers, buf) }

func (e *evaluation) time(i int) pcp.Time {
	if e.times != nil {
		return e.times[i]
	}
	return e.grid.At(i)
}

func (e *evaluation) run(b *Bound) (f *series.Frame, err error) {
	e.meter, _ = e.values.(Meter)
	defer func() {
		if r := recover(); r == (stopped{}) {
			f, err = nil, e.err
		} else if r != nil {
			panic(r)
		}
	}()
	e.frames = make([]*series.Frame, len(b.Operands))
	s := b.root.open(e)
	buf, hint := []uint64(nil), e.hint(b.root)
	f = &series.Frame{Desc: b.Desc, Grid: e.grid, Vectors: make([]series.Vector, 0, hint)}
	var last []miss
	var why []series.Why
	var cause *series.Cause
	for {
		h, ok := s.peek()
		if !ok {
			break
		}
		if len(buf) < e.n {
			e.work(max(1, hint))
			buf = make([]uint64, max(1, hint)*e.n)
			hint = 16
		}
		dst := buf[:e.n:e.n]
		c := s.take(dst)
		c.blank(dst)
		if same(c.vals, dst) {
			buf = buf[e.n:]
		}
		v := series.Vector{Inst: h.inst, Name: h.name, Vals: c.vals}
		if c.miss != nil {
			if !same(last, c.miss) {
				last = c.miss
				why, cause = e.reasons(c.miss)
			}
			v.Why, v.Cause, v.Codes = why, cause, c.codes
			if cause != nil {
				v.Operand = cause.Operands[0]
			}
		}
		f.Vectors = append(f.Vectors, v)
		e.work(0) // so that it can be cancelled
	}
	if !b.Desc.Type.Numeric() {
		f.Blobs = *e.blobs(b.root)
	}
	if e.err != nil {
		return nil, e.err
	}
	return f, nil
}

// hint estimates how many vectors a plan gives.
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
