package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// Charts with one row per instance: heat maps, lanes of states, events.

// maxRows is how many rows can be distinguished on paper.
const maxRows = 60

// shades are the colours of a heat map from low to high: every eleventh of the
// 256 of Cividis, which is readable with colour-vision deficiency.
var shades = makeShades()

func makeShades() []string {
	anchors := [][3]float64{{0, 34, 78}, {18, 53, 112}, {59, 73, 108}, {87, 93, 109}, {112, 113, 115}, {138, 134, 120}, {165, 156, 116}, {195, 179, 105}, {225, 204, 85}, {254, 232, 56}}
	list := make([]string, 24)
	for i := range list {
		at := float64(i) / float64(len(list)-1) * float64(len(anchors)-1)
		k := min(int(at), len(anchors)-2)
		var c [3]int
		for j := range c {
			c[j] = int(math.Round(anchors[k][j] + (anchors[k+1][j]-anchors[k][j])*(at-float64(k))))
		}
		list[i] = fmt.Sprintf("#%02X%02X%02X", c[0], c[1], c[2])
	}
	return list
}

func shade(v, low, high float64) int {
	if high <= low {
		return 0
	}
	return min(max(int(math.Round((v-low)/(high-low)*float64(len(shades)-1))), 0), len(shades)-1)
}

// rows are the series to draw, one per row: if there are too many, those with
// the highest values.
func (c *chart) rows() []*panel.Series {
	var list []*panel.Series
	for i := range c.p.Series {
		if s := &c.p.Series[i]; c.p.Drawn(s) && s.Column < len(c.p.Frame.Columns) {
			list = append(list, s)
		}
	}
	if len(list) > maxRows {
		highestFirst(list)
		list = list[:maxRows]
	}
	return list
}

// highestFirst sorts series by maximum; those without one (NaN) come last.
func highestFirst(list []*panel.Series) {
	sorting.Stable(list, func(a, b *panel.Series) int { return cmp.Compare(b.Stats.Max, a.Stats.Max) })
}

// inRows writes the frame of a chart of rows with a minimum row height.
func (c *chart) inRows(list []*panel.Series, high float64, drawn, over func()) {
	c.height = max(min(high*float64(len(list)), tall*1.5), 40)
	each := c.height / float64(max(1, len(list)))
	every := max(1, int(math.Ceil(11/each)))
	var places []float64
	var texts []string
	for i, s := range list {
		if i%every == 0 {
			places, texts = append(places, (float64(i)+0.5)*each), append(texts, shortened(c.about.own(s.Label), 9))
		}
	}
	c.frame(places, texts, func() {}, drawn, over)
}

// shortened truncates a text to a width in characters. Unlike pcp.Clip it counts
// the ellipsis, which has to fit, too.
func shortened(text string, limit int) string {
	if r := []rune(text); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return text
}

// heat writes a heat map: a cell shows the highest value of its time.
func (c *chart) heat() {
	list := c.rows()
	const cells = 250
	frames := c.p.Frame.Times
	peak := c.p.Max
	for _, s := range list {
		if v := c.p.Known[s.Column].Peak * s.ShownIn(c.p.View).Factor; v > peak {
			peak = v
		}
	}
	c.inRows(list, 14, func() {
		if len(frames) < 2 {
			return
		}
		step := (frames[len(frames)-1] - frames[0]) / float64(len(frames)-1)
		paths := make([]strings.Builder, len(shades))
		each := c.height / float64(max(1, len(list)))
		for row, s := range list {
			values, _ := c.p.Load(s.Column)
			by := s.ShownIn(c.p.View).Factor
			level := make([]int, cells)
			for i := range level {
				level[i] = -1
			}
			for i, v := range values {
				if math.IsNaN(v) || i >= len(frames) {
					continue
				}
				// The value of a rate belongs to the interval before its
				// time.
				from, to := c.x(frames[i]-step)/across*cells, c.x(frames[i])/across*cells
				for k := max(int(math.Round(from)), 0); k < min(max(int(math.Round(to)), int(from)+1), cells); k++ {
					level[k] = max(level[k], shade(v*by, 0, peak))
				}
			}
			for i := 0; i < cells; {
				k := i + 1
				for k < cells && level[k] == level[i] {
					k++
				}
				if level[i] >= 0 {
					w := digits(across / cells * float64(k-i))
					paths[level[i]].WriteString("M" + digits(across/cells*float64(i)) + " " + digits(float64(row)*each) + "h" + w + "v" + digits(each) + "h-" + w + "z")
				}
				i = k
			}
		}
		c.start("svg", "viewBox", "0 0 1000 "+digits(c.height), "preserveAspectRatio", "none", "shape-rendering", "crispEdges")
		for i := range paths {
			if paths[i].Len() > 0 {
				c.rule("path", "d", paths[i].String(), "fill", shades[i])
			}
		}
		c.end("svg")
	}, c.notes)
	c.start("div", "class", "keys")
	c.shades("0", strings.TrimSpace(c.p.Shown.Text(peak/c.p.Shown.Factor)+" "+c.p.Shown.Unit))
	c.end("div")
}

