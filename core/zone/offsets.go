package zone

import (
	"encoding/binary"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Where FromOffsets looks for changes: no zone keeps an offset for less than a
// few weeks, and rules are not defined beyond 2037.
const (
	firstLook = 0             // 1970
	lastLook  = 2_145_916_800 // 2038
	look      = 10 * 24 * 3600
)

// FromOffsets makes a zone from a function: offset returns the seconds east of
// Greenwich at a Unix time. It is for browsers, which have a zone database that
// the standard library cannot use. After 2037 the last offset is kept.
func FromOffsets(name string, offset func(unix int64) int) (*time.Location, error) {
	type change struct {
		at   int64
		east int
	}
	before := offset(firstLook)
	changes := []change{{firstLook, before}}
	for from := int64(firstLook); from < lastLook; from += look {
		after := offset(from + look)
		if after == before {
			continue
		}
		n := sort.Search(look, func(i int) bool { return offset(from+1+int64(i)) != before })
		changes = append(changes, change{from + 1 + int64(n), after})
		before = after
	}
	kinds := map[int]byte{}
	var offsets []int
	for _, c := range changes {
		if _, known := kinds[c.east]; !known {
			kinds[c.east] = byte(len(offsets))
			offsets = append(offsets, c.east)
		}
	}
	// A time zone file, RFC 8536: the old part empty, then the 64-bit part.
	header := func(b []byte, changes, kinds, chars int) []byte {
		b = append(append(b, "TZif2"...), make([]byte, 15+3*4)...)
		for _, n := range []int{changes, kinds, chars} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	names := ""
	starts := make([]byte, len(offsets))
	for i, east := range offsets {
		starts[i] = byte(len(names))
		names += abbreviation(east) + "\x00"
	}
	b := append(header(nil, 0, 1, 1), make([]byte, 6+1)...)
	b = header(b, len(changes), len(offsets), len(names))
	for _, c := range changes {
		b = binary.BigEndian.AppendUint64(b, uint64(c.at))
	}
	for _, c := range changes {
		b = append(b, kinds[c.east])
	}
	for i, east := range offsets {
		b = append(binary.BigEndian.AppendUint32(b, uint32(int32(east))), 0, starts[i])
	}
	b = append(append(b, names...), "\n\n"...)
	return time.LoadLocationFromTZData(name, b)
}

// abbreviation is like those of zones without letters: "+0530".
func abbreviation(east int) string {
	sign := "+"
	if east < 0 {
		sign, east = "-", -east
	}
	text := sign + strconv.Itoa(100 + east/3600)[1:]
	if minutes := east / 60 % 60; minutes != 0 {
		text += strconv.Itoa(100 + minutes)[1:]
	}
	return text
}

// ParseGMT parses an offset as browsers format it, "GMT-04:00" or "GMT", and
// returns seconds east of Greenwich.
func ParseGMT(s string) int {
	rest, ok := strings.CutPrefix(s, "GMT")
	rest = strings.Replace(rest, "\u2212", "-", 1)
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
