package core

import (
	"slices"

	"pcpscope/core/analysis"
	"pcpscope/core/departures"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// maxCompared is how many commands of each window are compared, those that used
// most CPU time.
const maxCompared = 60

// minOnly is how much of one CPU, in percent, a command must have used to be
// listed as one that only one window has.
const minOnly = 1

// commands compares the CPU time of commands, whichever processes ran them.
func (c *comparison) commands() error {
	pa, err := c.a.accounts(c.ctx)
	if err != nil || pa == nil {
		return err
	}
	pb := pa
	if c.a != c.b {
		if pb, err = c.b.accounts(c.ctx); err != nil || pb == nil {
			return err
		}
	}
	ga, err := c.grid(c.a, c.out.A)
	if err != nil {
		return err
	}
	gb, err := c.grid(c.b, c.out.B)
	if err != nil {
		return err
	}
	claim := c.a.session.memory.Claim(0)
	defer claim.Release()
	if err := claim.Take(2 * maxCompared * 8 * int64(ga.Count+gb.Count)); err != nil {
		return err
	}
	names := append(pa.TopCommands(ga, maxCompared, c.pace.worked), pb.TopCommands(gb, maxCompared, c.pace.worked)...)
	slices.Sort(names)
	names = slices.Compact(names)
	la, lb := pa.UseByCommand(ga, names, c.pace.worked), pb.UseByCommand(gb, names, c.pace.worked)
	if c.pace.ended != nil {
		return c.pace.ended
	}
	cpus := max(1, c.host.CPUs)
	for i, name := range names {
		kind := departures.Kind{Subject: departures.Subject{Family: "processes", Name: "Command", Of: name}, Tier: 1, Floor: cpus} // 1 % of all CPUs
		one := changedSeries{command: name, units: ""}
		a, b := analysis.SampleOf(la[i].Values, c.query.Points), analysis.SampleOf(lb[i].Values, c.query.Points)
		if len(a.Vals) == 0 || len(b.Vals) == 0 {
			continue
		}
		switch {
		case a.Mean == 0 && b.Mean >= minOnly:
			c.only(kind, &one, "B")
		case b.Mean == 0 && a.Mean >= minOnly:
			c.only(kind, &one, "A")
		}
		c.differ(kind, one, a, b)
	}
	return c.pace.ended
}

// grid has a step for each record of a window, or as many as a story has.
func (c *comparison) grid(src *source, w pcp.Span) (series.Grid, error) {
	interval, err := src.loggingInterval(c.ctx)
	if err != nil {
		return series.Grid{}, err
	}
	length := int64(w.End - w.Start)
	step := max(interval, length/coarseSteps, 1)
	return series.Grid{Start: w.Start, Step: step, Count: int(length/step) + 1}, nil
}
