package engine

import (
	"time"

	"pcpscope/core/zone"
	browser "pcpscope/wasm/zones"
)

// zones caches time zones.
type zones map[string]*time.Location

func (z zones) load(name string) (*time.Location, error) {
	if loc := z[name]; loc != nil {
		return loc, nil
	}
	offset, err := browser.Offset(name)
	if err != nil {
		return nil, err
	}
	loc, err := zone.FromOffsets(name, offset)
	if err == nil {
		z[name] = loc
	}
	return loc, err
}
