package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// Charts are SVG of flexible width: lines are scaled to it, texts and marks
// are placed at percentages.
const (
	across   = 1000.0 // units from the left end to the right
	low      = 150.0  // pixels from the top to the bottom of a chart
	tall     = 260.0
	expected = 800.0 // pixels of width that labels are made for
)

// Colours are those of the page's light theme (static/style/look.css); a test
// compares them.
var hues = [...]string{"", "#2349C6", "#D42317", "#049FB8", "#B58C00", "#952E7E", "#00865B", "#662F05", "#132A60", "#7A828B", "#C8651F"}

const (
	surface = "#FFFFFF"
	grid    = "#EDF0F2"
	ruled   = "#C3CAD2"
	edge    = "#828B96"
	ink     = "#15181C"
	faint   = "#5F6873"
	accent  = "#5A43D6"
	look    = "#BF7D00"
)

func hue(n int) string { return hues[min(max(n, 0), len(hues)-1)] }

// A line is a series as drawn; missing values are NaN.
type line struct {
	series    *panel.Series
	values    []float64
	low, high []float64 // minimum and maximum of each step; nil if every point is a single observation
	stepped   bool
}

// A chart is a panel of lines being drawn.
type chart struct {
	markup
	about    *Report
	p        *Panel
	from, to float64 // the window, in seconds after the frame's start
	height   float64
	lines    []line
	total    []float64 // the total height of the stacked areas
	side     [2]scale  // of the axis, and of lines with a scale of their own
}

// A scale has the values at its ends.
type scale struct {
	low, high float64
	log       bool
}

func (s scale) share(v float64) float64 {
	if s.log {
		v = math.Max(v, s.low)
		return (math.Log10(v) - math.Log10(s.low)) / (math.Log10(s.high) - math.Log10(s.low))
	}
	return (v - s.low) / (s.high - s.low)
}

func (c *chart) y(side int, v float64) float64 { return c.height * (1 - c.side[side].share(v)) }

func (c *chart) x(seconds float64) float64 { return across * (seconds - c.from) / (c.to - c.from) }

func (about *Report) chartOf(p *Panel) *chart {
	w := p.View.Window
	if w.Len() <= 0 {
		w = about.Window
	}
	c := &chart{about: about, p: p, from: w.Start.Since(p.Frame.Start), to: w.End.Since(p.Frame.Start), height: low}
	if p.Tall {
		c.height = tall
	}
	return c
}

func sideOf(s *panel.Series) int {
	if s.Right {
		return 1
	}
	return 0
}

// stacked reports whether the areas are stacked.
func (c *chart) stacked() bool { return c.p.Stacked() && !c.p.Log && !c.p.Share }

// read prepares the values to draw.
func (c *chart) read() {
	p := c.p
	for i := range p.Series {
		s := &p.Series[i]
		if !p.Drawn(s) || s.Column >= len(p.Frame.Columns) || p.Load == nil {
			continue
		}
		values, _ := p.Load(s.Column)
		if len(values) != len(p.Frame.Times) {
			continue
		}
		l := line{series: s, stepped: p.Frame.Columns[s.Column].Semantics == "discrete"}
		var lows, highs []float64
		if p.Band != nil {
			lows, highs = p.Band(s.Column)
		}
		by := s.ShownIn(p.View).Factor
		if p.Share {
			by = 100 / peak(values, highs)
		}
		if s.Below {
			by = -by
		}
		l.values = times(values, by, p.Log)
		if len(highs) == len(values) && len(lows) == len(values) {
			l.low, l.high = times(lows, by, p.Log), times(highs, by, p.Log)
		}
		c.lines = append(c.lines, l)
	}
	if p.Total >= 0 && p.Band != nil && c.stacked() && len(c.lines) > 1 {
		if _, high := p.Band(p.Total); len(high) == len(p.Frame.Times) {
			c.total = times(high, c.lines[0].series.ShownIn(p.View).Factor, false)
		}
	}
}

func peak(lists ...[]float64) float64 {
	largest := 0.0
	for _, list := range lists {
		for _, v := range list {
			if !math.IsInf(v, 0) && math.Abs(v) > largest {
				largest = math.Abs(v)
			}
		}
	}
	if largest == 0 {
		return 1
	}
	return largest
}

