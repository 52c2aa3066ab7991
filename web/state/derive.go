package state

import (
	"slices"
	"strings"
	"unicode/utf16"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Derive is the page of derived metrics: the list of definitions, and the
// editor of one.
type Derive struct {
	Page string // "" (closed), "list" or "editor"
	List []api.Definition

	Name, Text string
	Oneline    string
	Old        string // the name that the definition had before, "" for a new one

	// What is known of the text, which it takes a moment to find out.
	Checked string // the text that Faults and Parts belong to
	Faults  []pcp.Fault
	Parts   []api.Part
	Valid   *api.Metric // what the last valid text amounts to; its name is that text
	Preview *Panel      // of the last valid text

	Completing bool
	Completion api.Completion
	completes  string // the text that Completion is of: another has other places
	Pick       int    // the candidate that Tab takes

	Caret    int // where the caret is to be put after drawing, in UTF-16 units
	CaretRev int // changes with each wish to move it

	Language []api.Candidate // the functions, while their list is shown
	Saving   bool
	Paste    bool   // a field for a configuration is shown
	Pasted   string // what is in it
	asked    int
}

// OpenDefinitions shows the list of derived metrics.
func (a *App) OpenDefinitions() {
	a.Menu, a.Sheet = "", ""
	a.dropPreview()
	a.Derive = Derive{Page: "list", List: a.Derive.List}
	a.listDefinitions()
}

// OpenDerive opens the editor with a beginning: an expression, and a name
// where there is one already.
func (a *App) OpenDerive(name, expression string) {
	if a.current == nil {
		return
	}
	a.Menu, a.Sheet = "", ""
	a.dropPreview()
	a.Derive = Derive{Page: "editor", Name: name, Text: expression, List: a.Derive.List}
	a.caret(len(utf16.Encode([]rune(expression))))
	a.check()
}

// Edit opens the editor on a definition. A built-in one is edited as a copy
// under the same name, which then counts in its place.
func (a *App) Edit(d api.Definition) {
	a.OpenDerive(d.Name, d.Expression)
	a.Derive.Oneline = d.Oneline
	if !d.BuiltIn {
		a.Derive.Old = d.Name
	}
}

// DeriveFrom opens the editor with a metric as a beginning: with its rate
// where it counts something.
func (a *App) DeriveFrom(m *api.Metric) {
	switch {
	case m.Expression != "":
		for _, d := range a.Derive.List {
			if d.Name == m.Name {
				a.Edit(d)
				return
			}
		}
		a.OpenDerive(m.Name, m.Expression)
		a.Derive.Oneline = m.Oneline
	case m.Semantics == "counter":
		a.OpenDerive("", "rate("+m.Name+")")
	default:
		a.OpenDerive("", m.Name)
	}
}

// CloseDerive goes back to the charts.
func (a *App) CloseDerive() {
	a.dropPreview()
	a.Derive = Derive{List: a.Derive.List}
}

// resumeDerive goes on with another source.
func (a *App) resumeDerive() {
	if a.Derive.Page == "" {
		return
	}
	a.dropPreview()
	a.Derive.Preview, a.Derive.Valid, a.Derive.Checked, a.Derive.Completing = nil, nil, "", false
	a.listDefinitions()
	if a.Derive.Page == "editor" {
		a.check()
	}
}

func (a *App) dropPreview() {
	if p := a.Derive.Preview; p != nil {
		p.forget()
	}
	for _, w := range a.Works {
		w.scratch = nil
		if w.Active != 0 && w.find(w.Active) == nil && len(w.Panels) > 0 {
			w.Active = w.Panels[len(w.Panels)-1].ID
		}
	}
}

// Type takes over what is in the editor now, with the caret behind at UTF-16
// units of it.
func (a *App) Type(text string, at int) {
	a.Derive.Text = text
	a.check()
	a.complete(at)
}

// check asks what the text amounts to, and shows it when it is valid.
func (a *App) check() {
	d, w, e := &a.Derive, a.current, a.definer()
	if w == nil || e == nil {
		return
	}
	text := d.Text
	d.asked++
	n := d.asked
	a.work(func() func() {
		about, err := e.Describe(w.ctx, w.Source.ID, text)
		return func() {
			if a.Derive.asked != n || a.Derive.Page != "editor" {
				return // typed on
			}
			d := &a.Derive
			d.Checked, d.Faults, d.Parts = text, about.Faults, about.Parts
			if err != nil {
				d.Faults = []pcp.Fault{*pcp.AsFault(err)}
			}
			if about.Metric != nil {
				a.preview(w, about.Metric)
			}
		}
	})
}

// preview shows a valid expression in a panel of its own.
func (a *App) preview(w *Work, m *api.Metric) {
	d := &a.Derive
	d.Valid, w.scratch = m, m
	if d.Preview == nil {
		a.lastPanel++
		d.Preview = &Panel{ID: a.lastPanel, Hidden: map[string]bool{}}
	}
	d.Preview.Metrics = []string{m.Name}
	delete(w.cadence, m.Name)
	w.fetch(d.Preview)
}

// SetLog chooses the scale of the preview.
func (a *App) SetLog(log bool) {
	if p := a.Derive.Preview; p != nil && p.Log != log {
		p.Log = log
		p.Rev++
	}
}

// OnScreen lists the panels that have a canvas: those of the view, and the
// preview of what is being derived.
func (w *Work) OnScreen() []*Panel {
	if p := w.app.Derive.Preview; p != nil && w == w.app.current {
		return append(slices.Clone(w.Panels), p)
	}
	return w.Panels
}

// complete asks what may stand at a place of the text.
func (a *App) complete(at int) {
	d, w, e := &a.Derive, a.current, a.definer()
	if w == nil || e == nil {
		return
	}
	text, n := d.Text, d.asked
	a.work(func() func() {
		c, err := e.Complete(w.ctx, w.Source.ID, text, at)
		return func() {
			if d := &a.Derive; d.asked == n && d.Page == "editor" && err == nil {
				d.Completion, d.completes, d.Pick = c, text, 0
				d.Completing = len(c.Candidates) > 0 && !done(c, text)
			}
		}
	})
}

// done says that what is written already is the only candidate.
func done(c api.Completion, text string) bool {
	units := utf16.Encode([]rune(text))
	if c.Span[1] > len(units) {
		return false
	}
	word := string(utf16.Decode(units[c.Span[0]:c.Span[1]]))
	return len(c.Candidates) == 1 && c.Candidates[0].Text == word || word == ""
}

// current says that what is offered completes the text as it is now: who types
// on fast is ahead of the answers.
func (d *Derive) current() bool { return d.Completing && d.completes == d.Text }

// Insert puts a candidate in the place that it completes.
func (a *App) Insert(i int) {
	d := &a.Derive
	if !d.current() || i < 0 || i >= len(d.Completion.Candidates) {
		return
	}
	c := d.Completion.Candidates[i]
	a.replace(d.Completion.Span, c.Text)
	d.Completing = c.Kind == "prefix"
	if d.Completing {
		a.complete(d.Caret)
	}
}

// ApplyFix makes the change that a fault offers.
func (a *App) ApplyFix(f *pcp.Fix) {
	if f != nil && a.Derive.Checked == a.Derive.Text {
		a.replace(f.Span, f.Text)
	}
}

// replace puts a text in the place of a stretch of the editor's.
func (a *App) replace(span [2]int, text string) {
	d := &a.Derive
	units := utf16.Encode([]rune(d.Text))
	if span[0] < 0 || span[0] > span[1] || span[1] > len(units) {
		return
	}
	in := utf16.Encode([]rune(text))
	d.Text = string(utf16.Decode(slices.Concat(units[:span[0]], in, units[span[1]:])))
	a.caret(span[0] + len(in))
	a.check()
}

func (a *App) caret(at int) {
	a.Derive.Caret = at
	a.Derive.CaretRev++
}

var metricName = pattern.New(`^[A-Za-z]\w*(\.[A-Za-z]\w*)*$`)

// NameFault says what is wrong with the name; "" when nothing is.
func (a *App) NameFault() string {
	d := &a.Derive
	name := strings.TrimSpace(d.Name)
	switch {
	case name == "":
		return "It needs a name"
	case !metricName().MatchString(name):
		return "A name is words of letters, digits and _, each beginning with a letter, joined by dots"
	}
	if m := a.current.Metric(name); m != nil && m.Expression == "" {
		return name + " is logged; choose another name"
	}
	return ""
}

// NameNote says what saving under the name means.
func (a *App) NameNote() string {
	d := &a.Derive
	name := strings.TrimSpace(d.Name)
	for _, o := range d.List {
		if o.Name != name || name == d.Old {
			continue
		}
		if o.BuiltIn {
			return "Takes the place of the built-in " + name + "."
		}
		return "Replaces your " + name + "."
	}
	return "Shown with rates, units and help like any other metric."
}

// Unsaved says what keeps the definition from being saved; "" for nothing.
func (a *App) Unsaved() string {
	d := &a.Derive
	switch {
	case strings.TrimSpace(d.Text) == "":
		return "no expression yet"
	case d.Checked != d.Text:
		return "checking…"
	case len(d.Faults) > 0:
		return format.Plural(len(d.Faults), "error") + " left"
	case a.NameFault() != "":
		return "no good name yet"
	}
	return ""
}

// SaveDerived defines what is in the editor, and shows it.
func (a *App) SaveDerived() {
	d := &a.Derive
	if a.current == nil || a.Unsaved() != "" || d.Saving {
		return
	}
	d.Saving = true
	name, old := strings.TrimSpace(d.Name), d.Old
	if old != "" && old != name {
		a.undefine(old)
	}
	a.define(configLine(name, d.Text, d.Oneline), "", func(got api.Defined, err error) {
		a.Derive.Saving = false
		switch {
		case err != nil:
			a.Derive.Faults = []pcp.Fault{*pcp.AsFault(err)}
			return
		case len(got.Faults) > 0:
			a.Derive.Faults = got.Faults
			return
		}
		a.CloseDerive()
		a.reveal = name
	})
}

// configLine writes a definition as a configuration file has it: lines that
// go on end in a backslash.
func configLine(name, expression, oneline string) string {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(expression, "\r", "")), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	text := name + " = " + strings.Join(lines, " \\\n") + "\n"
	if oneline != "" {
		text += name + "(oneline) = " + strings.ReplaceAll(oneline, "\n", " ") + "\n"
	}
	return text
}

