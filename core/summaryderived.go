package core

import (
	"pcpscope/core/interp"
	"pcpscope/core/series"
)

// summarised lists what a summary of everything has: all that is logged, and
// what the user has defined.
func (src *source) summarised() []string {
	own := map[string]bool{}
	src.mu.Lock()
	for _, d := range src.derived.Definitions() {
		own[d.Name] = true
	}
	src.mu.Unlock()
	var names []string
	list := src.metricList("")
	for i := range list {
		if m := &list[i]; m.Expression == "" || own[m.Name] {
			names = append(names, m.Name)
		}
	}
	return names
}

// oneSegment is the whole time line of a source, with all its marks.
func (src *source) oneSegment() []interp.Segment {
	start, end := src.span()
	return []interp.Segment{{Start: start, End: end, Marks: src.markTimes()}}
}

// derivedObservations computes a derived metric or an expression at every
// moment when one of its operands was logged, as if that had been logged.
func (src *source) derivedObservations(name string, w window, x extent) (*series.Observations, error) {
	raw, err := src.raw(name, w, x)
	if err != nil {
		return nil, err
	}
	o := &series.Observations{Desc: raw.Desc, Times: raw.Times, Blobs: raw.Blobs}
	for i := range raw.Vectors {
		v := &raw.Vectors[i]
		s := series.Series{Inst: v.Inst}
		there := false // whether the last run has a value
		for row := range raw.Times {
			switch last := len(s.Runs) - 1; {
			case v.Missing(row) != series.HasValue:
				if there {
					s.Runs = append(s.Runs, series.Run{Row: uint32(row) | series.Gone})
				}
				there = false
			case !there || s.Runs[last].Val != v.Vals[row]:
				s.Runs = append(s.Runs, series.Run{Row: uint32(row), Val: v.Vals[row]})
				there = true
			}
		}
		o.Series = append(o.Series, s)
	}
	return o, nil
}