// times multiplies values by a factor; a logarithmic axis only takes the
// positive ones.
func times(values []float64, by float64, log bool) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = v * by; math.IsInf(v, 0) || log && !(v > 0) {
			out[i] = math.NaN()
		}
	}
	return out
}

// stack stacks areas: the last one starts at zero, the first holds the total.
func (c *chart) stack() {
	if !c.stacked() {
		return
	}
	for _, below := range []bool{false, true} {
		var under []float64
		for i := len(c.lines) - 1; i >= 0; i-- {
			l := &c.lines[i]
			if l.series.Below != below {
				continue
			}
			for k, u := range under {
				if math.IsNaN(u) {
					continue
				}
				if math.IsNaN(l.values[k]) {
					l.values[k] = 0
				}
				l.values[k] += u
			}
			under = l.values
		}
	}
}

// fit finds the ends of the scales from everything within the window.
func (c *chart) fit() {
	var lows, highs [2]float64
	for k := range lows {
		lows[k], highs[k] = math.NaN(), math.NaN()
	}
	take := func(k int, values []float64) {
		for i, v := range values {
			if t := c.p.Frame.Times[i]; t < c.from || math.IsNaN(v) {
				continue
			} else if t > c.to && (i == 0 || c.p.Frame.Times[i-1] >= c.to) { // the step in which the window ends counts
				break
			}
			if !(v >= lows[k]) {
				lows[k] = v
			}
			if !(v <= highs[k]) {
				highs[k] = v
			}
		}
	}
	banded := !c.stacked() || len(c.lines) == 1
	for _, l := range c.lines {
		take(sideOf(l.series), l.values)
		if banded && l.high != nil {
			take(sideOf(l.series), l.low)
			take(sideOf(l.series), l.high)
		}
	}
	take(0, c.total)
	c.side[1].low, c.side[1].high = ends(lows[1], highs[1], "")
	c.side[0].low, c.side[0].high = c.axisEnds(lows[0], highs[0])
	c.side[0].log = c.p.Log
}

func (c *chart) axisEnds(low, high float64) (float64, float64) {
	p := c.p
	switch {
	case p.Log:
		return decades(low, high)
	case p.High > p.Low:
		return p.Low, p.High
	case p.Share:
		return ends(low, high, "")
	}
	for _, l := range p.Levels {
		if l.Value > high && l.Value <= 3*high {
			high = l.Value
		}
	}
	if p.Max > 0 && !math.IsNaN(high) {
		if high > p.Max*1.02 {
			return math.Min(0, low), high * 1.05
		}
		return math.Min(0, low), p.Max
	}
	if p.Stacked() && low > 0 { // areas start at zero
		low = 0
	}
	return ends(low, high, p.Shown.Unit)
}

// splits are the positions of the ticks of the value axis.
func (c *chart) splits() []float64 {
	s := c.side[0]
	if s.log {
		return powers(s.low, s.high)
	}
	list := levelsBetween(s.low, s.high, c.height, 34)
	if c.p.Shown.Decimals != 0 || c.p.Share {
		return list
	}
	whole := slices.DeleteFunc(slices.Clone(list), func(v float64) bool { return math.Abs(v-math.Round(v)) >= 1e-9 })
	if len(whole) > 1 { // half a process does not exist
		return whole
	}
	return list
}

// textWidth estimates the width of an axis label.
func textWidth(text string) float64 { return 6.1 * float64(utf8.RuneCountInString(text)) }

// draw writes a complete line chart.
func (c *chart) draw() {
	c.read()
	c.stack()
	c.fit()
	unit := c.p.Shown.Unit
	if c.p.Share {
		unit = "%"
	}
	splits := c.splits()
	texts := axisTexts(splits, unit, c.p.Log, textWidth)
	places := make([]float64, len(splits))
	below := slices.ContainsFunc(c.lines, func(l line) bool { return l.series.Below })
	for i, v := range splits {
		places[i] = c.y(0, v)
		if below {
			texts[i] = strings.TrimPrefix(texts[i], format.Minus) // outgoing traffic is drawn downwards
		}
	}
	c.frame(places, texts, func() {
		for _, y := range places {
			c.rule("line", "x2", "100%", "y1", digits(y), "y2", digits(y), "stroke", grid)
		}
	}, func() {
		c.start("svg", "viewBox", "0 0 1000 "+digits(c.height), "preserveAspectRatio", "none", "fill", "none", "class", "lines")
		c.bands()
		for _, l := range c.lines {
			c.stroke(l)
		}
		c.end("svg")
	}, c.over)
}

