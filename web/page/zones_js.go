package page

import (
	"syscall/js"

	"pcpscope/wasm/zones"
	"pcpscope/web/format"
)

// resolve asks the browser about a zone.
func resolve(name string) (format.OffsetFunc, bool) {
	offset, err := zones.Offset(name)
	return offset, err == nil
}

// localZone is the zone of the browser, by name.
func localZone() string {
	zone := js.Global().Get("Intl").Get("DateTimeFormat").New().Call("resolvedOptions").Get("timeZone")
	if zone.Type() != js.TypeString {
		return ""
	}
	return zone.String()
}
