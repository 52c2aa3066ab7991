package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/state"
)

// D is the state of the page of derived metrics.
func (c *Derive) D() *state.Derive { return &c.App.Derive }

// Closed, Editing and Listing say which page it is.
func (c *Derive) Closed() bool  { return c.D().Page == "" || c.App.Current() == nil }
func (c *Derive) Editing() bool { return c.D().Page == "editor" && c.App.Current() != nil }
func (c *Derive) Listing() bool { return c.D().Page == "list" }

// Title names the page.
func (c *Derive) Title() string {
	switch {
	case c.Listing():
		return "Derived metrics"
	case c.D().Old != "":
		return "Derived metric"
	}
	return "New derived metric"
}

// Subtitle says where definitions are kept.
func (c *Derive) Subtitle() string {
	if !c.Listing() {
		return "unsaved, kept in this session"
	}
	own, built := 0, 0
	for _, d := range c.D().List {
		if d.BuiltIn {
			built++
		} else {
			own++
		}
	}
	return fmt.Sprintf("%s of your own, %d built in that can be computed here", format.Count(own), built)
}

// CancelText names the button that leaves the page.
func (c *Derive) CancelText() string {
	if c.Listing() {
		return "Close"
	}
	return "Cancel"
}

// Cancel leaves the page.
func (c *Derive) Cancel() { c.App.CloseDerive() }

// SaveText says why it cannot be saved, if so.
func (c *Derive) SaveText() string {
	if why := c.App.Unsaved(); why != "" {
		return "Save: " + why
	}
	return "Save"
}

// The switches of what can be folded out.
func (c *Derive) LanguageShown() string { return strconv.FormatBool(c.D().Language != nil) }
func (c *Derive) PasteShown() string    { return strconv.FormatBool(c.D().Paste) }
func (c *Derive) TogglePaste()          { c.D().Paste = !c.D().Paste }
func (c *Derive) SetPasted(text string) { c.D().Pasted = text }

// SetName takes over the name as it is typed.
func (c *Derive) SetName(name string) { c.D().Name = name }

// nameFault says what is wrong with a name that there is.
func (c *Derive) nameFault() string {
	if !c.Editing() || c.D().Name == "" {
		return ""
	}
	return c.App.NameFault()
}

// NameClass and NameNoteClass mark a name that will not do.
func (c *Derive) NameClass() string {
	if c.nameFault() != "" {
		return "mono wrong"
	}
	return "mono"
}

func (c *Derive) NameNoteClass() string {
	if c.nameFault() != "" {
		return "wrong"
	}
	return "t3"
}

// NameText stands beside the name.
func (c *Derive) NameText() string {
	switch {
	case !c.Editing():
		return ""
	case c.nameFault() != "":
		return c.nameFault() + "."
	}
	return c.App.NameNote()
}

// Type takes over the text as it is typed.
func (c *Derive) Type(event vugu.DOMEvent) {
	c.App.Type(event.PropString("target", "value"), int(event.PropFloat64("target", "selectionStart")))
}

// mostFaults is how many mistakes are told at a time.
const mostFaults = 5

// Lines is the text with its mistakes, each beneath its line.
func (c *Derive) Lines() []state.TextLine {
	if !c.Editing() {
		return nil
	}
	d, told := c.D(), 0
	lines := d.Lines()
	for i := range lines {
		lines[i].Faults = slices.DeleteFunc(lines[i].Faults, func(f state.FaultLine) bool {
			if d.Completing && f.Span != nil && f.Span[1] >= d.Completion.Span[1] && (f.Fix == nil || f.Span[0] >= d.Completion.Span[0]) {
				return true // the word is still being written
			}
			told++
			return told > mostFaults
		})
	}
	return lines
}

// Told is all that is wrong, for those who hear the page.
func (c *Derive) Told() string {
	var b strings.Builder
	for _, l := range c.Lines() {
		for _, f := range l.Faults {
			b.WriteString(f.Where + f.Message + " ")
		}
	}
	return strings.TrimSpace(b.String())
}

// Invalid is the aria-invalid of the text.
func (c *Derive) Invalid() string { return strconv.FormatBool(len(c.D().CurrentFaults()) > 0) }

// PieceClass is how a piece of the text looks.
func (c *Derive) PieceClass(p state.Piece) string {
	class := p.Kind
	if p.Wrong {
		class += " wavy"
	}
	return class
}

// FixText and FixWhat offer the change that mends a fault. The sentence has
// asked "did you mean" where the name is spelt wrong.
func (c *Derive) FixText(f *pcp.Fix) string {
	switch {
	case f == nil:
		return ""
	case f.What != "":
		return "Did you mean " + f.Text + "?"
	}
	return "Use " + f.Text
}

func (c *Derive) FixWhat(f *pcp.Fix) string {
	if f == nil || f.What == "" {
		return ""
	}
	return "(" + f.What + ")"
}

// ActiveCandidate is the id of the candidate that Tab takes.
func (c *Derive) ActiveCandidate() string {
	if !c.D().Completing {
		return ""
	}
	return c.CandidateID(c.D().Pick)
}

// Candidates are what may stand at the caret.
func (c *Derive) Candidates() []api.Candidate {
	if !c.D().Completing {
		return nil
	}
	return c.D().Completion.Candidates
}

