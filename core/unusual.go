package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/dashboard"
	"pcpscope/core/sorting"
	"pcpscope/core/trend"
)

const (
	minOthers    = 4  // hours on other days needed for a comparison
	minHoursOut  = 2  // hours out of the band that make a day unusual
	farOut       = 3  // widths of the band: one hour so far out is enough
	maxUnusual   = 12 // days that are reported
	maxReasons   = 4  // measures that are reported for a day
	minHalfOfDay = 12 // hours
)

// measured is a measure by the hours of a calendar.
type measured struct {
	measure
	hourly
	units string

	differ      float64 // see spread
	spreadKnown bool
	sorted      map[dayKind][]float64 // see sortedOf
}

// dayKind is an hour on a set of weekdays, when the host's clock was so far ahead.
type dayKind struct {
	days  weekdaySet
	hour  int
	ahead int
}

// weekdaySet has a bit for each day of the week, Sunday's the lowest.
type weekdaySet uint8

const (
	weekend weekdaySet = 1<<0 | 1<<6
	anyDay  weekdaySet = 1<<7 - 1
)

// UnusualDays returns the days that differed from the source's other days, by
// the measures most telling of a host, the most unusual first. It waits until
// the source has been read.
func (s *Session) UnusualDays(ctx context.Context, q api.UnusualQuery, progress func(api.Progress)) ([]api.UnusualDay, error) {
	src, c, err := s.calendar(ctx, q.Source, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return nil, err
	}
	measures, err := src.usualMeasures(ctx)
	if err != nil {
		return nil, err
	}
	var list []measured
	for _, m := range measures {
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		h, units, err := src.byHours(ctx, c, &m)
		if ctx.Err() != nil {
			return nil, cancelled()
		}
		if err == nil {
			list = append(list, measured{measure: m, hourly: h, units: units})
		}
	}
	return unusualDays(c, list), nil
}

// usualMeasures are the measures by which days are compared, each with the
// smallest difference that matters.
func (src *source) usualMeasures(ctx context.Context) ([]measure, error) {
	md, err := src.shown(ctx)
	if err != nil {
		return nil, err
	}
	cpus := 1.0
	h, p := src.host(ctx)
	defer p.release()
	if p.ended != nil {
		return nil, p.ended
	}
	if h.CPUs > 1 {
		cpus = h.CPUs
	}
	var list []measure
	for _, d := range md.accounting.DayMeasures() {
		if expr, _, _ := dashboard.Choose(d.Exprs, md); expr != "" {
			floor := d.Floor
			if d.PerCPU {
				floor *= cpus
			}
			list = append(list, measure{name: d.Name, expression: expr, floor: floor, share: d.Share, rises: d.Rises, unit: d.Unit})
		}
	}
	if len(list) == 0 {
		pulse := md.accounting.Pulse()
		if expr, _, _ := dashboard.Choose(pulse.Exprs, md); expr != "" {
			list = append(list, measure{name: pulse.Name, expression: expr, unit: pulse.Unit})
		}
	}
	return list, nil
}

// spread is the range of the hourly averages, without the tenth at either end.
func (m *measured) spread() float64 {
	if !m.spreadKnown {
		var all []float64
		for cell := range m.average {
			if m.compared(cell) {
				all = append(all, m.average[cell])
			}
		}
		if m.spreadKnown = true; len(all) > 0 {
			slices.Sort(all)
			m.differ = trend.Quantile(all, 0.9) - trend.Quantile(all, 0.1)
		}
	}
	return m.differ
}

