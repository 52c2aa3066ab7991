package core

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
)

// Cadences says how often metrics or expressions were logged over the whole source,
// in the order of names; unknown ones have no records. With partial, only what has
// been read so far counts; else it waits until all has been.
func (s *Session) Cadences(ctx context.Context, id api.SourceID, names []string, partial bool) ([]api.Cadence, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	if !partial {
		if err := src.wait(ctx, nil); err != nil {
			return nil, err
		}
	}
	r := cadences{src: src, extent: src.extent(), pace: s.newPace(ctx), buffers: make([]archive.Buffer, len(src.parts))}
	for i := range r.buffers {
		r.buffers[i].TimesOnly, r.buffers[i].Voids = true, true
	}
	start, end := src.span()
	r.window = window{start, end}
	var read api.Frame
	src.reportExtent(&read, r.window, &r.extent)
	r.readTo = read.ReadTo
	list := make([]api.Cadence, 0, len(names))
	for _, name := range names {
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		c := r.of(r.times(name))
		c.Instances = src.everNamed(name)
		list = append(list, c)
	}
	return list, r.pace.ended
}

// everNamed returns how many instances the domain of a metric has; 0 without one.
func (src *source) everNamed(name string) int {
	desc := pcp.Desc{InDom: pcp.NullInDom}
	if ms, known := src.lookup(name); known {
		desc = descOf(ms)
	} else if b, err := src.bind(name); err == nil {
		desc = b.Desc
	}
	if desc.InDom == pcp.NullInDom {
		return 0
	}
	return len(src.instanceList(desc.InDom))
}

// cadences computes cadences. Metrics that were logged together have theirs computed once.
type cadences struct {
	src     *source
	extent  readState
	window  window
	readTo  *pcp.Time // what is later has not been read
	pace    *pace
	buffers []archive.Buffer
	known   []metricCadence
}

type metricCadence struct {
	times   []pcp.Time
	cadence api.Cadence
}

// times lists when a metric was logged, or an operand of an expression: as Fetch does in
// raw mode.
func (r *cadences) times(name string) (list []pcp.Time) {
	if ms, known := r.src.lookup(name); known {
		return r.logged(ms)
	}
	b, err := r.src.bind(name)
	if err != nil {
		return nil
	}
	for _, operand := range b.Operands {
		if ms, known := r.src.lookup(operand); known {
			list = append(list, r.logged(ms)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// logged lists when a metric was logged.
func (r *cadences) logged(ms []*archive.Metric) (list []pcp.Time) {
	ordered := true
	add := func(times []pcp.Time) {
		from, _ := slices.BinarySearch(times, r.window.from)
		to, _ := slices.BinarySearch(times, r.window.to+1)
		if from < to {
			ordered = ordered && (len(list) == 0 || list[len(list)-1] <= times[from])
			list = append(list, times[from:to]...)
		}
	}
	for _, o := range r.src.timelineIn(r.buffers, ms, r.extent).obs {
		if o == nil {
			continue
		}
		add(o.Times)
		for _, v := range o.Voids {
			add([]pcp.Time{v.Time})
		}
	}
	if r.pace.rest(len(list)); !ordered {
		slices.Sort(list)
	}
	return slices.Compact(list)
}

// of returns the cadence of records at times.
func (r *cadences) of(times []pcp.Time) api.Cadence {
	if r.readTo != nil { // what comes later is seen here and there
		n, _ := slices.BinarySearch(times, *r.readTo+1)
		times = times[:n]
	}
	for _, k := range r.known {
		if slices.Equal(k.times, times) {
			return k.cadence
		}
	}
	seconds := make([]float64, len(times))
	for i, t := range times {
		seconds[i] = float64(t-r.window.from) / 1e9
	}
	r.pace.rest(16 * len(times))
	between := chart.Between(seconds, r.src.marksAfter(r.window.from, r.window.from, r.window.to, seconds))
	c := api.Cadence{Records: len(times)}
	c.Usual = int(chart.UsualGap(between))
	c.Closest = int(chart.ClosestGap(between, int64(c.Usual)))
	if len(between) > 0 {
		c.Least = int(slices.Min(between) * 1e9)
	}
	r.known = append(r.known, metricCadence{times, c})
	return c
}
