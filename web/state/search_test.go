package state

import (
	"testing"

	"pcpscope/core/api"
)

// What was found is listed in groups, a few of each until more are wanted; an
// instance that is called just as the text comes first.
func TestSearchLines(t *testing.T) {
	b, w := opened(t)
	hit := func(metric, instance string) api.Hit {
		return api.Hit{Metric: metric, Instance: &api.InstanceRef{Name: instance}, Where: "instance", Excerpt: instance}
	}
	b.Search = Search{Text: "sdb", For: "sdb", Open: true}
	for range 3 {
		b.Search.Hits = append(b.Search.Hits, hit("filesys.full", "/dev/sdb1"))
	}
	for range 9 {
		b.Search.Hits = append(b.Search.Hits, hit("disk.dev.read", "sdb"))
	}
	lines := b.SearchLines()
	if lines[0].Head != "Instances named sdb" || lines[0].Count != 9 || lines[0].Choice != -1 {
		t.Errorf("the list begins with %+v", lines[0])
	}
	if l := lines[7]; l.More != "Instances named sdb" || l.Count != 3 || l.Choice != 6 {
		t.Errorf("after six comes %+v", l)
	}
	if l := lines[8]; l.Head != "Instances named /dev/sdb1" {
		t.Errorf("then %+v", l)
	}
	b.SearchPick(6, false)
	if l := b.SearchLines()[9]; l.Hit == nil || l.Choice != 8 {
		t.Errorf("all are wanted, but the tenth line is %+v", l)
	}
	b.SearchShow("help")
	if n := len(b.SearchLines()); n != 0 {
		t.Errorf("%d lines of a kind that was not found", n)
	}
	b.SearchShow("")
	b.Search.Hits = []api.Hit{hit("disk.dev.avactive", "sdb")}
	b.SearchPick(0, false)
	b.run()
	p := w.find(w.Active)
	if p == nil || p.Solo != "disk.dev.avactive\x00sdb" || b.Search.Open {
		t.Errorf("an instance is shown in %+v", p)
	}
}

func TestHelpIsSetAnew(t *testing.T) {
	m := &api.Metric{Oneline: "x", Help: "Counts the number\nof things.\n\nWhen it is\n  indented it stays:\n- one\n- two\n\n\nEnd."}
	want := "Counts the number of things.\n\nWhen it is\n  indented it stays:\n- one\n- two\n\nEnd."
	if got := HelpText(m); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A long list is shown as far as it can be seen: what fits, what was scrolled
// to, and always the chosen line.
func TestSearchShowsWhatFits(t *testing.T) {
	b, _ := opened(t)
	b.Search = Search{Open: true} // with no text the commands are listed
	b.SearchRoom = 5
	lines := b.SearchLines()
	if len(lines) < 15 {
		t.Fatalf("%d lines are too few for this test", len(lines))
	}
	if n := len(b.SearchShown(lines)); n != 5 {
		t.Errorf("%d lines are shown where 5 fit", n)
	}
	if !b.SearchFurther() || len(b.SearchShown(lines)) != 10 {
		t.Errorf("scrolled to its end the list shows %d lines, not 10", len(b.SearchShown(lines)))
	}
	b.SearchMove(-1) // from the first to the last
	if n := len(b.SearchShown(lines)); n != len(lines) {
		t.Errorf("the last of %d lines is chosen, %d are shown", len(lines), n)
	}
	if b.SearchFurther() {
		t.Error("there are more than all lines")
	}
	b.SearchFor("x")
	if n := len(b.SearchShown(lines)); n != 5 {
		t.Errorf("for another text %d lines are shown where 5 fit", n)
	}
}
