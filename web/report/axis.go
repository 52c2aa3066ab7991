package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Ticks and their labels are those of the page's charts
// (static/charts/time.js, scale.js and axis.js); a test compares them.

// A tick is a position on the time axis.
type tick struct {
	at   float64 // seconds after the whole second in which the axis begins
	text string
}

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
)

var timeSteps = []float64{
	0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30,
	minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
	hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day, 112 * day, 182 * day, 364 * day,
}

// ticks returns the ticks between two times for an axis of the given width,
// at round local times.
func ticks(clock format.Clock, start, end pcp.Time, pixels float64) []tick {
	origin, _ := start.Split()
	from, to := start.Since(pcp.MakeTime(origin, 0)), end.Since(pcp.MakeTime(origin, 0))
	offset := func(at float64) float64 {
		return float64(clock.At(pcp.MakeTime(origin, 0) + pcp.Time(math.Round(at*1e9))))
	}
	maxTicks, date := pixels/70, "2 Jan"
	if clock.Year(start) != clock.Year(end) {
		date = "2 Jan 2006"
	}
	if to-from < 600 || date != "2 Jan" {
		maxTicks = pixels / 92
	}
	maxTicks = math.Max(2, maxTicks)
	step := timeSteps[len(timeSteps)-1]
	if i := slices.IndexFunc(timeSteps, func(s float64) bool { return (to-from)/s <= maxTicks }); i >= 0 {
		step = timeSteps[i]
	}
	var list []tick
	base := float64(origin) + offset(from)
	for n := math.Ceil((from + base) / step); len(list) < 200; n++ {
		at := n*step - base
		if step > hour {
			at -= offset(at) - offset(from)
		}
		if at > to {
			break
		}
		if at >= from {
			wall := (pcp.MakeTime(origin, 0) + pcp.Time(math.Round((at+offset(at))*1e9))).Std()
			list = append(list, tick{at, tickText(wall.Round(time.Millisecond), step, date)})
		}
	}
	return list
}

func tickText(wall time.Time, step float64, date string) string {
	switch {
	case step >= day, step >= hour && wall.Format("15:04:05") == "00:00:00":
		return wall.Format(date)
	case step >= minute:
		return wall.Format("15:04")
	case step >= 1:
		return wall.Format("15:04:05")
	case step >= 0.1:
		return wall.Format("04:05.000")[:7]
	case step >= 0.01:
		return wall.Format("04:05.000")[:8]
	}
	return wall.Format("04:05.000")
}

// ends are those of the value axis. It starts at zero unless that would
// squeeze all values into a line at the top. NaN is no value.
func ends(low, high float64, unit string) (bottom, top float64) {
	switch {
	case math.IsNaN(low) || math.IsNaN(high), low == high && low == 0:
		return 0, 1
	case low == high && low > 0:
		return 0, low * 1.2
	case low == high:
		return low * 1.2, 0
	case unit == "%" && low >= 0 && high > 50 && high <= 100.5:
		return 0, 100
	}
	span := high - low
	bottom, top = low-span*0.05, high+span*0.05
	if low >= 0 && span > 0.1*high {
		bottom = 0
	}
	if high <= 0 && span > -0.1*low {
		top = 0
	}
	return bottom, top
}

// decades are the ends of a logarithmic axis: whole powers of ten.
func decades(low, high float64) (bottom, top float64) {
	if !(high > 0) {
		return 0.1, 1
	}
	top = math.Ceil(math.Log10(high) - 1e-9)
	bottom = top - 3
	if low > 0 {
		bottom = math.Floor(math.Log10(low) + 1e-9)
	}
	return math.Pow(10, math.Max(bottom, top-12)), math.Pow(10, math.Max(top, bottom+1))
}

