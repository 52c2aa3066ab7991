package app

import (
	"testing"

	"pcpscope/core/api"
)

// Hits are listed in groups, with a few of each until all are requested; an exact
// match of an instance comes first.
func TestSearchLines(t *testing.T) {
	b, tab := opened(t)
	hit := func(metric, instance string) api.Hit {
		return api.Hit{Metric: metric, Instance: &api.InstanceRef{Name: instance}, Where: "instance", Excerpt: instance}
	}
	b.Search = Search{app: b.App, Text: "sdb", For: "sdb", Open: true}
	for range 3 {
		b.Search.Hits = append(b.Search.Hits, hit("filesys.full", "/dev/sdb1"))
	}
	for range 9 {
		b.Search.Hits = append(b.Search.Hits, hit("disk.dev.read", "sdb"))
	}
	lines := b.Search.Lines()
	if lines[0].Head != "Instances named sdb" || lines[0].Count != 9 || lines[0].Choice != -1 {
		t.Errorf("first line = %+v, want the heading of 9 instances named sdb", lines[0])
	}
	if l := lines[7]; l.More != "Instances named sdb" || l.Count != 3 || l.Choice != 6 {
		t.Errorf("line after six hits = %+v, want one for the other 3", l)
	}
	if l := lines[8]; l.Head != "Instances named /dev/sdb1" {
		t.Errorf("next line = %+v, want the heading of instances named /dev/sdb1", l)
	}
	b.Search.Pick(6, false)
	if l := b.Search.Lines()[9]; l.Hit == nil || l.Choice != 8 {
		t.Errorf("tenth line after showing all = %+v, want the ninth hit", l)
	}
	b.Search.Filter("help")
	if n := len(b.Search.Lines()); n != 0 {
		t.Errorf("%d lines of a kind without hits, want none", n)
	}
	b.Search.Filter("")
	b.Search.Hits = []api.Hit{hit("disk.dev.avactive", "sdb")}
	b.Search.Pick(0, false)
	b.run()
	p := tab.Dashboard.find(tab.Dashboard.Active)
	if p == nil || p.Solo != "disk.dev.avactive\x00sdb" || b.Search.Open {
		t.Errorf("panel of the instance = %+v, want only sdb of disk.dev.avactive, and the search closed", p)
	}
}

// Of a long list, only the lines on screen and those scrolled to are shown, and
// always the selected one.
func TestSearchShowsWhatFits(t *testing.T) {
	b, _ := opened(t)
	b.Search = Search{app: b.App, Open: true} // with no text the commands are listed
	b.Layout.SearchLines = 5
	lines := b.Search.Lines()
	if len(lines) < 15 {
		t.Fatalf("%d lines, but this test needs 15 or more", len(lines))
	}
	if n := len(b.Search.Visible(lines)); n != 5 {
		t.Errorf("%d lines are shown, want the 5 that fit", n)
	}
	if !b.Search.ShowMore() || len(b.Search.Visible(lines)) != 10 {
		t.Errorf("after scrolling to the end: %d lines, want 10", len(b.Search.Visible(lines)))
	}
	b.Search.Move(-1) // from the first to the last
	if n := len(b.Search.Visible(lines)); n != len(lines) {
		t.Errorf("with the last of %d lines chosen %d are shown, want all", len(lines), n)
	}
	if b.Search.ShowMore() {
		t.Error("ShowMore() = true with all lines shown")
	}
	b.Search.Find("x")
	if n := len(b.Search.Visible(lines)); n != 5 {
		t.Errorf("after searching for something else: %d lines, want the 5 that fit", n)
	}
}

// Results are those of the source on screen: none is left when it closes.
func TestSearchEndsWithItsSource(t *testing.T) {
	b, tab := opened(t)
	b.Search.Find("load")
	b.run()
	if len(b.Search.Hits) == 0 {
		t.Fatal("no hits for load")
	}
	b.Search.Find("kernel") // and its hits are still to come
	b.Close(tab.Source.ID)
	b.run()
	if s := &b.Search; s.Open || s.Text != "" || len(s.Hits) > 0 {
		t.Errorf("after the source has closed: open %v, text %q, %d hits, want none", s.Open, s.Text, len(s.Hits))
	}
}
