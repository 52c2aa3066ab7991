package ui

import (
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// Title says what is being done.
func (c *ReadingView) Title() string { return c.App.Intake.Reading.Title() }

// Sentence says how far it has got; Share is the same as a number from 0 to
// 1.
func (c *ReadingView) Sentence() string { return c.App.Intake.Reading.Sentence() }

func (c *ReadingView) Share() float64 { return c.App.Intake.Reading.Share() }

// CancelText says what would remain after stopping.
func (c *ReadingView) CancelText() string {
	if len(c.Sources()) > 0 {
		return "Cancel, keeping what was read"
	}
	return "Cancel"
}

// Files are the files being read, at most a hundred rows.
func (c *ReadingView) Files() []app.FileRow {
	list := c.App.Intake.Reading.Rows()
	return list[:min(len(list), 100)]
}

// FileClass greys out files that are not read.
func (c *ReadingView) FileClass(f app.FileRow) string {
	switch {
	case f.Group:
		return "tr group"
	case f.Left:
		return "tr left"
	}
	return "tr"
}

// NameClass indents files below their archive.
func (c *ReadingView) NameClass(f app.FileRow) string {
	switch {
	case f.Group:
		return "named strong"
	case len(c.Sources()) == 0:
		return "named mono"
	}
	return "named mono indent"
}

// Icon is a folder for an archive and a sheet for a file.
func (c *ReadingView) Icon(f app.FileRow) string {
	if f.Group {
		return "M4 6.5h5.5l2 2.5H20v9.5H4z"
	}
	return "M7 4h7l4 4v12H7zM13.5 4v4.5H18"
}

// Size writes the size of a file in bytes.
func (c *ReadingView) Size(f app.FileRow) string {
	if f.Group {
		return ""
	}
	return format.Bytes(float64(f.Size))
}

// Unpacked writes the unpacked size of a compressed file.
func (c *ReadingView) Unpacked(f app.FileRow) string {
	switch {
	case f.Unpacked == 0:
		return ""
	case f.Now:
		return format.Bytes(float64(f.Unpacked)) + " so far"
	}
	return format.Bytes(float64(f.Unpacked))
}

// StateClass marks the file that is being read.
func (c *ReadingView) StateClass(f app.FileRow) string {
	if f.Now {
		return "strong"
	}
	return ""
}

// Sources are the sources opened so far.
func (c *ReadingView) Sources() []*app.Tab { return c.App.Intake.Reading.Sources() }
