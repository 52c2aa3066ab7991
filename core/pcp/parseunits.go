package pcp

import (
	"math"
	"strconv"
	"strings"
	"sync"
)

// unitWords are the words for each scale, in the order of the scales.
var (
	timeInputs = [...]string{
		"ns nanosec nanosecond nanoseconds", "us microsec microsecond microseconds", "ms millisec millisecond milliseconds",
		"s sec second seconds", "min minute minutes", "h hr hour hours",
	}
	spacePrefixes = [...][3]string{
		{"k", "kilo", "kibi"}, {"m", "mega", "mebi"}, {"g", "giga", "gibi"}, {"t", "tera", "tebi"},
		{"p", "peta", "pebi"}, {"e", "exa", "exbi"}, {"z", "zetta", "zebi"}, {"y", "yotta", "yobi"},
	}
)

type axis uint8

const (
	onTime axis = iota
	onSpace
	onCount
	onExtra
)

type unitWord struct {
	axis  axis
	unit  int8 // which extra unit
	scale int8
}

var unitWords = sync.OnceValue(func() map[string]unitWord {
	words := map[string]unitWord{"byte": {onSpace, 0, 0}, "bytes": {onSpace, 0, 0}, "count": {onCount, 0, 0}, "counts": {onCount, 0, 0}}
	for scale, list := range timeInputs {
		for _, w := range strings.Fields(list) {
			words[w] = unitWord{onTime, 0, int8(scale)}
		}
	}
	for i, p := range spacePrefixes {
		w := unitWord{onSpace, 0, int8(i + 1)}
		words[p[0]+"b"], words[p[0]+"ib"] = w, w
		for _, s := range []string{p[0] + "byte", p[1] + "byte", p[2] + "byte"} {
			words[s], words[s+"s"] = w, w
		}
	}
	return words
})

// ParseUnits parses units as people write them: "Kbyte / sec", "MB/s", "count x
// 10^3", "temperature (C)", and everything that String prints. Case is ignored.
// The text may contain numbers, as in "10 sec" or "2 Kbyte / hour": a value in
// u times mult is the value in the units of the text. The error is a *Fault
// with one sentence. See pmParseUnitsStr(3); spec/derived.md section 5.4.
func ParseUnits(text string) (u Units, mult float64, err error) {
	over, under, divided := strings.Cut(text, "/")
	a, bad := parseUnitPart(over)
	if bad != "" {
		return Units{}, 0, unitsFault(text, bad)
	}
	b := unitPart{factor: 1}
	if divided {
		if b, bad = parseUnitPart(under); bad != "" {
			return Units{}, 0, unitsFault(text, bad)
		}
	}
	if a.extra != 0 && b.extra != 0 {
		return Units{}, 0, unitsFault(text, "a physical unit cannot stand on both sides of the /")
	}
	mult = b.factor / a.factor
	var dims [3]int
	var scales [3]int8
	for x := range dims {
		dims[x] = a.dim[x] - b.dim[x]
		if dims[x] < -8 || dims[x] > 7 {
			return Units{}, 0, unitsFault(text, [...]string{"the power of time", "the power of space", "the power of count"}[x]+" is beyond -8 to 7")
		}
		switch {
		case a.dim[x] != 0 && b.dim[x] != 0: // kept in the base unit of the axis
			mult *= math.Pow(baseRatio(axis(x), b.scale[x]), float64(b.dim[x])) / math.Pow(baseRatio(axis(x), a.scale[x]), float64(a.dim[x]))
			if axis(x) == onTime && dims[x] != 0 {
				scales[x] = Sec
			}
		case a.dim[x] != 0:
			scales[x] = a.scale[x]
		case b.dim[x] != 0:
			scales[x] = b.scale[x]
		}
	}
	return Units{
		Time: int8(dims[onTime]), Space: int8(dims[onSpace]), Count: int8(dims[onCount]), TimeScale: uint8(scales[onTime]),
		SpaceScale: uint8(scales[onSpace]), CountScale: scales[onCount], Extra: a.extra - b.extra, ExtraScale: a.extraScale | b.extraScale,
	}, mult, nil
}

func unitsFault(text, why string) *Fault {
	return Faultf(BadArgument, "%q are not units: %s.", text, why)
}

// baseRatio is how many seconds, bytes or ones a unit of a scale is.
func baseRatio(x axis, scale int8) float64 {
	switch x {
	case onTime:
		return SecondsPer[scale]
	case onSpace:
		return math.Ldexp(1, 10*int(scale))
	}
	return math.Pow10(int(scale))
}

// A unitPart is one side of the slash.
type unitPart struct {
	factor     float64
	dim        [3]int
	scale      [3]int8
	extra      int8
	extraScale uint8
}

// parseUnitPart parses words with their powers, and numbers between them. It
// returns what is wrong, or "".
func parseUnitPart(text string) (p unitPart, bad string) {
	p.factor = 1
	var have [4]bool
	fields := strings.Fields(strings.ToLower(text))
	for i := 0; i < len(fields); i++ {
		name, power, raised := strings.Cut(fields[i], "^")
		if v, err := strconv.ParseFloat(name, 64); err == nil && !raised && name[0] <= '9' {
			p.factor *= v
			continue
		}
		w, ok := unitWords()[name]
		if !ok {
			if w, ok = extraUnit(name, fields[i+1:]); !ok {
				return p, strconv.Quote(fields[i]) + " is not a unit"
			}
			power, raised = "", false
			i++
		}
		if w.axis == onCount && !raised && i+2 < len(fields) && fields[i+1] == "x" {
			var scale string
			scale, power, raised = countScale(fields[i+2])
			n, err := strconv.Atoi(scale)
			if err != nil || n < -8 || n > 7 {
				return p, "the scale of count is beyond -8 to 7"
			}
			w.scale = int8(n)
			i += 2
		}
		dim := 1
		if raised {
			var err error
			if dim, err = strconv.Atoi(power); err != nil || power[0] == '+' || dim < -8 || dim > 15 {
				return p, strconv.Quote(fields[i]) + " has no power from -8 to 15"
			}
		}
		if have[w.axis] {
			return p, strconv.Quote(name) + " is the second unit of its kind"
		}
		have[w.axis] = true
		if w.axis == onExtra {
			p.extra, p.extraScale = w.unit, uint8(w.scale)
		} else {
			p.dim[w.axis], p.scale[w.axis] = dim, w.scale
		}
	}
	return p, ""
}

// countScale parses "10", "10^3" or "10^3^2": a scale, and an optional power.
func countScale(s string) (scale, power string, raised bool) {
	rest, ok := strings.CutPrefix(s, "10")
	if !ok {
		return "", "", false
	}
	if rest == "" {
		return "1", "", false
	}
	if rest, ok = strings.CutPrefix(rest, "^"); !ok {
		return "", "", false
	}
	return strings.Cut(rest, "^")
}

// extraUnit parses "temperature" "(c)" and the like.
func extraUnit(name string, rest []string) (unitWord, bool) {
	for unit := 1; unit < len(extraWords); unit++ {
		if name != extraWords[unit] || len(rest) == 0 {
			continue
		}
		for scale := 1; scale < len(extraScales[unit]); scale++ {
			if rest[0] == "("+strings.ToLower(extraScales[unit][scale])+")" {
				return unitWord{onExtra, int8(unit), int8(scale)}, true
			}
		}
	}
	return unitWord{}, false
}
