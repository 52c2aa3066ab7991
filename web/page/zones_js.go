package page

import (
	"syscall/js"

	"pcpscope/core/zone"
	"pcpscope/web/format"
)

// resolve asks the browser, which knows all zones, about one.
func resolve(name string) (f format.OffsetFunc, ok bool) {
	defer func() {
		if recover() != nil { // the browser throws for a name it does not know
			f, ok = nil, false
		}
	}()
	options := map[string]any{"timeZone": name, "timeZoneName": "longOffset"}
	formatter := js.Global().Get("Intl").Get("DateTimeFormat").New("en-US", options)
	return func(unix int64) int {
		parts := formatter.Call("formatToParts", float64(unix)*1000)
		for i := range parts.Length() {
			if p := parts.Index(i); p.Get("type").String() == "timeZoneName" {
				return zone.ParseGMT(p.Get("value").String())
			}
		}
		return 0
	}, true
}

// localZone is the zone of the browser, by name.
func localZone() string {
	zone := js.Global().Get("Intl").Get("DateTimeFormat").New().Call("resolvedOptions").Get("timeZone")
	if zone.Type() != js.TypeString {
		return ""
	}
	return zone.String()
}
