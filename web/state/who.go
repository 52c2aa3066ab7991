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

// part adds a moment without values where the source has a hole and the frame,
// which has a moment for each sample or record, has none: no line crosses it
// then.
func (w *Work) part(f *api.Frame) {
	holes := w.Holes()
	for _, g := range w.Source.Gaps {
		holes = append(holes, Hole{Start: g.Start, End: g.End})
	}
	for _, hole := range holes {
		middle := hole.Start + (hole.End-hole.Start)/2
		i := sort.Search(len(f.Times), func(i int) bool { return at(f, i) > middle })
		if i == 0 || i == len(f.Times) || at(f, i-1) > hole.Start || at(f, i) < hole.End {
			continue
		}
		f.Times = slices.Insert(f.Times, i, middle.Since(f.Start))
		for k := range f.Columns {
			if c := &f.Columns[k]; len(c.Values) == len(f.Times)-1 {
				c.Values = slices.Insert(c.Values, i, math.NaN())
			}
			if c := &f.Columns[k]; len(c.Why) == len(f.Times)-1 {
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