// shades writes the legend of the cell colours.
func (m *markup) shades(from, to string) {
	m.start("p", "class", "scale")
	m.say(from + " ")
	m.start("svg", "width", "96", "height", "10", "aria-hidden", "true")
	for i := range shades {
		m.start("rect", "x", digits(4*float64(i)), "width", "4", "height", "10", "fill", shades[i])
		m.end("rect")
	}
	m.end("svg")
	m.say(" " + to)
	m.end("p")
}

// states writes lanes: spans of one state, with its name if there is room.
func (c *chart) states() {
	list := c.rows()
	number := map[string]int{}
	c.inRows(list, 20, func() {
		each := c.height / float64(max(1, len(list)))
		for row, s := range list {
			y, high := float64(row)*each+each/8, each*3/4
			for _, st := range c.stretches(s) {
				n, ok := number[st.name]
				if !ok {
					n = len(number)
					number[st.name] = n
				}
				from, to := max(c.x(st.from), 0), min(c.x(st.to), across)
				if to < 0 || from > across {
					continue
				}
				colour := hue([]int{1, 4, 6, 5, 3, 7, 8, 10, 2}[n%9])
				c.rule("rect", "x", share(from), "width", share(max(to-from, 1)), "y", digits(y), "height", digits(high), "fill", colour, "fill-opacity", ".35")
				c.rule("rect", "x", share(from), "width", "1", "y", digits(y), "height", digits(high), "fill", colour)
				if (to-from)/across*expected > textWidth(st.name)+12 && each >= 12 {
					c.put("text", c.about.own(st.name), "x", share(from), "dx", "5", "y", digits(y+high/2+4), "class", "name")
				}
			}
		}
	}, c.notes)
}

// A state is a span over which a series does not change.
type state struct {
	from, to float64 // seconds after the frame's start
	name     string
}

func (c *chart) stretches(s *panel.Series) []state {
	column := &c.p.Frame.Columns[s.Column]
	var logged []float64
	if column.Strings == nil {
		logged, _ = c.p.Load(s.Column)
	}
	shown := s.ShownIn(c.p.View)
	var list []state
	for i, at := range c.p.Frame.Times {
		name, has := "", false
		switch {
		case i < len(column.Strings) && column.Strings[i] != nil:
			name, has = *column.Strings[i], true
		case column.Strings != nil && len(list) > 0: // a text holds until the next
			name, has = list[len(list)-1].name, true
		case i < len(logged) && !math.IsNaN(logged[i]):
			name, has = shown.Text(logged[i]), true
		}
		if n := len(list); n > 0 && list[n-1].to < 0 {
			list[n-1].to = at
			if has && list[n-1].name == name {
				list[n-1].to = -1
				continue
			}
		}
		if has {
			list = append(list, state{at, -1, name})
		}
	}
	for i := range list {
		if list[i].to < 0 {
			list[i].to = c.p.Frame.Times[len(c.p.Frame.Times)-1]
		}
	}
	return list
}

// events marks each event.
func (c *chart) events() {
	list := c.rows()
	c.inRows(list, 24, func() {
		each := c.height / float64(max(1, len(list)))
		for row, s := range list {
			y, before := (float64(row)+0.5)*each, math.Inf(-1)
			c.rule("line", "x2", "100%", "y1", digits(y), "y2", digits(y), "stroke", grid)
			for _, o := range c.p.Occurrences(s) {
				x := c.x(o.Time)
				if x < 0 || x > across || x-before < 1 && o.Flags != "missed" {
					continue
				}
				before = x
				colour, width := hue(s.Colour), "1"
				if o.Flags == "missed" {
					colour, width = look, "2"
				}
				c.rule("line", "x1", share(x), "x2", share(x), "y1", digits(y-each/3), "y2", digits(y+each/3), "stroke", colour, "stroke-width", width)
			}
		}
	}, c.notes)
}

