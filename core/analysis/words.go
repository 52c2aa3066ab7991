package analysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// FormatDuration formats a length of time: "20 s", "59 min 30 s", "4 h 31 min", "3 days
// 2 h".
func FormatDuration(seconds float64) string {
	s := int64(math.Round(seconds))
	two := func(a int64, unit string, b int64, small string) string {
		text := strconv.FormatInt(a, 10) + " " + unit
		if b > 0 {
			text += " " + strconv.FormatInt(b, 10) + " " + small
		}
		return text
	}
	switch {
	case seconds < 1:
		return strconv.FormatFloat(seconds*1000, 'f', 0, 64) + " ms"
	case s < 60:
		return two(s, "s", 0, "")
	case s < 3600:
		return two(s/60, "min", s%60, "s")
	case s < 86400:
		m := int64(math.Round(seconds / 60))
		return two(m/60, "h", m%60, "min")
	}
	h, days := int64(math.Round(seconds/3600)), "days"
	if h < 48 {
		days = "day"
	}
	return two(h/24, days, h%24, "h")
}

// Decimals formats a number with n decimals and commas between thousands. The
// minus is U+2212. Numbers in sentences have the precision that suits each of
// them; the page's, which stand in columns, have that of their column
// (web/format).
func Decimals(v float64, n int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', n, 64)
	if math.IsInf(v, 0) {
		text = "∞"
	}
	if v < 0 && strings.Trim(text, "0.") != "" {
		return "−" + pcp.Thousands(text)
	}
	return pcp.Thousands(text)
}

// Number formats a number with about three significant figures.
func Number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || math.Abs(v-math.Round(v)) <= 1e-9*a:
		return Decimals(v, 0)
	case a >= 10:
		return Decimals(v, 1)
	}
	return Decimals(v, 2)
}

// frequencies are the names of how often something is in a time, such as a tick of a clock.
var frequencies = map[string]string{"millisec": "kHz", "microsec": "MHz", "nanosec": "GHz"}

// Quantity formats a number with its unit, scaled for readability. units are in
// PCP's notation (pmUnitsStr).
func Quantity(v float64, units string) string {
	over, under, rate := strings.Cut(units, "/ ")
	over = strings.TrimSpace(over)
	per := ""
	if rate {
		per = "/" + map[string]string{"sec": "s", "millisec": "ms"}[under]
		if per == "/" {
			per += under
		}
	}
	if k, ok := pcp.SpaceScaleOf(over); ok {
		for math.Abs(v) >= 1024 && k < len(pcp.SpaceSymbols)-1 {
			v, k = v/1024, k+1
		}
		return scaled(v) + " " + pcp.SpaceSymbols[k] + per
	}
	switch over {
	case "", "none":
		if hertz, known := frequencies[under]; known {
			return scaled(v) + " " + hertz
		}
		return scaled(v) + per
	case "count":
		if rate {
			return scaled(v) + per
		}
		return scaled(v)
	case "millisec":
		if per == "/s" { // a fraction of time
			return scaled(100*v) + " %"
		}
		return scaled(v) + " ms" + per
	}
	return scaled(v) + " " + over + per
}

// scaled formats three significant figures, or a whole number without decimals.
func scaled(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1000 || v == math.Trunc(v):
		return Decimals(v, 0)
	case a >= 10:
		return Decimals(v, 1)
	}
	return Decimals(v, 2)
}

// Times says how often: "once", "twice", "3 times".
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
