// Package derive is the editor of derived metrics: its text with errors
// marked, completion, and the resulting definition.
package derive

import (
	"slices"
	"strings"
	"unicode/utf16"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
)

// An Editor is the page of derived metrics: the list of definitions, and the
// editor of one of them.
type Editor struct {
	Page string // "" (closed), "list" or "editor"
	List []api.Definition

	Name, Text string
	Oneline    string
	Old        string // the name that the definition had before, "" for a new one

	// What is known of the text; it arrives a moment after the text.
	Checked string // the text that Faults and Parts belong to
	Faults  []pcp.Fault
	Parts   []api.Part
	Valid   *api.Metric // the metric that the last valid text defines; its name is that text

	Completing bool
	Completion api.Completion
	Completes  string // the text that Completion belongs to
	Pick       int    // the candidate that Tab inserts

	Caret    int // where the caret is to be put after drawing, in UTF-16 units
	CaretRev int // changes with each request to move it

	Language []api.Candidate // the functions, while their list is shown
	Saving   bool
	Paste    bool   // the field for pasting a configuration is shown
	Pasted   string // its content
}

// Done reports whether the only candidate is what has been typed already.
func Done(c api.Completion, text string) bool {
	units := utf16.Encode([]rune(text))
	if c.Span[1] > len(units) {
		return false
	}
	word := string(utf16.Decode(units[c.Span[0]:c.Span[1]]))
	return len(c.Candidates) == 1 && c.Candidates[0].Text == word || word == ""
}

// Current reports whether the completion is for the present text: a fast
// typist is ahead of the answers.
func (d *Editor) Current() bool { return d.Completing && d.Completes == d.Text }

// Replace replaces a span of the text and puts the caret after it. It reports
// whether the span exists.
func (d *Editor) Replace(span [2]int, text string) bool {
	units := utf16.Encode([]rune(d.Text))
	if span[0] < 0 || span[0] > span[1] || span[1] > len(units) {
		return false
	}
	in := utf16.Encode([]rune(text))
	d.Text = string(utf16.Decode(slices.Concat(units[:span[0]], in, units[span[1]:])))
	d.MoveCaret(span[0] + len(in))
	return true
}

// MoveCaret moves the caret after the next drawing, to a position in UTF-16
// units.
func (d *Editor) MoveCaret(at int) {
	d.Caret = at
	d.CaretRev++
}

// NameFault says what is wrong with the name, or "". logged reports whether
// the archive has a metric of that name.
func (d *Editor) NameFault(logged func(name string) bool) string {
	name := strings.TrimSpace(d.Name)
	switch {
	case name == "":
		return "It needs a name"
	case !metric.IsName(name):
		return "Use letters, digits and _, in parts joined by dots that each begin with a letter"
	}
	if logged(name) {
		return name + " is logged; choose another name"
	}
	return ""
}

// NameNote says what saving under this name will do.
func (d *Editor) NameNote() string {
	name := strings.TrimSpace(d.Name)
	for _, o := range d.List {
		if o.Name != name || name == d.Old {
			continue
		}
		if o.BuiltIn {
			return "Replaces the built-in " + name + "."
		}
		return "Replaces your " + name + "."
	}
	return "Shown with rates, units and help like any other metric."
}

// Unsaved says why the definition cannot be saved, or "".
func (d *Editor) Unsaved(logged func(name string) bool) string {
	switch {
	case strings.TrimSpace(d.Text) == "":
		return "no expression yet"
	case d.Checked != d.Text:
		return "checking…"
	case len(d.Faults) > 0:
		return format.Plural(len(d.Faults), "error") + " left"
	case d.NameFault(logged) != "":
		return "no valid name yet"
	}
	return ""
}

// Configuration writes a definition as in a configuration file, where a
// backslash continues a line.
func Configuration(name, expression, oneline string) string {
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
