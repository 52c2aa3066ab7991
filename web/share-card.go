package web

import (
	"path"
	"strings"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// About says what the link holds, and what not.
func (c *ShareCard) About() string {
	var files []string
	for _, w := range c.App.Works {
		for _, m := range w.Source.Members {
			files = append(files, path.Base(m))
		}
	}
	if len(files) > 5 {
		files = append(files[:4], format.Count(len(files)-4)+" more")
	}
	return "The link holds what you look at: window, panels, derived metrics, notes. It holds no data: whoever opens it is asked for " + strings.Join(files, ", ") + "."
}

// CopyText tells that the link was copied.
func (c *ShareCard) CopyText() string {
	if c.App.Share.Copied {
		return "Copied"
	}
	return "Copy link"
}

// Long warns of a link that some programs would cut.
func (c *ShareCard) Long() string {
	if n := len(c.App.Share.Link); n > 8000 {
		return "The link has " + format.Count(n) + " characters, which some programs cut. A session file does not."
	}
	return ""
}

// Close puts the dialog away.
func (c *ShareCard) Close() { c.App.Share.Open = false }

// Remarks are the notes on the time axis.
func (c *ShareCard) Remarks() []state.Remark {
	if w := c.App.Current(); w != nil {
		return w.Remarks
	}
	return nil
}

// Time is a note's time on the host's clock.
func (c *ShareCard) Time(r state.Remark) string { return c.App.Current().Clock.DateTime(r.At) }

// Show goes to a note.
func (c *ShareCard) Show(i int) {
	c.Close()
	c.App.ShowRemark(i)
}

// Time is when the note is for.
func (c *RemarkCard) Time() string {
	if w := c.App.Current(); w != nil {
		return "Note at " + w.Clock.DateTime(c.App.Remarking.At)
	}
	return "Note"
}
