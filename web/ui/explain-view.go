package ui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

func (c *ExplainView) explain() *app.Explain {
	if tab := c.App.Current(); tab != nil {
		return &tab.Explain
	}
	return nil
}

// Open reports whether it is visible.
func (c *ExplainView) Open() bool { return c.explain() != nil && c.explain().Visible() }

// Message is shown in place of the rows if there are none.
func (c *ExplainView) Message() string {
	switch e := c.explain(); {
	case !c.Open():
		return ""
	case e.Waiting():
		return "The archive is being read; the window is compared with the rest of it afterwards."
	case e.Fault != "":
		return e.Fault
	case e.Result == nil:
		return "Comparing the window with the rest of the recording…"
	case e.Result.Why != "":
		return e.Result.Why
	case len(e.Result.Rows) == 0 && len(e.Result.Text) > 0:
		return e.Result.Text[0] + " Findings show where thresholds were crossed, whether usual or not."
	}
	return ""
}

// A Suggestion is a shorter window to explain.
type Suggestion struct {
	Text, Title string
	Explain     func()
}

// Instead suggests the worst minute and the greatest incidents where the window has nothing
// to be compared with, as the whole recording has not.
func (c *ExplainView) Instead() (list []Suggestion) {
	if !c.Open() || c.explain().Result == nil || c.explain().Result.Why == "" {
		return nil
	}
	tab := c.App.Current()
	if worst, _, ok := tab.Pulse.WorstMinute(); ok && worst.Len() < tab.Window.Len() {
		list = append(list, Suggestion{"Worst minute", tab.Clock.Range(worst.Start, worst.End), tab.Pulse.ExplainWorstMinute})
	}
	const most = 5
	for _, v := range greatest(incidentsOf(tab), most) {
		text := v.When
		if v.Long != "" {
			text += ", " + v.Long
		}
		list = append(list, Suggestion{text, v.Title, func() { tab.Story.Show(v.incident) }})
	}
	return list
}

// greatest returns up to n incidents with the highest scores, in order of time.
func greatest(list []IncidentView, n int) []IncidentView {
	if len(list) <= n {
		return list
	}
	scores := make([]float64, len(list))
	for i, v := range list {
		scores[i] = v.incident.Score
	}
	slices.Sort(scores)
	limit := scores[len(scores)-n]
	return slices.DeleteFunc(list, func(v IncidentView) bool { return v.incident.Score < limit })
}

// BaseText says what the window is compared with.
func (c *ExplainView) BaseText() string {
	if !c.Open() || c.explain().Result == nil {
		return ""
	}
	r, tab := c.explain().Result, c.App.Current()
	text := tab.Clock.Range(r.Start, r.End)
	if r.Why == "" {
		text += ", against " + format.Plural(r.Stretches, "other period") + " of " + format.Span(int64(r.Length*1e9))
	}
	if !c.explain().Current() {
		text += " (the window has moved: comparing again…)"
	}
	return text
}

// An ExplainRow is a subject that was unusual.
type ExplainRow struct {
	Family, Subject, Sentence, Since, Moves, With, WithAll string
	Path, BandY, BandHeight, WindowX, WindowWidth          string
	Opens                                                  string
	metric, command                                        string
	since                                                  pcp.Time
}

// Rows are those subjects, the most unusual first.
func (c *ExplainView) Rows() []ExplainRow {
	if !c.Open() || c.explain().Result == nil {
		return nil
	}
	r, tab := c.explain().Result, c.App.Current()
	list := make([]ExplainRow, 0, len(r.Rows))
	for i := range r.Rows {
		x := &r.Rows[i]
		row := ExplainRow{Family: x.Family, Subject: x.Subject, Sentence: x.Text, Moves: x.MovesText, Opens: "Show this series in a panel", metric: x.Metric, command: x.Command}
		if row.command != "" {
			row.Opens = "Show the processes"
		}
		if x.Since != nil {
			row.since, row.Since = *x.Since, "since "+tab.Clock.Within(*x.Since, tab.Source.Start, tab.Source.End)
		}
		if n := len(x.With); n > 0 {
			row.WithAll = strings.Join(x.With, "\n")
			row.With = "also " + strings.Join(x.With[:min(n, 3)], ", ")
			if n > 3 {
				row.With += " and " + format.Count(n-3) + " more"
			}
		}
		row.draw(r, x)
		list = append(list, row)
	}
	return list
}

