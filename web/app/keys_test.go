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
				t.Errorf("%s means nothing in %s", n, in)
			}
			b.run()
		}
	}
	if focus, _ := b.Press(Key{Name: "ArrowDown", In: "tree-filter", Typing: true}); focus != "tree" || tab.Tree.At != 0 {
		t.Errorf("from the filter down: focus %q, row %d", focus, tab.Tree.At)
	}
	press("tree", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight") // disk, disk.all, disk.all.read
	if r := tab.Tree.Row(); r == nil || r.Path != "disk.all.read" || tab.Selected != "disk.all.read" {
		t.Fatalf("the keyboard is at %+v", r)
	}
	press("tree", "Enter")
	if !tab.Dashboard.Showing("disk.all.read") {
		t.Error("Enter does not add")
	}
	press("tree", "Delete")
	if tab.Dashboard.Showing("disk.all.read") {
		t.Error("Delete does not remove")
	}
	press("tree", "ArrowLeft", "ArrowLeft")
	if r := tab.Tree.Row(); r.Path != "disk.all" || r.Open {
		t.Errorf("back at %+v", r)
	}
}

func TestKeysOnPage(t *testing.T) {
	b, tab := opened(t)
	whole := tab.Window
	b.Press(Key{Name: "w"})
	if tab.Window.Len() != whole.Len()/2 {
		t.Errorf("w zooms to %d s", tab.Window.Len()/1e9)
	}
	b.Press(Key{Name: "z"})
	if tab.Window != whole {
		t.Error("z does not go back")
	}
	if _, used := b.Press(Key{Name: "w", Typing: true, In: "other"}); used {
		t.Error("typing w into a field zooms")
	}
	if focus, used := b.Press(Key{Name: "/"}); focus != "search" || !used {
		t.Error("/ does not search")
	}
	if focus, used := b.Press(Key{Name: "k", Ctrl: true, Typing: true}); focus != "search" || !used {
		t.Error("ctrl-K does not search")
	}
	b.Search.Find("load")
	b.run()
	if len(b.Search.Hits) != 1 {
		t.Fatalf("hits: %v", b.Search.Hits)
	}
	if focus, _ := b.Press(Key{Name: "Enter", In: "search", Typing: true}); focus != "page" || tab.Selected != "kernel.all.load" || b.Search.Open {
		t.Errorf("Enter in the search: focus %q, selected %q", focus, tab.Selected)
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
		t.Errorf("the cursor stands at %d s", (b.Cursor.At-start)/second)
	}
}

// The help has every key that a command names, and none twice.
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
				t.Errorf("%s is listed with the key %s", c.Title, c.Keys)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d commands have keys", n)
	}
}

// What has the focus acts on the keys that the help lists for it, and on no
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
				t.Errorf("%q acts in %s, and the help does not say so", key, place.id)
			}
		}
	}
	for _, x := range Bindings() {
		for _, place := range x.in {
			for _, key := range x.keys {
				if !listed(place, key) {
					t.Errorf("the help says %q of %s, which acts on %q", x.Keys, place, key)
				}
			}
		}
	}
	if acted < 15 {
		t.Errorf("only %d keys act anywhere", acted)
	}
}
