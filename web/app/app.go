package app

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/session"
)

// App is the state of the page and the only code that changes it. It consists of parts,
// one per feature that does not depend on the source on screen; a Tab has the state of one
// source.
type App struct {
	Engine rpc.Transport // answers queries about sources
	Loop   Loop
	Go     func(func()) // starts a goroutine off the loop
	Page   Page         // what only the browser can do

	Version string
	Tabs    []*Tab // one per open source, in the order of opening
	current *Tab
	again   *reopening       // set while lost sources are being reopened
	Lost    string           // why the engine lost what was open; "" if it did not
	Pending *session.Session // what a link or session needs that is not open yet; nil if nothing
	Notices []Notice         // results of imported settings

	Intake      Intake      // files being opened
	Layout      Layout      // what is open and collapsed on the page
	Cursor      Cursor      // shared by all charts
	Search      Search      // the search field at the top
	Editor      Editor      // the derived metric editor
	Definitions Definitions // the user's derived metrics
	NoteEditor  NoteEditor  // a note being written
	Share       Share       // the Share dialog
	Saving      Saving      // the dialog that saves an archive

	lastPanel int    // ID of the most recent panel
	busy      int    // number of slow operations under way
	rested    func() // called once busy is 0
}

// New returns the state of a page with nothing open.
func New(engine rpc.Transport, loop Loop) *App {
	a := &App{Engine: engine, Loop: loop, Go: func(f func()) { go f() }, Layout: Layout{Details: true, TreeRows: 40, SearchLines: 40, Rail: "boards", Columns: 1}}
	a.Intake.app, a.Layout.app, a.Cursor.app, a.Search.app = a, a, a, a
	a.Editor.app, a.Definitions.app, a.NoteEditor.app, a.Share.app, a.Saving.app = a, a, a, a, a
	return a
}

// Current is the source on screen, nil when nothing is open.
func (a *App) Current() *Tab { return a.current }

// Show puts an open source on screen.
func (a *App) Show(id api.SourceID) {
	a.Layout.Menu = ""
	for _, tab := range a.Tabs {
		if tab.Source.ID == id && tab != a.current {
			a.current = tab
			a.Cursor.Clear()
			a.Search.reset()
			a.Editor.resume()
			a.windowChanged()
		}
	}
}

// Close closes a source.
func (a *App) Close(id api.SourceID) {
	i := slices.IndexFunc(a.Tabs, func(tab *Tab) bool { return tab.Source.ID == id })
	if i < 0 {
		return
	}
	gone := a.Tabs[i]
	gone.stop()
	a.Tabs = slices.Delete(a.Tabs, i, i+1)
	if a.current == gone {
		a.current = nil
		a.Cursor.Clear()
		a.Search.reset()
		if len(a.Tabs) > 0 {
			a.current = a.Tabs[min(i, len(a.Tabs)-1)]
		}
		a.windowChanged()
	}
	if len(a.Tabs) == 0 {
		a.Layout.Menu, a.Layout.Drawer, a.Layout.Sheet = "", "", ""
	}
	a.work(func() func() {
		_, err := rpc.Invoke(context.Background(), a.Engine, rpc.Close, rpc.SourceRequest{Source: id}, nil)
		return func() {
			if err != nil {
				a.refuse(gone.Source.Name, err)
			}
		}
	})
}

// Idle reports whether nothing is under way.
func (a *App) Idle() bool { return a.busy == 0 && a.rested == nil }

// work runs slow off the loop and then, under the lock, the function it returned; then the
// page is drawn.
func (a *App) work(slow func() (apply func())) {
	a.busy++
	a.Go(func() {
		apply := slow()
		a.Loop.Lock()
		a.busy--
		if apply != nil {
			apply()
		}
		a.rest()
		a.Loop.UnlockRender()
	})
}

// Begin counts an operation as under way that does not start on the loop; End, called
// under the lock, ends it.
func (a *App) Begin() { a.busy++ }

// End ends what Begin began.
func (a *App) End() {
	a.busy--
	a.rest()
}

// Continue draws the page again, after the browser has had its turn.
func (a *App) Continue() {
	a.work(func() func() {
		rpc.Yield(a.Engine)
		return nil
	})
}

// afterDrawing calls f once the changes are on screen.
func (a *App) afterDrawing(f func()) {
	if a.Page.Shown == nil {
		f()
		return
	}
	a.busy++
	a.Page.Shown(func() {
		a.Loop.Lock()
		a.busy--
		f()
		a.rest()
		a.Loop.UnlockRender()
	})
}

// rest notifies those waiting for the page to be idle.
func (a *App) rest() {
	if f := a.rested; f != nil && a.busy == 0 {
		a.rested = nil
		f()
	}
}

// settle calls then once nothing is under way and everything has been drawn, which may
// itself start new requests.
func (a *App) settle(then func()) {
	a.rested = func() {
		a.afterDrawing(func() {
			if a.busy == 0 {
				then()
			} else {
				a.settle(then)
			}
		})
	}
}

// update changes the state from slow work.
func (a *App) update(change func()) {
	a.Loop.Lock()
	change()
	a.Loop.UnlockRender()
}

func (a *App) windowChanged() {
	if a.Page.WindowChanged != nil {
		a.Page.WindowChanged()
	}
}

func (a *App) refuse(name string, err error) {
	a.Intake.Refused = append(a.Intake.Refused, api.Rejected{Name: name, Fault: *pcp.AsFault(err)})
}

// Open reports whether there is more to show than the empty page.
func (a *App) Open() bool { return len(a.Tabs) > 0 || a.Intake.Reading != nil }

// A Loop guards the state. It is Vugu's event environment on the page.
type Loop interface {
	Lock()
	UnlockOnly()
	UnlockRender() // and draws
}
