package format

import (
	"strings"
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

// ParseGMT reads a distance as browsers write it, "GMT-04:00" or "GMT", as
// seconds east of Greenwich.
func ParseGMT(s string) int {
	rest, ok := strings.CutPrefix(s, "GMT")
	rest = strings.Replace(rest, Minus, "-", 1)
	if !ok {
		return 0
	}
	for _, layout := range []string{"-07:00", "-07:00:00", "-07"} {
		if t, err := time.Parse(layout, rest); err == nil {
			_, east := t.Zone()
			return east
		}
	}
	return 0
}
