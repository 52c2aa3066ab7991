package e2e

import "testing"

// Text in a field survives a redraw of the page, and takes effect when the field
// loses the focus.
func TestTypingSurvivesARedraw(t *testing.T) {
	p := openPage(t)
	const load = "kernel.all.load"
	panel := `[data-testid="panel"][data-metrics="` + load + `"] `
	value := `document.querySelector('[data-testid="scale-high"]').value`
	// A history step to the present view changes nothing, but draws.
	const draw = `dispatchEvent(new PopStateEvent("popstate", { state: { step: 999 } }))`
	click(p, panel+id("panel-menu"))
	click(p, id("scale-high"))
	for i, letter := range []string{"1", "2", "5"} {
		press(p, letter)
		eval[bool](p, draw)
		p.idle()
		if got, want := eval[string](p, value), "125"[:i+1]; got != want {
			t.Fatalf("after a drawing the field holds %q, want %q", got, want)
		}
	}
	press(p, "\r")
	eval[bool](p, draw)
	p.idle()
	if got := eval[string](p, value); got != "125" {
		t.Errorf("the scale goes up to %q, want 125", got)
	}
}
