package core

import (
	"context"
	"math"
	"slices"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/zone"
)

const (
	hoursOfDay  = 24
	hoursOfWeek = 7 * hoursOfDay
	maxDays     = 10_000
	minWeeks    = 3    // in which an hour of the week was seen, for it to have a band
	minCovered  = 0.25 // of an hour, for its average to be comparable
	maxAhead    = 4    // different times by which a host's clock is ahead
)

// A calendar is the days of a window in a zone, laid over the steps of a grid.
type calendar struct {
	days  []api.Day
	grid  series.Grid
	cells []int // index of the hour of each step after the first
	spans []pcp.Span
	ahead []int // of each day, in seconds: see source.ahead; nil if the host's clock always was that of the zone
}

// midnight is when a day begins: at 01:00 where summer time begins at midnight, which is
// then in no zone's day, as in Chile and Cuba; at the first of two where it ends at 01:00.
func midnight(year int, month time.Month, day int, loc *time.Location) time.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, loc)
	if t.Hour() > 12 { // of the day before
		_, t = t.ZoneBounds()
	}
	return zone.Same(t)[0]
}

// calendarOf lays out the days that a window touches. Steps are hours, or
// quarters of an hour if the zone's offset changes by less than an hour.
func calendarOf(w window, loc *time.Location) (*calendar, error) {
	at := w.from.Std().In(loc)
	day := midnight(at.Year(), at.Month(), at.Day(), loc)
	c := &calendar{}
	step := int64(time.Hour)
	for end := w.to.Std(); !day.After(end); {
		if len(c.days) == maxDays {
			return nil, pcp.Faultf(pcp.BadArgument, "The window has more than %d days; ask for a shorter one.", maxDays)
		}
		next := midnight(day.Year(), day.Month(), day.Day()+1, loc)
		d := api.Day{Date: day.Format(time.DateOnly), Weekday: int(day.Weekday()), Start: pcp.Time(day.UnixNano()), End: pcp.Time(next.UnixNano())}
		if d.End < d.Start { // overflow of nanoseconds
			break
		}
		c.days = append(c.days, d)
		if next.Sub(day)%time.Hour != 0 || day.Minute() != 0 {
			step = int64(15 * time.Minute)
		}
		day = next
	}
	if len(c.days) == 0 {
		return nil, w.reversed()
	}
	start, end := c.days[0].Start, c.days[len(c.days)-1].End
	c.grid = series.Grid{Start: start, Step: step, Count: int(int64(end-start)/step) + 1}
	c.spans = make([]pcp.Span, len(c.days)*hoursOfDay)
	d := 0
	for i := 1; i < c.grid.Count; i++ {
		from, to := c.grid.At(i-1), c.grid.At(i)
		for d+1 < len(c.days) && from >= c.days[d].End {
			d++
		}
		cell := d*hoursOfDay + from.Std().In(loc).Hour()
		if c.cells = append(c.cells, cell); c.spans[cell].End == 0 {
			c.spans[cell].Start = from
		}
		c.spans[cell].End = to
	}
	return c, nil
}

// hourly holds one measure by the hours of a calendar.
type hourly struct {
	average, minimum, maximum, count, covered []float64
}

func (c *calendar) lay(d *interp.Reduced) hourly {
	n := len(c.days) * hoursOfDay
	h := hourly{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		h.average[i], h.minimum[i], h.maximum[i] = math.NaN(), math.NaN(), math.NaN()
		if c.spans[i].End == 0 { // an hour skipped by daylight saving
			h.count[i], h.covered[i] = math.NaN(), math.NaN()
		}
	}
	if d == nil {
		return h
	}
	area, lasted, points, alone, steps := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	note := func(step, cell int) {
		v := d.Values[step]
		if math.IsNaN(v) {
			return
		}
		if math.IsNaN(h.minimum[cell]) {
			h.minimum[cell], h.maximum[cell] = d.Low[step], d.High[step]
		}
		h.minimum[cell], h.maximum[cell] = min(h.minimum[cell], d.Low[step]), max(h.maximum[cell], d.High[step])
		h.count[cell] += d.Count[step]
		if t := d.Lasted[step]; t > 0 {
			steps[cell]++
			h.average[cell] = v // unchanged, if the hour is one step
			area[cell], lasted[cell] = area[cell]+v*t, lasted[cell]+t
		} else {
			points[cell], alone[cell] = points[cell]+v, alone[cell]+1
		}
	}
	note(0, c.cells[0]) // the observation at the very start of the first day
	for i, cell := range c.cells {
		note(i+1, cell)
	}
	for i := range n {
		switch {
		case lasted[i] > 0:
			if steps[i] > 1 {
				h.average[i] = area[i] / lasted[i]
			}
			h.covered[i] = min(1, lasted[i]/c.spans[i].End.Since(c.spans[i].Start))
		case alone[i] > 0:
			h.average[i] = points[i] / alone[i]
		}
	}
	return h
}

