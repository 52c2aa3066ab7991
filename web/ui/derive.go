package ui

import (
	"fmt"
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// derivePage is common to the parts of the derived metric editor.
type derivePage struct{ App *app.App }

// D is the state of the editor.
func (c *derivePage) D() *app.Editor { return &c.App.Editor }

// Closed, Editing and Listing say which page of it is open.
func (c *derivePage) Closed() bool { return c.D().Page == "" || c.App.Current() == nil }

func (c *derivePage) Editing() bool { return c.D().Page == "editor" && c.App.Current() != nil }

func (c *derivePage) Listing() bool { return c.D().Page == "list" }

// valid is the result of the last valid text; nil if none.
func (c *derivePage) valid() *api.Metric {
	if !c.Editing() {
		return nil
	}
	return c.D().Valid
}

// Title is the page's title.
func (c *Derive) Title() string {
	switch {
	case c.Listing():
		return "Derived metrics"
	case c.D().Old != "":
		return "Derived metric"
	}
	return "New derived metric"
}

// Subtitle says where definitions are stored.
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

// CancelText is the label of the button that leaves the page.
func (c *Derive) CancelText() string {
	if c.Listing() {
		return "Close"
	}
	return "Cancel"
}

// Cancel leaves the page.
func (c *Derive) Cancel() { c.App.Editor.Close() }

// SaveText is the label of the button that saves, or says why saving is not possible.
func (c *Derive) SaveText() string {
	if why := c.App.Editor.Unsaved(); why != "" {
		return "Save: " + why
	}
	return "Save"
}

// Switches of what can be expanded.
func (c *Derive) LanguageShown() string { return strconv.FormatBool(c.D().Language != nil) }

func (c *Derive) PasteShown() string { return strconv.FormatBool(c.D().Paste) }

func (c *Derive) TogglePaste() { c.D().Paste = !c.D().Paste }

// DerivedText is the label of the button for derived metrics, with their number.
func (c *TreeView) DerivedText() string {
	tab := c.App.Current()
	if tab == nil || tab.Derived() == 0 {
		return "Derived"
	}
	return "Derived " + format.Count(tab.Derived())
}