// draw makes the small chart: the usual range as a band, the window as another. The range of
// a level that changed is around the one from which it did.
func (row *ExplainRow) draw(r *api.Explanation, x *api.ExplanationRow) {
	const width, height = 120.0, 24.0
	low, high, was := x.Low, x.High, x.Was
	if x.Changed != nil {
		low, high, was = x.Changed.From+low, x.Changed.From+high, x.Changed.To
	}
	lo, hi := math.Min(low, was), math.Max(high, was)
	for _, v := range x.Values {
		if v == v {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	if !(hi > lo) {
		hi = lo + 1
	}
	y := func(v float64) float64 { return height - 1 - (height-2)*(v-lo)/(hi-lo) }
	row.BandY, row.BandHeight = coordinate(y(high)), coordinate(math.Max(1, y(low)-y(high)))
	span := float64(max(1, len(x.Values)-1)) * r.Step
	at := math.Max(0, r.Start.Since(r.From)) / span
	row.WindowX, row.WindowWidth = coordinate(width*math.Min(1, at)), coordinate(width*math.Max(0, 1-at))
	row.Path = smallChart(x.Values, width*r.Step/span, y)
}

// coordinate is a coordinate of a small chart.
func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// smallChart is the path of a line through values at a constant distance. A value
// without neighbours is a dot.
func smallChart(values []float64, apart float64, y func(v float64) float64) string {
	var path strings.Builder
	pen := "M"
	for i, v := range values {
		if v != v {
			pen = "M"
			continue
		}
		path.WriteString(pen + coordinate(apart*float64(i)) + " " + coordinate(y(v)))
		if pen == "M" && (i+1 == len(values) || values[i+1] != values[i+1]) {
			path.WriteString("h1")
		}
		pen = "L"
	}
	return path.String()
}

// NoRows reports whether there are no rows: nothing was unusual, or the answer
// has not arrived.
func (c *ExplainView) NoRows() bool {
	return !c.Open() || c.explain().Result == nil || len(c.explain().Result.Rows) == 0
}

// Consumers says which commands used the resources.
func (c *ExplainView) Consumers() []string {
	if c.NoRows() {
		return nil
	}
	r := c.explain().Result
	return r.Text[min(len(r.Rows), len(r.Text)):]
}

// Show adds the series of a row to a panel, or opens the processes for a command.
func (c *ExplainView) Show(r ExplainRow) { c.explain().ShowRow(r.metric, r.command) }

// Go moves the cursor to where a row left its range.
func (c *ExplainView) Go(r ExplainRow) { c.explain().ShowSince(r.since) }

// Copy copies all of it as text.
func (c *ExplainView) Copy() { c.explain().Copy() }

// Close hides it.
func (c *ExplainView) Close() { c.explain().Toggle() }

// explainable returns what explains the window of the source on screen; nil if
// nothing can.
func explainable(a *app.App) *app.Explain {
	if tab := a.Current(); tab != nil && tab.Explain.Available() && !a.Layout.Comparing {
		return &tab.Explain
	}
	return nil
}

// NotExplained says that there is nothing to explain.
func (c *Toolbar) NotExplained() bool { return explainable(c.App) == nil }

// ExplainPressed is the aria-pressed of its button.
func (c *Toolbar) ExplainPressed() string {
	if e := explainable(c.App); e != nil && e.Open {
		return "true"
	}
	return "false"
}

// Explain shows what was unusual in the window, or hides it.
func (c *Toolbar) Explain() { explainable(c.App).Toggle() }

// NotExplained reports whether there is no worst minute, or nothing to compare it
// with.
func (c *PulseInfo) NotExplained() bool { return c.Worst() == "" || explainable(c.App) == nil }

// ExplainWorst explains the worst minute.
func (c *PulseInfo) ExplainWorst() { c.App.Current().Pulse.ExplainWorstMinute() }

// NotExplained reports whether findings cannot be explained.
func (c *FindingList) NotExplained() bool { return explainable(c.App) == nil }

// Explain explains the worst occurrence of a finding.
func (c *FindingList) Explain(f FindingView) { c.App.Current().Findings.Explain(f.Finding) }

// NotExplained says that there is nothing to explain.
func (c *PhoneNav) NotExplained() bool { return explainable(c.App) == nil }

// Explain shows what was unusual in the window, or hides it.
func (c *PhoneNav) Explain() {
	c.App.Layout.Menu = ""
	explainable(c.App).Toggle()
}
