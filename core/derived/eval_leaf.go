package derived

import (
	"cmp"
	"slices"
	"sync/atomic"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// metricPlan is a metric of the source.
type metricPlan struct {
	shape
	name   string
	number int // of the operand, counted from 1
}

func (p *metricPlan) open(e *evaluation) stream {
	f := e.frame(p.number, p.name)
	if len(f.Vectors) == 0 && p.d.InDom == pcp.NullInDom {
		m := e.misses()
		for i := range m {
			m[i] = missing(series.NotInArchive, p.number)
		}
		return single(column{vals: make([]uint64, e.n), miss: m, lo: e.n})
	}
	return &metricStream{e: e, f: f, want: p.d.Type, number: p.number}
}

// frame fetches an operand's values once. After an error all are empty.
func (e *evaluation) frame(number int, name string) *series.Frame {
	if f := e.frames[number-1]; f != nil {
		return f
	}
	f := &series.Frame{}
	if e.err == nil {
		got, err := e.values.Frame(name)
		switch {
		case err != nil:
			e.err = err
		case got == nil:
		case !fits(got, e.n):
			e.err = pcp.Faultf(pcp.Internal, "The values of %s do not fit the moments that were asked for.", name)
		default:
			f = got
		}
	}
	e.frames[number-1] = f
	return f
}

// fits reports whether f has the shape of a frame of n points.
func fits(f *series.Frame, n int) bool {
	for i := range f.Vectors {
		v := &f.Vectors[i]
		if len(v.Vals) != n || v.Why != nil && len(v.Why) != n || i > 0 && v.Inst <= f.Vectors[i-1].Inst {
			return false
		}
	}
	return true
}

type metricStream struct {
	e      *evaluation
	f      *series.Frame
	i      int
	want   pcp.Type // as bound
	number int
}

func (s *metricStream) peek() (head, bool) {
	if s.i >= len(s.f.Vectors) {
		return head{}, false
	}
	v := &s.f.Vectors[s.i]
	return head{v.Inst, v.Name}, true
}

func (s *metricStream) skip() { s.i++ }

func (s *metricStream) take(dst []uint64) column {
	v := &s.f.Vectors[s.i]
	s.i++
	c := column{vals: v.Vals, codes: v.Codes}
	if v.Why != nil {
		c.miss, c.own = s.e.misses(), true
		c.lo, c.tail = operandReasons(c.miss, v.Why, missing(0, s.number))
	}
	switch is := s.f.Desc.Type; {
	case is == s.want:
	case is.Numeric() && s.want.Numeric():
		c.vals = convert(dst, c.vals, is, s.want) // the type has changed since Bind
	case is.Numeric() || s.want.Numeric():
		c = s.e.unusable(dst, c)
	}
	return c
}

// operandReasons fills in an operand's reasons. It returns how many points at the start
// and at the end have no value.
func operandReasons(m []miss, why []series.Why, operand miss) (lo, tail int) {
	why = why[:len(m)]
	for lo < len(why) && why[lo] != series.HasValue {
		m[lo] = miss(why[lo]) | operand
		lo++
	}
	hi := len(why)
	for hi > lo && why[hi-1] != series.HasValue {
		hi--
		m[hi] = miss(why[hi]) | operand
	}
	for i, w := range why[lo:hi] {
		if w != series.HasValue {
			m[lo+i] = miss(w) | operand
		}
	}
	return lo, len(why) - hi
}

// constPlan is a number. With a domain it has a value for each instance.
type constPlan struct {
	shape
	bits    uint64
	defined bool // of defined(), which is not a literal
}

func (p *constPlan) open(e *evaluation) stream {
	e.work(1)
	vals := make([]uint64, e.n)
	for i := range vals {
		vals[i] = p.bits
	}
	if !isSet(p) {
		return single(column{vals: vals})
	}
	members := slices.Clone(e.values.Instances(p.d.InDom))
	sorting.Stable(members, func(a, b Member) int { return cmp.Compare(a.ID, b.ID) })
	members = slices.CompactFunc(members, func(a, b Member) bool { return a.ID == b.ID })
	t := &table{}
	e.work((len(members) + 4) / 5) // only the reasons take memory
	for i := range members {
		m := &members[i]
		t.heads = append(t.heads, head{m.ID, m.Name})
		t.cols = append(t.cols, column{vals: vals, miss: e.absences(m.Life), own: true})
	}
	return &tableStream{table: t}
}

// absences marks the points outside an instance's life.
func (e *evaluation) absences(life []pcp.Span) []miss {
	if life == nil {
		return nil
	}
	m := e.misses()
	for i := range m {
		t := e.time(i)
		if !slices.ContainsFunc(life, func(s pcp.Span) bool { return s.Start <= t && t <= s.End }) {
			m[i] = missing(series.InstanceAbsent, 0)
		}
	}
	return m
}

// nonePlan is novalue(), anon() or an operand that does not exist.
type nonePlan struct{ shape }

func (p *nonePlan) open(e *evaluation) stream {
	if isSet(p) {
		return &tableStream{table: &table{}}
	}
	return e.never()
}

// never is a singular value that is missing at all points.
func (e *evaluation) never() stream {
	m := e.misses()
	for i := range m {
		m[i] = missing(series.NotChosen, 0)
	}
	return single(column{vals: make([]uint64, e.n), miss: m, lo: e.n})
}

// sharedPlan is a derived metric used as an operand, maybe in many places.
type sharedPlan struct {
	shape
	uses int
	back atomic.Pointer[lookback]
}

// A lookback caches a plan's lookback for a step.
type lookback struct {
	step int64
	n    int
}

// lookback is cached: nested definitions have far more paths than parts.
func (p *sharedPlan) lookback(step int64) int {
	if b := p.back.Load(); b != nil && b.step == step {
		return b.n
	}
	n := p.shape.lookback(step)
	p.back.Store(&lookback{step, n})
	return n
}

func (p *sharedPlan) open(e *evaluation) stream {
	if p.uses == 1 {
		return p.in[0].open(e)
	}
	t := e.shared[p]
	if t == nil {
		if e.shared == nil {
			e.shared = map[*sharedPlan]*table{}
		}
		t = e.table(p.in[0])
		e.shared[p] = t
	}
	return &tableStream{table: t}
}

// blobs returns the strings and opaque values that a plan's values refer to.
func (e *evaluation) blobs(p plan) *series.Blobs {
	switch p := p.(type) {
	case *metricPlan:
		return &e.frame(p.number, p.name).Blobs
	case *nonePlan:
		return &series.Blobs{}
	case *ternaryPlan:
		if p.noThen {
			return e.blobs(p.in[2])
		}
		if p.noElse {
			return e.blobs(p.in[1])
		}
		both := &series.Blobs{} // the second arm's follow those of the first
		for _, arm := range p.in[1:] {
			for b, i := e.blobs(arm), 0; i < b.Len(); i++ {
				both.Add(b.At(uint64(i)))
			}
		}
		return both
	}
	return e.blobs(p.parts()[0]) // of plans that pass values through
}
