package ui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

func (c *RulesView) lanes() *app.Lanes {
	if tab := c.App.Current(); tab != nil {
		return &tab.Lanes
	}
	return nil
}

// Open reports whether the view can be seen.
func (c *RulesView) Open() bool { return c.lanes() != nil && c.lanes().Visible() }

// Text is what the user wrote.
func (c *RulesView) Text() string {
	if !c.Open() {
		return ""
	}
	return c.lanes().Text
}

// Type takes the text over as it is typed.
func (c *RulesView) Type(text string) { c.lanes().Text = text }

// IsExample says that the example is there already.
func (c *RulesView) IsExample() bool { return c.Text() == app.ExampleRules }

// Example puts the example in place of the text.
func (c *RulesView) Example() { c.lanes().Text, c.lanes().File = app.ExampleRules, "" }

// Thresholds adds the limits of the findings.
func (c *RulesView) Thresholds() { c.lanes().AddThresholds() }

// File is where the rules are from.
func (c *RulesView) File() string {
	if !c.Open() || c.lanes().File == "" {
		return "in the language of pmie(1)"
	}
	return c.lanes().File
}

// Run evaluates the rules, Close hides them.
func (c *RulesView) Run()   { c.lanes().Run() }
func (c *RulesView) Close() { c.lanes().Toggle() }

// Running says that they are being evaluated, or cannot be yet.
func (c *RulesView) Running() bool { return c.Open() && c.lanes().Running }

// RunText is the label of the button.
func (c *RulesView) RunText() string {
	if c.Running() {
		return "Running…"
	}
	return "Run"
}

// placeIn is the line and the column of a position in a text, in UTF-16 units, from 1.
func placeIn(text string, at int) string {
	units := utf16.Encode([]rune(text))
	line, column := 1, 1
	for _, u := range units[:max(0, min(at, len(units)))] {
		if column++; u == '\n' {
			line, column = line+1, 1
		}
	}
	return "Line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
}

// faultOf is a fault with its place in the text that was evaluated.
func (c *RulesView) faultOf(f *pcp.Fault) string {
	if f.Span == nil || strings.HasPrefix(f.Message, "Line ") { // it says where
		return f.Message
	}
	return placeIn(c.lanes().Ran, f.Span[0]) + ": " + f.Message
}

// Fault says why the text as a whole is not evaluated.
func (c *RulesView) Fault() string {
	if !c.Open() || c.lanes().Fault == nil {
		return ""
	}
	return c.faultOf(c.lanes().Fault)
}

// Invalid is the aria-invalid of the text.
func (c *RulesView) Invalid() string { return strconv.FormatBool(c.Fault() != "") }

func (c *RulesView) result() *api.RuleResults {
	if !c.Open() {
		return nil
	}
	return c.lanes().Result
}

// NoLanes says that nothing has been evaluated.
func (c *RulesView) NoLanes() bool { return c.result() == nil }

// StateText says what was evaluated, and whether the text or the window have changed since.
func (c *RulesView) StateText() string {
	r := c.result()
	if r == nil {
		if c.Fault() == "" {
			return "evaluates them over the window"
		}
		return ""
	}
	l, tab := c.lanes(), c.App.Current()
	text := format.Plural(len(r.Rules), "rule") + ", " + tab.Clock.Range(r.Start, r.End)
	if l.Ran != l.Text {
		text += "; the text has changed since"
	} else if r.Start != tab.Window.Start || r.End != tab.Window.End {
		text += "; Run evaluates the window"
	}
	return text
}

// From and To are the ends of the time axis.
func (c *RulesView) From() string { return c.moment(0) }
func (c *RulesView) To() string   { return c.moment(1) }

func (c *RulesView) moment(end int) string {
	r := c.result()
	if r == nil {
		return ""
	}
	return c.App.Current().Clock.Within([]pcp.Time{r.Start, r.End}[end], r.Start, r.End)
}

// A LaneView is a rule, or a rule of one instance, on the time axis. Marks are where
// it was true, Known where it was true or false.
type LaneView struct {
	Rule, Instance, Of, Text, Label, Often, Says, SaysClass string
	Known, WindowX, WindowWidth                             string
	Marks                                                   []LaneMark
	Longest                                                 LaneMark
	LongestText                                             string
}

// A LaneMark is a stretch in which a rule was true, or several too close to be
// distinguished.
type LaneMark struct {
	X, Width, Start, End, Title string
	run                         api.RuleRun
}

const (
	laneWidth    = app.LaneWidth
	maxLaneMarks = 1000 // in all lanes: each is an element of the page
	maxOfRule    = 12   // lanes of a rule
	maxOfRules   = 150  // rows: more would take too long to draw at once
)

