package ui

import (
	"path"
	"strings"

	"pcpscope/web/format"
	"pcpscope/web/session"
)

// About says what the link contains and what it does not.
func (c *ShareCard) About() string {
	var files []string
	for _, tab := range c.App.Tabs {
		for _, m := range tab.Source.Members {
			files = append(files, path.Base(m))
		}
	}
	if len(files) > 5 {
		files = append(files[:4], format.Count(len(files)-4)+" more")
	}
	return "The link contains your view: window, panels, derived metrics, notes. It contains no data: whoever opens it is asked for " + strings.Join(files, ", ") + "."
}

// CopyText confirms that the link was copied.
func (c *ShareCard) CopyText() string {
	if c.App.Share.Copied {
		return "Copied"
	}
	return "Copy link"
}

// LengthWarning warns that some programs would truncate the link.
func (c *ShareCard) LengthWarning() string {
	if n := len(c.App.Share.Link); n > 8000 {
		return "The link has " + format.Count(n) + " characters; some programs truncate links this long. A session file avoids that."
	}
	return ""
}

// Close closes the dialog.
func (c *ShareCard) Close() { c.App.Share.Open = false }

// Notes are the notes on the time axis.
func (c *ShareCard) Notes() []session.Note {
	if tab := c.App.Current(); tab != nil {
		return tab.Notes
	}
	return nil
}

// Time is a note's local time of the host.
func (c *ShareCard) Time(r session.Note) string { return c.App.Current().Clock.DateTime(r.At) }

// Show jumps to a note.
func (c *ShareCard) Show(i int) {
	c.Close()
	c.App.NoteEditor.Show(i)
}

// Time is the note's time.
func (c *NoteCard) Time() string {
	if tab := c.App.Current(); tab != nil {
		return "Note at " + tab.Clock.DateTime(c.App.NoteEditor.At)
	}
	return "Note"
}