// powers are the ticks of a logarithmic axis: every one, second or third power.
func powers(low, high float64) []float64 {
	var list []float64
	for e := math.Round(math.Log10(low)); e <= math.Log10(high)+1e-9; e++ {
		list = append(list, math.Pow(10, e))
	}
	every := (len(list) + 6) / 7
	var kept []float64
	for i, v := range list {
		if (len(list)-1-i)%every == 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

// levelsBetween are round values between two ends, about one for each given
// number of pixels; closer where that would leave only one.
func levelsBetween(low, high, pixels, apart float64) []float64 {
	list := levelsApart(low, high, pixels, apart)
	if len(list) < 2 && high > low {
		list = levelsApart(low, high, pixels, apart/2)
	}
	return list
}

func levelsApart(low, high, pixels, apart float64) []float64 {
	rough := (high - low) / math.Max(1, pixels/apart)
	if !(rough > 0) || math.IsInf(rough, 0) {
		return []float64{low}
	}
	unit := math.Pow(10, math.Floor(math.Log10(rough)))
	step := 10 * unit
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if f*unit >= rough*0.999 {
			step = f * unit
			break
		}
	}
	var list []float64
	for n := math.Ceil(low/step - 1e-9); n*step <= high+step*1e-9 && len(list) < 100; n++ {
		list = append(list, n*step)
	}
	return list
}

// A measure returns the width of a text in pixels.
type measure func(text string) float64

const axisRoom = 48 - 6 - 1 // as beside the charts of the page

// axisTexts are the tick labels. Only the topmost one carries the unit.
func axisTexts(splits []float64, unit string, log bool, wide measure) []string {
	fits := func(text string) bool { return len([]rune(text)) <= 4 || wide(text) <= axisRoom }
	var texts []string
	if log {
		for _, v := range splits {
			texts = append(texts, letters(v, max(0, -order(v))))
		}
	} else {
		texts = levelTexts(splits, fits)
	}
	if last := len(texts) - 1; last >= 0 && unit != "" && fits(texts[last]+"\u2009"+unit) {
		texts[last] += "\u2009" + unit
	}
	return texts
}

func order(v float64) int { return int(math.Floor(math.Log10(v) + 1e-9)) }

// levelTexts are the labels of equally spaced ticks: all in one notation, no two
// alike. Where the numbers are too long for the axis, only the tick nearest zero
// shows its value and the others show their distance from it.
func levelTexts(splits []float64, fits func(string) bool) []string {
	if len(splits) == 0 {
		return nil
	}
	step := math.Abs(splits[0])
	if step == 0 {
		step = 1
	}
	if len(splits) > 1 {
		step = math.Abs(splits[1] - splits[0])
	}
	good := func(texts []string) bool {
		seen := map[string]bool{}
		for _, t := range texts {
			if seen[t] || !fits(t) {
				return false
			}
			seen[t] = true
		}
		return true
	}
	if order(step) < -3 {
		return exponents(splits, step)
	}
	plain := written(splits, step, 1, "")
	largest := 0.0
	for _, v := range splits {
		largest = max(largest, math.Abs(v))
	}
	if good(plain) && largest < 1e4 {
		return plain
	}
	by, letter := sizeOf(splits)
	if texts := written(splits, step, by, letter); good(texts) {
		return texts
	}
	if good(plain) {
		return plain
	}
	bare := make([]string, len(plain))
	for i, t := range plain {
		bare[i] = strings.ReplaceAll(t, ",", "")
	}
	if good(bare) {
		return bare
	}
	return apart(splits, step, by, letter, fits)
}

func sizeOf(values []float64) (by float64, letter string) {
	for _, s := range format.Sizes {
		if slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v) >= s.From }) {
			return s.By, s.Letter
		}
	}
	return 1, ""
}

// letters abbreviates a number by a letter once it has many digits: "57k".
func letters(v float64, decimals int) string {
	a := math.Abs(v)
	if math.IsInf(a, 0) {
		return format.Number(v, decimals)
	}
	for _, s := range format.Sizes {
		if a >= s.From {
			d := 0
			if a/s.By < 10 {
				d = 1
			}
			return format.Number(v/s.By, d) + s.Letter
		}
	}
	return format.Number(v, decimals)
}

// written are numbers on one scale, with as many decimals as the step between
// them needs.
func written(values []float64, step, by float64, letter string) []string {
	part := step / by
	decimals := max(0, -order(part))
	if part < 10 {
		decimals += halves(part)
	}
	list := make([]string, len(values))
	for i, v := range values {
		if list[i] = "0"; v != 0 {
			list[i] = format.Number(v/by, decimals) + letter
		}
	}
	return list
}

// halves is 1 for a step such as 25 or 75, which needs one digit more than its
// order of magnitude suggests.
func halves(step float64) int {
	if m := strconv.FormatFloat(step/math.Pow(10, float64(order(step))), 'f', 3, 64); strings.HasPrefix(m, "2.5") || strings.HasPrefix(m, "7.5") {
		return 1
	}
	return 0
}

func exponents(values []float64, step float64) []string {
	list := make([]string, len(values))
	for i, v := range values {
		if v == 0 {
			list[i] = "0"
			continue
		}
		text := strconv.FormatFloat(v, 'e', max(0, order(math.Abs(v))-order(step)+halves(step)), 64)
		digits, power, _ := strings.Cut(text, "e")
		if strings.Contains(digits, ".") {
			digits = strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
		}
		n, _ := strconv.Atoi(power)
		sign := "+"
		if n < 0 {
			sign = ""
		}
		list[i] = strings.ReplaceAll(digits+"e"+sign+strconv.Itoa(n), "-", format.Minus)
	}
	return list
}

func apart(splits []float64, step, by float64, letter string, fits func(string) bool) []string {
	from := splits[0]
	for _, v := range splits {
		if math.Abs(v) < math.Abs(from) {
			from = v
		}
	}
	base := letters(from, 0)
	for d := 3; d >= 0; d-- {
		if text := format.Number(from/by, d) + letter; fits(text) {
			base = text
			break
		}
	}
	ways := make([]float64, len(splits))
	for i, v := range splits {
		ways[i] = v - from
	}
	size, l := sizeOf(ways)
	far := written(ways, step, size, l)
	for i, v := range splits {
		if v == from {
			far[i] = base
		} else if ways[i] > 0 {
			far[i] = "+" + far[i]
		}
	}
	return far
}
