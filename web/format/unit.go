package format

import (
	"math"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// Shown says how values of a unit are displayed: multiplied by Factor and
// followed by Unit, with a fixed number of decimals.
type Shown struct {
	Factor   float64
	Unit     string // "KiB/s", "%", "" for none
	Of       string // what a percentage is a share of, where not of time
	Decimals int
}

// Text writes a fetched value without its unit.
func (s Shown) Text(v float64) string { return Number(v*s.Factor, s.Decimals) }

// Brief is Text for a narrow column.
func (s Shown) Brief(v float64) string { return Brief(v*s.Factor, s.Decimals) }

// For is s for a number v that stands alone: beside thousands, or as a mean of whole
// counts, its fraction matters.
func (s Shown) For(v float64) Shown {
	if x := v * s.Factor; s.Decimals == 0 && math.Abs(x) < 100 && x != math.Trunc(x) {
		s.Decimals = Decimals(x, false)
	}
	return s
}

// Name is the unit in words, "no unit" if there is none.
func (s Shown) Name() string {
	switch {
	case s.Of != "":
		return s.Of
	case s.Unit == "":
		return "no unit"
	case s.Unit == "%":
		return "% of time"
	}
	return s.Unit
}

// CPUs says what a percentage of the time of n CPUs refers to.
func CPUs(n int) string {
	switch {
	case n <= 0:
		return "% of one CPU"
	case n == 1:
		return "% of the CPU"
	}
	return "% of all " + strconv.Itoa(n) + " CPUs"
}

// Family returns a key; units with equal keys may share a panel.
func Family(units string, utilisation bool) string {
	if utilisation {
		return "%"
	}
	over, under := split(units)
	if _, ok := pcp.BytesIn(over); ok {
		return "space/" + under
	}
	if _, ok := pcp.SecondsIn(over); ok {
		return "time/" + under
	}
	return over + "/" + under
}

func split(units string) (over, under string) {
	if units == "none" {
		return "", ""
	}
	if i := strings.Index(units, " / "); i >= 0 {
		return units[:i], units[i+3:]
	}
	return units, ""
}

// Short abbreviates a unit for a tree row: "ms", "KiB/s".
func Short(units string) string {
	over, under := split(units)
	s := short(over)
	if under != "" {
		s += "/" + short(under)
	}
	return s
}

func short(unit string) string {
	switch unit {
	case "byte":
		return "B"
	case "nanosec":
		return "ns"
	case "microsec":
		return "\u00b5s"
	case "millisec":
		return "ms"
	case "sec":
		return "s"
	case "hour":
		return "h"
	case "/ sec":
		return "/s"
	case "/ millisec":
		return "kHz"
	case "/ microsec":
		return "MHz"
	case "/ nanosec":
		return "GHz"
	}
	if dimension, symbol, ok := strings.Cut(strings.TrimSuffix(unit, ")"), " ("); ok { // as in "power (mW)"
		switch dimension {
		case "temperature":
			if symbol != "K" {
				symbol = "\u00b0" + symbol
			}
			return symbol
		case "voltage", "current", "power":
			return strings.Replace(symbol, "u", "\u00b5", 1)
		}
	}
	if strings.HasSuffix(unit, "byte") && len(unit) == 5 {
		return unit[:1] + "iB"
	}
	return strings.Replace(unit, "count x 10^", "10^", 1)
}

// Base is the value of one unit in bytes or seconds, or 1 for other
// dimensions. The denominator is kept.
func Base(units string) float64 {
	over, _ := split(units)
	if u, ok := pcp.BytesIn(over); ok {
		return u
	}
	if u, ok := pcp.SecondsIn(over); ok {
		return u
	}
	return 1
}

// Throughput reports whether a unit is bytes per time, which can also be shown as
// bits.
func Throughput(units string) bool {
	over, under := split(units)
	_, bytes := pcp.BytesIn(over)
	_, time := pcp.SecondsIn(under)
	return bytes && time
}

// Bits shows bytes per time as bits per second with decimal prefixes, as line
// rates are quoted. Other units are shown as s says.
func Bits(s Shown, units string, max float64) Shown {
	if !Throughput(units) {
		return s
	}
	over, under := split(units)
	names := []string{"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"}
	bytes, _ := pcp.BytesIn(over)
	seconds, _ := pcp.SecondsIn(under)
	f := 8 * bytes / seconds
	i := 0
	for math.Abs(max)*f >= 1000 && i < len(names)-1 {
		i, f = i+1, f/1000
	}
	return Shown{Factor: f, Unit: names[i], Decimals: Decimals(math.Abs(max)*f, false)}
}

// Show chooses the display unit and decimals for values in units (as
// pmUnitsStr writes them) whose largest magnitude is max. Utilisation values
// are fractions of time and are shown in percent. whole says that all values
// are whole counts.
func Show(units string, utilisation bool, max float64, whole bool) Shown {
	max = math.Abs(max)
	if math.IsNaN(max) || math.IsInf(max, 0) {
		max = 0
	}
	if utilisation {
		return Shown{Factor: 100, Unit: "%", Decimals: 1}
	}
	over, under := split(units)
	per := ""
	if under != "" {
		per = "/" + short(under)
	}
	if bytes, ok := pcp.BytesIn(over); ok {
		names := pcp.SpaceSymbols
		i, size := 0, 1.0
		for max*bytes/size >= 1024 && i < len(names)-1 {
			i, size = i+1, size*1024
		}
		f := bytes / size
		return Shown{Factor: f, Unit: names[i] + per, Decimals: Decimals(max*f, whole && size <= bytes)}
	}
	if sec, ok := pcp.SecondsIn(over); ok {
		f, name := sec, "s"
		switch v := max * sec; {
		case v == 0:
			f, name = 1, short(over)
		case v < 1e-6:
			f, name = sec*1e9, "ns"
		case v < 1e-3:
			f, name = sec*1e6, "\u00b5s"
		case v < 1:
			f, name = sec*1e3, "ms"
		}
		return Shown{Factor: f, Unit: name + per, Decimals: Decimals(max*f, whole && f == 1)}
	}
	return Shown{Factor: 1, Unit: short(over) + per, Decimals: Decimals(max, whole)}
}
