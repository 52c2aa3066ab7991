package core

import (
	"slices"

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
	return src.metricList(prefix), nil
}

// Instances lists every instance of a domain that the source ever names,
// ordered by ID.
func (s *Session) Instances(id api.SourceID, indom string) ([]api.Instance, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	d, ok := pcp.ParseInDom(indom)
	if !ok {
		return nil, pcp.Faultf(pcp.BadArgument, "%q is not an instance domain; one looks like \"60.1\".", indom)
	}
	list := src.instanceList(d)
	of := slices.IndexFunc(src.metricList("cgroup"), func(m api.Metric) bool { return m.InDom != nil && *m.InDom == indom })
	if of < 0 {
		return list, nil
	}
	list = slices.Clone(list)
	t := titling{src: src}
	for i := range list {
		list[i].Title = t.of("cgroup.", list[i].Name)
	}
	return list, nil
}
