package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/inputs"
	"pcpscope/internal/nodejs"
	"pcpscope/web/format"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

const second = pcp.Time(1e9)

// begin is 2024-07-15 00:00 in Prague.
const begin = 1_720_994_400 * second

// shown returns a panel of one metric with a point every second.
func shown(s panel.Settings, columns ...api.Column) Panel {
	f := &api.Frame{Start: begin, Columns: columns, Step: 1, Reduced: "mean"}
	n := 0
	for i := range columns {
		if columns[i].Metric == "" {
			columns[i].Metric = "m"
		}
		n = max(n, len(columns[i].Values), len(columns[i].Strings))
	}
	for i := range n {
		f.Times = append(f.Times, float64(i))
	}
	a := panel.Answer{Frame: f, Window: timeline.Window{Start: begin, End: begin + pcp.Time(n-1)*second}, Step: 1e9, Others: -1, Total: -1,
		Load: func(c int) ([]float64, []uint8) { return columns[c].Values, nil },
		Band: func(c int) (low, high []float64) { return columns[c].Low, columns[c].High }}
	for i := range columns {
		st := panel.StatsOf(f, &columns[i], a.Window)
		a.Known = append(a.Known, api.ChartLine{Last: st.Last, Avg: st.Avg, P95: st.P95, Min: st.Min, Max: st.Max, MaxAt: st.MaxAt, Count: st.Count, Whole: st.Whole, Peak: st.Max})
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []string{"m"}
	}
	v := panel.Show(s, a, panel.Context{Metric: func(string) *api.Metric { return nil }})
	return Panel{&s, &v}
}

func reportOf(panels ...Panel) *Report {
	w := panels[0].View.Window
	return &Report{Version: "1", Title: "host", Subtitle: "a while", Source: "a.0", Window: w, Clock: format.UTC, View: "View", Panels: panels,
		Breaks: []Break{{begin + 100*second, begin + 200*second, "nothing <recorded>"}, {begin + 300*second, begin + 300*second, "restart"}}}
}

// wellFormed fails the test if a report is not well-formed XML, apart from elements
// that HTML leaves open.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	body := page[strings.Index(page, "<main"):strings.Index(page, "</body>")]
	for d := xml.NewDecoder(strings.NewReader(body)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v:\n%s", err, body)
		}
	}
}

func instance(name string) *api.InstanceRef { return &api.InstanceRef{Name: name} }

