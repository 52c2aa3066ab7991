package page

import (
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
)

// history makes each view an entry of the browser's history, so that its buttons act as
// undo and redo. Nothing is navigated: the URL stays.
type history struct {
	steps []step
	at    int            // index of the current step
	calls []func()       // calls of the browser's history that wait for the next frame
	later func(f func()) // calls f once the next frame is on screen
}

// A step is one view: of a source, after a number of changes.
type step struct {
	source  api.SourceID
	changes int
}

// follow brings the browser's history in step with the view. It is called after each
// drawing, under the loop's lock.
func (h *history) follow(app *app.App) {
	tab := app.Current()
	if tab == nil {
		return
	}
	now := step{tab.Source.ID, tab.History.Changes()}
	switch browser := js.Global().Get("history"); {
	case len(h.steps) == 0:
		h.steps = []step{now}
		browser.Call("replaceState", map[string]any{"step": 0}, "")
	case h.steps[h.at] == now:
	case h.at > 0 && h.steps[h.at-1] == now: // undone on the page
		h.at--
		h.call(func() { browser.Call("back") })
	case h.at+1 < len(h.steps) && h.steps[h.at+1] == now:
		h.at++
		h.call(func() { browser.Call("forward") })
	default:
		h.steps = append(h.steps[:h.at+1], now)
		h.at++
		at := h.at
		h.call(func() { browser.Call("pushState", map[string]any{"step": at}, "") })
	}
}

// call schedules a change of the browser's history for after the page is drawn: it takes
// as long as most of what a click causes.
func (h *history) call(f func()) {
	if h.calls = append(h.calls, f); len(h.calls) > 1 {
		return
	}
	h.later(func() {
		calls := h.calls
		h.calls = nil
		for _, f := range calls {
			f()
		}
	})
}

// shown runs f once the next frame is on screen. Until then, the page is not idle.
func (p *page) shown(f func()) {
	canvas.Later(func() {
		release := p.pcpscope.Call("hold")
		go func() {
			f()
			release.Invoke()
		}()
	})
}

// listen follows the browser's back and forward buttons.
func (h *history) listen(p *page) {
	h.later = func(f func()) {
		p.shown(func() {
			p.app.Loop.Lock()
			f()
			p.app.Loop.UnlockOnly()
		})
	}
	listen(js.Global(), "popstate", func(e js.Value) {
		to := e.Get("state")
		if to.Type() != js.TypeObject || to.Get("step").Type() != js.TypeNumber {
			return
		}
		n := to.Get("step").Int()
		go func() {
			p.app.Loop.Lock()
			defer p.app.Loop.UnlockRender()
			if n < 0 || n >= len(h.steps) || n == h.at {
				return
			}
			h.at = n
			p.app.Show(h.steps[n].source)
			if tab := p.app.Current(); tab != nil && tab.Source.ID == h.steps[n].source {
				tab.History.GoTo(h.steps[n].changes)
				h.steps[n].changes = tab.History.Changes() // as far as possible
			}
		}()
	})
}
