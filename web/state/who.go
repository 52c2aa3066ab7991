package state

import (
	"context"
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Who makes a panel say which processes used a resource.
type Who struct {
	What string // as api.ConsumerQuery.What
	By   string // "command", "user", "cgroup" or "process"
	Top  int
}

func whoTitle(q *Who) string {
	return whoTitles[q.What] + " by " + q.By
}

// whoTitles are the resources of which it can be said who used them.
var whoTitles = map[string]string{"cpu": "CPU", "memory": "Resident memory", "read": "Read from disk", "write": "Written to disk",
	"userCPU": "In programs", "sysCPU": "In the kernel", "waiting": "Waiting for CPU", "blocked": "Waiting for disks", "swapped": "Swapped", "major": "Major faults", "minor": "Minor faults",
	"voluntary": "Switches, voluntary", "forced": "Switches, involuntary", "threads": "Threads", "files": "Open files"}

// consumers asks who used a resource. It is slow work.
func (w *Work) consumers(ctx context.Context, q Who, window Window) (*api.Frame, int64, error) {
	at := func(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
	c, err := w.app.Insight.Consumers(ctx, api.ConsumerQuery{Source: w.Source.ID, What: q.What, By: q.By, Top: q.Top, Start: at(window.Start), End: at(window.End)})
	if err != nil {
		return nil, 0, err
	}
	f := &api.Frame{Start: c.Start, Times: c.Times}
	order := map[string]int{"in no sample": 0, "others": 1, "named": 2} // from the top of the stack
	for kind := range 3 {
		for _, s := range c.Series {
			if order[s.Kind] == kind {
				units := c.Units
				if units == "%" {
					units = ""
				}
				f.Columns = append(f.Columns, api.Column{Metric: s.Name, Units: units, Type: "DOUBLE", Semantics: "instant", Values: s.Values, Operand: s.Kind})
			}
		}
	}
	return f, usual(between(f)), nil
}

// KnowsCgroups says whether it is known which cgroup a process is in.
func (w *Work) KnowsCgroups() bool {
	for _, name := range []string{"proc.psinfo.cgroups", "proc.id.container", "hotproc.psinfo.cgroups", "hotproc.id.container"} {
		if w.Metric(name) != nil {
			return true
		}
	}
	return false
}

// Broken returns the times of a frame, and between two of them, where the
// source has a hole or a mark, a moment more; and of each the row in the frame,
// -1 where it has none.
func (w *Work) Broken(f *api.Frame) (times []float64, rows []int) {
	times = slices.Clone(f.Times)
	for i := range f.Times {
		rows = append(rows, i)
	}
	holes := w.Holes()
	for _, g := range w.Source.Gaps {
		holes = append(holes, Hole{Start: g.Start, End: g.End})
	}
	for _, hole := range holes {
		middle := (hole.Start + (hole.End-hole.Start)/2).Since(f.Start)
		i := sort.Search(len(times), func(i int) bool { return times[i] > middle })
		if i == 0 || i == len(times) || times[i-1] > hole.Start.Since(f.Start) || times[i] < hole.End.Since(f.Start) {
			continue
		}
		times, rows = slices.Insert(times, i, middle), slices.Insert(rows, i, -1)
	}
	return times, rows
}

// part adds a moment without values where the source has a hole and the frame,
// which has a moment for each sample or record, has none: no line crosses it
// then.
func (w *Work) part(f *api.Frame) {
	times, rows := w.Broken(f)
	f.Times = times
	for k := range f.Columns {
		c := &f.Columns[k]
		for i, row := range rows {
			if row >= 0 {
				continue
			}
			if i <= len(c.Values) {
				c.Values = slices.Insert(c.Values, i, math.NaN())
			}
			if i <= len(c.Why) && len(c.Why) > 0 {
				c.Why = slices.Insert(c.Why, i, uint8(series.AcrossMark))
			}
		}
	}
}

// SetWho groups the panels of processes another way.
func (w *Work) SetWho(by string, top int) {
	w.remember()
	for _, p := range w.Panels {
		if p.Who != nil {
			q := *p.Who
			q.By, q.Top = by, top
			p.Who, p.Title = &q, whoTitle(&q)
			w.fetch(p)
		}
	}
}

// WhoShown is how the panels of processes are grouped now; nil where there
// are none.
func (w *Work) WhoShown() *Who {
	for _, p := range w.Panels {
		if p.Who != nil {
			return p.Who
		}
	}
	return nil
}
