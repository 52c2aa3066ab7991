// Package zones looks up time zones by name in the browser, which knows them
// all: the program has no table of its own.
package zones

import (
	"fmt"
	"syscall/js"

	"pcpscope/core/zone"
)

// Offset returns the offsets of a zone of the zone database, such as
// "Europe/Berlin": seconds east of Greenwich at a time in seconds since 1970.
// It fails for a name that the browser does not know.
func Offset(name string) (at func(unix int64) int, err error) {
	defer func() {
		if e := recover(); e != nil { // the browser throws
			at, err = nil, fmt.Errorf("%v", e)
		}
	}()
	options := map[string]any{"timeZone": name, "timeZoneName": "longOffset"}
	format := js.Global().Get("Intl").Get("DateTimeFormat").New("en-US", options)
	return func(unix int64) int {
		parts := format.Call("formatToParts", float64(unix)*1000)
		for i := range parts.Length() {
			if p := parts.Index(i); p.Get("type").String() == "timeZoneName" {
				return zone.ParseGMT(p.Get("value").String())
			}
		}
		return 0
	}, nil
}