// Lanes are the rules as in the text; of the instances of a rule, those first that it
// was true of longest.
func (c *RulesView) Lanes() []LaneView {
	r := c.result()
	if r == nil {
		return nil
	}
	n := 0
	for i := range r.Rules {
		n += max(1, min(maxOfRule, len(r.Rules[i].Lanes)))
	}
	most := max(20, maxLaneMarks/max(1, n))
	var list []LaneView
	for i := range r.Rules {
		if left := len(r.Rules) - i; len(list) > maxOfRules {
			list = append(list, LaneView{Rule: "…", Of: "and " + format.Plural(left, "other rule"), SaysClass: "t2", WindowX: "0", WindowWidth: "0"})
			break
		}
		rule := &r.Rules[i]
		v := LaneView{Rule: rule.Name, Text: rule.Text, SaysClass: "t2", WindowX: "0", WindowWidth: "0"}
		if rule.Help != "" {
			v.Text = rule.Help + "\n" + rule.Text
		}
		if rule.Off {
			v.Of = "off by default"
		}
		if rule.Fault != nil {
			v.Says, v.SaysClass = c.faultOf(rule.Fault), "wrong"
		}
		if len(rule.Lanes) == 0 {
			switch {
			case rule.Number:
				v.Often = "a number, not a condition"
			case rule.Fault != nil:
				v.Often = "not evaluated"
			default:
				v.Often = "unknown throughout"
			}
			list = append(list, v)
			continue
		}
		lanes := make([]*api.RuleLane, len(rule.Lanes))
		for k := range lanes {
			lanes[k] = &rule.Lanes[k]
		}
		sorting.Stable(lanes, func(x, y *api.RuleLane) int {
			switch {
			case x.True > y.True:
				return -1
			case x.True < y.True:
				return 1
			}
			return 0
		})
		for _, lane := range lanes[:min(maxOfRule, len(lanes))] {
			v := v
			if lane.Instance != nil {
				v.Instance, v.Of = lane.Instance.Name, strings.TrimSpace(lane.Instance.Name+" "+v.Of)
			}
			c.draw(&v, r, lane, most)
			list = append(list, v)
		}
		if left := rule.Of - min(maxOfRule, len(lanes)); left > 0 {
			next := lanes[min(maxOfRule, len(lanes)-1)]
			v.Often = "each true for " + format.Span(int64(next.True*1e9)) + " at most"
			if next.True == 0 {
				v.Often = "never true"
			}
			v.Of, v.Says = "and "+format.Plural(left, "other instance"), ""
			list = append(list, v)
		}
	}
	return list
}

// draw lays a lane out on the time axis.
func (c *RulesView) draw(v *LaneView, r *api.RuleResults, lane *api.RuleLane, most int) {
	tab := c.App.Current()
	x := func(t pcp.Time) float64 {
		return laneWidth * min(1, max(0, float64(t-r.Start)/float64(max(1, r.End-r.Start))))
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
	v.WindowX = number(x(tab.Window.Start))
	v.WindowWidth = number(x(tab.Window.End) - x(tab.Window.Start))
	if tab.Window.Start <= r.Start && tab.Window.End >= r.End {
		v.WindowWidth = "0"
	}
	var known strings.Builder
	const least = 2.0 // wide enough to be seen
	from, times, unknown, decided := 0.0, lane.Times, pcp.Time(0), false
	stretch := func(to float64) {
		if to > from {
			fmt.Fprintf(&known, "M%s 0H%sV16H%sz", number(from), number(to), number(from))
		}
	}
	var longest *api.RuleRun
	for i := range lane.Runs {
		run := &lane.Runs[i]
		decided = decided || run.State != "unknown"
		switch run.State {
		case "unknown":
			unknown += run.End - run.Start
			if a, b := x(run.Start), x(run.End); b > from {
				stretch(a)
				from = max(b, min(a+least, laneWidth))
			}
		case "true":
			if longest == nil || run.End-run.Start > longest.End-longest.Start {
				longest = run
			}
			a, b := x(run.Start), x(run.End)
			if n := len(v.Marks); n > 0 && a-x(v.Marks[n-1].run.End) < laneWidth/float64(most) && len(lane.Runs) > most {
				last := &v.Marks[n-1]
				last.run.End = run.End
				c.mark(v, last, x(last.run.Start), b)
				continue
			}
			m := LaneMark{run: *run}
			c.mark(v, &m, a, b)
			v.Marks = append(v.Marks, m)
		}
	}
	stretch(laneWidth)
	v.Known = known.String()
	switch {
	case times > 0:
		v.Often = "true " + format.Plural(times, "time") + ", " + format.Span(int64(lane.True*1e9))
		v.Longest = LaneMark{run: *longest}
		v.LongestText = tab.Clock.Within(longest.Start, r.Start, r.End) + ", " + format.Span(int64(longest.End-longest.Start))
		if times > 1 {
			v.LongestText = "longest: " + v.LongestText
		}
		if v.Says == "" {
			v.Says = longest.Says
		}
	case !decided:
		v.Often = "unknown throughout"
	default:
		v.Often = "never true"
	}
	if unknown > 0 && v.Often != "unknown throughout" {
		v.Often += "; unknown " + format.Span(int64(unknown))
	}
	v.Label = strings.TrimSpace(v.Rule+" "+v.Instance) + ": " + v.Often
}

// mark places a mark and says what it stands for.
func (c *RulesView) mark(v *LaneView, m *LaneMark, from, to float64) {
	const least = 3.0 // wide enough to be hit
	clock := c.App.Current().Clock
	from = min(from, laneWidth-least)
	m.X, m.Width = strconv.FormatFloat(from, 'f', 1, 64), strconv.FormatFloat(max(least, to-from), 'f', 1, 64)
	m.Start, m.End = clock.Typed(m.run.Start), clock.Typed(m.run.End)
	m.Title = strings.TrimSpace(v.Rule+" "+v.Instance) + ": " + clock.Range(m.run.Start, m.run.End) + ", " + format.Span(int64(m.run.End-m.run.Start))
	if m.run.Says != "" {
		m.Title += ": " + m.run.Says
	}
}

// Show zooms to where a rule was true.
func (c *RulesView) Show(m LaneMark) { c.lanes().Show(m.run) }

// NoLanes says that the source has no time over which to evaluate rules.
func (c *FindingList) NoLanes() bool {
	tab := c.App.Current()
	return tab == nil || !tab.Lanes.Available()
}

// LanesPressed says whether the rules are there.
func (c *FindingList) LanesPressed() string {
	return strconv.FormatBool(!c.NoLanes() && c.App.Current().Lanes.Open)
}

// ToggleLanes shows the rules, or hides them.
func (c *FindingList) ToggleLanes() { c.App.Current().Lanes.Toggle() }
