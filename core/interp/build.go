package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A builder makes the vectors of one frame, in ascending order of time.
type builder struct {
	f       *Fetcher
	n       int // points
	keep    bool
	desc    pcp.Desc
	life    Lifetime
	plan    []*plan // by segment
	walk    []walker
	out     []series.Vector
	vals    []uint64     // space for further vectors
	why     []series.Why // likewise
	pending int          // series still to come
	runs    [][]series.Run
	cursor  []int // by segment: the next series
}

// slab is how many points are allocated at once.
const slab = 1 << 16

func newBuilder(f *Fetcher, obs []*series.Observations, desc pcp.Desc, life Lifetime) *builder {
	b := &builder{f: f, n: len(f.axis.at), keep: f.opt.Empty || desc.InDom == pcp.NullInDom, desc: desc, life: life,
		plan: make([]*plan, len(f.segs)), walk: make([]walker, len(f.segs)),
		runs: make([][]series.Run, len(f.segs)), cursor: make([]int, len(f.segs))}
	for i, o := range obs {
		if o == nil {
			o = &series.Observations{Desc: desc}
		}
		b.plan[i] = f.plan(i, o.Times)
		b.walk[i] = walker{axis: f.axis, times: o.Times, rule: ruleOf(o.Desc), typ: o.Desc.Type, wrap: f.opt.CounterWrap,
			holds: o.Desc.Sem == pcp.Discrete, outlasted: f.segs[i].Outlasted, origin: f.segs[0].Start}
		b.pending += len(o.Series)
	}
	b.out = make([]series.Vector, 0, b.pending)
	return b
}

// room returns zeroed space for one vector.
func (b *builder) room() {
	if len(b.vals) < b.n {
		many := max(1, min(b.pending, slab/b.n))
		b.vals = make([]uint64, many*b.n)
	}
	if len(b.why) < b.n {
		b.why = make([]series.Why, max(1, min(b.pending, slab/b.n))*b.n)
	}
}

// add appends the vector of one instance, unless it is empty and not wanted.
func (b *builder) add(inst int32, obs []*series.Observations, join *join) {
	b.room()
	b.pending--
	vals, why := b.vals[:b.n:b.n], b.why[:b.n:b.n]
	runs, where := b.collect(inst, obs)
	missing := 0
	for seg := range b.walk {
		w := &b.walk[seg]
		w.vals, w.why, w.missing = vals, why, 0
		w.otherSegments = [2]bool{where[0] < seg, where[1] > seg}
		for i := range b.plan[seg].part {
			p := &b.plan[seg].part[i]
			if runs[seg] == nil && !p.outside {
				w.lack(p.g0, p.g1, unknown(obs[seg]))
				continue
			}
			w.series(p, runs[seg])
			if join.converts(seg) {
				w.missing += join.convert(seg, vals[p.g0:p.g1], why[p.g0:p.g1])
			}
		}
		missing += w.missing
	}
	if b.life != nil && b.desc.Sem == pcp.Discrete {
		missing += b.endOfLife(inst, vals, why)
	}
	v := series.Vector{Inst: inst, Vals: vals}
	if missing > 0 {
		v.Why = why
	}
	if missing == b.n && !b.keep {
		clear(vals)
		clear(why)
		return
	}
	b.vals = b.vals[b.n:]
	if missing > 0 {
		b.why = b.why[b.n:]
	}
	b.out = append(b.out, v)
}

// collect finds the instance's runs in each segment, and the first and the last
// segment that has any. Instances must be passed in ascending order.
func (b *builder) collect(inst int32, obs []*series.Observations) (runs [][]series.Run, where [2]int) {
	where = [2]int{len(obs), -1}
	for i, o := range obs {
		b.runs[i] = nil
		if o == nil {
			continue
		}
		at := b.cursor[i]
		for at < len(o.Series) && o.Series[at].Inst < inst {
			at++
		}
		b.cursor[i] = at
		if at < len(o.Series) && o.Series[at].Inst == inst && len(o.Series[at].Runs) > 0 {
			b.runs[i] = o.Series[at].Runs
			where[0] = min(where[0], i)
			where[1] = i
		}
	}
	return b.runs, where
}

// unknown is why an instance has no value in an archive that never had it.
func unknown(o *series.Observations) series.Why {
	if o == nil || len(o.Times) == 0 {
		return series.NotInArchive
	}
	return series.InstanceAbsent
}

// endOfLife removes the values that a discrete metric would otherwise keep outside
// the life of its instance, and returns how many. See spec/interp.md section 6.
func (b *builder) endOfLife(inst int32, vals []uint64, why []series.Why) (taken int) {
	birth, death, ok := b.life(inst)
	if !ok {
		return 0
	}
	take := func(g0, g1 int) {
		for g := g0; g < g1; g++ {
			if why[g] == series.HasValue {
				vals[g], why[g] = 0, series.InstanceAbsent
				taken++
			}
		}
	}
	take(0, before(b.f.axis.at, birth))
	take(max(upTo(b.f.axis.at, death), 0), b.n)
	return taken
}
