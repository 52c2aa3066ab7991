package when

import (
	"time"

	"pcpscope/core/zone"
)

// within returns the first moment from start to end at which a clock shows what
// it shows at t, or else t: when summer time ends, an hour of local time occurs
// twice.
func within(t, start, end time.Time) time.Time {
	for _, at := range zone.Same(t) {
		if !at.Before(start) && !at.After(end) {
			return at
		}
	}
	return t
}