// rule writes an SVG element without content.
func (c *chart) rule(name string, attributes ...string) {
	c.start(name, attributes...)
	c.end(name)
}

// frame writes the axes around the data, with hatching below it where nothing
// was recorded.
func (c *chart) frame(places []float64, texts []string, ground, drawn, over func()) {
	high := digits(c.height)
	c.start("div", "class", "chart")
	c.start("svg", "class", "values", "width", "56", "height", digits(c.height+12), "aria-hidden", "true")
	for i, y := range places {
		if y > -1 && y < c.height+1 {
			c.put("text", texts[i], "x", "50", "y", digits(y+12), "text-anchor", "end")
		}
	}
	c.end("svg")
	c.start("svg", "class", "plot", "width", "100%", "height", digits(c.height+12), "role", "img", "aria-label", c.about.own(c.p.Heading())+": "+c.about.own(panel.Describe(c.p.Settings, c.p.View, c.about.Clock)))
	c.start("svg", "y", "8", "width", "100%", "height", high)
	ground()
	window := c.p.View.Window
	marks := ticks(c.about.Clock, window.Start, window.End, expected)
	for _, t := range marks {
		x := share(c.x(c.since(window.Start, t.at)))
		c.rule("line", "x1", x, "x2", x, "y2", high, "stroke", grid)
	}
	c.breaks(true)
	drawn()
	c.breaks(false)
	over()
	c.rule("line", "x2", "100%", "y1", high, "y2", high, "stroke", ruled)
	c.end("svg")
	c.end("svg")
	c.start("svg", "class", "times", "width", "100%", "height", "18", "aria-hidden", "true")
	for i, t := range marks {
		x, class := c.x(c.since(window.Start, t.at)), "t"
		if i%2 == 1 {
			class = "t odd" // where there is little room
		}
		if x > 0.02*across && x < 0.98*across {
			c.put("text", t.text, "x", share(x), "y", "12", "text-anchor", "middle", "class", class)
		}
	}
	c.end("svg")
	c.end("div")
}

// since is the position of a tick in seconds after the frame's start.
func (c *chart) since(start pcp.Time, at float64) float64 {
	origin, _ := start.Split()
	return pcp.MakeTime(origin, 0).Since(c.p.Frame.Start) + at
}

// breaks hatches the time ranges for which there can be no value, and labels
// them. Moments that no line crosses are marked over the lines, or, if there are
// many, at the bottom.
func (c *chart) breaks(stretches bool) {
	var moments []float64
	for _, b := range c.about.Breaks {
		x0, x1 := c.x(b.Start.Since(c.p.Frame.Start)), c.x(b.End.Since(c.p.Frame.Start))
		if x1 < 0 || x0 > across {
			continue
		}
		if x1-x0 < 2.5 {
			moments = append(moments, x0)
			continue
		}
		if !stretches {
			continue
		}
		x0, x1 = max(x0, 0), min(x1, across)
		c.rule("rect", "x", share(x0), "width", share(x1-x0), "height", digits(c.height), "fill", "url(#hatch)")
		if (x1-x0)/across*expected > textWidth(b.Label)+8 {
			c.put("text", b.Label, "x", share((x0+x1)/2), "y", digits(c.height/2+4), "text-anchor", "middle", "class", "halo")
		}
	}
	if stretches {
		return
	}
	slices.Sort(moments)
	before, dense := math.Inf(-1), len(moments) > 12
	for _, x := range moments {
		if x-before < 2.5 {
			continue
		}
		before = x
		if dense {
			c.rule("line", "x1", share(x), "x2", share(x), "y1", digits(c.height-5), "y2", digits(c.height), "stroke", edge)
		} else {
			c.rule("line", "x1", share(x), "x2", share(x), "y2", digits(c.height), "stroke", edge, "stroke-dasharray", "3 3")
		}
	}
}

// maxBands is how many bands can be distinguished; with more lines, only the
// maxima are drawn.
const maxBands = 8

