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

// Editor is the derived metric editor.
type Editor struct {
	derive.Editor
	Preview *Panel // of the last valid text
	asked   int
	app     *App
}

// reset shows another page of it, or closes it; the list stays.
func (e *Editor) reset(to derive.Editor) {
	to.List = e.List
	e.Editor, e.Preview = to, nil
}

// OpenList shows the list of derived metrics.
func (e *Editor) OpenList() {
	e.app.Layout.Menu, e.app.Layout.Sheet = "", ""
	e.dropPreview()
	e.reset(derive.Editor{Page: "list"})
	e.app.Definitions.list()
}

// Open opens the editor with an initial expression, and a name if it already has one.
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

// Edit opens the editor on a definition. A built-in one is edited as a copy with the same
// name, which then replaces it.
func (e *Editor) Edit(d api.Definition) {
	e.Open(d.Name, d.Expression)
	e.Oneline = d.Oneline
	if !d.BuiltIn {
		e.Old = d.Name
	}
}

// OpenFor opens the editor starting from a metric: from its rate if it is a counter.
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

// Close returns to the charts.
func (e *Editor) Close() {
	e.dropPreview()
	e.reset(derive.Editor{})
}

// resume continues with another source.
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

// Type takes over the text in the editor, with the caret after at UTF-16 units.
func (e *Editor) Type(text string, at int) {
	e.Text = text
	e.check()
	e.complete(at)
}

// check asks the engine to check the text, and shows the result if it is valid.
func (e *Editor) check() {
	tab := e.app.current
	if tab == nil {
		return
	}
	text := e.Text
	e.asked++
	n := e.asked
	e.app.work(func() func() {
		about, err := rpc.Invoke(tab.ctx, e.app.Engine, rpc.Describe, rpc.DescribeRequest{Source: tab.Source.ID, Expression: text}, nil)
		return func() {
			if e.asked != n || e.Page != "editor" {
				return // the user kept typing
			}
			e.Checked, e.Faults, e.Parts = text, about.Faults, about.Parts
			if err != nil {
				e.Faults = []pcp.Fault{*pcp.AsFault(err)}
			}
			if about.Metric != nil {
				e.show(tab, about.Metric)
			}
		}
	})
}

// show draws a valid expression in a panel of its own.
func (e *Editor) show(tab *Tab, m *api.Metric) {
	e.Valid, tab.scratch = m, m
	if e.Preview == nil {
		e.Preview = tab.Dashboard.newPanel(panel.Settings{})
	}
	e.Preview.change(func(s *panel.Settings) { s.Metrics = []string{m.Name} })
	delete(tab.data.cadence, m.Name)
	tab.data.fetch(e.Preview)
}

// SetLog chooses the scale of the preview.
func (e *Editor) SetLog(log bool) {
	if p := e.Preview; p != nil && p.Log != log {
		p.change(func(s *panel.Settings) { s.Log = log })
	}
}

// complete requests the completions at a position.
func (e *Editor) complete(at int) {
	tab := e.app.current
	if tab == nil {
		return
	}
	text, n := e.Text, e.asked
	e.app.work(func() func() {
		c, err := rpc.Invoke(tab.ctx, e.app.Engine, rpc.Complete, rpc.CompleteRequest{Source: tab.Source.ID, Text: text, At: at}, nil)
		return func() {
			if e.asked == n && e.Page == "editor" && err == nil {
				e.Completion, e.Completes, e.Pick = c, text, 0
				e.Completing = len(c.Candidates) > 0 && !derive.Done(c, text)
			}
		}
	})
}

// Insert inserts a candidate in place of what it completes.
func (e *Editor) Insert(i int) {
	if !e.Current() || i < 0 || i >= len(e.Completion.Candidates) {
		return
	}
	c := e.Completion.Candidates[i]
	e.replace(e.Completion.Span, c.Text)
	e.Completing = c.Kind == "prefix"
	if e.Completing {
		e.complete(e.Caret)
	}
}

