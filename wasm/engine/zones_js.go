package engine

import (
	"fmt"
	"syscall/js"
	"time"

	"pcpscope/core/zone"
)

// zones looks up time zones by name in the browser, which knows them all: this
// program has no table of its own.
type zones map[string]*time.Location

func (z zones) load(name string) (loc *time.Location, err error) {
	if loc := z[name]; loc != nil {
		return loc, nil
	}
	defer func() {
		if e := recover(); e != nil { // it throws for a name that it does not know
			loc, err = nil, fmt.Errorf("%v", e)
		}
	}()
	format := js.Global().Get("Intl").Get("DateTimeFormat").New("en-US", map[string]any{"timeZone": name, "timeZoneName": "longOffset"})
	loc, err = zone.FromOffsets(name, func(unix int64) int {
		parts := format.Call("formatToParts", float64(unix)*1000)
		for i := range parts.Length() {
			if p := parts.Index(i); p.Get("type").String() == "timeZoneName" {
				return zone.ParseGMT(p.Get("value").String())
			}
		}
		return 0
	})
	if err == nil {
		z[name] = loc
	}
	return loc, err
}