// usual returns the median of the averages of each hour of the week, and the
// band from 10 to 90 % of them.
func (c *calendar) usual(h *hourly) (median, p10, p90, weeks []float64) {
	seen := make([][]float64, hoursOfWeek)
	for d, day := range c.days {
		for hour := range hoursOfDay {
			if cell := d*hoursOfDay + hour; h.compared(cell) {
				at := day.Weekday*hoursOfDay + hour
				seen[at] = append(seen[at], h.average[cell])
			}
		}
	}
	for _, list := range seen {
		m, lo, hi := math.NaN(), math.NaN(), math.NaN()
		if len(list) >= minWeeks {
			slices.Sort(list)
			m, lo, hi = trend.Quantile(list, 0.5), trend.Quantile(list, 0.1), trend.Quantile(list, 0.9)
		}
		median, p10, p90, weeks = append(median, m), append(p10, lo), append(p90, hi), append(weeks, float64(len(list)))
	}
	return median, p10, p90, weeks
}

// quantileWithout is trend.Quantile without the value at one index.
func quantileWithout(sorted []float64, without int, q float64) float64 {
	at := func(k int) float64 {
		if k >= without {
			k++
		}
		return sorted[k]
	}
	n := len(sorted) - 1
	place := float64(n-1) * q
	k := int(place)
	if k+1 >= n {
		return at(n - 1)
	}
	return at(k) + (place-float64(k))*(at(k+1)-at(k))
}

// A peer is a set of days to compare a day with, and its name.
type peer struct {
	name string
	days weekdaySet
}

var weekdays = [...]string{"Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"}

// peersOf returns the peers of a weekday, the most similar first.
func peersOf(weekday int) []peer {
	alike := peer{"other working days", anyDay &^ weekend}
	if weekend>>weekday&1 != 0 {
		alike = peer{"other weekend days", weekend}
	}
	return []peer{{"other " + weekdays[weekday], 1 << weekday}, alike, {"other days", anyDay}}
}

// unusualDays finds days on which measures left the band of their peers by more
// than its width, or by more than the smallest difference that matters.
func unusualDays(c *calendar, list []measured) []api.UnusualDay {
	days := []api.UnusualDay{}
	for d, day := range c.days {
		u := api.UnusualDay{Date: day.Date, Start: day.Start, End: day.End}
		for i := range list {
			if r, score := c.unusual(d, &list[i]); score > 0 {
				u.Score += score
				at, _ := slices.BinarySearchFunc(u.Reasons, score, func(have api.UnusualReason, s float64) int { return cmp.Compare(s, have.Score) })
				u.Reasons = slices.Insert(u.Reasons, at, r)
			}
		}
		if len(u.Reasons) == 0 {
			continue
		}
		u.Reasons = u.Reasons[:min(len(u.Reasons), maxReasons)]
		var texts []string
		for _, r := range u.Reasons {
			texts = append(texts, r.Text)
		}
		u.Text = strings.Join(texts, "; ")
		days = append(days, u)
	}
	sorting.Stable(days, func(a, b api.UnusualDay) int { return cmp.Compare(b.Score, a.Score) })
	return days[:min(len(days), maxUnusual)]
}

// band is the range of an hour's averages on most other days.
type band struct{ low, high, width float64 }

// sortedOf returns the averages of an hour on a kind of day, sorted. It is
// cached: a damaged timestamp may make an archive span thousands of days.
func (c *calendar) sortedOf(m *measured, k dayKind) []float64 {
	list, known := m.sorted[k]
	if !known {
		for d, day := range c.days {
			if cell := d*hoursOfDay + k.hour; k.days>>day.Weekday&1 != 0 && c.aheadOn(d) == k.ahead && m.compared(cell) {
				list = append(list, m.average[cell])
			}
		}
		slices.Sort(list)
		if m.sorted == nil {
			m.sorted = map[dayKind][]float64{}
		}
		m.sorted[k] = list
	}
	return list
}

// aheadOn is by how much the host's clock was ahead of the calendar's zone on a day, in seconds.
func (c *calendar) aheadOn(d int) int {
	if c.ahead == nil {
		return 0
	}
	return c.ahead[d]
}

