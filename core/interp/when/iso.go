package when

import (
	"strconv"
	"strings"
	"time"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
)

// Dates and times in the notations of ISO 8601 and RFC 3339, and of pcpscope
// itself: 2017-02-27T03:40:42.753Z, 2017-02-27 03:40 +01:00, 20170227T0340, 27
// Feb 2017 03:40:42 UTC−4, 2017-02-27. PCP's tools interpret some of these
// differently: T is a time zone to them, a fraction an error.
const (
	clockText = `(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?`
	basicText = `(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d+))?)?`
	zoneText  = `(?:[ ]*(Z|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|UTC|GMT))?`
)

var (
	isoDate   = pattern.New(`(?i)^(\d{4})-(\d{2})-(\d{2})(?:(?:T|[ ]+)` + clockText + zoneText + `)?$`)
	basicDate = pattern.New(`(?i)^(\d{4})(\d{2})(\d{2})T` + basicText + zoneText + `$`)
	wordyDate = pattern.New(`(?i)^(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (\d{4})(?:,?[ ]+` + clockText + zoneText + `)?$`)
	// likeDate matches what is meant as one of these, valid or not.
	likeDate = pattern.New(`(?i)^(\d{4}-\d{1,2}-\d{1,2}|\d{8})(T|$)|^\d{4}-(W|\d{1,2}$|\d{3})`)
)

const monthWords = "janfebmaraprmayjunjulaugsepoctnovdec"

// iso parses such a text; is is false if it does not look like one. A date
// alone is its first moment. Without a zone in the text, that of start is used;
// a local time that occurs twice is one from start to end.
func iso(text string, start, end time.Time) (t pcp.Time, is bool, err error) {
	text = strings.TrimSpace(strings.NewReplacer("\u2212", "-", "\u00a0", " ", "\u202f", " ").Replace(text))
	refuse := func(why string) (pcp.Time, bool, error) {
		return 0, true, pcp.Faultf(pcp.BadArgument, "%q is not a date or time: %s.", text, why)
	}
	m := isoDate().FindStringSubmatch(text)
	if m == nil {
		m = basicDate().FindStringSubmatch(text)
	}
	if m == nil {
		if m = wordyDate().FindStringSubmatch(text); m != nil {
			m[1], m[2], m[3] = m[3], strconv.Itoa(strings.Index(monthWords, strings.ToLower(m[2]))/3+1), m[1]
		}
	}
	if m == nil {
		if likeDate().MatchString(text) && !(len(text) == 8 && !strings.ContainsAny(text, "-Tt")) {
			return refuse("dates are written like 2017-02-27, times like 2017-02-27 03:40:42.5 or 2017-02-27T03:40:42Z")
		}
		return 0, false, nil
	}
	var n [6]int // year, month, day, hour, minute, second
	for i := range n {
		if m[i+1] != "" {
			n[i], _ = strconv.Atoi(m[i+1])
		}
	}
	nanos := 0
	if f := m[7]; f != "" {
		nanos, _ = strconv.Atoi((f + "000000000")[:9])
	}
	if n[3] == 24 && n[4] == 0 && n[5] == 0 && nanos == 0 { // the end of the day
	} else if n[3] > 23 {
		return refuse("there is no hour " + strconv.Itoa(n[3]))
	}
	if n[4] > 59 || n[5] > 60 {
		return refuse("there is no such minute or second")
	}
	zone, zoned := start.Location(), strings.ToUpper(m[8])
	if z := zoned; z != "" {
		z = strings.TrimPrefix(strings.TrimPrefix(z, "UTC"), "GMT")
		east := 0
		if z != "" && z != "Z" {
			digits := strings.ReplaceAll(z[1:], ":", "")
			if len(digits) <= 2 {
				digits += "00"
			}
			east, _ = strconv.Atoi(digits)
			if east%100 > 59 || east > 1500 {
				return refuse("there is no zone " + z)
			}
			east = (east/100*60 + east%100) * 60
			if z[0] == '-' {
				east = -east
			}
		}
		zone = time.FixedZone("", east)
	}
	day := time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, zone)
	if n[1] < 1 || n[1] > 12 || day.Month() != time.Month(n[1]) || day.Day() != n[2] {
		return refuse("there is no such day")
	}
	at := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], nanos, zone)
	if y := at.UTC().Year(); y < 1678 || y > 2261 { // the range of 64-bit nanoseconds
		return refuse("years go from 1678 to 2261")
	}
	if zoned == "" {
		at = within(at, start, end)
	}
	return pcp.FromStd(at), true, nil
}
