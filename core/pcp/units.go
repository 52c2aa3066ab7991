package pcp

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Units is a metric's unit: powers of space, time and count, each with a scale,
// and since PCP 7.2 possibly a physical unit in addition. The zero value is "no
// unit". See pmUnitsStr(3); spec/archive.md section 2.5.
type Units struct {
	Space, Time, Count int8  // dimensions: powers, -8 to 7
	SpaceScale         uint8 // 0 byte, 1 Kbyte (1024), ... 8 Ybyte
	TimeScale          uint8 // 0 ns, 1 us, 2 ms, 3 s, 4 min, 5 hour
	CountScale         int8  // power of ten
	Extra              int8  // 1 temperature, 2 voltage, 3 current, 4 power; negative: per that unit
	ExtraScale         uint8 // meaning depends on Extra
}

// Scales of time, as in Units.TimeScale.
const (
	Nanosec = iota
	Microsec
	Millisec
	Sec
	Min
	Hour
)

// MakeUnits unpacks the 32 bits in which archives store units.
func MakeUnits(bits uint32) Units {
	return Units{
		Space: int8(int32(bits) >> 28), Time: int8(int32(bits<<4) >> 28), Count: int8(int32(bits<<8) >> 28),
		SpaceScale: uint8(bits >> 16 & 15), TimeScale: uint8(bits >> 12 & 15), CountScale: int8(int32(bits<<20) >> 28),
		Extra: int8(int32(bits<<24) >> 27), ExtraScale: uint8(bits & 7),
	}
}

// Bits packs u as archives store it, the inverse of MakeUnits.
func (u Units) Bits() uint32 {
	return uint32(u.Space&15)<<28 | uint32(u.Time&15)<<24 | uint32(u.Count&15)<<20 |
		uint32(u.SpaceScale&15)<<16 | uint32(u.TimeScale&15)<<12 | uint32(u.CountScale&15)<<8 |
		uint32(u.Extra&31)<<3 | uint32(u.ExtraScale&7)
}

var (
	spaceWords = []string{"byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte", "Zbyte", "Ybyte"}
	timeWords  = []string{"nanosec", "microsec", "millisec", "sec", "min", "hour"}
	// Kinds of units without a dimension of their own, by Extra.
	extraWords = []string{"", "temperature", "voltage", "current", "power"}
	// Names of scales by Extra; scale 0 has none.
	extraScales = [][]string{nil, {"", "C", "F", "K"}, {"", "V", "mV", "uV"}, {"", "A", "mA", "uA"}, {"", "kW", "W", "mW", "uW"}}
)

func word(words []string, scale uint8, other string) string {
	if int(scale) < len(words) {
		return words[scale]
	}
	return other + strconv.Itoa(int(scale))
}

func countWord(scale int8) string {
	switch scale {
	case 0:
		return "count"
	case 1:
		return "count x 10"
	}
	return "count x 10^" + strconv.Itoa(int(scale))
}

func extraWord(unit int8, scale uint8) string {
	u := int(unit)
	if u < 0 {
		u = -u
	}
	if u >= len(extraWords) {
		return "extra-" + strconv.Itoa(u)
	}
	text := "scale-" + strconv.Itoa(int(scale))
	if s := extraScales[u]; scale > 0 && int(scale) < len(s) {
		text = s[scale]
	}
	w := extraWords[u] + " (" + text + ")"
	return w[:min(len(w), 19)] // pmUnitsStr truncates here
}

// String returns the text form of pmUnitsStr(3), such as "Kbyte / sec", and ""
// for no unit. See spec/archive.md section 13.3.
func (u Units) String() string {
	parts := []struct {
		word string
		dim  int
	}{
		{"", int(u.Extra)}, {word(spaceWords, u.SpaceScale, "space-"), int(u.Space)},
		{word(timeWords, u.TimeScale, "time-"), int(u.Time)}, {countWord(u.CountScale), int(u.Count)},
	}
	if u.Extra != 0 { // the unit takes the place of the dimension's power
		parts[0].word = extraWord(u.Extra, u.ExtraScale)
		parts[0].dim = max(-1, min(1, parts[0].dim))
	}
	var over, under []string
	for _, p := range parts {
		w, d := p.word, p.dim
		switch {
		case d > 1:
			over = append(over, w+"^"+strconv.Itoa(d))
		case d == 1:
			over = append(over, w)
		case d == -1:
			under = append(under, w)
		case d < -1:
			under = append(under, w+"^"+strconv.Itoa(-d))
		}
	}
	if len(over)+len(under) == 0 {
		if u.CountScale != 0 {
			return countWord(u.CountScale)
		}
		return ""
	}
	s := strings.Join(over, " ")
	if len(under) > 0 {
		if s != "" {
			s += " "
		}
		s += "/ " + strings.Join(under, " ")
	}
	return s
}

// Dimensionless reports whether u has no dimension, whatever its scales.
func (u Units) Dimensionless() bool {
	return u.Space == 0 && u.Time == 0 && u.Count == 0 && u.Extra == 0
}

// Rate returns the units of a counter's rate of change: the power of time
// reduced by one, in seconds if there was no time before. See spec/interp.md
// section 13.
func (u Units) Rate() Units {
	if u.Time == 0 {
		u.TimeScale = Sec
	}
	u.Time--
	return u
}

// SpaceSymbols are the usual symbols of the scales of space, from the byte on.
var SpaceSymbols = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"}

// SecondsPer is how many seconds a unit of each time scale lasts, by
// Units.TimeScale. Places that need other numbers for the same fact say why:
// the inverse, nanoseconds, or PCP's own rounding.
var SecondsPer = [...]float64{Nanosec: 1e-9, Microsec: 1e-6, Millisec: 1e-3, Sec: 1, Min: 60, Hour: 3600}

// SpaceScaleOf returns the scale of a word for space in pmUnitsStr(3): 0 for
// "byte", 1 for "Kbyte", and so on.
func SpaceScaleOf(word string) (scale int, ok bool) {
	scale = slices.Index(spaceWords, word)
	return scale, scale >= 0
}

// BytesIn returns how many bytes a word for space means.
func BytesIn(word string) (bytes float64, ok bool) {
	scale, ok := SpaceScaleOf(word)
	if !ok {
		return 0, false
	}
	return math.Ldexp(1, 10*scale), true
}

// SecondsIn returns how many seconds a word for time in pmUnitsStr(3), such as
// "millisec", means.
func SecondsIn(word string) (seconds float64, ok bool) {
	scale := slices.Index(timeWords, word)
	if scale < 0 {
		return 0, false
	}
	return SecondsPer[scale], true
}
