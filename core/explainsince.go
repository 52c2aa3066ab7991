package core

import (
	"math"
	"slices"

	"pcpscope/core/analysis"
	"pcpscope/core/departures"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// refined returns the record with which a row left its range, where the means of steps did so in
// one of them. Steps begin with the window, and most have parts of what two records tell: these
// are looked at themselves, so that the answer does not depend on where the steps lie.
func (e *explanation) refined(r *departures.Row[*departed], grid series.Grid, at int) pcp.Time {
	begins := e.from
	var times []pcp.Time
	var vals []float64
	if grid.Step <= e.interval {
		times, vals = e.recorded(r.Best, grid.Start, e.to)
	}
	if len(times) == 0 || len(times) > grid.Count+1 { // where steps have many records, only those around it tell what stays
		begins = grid.At(at - 1)
		times, vals = e.recorded(r.Best, grid.At(at-3), grid.At(at+2))
	}
	first, _ := slices.BinarySearch(times, begins+1)
	if k := departures.Onset(vals, first, r.Departure); k >= 0 {
		return times[k]
	}
	if k := slices.IndexFunc(vals[first:], r.Left); k >= 0 {
		return times[first+k]
	}
	return grid.At(at)
}

// recorded returns the values of a series in its records: of a level those that were seen, of a
// rate those of the time since the record before.
func (e *explanation) recorded(d *departed, from, to pcp.Time) (times []pcp.Time, vals []float64) {
	if d.command != "" {
		return e.sampled(d, from, to)
	}
	marks := e.src.markTimes()
	raw := interp.RawRate(interp.Logged(d.line.obs, from, to, e.pace.over(d.line.obs)), marks, interp.Options{Stop: e.pace.each(0)})
	if e.pace.ended != nil || len(raw.Vectors) == 0 {
		return nil, nil
	}
	v := raw.Vectors[0]
	kept := analysis.WithoutCrowded(raw.Times, marks)
	for i, t := range raw.Times {
		if len(times) == len(kept) || t != kept[len(times)] {
			continue
		}
		x := []float64{math.NaN()}
		if v.Missing(i) == series.HasValue {
			x[0] = series.Float(raw.Desc.Type, v.Vals[i])
		}
		ofCPUs(e.host, d.metric, series.Grid{Start: t, Step: 1, Count: 1}, x)
		times, vals = append(times, t), append(vals, x[0])
	}
	return times, vals
}

// sampled returns the CPU time of a command in the samples of processes. What was used before a
// sample is that of the step which has the sample, far from both ends of it.
func (e *explanation) sampled(d *departed, from, to pcp.Time) (times []pcp.Time, vals []float64) {
	p, err := e.src.accounts(e.ctx)
	if p == nil || err != nil {
		return nil, nil
	}
	samples := p.Times(pcp.Span{Start: from, End: to})
	if len(samples) == 0 {
		return nil, nil
	}
	near := series.Grid{Start: samples[0] - pcp.Time(e.interval/2), Step: e.interval, Count: int(min(maxSparkPoints, int64(to-samples[0])/e.interval+2))}
	for k, v := range e.finely(d, e.on(near)) {
		i, _ := slices.BinarySearch(samples, near.At(k-1)+1) // where samples are several steps apart, each step up to it has what it says
		if k > 0 && i < len(samples) && (len(times) == 0 || times[len(times)-1] < samples[i]) {
			times, vals = append(times, samples[i]), append(vals, v)
		}
	}
	return times, vals
}
