// Package zones looks up time zones by name in the browser, which spares the
// program a table of its own.
package zones

import (
	"fmt"
	"syscall/js"

	"pcpscope/core/zone"
)

// Offset returns the offsets of a zone of the time zone database, such as
// "Europe/Berlin": seconds east of UTC at a time in seconds since 1970. It
// fails if the browser does not know the name.
func Offset(name string) (at func(unix int64) int, err error) {
	defer func() {
		if e := recover(); e != nil { // the browser throws an exception
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
