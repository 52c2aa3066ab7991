package export

import (
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// A Picture is the text around the lines of a saved chart.
type Picture struct {
	Title, Unit, About string
	Head               []string // of the legend
	Rows               []PictureRow
}

// A PictureRow is one line of the legend.
type PictureRow struct {
	Colour int
	Cells  []string
}

// PictureOf returns the text around the chart of a panel.
func (w *Sheet) PictureOf(p Panel) Picture {
	about := w.Source.Name
	if w.Source.Host != "" {
		about += " of " + w.Source.Host
	}
	about += ", " + w.Clock.Dated(w.Window.Start, w.Window.End) + " " + w.Clock.Offsets(w.Window.Start, w.Window.End)
	if text := panel.GridText(p.Settings, p.View); text != "" {
		about += ", " + text
	}
	picture := Picture{Title: p.Heading(), Unit: p.Shown.Name(), About: about, Head: []string{"", "average", "p95", "maximum", "at"}}
	for i := range p.Series {
		if line := &p.Series[i]; p.Drawn(line) {
			shown, when := line.ShownIn(p.View), format.Dash
			text := func(v float64) string { return shown.For(v).Text(v) }
			if line.Stats.Count > 0 {
				when = w.Clock.Within(line.Stats.MaxAt, w.Window.Start, w.Window.End)
			}
			picture.Rows = append(picture.Rows, PictureRow{line.Colour, []string{line.Label, text(line.Stats.Avg), text(line.Stats.P95), text(line.Stats.Max), when}})
		}
	}
	return picture
}