func wave(n int, f func(i int) float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

// Pictures of all styles of panel are well formed and request nothing, and the
// report's policy allows only its own style.
func TestPicturesOfAllStyles(t *testing.T) {
	hostile := `"><script>alert(1)</script>` + "\x00\u202e'&"
	on, off := "on", "off"
	states := api.Column{Instance: instance("lane"), Values: make([]float64, 600), Strings: make([]*string, 600)}
	for i := range states.Strings {
		if states.Strings[i] = &on; i > 300 {
			states.Strings[i] = &off
		}
	}
	up := api.Column{Instance: instance(hostile), Values: wave(600, func(i int) float64 { return float64(i) })}
	down := api.Column{Instance: instance("b"), Values: wave(600, func(i int) float64 {
		if i%7 == 0 {
			return math.NaN()
		}
		return 600 - float64(i)
	})}
	band := up
	band.Low, band.High = up.Values, wave(600, func(i int) float64 { return float64(2 * i) })
	var panels []Panel
	for _, style := range []string{"", "stack", "utilisation", "mirror", "topn", "bar", "heatmap", "table", "rows"} {
		panels = append(panels, shown(panel.Settings{Title: style + hostile, Style: style}, band, down))
	}
	panels = append(panels, shown(panel.Settings{Title: "log", Log: true}, up, down), shown(panel.Settings{Title: "share", Share: true}, up, down), shown(panel.Settings{Title: "state", Style: "state"}, states),
		shown(panel.Settings{Title: "one"}, api.Column{Values: []float64{7}}), shown(panel.Settings{Title: "none"}, api.Column{Values: []float64{math.NaN(), math.NaN()}}),
		shown(panel.Settings{Title: "infinite"}, api.Column{Values: []float64{math.Inf(1), 1e300, -1e300}}))
	about := reportOf(panels...)
	about.Notes = nil
	page := about.HTML()
	wellFormed(t, page)
	for _, bad := range []string{"<script", "http:", "https:", "src=", "NaN", "Inf", "onload", "style=\"", "\x00"} {
		if strings.Contains(page, bad) {
			t.Errorf("the report has %q", bad)
		}
	}
	for _, want := range []string{"nothing &lt;recorded&gt;", ">on</text>", ">off</text>", "<h3>state", "No value in this window"} {
		if !strings.Contains(page, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if n := strings.Count(page, `class="plot"`); n != len(panels)-3 { // two tables, and one without a value
		t.Errorf("%d pictures of %d panels, want all but two tables and one without values", n, len(panels))
	}
	style := page[strings.Index(page, "<style>")+7 : strings.Index(page, "</style>")]
	sum := sha256.Sum256([]byte(style))
	if policy := "default-src &#39;none&#39;; style-src &#39;sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "&#39;"; !strings.Contains(page, policy) {
		t.Errorf("the report's policy is not %s", policy)
	}
}

// With thousands of points every peak is drawn, and the picture stays small.
func TestNoPeakIsLost(t *testing.T) {
	const n = 40_000
	values := wave(n, func(i int) float64 { return float64(i % 5) })
	values[12_345] = 97
	about := reportOf(shown(panel.Settings{Max: 100}, api.Column{Values: values}))
	c := about.chartOf(&about.Panels[0])
	c.draw()
	text := c.String()
	path := regexp.MustCompile(`<path d="(M[^"]*)" stroke="#2349C6"`).FindStringSubmatch(text)
	if path == nil {
		t.Fatalf("no line in %.2000s", text)
	}
	highest, at := 1e9, 0.0
	x, y := 0.0, 0.0
	for i, p := range points(t, path[1]) {
		if x, y = x+p[0], y+p[1]; y < highest && i >= 0 {
			highest, at = y, x
		}
	}
	if want := low * (1 - 0.97); math.Abs(highest-want) > 0.2 || math.Abs(at-12_345.0/(n-1)*across) > 1 {
		t.Errorf("peak drawn at x %v, y %v; want it at point 12,345 and 97 %% of the height", at, highest)
	}
	if len(text) > 60_000 {
		t.Errorf("the picture has %d bytes, want 60,000 or fewer", len(text))
	}
}

// points returns the points of an SVG path with relative coordinates.
func points(t *testing.T, d string) (list [][2]float64) {
	t.Helper()
	numbers := regexp.MustCompile(`-?(\d+\.?\d*|\.\d+)`).FindAllString(d, -1)
	for i := 0; i+1 < len(numbers); i += 2 {
		x, err := strconv.ParseFloat(numbers[i], 64)
		y, err2 := strconv.ParseFloat(numbers[i+1], 64)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		list = append(list, [2]float64{x, y})
	}
	return list
}

func TestPathsAreBrief(t *testing.T) {
	if got := polyline([]point{{0, 10.5}, {0.3, 10}, {10.34, 0.04}, {20, 100}}); got != "M0 10.5l.3-.5 10-10 9.7 100" {
		t.Errorf("polyline = %s", got)
	}
}

// The legend has the statistics of all observations.
func TestLegend(t *testing.T) {
	page := reportOf(shown(panel.Settings{}, api.Column{Values: []float64{1, 2, 9, 4}})).HTML()
	if want := `m</td><td class="n">4</td><td class="n spare">9</td><td class="n spare">1</td><td class="n">9</td><td class="n spare">22:00:02</td><td class="n">4</td>`; !strings.Contains(page, want) {
		t.Errorf("the legend lacks %s:\n%s", want, page)
	}
	// Beside thousands, small numbers have digits of their own.
	page = reportOf(shown(panel.Settings{}, api.Column{Instance: instance("a"), Values: []float64{5000, 4000}}, api.Column{Instance: instance("b"), Values: []float64{0.4, 0.3}})).HTML()
	for _, want := range []string{
		`a</td><td class="n">4,500</td><td class="n spare">5,000</td><td class="n spare">4,000</td><td class="n">5,000</td><td class="n spare">22:00:00</td><td class="n">4,000</td>`,
		`b</td><td class="n">0.35</td><td class="n spare">0.40</td><td class="n spare">0.30</td><td class="n">0.40</td><td class="n spare">22:00:00</td><td class="n">0.30</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the legend lacks %s:\n%s", want, page)
		}
	}
}

// Texts of the archive may begin with any character; only the headings of a table
// determine which columns are numeric.
func TestTableCells(t *testing.T) {
	r := reportOf(shown(panel.Settings{}, api.Column{Values: []float64{1, 2}}))
	r.Rules = []api.Rule{{Text: ">r", Value: 5, Usual: 4}}
	r.Overview = &api.Overview{History: []api.Event{{Text: ">9 CPUs"}}}
	page := r.HTML()
	wellFormed(t, page)
	for _, want := range []string{`<td>&gt;r</td><td class="n">5</td>`, `<td>&gt;9 CPUs</td>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

// Days are coloured on a scale from the lowest to the highest hour: the first is half, the
// second the highest. Hours without a value are hatched.
func TestDays(t *testing.T) {
	r := reportOf(shown(panel.Settings{}, api.Column{Values: []float64{1, 2}}))
	values := slices.Repeat([]float64{math.NaN()}, 24)
	values[3], values[4], values[5] = 0.3, 0.6, 0
	r.Days = &Days{Name: "CPU busy", Shown: format.Show("none", true, 0.6, false), Result: &api.Days{Days: make([]api.Day, 1), Average: values, Maximum: values}}
	page := r.HTML()
	wellFormed(t, page)
	for _, want := range []string{" 60.0 %, mean of each hour", `fill="url(#hatch)"`, `<path d="M0 3h1v1h-1z" fill="` + shades[(len(shades)-1)/2+1] + `"`, `<path d="M0 4h1v1h-1z" fill="` + shades[len(shades)-1] + `"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

// The hour that is left out as summer time begins is not hatched as one without records.
func TestSkippedHour(t *testing.T) {
	r := reportOf(shown(panel.Settings{}, api.Column{Values: []float64{1, 2}}))
	values, covered := slices.Repeat([]float64{0.3}, 24), slices.Repeat([]float64{1}, 24)
	values[2], covered[2] = math.NaN(), math.NaN()
	values[5], covered[5] = math.NaN(), 0
	r.Days = &Days{Name: "CPU busy", Result: &api.Days{Days: make([]api.Day, 1), Average: values, Covered: covered}}
	page := r.HTML()
	wellFormed(t, page)
	if !strings.Contains(page, `<path d="M0 2h1v1h-1z" fill="#fff"`) || strings.Contains(page, "M0 5h1") {
		t.Errorf("the hour at 2 is not blank, or that at 5 is not hatched, in\n%s", page)
	}
}

// Days without any value have no calendar and no colour scale.
func TestDaysWithoutValues(t *testing.T) {
	r := reportOf(shown(panel.Settings{}, api.Column{Values: []float64{1, 2}}))
	none := slices.Repeat([]float64{math.NaN()}, 24)
	r.Days = &Days{Name: "CPU busy", Result: &api.Days{Days: make([]api.Day, 1), Average: none, Maximum: none}}
	page := r.HTML()
	wellFormed(t, page)
	if !strings.Contains(page, "No hour has a value") || strings.Contains(page, "∞") || strings.Contains(page, "Inf") {
		t.Errorf("the report does not say that no hour has a value, or has an infinite one:\n%s", page)
	}
}

// Ticks and their labels are the same as in the page's charts.
func TestTicksMatchThePage(t *testing.T) {
	prague := format.NewClock("Europe/Prague", func(unix int64) int {
		if unix >= 1_711_846_800 && unix < 1_729_990_800 { // summer of 2024
			return 7200
		}
		return 3600
	}, begin-200*86400*second, begin+200*86400*second)
	type span struct {
		Start, End float64 // Unix seconds
		Pixels     float64
	}
	type axis struct {
		Low, High float64
		Unit      string
		Log       bool
	}
	var spans []span
	var axes []axis
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		at := 1_711_846_800 + math.Round((rng.Float64()-0.5)*400*86400)
		spans = append(spans, span{at, at + math.Round(math.Exp(rng.Float64()*17)*1000)/1000, 300 + math.Round(900*rng.Float64())})
	}
	for range 3000 {
		v := math.Exp(rng.Float64()*60 - 20)
		a := axis{Low: v * (rng.Float64() - 0.3), High: v, Unit: []string{"", "%", "MiB/s", "ms"}[rng.IntN(4)], Log: rng.IntN(5) == 0}
		if a.Log {
			a.Low = v * math.Exp(-8*rng.Float64())
		}
		axes = append(axes, a)
	}
	var want struct {
		Ticks [][]string
		Axes  [][]string
	}
	for _, s := range spans {
		var list []string
		start := pcp.Time(math.Round(s.Start * 1e9))
		for _, k := range ticks(prague, start, pcp.Time(math.Round(s.End*1e9)), s.Pixels) {
			list = append(list, fmt.Sprintf("%.3f %s", k.at+s.Start, k.text))
		}
		want.Ticks = append(want.Ticks, list)
	}
	for _, a := range axes {
		want.Axes = append(want.Axes, textsOf(a.Low, a.High, a.Unit, a.Log))
	}
	dir, err := filepath.Abs("../static/charts")
	if err != nil {
		t.Fatal(err)
	}
	type offset struct {
		From float64 `json:"from"`
		East int     `json:"east"`
	}
	var zone []offset
	for _, s := range prague.Segments {
		from := -1e15
		if s.From != pcp.MinTime {
			from = float64(s.From) / 1e9
		}
		zone = append(zone, offset{from, s.Offset})
	}
	inputs.Watch(t, "../static/charts")
	node, err := nodejs.Module(fmt.Sprintf(`
import { readFileSync } from "node:fs";
const dir = %q, wide = (text) => 6.1 * [...text].length;
const { ticks, timeline } = await import(dir + "/time.js");
const { range, decades, powers, levels } = await import(dir + "/scale.js");
const { axisTexts } = await import(dir + "/axis.js");
const { spans, axes, zone } = JSON.parse(readFileSync(0, "utf8"));
timeline.zone = zone;
console.log(JSON.stringify({
  Ticks: spans.map(({ Start, End, Pixels }) => ticks(Start, End, Pixels).map(({ at, text }) => at.toFixed(3) + " " + text)),
  Axes: axes.map(({ Low, High, Unit, Log }) => {
    const [a, b] = Log ? decades(Low, High) : range(Low, High, Unit), list = Log ? powers(a, b) : levels(a, b, 150, 34);
    return axisTexts(list, Unit, Log, wide);
  }),
}));`, "file://"+filepath.ToSlash(dir)))
	if err != nil {
		t.Skip(err)
	}
	in, err := json.Marshal(map[string]any{"spans": spans, "axes": axes, "zone": zone})
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	node.Stdin, node.Stderr = bytes.NewReader(in), &said
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	got := want
	got.Ticks, got.Axes = nil, nil
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	differ := func(kind string, k int, a, b []string, of any) {
		if strings.Join(a, "|") != strings.Join(b, "|") {
			t.Errorf("%s %d, %+v: Go %q, script %q", kind, k, of, a, b)
		}
	}
	for k := range spans {
		differ("times", k, want.Ticks[k], got.Ticks[k], spans[k])
	}
	for k := range axes {
		differ("values", k, want.Axes[k], got.Axes[k], axes[k])
	}
	if len(got.Ticks) < 400 || len(got.Axes) < 3000 {
		t.Error("fewer than 400 ticks or 3,000 axes were compared")
	}
}

func textsOf(low, high float64, unit string, log bool) []string {
	if log {
		low, high = decades(low, high)
		return axisTexts(powers(low, high), unit, true, textWidth)
	}
	low, high = ends(low, high, unit)
	return axisTexts(levelsBetween(low, high, 150, 34), unit, false, textWidth)
}

// Colours are the same as in the page's light theme.
func TestColoursMatchThePage(t *testing.T) {
	text, err := os.ReadFile("../static/style/look.css")
	if err != nil {
		t.Fatal(err)
	}
	token := func(name string) string {
		m := regexp.MustCompile(`--` + name + `: light-dark\((#[0-9A-F]{6}),`).FindSubmatch(text)
		if m == nil {
			t.Fatalf("there is no colour %s", name)
		}
		return string(m[1])
	}
	for i, got := range hues[1:] {
		if want := token("s" + strconv.Itoa(i+1)); got != want {
			t.Errorf("line %d is %s, want %s", i+1, got, want)
		}
	}
	for name, got := range map[string]string{"surface": surface, "grid": grid, "line2": ruled, "ctl": edge, "text": ink, "text3": faint, "accent": accent, "look-fill": look} {
		if want := token(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Less than two seconds have fractions. A stretch of time has the distance from UTC of its end, too, where clocks were set back in it:
// in Central Europe at 01:00 UTC on 27 October 2024, 1,729,990,800 s after 1970.
func TestMoments(t *testing.T) {
	const change = 1_729_990_800 * second
	offset, ok := format.OffsetOf("CET-1CEST,M3.5.0,M10.5.0/3")
	if !ok {
		t.Fatal("the zone is not known")
	}
	about := Report{Clock: format.NewClock("CET", offset, change-3600*second, change+3600*second)}
	for _, tt := range []struct {
		from, to pcp.Time
		want     string
	}{
		{change - 1800*second, change + 1200*second, "27 Oct 2024 02:30:00 – 02:20:00 UTC+2 to UTC+1"},
		{change - 1800*second, change - 600*second, "27 Oct 2024 02:30:00 – 02:50:00 UTC+2"},
		{change - 1800*second, change - 1800*second, "27 Oct 2024 02:30:00 UTC+2"},
		{change - 1800*second, change - 1800*second + 323e6, "27 Oct 2024 02:30:00.000 – 02:30:00.323 UTC+2"},
	} {
		if got := about.moments(tt.from, tt.to); got != tt.want {
			t.Errorf("the stretch is %q, want %q", got, tt.want)
		}
	}
}
