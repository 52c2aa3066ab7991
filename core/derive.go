package core

import (
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Derive defines or redefines a derived metric of a source; it can then be used
// like any other metric. The name of a logged metric cannot be taken. Errors
// have kind "expression" and the position in the expression.
func (s *Session) Derive(id api.SourceID, name, expression string) (api.Metric, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Metric{}, err
	}
	if _, logged := src.lookup(name); logged {
		return api.Metric{}, pcp.Faultf(pcp.BadExpression, "The archive already has a metric %s; choose another name.", name)
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	old := src.derived.Lookup(name)
	src.derived.Remove(name)
	if _, err := src.derived.Define(name, expression); err != nil {
		src.restore(old)
		return api.Metric{}, err
	}
	b, faults := src.derived.BindName(name, metadata{src})
	if b == nil {
		src.derived.Remove(name)
		src.restore(old)
		return api.Metric{}, &faults[0]
	}
	src.list = nil
	return *describeDerived(src.derived.Lookup(name), b), nil
}

// restore puts back the previous definition after a failed redefinition.
func (src *source) restore(d *derived.Definition) {
	if d != nil && src.derived.Lookup(d.Name) == nil {
		src.derived.Define(d.Name, d.Expr.Text)
	}
}

// Check returns what is wrong with an expression; nothing if it is valid.
func (s *Session) Check(id api.SourceID, expression string) ([]pcp.Fault, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	e, err := derived.Parse(expression)
	if err != nil {
		return []pcp.Fault{*pcp.AsFault(err)}, nil
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	_, faults := src.derived.Bind(e, metadata{src})
	return faults, nil
}

// derivedMetrics lists the definitions that can be computed from the source.
func (src *source) derivedMetrics() []metricEntry {
	var list []metricEntry
	for _, a := range src.derived.Available(metadata{src}) {
		list = append(list, derivedMetric(a))
	}
	return list
}

func describeDerived(d *derived.Definition, b *derived.Bound) *api.Metric {
	m := derivedMetric(derived.Available{Definition: d, Bound: b})
	about := m.describe()
	return &about
}

func derivedMetric(a derived.Available) metricEntry {
	m := archive.Metric{Desc: a.Desc, Oneline: a.Oneline, Help: a.Help}
	m.PMID = a.Definition.PMID
	return metricEntry{name: a.Name, Metric: &m, more: &derivation{a.Expr.Text}}
}

// metadata is a source as expressions see it.
type metadata struct{ src *source }

func (m metadata) Desc(name string) (pcp.Desc, bool) {
	ms, known := m.src.lookup(name)
	return descOf(ms), known
}

func (m metadata) Names() []string {
	var names []string
	if having := m.src.partsOf(); having != nil {
		for name := range having {
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	for _, p := range m.src.parts {
		names = append(names, p.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// frame returns the values of a logged or derived metric, or of an expression.
func (e *evaluation) frame(name string) (series.Frame, error) {
	e.claim.Set(e.kept)
	if _, logged := e.src.lookup(name); logged {
		return e.logged(name)
	}
	b, err := e.src.bind(name)
	if err != nil {
		return series.Frame{}, err
	}
	if e.gaps {
		b = b.WithGaps()
	}
	from, n := e.earlier(b)
	if s := e.src.session; from.grid.Count > s.maxValues() {
		return series.Frame{}, s.tooMany(" values", "a shorter window or a longer interval")
	}
	f, err := b.Eval(from.grid, operands{from})
	if e.ended = from.ended; err != nil {
		return series.Frame{}, err
	}
	if n > 0 {
		cut(f, e.grid, n)
	}
	e.src.inDom(f.Desc.InDom).setNames(f.Vectors)
	return *f, nil
}

// defines reports whether a derived metric of that name is known.
func (src *source) defines(name string) bool {
	src.mu.Lock()
	defer src.mu.Unlock()
	return src.derived.Lookup(name) != nil
}

// bind binds what is not a logged metric: the name of a definition, or an
// expression.
func (src *source) bind(name string) (*derived.Bound, error) {
	src.mu.Lock()
	defer src.mu.Unlock()
	var faults []pcp.Fault
	var b *derived.Bound
	e, err := derived.Parse(name)
	switch {
	case src.derived.Lookup(name) != nil:
		b, faults = src.derived.BindName(name, metadata{src})
	case err != nil:
		return nil, err
	default:
		b, faults = src.derived.Bind(e, metadata{src})
	}
	if b == nil {
		f := faults[0]
		if e != nil {
			if _, plain := e.Root.(*derived.Name); plain && src.derived.Lookup(name) == nil {
				f.Kind = pcp.UnknownMetric
				if slices.ContainsFunc(eventMetrics, func(m metricEntry) bool { return m.name == name }) { // which are listed
					f.Message = name + " has no values of its own; it is a part of event records."
				}
			}
		}
		return nil, &f
	}
	return b, nil
}

// operands supplies expressions with the values of logged metrics.
type operands struct{ e *evaluation }

func (o operands) Frame(metric string) (*series.Frame, error) {
	return o.FrameOf(metric, math.MinInt32, math.MaxInt32)
}

// groupSize is how many instances are computed at once for an aggregate over
// many: a vector takes some 200 bytes besides its values.
const groupSize = 8192

// Groups makes operands a derived.Divider. On a grid a metric is laid out as a
// whole: whether a counter has a value after a mark depends on all its
// instances.
func (o operands) Groups(metric string) [][2]int32 {
	ms, known := o.e.src.lookup(metric)
	if !known || o.e.moments == nil {
		return nil
	}
	var largest []series.Series
	for _, obs := range o.e.src.timeline(ms, o.e.extent).obs {
		if obs != nil && len(obs.Series) > len(largest) {
			largest = obs.Series
		}
	}
	if len(largest) < 2*groupSize {
		return nil
	}
	groups := [][2]int32{{math.MinInt32, math.MaxInt32}}
	for i := groupSize; i < len(largest); i += groupSize {
		groups[len(groups)-1][1] = largest[i].Inst - 1
		groups = append(groups, [2]int32{largest[i].Inst, math.MaxInt32})
	}
	return groups
}

func (o operands) FrameOf(metric string, first, last int32) (*series.Frame, error) {
	f, err := o.e.loggedOf(metric, first, last, o.e.gaps)
	return &f, err
}

func (o operands) Numbered(d pcp.InDom) int32 {
	list := o.e.src.inDom(d).list
	for i := range list {
		if id := list[i].ID; id < 0 || int(id) >= len(list) {
			return 0
		}
	}
	return int32(len(list))
}

// Work makes operands a derived.Meter.
func (o operands) Work(bytes int) error {
	if o.e.stop(0); o.e.ended != nil {
		return o.e.ended
	}
	return o.e.take(bytes)
}

func (o operands) Instances(id pcp.InDom) []derived.Member { return o.e.src.members(id) }

func (src *source) members(id pcp.InDom) []derived.Member {
	all := src.inDom(id).list
	list, lives := make([]derived.Member, len(all)), make([]pcp.Span, len(all))
	for i := range all {
		in := &all[i]
		lives[i] = pcp.Span{Start: in.First, End: in.Last}
		list[i] = derived.Member{Instance: pcp.Instance{ID: in.ID, Name: in.Name}, Life: lives[i : i+1 : i+1]}
	}
	return list
}
