package format

import (
	"math"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// Minus is the minus sign on screen.
const Minus = "\u2212"

// Dash is shown in place of a missing value.
const Dash = "\u2013"

// Decimals returns how many decimals a column shows whose largest magnitude
// is max: none from 1,000 up or for whole counts, 1 from 100 up, 2 below
// that, and more if all values are small.
func Decimals(max float64, whole bool) int {
	switch max = math.Abs(max); {
	case math.IsNaN(max) || math.IsInf(max, 0) || max == 0:
		return 0
	case whole || max >= 1000:
		return 0
	case max >= 100:
		return 1
	case max >= 0.1:
		return 2
	}
	return min(9, 2-int(math.Ceil(math.Log10(max))))
}

// Number writes v with a fixed number of decimals and separated thousands.
// Zero is "0"; a value that would round to zero is "<0.1" or the like; NaN is
// a dash.
func Number(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return Dash
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return Minus + "∞"
	case v == 0:
		return "0"
	case math.Abs(v) >= 1e15:
		return strings.Replace(strconv.FormatFloat(v, 'e', 3, 64), "-", Minus, 1)
	}
	s := fixed(math.Abs(v), decimals)
	if strings.Trim(s, "0.") == "" {
		least := strconv.FormatFloat(math.Pow10(-decimals), 'f', decimals, 64)
		if v < 0 {
			return ">" + Minus + least
		}
		return "<" + least
	}
	s = pcp.Thousands(s)
	if v < 0 {
		s = Minus + s
	}
	return s
}

// fixed rounds the shortest decimal representation of v, halves away from
// zero, as people and Intl.NumberFormat do. strconv would round 376.65 to
// 376.6, because the binary value is slightly less.
func fixed(v float64, decimals int) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	if missing := decimals - len(part); missing >= 0 {
		part += strings.Repeat("0", missing)
	} else {
		up := part[decimals] >= '5'
		part = part[:decimals]
		digits := []byte(whole + part)
		for k := len(digits) - 1; up && k >= 0; k-- {
			if digits[k]++; digits[k] > '9' {
				digits[k] = '0'
				continue
			}
			up = false
		}
		if up {
			digits = append([]byte("1"), digits...)
		}
		whole, part = string(digits[:len(digits)-decimals]), string(digits[len(digits)-decimals:])
	}
	if decimals == 0 {
		return whole
	}
	return whole + "." + part
}

// A Size is a magnitude from which on numbers are abbreviated: divided by By and
// followed by Letter.
type Size struct {
	From, By float64
	Letter   string
}

// Sizes are all of them, largest first. static/charts/number.js has the same.
var Sizes = []Size{{1e18, 1e18, "E"}, {1e15, 1e15, "P"}, {1e12, 1e12, "T"}, {1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}}

// Brief writes v as Number does, but with fewer digits if a narrow column has
// no room: "469.6k", "99.2M", "1.2e−5".
func Brief(v float64, decimals int) string {
	const room = 6
	s := Number(v, decimals)
	a := math.Abs(v)
	if len([]rune(s)) <= room || math.IsInf(v, 0) {
		return s
	}
	if a >= 0.99995e21 {
		return strings.NewReplacer("-", Minus, "+", "").Replace(strconv.FormatFloat(v, 'e', 1, 64))
	}
	for _, size := range Sizes {
		if a >= size.From*0.99995 {
			d := 1
			if a/size.By >= 1000 {
				d = 0
			}
			return Number(v/size.By, d) + size.Letter
		}
	}
	if a < 1e-3 {
		return strings.ReplaceAll(strings.Replace(strconv.FormatFloat(v, 'e', 1, 64), "e-0", "e-", 1), "-", Minus)
	}
	return Number(v, max(0, decimals-(len([]rune(s))-room)))
}

// Count writes a whole number: "35,838".
func Count(n int) string { return pcp.Grouped(n) }

// Plural joins a count and its noun: "1 metric", "1,019 metrics".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return Count(n) + " " + noun + "s"
}

// Bytes writes a size in a suitable unit: "3.3 MiB".
func Bytes(n float64) string {
	units := pcp.SpaceSymbols
	i := 0
	for n >= 1024 && i < len(units)-1 {
		n, i = n/1024, i+1
	}
	d := 0
	if i > 0 && n < 100 {
		d = 1
	}
	return Number(n, d) + " " + units[i]
}

// Percent writes a fraction of 1 for a sentence: "65 %".
func Percent(share float64) string { return Number(share*100, 0) + " %" }
