package derived

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// selectPlan is x[instance].
type selectPlan struct {
	shape
	instance string
}

// open finds the instance by its full name or, failing that, by the first word
// of the name. See spec/derived.md section 7, spec/interp.md section 9.
func (p *selectPlan) open(e *evaluation) stream {
	if !isSet(p) {
		return e.never()
	}
	t := &table{}
	whole := false
	for s := p.in[0].open(e); !whole; {
		h, ok := s.peek()
		if !ok {
			break
		}
		whole = h.name == p.instance
		if !whole && (firstWord(h.name) != p.instance || len(t.heads) > 0) {
			s.skip()
			continue
		}
		t.heads, t.cols = []head{h}, []column{s.take(make([]uint64, e.n))}
	}
	return &tableStream{table: t}
}

// firstWord returns an instance's name up to the first blank, "" if there is
// none.
func firstWord(name string) string {
	word, _, more := strings.Cut(name, " ")
	if !more {
		return ""
	}
	return word
}

// matchPlan is matchinst(/pattern/, x). Names are matched up to the first
// blank.
type matchPlan struct {
	shape
	pattern string
	not     bool
}

func (p *matchPlan) open(e *evaluation) stream {
	if !isSet(p) {
		return e.never()
	}
	return &matchStream{p.in[0].open(e), compilePattern(p.pattern), p.not}
}

type matchStream struct {
	stream
	re  *regexp.Regexp
	not bool
}

func (s *matchStream) peek() (head, bool) {
	for {
		h, ok := s.stream.peek()
		word, _, _ := strings.Cut(h.name, " ")
		if !ok || s.re.MatchString(word) != s.not {
			return h, ok
		}
		s.stream.skip()
	}
}

// listed returns the columns of t in the order in which PCP delivers the
// instances of a domain: that of a hash table with as many chains as the domain
// has instances. scalar() and the last bit of sums depend on it.
func (e *evaluation) listed(t *table, d pcp.InDom) ([]*column, []head) {
	type place struct{ chain, link, i int }
	members := e.members(d)
	link := make(map[int32]int, len(members))
	for i := range members {
		link[members[i].ID] = i
	}
	chains := max(len(members), 1)
	if len(members) == 0 {
		chains = max(len(t.heads), 1)
	}
	order := make([]place, len(t.heads))
	for i, h := range t.heads {
		order[i] = place{int(uint32(h.inst)) % chains, -link[h.inst], i}
	}
	sorting.Stable(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.chain, b.chain), cmp.Compare(a.link, b.link), cmp.Compare(a.i, b.i))
	})
	cols, heads := make([]*column, len(order)), make([]head, len(order))
	for i, o := range order {
		cols[i], heads[i] = &t.cols[o.i], t.heads[o.i]
	}
	return cols, heads
}

// nothing returns the reasons for points at which no column has a value: those
// of the first column.
func (e *evaluation) nothing(t *table, p plan) []miss {
	m := e.misses()
	for i := range m {
		m[i] = missing(series.InstanceAbsent, e.firstOperand(p))
	}
	for _, c := range t.cols {
		if c.miss == nil {
			return make([]miss, e.n)
		}
	}
	for k := len(t.cols) - 1; k >= 0; k-- {
		for i, w := range t.cols[k].miss {
			if w == 0 || m[i] != 0 {
				m[i] = w
			}
		}
	}
	return m
}

// firstOperand returns the number of a metric below p, 0 if there is none.
func (e *evaluation) firstOperand(p plan) int {
	if m, ok := p.(*metricPlan); ok {
		return m.number
	}
	for _, q := range p.parts() {
		if n := e.firstOperand(q); n > 0 {
			return n
		}
	}
	return 0
}

// scalarPlan is scalar(x): the first instance that has a value.
type scalarPlan struct{ shape }

func (p *scalarPlan) open(e *evaluation) stream {
	if !isSet(p.in[0]) {
		return p.in[0].open(e)
	}
	t := e.table(p.in[0])
	out := column{vals: make([]uint64, e.n), miss: e.nothing(t, p), own: true}
	cols, _ := e.listed(t, p.in[0].desc().InDom)
	for i := range out.vals {
		for _, c := range cols {
			if c.has(i) {
				out.vals[i], out.miss[i] = c.vals[i], 0
				break
			}
			out.codes = mergeCodes(out.codes, c.codes)
		}
	}
	return single(out)
}

// percentilePlan is percentile(p, x) over instances: linear between the two
// nearest ranks of 0 to n-1.
type percentilePlan struct {
	shape
	p float64
}

func (p *percentilePlan) open(e *evaluation) stream {
	t := e.table(p.in[0])
	kind := p.in[0].desc().Type
	for i := range t.cols {
		t.cols[i].vals = convert(make([]uint64, e.n), t.cols[i].vals, kind, pcp.Double)
	}
	out := column{vals: make([]uint64, e.n), miss: e.nothing(t, p), own: true}
	values := make([]float64, 0, len(t.cols))
	for i := range out.vals {
		values = values[:0]
		for k := range t.cols {
			if c := &t.cols[k]; c.has(i) {
				values = append(values, f64(c.vals[i]))
			}
		}
		if len(values) > 0 {
			slices.Sort(values)
			out.vals[i], out.miss[i] = math.Float64bits(rank(values, p.p)), 0
		}
	}
	return single(out)
}

// rank returns the p-th percentile of sorted values, of which there is at least
// one.
func rank(sorted []float64, p float64) float64 {
	at := p / 100 * float64(len(sorted)-1)
	lo := int(at)
	if lo+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	share := at - float64(lo)
	if share == 0 {
		return sorted[lo]
	}
	return sorted[lo] + share*(sorted[lo+1]-sorted[lo])
}

// topPlan is topn(n, x): the n largest instances at each point. Of equal ones
// the lower instance number is kept; NaN is smaller than everything.
type topPlan struct {
	shape
	n int
}

func (p *topPlan) open(e *evaluation) stream {
	t := e.table(p.in[0])
	kind := p.d.Type
	keep := make([][]miss, len(t.cols))
	type candidate struct {
		value float64
		k     int
	}
	var top []candidate // the largest so far, in descending order
	for i := range e.n {
		top = top[:0]
		for k := range t.cols {
			c := &t.cols[k]
			if !c.has(i) {
				continue
			}
			v := series.Float(kind, c.vals[i])
			if len(top) == p.n {
				if cmp.Compare(v, top[len(top)-1].value) <= 0 {
					continue
				}
				top = top[:len(top)-1]
			}
			at := len(top)
			for at > 0 && cmp.Compare(v, top[at-1].value) > 0 {
				at--
			}
			top = slices.Insert(top, at, candidate{v, k})
		}
		for _, c := range top {
			if keep[c.k] == nil {
				m := e.misses()
				for j := range m {
					m[j] = missing(series.NotChosen, 0)
				}
				if old := t.cols[c.k].miss; old != nil {
					for j, w := range old {
						if w != 0 {
							m[j] = w
						}
					}
				}
				keep[c.k] = m
			}
			keep[c.k][i] = 0
		}
	}
	out := &table{}
	for k, m := range keep {
		if m != nil {
			c := t.cols[k]
			c.miss, c.own = m, true
			out.heads, out.cols = append(out.heads, t.heads[k]), append(out.cols, c)
		}
	}
	return &tableStream{table: out}
}