// compared reports whether an hour has enough data for its average to be
// compared.
func (h *hourly) compared(cell int) bool {
	return h.covered[cell] >= minCovered && !math.IsNaN(h.average[cell]) && !math.IsInf(h.average[cell], 0)
}

// Days returns a measure by days and hours, computed from all observations,
// with the usual band of each hour of the week and the days that differed from
// others. It waits until the source has been read.
func (s *Session) Days(ctx context.Context, q api.DaysQuery, progress func(api.Progress)) (api.Days, error) {
	src, c, err := s.calendar(ctx, q.Source, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return api.Days{}, err
	}
	m, err := src.measure(q)
	if err != nil {
		return api.Days{}, err
	}
	h, units, err := src.byHours(ctx, c, &m)
	if err != nil {
		return api.Days{}, err
	}
	o, err := src.overview(ctx)
	if err != nil {
		return api.Days{}, err
	}
	out := api.Days{Metric: q.Metric, Instance: m.instance, Aggregate: m.aggregate, Units: units, Days: c.days,
		Average: h.average, Minimum: h.minimum, Maximum: h.maximum, Count: h.count, Covered: h.covered,
		Outages: []api.Outage{}, Boots: []pcp.Time{}}
	span := pcp.Span{Start: c.days[0].Start, End: c.days[len(c.days)-1].End}
	for _, x := range o.Recording.Outages {
		if x.Start < span.End && x.End > span.Start {
			out.Outages = append(out.Outages, x)
		}
	}
	for _, b := range o.Boots {
		if b >= span.Start && b < span.End {
			out.Boots = append(out.Boots, b)
		}
	}
	for d, day := range c.days {
		if src.hasRecords(pcp.Span{Start: day.Start, End: day.End - 1}) && slices.ContainsFunc(h.count[d*hoursOfDay:(d+1)*hoursOfDay], func(n float64) bool { return n > 0 }) {
			out.Observed++
		}
	}
	out.Median, out.P10, out.P90, out.Weeks = c.usual(&h)
	out.Unusual = unusualDays(c, []measured{{measure: m, hourly: h, units: units}})
	return out, nil
}

// calendar lays out the days of a window of a source that has been read.
func (s *Session) calendar(ctx context.Context, id api.SourceID, start, end *api.When, zone string, progress func(api.Progress)) (*source, *calendar, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, nil, err
	}
	w, err := s.windowOnceRead(ctx, src, start, end, zone, progress)
	if err != nil {
		return nil, nil, err
	}
	loc, err := s.locationOrUTC(src, zone)
	if err != nil {
		return nil, nil, err
	}
	c, err := calendarOf(w, loc)
	if err == nil {
		c.ahead = src.ahead(c.days, loc)
	}
	return src, c, err
}

// ahead is by how many seconds the host's clock was ahead of a zone on each day: see aheads.
func (src *source) ahead(days []api.Day, loc *time.Location) []int {
	changes := src.aheads(loc)
	if len(changes) < 2 {
		return nil
	}
	list, now := make([]int, len(days)), changes[0].by
	for d, day := range days {
		noon := day.Start + (day.End-day.Start)/2
		for len(changes) > 0 && changes[0].from <= noon {
			now, changes = changes[0].by, changes[1:]
		}
		list[d] = now
	}
	return list
}

// An ahead is by how many seconds the host's clock was ahead of a zone from a time on.
type ahead struct {
	from pcp.Time
	by   int
}

// aheads lists by how much the host's clock was ahead of a zone, by the labels of the archives:
// those of version 2 may say no more of summer time than that the offset is another one. What
// the host does by its clock then moves from one hour of the zone to another.
func (src *source) aheads(loc *time.Location) (list []ahead) {
	type own struct{ timezone, zoneinfo string }
	known, differ := map[own]*time.Location{}, map[int]bool{}
	for _, p := range src.parts {
		a, ok := p.(recorded)
		if !ok {
			continue
		}
		l := own{a.Label().Timezone, a.Label().Zoneinfo}
		if known[l] == nil {
			at, err := src.session.loadZone(src.session.ownZone(l.timezone, l.zoneinfo))
			if err != nil {
				at = loc
			}
			known[l] = at
		}
		_, there := p.Start().Std().In(known[l]).Zone()
		_, here := p.Start().Std().In(loc).Zone()
		if by := there - here; len(list) == 0 || by != list[len(list)-1].by {
			list, differ[by] = append(list, ahead{p.Start(), by}), true
		}
	}
	if len(differ) > maxAhead { // no host moves so often
		return nil
	}
	return list
}

