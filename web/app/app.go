package app

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/session"
)

// App is what the page remembers, and every way in which that changes. It is
// made of parts, one for each thing that the page can do whatever source is on
// screen; what is shown of a source is a Tab.
type App struct {
	Engine rpc.Transport // answers questions about sources
	Loop   Loop
	Go     func(func()) // starts a function beside the loop
	Page   Page         // what only the browser can do

	Version string
	Tabs    []*Tab // one for each open source, in the order they were opened
	current *Tab
	again   *reopening       // while what was lost is opened again
	Lost    string           // why the engine let go of what was open; "" while it has it
	Wanted  *session.Session // what a link or a session wants that is not open yet; nil for nothing
	Notices []Notice         // what came of settings that were given

	Intake      Intake      // files on their way in
	Layout      Layout      // what is open and folded of the page itself
	Cursor      Cursor      // one for all charts
	Search      Search      // the field at the top
	Editor      Editor      // the page of derived metrics
	Definitions Definitions // the user's derived metrics
	NoteEditor  NoteEditor  // a note that is being written
	Share       Share       // the dialog for what can be kept and shared
	Saving      Saving      // the dialog that saves an archive

	lastPanel int    // ID of the panel that was made last
	busy      int    // pieces of slow work under way
	rested    func() // called once there are none
}

// New returns the state of a page with nothing open.
func New(engine rpc.Transport, loop Loop) *App {
	a := &App{Engine: engine, Loop: loop, Go: func(f func()) { go f() }, Layout: Layout{Details: true, TreeRows: 40, SearchRoom: 40, Rail: "boards", Columns: 1}}
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

// Close lets a source go.
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

// work runs slow beside the loop and then, under its lock, what slow
// returned; the page is drawn after that.
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

// Begin counts something as under way that does not begin on the loop; End ends
// it, under the loop's lock.
func (a *App) Begin() { a.busy++ }

// End ends what Begin began.
func (a *App) End() {
	a.busy--
	a.rest()
}

// Continue has the page drawn once more, when the browser has had its turn.
func (a *App) Continue() {
	a.work(func() func() {
		rpc.Rest(a.Engine)
		return nil
	})
}

// afterDrawing runs f once what has changed is on screen.
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

// rest tells who waits for it that nothing is under way.
func (a *App) rest() {
	if f := a.rested; f != nil && a.busy == 0 {
		a.rested = nil
		f()
	}
}

// settle calls then when nothing is under way and all that there is has been
// drawn, which may ask for more.
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

// update changes the state from within slow work.
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

// Open reports whether there is anything but the empty page to show.
func (a *App) Open() bool { return len(a.Tabs) > 0 || a.Intake.Reading != nil }

// A Loop guards the state. It is Vugu's event environment on the page.
type Loop interface {
	Lock()
	UnlockOnly()
	UnlockRender() // and draw
}
