package e2e

import (
	"slices"
	"strings"
	"testing"
)

// What moves with a line is in the menu of its panel, and in the details of a
// metric; a click opens it.
func TestMoves(t *testing.T) {
	p := openPage(t)
	click(p, id("panel-menu"))
	click(p, id("panel-moves"))
	if !visible(p, "moves") || visible(p, "panel-menu-items") {
		t.Fatal("the menu does not show what moves with a line")
	}
	rows := len(texts(p, id("moves-row")))
	if said := text(p, "moves-message"); (rows < 2) == (said == "") {
		t.Fatalf("%d rows, and it says %q", rows, said)
	}
	if got := text(p, "moves-base"); rows > 0 && !strings.Contains(got, "other series in steps of") {
		t.Errorf("it says %q", got)
	}
	p.accessible("what moves with a line")

	click(p, id("moves-close"))
	if visible(p, "moves") {
		t.Error("it is still there")
	}
	click(p, id("tab-metrics"))
	click(p, id("tree-filter"))
	press(p, "mem.util.free")
	click(p, `[data-metric="mem.util.free"]`)
	click(p, id("detail-moves"))
	if got := text(p, "moves-of"); got != "mem.util.free" {
		t.Errorf("it is of %q", got)
	}
	if !visible(p, "moves-subject") {
		t.Fatalf("nothing moves with free memory: %q", text(p, "moves-message"))
	}
	p.shot("moves")
	panels := eval[int](p, `document.querySelectorAll('[data-testid="panel"]').length`)
	click(p, `[data-testid="moves-row"]:nth-child(2) `+id("moves-subject"))
	if n := eval[int](p, `document.querySelectorAll('[data-testid="panel"]').length`); n != panels+1 {
		t.Errorf("%d panels, %d before a row was clicked", n, panels)
	}
	// It follows the window, and says where nothing can be told.
	p.press(700, 500, "wwwwwww")
	p.idle()
	if got := text(p, "moves-message"); !strings.Contains(got, "too few") {
		t.Errorf("of some seconds it says %q", got)
	}
}

// The prototype of this analysis had mybackup and rsync 30 s before the queue of
// sdb grew in this archive.
func TestMovesOfDisk(t *testing.T) {
	p := openBig(t)
	click(p, id("tab-metrics"))
	click(p, id("tree-filter"))
	press(p, "disk.dev.aveq")
	click(p, `[data-metric="disk.dev.aveq"]`)
	click(p, `[data-testid="instance"]:nth-child(3) `+id("instance-moves"))
	if of := text(p, "moves-of"); of != "disk.dev.aveq[sdb]" {
		t.Errorf("it is of %q", of)
	}
	list := texts(p, id("moves-row"))
	if !slices.ContainsFunc(list, func(row string) bool {
		return strings.Contains(row, "mybackup") && strings.Contains(row, "30 s before it") && strings.Contains(row, "0.9")
	}) {
		t.Errorf("it moves with %q", list)
	}
	p.shot("moves-disk")
}