// ApplyFix applies the fix that a fault suggests.
func (e *Editor) ApplyFix(f *pcp.Fix) {
	if f != nil && e.Checked == e.Text {
		e.replace(f.Span, f.Text)
	}
}

// replace replaces a range of the editor's text.
func (e *Editor) replace(span [2]int, text string) {
	if e.Replace(span, text) {
		e.check()
	}
}

// logged reports whether the archive itself has a metric with this name.
func (e *Editor) logged(name string) bool {
	m := e.app.current.Metric(name)
	return m != nil && m.Expression == ""
}

// NameFault says what is wrong with the name; "" if it is valid.
func (e *Editor) NameFault() string { return e.Editor.NameFault(e.logged) }

// Unsaved says what prevents saving the definition; "" if nothing does.
func (e *Editor) Unsaved() string { return e.Editor.Unsaved(e.logged) }

// Save saves the definition in the editor, and shows it.
func (e *Editor) Save() {
	if e.app.current == nil || e.Unsaved() != "" || e.Saving {
		return
	}
	e.Saving = true
	name, old := strings.TrimSpace(e.Name), e.Old
	if old != "" && old != name {
		e.app.Definitions.undefine(old)
	}
	e.app.Definitions.define(derive.Configuration(name, e.Text, e.Oneline), "", func(got api.Defined, err error) {
		e.Saving = false
		switch {
		case err != nil:
			e.Faults = []pcp.Fault{*pcp.AsFault(err)}
			return
		case len(got.Faults) > 0:
			e.Faults = got.Faults
			return
		}
		e.Close()
		e.app.Definitions.reveal = name
	})
}

// Remove deletes one of the user's definitions.
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

// DefinePasted imports pasted text as a configuration file.
func (e *Editor) DefinePasted() {
	if strings.TrimSpace(e.Pasted) == "" {
		return
	}
	text := e.Pasted
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	e.app.Definitions.define(text, "pasted text", func(got api.Defined, err error) {
		e.app.Definitions.report("Pasted text", got, err)
		if err == nil && len(got.Faults) == 0 {
			e.Paste, e.Pasted = false, ""
		}
	})
}

// ShowLanguage shows or hides the list of the language's functions.
func (e *Editor) ShowLanguage() {
	tab := e.app.current
	if e.Language != nil || tab == nil {
		e.Language = nil
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

// press handles a key in the editor, and reports whether it did.
func (e *Editor) press(k Key) (used bool) {
	n := len(e.Completion.Candidates)
	switch {
	case k.In != "derive-text":
	case k.Name == "ArrowLeft" || k.Name == "ArrowRight" || k.Name == "Home" || k.Name == "End":
		e.Completing = false // the caret moves, too
		return false
	case !bound(k.In, k.Name):
	case k.Ctrl && k.Name == "Enter":
		e.Save()
		return true
	case e.Completing && k.Name == "ArrowDown":
		e.Pick = (e.Pick + 1) % n
		return true
	case e.Completing && k.Name == "ArrowUp":
		e.Pick = (e.Pick + n - 1) % n
		return true
	case e.Completing && k.Name == "Enter" && !k.Shift && !e.Current():
		return false // a newline
	case e.Completing && (k.Name == "Tab" || k.Name == "Enter") && !k.Shift:
		e.Insert(e.Pick)
		return true
	}
	return false
}

// escape closes what is open in the editor, innermost first, and then the editor.
func (e *Editor) escape(k Key) Focus {
	switch {
	case e.Completing && k.In == "derive-text":
		e.Completing = false
	case e.Language != nil:
		e.Language = nil
	case e.Paste:
		e.Paste = false
	case k.Typing:
		return "page"
	default:
		e.Close()
	}
	return ""
}

// Download saves the user's definitions as a configuration file.
func (e *Editor) Download() {
	if e.app.Page.Save != nil && e.app.Definitions.Text != "" {
		e.app.Page.Save("derived.conf", "text/plain", e.app.Definitions.Text)
	}
}
