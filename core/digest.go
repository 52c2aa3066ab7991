package core

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/dashboard"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Digest summarises a day, or some other number of hours, of a source: enough
// to compare it with other days and hosts without its archive.
type Digest struct {
	Series   []DigestSeries
	Findings []api.Finding   // as analysis finds them in these hours alone
	Recorded []float64       // seconds of each hour covered by records
	Labels   json.RawMessage // of the host: a JSON object
	Host     string
	Timezone string
}

// A DigestSeries is one measure, or one series of a metric, by hours. NaN means
// that nothing was observed in that hour.
//
// Hour i is the time after its start up to and including its end, like the
// steps of a fetch with an interval of an hour: Mean, Min, Max and P95 are the
// results of that fetch with each reduction, over all observations, counters as
// rates.
type DigestSeries struct {
	Metric   string // name of the metric, or ID of the measure
	Instance *api.InstanceRef
	Measure  bool // one of dashboard.FleetMeasures
	Units    string
	Figures
}

// One value for each hour.
type Figures struct {
	Count, Mean, Min, Max, Median, P95, P99 []float64
}

// Digest summarises hours of a source: the measures by which hosts are
// compared, and every series of the given metrics that are logged. It waits
// until the source has been read.
func (s *Session) Digest(ctx context.Context, id api.SourceID, from pcp.Time, hours int, metrics []string) (Digest, error) {
	src, err := s.source(id)
	if err != nil {
		return Digest{}, err
	}
	const maxHours = 24 * 366
	if hours < 1 || hours > maxHours {
		return Digest{}, pcp.Faultf(pcp.BadArgument, "The number of hours, %d, is not between 1 and %d.", hours, maxHours)
	}
	if err := src.wait(ctx, nil); err != nil {
		return Digest{}, err
	}
	about := src.describe()
	grid := series.Grid{Start: from, Step: int64(time.Hour), Count: hours + 1}
	d := Digest{Host: about.Host, Timezone: about.Timezone, Labels: src.hostLabels(), Findings: []api.Finding{}}
	measures, err := src.fleetMeasures(ctx)
	if err != nil {
		return d, err
	}
	for _, m := range measures {
		list, err := s.digest(ctx, src, grid, m.expression)
		if err != nil {
			return d, err
		}
		for _, one := range list {
			one.Metric, one.Instance, one.Measure, one.Units = m.ID, nil, true, m.Unit
			d.Series = append(d.Series, one)
		}
	}
	for _, name := range metrics {
		ms, known := src.lookup(name)
		if !known || !descOf(ms).Type.Numeric() {
			continue
		}
		list, err := s.digest(ctx, src, grid, name)
		if err != nil {
			return d, err
		}
		d.Series = append(d.Series, list...)
	}
	span := pcp.Span{Start: from, End: grid.At(hours)}
	if about.Kind == "archive" {
		h, p := src.hostIn(ctx, span)
		defer p.release()
		if _, d.Findings = h.Judge(); p.ended != nil {
			return d, p.ended
		}
		analysis.SortFindings(d.Findings)
	}
	d.Recorded, err = src.recordedIn(ctx, grid)
	return d, err
}

// A fleetMeasure is a measure with the expression that computes it from a
// source.
type fleetMeasure struct {
	dashboard.FleetMeasure
	expression string
}

func (src *source) fleetMeasures(ctx context.Context) (list []fleetMeasure, err error) {
	md, err := src.shown(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range md.accounting.FleetMeasures() {
		if expr, _, _ := dashboard.Choose(m.Exprs, md); expr != "" {
			list = append(list, fleetMeasure{m, expr})
		}
	}
	return list, nil
}

// digest reduces a metric or expression to the steps of a grid. It leaves out
// what cannot be computed here: another host may have it.
func (s *Session) digest(ctx context.Context, src *source, grid series.Grid, name string) ([]DigestSeries, error) {
	if err := s.proceed(ctx); err != nil {
		return nil, err
	}
	first, last := src.span()
	w := window{max(first, grid.Start), min(last, grid.At(grid.Count-1))}
	if w.to < w.from {
		return nil, nil
	}
	x, err := src.recordedExtent(ctx)
	if err != nil {
		return nil, err
	}
	line, err := src.observed(ctx, name, w, x, true, false)
	switch {
	case ctx.Err() != nil:
		return nil, cancelled()
	case err != nil || line.allNil():
		return nil, nil
	}
	e := src.newEvaluation(grid)
	defer e.done()
	e.ctx = ctx
	list := interp.NewReducer(line.segs, grid, w.to, interp.Mean, interp.Options{Stop: e.stop}).Counted().Distributed().Metric(line.obs)
	if e.ended != nil {
		return nil, e.ended
	}
	desc := descOfLine(line)
	units := interp.SummaryUnits(desc).String()
	names := src.inDom(desc.InDom)
	var out []DigestSeries
	for i := range list {
		r := &list[i]
		one := DigestSeries{Metric: name, Units: units, Figures: Figures{r.Count[1:], r.Values[1:], r.Low[1:], r.High[1:], r.Median[1:], r.P95[1:], r.P99[1:]}}
		if !slices.ContainsFunc(one.Mean, func(v float64) bool { return !math.IsNaN(v) }) {
			continue // seen only at the very start of the first hour
		}
		if desc.InDom != pcp.NullInDom {
			one.Instance = &api.InstanceRef{ID: r.Inst, Name: text(names.nameOf(r.Inst))}
		}
		out = append(out, one)
	}
	return out, nil
}

// outages are when nothing was recorded.
func (src *source) outages(ctx context.Context) ([]api.Outage, error) {
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	defer src.insight.mu.Unlock()
	if err := src.survey(ctx); err != nil {
		return nil, err
	}
	if src.insight.outages == nil {
		recording, _ := src.recording(usually(src.insight.coverage))
		src.insight.outages = recording.Outages
	}
	return src.insight.outages, nil
}

// recordedIn returns how many seconds of each step of a grid were recorded.
func (src *source) recordedIn(ctx context.Context, grid series.Grid) ([]float64, error) {
	lost, err := src.outages(ctx)
	if err != nil {
		return nil, err
	}
	first, last := src.span()
	out := make([]float64, grid.Count-1)
	for i := range out {
		from, to := max(first, grid.At(i)), min(last, grid.At(i+1))
		if from < to {
			out[i] = recordedIn(pcp.Span{Start: from, End: to}, lost)
		}
	}
	return out, nil
}

// recordedIn is how many seconds of a span were recorded.
func recordedIn(span pcp.Span, outages []api.Outage) float64 {
	seconds := span.End.Since(span.Start)
	for _, o := range outages {
		if from, to := max(o.Start, span.Start), min(o.End, span.End); from < to {
			seconds -= to.Since(from)
		}
	}
	return max(0, seconds)
}

// hostLabels returns the host's context labels at the end of the source; nil if
// it has none.
func (src *source) hostLabels() json.RawMessage {
	for _, p := range slices.Backward(src.parts) {
		if a, ok := p.(recorded); ok {
			if l := a.ContextLabels(a.End()); l != "" && l != "{}" {
				return labelsOf(l)
			}
		}
	}
	return labelsOf("")
}
