package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// box is the bounding box of an element.
type box struct{ Left, Top, Width, Height float64 }

func boxOf(p *page, selector string) box {
	p.t.Helper()
	return eval[box](p, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return { Left: r.left, Top: r.top, Width: r.width, Height: r.height } })()`, selector))
}

func dragEdge(p *page, testid string, dx, dy float64) {
	p.t.Helper()
	b := boxOf(p, id(testid))
	x, y := b.Left+b.Width/2, b.Top+b.Height/2
	mouse(p, input.DispatchMouseEventTypeMousePressed, x, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, x+dx/2, y+dy/2, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, x+dx, y+dy, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, x+dx, y+dy, 0)
	p.idle()
}

// The parts of the page can be resized and collapsed by mouse and keyboard,
// and stay so after a reload.
func TestResize(t *testing.T) {
	p := openPage(t)
	dragEdge(p, "edge-rail", 80, 0)
	if got := boxOf(p, id("rail")).Width; got != 360 {
		t.Errorf("dragged by 80 the rail is %v wide", got)
	}
	shortcut(p, "ArrowRight") // the edge is focused
	if got := boxOf(p, id("rail")).Width; got != 376 {
		t.Errorf("with an arrow key it is %v wide", got)
	}
	pick(p, "kernel.all.load")
	dragEdge(p, "edge-details", -40, 0)
	if got := boxOf(p, id("details")).Width; got != 400 {
		t.Errorf("the details are %v wide", got)
	}
	click(p, id("tab-problems"))
	dragEdge(p, "edge-drawer", 0, -60)
	if got := boxOf(p, id("drawer")).Height; got != 404 {
		t.Errorf("the drawer is %v high", got)
	}
	p.shot("resized")
	dragEdge(p, "edge-rail", -350, 0)
	if got := boxOf(p, id("centre")); got.Left > 1 || visible(p, "rail") && boxOf(p, id("rail")).Width > 1 {
		t.Errorf("folded away the rail leaves the charts at %v", got)
	}
	p.shot("rail-folded")
	p.goTo("/")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	if got := boxOf(p, id("centre")).Left; got > 1 {
		t.Errorf("after a reload the charts begin at %v", got)
	}
	eval[bool](p, `(document.querySelector('[data-testid="edge-rail"]').focus(), true)`)
	shortcut(p, "Enter")
	if got := boxOf(p, id("rail")).Width; got != 376 {
		t.Errorf("unfolded the rail is %v wide", got)
	}
}

// The browser's back and forward buttons step through the views, and leave
// the page only before the first one.
func TestBackButton(t *testing.T) {
	p := openPage(t)
	before := eval[int](p, "history.length")
	shortcut(p, "w")
	shortcut(p, "w")
	narrow := text(p, "window")
	if n := eval[int](p, "history.length"); n != before+2 {
		t.Errorf("two zooms make %d steps", n-before)
	}
	step := func(by int) {
		t.Helper()
		eval[bool](p, fmt.Sprintf(`new Promise((done) => { addEventListener("popstate", () => setTimeout(() => done(true), 50), { once: true }); history.go(%d) })`, by))
		p.idle()
	}
	step(-1)
	middle := text(p, "window")
	step(-1)
	if got := text(p, "window"); got != "03:49:02 – 03:54:02" || middle == narrow || middle == got {
		t.Errorf("back goes from %q to %q to %q", narrow, middle, got)
	}
	step(2)
	if got := text(p, "window"); got != narrow {
		t.Errorf("forward goes to %q, not %q", got, narrow)
	}
	shortcut(p, "z")
	eval[bool](p, "new Promise((done) => setTimeout(() => done(true), 100))")
	if got := text(p, "window"); got != middle {
		t.Errorf("undo goes to %q, not %q", got, middle)
	}
	step(-1)
	if got := text(p, "window"); got != "03:49:02 – 03:54:02" {
		t.Errorf("back after undo goes to %q", got)
	}
}

// A dialog takes the focus while it is open and returns it; the user's settings
// are remembered.
func TestDialogsAndChoices(t *testing.T) {
	p := openPage(t)
	eval[bool](p, `(document.querySelector('[data-testid="help"]').focus(), true)`)
	shortcut(p, "?")
	inside := `document.querySelector('[data-testid="help-card"]').contains(document.activeElement)`
	if !eval[bool](p, inside) {
		t.Error("the help opens without the focus")
	}
	for range 3 {
		shortcut(p, "Tab")
		if !eval[bool](p, inside) {
			t.Error("Tab leaves the help")
		}
	}
	shortcut(p, "Escape")
	if got := eval[string](p, "document.activeElement.dataset.testid ?? ''"); visible(p, "help-card") || got != "help" {
		t.Errorf("after the help the focus is on %q", got)
	}
	openTab(p, "tab-metrics")
	click(p, id("hide-still"))
	p.goTo("/")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	openTab(p, "tab-metrics")
	if !eval[bool](p, `document.querySelector('[data-testid="hide-still"]').getAttribute("aria-checked") === "true"`) {
		t.Error("that constant metrics are hidden is forgotten")
	}
}

// Panels that become visible after the cursor was moved show it. A click pins
// the cursor; another releases it.
func TestPinnedCursor(t *testing.T) {
	p := openPage(t)
	const load = "kernel.all.load"
	left, top, width, height := plot(p, load)
	at := func(share float64) {
		mouse(p, input.DispatchMouseEventTypeMouseMoved, left+share*width, top+height/2, 0)
		p.idle()
	}
	press := func(share float64) {
		at(share)
		mouse(p, input.DispatchMouseEventTypeMousePressed, left+share*width, top+height/2, 1)
		mouse(p, input.DispatchMouseEventTypeMouseReleased, left+share*width, top+height/2, 0)
		p.idle()
	}
	value := func() string { return legend(p, load)["kernel.all.load[1 minute]"][0] }
	expect := func(when, want string) {
		t.Helper()
		got := value()
		for n := 0; n < 30 && got != want; n++ { // a busy machine passes on late where the pointer is
			eval[bool](p, `new Promise((done) => requestAnimationFrame(() => done(true)))`)
			got = value()
		}
		if got != want {
			t.Errorf("%s the load is %s, want %s", when, got, want)
		}
	}
	// by pmval -t 1: 2.50 at 03:51:32, in the middle, and at the second after it
	press(0.5)
	expect("pinned", "2.50")
	at(0.9)
	expect("with the pointer elsewhere", "2.50")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 100, 600, 0)
	p.idle()
	expect("with the pointer off the chart", "2.50")
	p.shot("cursor-pinned")
	where := crosshairs(p)
	if len(where) < 3 {
		t.Errorf("there are cursors only at %v", where)
	}
	for _, x := range where {
		if math.Abs(x-width/2) > 2 {
			t.Errorf("the pinned cursors are at %v, not all in the middle, at %v", where, width/2)
		}
	}
	click(p, id("tab-cursor"))
	if got := eval[string](p, `document.querySelector('[data-testid="drawer"]').innerText`); !strings.Contains(got, "2.50") {
		t.Errorf("the drawer does not have the value at the cursor: %q", got)
	}
	left, top, width, height = plot(p, load) // the drawer may cover it, and invisible panels are not drawn
	p.idle()
	for range 20 {
		shortcut(p, "ArrowRight")
	}
	moved := value()
	if moved == "2.50" || moved == "1.02" {
		t.Errorf("the arrow keys do not move the cursor, or lose it: %s", moved)
	}
	at(0.2)
	expect("after the keys", moved)
	shortcut(p, "Escape")
	expect("let go", "1.02") // the last value
	if eval[bool](p, `document.querySelector('[data-testid="drawer"]').hidden`) {
		t.Error("the first Escape closed the drawer, too")
	}
	shortcut(p, "Escape") // the drawer covers the chart until it is gone, and charts move when it goes
	p.until(`document.querySelector('[data-testid="drawer"]').hidden`)
	p.idle()
	left, top, width, height = plot(p, load)
	press(0.5)
	at(0.9)
	expect("pinned again", "2.50")
	press(0.9)
	at(0.5)
	expect("after a second click", "2.50")
	at(0.9)
	if value() == "2.50" {
		t.Error("after a second click the cursor does not follow the pointer")
	}
}

func TestCursorFollowsScrolling(t *testing.T) {
	p := openPage(t)
	shortcut(p, "ArrowRight")
	eval[bool](p, `([...document.querySelectorAll('[data-testid="panel"]')].at(-1).scrollIntoView(), new Promise((done) => setTimeout(() => done(true), 200)))`)
	p.idle()
	got := crosshairs(p)
	if len(got) == 0 {
		t.Fatal("the last panels have no crosshair")
	}
	for _, x := range got {
		if x < 100 || math.Abs(x-got[0]) > 1 {
			t.Errorf("the crosshairs stand at %v", got)
			break
		}
	}
}

// On a phone the buttons above a table wrap without covering its rows.
func TestTablesOnAPhone(t *testing.T) {
	p := openAt(t, "/?test=1", 390, 844)
	p.idle()
	p.drop("body", web01...)
	p.idle()
	shortcut(p, "t")
	p.shot("phone-tables")
	over := eval[[]string](p, `[...document.querySelectorAll(".panel .vt")].filter((v) => v.clientHeight > 0).filter((v) => {
		const top = v.querySelector(".vt-head").getBoundingClientRect().top;
		return [...v.querySelectorAll(".vt-bar > *")].some((e) => e.getBoundingClientRect().bottom > top + 1 || e.getBoundingClientRect().right > innerWidth);
	}).map((v) => v.closest(".panel").getAttribute("aria-label"))`)
	if len(over) > 0 {
		t.Errorf("in these panels something lies upon the table: %q", over)
	}
	if n := eval[int](p, `[...document.querySelectorAll(".panel .vt")].filter((v) => v.clientHeight > 0).length`); n < 2 {
		t.Errorf("there are %d tables", n)
	}
}

// The menu of a panel stays inside the window, wherever the panel is.
func TestPanelMenuStaysInside(t *testing.T) {
	for _, size := range [][2]int64{{1440, 900}, {1024, 520}, {390, 844}} {
		p := openAt(t, "/?test=1", size[0], size[1])
		p.idle()
		p.drop("body", web01...)
		p.idle()
		out := eval[[]string](p, `(async () => {
			const out = [], frame = () => new Promise((done) => setTimeout(done, 60));
			for (let i = 0; i < 3; i++) {
				const panel = document.querySelectorAll('[data-testid="panel"]')[i], button = panel.querySelector('[data-testid="panel-menu"]'), list = panel.closest(".panels");
				list.scrollTop += button.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom + 4; // at the lower end of the visible part
				await frame();
				button.click();
				await pcpscope.idle();
				const menu = document.querySelector('[data-testid="panel-menu-items"]'), box = menu.getBoundingClientRect();
				const last = menu.querySelector('[data-testid="panel-remove"]');
				if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) out.push(i + ": " + JSON.stringify(box));
				last.scrollIntoView({ block: "nearest" });
				const at = last.getBoundingClientRect(), seen = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
				if (seen !== last) out.push(i + ": its last line is covered by " + seen?.className);
				document.querySelector('[data-testid="theme"]').focus?.();
				dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
				await pcpscope.idle();
			}
			return out;
		})()`)
		if len(out) > 0 {
			t.Errorf("at %d x %d menus are not in the window: %q", size[0], size[1], out)
		}
		p.shot(fmt.Sprintf("panel-menu-%d", size[0]))
	}
}