// CompletionTitle counts them.
func (c *Derive) CompletionTitle() string {
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

// word is what is written already of what is being completed.
func (c *Derive) word() string {
	d := c.D()
	return state.Utf16Slice(d.Text, d.Completion.Span[0], d.Completion.Span[1])
}

// CandidateID is the id of a candidate's element.
func (c *Derive) CandidateID(i int) string { return "derive-candidate-" + strconv.Itoa(i) }

// CandidateClass and Selected mark the candidate that Tab takes.
func (c *Derive) CandidateClass(i int) string {
	if i == c.D().Pick {
		return "candidate on"
	}
	return "candidate"
}

func (c *Derive) Selected(i int) string { return strconv.FormatBool(i == c.D().Pick) }

// Take inserts a candidate. The focus stays in the text.
func (c *Derive) Take(i int, event vugu.DOMEvent) {
	event.PreventDefault()
	c.App.Insert(i)
}

// Head is the part of a candidate that is written already, Tail the rest.
func (c *Derive) Head(x api.Candidate) string {
	if w := c.word(); strings.HasPrefix(x.Name, w) {
		return w
	}
	return ""
}

func (c *Derive) Tail(x api.Candidate) string { return strings.TrimPrefix(x.Name, c.Head(x)) }

// Letter is a candidate's semantics: C, I or D.
func (c *Derive) Letter(x api.Candidate) string {
	if x.Semantics == "" {
		return ""
	}
	return strings.ToUpper(x.Semantics[:1])
}

// ResultOf says which text the result is of.
func (c *Derive) ResultOf() string {
	d := c.D()
	switch {
	case d.Valid == nil:
		return "when the text is valid"
	case d.Valid.Name != d.Text:
		return "of the last valid text"
	}
	return ""
}

func (c *Derive) valid() *api.Metric {
	if !c.Editing() {
		return nil
	}
	return c.D().Valid
}

// What the last valid text amounts to.
func (c *Derive) TypeText() string {
	if m := c.valid(); m != nil {
		return state.TypeText(m.Type)
	}
	return format.Dash
}

func (c *Derive) Semantics() string {
	if m := c.valid(); m != nil {
		return c.App.Current().SemanticsText(m)
	}
	return format.Dash
}

func (c *Derive) Units() string {
	switch m := c.valid(); {
	case m == nil:
		return format.Dash
	case m.Units == "":
		return "none"
	default:
		return m.Units
	}
}

// Instances names the instances that have a value.
func (c *Derive) Instances() string {
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
	for i := range p.Series {
		names = append(names, p.Series[i].Label)
	}
	return *m.InDom + ": " + few(names)
}

// Values counts the values of each series in the window.
func (c *Derive) Values() string {
	p := c.panel()
	if p == nil || p.Frame == nil {
		return format.Dash
	}
	var counts []string
	for i := range p.Series {
		s := &p.Series[i]
		n := format.Count(s.Stats.Count)
		if s.Stats.Count == 0 {
			n = "none"
		}
		if s.Instance != "" {
			n = s.Label + " " + n
		}
		counts = append(counts, n)
	}
	return few(counts) + " of " + format.Count(c.App.Current().PointsOnScreen(p))
}

// few lists the first of many.
func few(list []string) string {
	const most = 4
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:most], ", ") + " and " + format.Count(len(list)-most) + " more"
}

// Parts are the pieces of the text as it is now.
func (c *Derive) Parts() []api.Part {
	if !c.Editing() || c.D().Checked != c.D().Text {
		return nil
	}
	var list []api.Part
	for _, p := range c.D().Parts {
		if m := c.App.Current().Metric(p.Text); m == nil || p.Text == c.D().Text { // of a metric alone there is nothing to say
			list = append(list, p)
		}
	}
	return list[max(0, len(list)-6):] // the largest come last
}

// PartClass marks what is wrong.
func (c *Derive) PartClass(p api.Part) string {
	if !p.Right {
		return "tr wrong"
	}
	return "tr"
}

// PartText shortens a part to what tells it from the others.
func (c *Derive) PartText(p api.Part) string {
	r := []rune(p.Text)
	if len(r) <= 28 {
		return p.Text
	}
	return string(r[:8]) + "…" + string(r[len(r)-18:])
}

func (c *Derive) PartType(p api.Part) string {
	if !p.Right {
		return "error"
	}
	return p.Type
}

func (c *Derive) PartUnits(p api.Part) string {
	if p.Right && p.Units == "" {
		return "none"
	}
	return p.Units
}

// The list of definitions.
func (c *Derive) From(d api.Definition) string {
	if d.BuiltIn {
		return "built in"
	}
	return "your own"
}

func (c *Derive) About(d api.Definition) string {
	if d.Fault != nil {
		return d.Fault.Message
	}
	return d.Oneline
}

func (c *Derive) AboutClass(d api.Definition) string {
	if d.Fault != nil {
		return "look"
	}
	return "t2"
}

func (c *Derive) DefinitionUnits(d api.Definition) string {
	switch {
	case d.Metric == nil:
		return "not here"
	case d.Metric.Units == "":
		return format.Dash
	}
	return d.Metric.Units
}

func (c *Derive) EditText(d api.Definition) string {
	if d.BuiltIn {
		return "Edit a copy"
	}
	return "Edit"
}

// DerivedText names the way to the derived metrics, and counts them.
func (c *TreeView) DerivedText() string {
	w := c.App.Current()
	if w == nil || w.Derived() == 0 {
		return "Derived"
	}
	return "Derived " + format.Count(w.Derived())
}
