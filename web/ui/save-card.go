package ui

import (
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// S is the dialog's state.
func (c *SaveCard) S() *app.Saving { return &c.App.Saving }

// Window is the visible time range.
func (c *SaveCard) Window() string {
	tab := c.App.Current()
	if tab == nil {
		return ""
	}
	return "The window shown, " + tab.Clock.DateTime(tab.Window.Start) + " to " + tab.Clock.DateTime(tab.Window.End)
}

// SetWhole selects the whole source, or the window.
func (c *SaveCard) SetWhole(whole bool) { c.S().Whole = whole }

// A SaveChoice is one of several exclusive options.
type SaveChoice struct {
	ID, Text, Value string
	Version         int
	Class, Pressed  string
}

// mark marks the option as chosen or not.
func (o *SaveChoice) mark(chosen bool) {
	o.Class, o.Pressed = "", "false"
	if chosen {
		o.Class, o.Pressed = "on", "true"
	}
}

// Versions are the versions of the format.
func (c *SaveCard) Versions() []SaveChoice {
	list := []SaveChoice{{ID: "save-same", Text: "Version as it is"}, {ID: "save-v2", Text: "Version 2", Version: 2}, {ID: "save-v3", Text: "Version 3", Version: 3}}
	for i := range list {
		list[i].mark(list[i].Version == c.S().Version)
	}
	return list
}

// Containers are the ways to deliver the files.
func (c *SaveCard) Containers() []SaveChoice {
	list := []SaveChoice{{ID: "save-tar", Text: "tar", Value: "tar"}, {ID: "save-zip", Text: "zip", Value: "zip"}, {ID: "save-files", Text: "single files", Value: "files"}}
	for i := range list {
		list[i].mark(list[i].Value == c.S().Container)
	}
	return list
}

// Title and What describe the dialog's purpose.
func (c *SaveCard) Title() string {
	if c.Tables() {
		return "Export tables"
	}
	return "Save archive"
}

func (c *SaveCard) Description() string {
	if c.Tables() {
		return "Writes observations as logged, for DuckDB, ClickHouse, Spark, pandas: one row per value, sorted by series and time, and a table that describes each series. Counters stay counters."
	}
	return "Writes what is open as a PCP archive: records as logged, the host’s archives joined, damaged parts replaced by marks."
}

// Tables reports whether tables are exported, rather than an archive saved.
func (c *SaveCard) Tables() bool { return c.S().Format != "" }

// OfPanel names the panel whose metrics are exported.
func (c *SaveCard) OfPanel() string {
	if c.S().Panel == nil {
		return ""
	}
	return "Metrics of the panel “" + c.S().Panel.Heading() + "”"
}

// AllMetrics replaces the panel's metrics by the typed ones, or all.
func (c *SaveCard) AllMetrics() { c.S().Panel = nil }

// Formats are the table formats.
func (c *SaveCard) Formats() []SaveChoice {
	list := []SaveChoice{{Text: "Parquet", Value: "parquet"}, {Text: "Arrow", Value: "arrow"}, {Text: "CSV", Value: "csv"}, {Text: "JSON lines", Value: "jsonl"}, {Text: "OpenMetrics", Value: "openmetrics"}}
	for i := range list {
		list[i].ID = "save-format-" + list[i].Value
		list[i].mark(list[i].Value == c.S().Format)
	}
	return list
}

// SetRedact turns redaction on or off.
func (c *SaveCard) SetRedact() { c.S().SetRedact(!c.S().Redact) }

// SetWords and SetKey take the typed text and show its effect.
func (c *SaveCard) SetWords(text string) {
	c.S().Words = text
	c.S().Preview()
}

func (c *SaveCard) SetKey(text string) {
	c.S().Key = text
	c.S().Preview()
}

// About says what will be replaced, and what is not checked.
func (c *SaveCard) About() string {
	t := c.S().Table
	if t == nil {
		return "Looking for text…"
	}
	return "Counts are for the whole source, whatever part of it is saved. The same text always gets the same pseudonym, so comparisons still work. Before it is saved, the output is searched for every one of these texts. " + t.NotLookedAt
}

// A ReplacedKind is a row of the table of replacements.
type ReplacedKind struct {
	Kind, Title, Texts, Local, Examples string
	On                                  bool
}

// Kinds are the rows of that table.
func (c *SaveCard) Kinds() []ReplacedKind {
	t := c.S().Table
	if t == nil {
		return nil
	}
	var list []ReplacedKind
	for _, r := range t.List {
		k := ReplacedKind{Kind: r.Kind, Title: r.Title, On: r.On, Texts: format.Count(r.Texts)}
		if r.Places > r.Texts {
			k.Texts += " in " + format.Count(r.Places) + " places"
		}
		if r.Local > 0 {
			k.Local = format.Count(r.Local) + " only where they are names"
		}
		var some []string
		for i := 0; i+1 < len(r.Examples) && len(some) < 3; i += 2 {
			some = append(some, r.Examples[i]+" → "+r.Examples[i+1])
		}
		k.Examples = strings.Join(some, ", ")
		list = append(list, k)
	}
	return list
}

// Progress says how far the saving has got.
func (c *SaveCard) Progress() string {
	p := c.S().Progress
	if p.Total <= 0 {
		return "Saving…"
	}
	return p.Phase + ", " + format.Count(int(100*p.Done/p.Total)) + " %"
}

// Done says what was saved.
func (c *SaveCard) Done() string {
	r, x := c.S().Report, c.S().Exported
	if r == nil && x == nil {
		return ""
	}
	files := strings.Join(c.S().Files, ", ")
	if n := len(c.S().Files); n > 4 {
		files = format.Count(n) + " files"
	}
	if x != nil {
		return "Saved " + files + ": " + pcp.Grouped(x.Samples+x.Strings+x.Events) + " values of " + pcp.Grouped(x.Series) + " series."
	}
	return "Saved " + files + ": " + pcp.Grouped(r.Records) + " records of " + pcp.Grouped(r.Metrics) + " metrics."
}

// Notes say what may be unexpected.
func (c *SaveCard) Notes() []string {
	var notes []string
	if r := c.S().Report; r != nil {
		notes = r.Notes
	}
	if x := c.S().Exported; x != nil {
		notes = x.Notes
	}
	if len(notes) > 12 {
		return append(notes[:12:12], "And "+format.Count(len(notes)-12)+" more of this kind.")
	}
	return notes
}

// CanFolder reports whether the browser can write to folders.
func (c *SaveCard) CanFolder() bool { return c.App.Page.Folder != nil }

// Stopped reports whether nothing can be saved now: something is being saved,
// or the replacements are not known yet.
func (c *SaveCard) Stopped() bool { return c.S().Busy || c.S().Redact && c.S().Table == nil }
