package app

import (
	"strings"
	"unicode/utf16"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/derive"
	"pcpscope/web/panel"
)

// Editor is the page of derived metrics.
type Editor struct {
	derive.Editor
	Preview *Panel // of the last valid text
	asked   int
	app     *App
}

// reset shows another page, or none, with the same list.
func (d *Editor) reset(e derive.Editor) {
	e.List = d.List
	d.Editor, d.Preview = e, nil
}

// OpenList shows the list of derived metrics.
func (e *Editor) OpenList() {
	e.app.Layout.Menu, e.app.Layout.Sheet = "", ""
	e.dropPreview()
	e.reset(derive.Editor{Page: "list"})
	e.app.Definitions.list()
}

// Open opens the editor with a beginning: an expression, and a name
// where there is one already.
func (e *Editor) Open(name, expression string) {
	if e.app.current == nil {
		return
	}
	e.app.Layout.Menu, e.app.Layout.Sheet = "", ""
	e.dropPreview()
	e.reset(derive.Editor{Page: "editor", Name: name, Text: expression})
	e.MoveCaret(len(utf16.Encode([]rune(expression))))
	e.check()
}

// Edit opens the editor on a definition. A built-in one is edited as a copy
// under the same name, which then counts in its place.
func (e *Editor) Edit(d api.Definition) {
	e.Open(d.Name, d.Expression)
	e.Oneline = d.Oneline
	if !d.BuiltIn {
		e.Old = d.Name
	}
}

// OpenFor opens the editor with a metric as a beginning: with its rate
// where it counts something.
func (e *Editor) OpenFor(m *api.Metric) {
	switch {
	case m.Expression != "":
		for _, d := range e.List {
			if d.Name == m.Name {
				e.Edit(d)
				return
			}
		}
		e.Open(m.Name, m.Expression)
		e.Oneline = m.Oneline
	case m.Semantics == "counter":
		e.Open("", "rate("+m.Name+")")
	default:
		e.Open("", m.Name)
	}
}

// Close goes back to the charts.
func (e *Editor) Close() {
	e.dropPreview()
	e.reset(derive.Editor{})
}

// resume goes on with another source.
func (e *Editor) resume() {
	if e.Page == "" {
		return
	}
	e.dropPreview()
	e.Preview, e.Valid, e.Checked, e.Completing = nil, nil, "", false
	e.app.Definitions.list()
	if e.Page == "editor" {
		e.check()
	}
}

func (e *Editor) dropPreview() {
	if p := e.Preview; p != nil {
		p.forget()
	}
	for _, tab := range e.app.Tabs {
		tab.scratch = nil
		if tab.Dashboard.Active != 0 && tab.Dashboard.find(tab.Dashboard.Active) == nil && len(tab.Dashboard.Panels) > 0 {
			tab.Dashboard.Active = tab.Dashboard.Panels[len(tab.Dashboard.Panels)-1].ID
		}
	}
}

// Type takes over what is in the editor now, with the caret behind at UTF-16
// units of it.
func (e *Editor) Type(text string, at int) {
	e.Text = text
	e.check()
	e.complete(at)
}

// check asks what the text amounts to, and shows it when it is valid.
func (e *Editor) check() {
	d, tab := e, e.app.current
	if tab == nil {
		return
	}
	text := d.Text
	d.asked++
	n := d.asked
	e.app.work(func() func() {
		about, err := rpc.Invoke(tab.ctx, e.app.Engine, rpc.Describe, rpc.DescribeRequest{Source: tab.Source.ID, Expression: text}, nil)
		return func() {
			if e.asked != n || e.Page != "editor" {
				return // typed on
			}
			d := e
			d.Checked, d.Faults, d.Parts = text, about.Faults, about.Parts
			if err != nil {
				d.Faults = []pcp.Fault{*pcp.AsFault(err)}
			}
			if about.Metric != nil {
				e.show(tab, about.Metric)
			}
		}
	})
}

// show shows a valid expression in a panel of its own.
func (d *Editor) show(tab *Tab, m *api.Metric) {
	d.Valid, tab.scratch = m, m
	if d.Preview == nil {
		d.Preview = tab.Dashboard.newPanel(panel.Settings{})
	}
	d.Preview.change(func(s *panel.Settings) { s.Metrics = []string{m.Name} })
	delete(tab.data.cadence, m.Name)
	tab.data.fetch(d.Preview)
}

// SetLog chooses the scale of the preview.
func (e *Editor) SetLog(log bool) {
	if p := e.Preview; p != nil && p.Log != log {
		p.change(func(s *panel.Settings) { s.Log = log })
	}
}

// complete asks what may stand at a place of the text.
func (e *Editor) complete(at int) {
	d, tab := e, e.app.current
	if tab == nil {
		return
	}
	text, n := d.Text, d.asked
	e.app.work(func() func() {
		c, err := rpc.Invoke(tab.ctx, e.app.Engine, rpc.Complete, rpc.CompleteRequest{Source: tab.Source.ID, Text: text, At: at}, nil)
		return func() {
			if d := e; d.asked == n && d.Page == "editor" && err == nil {
				d.Completion, d.Completes, d.Pick = c, text, 0
				d.Completing = len(c.Candidates) > 0 && !derive.Done(c, text)
			}
		}
	})
}

