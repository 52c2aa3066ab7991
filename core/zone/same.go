package zone

import "time"

// Same lists the moments at which a clock in the zone of t shows what it shows
// at t, in order: two in the hour that is repeated when summer time ends.
func Same(t time.Time) []time.Time {
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
