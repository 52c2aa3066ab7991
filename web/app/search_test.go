package app

import (
	"testing"

	"pcpscope/core/api"
)

// What was found is listed in groups, a few of each until more are wanted; an
// instance that is called just as the text comes first.
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
		t.Errorf("the list begins with %+v", lines[0])
	}
	if l := lines[7]; l.More != "Instances named sdb" || l.Count != 3 || l.Choice != 6 {
		t.Errorf("after six comes %+v", l)
	}
	if l := lines[8]; l.Head != "Instances named /dev/sdb1" {
		t.Errorf("then %+v", l)
	}
	b.Search.Pick(6, false)
	if l := b.Search.Lines()[9]; l.Hit == nil || l.Choice != 8 {
		t.Errorf("all are wanted, but the tenth line is %+v", l)
	}
	b.Search.Filter("help")
	if n := len(b.Search.Lines()); n != 0 {
		t.Errorf("%d lines of a kind that was not found", n)
	}
	b.Search.Filter("")
	b.Search.Hits = []api.Hit{hit("disk.dev.avactive", "sdb")}
	b.Search.Pick(0, false)
	b.run()
	p := tab.Dashboard.find(tab.Dashboard.Active)
	if p == nil || p.Solo != "disk.dev.avactive\x00sdb" || b.Search.Open {
		t.Errorf("an instance is shown in %+v", p)
	}
}

// A long list is shown as far as it can be seen: what fits, what was scrolled
// to, and always the chosen line.
func TestSearchShowsWhatFits(t *testing.T) {
	b, _ := opened(t)
	b.Search = Search{app: b.App, Open: true} // with no text the commands are listed
	b.Layout.SearchRoom = 5
	lines := b.Search.Lines()
	if len(lines) < 15 {
		t.Fatalf("%d lines are too few for this test", len(lines))
	}
	if n := len(b.Search.Visible(lines)); n != 5 {
		t.Errorf("%d lines are shown where 5 fit", n)
	}
	if !b.Search.ShowMore() || len(b.Search.Visible(lines)) != 10 {
		t.Errorf("scrolled to its end the list shows %d lines, not 10", len(b.Search.Visible(lines)))
	}
	b.Search.Move(-1) // from the first to the last
	if n := len(b.Search.Visible(lines)); n != len(lines) {
		t.Errorf("the last of %d lines is chosen, %d are shown", len(lines), n)
	}
	if b.Search.ShowMore() {
		t.Error("there are more than all lines")
	}
	b.Search.Find("x")
	if n := len(b.Search.Visible(lines)); n != 5 {
		t.Errorf("for another text %d lines are shown where 5 fit", n)
	}
}