// bandOf returns the band of a day's peers at an hour; false if there are too
// few.
func (c *calendar) bandOf(d, hour int, m *measured, p peer) (band, bool) {
	all := c.sortedOf(m, dayKind{p.days, hour, c.aheadOn(d)})
	if len(all)-1 < minOthers {
		return band{}, false
	}
	own, _ := slices.BinarySearch(all, m.average[d*hoursOfDay+hour])
	others := func(q float64) float64 { return quantileWithout(all, own, q) }
	b := band{low: others(0.1), high: others(0.9)}
	floor := m.floor
	if floor == 0 { // no threshold: a quarter of the usual value, or half the spread of all hours
		floor = max(math.Abs(others(0.5))/4, m.spread()/2)
	}
	b.width = max(b.high-b.low, floor, m.share*math.Abs(others(0.5)))
	return b, b.width > 0
}

// unusual compares a day with its peers by one measure; the score is 0 if it is
// not unusual.
func (c *calendar) unusual(d int, m *measured) (api.UnusualReason, float64) {
	var r api.UnusualReason
	hours := 0 // that can be compared at all
	for hour := range hoursOfDay {
		if m.compared(d*hoursOfDay + hour) {
			hours++
		}
	}
	for _, p := range peersOf(c.days[d].Weekday) {
		var bands [hoursOfDay]band
		var out [hoursOfDay]float64 // widths beyond the band, negative below it
		known, worst, score, n := 0, 0, 0.0, 0
		for hour := range hoursOfDay {
			cell := d*hoursOfDay + hour
			if !m.compared(cell) {
				continue
			}
			b, ok := c.bandOf(d, hour, m, p)
			if !ok {
				continue
			}
			known++
			bands[hour] = b
			switch v := m.average[cell]; {
			case v > b.high+b.width:
				out[hour] = (v - b.high) / b.width
			case v < b.low-b.width && !m.rises:
				out[hour] = (v - b.low) / b.width
			}
			if far := math.Abs(out[hour]); far > 0 {
				n++
				score += math.Log2(1 + far)
				if far > math.Abs(out[worst]) {
					worst = hour
				}
			}
		}
		if known == 0 || known < min(hours, minHalfOfDay) {
			continue // too few of this kind
		}
		if n < minHoursOut && math.Abs(out[worst]) <= farOut {
			return r, 0
		}
		from, to := worst, worst+1 // the stretch around the worst hour, on its side
		for from > 0 && out[from-1]*out[worst] > 0 {
			from--
		}
		for to < hoursOfDay && out[to]*out[worst] > 0 {
			to++
		}
		r = api.UnusualReason{Name: m.name, Expression: m.expression, Units: m.units, Hours: n, Score: score, Against: p.name}
		if m.unit != "" {
			r.Units = m.unit
		}
		r.Start, r.End = c.spans[d*hoursOfDay+from].Start, c.spans[d*hoursOfDay+to-1].End
		for hour := from; hour < to; hour++ {
			k := float64(to - from)
			r.Value += m.average[d*hoursOfDay+hour] / k
			r.Low, r.High = r.Low+bands[hour].low/k, r.High+bands[hour].high/k
		}
		r.Text = m.words(&r, from, to)
		return r, score
	}
	return r, 0
}

// words says what was unusual.
func (m *measured) words(r *api.UnusualReason, from, to int) string {
	value := func(v float64) string {
		if strings.HasPrefix(m.unit, "%") {
			return analysis.Number(v) + " %"
		}
		return analysis.Quantity(v, m.units)
	}
	name := m.name
	if m.instance != nil {
		name += "[" + m.instance.Name + "]"
	}
	usually := value(r.Low) + " to " + value(r.High)
	if value(r.Low) == value(r.High) {
		usually = value(r.Low)
	}
	clock := func(hour int) string { return time.Date(2000, 1, 1, 0, hour*60, 0, 0, time.UTC).Format("15:04") }
	end := clock(to)
	if to == hoursOfDay {
		end = "24:00"
	}
	return fmt.Sprintf("%s %s from %s to %s, usually %s (%s)", name, value(r.Value), clock(from), end, usually, r.Against)
}
