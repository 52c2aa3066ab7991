package format

import (
	"time"

	"pcpscope/core/zone"
)

// OffsetOf returns the offsets of a zone that is written as the TZ variable of
// POSIX has it, which is what version 2 archives carry: "EST5EDT,M3.2.0,M11.1.0",
// "AEDT-11", "<+03>-3". It reports false for anything else, such as names of
// the zone database, which the browser has.
func OffsetOf(tz string) (OffsetFunc, bool) {
	loc, err := zone.Load(tz, nil)
	if err != nil {
		return nil, false
	}
	return func(unix int64) int {
		_, east := time.Unix(unix, 0).In(loc).Zone()
		return east
	}, true
}
