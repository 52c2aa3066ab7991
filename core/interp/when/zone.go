package when

import (
	"encoding/binary"
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// LoadZone returns the zone that TZ=name would select: a POSIX rule such as
// "EST-11EST-10,87/2:00,297/2:00", as archive labels hold, or else a name such
// as "Europe/Berlin", which olson looks up; olson may be nil. "" is UTC.
// Mind the sign of POSIX: "AEST-10" is ten hours ahead of Greenwich.
// Spec: interp 15.7.
func LoadZone(name string, olson func(name string) (*time.Location, error)) (*time.Location, error) {
	name = strings.TrimPrefix(name, ":")
	if name == "" || name == "UTC" {
		return time.UTC, nil
	}
	if validRule(name) {
		return ruleZone(name)
	}
	if olson != nil {
		if loc, err := olson(name); err == nil {
			return loc, nil
		}
	}
	return nil, pcp.Faultf(pcp.BadArgument, "The time zone %q is not known.", name)
}

// A Change is a moment from which on a zone has another offset.
type Change struct {
	At     pcp.Time
	Offset int    // seconds east of Greenwich
	Name   string // such as "CET"
}

// Zone makes a zone from what is known of it: changes in ascending order, the
// first of which also holds for all time before. It serves where a clock but
// no time zone database is at hand, as in a browser.
func Zone(name string, changes []Change) (*time.Location, error) {
	if len(changes) == 0 || len(changes) > 255 {
		return nil, pcp.Faultf(pcp.BadArgument, "The time zone %q cannot be made of %d changes.", name, len(changes))
	}
	return tzData(name, changes, "")
}

// ruleZone leaves the reading of the rule to the standard library, which
// knows it as the footer of a time zone file.
func ruleZone(rule string) (*time.Location, error) {
	offset, abbreviation := ruleStart(rule)
	return tzData(rule, []Change{{At: pcp.MinTime, Offset: offset, Name: abbreviation}}, rule)
}

// tzData writes a time zone file (RFC 8536) and has it read.
func tzData(name string, changes []Change, footer string) (*time.Location, error) {
	header := func(b []byte, times, kinds, chars int) []byte {
		b = append(b, "TZif2"...)
		b = append(b, make([]byte, 15)...)
		for _, n := range []int{0, 0, 0, times, kinds, chars} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	b := header(nil, 0, 1, 1) // the old part, which nobody reads
	b = append(b, make([]byte, 6+1)...)

	var names []byte
	var kinds []byte
	for _, c := range changes {
		kinds = binary.BigEndian.AppendUint32(kinds, uint32(int32(c.Offset)))
		at := strings.Index(string(names), c.Name+"\x00")
		if at < 0 {
			at = len(names)
			names = append(append(names, c.Name...), 0)
		}
		if at > 255 {
			return nil, pcp.Faultf(pcp.BadArgument, "The time zone %q has too many names.", name)
		}
		kinds = append(kinds, 0, byte(at))
	}
	b = header(b, len(changes)-1, len(changes), len(names))
	for _, c := range changes[1:] {
		sec, _ := c.At.Split()
		b = binary.BigEndian.AppendUint64(b, uint64(sec))
	}
	for i := range changes[1:] {
		b = append(b, byte(i+1))
	}
	b = append(append(b, kinds...), names...)
	b = append(append(append(b, '\n'), footer...), '\n')
	loc, err := time.LoadLocationFromTZData(name, b)
	if err != nil {
		return nil, pcp.Faultf(pcp.BadArgument, "The time zone %q cannot be used: %v.", name, err)
	}
	return loc, nil
}
