package ui

import (
	"strings"

	"pcpscope/web/app"
)

// A HelpPiece is a key, or the text between keys.
type HelpPiece struct {
	Text string
	Key  bool
}

// Cells are the cells of the table of keys, two per row; none while nobody sees them.
func (c *Help) Cells() [][]HelpPiece {
	var cells [][]HelpPiece
	if !c.App.Layout.Help {
		return nil
	}
	for _, b := range app.Bindings() {
		cells = append(cells, pieces(b.Keys), pieces(b.What))
	}
	return cells
}

// pieces splits a text at its backquotes, which enclose keys.
func pieces(text string) []HelpPiece {
	var list []HelpPiece
	for i, part := range strings.Split(text, "`") {
		if part != "" {
			list = append(list, HelpPiece{part, i%2 == 1})
		}
	}
	return list
}
