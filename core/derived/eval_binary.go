package derived

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// binaryPlan is x op y.
type binaryPlan struct {
	shape
	op          Op
	common      pcp.Type // to which both sides are converted
	left, right factor   // to the scale of the result; with DOUBLE only
}

// open pairs the columns of both sides by instance; a singular side is used for
// all. Instances on one side only have no value.
func (p *binaryPlan) open(e *evaluation) stream {
	s := &binaryStream{e: e, p: p, l: p.in[0].open(e), r: p.in[1].open(e)}
	if !isSet(p.in[1]) {
		s.right = s.side(s.r, 1)
	}
	if !isSet(p.in[0]) && isSet(p.in[1]) {
		s.left = s.side(s.l, 0)
	}
	return s
}

type binaryStream struct {
	e           *evaluation
	p           *binaryPlan
	l, r        stream
	left, right *column // the column of a singular side

	next     head // cached result of peek: in long sums each stream peeks at the next
	has, end bool
}

// side computes a singular side once.
func (s *binaryStream) side(in stream, i int) *column {
	s.e.work(2)
	c := in.take(make([]uint64, s.e.n))
	c.vals = s.prepare(make([]uint64, s.e.n), c.vals, i)
	c.own = false
	return &c
}

// prepare converts values of side i to the common type and scale.
func (s *binaryStream) prepare(dst, vals []uint64, i int) []uint64 {
	vals = convert(dst, vals, s.p.in[i].desc().Type, s.p.common)
	f := s.p.left
	if i == 1 {
		f = s.p.right
	}
	if !f.none() {
		f.scale(dst, vals)
		return dst
	}
	return vals
}

func (s *binaryStream) peek() (head, bool) {
	if !s.has {
		h, more := s.look()
		s.next, s.has, s.end = h, true, !more
	}
	return s.next, !s.end
}

func (s *binaryStream) look() (head, bool) {
	if s.left != nil {
		return s.r.peek()
	}
	for {
		l, ok := s.l.peek()
		if !ok || s.right != nil {
			return l, ok
		}
		r, ok := s.r.peek()
		switch {
		case !ok:
			return head{}, false
		case l.inst == r.inst:
			if l.name == "" {
				l.name = r.name
			}
			return l, true
		case l.inst < r.inst:
			s.l.skip()
		default:
			s.r.skip()
		}
	}
}

func (s *binaryStream) skip() {
	s.peek() // so that both sides are at the same instance
	s.has = false
	if s.left == nil {
		s.l.skip()
	}
	if s.right == nil {
		s.r.skip()
	}
}

func (s *binaryStream) take(dst []uint64) column {
	s.peek() // so that both sides are at the same instance
	s.has = false
	s.e.work(0)
	var l, r column
	if s.left != nil {
		l = *s.left
	} else {
		l = s.l.take(dst)
	}
	buf := s.e.borrow() // after computing the left side, which may be a long sum
	defer s.e.giveBack(buf)
	if s.right != nil {
		r = *s.right
	} else {
		r = s.r.take(buf)
	}
	out := s.e.both(&l, &r)
	out.vals = dst
	lo, hi := out.bounds()
	a, b, to := l.vals[lo:hi], r.vals[lo:hi], dst[lo:hi]
	if s.left == nil {
		a = s.prepare(to, a, 0)
	}
	if s.right == nil {
		b = s.prepare(buf[lo:hi], b, 1)
	}
	switch op := s.p.op; {
	case op.relational():
		compare(op, s.p.common, to, a, b)
	case op.boolean():
		logical(op, s.p.common, to, a, b)
	default:
		if op == OpDiv && s.e.gaps {
			s.e.holes(&out, b, lo)
		}
		arithmetic(op, s.p.common, to, a, b)
	}
	return out
}

// holes marks the points where the divisor, which begins at lo, is 0 as
// missing.
func (e *evaluation) holes(c *column, divisor []uint64, lo int) {
	for i, v := range divisor {
		if v<<1 == 0 && c.has(lo+i) { // zero or minus zero
			e.writable(c)[lo+i] = missing(series.DividedByZero, 0)
		}
	}
}
