package panel

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
)

// innermost keeps of instances that contain others, as cgroups do, those that
// contain none: what they use would count twice. Instances are paths, maybe
// with a device behind "::".
func (p *showing) innermost() {
	path := func(s Series) string {
		group, _, _ := strings.Cut(s.Instance, "::")
		return s.Metric + "\x00" + strings.TrimSuffix(group, "/")
	}
	contains := map[string]bool{}
	for _, s := range p.Series {
		for at := path(s); ; {
			i := strings.LastIndexByte(at, '/')
			if i < 0 {
				break
			}
			at = at[:i]
			contains[at] = true
		}
	}
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return contains[path(s)] })
}

// sliceOf is the slice that a cgroup is in: the innermost part of its path
// that is called so, which is a pod where Kubernetes made it and a user where
// systemd did; else the group around it. A device behind "::" stays.
func sliceOf(instance string) string {
	group, device, of := strings.Cut(instance, "::")
	at := strings.LastIndexByte(group, '/')
	if strings.HasSuffix(group, ".slice") {
		return instance
	}
	if i := strings.LastIndex(group[:max(at, 0)], ".slice"); i >= 0 && (i+6 == at || group[i+6] == '/') {
		at = i + 6
	}
	slice := group[:max(at, 0)]
	if slice == "" {
		slice = "/"
	}
	if of {
		slice += "::" + device
	}
	return slice
}

// bySlice draws one line for all cgroups of a slice: their sum where that
// means something, else what was logged of the slice itself.
func (p *showing) bySlice() {
	own := map[string]int{} // columns, by key
	for i := range p.Frame.Columns {
		if c := &p.Frame.Columns[i]; c.Instance != nil {
			own[c.Metric+"\x00"+c.Instance.Name] = i
		}
	}
	var grouped []Series
	at := map[string]int{} // in grouped, by key
	for _, s := range p.Series {
		slice := sliceOf(s.Instance)
		key := s.Metric + "\x00" + slice
		from, adds := p.Frame.Columns[s.Column], p.additive() && !share(s.Unit) && s.Role != "limit"
		if k, have := at[key]; have {
			if adds {
				addTo(p.Frame.Columns[grouped[k].Column].Values, from.Values)
			}
			continue
		}
		column, logged := own[key]
		if !logged && !adds || from.Values == nil {
			continue // of several shares nothing can be said
		}
		if adds {
			sum := api.Column{Metric: from.Metric, Units: from.Units, Type: from.Type, Semantics: from.Semantics, Values: slices.Clone(from.Values), Instance: &api.InstanceRef{ID: -1, Name: slice}}
			if logged {
				sum.Title = p.Frame.Columns[column].Title
			}
			column = len(p.Frame.Columns)
			p.Frame.Columns = append(p.Frame.Columns, sum)
		}
		c := &p.Frame.Columns[column]
		s.Key, s.Instance, s.Called, s.Column, s.Label = key, slice, cmp.Or(c.Title, slice), column, p.label(c)
		at[key] = len(grouped)
		grouped = append(grouped, s)
	}
	p.Series = grouped
}

// briefly names cgroups by the last part of their path where that tells them
// apart: the rest of it is as long for all of them.
func (p *showing) briefly() {
	path := func(s Series) string { return cmp.Or(s.Instance, s.Label) } // of processes by cgroup there is a label alone
	last := func(s Series) string { return path(s)[strings.LastIndexByte(path(s), '/')+1:] }
	times := map[string]int{}
	for _, s := range p.Series {
		times[last(s)+s.LineStyle.Name]++
	}
	for i := range p.Series {
		s := &p.Series[i]
		name := last(*s)
		if name == "" || path(*s)[0] != '/' || s.Called != s.Instance || times[name+s.LineStyle.Name] > 1 {
			continue
		}
		if s.Label == path(*s) {
			s.Label = name
		}
		if s.Instance != "" {
			s.Called = name
		}
	}
}

// share says whether values in a unit are parts of something of their own, such
// as of a limit; those of one CPU may be added.
func share(unit string) bool { return strings.HasPrefix(unit, "%") && unit != "% of one CPU" }

// addTo adds values where there are any.
func addTo(sum, values []float64) {
	for i, v := range values {
		switch {
		case math.IsNaN(v):
		case math.IsNaN(sum[i]):
			sum[i] = v
		default:
			sum[i] += v
		}
	}
}