// Insert puts a candidate in the place that it completes.
func (d *Editor) Insert(i int) {
	if !d.Current() || i < 0 || i >= len(d.Completion.Candidates) {
		return
	}
	c := d.Completion.Candidates[i]
	d.replace(d.Completion.Span, c.Text)
	d.Completing = c.Kind == "prefix"
	if d.Completing {
		d.complete(d.Caret)
	}
}

// ApplyFix makes the change that a fault offers.
func (e *Editor) ApplyFix(f *pcp.Fix) {
	if f != nil && e.Checked == e.Text {
		e.replace(f.Span, f.Text)
	}
}

// replace puts a text in the place of a stretch of the editor's.
func (e *Editor) replace(span [2]int, text string) {
	if e.Replace(span, text) {
		e.check()
	}
}

// logged says whether the archive itself has a metric of a name.
func (e *Editor) logged(name string) bool {
	m := e.app.current.Metric(name)
	return m != nil && m.Expression == ""
}

// NameFault says what is wrong with the name; "" when nothing is.
func (e *Editor) NameFault() string { return e.Editor.NameFault(e.logged) }

// Unsaved says what keeps the definition from being saved; "" for nothing.
func (e *Editor) Unsaved() string { return e.Editor.Unsaved(e.logged) }

// Save defines what is in the editor, and shows it.
func (d *Editor) Save() {
	if d.app.current == nil || d.Unsaved() != "" || d.Saving {
		return
	}
	d.Saving = true
	name, old := strings.TrimSpace(d.Name), d.Old
	if old != "" && old != name {
		d.app.Definitions.undefine(old)
	}
	d.app.Definitions.define(derive.Configuration(name, d.Text, d.Oneline), "", func(got api.Defined, err error) {
		d.Saving = false
		switch {
		case err != nil:
			d.Faults = []pcp.Fault{*pcp.AsFault(err)}
			return
		case len(got.Faults) > 0:
			d.Faults = got.Faults
			return
		}
		d.Close()
		d.app.Definitions.reveal = name
	})
}

// Remove forgets one of the user's definitions.
func (e *Editor) Remove(name string) {
	e.app.Definitions.undefine(name)
}

// ShowMetric shows a derived metric in a panel, in the tree and in the
// details.
func (e *Editor) ShowMetric(name string) {
	tab := e.app.current
	if tab == nil || tab.Metric(name) == nil {
		return
	}
	e.Close()
	tab.Dashboard.AddPanel(name)
	tab.Tree.Reveal(name)
	tab.Select(name)
	e.app.Layout.Details = true
}

// DefinePasted defines what was pasted as a configuration.
func (d *Editor) DefinePasted() {
	if strings.TrimSpace(d.Pasted) == "" {
		return
	}
	text := d.Pasted
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	d.app.Definitions.define(text, "pasted text", func(got api.Defined, err error) {
		d.app.Definitions.report("Pasted text", got, err)
		if err == nil && len(got.Faults) == 0 {
			d.Paste, d.Pasted = false, ""
		}
	})
}

// ShowLanguage lists the functions of the language, or puts the list away.
func (e *Editor) ShowLanguage() {
	d, tab := e, e.app.current
	if d.Language != nil || tab == nil {
		d.Language = nil
		return
	}
	e.app.work(func() func() {
		c, err := rpc.Invoke(tab.ctx, e.app.Engine, rpc.Complete, rpc.CompleteRequest{Source: tab.Source.ID}, nil)
		return func() {
			if err == nil {
				e.Language = c.Candidates
			}
		}
	})
}

// press acts on a key in the editor.
func (d *Editor) press(k Key) (Focus, bool) {
	n := len(d.Completion.Candidates)
	switch {
	case k.In != "derive-text":
	case k.Name == "ArrowLeft" || k.Name == "ArrowRight" || k.Name == "Home" || k.Name == "End":
		d.Completing = false // and the caret moves
		return "", false
	case d.Completing && k.Name == "Escape":
		d.Completing = false
		return "", true
	case !bound(k.In, k.Name):
	case k.Ctrl && k.Name == "Enter":
		d.Save()
		return "", true
	case d.Completing && k.Name == "ArrowDown":
		d.Pick = (d.Pick + 1) % n
		return "", true
	case d.Completing && k.Name == "ArrowUp":
		d.Pick = (d.Pick + n - 1) % n
		return "", true
	case d.Completing && k.Name == "Enter" && !k.Shift && !d.Current():
		return "", false // a new line
	case d.Completing && (k.Name == "Tab" || k.Name == "Enter") && !k.Shift:
		d.Insert(d.Pick)
		return "", true
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
			d.Close()
		}
		return "", true
	}
	return "", false
}

// Download saves the user's definitions as a configuration file.
func (e *Editor) Download() {
	if e.app.Page.Save != nil && e.app.Definitions.Text != "" {
		e.app.Page.Save("derived.conf", "text/plain", e.app.Definitions.Text)
	}
}
