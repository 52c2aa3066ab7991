package core

import (
	"math"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Metrics lists a source's metrics whose names are prefix or begin with prefix
// and a dot; "" lists all. Sorted by name.
func (s *Session) Metrics(id api.SourceID, prefix string) ([]api.Metric, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	return src.described(src.metricList(prefix)), nil
}

// MetricPart lists up to most metrics of a source, beginning with number from in
// the order of Metrics, without their labels. total is the number of all metrics.
func (s *Session) MetricPart(id api.SourceID, from, limit int) (part []api.Metric, total int, err error) {
	src, err := s.source(id)
	if err != nil {
		return nil, 0, err
	}
	list := src.metricList("")
	if from < 0 || from > len(list) {
		return nil, 0, pcp.Faultf(pcp.BadArgument, "There is no metric %d of %d.", from, len(list))
	}
	rest := list[from:]
	rest = rest[:min(limit, len(rest))]
	part = make([]api.Metric, len(rest))
	for i := range rest {
		part[i] = rest[i].describe()
	}
	return part, len(list), nil
}

// Instances lists every instance of a domain that the source ever names,
// ordered by ID.
func (s *Session) Instances(id api.SourceID, indom string) ([]api.Instance, error) {
	list, _, err := s.InstancesFrom(id, indom, 0, math.MaxInt)
	return list, err
}

// InstancesFrom lists at most limit of them from a place on, and returns how
// many there are in all.
func (s *Session) InstancesFrom(id api.SourceID, indom string, from, limit int) (list []api.Instance, total int, err error) {
	src, err := s.source(id)
	if err != nil {
		return nil, 0, err
	}
	d, ok := pcp.ParseInDom(indom)
	if !ok {
		return nil, 0, pcp.Faultf(pcp.BadArgument, "%q is not an instance domain; one looks like \"60.1\".", indom)
	}
	all := src.instanceList(d)
	if total = len(all); from < 0 || from > total {
		return nil, total, pcp.Faultf(pcp.BadArgument, "There is no instance %d of %d.", from, total)
	}
	all = all[from:min(total, from+min(limit, total))]
	list = make([]api.Instance, len(all))
	for i := range all {
		in := &all[i]
		list[i] = api.Instance{ID: in.ID, Name: in.Name, First: in.First, Last: in.Last, Labels: src.instanceLabels(d, in)}
	}
	t, n := titling{src: src}, src.namingIn(d)
	for i := range list {
		list[i].Title = t.by(n, list[i].Name)
	}
	return list, total, nil
}
