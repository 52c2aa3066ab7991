package format

import (
	"time"

	"pcpscope/core/zone"
)

// OffsetOf returns the offsets of a zone in the syntax of the POSIX TZ variable,
// which version 2 archives contain: "EST5EDT,M3.2.0,M11.1.0", "AEDT-11",
// "<+03>-3". It reports false for anything else, such as names from the zone
// database, which the browser has.
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