// A measure is one series: one instance of a metric, or an aggregate of
// several.
type measure struct {
	name       string // for people
	expression string
	aggregate  string
	instance   *api.InstanceRef
	floor      float64 // smallest difference that matters; 0 if not known
	rises      bool    // a value below the usual one is not unusual
	share      float64 // floor as a fraction of the usual value
	unit       string  // "%" and so on, if more telling than the expression's own
}

var aggregates = []string{"sum", "avg", "max", "min"}

// measure works out which series a query means.
func (src *source) measure(q api.DaysQuery) (measure, error) {
	m := measure{name: q.Metric, expression: q.Metric}
	if q.Aggregate != "" && !slices.Contains(aggregates, q.Aggregate) {
		return m, pcp.Faultf(pcp.BadArgument, "The aggregate %q is not one of \"sum\", \"avg\", \"max\" and \"min\".", q.Aggregate)
	}
	var desc pcp.Desc
	if ms, known := src.lookup(q.Metric); known {
		desc = descOf(ms)
	} else {
		b, err := src.bind(q.Metric)
		if err != nil {
			return m, err
		}
		desc = b.Desc
	}
	if !desc.Type.Numeric() {
		return m, pcp.Faultf(pcp.BadArgument, "%s is not numeric.", q.Metric)
	}
	switch {
	case desc.InDom == pcp.NullInDom:
	case q.Instance != "":
		for _, in := range src.inDom(desc.InDom).list {
			if in.Name == q.Instance || m.instance == nil && firstWord(in.Name) == q.Instance {
				m.instance = &api.InstanceRef{ID: in.ID, Name: text(in.Name)}
			}
		}
		if m.instance == nil {
			return m, pcp.Faultf(pcp.UnknownInstance, "%s has no instance %s.", q.Metric, q.Instance)
		}
	default:
		if m.aggregate = q.Aggregate; m.aggregate == "" {
			m.aggregate = "avg"
			if desc.Sem == pcp.Counter || desc.Units.Count != 0 || desc.Units.Space != 0 {
				m.aggregate = "sum"
			}
		}
		inner := q.Metric
		if desc.Sem == pcp.Counter {
			inner = "rate(" + inner + ")"
		}
		m.expression = m.aggregate + "(" + inner + ")"
	}
	return m, nil
}

// byHours reduces a measure to the hours of a calendar.
func (src *source) byHours(ctx context.Context, c *calendar, m *measure) (hourly, string, error) {
	first, last := src.span()
	w := window{max(first, c.days[0].Start), min(last, c.days[len(c.days)-1].End)}
	x, err := src.recordedExtent(ctx)
	if err != nil {
		return hourly{}, "", err
	}
	line, err := src.observed(ctx, m.expression, w, x, true, false)
	switch {
	case ctx.Err() != nil:
		return hourly{}, "", cancelled()
	case err != nil:
		return hourly{}, "", err
	}
	units := interp.SummaryUnits(descOfLine(line)).String()
	if line.allNil() {
		return c.lay(nil), units, nil
	}
	e := src.newEvaluation(c.grid)
	defer e.done()
	e.ctx = ctx
	r := interp.NewReducer(line.segs, c.grid, w.to, interp.Mean, interp.Options{Stop: e.stop}).Counted()
	list := r.Metric(line.only(m.instance))
	if e.ended != nil {
		return hourly{}, "", e.ended
	}
	if len(list) == 0 {
		return c.lay(nil), units, nil
	}
	return c.lay(&list[0]), units, nil
}

func (line timeline) allNil() bool {
	return !slices.ContainsFunc(line.obs, func(o *series.Observations) bool { return o != nil })
}

// only returns the observations of one instance; of a nil reference, those of a
// metric without instances.
func (line timeline) only(in *api.InstanceRef) []*series.Observations {
	if in == nil {
		return line.obs
	}
	out := make([]*series.Observations, len(line.obs))
	for i, o := range line.obs {
		if o == nil {
			continue
		}
		one := *o
		one.Series = slices.DeleteFunc(slices.Clone(o.Series), func(s series.Series) bool { return s.Inst != in.ID })
		out[i] = &one
	}
	return out
}