// bands are drawn from the minimum to the maximum of each step of each line,
// or up to the maximum of the total of a stack.
func (c *chart) bands() {
	if c.stacked() && len(c.lines) > 1 {
		if c.total != nil {
			c.band(0, nil, c.total, faint, "0.18", true)
		}
		return
	}
	n := 0
	for _, l := range c.lines {
		if l.high != nil {
			n++
		}
	}
	alpha := strconv.FormatFloat(0.26/math.Sqrt(math.Max(1, float64(n)/2)), 'f', 2, 64)
	for _, l := range c.lines {
		if l.high != nil {
			c.band(sideOf(l.series), l.low, l.high, hue(l.series.Colour), alpha, n <= maxBands)
		}
	}
}

func (c *chart) band(side int, lows, highs []float64, colour, alpha string, filled bool) {
	for _, run := range c.runs(highs) {
		top := c.points(side, highs, run)
		edgeOf := polyline(top)
		if filled {
			bottom := []point{{top[len(top)-1].x, c.y(side, 0)}, {top[0].x, c.y(side, 0)}}
			if lows != nil {
				bottom = c.points(side, lows, run)
				slices.Reverse(bottom)
			}
			c.rule("path", "d", polyline(append(slices.Clone(top), bottom...))+"z", "fill", colour, "fill-opacity", alpha)
		}
		c.rule("path", "d", edgeOf, "stroke", colour, "stroke-opacity", ".5", "stroke-width", ".75")
	}
}

func (c *chart) stroke(l line) {
	side, colour := sideOf(l.series), hue(l.series.Colour)
	if c.p.Style == "bar" {
		c.bars(l, colour)
		return
	}
	width := "1.3"
	switch {
	case c.stacked():
		width = ".9"
	case l.series.Bold:
		width = "2"
	}
	for _, run := range c.runs(l.values) {
		points := c.points(side, l.values, run)
		if l.stepped && run.last-run.first < across/2 {
			points = steps(points)
		}
		if c.stacked() {
			fill := mixed(colour)
			if l.series.Estimated() {
				fill = "url(#share)"
			}
			zero := c.y(side, 0)
			c.rule("path", "d", polyline(append(slices.Clone(points), point{points[len(points)-1].x, zero}, point{points[0].x, zero}))+"z", "fill", fill)
		}
		if run.first < run.last {
			c.rule("path", "d", polyline(points), "stroke", colour, "stroke-width", width)
		}
	}
}

func (c *chart) bars(l line, colour string) {
	at := c.p.Frame.Times
	wide := 0.05 * across
	if len(at) > 1 {
		wide = 0.8 * (c.x(at[1]) - c.x(at[0]))
	}
	side := sideOf(l.series)
	for i, v := range l.values {
		if x := c.x(at[i]); !math.IsNaN(v) && x+wide >= 0 && x-wide <= across {
			y, zero := c.y(side, v), c.y(side, math.Max(0, c.side[side].low))
			c.rule("rect", "x", digits(x-wide/2), "width", digits(wide), "y", digits(min(y, zero)), "height", digits(math.Abs(zero-y)), "fill", colour)
		}
	}
}

// mixed is a colour as used for an area of a stack.
func mixed(colour string) string {
	const hex = "0123456789ABCDEF"
	out := []byte("#")
	for i := 1; i+1 < len(colour); i += 2 {
		v := strings.IndexByte(hex, colour[i])*16 + strings.IndexByte(hex, colour[i+1])
		v = int(math.Round(0.42*float64(v) + 0.58*255))
		out = append(out, hex[v>>4], hex[v&15])
	}
	return string(out)
}

// A run is a part of a line without a gap, as indices of its first and last
// point.
type run struct{ first, last int }

// runs are those that overlap the window.
func (c *chart) runs(values []float64) []run {
	var list []run
	at := c.p.Frame.Times
	for i, v := range values {
		if math.IsNaN(v) || at[min(i+1, len(at)-1)] < c.from || at[max(i-1, 0)] > c.to {
			continue
		}
		if n := len(list); n > 0 && list[n-1].last == i-1 {
			list[n-1].last = i
		} else {
			list = append(list, run{i, i})
		}
	}
	return list
}

type point struct{ x, y float64 }

