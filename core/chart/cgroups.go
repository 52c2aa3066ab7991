package chart

import (
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
)

// innermost keeps only the cgroups that contain no others.
func (m *maker) innermost() {
	contains := Contains(m.lines, func(i int) string { return m.path(i) })
	m.lines = slices.DeleteFunc(m.lines, func(i int) bool { return contains[m.path(i)] })
}

func (m *maker) path(i int) string {
	c, instance := &m.f.Columns[i], ""
	if c.Instance != nil {
		instance = c.Instance.Name
	}
	return Path(c.Metric, instance)
}

// Path identifies the place of an instance of a metric in the hierarchy of
// cgroups: these are paths, maybe with a device after "::".
func Path(metric, instance string) string {
	group, _, _ := strings.Cut(instance, "::")
	return metric + "\x00" + strings.TrimSuffix(group, "/")
}

// Contains lists the paths that contain others of the list.
func Contains[T any](list []T, path func(T) string) map[string]bool {
	contains := map[string]bool{}
	for _, s := range list {
		for at := path(s); ; {
			i := strings.LastIndexByte(at, '/')
			if i < 0 {
				break
			}
			at = at[:i]
			contains[at] = true
		}
	}
	return contains
}

// SliceOf returns the slice that a cgroup belongs to: the innermost component
// of its path named like a slice, which is a pod in Kubernetes and a user with
// systemd; else the parent cgroup. A device after "::" is kept.
func SliceOf(instance string) string {
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

// Summed is the instance number of sums.
const Summed = -1

// bySlice makes one line for all cgroups of a slice: their sum if that is
// meaningful, else what was logged for the slice itself.
func (m *maker) bySlice() {
	own := map[string]int{} // columns, by key
	for i := range m.f.Columns {
		if c := &m.f.Columns[i]; c.Instance != nil {
			own[c.Metric+"\x00"+c.Instance.Name] = i
		}
	}
	var grouped []int
	at := map[string]int{} // columns, by key
	for _, i := range m.lines {
		from := m.f.Columns[i]
		if from.Instance == nil {
			from.Instance = &api.InstanceRef{}
		}
		slice, adds := SliceOf(from.Instance.Name), slices.Contains(m.q.Adds, from.Metric)
		key := from.Metric + "\x00" + slice
		if k, have := at[key]; have {
			if adds {
				addTo(m.f.Columns[k].Values, from.Values)
			}
			continue
		}
		column, logged := own[key]
		if !logged && !adds || from.Values == nil {
			continue // shares cannot be combined
		}
		if adds {
			sum := api.Column{Metric: from.Metric, Units: from.Units, Type: from.Type, Semantics: from.Semantics, Values: slices.Clone(from.Values), Instance: &api.InstanceRef{ID: Summed, Name: slice}}
			if logged {
				sum.Title = m.f.Columns[column].Title
			}
			column = len(m.f.Columns)
			m.f.Columns = append(m.f.Columns, sum)
		}
		at[key] = column
		grouped = append(grouped, column)
	}
	m.lines = grouped
}

// addTo adds values, ignoring missing ones.
func addTo(sum, values []float64) {
	for k, v := range values {
		if k >= len(sum) || math.IsNaN(v) {
			continue
		}
		if math.IsNaN(sum[k]) {
			sum[k] = 0
		}
		sum[k] += v
	}
}
