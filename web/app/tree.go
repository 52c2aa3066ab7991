package app

import (
	"strings"

	"pcpscope/wasm/rpc"
	"pcpscope/web/tree"
)

// Tree is the metric tree with its keyboard handling.
type Tree struct {
	tree.Tree
	tab *Tab
}

// SetFilter shows only metrics that have all words of text in their name, help or unit.
// Matches in the long help, which the page does not have, are added a moment later.
func (t *Tree) SetFilter(text string) {
	t.Tree.SetFilter(text)
	t.askMatching()
}

// askMatching requests the filter's matches in texts that the page does not have.
func (t *Tree) askMatching() {
	tab, text := t.tab, t.Filter
	if strings.TrimSpace(text) == "" {
		return
	}
	tab.app.work(func() func() {
		found, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Matching, rpc.MatchingRequest{Source: tab.Source.ID, Text: text}, nil)
		return func() {
			if err == nil && t.Filter == text && len(found) == len(tab.Metrics)+tab.Left {
				t.SetFound(found[:len(tab.Metrics)])
			}
		}
	})
}

// press handles a key in the tree, or in the filter above it.
func (t *Tree) press(k Key) (Focus, bool) {
	tab := t.tab
	if k.In == "tree-filter" {
		switch k.Name {
		case "ArrowDown", "Enter":
			t.At = max(t.At, 0)
			t.follow()
			return "tree", true
		}
		return "", false
	}
	switch row := t.Row(); k.Name {
	case "ArrowDown":
		t.Move(1)
		t.follow()
	case "ArrowUp":
		if t.At <= 0 {
			return "tree-filter", true
		}
		t.Move(-1)
		t.follow()
	case "PageDown":
		t.Move(tab.app.Layout.TreeRows - 2)
		t.follow()
	case "PageUp":
		t.Move(2 - tab.app.Layout.TreeRows)
		t.follow()
	case "Home":
		t.Move(-len(t.Rows))
		t.follow()
	case "End":
		t.Move(len(t.Rows))
		t.follow()
	case "ArrowRight":
		switch {
		case row == nil || row.Metric != nil:
		case row.More > 0:
			t.Fold(row.Path, true)
		case row.Open:
			t.Move(1)
			t.follow()
		default:
			t.Fold(row.Path, true)
		}
	case "ArrowLeft":
		switch {
		case row == nil:
		case row.Branch() && row.Open:
			t.Fold(row.Path, false)
		default:
			for depth := row.Depth; t.At > 0 && t.Rows[t.At].Depth >= depth; {
				t.At--
			}
			t.follow()
		}
	case "Enter", " ":
		switch {
		case row == nil:
		case row.Metric == nil: // nor is a row "14 more" open
			t.Fold(row.Path, !row.Open)
		case k.Shift:
			tab.Dashboard.AddPanel(row.Path)
		default:
			tab.Dashboard.Add(row.Path)
		}
	case "Delete", "Backspace":
		if row != nil && row.Metric != nil && tab.Dashboard.Showing(row.Path) {
			tab.Dashboard.Toggle(row.Path)
		}
	default:
		return "", false
	}
	return "", true
}

// follow scrolls the tree to the selected row and shows the metric's details.
func (t *Tree) follow() {
	n := max(t.tab.app.Layout.TreeRows-1, 1)
	switch {
	case t.At < t.First:
		t.First = t.At
	case t.At >= t.First+n:
		t.First = t.At - n + 1
	}
	if r := t.Row(); r != nil && r.Metric != nil {
		t.tab.Select(r.Path)
	}
}