// RemoveDefinition forgets one of the user's definitions.
func (a *App) RemoveDefinition(name string) { a.undefine(name) }

// ShowDefinition shows a derived metric in a panel, in the tree and in the
// details.
func (a *App) ShowDefinition(name string) {
	w := a.current
	if w == nil || w.Metric(name) == nil {
		return
	}
	a.CloseDerive()
	w.AddPanel(name)
	w.Tree.Reveal(name)
	w.Select(name)
	a.Details = true
}

// DefinePasted defines what was pasted as a configuration.
func (a *App) DefinePasted() {
	d := &a.Derive
	if strings.TrimSpace(d.Pasted) == "" {
		return
	}
	text := d.Pasted
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	a.define(text, "pasted text", func(got api.Defined, err error) {
		a.defined("Pasted text", got, err)
		if err == nil && len(got.Faults) == 0 {
			a.Derive.Paste, a.Derive.Pasted = false, ""
		}
	})
}

// ShowLanguage lists the functions of the language, or puts the list away.
func (a *App) ShowLanguage() {
	d, w, e := &a.Derive, a.current, a.definer()
	if d.Language != nil || w == nil || e == nil {
		d.Language = nil
		return
	}
	a.work(func() func() {
		c, err := e.Complete(w.ctx, w.Source.ID, "", 0)
		return func() {
			if err == nil {
				a.Derive.Language = c.Candidates
			}
		}
	})
}