// calendar has a column per day and a cell per hour.
func (d *Days) calendar(about *Report, m *markup) {
	r := d.Result
	values := r.Average
	if d.Highest {
		values = r.Maximum
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		m.put("p", "No hour has a value.", "class", "none")
		return
	}
	if low > 0 && low < 0.5*high {
		low = 0
	}
	const each = 7.0
	n, tall := len(r.Days), 24*each
	m.start("div", "class", "chart")
	m.start("svg", "class", "values", "width", "56", "height", digits(tall+12), "aria-hidden", "true")
	for _, h := range []int{0, 6, 12, 18} {
		m.put("text", fmt.Sprintf("%02d:00", h), "x", "50", "y", digits(float64(h)*each+16), "text-anchor", "end")
	}
	m.end("svg")
	m.start("svg", "class", "plot", "width", "100%", "height", digits(tall+12), "role", "img", "aria-label", about.own(d.Name)+" by days and hours")
	m.start("rect", "y", "8", "width", "100%", "height", digits(tall), "fill", "url(#hatch)")
	m.end("rect")
	m.start("svg", "y", "8", "width", "100%", "height", digits(tall), "viewBox", fmt.Sprintf("0 0 %d 24", n), "preserveAspectRatio", "none", "shape-rendering", "crispEdges")
	colours := append(slices.Clip(shades), "#fff") // the last: hours left out as summer time began, which are not hatched
	paths := make([]strings.Builder, len(colours))
	for i, v := range values {
		path := len(shades)
		switch {
		case i/24 >= n:
			continue
		case !math.IsNaN(v):
			path = shade(v, low, high)
		case i >= len(r.Covered) || !math.IsNaN(r.Covered[i]):
			continue
		}
		fmt.Fprintf(&paths[path], "M%d %dh1v1h-1z", i/24, i%24)
	}
	for i := range paths {
		if paths[i].Len() > 0 {
			m.start("path", "d", paths[i].String(), "fill", colours[i])
			m.end("path")
		}
	}
	m.end("svg")
	place := func(t pcp.Time) (x float64, ok bool) {
		for i, day := range r.Days {
			if t >= day.Start && t < day.End {
				return float64(i) / float64(n) * across, true
			}
		}
		return 0, false
	}
	for _, boot := range r.Boots {
		if x, ok := place(boot); ok {
			m.start("line", "x1", share(x+across/float64(2*n)), "x2", share(x+across/float64(2*n)), "y1", digits(tall+8), "y2", digits(tall+12), "stroke", edge, "stroke-width", "2")
			m.end("line")
		}
	}
	m.end("svg")
	m.start("svg", "class", "times", "width", "100%", "height", "18", "aria-hidden", "true")
	every, k := max(1, int(math.Ceil(float64(n)*60/expected))), 0
	for i, day := range r.Days {
		if i%every != 0 || math.Abs((float64(i)+0.5)/float64(n)-0.5) > 0.47 {
			continue
		}
		class := "t"
		if k++; k%2 == 0 {
			class = "t odd"
		}
		m.put("text", about.Clock.Day(day.Start), "x", share((float64(i)+0.5)/float64(n)*across), "y", "12", "text-anchor", "middle", "class", class)
	}
	m.end("svg")
	m.end("div")
	what := "mean of each hour"
	if d.Highest {
		what = "highest of each hour"
	}
	m.shades(d.Shown.Text(low), strings.TrimSpace(d.Shown.Text(high)+" "+d.Shown.Unit)+", "+what+"; hatched: nothing recorded; marks at the bottom: reboots")
	for i, u := range d.Unusual {
		if i == 5 {
			break
		}
		m.put("p", about.Clock.Weekday(u.Start)+": "+about.own(u.Text), "class", "unusual")
	}
}

// maxColumns is how many columns of numbers fit on paper.
const maxColumns = 8

// table is a panel of tables at the end of the window: a row per instance, a
// column per metric.
func (p *Panel) table(about *Report, m *markup) {
	var columns, instances []string
	units, cells, seen := map[string]string{}, map[[2]string]string{}, map[string]bool{}
	for i := range p.Series {
		s := &p.Series[i]
		name := cmp.Or(s.Name, s.Metric)
		if !slices.Contains(columns, name) {
			columns = append(columns, name)
			units[name] = s.ShownIn(p.View).Unit
		}
		who := cmp.Or(s.Called, s.Instance)
		if !seen[who] {
			seen[who] = true
			instances = append(instances, who)
		}
		text := s.ShownIn(p.View).For(s.Stats.Last).Text(s.Stats.Last)
		if c := &p.Frame.Columns[s.Column]; c.Strings != nil {
			text = format.Dash
			for k := len(c.Strings) - 1; k >= 0; k-- {
				if c.Strings[k] != nil {
					text = *c.Strings[k]
					break
				}
			}
		}
		cells[[2]string{who, name}] = text
	}
	heads, rows, at := columns, instances, func(row, column string) string { return cells[[2]string{row, column}] }
	named := func(column string) string { return strings.TrimSpace(about.own(column) + " " + units[column]) }
	head, first := named, about.own
	if len(columns) > maxColumns && len(instances) < len(columns) { // paper is narrow
		heads, rows, at = instances, columns, func(row, column string) string { return cells[[2]string{column, row}] }
		head, first = about.own, named
	}
	const limit = 40
	m.start("div", "class", "wide")
	m.start("table")
	m.start("tr")
	m.put("th", "")
	for _, name := range heads {
		m.put("th", head(name), "class", "n")
	}
	m.end("tr")
	for _, row := range rows[:min(len(rows), limit)] {
		m.start("tr")
		m.put("td", first(row))
		for _, column := range heads {
			m.put("td", about.own(cmp.Or(at(row, column), format.Dash)), "class", "n")
		}
		m.end("tr")
	}
	m.end("table")
	m.end("div")
	said := "The last values in the window."
	if n := len(rows) - limit; n > 0 {
		said += " " + format.Plural(n, "more row") + "."
	}
	m.put("p", said, "class", "about")
}