// points are those to draw for a run. Of points in one pixel column, the first,
// the minimum, the maximum and the last are kept, so that no peak is lost.
func (c *chart) points(side int, values []float64, r run) []point {
	var list []point
	at, column := c.p.Frame.Times, math.NaN()
	var kept []point // of one column
	flush := func() {
		if len(kept) <= 4 {
			list = append(list, kept...)
		} else {
			top, foot := 0, 0
			for i, p := range kept {
				if p.y < kept[top].y {
					top = i
				}
				if p.y > kept[foot].y {
					foot = i
				}
			}
			indices := []int{0, top, foot, len(kept) - 1}
			slices.Sort(indices)
			for _, i := range slices.Compact(indices) {
				list = append(list, kept[i])
			}
		}
		kept = kept[:0]
	}
	for i := r.first; i <= r.last; i++ {
		x, y := min(max(c.x(at[i]), -across), 2*across), min(max(c.y(side, values[i]), -1e5), 1e5)
		if math.Floor(x) != column {
			flush()
			column = math.Floor(x)
		}
		kept = append(kept, point{x, y})
	}
	flush()
	return list
}

// steps hold each value until the next.
func steps(list []point) []point {
	out := make([]point, 0, 2*len(list))
	for i, p := range list {
		if i > 0 {
			out = append(out, point{p.x, list[i-1].y})
		}
		out = append(out, p)
	}
	return out
}

// polyline is a path through points in relative coordinates.
func polyline(list []point) string {
	b := make([]byte, 0, 8*len(list))
	tenth := func(v float64) int { return int(math.Round(10 * v)) }
	write := func(tenths int) {
		text := digits(float64(tenths) / 10)
		if sign, rest, ok := strings.Cut(text, "0."); ok && (sign == "" || sign == "-") {
			text = sign + "." + rest
		}
		if len(b) > 0 && b[len(b)-1] <= '9' && text[0] != '-' {
			b = append(b, ' ')
		}
		b = append(b, text...)
	}
	x, y := 0, 0
	for i, p := range list {
		px, py := tenth(p.x), tenth(p.y)
		switch i {
		case 0:
			b = append(b, 'M')
			write(px)
			write(py)
			b = append(b, 'l')
		default:
			if px == x && py == y && i < len(list)-1 {
				continue
			}
			write(px - x)
			write(py - y)
		}
		x, y = px, py
	}
	if len(list) == 1 {
		b = append(b, "0 0"...)
	}
	return string(b)
}

// over is drawn over the lines: points that no line reaches, thresholds, the
// maximum of the right-hand scale, notes.
func (c *chart) over() {
	const limit = 400
	dots := 0
	for _, l := range c.lines {
		if c.p.Style == "bar" {
			break
		}
		for _, r := range c.runs(l.values) {
			if r.first == r.last && dots < limit {
				dots++
				c.rule("circle", "cx", share(c.x(c.p.Frame.Times[r.first])), "cy", digits(c.y(sideOf(l.series), l.values[r.first])), "r", "2", "fill", hue(l.series.Colour))
			}
		}
	}
	if !c.p.Share {
		for _, l := range c.p.Levels {
			if l.Value > c.side[0].high || l.Value < c.side[0].low {
				continue
			}
			y := c.y(0, l.Value)
			c.rule("line", "x2", "100%", "y1", digits(y), "y2", digits(y), "stroke", faint, "stroke-dasharray", "4 3")
			if y -= 3; y < 8 {
				y += 14 // below the line, where the chart ends above it
			}
			c.put("text", c.about.own(l.Label), "x", "99.8%", "y", digits(y), "text-anchor", "end", "class", "halo")
		}
	}
	if i := slices.IndexFunc(c.lines, func(l line) bool { return l.series.Right }); i >= 0 {
		c.put("text", letters(c.side[1].high, 1)+" "+c.lines[i].series.ShownIn(c.p.View).Unit, "x", "99.8%", "y", "10", "text-anchor", "end", "class", "halo")
	}
	c.notes()
}

// notes are the numbers of the user's notes.
func (c *chart) notes() {
	for i, n := range c.about.Notes {
		if x := c.x(n.At.Since(c.p.Frame.Start)); x >= 0 && x <= across {
			c.rule("line", "x1", share(x), "x2", share(x), "y2", digits(c.height), "stroke", accent, "stroke-dasharray", "3 3")
			c.put("text", format.Count(i+1), "x", share(x), "dx", "3", "y", "10", "class", "halo note")
		}
	}
}
