package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/derive"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
)

// SetName takes over the name as it is typed.
func (c *DeriveEditor) SetName(name string) { c.D().Name = name }

// nameFault says what is wrong with a name, if there is one.
func (c *DeriveEditor) nameFault() string {
	if !c.Editing() || c.D().Name == "" {
		return ""
	}
	return c.App.Editor.NameFault()
}

// NameClass and NameNoteClass mark an invalid name.
func (c *DeriveEditor) NameClass() string {
	if c.nameFault() != "" {
		return "mono wrong"
	}
	return "mono"
}

func (c *DeriveEditor) NameNoteClass() string {
	if c.nameFault() != "" {
		return "wrong"
	}
	return "t3"
}

// NameText is the note next to the name.
func (c *DeriveEditor) NameText() string {
	switch {
	case !c.Editing():
		return ""
	case c.nameFault() != "":
		return c.nameFault() + "."
	}
	return c.D().NameNote()
}

// Type takes over the text as it is typed.
func (c *DeriveEditor) Type(event vugu.DOMEvent) {
	c.App.Editor.Type(event.PropString("target", "value"), int(event.PropFloat64("target", "selectionStart")))
}

// maxFaults is how many faults are shown at a time.
const maxFaults = 5

// Lines is the text with its faults, each below its line.
func (c *DeriveEditor) Lines() []derive.TextLine {
	if !c.Editing() {
		return nil
	}
	d, shown := c.D(), 0
	lines := d.Lines()
	for i := range lines {
		lines[i].Faults = slices.DeleteFunc(lines[i].Faults, func(f derive.FaultLine) bool {
			if d.Completing && f.Span != nil && f.Span[1] >= d.Completion.Span[1] && (f.Fix == nil || f.Span[0] >= d.Completion.Span[0]) {
				return true // the word is still being typed
			}
			shown++
			return shown > maxFaults
		})
	}
	return lines
}

// FaultText lists the faults for screen readers.
func (c *DeriveEditor) FaultText() string {
	var b strings.Builder
	for _, l := range c.Lines() {
		for _, f := range l.Faults {
			b.WriteString(f.Where + f.Message + " ")
		}
	}
	return strings.TrimSpace(b.String())
}

// Invalid is the aria-invalid of the text.
func (c *DeriveEditor) Invalid() string { return strconv.FormatBool(len(c.D().CurrentFaults()) > 0) }

// PieceClass is the style of a piece of the text.
func (c *DeriveEditor) PieceClass(p derive.Piece) string {
	class := p.Kind
	if p.Wrong {
		class += " wavy"
	}
	return class
}

// FixText and FixWhat offer a fix for a fault. For misspelt names the message already asks
// "did you mean".
func (c *DeriveEditor) FixText(f *pcp.Fix) string {
	switch {
	case f == nil:
		return ""
	case f.What != "":
		return "Did you mean " + f.Text + "?"
	}
	return "Use " + f.Text
}

func (c *DeriveEditor) FixWhat(f *pcp.Fix) string {
	if f == nil || f.What == "" {
		return ""
	}
	return "(" + f.What + ")"
}

// ActiveCandidate is the ID of the candidate that Tab inserts.
func (c *DeriveEditor) ActiveCandidate() string {
	if !c.D().Completing {
		return ""
	}
	return c.CandidateID(c.D().Pick)
}

// Candidates are the completions at the caret.
func (c *DeriveEditor) Candidates() []api.Candidate {
	if !c.D().Completing {
		return nil
	}
	return c.D().Completion.Candidates
}

// CompletionTitle counts them.
func (c *DeriveEditor) CompletionTitle() string {
	d := c.D()
	if !d.Completing {
		return ""
	}
	word := c.word()
	kind, n := "candidate", d.Completion.Total
	first := d.Completion.Candidates[0]
	same := true
	for _, x := range d.Completion.Candidates {
		same = same && x.Kind == first.Kind
	}
	if same && (first.Kind == "metric" || first.Kind == "function" || first.Kind == "instance") {
		kind = first.Kind
	}
	verb := "begin"
	if n == 1 {
		verb = "begins"
	}
	if !strings.HasPrefix(first.Text, word) {
		return format.Plural(n, kind) + " with " + word + " inside"
	}
	return format.Plural(n, kind) + " " + verb + " with " + word
}

// word is the part already typed of what is being completed.
func (c *DeriveEditor) word() string {
	d := c.D()
	return derive.UTF16Slice(d.Text, d.Completion.Span[0], d.Completion.Span[1])
}

// CandidateID is the ID of a candidate's element.
func (c *DeriveEditor) CandidateID(i int) string { return "derive-candidate-" + strconv.Itoa(i) }