// covered says that something lies over the page that Escape closes first.
func (a *App) covered() bool { return a.Search.Open || a.Menu != "" || a.Help || a.Sheet != "" }

// pressInDerive acts on a key in the editor.
func (a *App) pressInDerive(k Key) (Focus, bool) {
	d := &a.Derive
	n := len(d.Completion.Candidates)
	switch {
	case k.In != "derive-text":
	case k.Ctrl && k.Name == "Enter":
		a.SaveDerived()
		return "", true
	case d.Completing && k.Name == "ArrowDown":
		d.Pick = (d.Pick + 1) % n
		return "", true
	case d.Completing && k.Name == "ArrowUp":
		d.Pick = (d.Pick + n - 1) % n
		return "", true
	case d.Completing && k.Name == "Enter" && !k.Shift && !d.current():
		return "", false // a new line
	case d.Completing && (k.Name == "Tab" || k.Name == "Enter") && !k.Shift:
		a.Insert(d.Pick)
		return "", true
	case d.Completing && k.Name == "Escape":
		d.Completing = false
		return "", true
	case k.Name == "ArrowLeft" || k.Name == "ArrowRight" || k.Name == "Home" || k.Name == "End":
		d.Completing = false // and the caret moves
		return "", false
	}
	if k.Name == "Escape" {
		switch {
		case d.Language != nil:
			d.Language = nil
		case d.Paste:
			d.Paste = false
		case k.Typing:
			return "page", true
		default:
			a.CloseDerive()
		}
		return "", true
	}
	return "", false
}

// PointsOnScreen counts the moments of a panel's frame within the window.
func (w *Work) PointsOnScreen(p *Panel) int {
	n := 0
	for i := range p.Frame.Times {
		if t := at(p.Frame, i); t >= w.Window.Start && t <= w.Window.End {
			n++
		}
	}
	return n
}

// DownloadDefinitions saves the user's definitions as a configuration file.
func (a *App) DownloadDefinitions() {
	if a.Save != nil && a.Definitions != "" {
		a.Save("derived.conf", "text/plain", a.Definitions)
	}
}

// Numeric says whether a metric's values are numbers.
func Numeric(m *api.Metric) bool { return numeric(m) }
