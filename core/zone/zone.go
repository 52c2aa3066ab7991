// Package zone parses time zones as archives name them.
package zone

import (
	"encoding/binary"
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// Load returns the zone that TZ=name selects: a POSIX rule such as
// "EST-11EST-10,87/2:00,297/2:00", as in archive labels, or else a name such as
// "Europe/Berlin", which olson looks up; olson may be nil. "" is UTC. Note the
// sign in POSIX: "AEST-10" is ten hours ahead of Greenwich. So is "+1000", as
// collectl2pcp(1) writes it into labels. See spec/interp.md section 15.7.
func Load(name string, olson func(name string) (*time.Location, error)) (*time.Location, error) {
	name = strings.TrimPrefix(name, ":")
	if name == "" || name == "UTC" {
		return time.UTC, nil
	}
	if validRule(name) {
		return ruleZone(name)
	}
	if at, err := time.Parse("-0700", name); err == nil {
		_, east := at.Zone()
		return time.FixedZone(name, east), nil
	}
	if olson != nil {
		if loc, err := olson(name); err == nil {
			return loc, nil
		}
	}
	return nil, pcp.Faultf(pcp.BadArgument, "The time zone %q is not known.", name)
}

// ruleZone lets the standard library interpret the rule, as the footer of a
// time zone file (RFC 8536).
func ruleZone(rule string) (*time.Location, error) {
	offset, abbreviation := ruleStart(rule)
	header := func(b []byte, kinds, chars int) []byte {
		b = append(b, "TZif2"...)
		b = append(b, make([]byte, 15+4*4)...)
		b = binary.BigEndian.AppendUint32(b, uint32(kinds))
		return binary.BigEndian.AppendUint32(b, uint32(chars))
	}
	b := header(nil, 1, 1) // the version 1 block, which is ignored
	b = append(b, make([]byte, 6+1)...)
	b = header(b, 1, len(abbreviation)+1)
	b = binary.BigEndian.AppendUint32(b, uint32(int32(offset)))
	b = append(append(b, 0, 0), abbreviation...)
	b = append(append(append(b, 0, '\n'), rule...), '\n')
	loc, err := time.LoadLocationFromTZData(rule, b)
	if err != nil {
		return nil, pcp.Faultf(pcp.BadArgument, "The time zone %q cannot be used: %v.", rule, err)
	}
	return loc, nil
}
