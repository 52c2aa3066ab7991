package when

import "time"

// within returns the first moment from start to end at which a clock shows what
// it shows at t, or else t: when summer time ends, an hour of local time occurs
// twice.
func within(t, start, end time.Time) time.Time {
	for _, at := range sameClock(t) {
		if !at.Before(start) && !at.After(end) {
			return at
		}
	}
	return t
}

// sameClock lists the moments at which a clock shows what it shows at t, in
// order.
func sameClock(t time.Time) []time.Time {
	list := []time.Time{t}
	from, to := t.ZoneBounds()
	if !from.IsZero() {
		if other := t.Add(east(t) - east(from.Add(-1))); other.Before(from) {
			list = []time.Time{other, t}
		}
	}
	if !to.IsZero() {
		if other := t.Add(east(t) - east(to)); !other.Before(to) {
			list = append(list, other)
		}
	}
	return list
}

// east is how far a clock is ahead of UTC.
func east(t time.Time) time.Duration {
	_, seconds := t.Zone()
	return time.Duration(seconds) * time.Second
}
