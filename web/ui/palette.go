package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/tree"
)

// Class opens the field as a sheet on a phone.
func (c *Palette) Class() string {
	if c.Open() {
		return "search searchbox open"
	}
	return "search searchbox"
}

// Open reports whether the list is shown.
func (c *Palette) Open() bool { return c.App.Search.Open && c.App.Current() != nil }

// Expanded and ActiveID tell screen readers about the list and its selected line.
func (c *Palette) Expanded() string { return strconv.FormatBool(c.Open()) }

func (c *Palette) ActiveID() string {
	if len(c.lines) == 0 {
		return ""
	}
	return "search-line-" + strconv.Itoa(c.App.Search.At)
}

// Compute is called by Vugu before each Build.
func (c *Palette) Compute() {
	if c.lines, c.kinds = nil, nil; c.Open() {
		c.lines = c.App.Search.Lines()
		if c.App.Search.For != "" {
			c.kinds = c.App.Search.Kinds()
		}
	}
}

// Lines are the lines of the list.
func (c *Palette) Lines() []app.SearchLine { return c.lines }

// Shown are the visible lines; more are added as the list is scrolled.
func (c *Palette) Shown() []app.SearchLine { return c.App.Search.Visible(c.lines) }

// Kinds are the choices above it.
func (c *Palette) Kinds() []app.SearchKind { return c.kinds }

func (c *Palette) KindClass(k app.SearchKind) string {
	if k.Kind == c.App.Search.Kind {
		return "chip on"
	}
	return "chip"
}

func (c *Palette) KindPressed(k app.SearchKind) string {
	return strconv.FormatBool(k.Kind == c.App.Search.Kind)
}

// LineClass distinguishes the kinds of lines.
func (c *Palette) LineClass(l app.SearchLine) string {
	class := "line hit"
	switch {
	case l.Head != "":
		return "line head"
	case l.More != "":
		class = "line more"
	case l.Command != nil:
		class = "line command"
	}
	if l.Choice == c.App.Search.At {
		class += " on"
	}
	return class
}

func (c *Palette) Role(l app.SearchLine) string {
	if l.Head != "" {
		return "presentation"
	}
	return "option"
}

func (c *Palette) LineID(l app.SearchLine) any {
	if l.Head != "" {
		return nil // no attribute
	}
	return "search-line-" + strconv.Itoa(l.Choice)
}

func (c *Palette) LineTestID(l app.SearchLine) string {
	switch {
	case l.Head != "":
		return "search-head"
	case l.More != "":
		return "search-more"
	case l.Command != nil:
		return "command-" + l.Command.ID
	}
	return "search-hit"
}

func (c *Palette) Selected(l app.SearchLine) any {
	if l.Head != "" {
		return nil
	}
	return strconv.FormatBool(l.Choice == c.App.Search.At)
}

// Pick activates a line.
func (c *Palette) Pick(l app.SearchLine, event vugu.DOMEvent) {
	if l.Head == "" {
		c.App.Search.Pick(l.Choice, event.PropBool("shiftKey"))
	}
}

// Name is the name of a line in three parts: the second is the match.
func (c *Palette) Name(l app.SearchLine) [3]string {
	switch {
	case l.Head != "":
		return [3]string{l.Head}
	case l.More != "":
		return [3]string{format.Count(l.Count) + " more" + l.Of}
	case l.Command != nil:
		head, mark, tail := c.cut(l.Command.Title)
		return [3]string{head, mark, tail}
	case l.Hit.Where == "value":
		head, mark, tail := c.cut(l.Hit.Excerpt)
		name := l.Hit.Metric
		if l.Hit.Instance != nil {
			name += "[" + l.Hit.Instance.Name + "]"
		}
		return [3]string{name + " = " + head, mark, tail}
	case l.Hit.Instance != nil:
		head, mark, tail := c.cut(cmp.Or(l.Hit.Title, l.Hit.Instance.Name))
		return [3]string{l.Hit.Metric + "[" + head, mark, tail + "]"}
	}
	head, mark, tail := c.cut(l.Hit.Metric)
	return [3]string{head, mark, tail}
}

// cut finds the first matching word in a text.
func (c *Palette) cut(text string) (head, mark, tail string) {
	lower := strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(c.App.Search.For)) {
		if i := strings.Index(lower, word); i >= 0 && len(lower) == len(text) {
			return text[:i], text[i : i+len(word)], text[i+len(word):]
		}
	}
	return text, "", ""
}

// Sub is the second line: what the metric is, or where the match is.
func (c *Palette) Sub(l app.SearchLine) string {
	if l.Command != nil {
		return l.Command.Sub
	}
	if l.Hit == nil {
		return ""
	}
	tab := c.App.Current()
	if m := tab.Metric(l.Hit.Metric); m != nil && m.Oneline != "" && (l.Hit.Where == "name" || l.Hit.Where == "instance" || l.Hit.Where == "value") {
		return m.Oneline
	}
	return l.Hit.Excerpt
}

// Spark identifies the sparkline of a metric that changes.
func (c *Palette) Spark(l app.SearchLine) string {
	return c.App.Current().Sparks.OfHit(l.Hit)
}

// Last is the metric's semantics and unit, the keys of a command, the count of
// a heading.
func (c *Palette) Last(l app.SearchLine) string {
	switch {
	case l.Instances:
		return format.Plural(l.Count, "metric")
	case l.Head != "":
		return format.Count(l.Count)
	case l.Command != nil:
		return keyNames(l.Command.Keys)
	case l.Hit == nil:
		return ""
	}
	tab := c.App.Current()
	m := tab.Metric(l.Hit.Metric)
	if m == nil {
		return ""
	}
	r := tree.Row{Metric: m}
	text := r.Letter() + " " + r.Unit()
	if still := tab.Tree.State(m.Name); still == "constant" || still == "empty" {
		text = map[string]string{"constant": "const", "empty": "empty"}[still] + " " + text
	}
	return text
}

// keyNames formats keys as labelled on keyboards.
func keyNames(keys string) string {
	if len(keys) == 1 && 'A' <= keys[0] && keys[0] <= 'Z' {
		return "Shift " + keys
	}
	return keys
}

// Clear clears the field.
func (c *Palette) Clear() { c.App.Search.Find("") }

// Alone explains how an instance is added, if one was found.
func (c *Palette) Alone() string {
	for _, l := range c.lines {
		if l.Hit != nil && l.Hit.Instance != nil && l.Hit.Where != "value" {
			return " An instance is drawn alone, in a panel of its own."
		}
	}
	return ""
}

// OnlyCommands reports whether only commands are listed.
func (c *Palette) OnlyCommands() bool {
	return len(c.lines) > 0 && !slices.ContainsFunc(c.lines, func(l app.SearchLine) bool { return l.Hit != nil })
}

// Nothing reports whether there are no results.
func (c *Palette) Nothing() bool { return c.Open() && c.App.Search.For != "" && len(c.Lines()) == 0 }

func (c *Palette) NothingText() string {
	return fmt.Sprintf("Nothing in this source matches “%s”: no name, help, instance, label, unit or value.", c.App.Search.For)
}
