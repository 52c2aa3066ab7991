package app

import (
	"slices"
	"strings"
	"testing"
)

func TestKeysInTree(t *testing.T) {
	b, tab := opened(t)
	for len(tab.Dashboard.Panels) > 0 {
		tab.Dashboard.RemovePanel(tab.Dashboard.Panels[0].ID)
	}
	press := func(in string, names ...string) {
		t.Helper()
		for _, n := range names {
			if _, used := b.Press(Key{Name: n, In: in, Typing: in == "tree-filter"}); !used {
				t.Errorf("key %s does nothing in %s", n, in)
			}
			b.run()
		}
	}
	if focus, _ := b.Press(Key{Name: "ArrowDown", In: "tree-filter", Typing: true}); focus != "tree" || tab.Tree.At != 0 {
		t.Errorf("after ArrowDown in the filter: focus %q, row %d; want tree, 0", focus, tab.Tree.At)
	}
	press("tree", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight") // disk, disk.all, disk.all.read
	if r := tab.Tree.Row(); r == nil || r.Path != "disk.all.read" || tab.Selected != "disk.all.read" {
		t.Fatalf("row with the keyboard focus = %+v, want disk.all.read, selected", r)
	}
	press("tree", "Enter")
	if !tab.Dashboard.Showing("disk.all.read") {
		t.Error("Enter does not add the metric to a panel")
	}
	press("tree", "Delete")
	if tab.Dashboard.Showing("disk.all.read") {
		t.Error("Delete does not remove the metric from its panel")
	}
	press("tree", "ArrowLeft", "ArrowLeft")
	if r := tab.Tree.Row(); r.Path != "disk.all" || r.Open {
		t.Errorf("row after ArrowLeft twice = %+v, want disk.all, folded", r)
	}
}

func TestKeysOnPage(t *testing.T) {
	b, tab := opened(t)
	whole := tab.Window
	b.Press(Key{Name: "w"})
	if tab.Window.Len() != whole.Len()/2 {
		t.Errorf("window after w = %d s, want half of it", tab.Window.Len()/1e9)
	}
	b.Press(Key{Name: "z"})
	if tab.Window != whole {
		t.Error("z does not restore the window")
	}
	if _, used := b.Press(Key{Name: "w", Typing: true, In: "other"}); used {
		t.Error("typing w into a field zooms, want it left to the field")
	}
	if focus, used := b.Press(Key{Name: "/"}); focus != "search" || !used {
		t.Error("/ does not move the focus to the search")
	}
	if focus, used := b.Press(Key{Name: "k", Ctrl: true, Typing: true}); focus != "search" || !used {
		t.Error("Ctrl K does not move the focus to the search")
	}
	b.Search.Find("load")
	b.run()
	if len(b.Search.Hits) != 1 {
		t.Fatalf("hits = %v, want one", b.Search.Hits)
	}
	if focus, _ := b.Press(Key{Name: "Enter", In: "search", Typing: true}); focus != "page" || tab.Selected != "kernel.all.load" || b.Search.Open {
		t.Errorf("after Enter in the search: focus %q, selected %q; want page, kernel.all.load", focus, tab.Selected)
	}
	b.Search.Find("mem")
	b.Search.Find("kernel.all.load") // and Enter before the hits are there
	if b.Press(Key{Name: "Enter", In: "search", Typing: true, Shift: true}); !b.Search.Open {
		t.Error("Enter before the hits for the text arrived closes the search")
	}
	tab.Selected = ""
	b.run()
	if tab.Selected != "kernel.all.load" || b.Search.Open {
		t.Errorf("Enter before the hits for the text arrived selects %q, want kernel.all.load", tab.Selected)
	}
	b.Layout.Help = true
	b.Press(Key{Name: "Escape"})
	if b.Layout.Help {
		t.Error("Escape leaves the help open")
	}
	b.run()
	b.Press(Key{Name: "ArrowRight"})
	b.Press(Key{Name: "ArrowRight"})
	if !b.Cursor.On || b.Cursor.At != start+310*second {
		t.Errorf("cursor = %d s, want 310 s", (b.Cursor.At-start)/second)
	}
}

// Every key that a command names is bound, and no key is bound twice.
func TestBindings(t *testing.T) {
	b, _ := opened(t)
	bound := map[string]bool{}
	for _, x := range Bindings() {
		for key := range x.press {
			if bound[key] {
				t.Errorf("%s is bound twice", key)
			}
			bound[key] = true
		}
	}
	n := 0
	for _, c := range b.Commands() {
		if len(c.Keys) == 1 {
			if n++; !bound[c.Keys] {
				t.Errorf("%s is listed with the key %s, which is not bound", c.Title, c.Keys)
			}
		}
	}
	if n < 10 {
		t.Errorf("%d commands have keys, want 10 or more", n)
	}
}

// Each part of the page acts on the keys that the help lists for it, and on no
// others.
func TestKeysAreInTheHelp(t *testing.T) {
	b, tab := opened(t)
	symbols := map[string]string{"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "PageUp": "PgUp", "PageDown": "PgDn", " ": "Space"}
	listed := func(place, key string) bool {
		name := key
		if symbols[key] != "" {
			name = symbols[key]
		}
		return slices.ContainsFunc(Bindings(), func(x Binding) bool {
			return slices.Contains(x.in, place) && slices.Contains(x.keys, key) && strings.Contains(x.Keys, "`"+name+"`")
		})
	}
	acted := 0
	for _, place := range []struct {
		id   string
		open func()
	}{
		{"search", func() { b.Search.Start(); b.Search.Find("disk"); b.run() }},
		{"tree", func() { tab.Tree.At = 0 }},
		{"tree-filter", func() {}},
		{"derive-text", func() { b.Editor.Open("", ""); b.run() }},
		{"note-text", func() { b.Editor.Close(); b.NoteEditor.OpenHere() }},
	} {
		for _, key := range []string{"ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Enter", " ", "Tab", "Delete", "Backspace", "Insert", "F2", "ContextMenu"} {
			place.open()
			_, used := b.Press(Key{Name: key, In: place.id, Typing: place.id != "tree"})
			b.run()
			if used {
				acted++
			}
			if used && !listed(place.id, key) {
				t.Errorf("key %q acts in %s, but the help does not list it", key, place.id)
			}
		}
	}
	for _, x := range Bindings() {
		for _, place := range x.in {
			for _, key := range x.keys {
				if !listed(place, key) {
					t.Errorf("the help lists %q for %s, but %q acts there, too", x.Keys, place, key)
				}
			}
		}
	}
	if acted < 15 {
		t.Errorf("%d keys act in some part of the page, want 15 or more", acted)
	}
}
