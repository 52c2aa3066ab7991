package derived

import (
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

// A Meter hears of the work that Eval does, where its Values are one: how many
// more bytes of memory it is about to take, 0 where it only computes. An error
// ends the evaluation. It may let others run.
type Meter interface {
	Work(bytes int) error
}

// A Member is an instance of a domain.
type Member struct {
	pcp.Instance
	Life []pcp.Span // when it was in the domain; nil for always
}

// Eval computes the expression at all points of a grid. Rates and differences
// look at the grid point before, as PCP's look at the fetch before: see
// Lookback. See spec/derived.md sections 6 and 7.
//
// A point without a value says why. Where that is a missing operand, Why is
// series.OperandMissing and the vector's Cause names it with its own reason.
// The error is one of values; a missing value is none.
func (b *Bound) Eval(grid series.Grid, values Values) (*series.Frame, error) {
	e := &evaluation{n: max(0, grid.Count), grid: grid, values: values, operands: b.Operands, gaps: b.gaps}
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

// EvalMoments is Eval at any moments in ascending order. Nothing is carried to
// a moment in fresh, a list of places in times, from the one before: rates and
// differences have no value there.
func (b *Bound) EvalMoments(times []pcp.Time, fresh []int, values Values) (*series.Frame, error) {
	e := &evaluation{n: len(times), times: times, fresh: fresh, values: values, operands: b.Operands, gaps: b.gaps}
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

type evaluation struct {
	n        int
	grid     series.Grid
	times    []pcp.Time // instead of the grid
	fresh    []int      // moments that have none before them
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
	meter    Meter      // nil for none
	rooms    [][]uint64 // free buffers, each for one column
}

// stopped is what an evaluation panics with when its meter ends it; run
// returns the error.
type stopped struct{}

// work tells the meter of columns that are about to be made.
func (e *evaluation) work(columns int) {
	if e.meter == nil || e.err != nil {
		return
	}
	const each = 8 + 2 // a value and why there is none
	if e.err = e.meter.Work(columns * each * e.n); e.err != nil {
		panic(stopped{})
	}
}

// borrow returns room for one column, until it is given back.
func (e *evaluation) borrow() []uint64 {
	last := len(e.rooms) - 1
	if last < 0 {
		e.work(1)
		return make([]uint64, e.n)
	}
	room := e.rooms[last]
	e.rooms = e.rooms[:last]
	return room
}

func (e *evaluation) giveBack(room []uint64) { e.rooms = append(e.rooms, room) }

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
	room, hint := []uint64(nil), e.hint(b.root)
	f = &series.Frame{Desc: b.Desc, Grid: e.grid, Vectors: make([]series.Vector, 0, hint)}
	var last []miss
	var why []series.Why
	var cause *series.Cause
	for {
		h, ok := s.peek()
		if !ok {
			break
		}
		if len(room) < e.n {
			e.work(max(1, hint))
			room = make([]uint64, max(1, hint)*e.n)
			hint = 16
		}
		dst := room[:e.n:e.n]
		c := s.take(dst)
		c.blank(dst)
		if same(c.vals, dst) {
			room = room[e.n:]
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
