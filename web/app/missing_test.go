package app

import (
	"archive/tar"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
)

func namesOf(files []File) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// Files that belong to an open archive are recognised and added to it.
func TestMissingFiles(t *testing.T) {
	have := []File{{Name: "logs/" + base + ".meta.xz"}, {Name: "logs/" + base + ".index"}, {Name: "logs/" + base + ".0.xz"}}
	for _, tt := range []struct {
		given, want []string
		closed      bool
	}{
		{[]string{base + ".1"}, []string{"logs/" + base + ".1", have[0].Name, have[1].Name, have[2].Name}, true},
		{[]string{base + ".1.xz", base + ".2.zst"}, []string{"logs/" + base + ".1.xz", "logs/" + base + ".2.zst", have[0].Name, have[1].Name, have[2].Name}, true},
		{[]string{base + ".0"}, []string{base + ".0"}, false},                                 // it is there
		{[]string{"other.1"}, []string{"other.1"}, false},                                     // of another archive
		{[]string{base + ".meta", base + ".1"}, []string{base + ".meta", base + ".1"}, false}, // whole by itself: another host's of the same day
		{[]string{"notes.txt", base + ".tar"}, []string{"notes.txt", base + ".tar"}, false},   // no members
		{[]string{"x/" + base + ".3", "y.txt"}, []string{"logs/" + base + ".3", "y.txt", have[0].Name, have[1].Name, have[2].Name}, true},
	} {
		b := newBench(t)
		tab := b.newTab(api.Source{ID: 1, Kind: "archive", Name: base, Loaded: 1})
		tab.files = slices.Clone(have)
		b.Tabs, b.current = []*Tab{tab}, tab
		b.Layout.Drawer = "problems"
		var given []File
		for _, name := range tt.given {
			given = append(given, File{Name: name})
		}
		got := namesOf(b.Intake.withMissing(given))
		if !slices.Equal(got, tt.want) {
			t.Errorf("with %q open, dropping %q opens %q, want %q", namesOf(have), tt.given, got, tt.want)
		}
		if closed := !slices.Contains(b.Tabs, tab); closed != tt.closed || b.Layout.Drawer != "problems" {
			t.Errorf("after dropping %q: source closed %v, drawer %q, want problems", tt.given, closed, b.Layout.Drawer)
		}
		if (b.Pending != nil) != tt.closed {
			t.Errorf("after dropping %q: view waiting to be restored = %v, want the opposite", tt.given, b.Pending != nil)
		}
	}
}

// A volume that is missing from an archive in a tar file can be added to it.
func TestMissingFileOfAContainer(t *testing.T) {
	files := written(t, "", volume{0, 300}, volume{310, 600})
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	var missing File
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".1") {
			missing = f
			continue
		}
		data := f.Data.([]byte)
		if err := w.WriteHeader(&tar.Header{Name: "sosreport/var/log/pcp/" + f.Name, Mode: 0o644, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	tab := b.open(t, []File{{Name: "case.tar", Size: int64(packed.Len()), Data: packed.Bytes()}})
	if tab.Lost() == 0 {
		t.Fatalf("Lost() = 0 with members %v, want a missing volume", tab.Source.Members)
	}
	b.Intake.Open([]File{missing})
	b.run()
	if len(b.Tabs) != 1 || b.Current().Lost() != 0 || b.Current().Source.End != start+600*second {
		t.Errorf("%d sources, %d ns lost, members %q, problems %v; want one complete source", len(b.Tabs), b.Current().Lost(), b.Current().Source.Members, b.Current().Source.Problems)
	}
}

// Tens of thousands of files may be dropped on as many that are open, as when a
// folder is dropped again: each name is looked up once.
func TestManyFilesOnManyOpen(t *testing.T) {
	const n = 10_000
	var open, again []File
	var members []string
	for i := range n {
		open = append(open, File{Name: fmt.Sprintf("d/a%d.0", i)})
		again = append(again, File{Name: fmt.Sprintf("d/a%d.1", n+i)}, File{Name: fmt.Sprintf("d/a%d.0", i)})
		members = append(members, fmt.Sprintf("c/b%d.0", i))
	}
	a := &App{}
	for range 100 {
		a.Tabs = append(a.Tabs, &Tab{Source: api.Source{Kind: "archive", Members: members[:20]}, files: open})
	}
	a.Tabs[0].Source.Members = members
	intake := &Intake{app: a}
	if got := intake.withMissing(again); len(got) != len(again) {
		t.Errorf("%d files are opened, want %d", len(got), len(again))
	}
}