// CandidateClass and Selected mark the candidate that Tab inserts.
func (c *DeriveEditor) CandidateClass(i int) string {
	if i == c.D().Pick {
		return "candidate on"
	}
	return "candidate"
}

func (c *DeriveEditor) Selected(i int) string { return strconv.FormatBool(i == c.D().Pick) }

// Take inserts a candidate. The focus stays in the text.
func (c *DeriveEditor) Take(i int, event vugu.DOMEvent) {
	event.PreventDefault()
	c.App.Editor.Insert(i)
}

// Head is the part of a candidate that has been typed, Tail the rest.
func (c *DeriveEditor) Head(x api.Candidate) string {
	if w := c.word(); strings.HasPrefix(x.Name, w) {
		return w
	}
	return ""
}

func (c *DeriveEditor) Tail(x api.Candidate) string { return strings.TrimPrefix(x.Name, c.Head(x)) }

// Letter is a candidate's semantics: C, I or D.
func (c *DeriveEditor) Letter(x api.Candidate) string {
	if x.Semantics == "" {
		return ""
	}
	return strings.ToUpper(x.Semantics[:1])
}

// ResultOf says which text the result belongs to.
func (c *DeriveEditor) ResultOf() string {
	d := c.D()
	switch {
	case d.Valid == nil:
		return "when the text is valid"
	case d.Valid.Name != d.Text:
		return "of the last valid text"
	}
	return ""
}

// The result of the last valid text.
func (c *DeriveEditor) TypeText() string {
	if m := c.valid(); m != nil {
		return metric.TypeText(m.Type)
	}
	return format.Dash
}

func (c *DeriveEditor) Semantics() string {
	if m := c.valid(); m != nil {
		return metric.SemanticsText(m, c.App.Current().Rates())
	}
	return format.Dash
}

func (c *DeriveEditor) Units() string {
	switch m := c.valid(); {
	case m == nil:
		return format.Dash
	case m.Units == "":
		return "none"
	default:
		return m.Units
	}
}

// Instances names the instances that have values.
func (c *DeriveEditor) Instances() string {
	m, p := c.valid(), c.panel()
	switch {
	case m == nil:
		return format.Dash
	case m.InDom == nil:
		return "none, one value"
	case p == nil || p.Frame == nil:
		return *m.InDom
	}
	var names []string
	for _, s := range p.CountsWithin(c.App.Current().Window) {
		names = append(names, s.Label)
	}
	return *m.InDom + ": " + few(names)
}

// Values is the number of values of each series in the window.
func (c *DeriveEditor) Values() string {
	p := c.panel()
	if p == nil || p.Frame == nil {
		return format.Dash
	}
	w := c.App.Current().Window
	return valuesText(p.CountsWithin(w), p.PointsWithin(w))
}

// valuesText writes the number of values of each series, of all that there could be.
func valuesText(list []panel.Counted, all int) string {
	var counts []string
	for _, s := range list {
		all = max(all, s.Count) // which counts records, of which a point may stand for many
		n := format.Count(s.Count)
		if s.Count == 0 {
			n = "none"
		}
		if s.Instance {
			n = s.Label + " " + n
		}
		counts = append(counts, n)
	}
	return few(counts) + " of " + format.Count(all)
}

// few lists the first of many names.
func few(list []string) string {
	const limit = 4
	if len(list) <= limit {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:limit], ", ") + " and " + format.Count(len(list)-limit) + " more"
}

// Parts are the subexpressions of the current text.
func (c *DeriveEditor) Parts() []api.Part {
	if !c.Editing() || c.D().Checked != c.D().Text {
		return nil
	}
	var list []api.Part
	for _, p := range c.D().Parts {
		if m := c.App.Current().Metric(p.Text); m == nil || p.Text == c.D().Text { // a plain metric needs no explanation
			list = append(list, p)
		}
	}
	return list[max(0, len(list)-6):] // the largest come last
}

// PartClass marks a faulty subexpression.
func (c *DeriveEditor) PartClass(p api.Part) string {
	if !p.Right {
		return "tr wrong"
	}
	return "tr"
}

// PartText shortens a subexpression.
func (c *DeriveEditor) PartText(p api.Part) string {
	r := []rune(p.Text)
	if len(r) <= 28 {
		return p.Text
	}
	return string(r[:8]) + "…" + string(r[len(r)-18:])
}

func (c *DeriveEditor) PartType(p api.Part) string {
	if !p.Right {
		return "error"
	}
	return p.Type
}

func (c *DeriveEditor) PartUnits(p api.Part) string {
	if p.Right && p.Units == "" {
		return "none"
	}
	return p.Units
}
