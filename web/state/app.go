package state

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// App is the whole state of the page.
type App struct {
	Engine  Engine
	Insight Insight // may be nil: then panels are made of metrics that are known
	Loop    Loop
	// Go starts a function beside the loop.
	Go func(func())
	// Resolve knows zones by name: seconds east of Greenwich at a Unix time.
	Resolve func(zone string) (format.OffsetFunc, bool)

	Version string
	Guides  bool    // the documentation is at hand: not where the page is one file on a disk
	Works   []*Work // one for each open source, in the order they were opened
	current *Work
	Reading *Reading // what is being opened now, or nil
	Refused []api.Rejected
	Search  Search
	Lost    string // why the engine let go of what was open; "" while it has it

	Tab       string // of the rail: "boards", "metrics", "findings"
	Tables    bool   // panels are shown as tables
	Columns   int    // of panels: 1 or 2
	Comparing bool   // windows A and B are compared
	LocalZone string // the browser's, by name
	Lazy      bool   // panels out of sight wait: the page tells which are (See)
	Fresh     int    // grows when the canvas should be shown from its top

	Menu       string // the open menu: "", "sources", "time", "panel"
	MenuFor    int    // of which panel
	Help       bool
	Sheet      string               // on a phone: "", "rail" or "details"
	Details    bool                 // the column at the right is open
	Drawer     string               // the page of the drawer: "" while it is closed
	Views      map[string]TableView // what was chosen of its pages
	ViewsRev   int                  // changes when anything but the page changes them
	Cursor     pcp.Time
	HasCur     bool
	Pinned     bool // the cursor stays where it is when the pointer moves
	CursorRev  int  // changes when anything but the charts moves the cursor
	TreeRows   int  // rows that fit the tree
	SearchRoom int  // lines that fit the list of what was found
	HideStill  bool // leave out of the tree what never moves

	Derive      Derive                                          // the page of derived metrics
	Definitions string                                          // the user's derived metrics, as a configuration file
	Notes       []Note                                          // what came of settings that were given
	Save        func(name, kind, text string)                   // as a file of a media type; nil where nothing can be saved
	Picture     func(p *Panel, kind, name string, meta Picture) // saves a panel as "svg" or "png"; nil where that cannot be
	Address     func() string                                   // of the page, without a fragment; nil where it has none
	Copy        func(text string)                               // to the clipboard; nil where there is none
	Wanted      *Session                                        // what a link or a session wants that is not open yet; nil for nothing
	Remarking   Remarking                                       // a note that is being written
	Share       Share                                           // the dialog for what can be kept and shared
	Rereader    Rereader                                        // nil where no file can be read again
	reveal      string                                          // a derived metric to show once it is known

	// Outside does what only the page around the components can: "files" and
	// "folder" open the browser's dialogs, "theme" changes light and dark.
	Outside func(action string)

	// WindowChanged is called after the window or the source has changed, so
	// that the charts follow before new data have come.
	WindowChanged func()
	// Shown runs a function once what has changed is on screen; nil runs it at
	// once.
	Shown func(f func())

	next      []batch // batches given while another is being read
	lastPanel int     // ID of the panel that was made last
	busy      int     // pieces of slow work under way
}

// New returns the state of a page with nothing open.
func New(engine Engine, loop Loop) *App {
	return &App{Engine: engine, Loop: loop, Go: func(f func()) { go f() }, Details: true, TreeRows: 40, SearchRoom: 40, Tab: "boards", Columns: 1}
}

// Current is the source on screen, nil when nothing is open.
func (a *App) Current() *Work { return a.current }

// Show puts an open source on screen.
func (a *App) Show(id api.SourceID) {
	a.Menu = ""
	for _, w := range a.Works {
		if w.Source.ID == id && w != a.current {
			a.current = w
			a.ClearCursor()
			a.Search = Search{}
			a.resumeDerive()
			a.windowChanged()
		}
	}
}

// Close lets a source go.
func (a *App) Close(id api.SourceID) {
	i := slices.IndexFunc(a.Works, func(w *Work) bool { return w.Source.ID == id })
	if i < 0 {
		return
	}
	gone := a.Works[i]
	gone.stop()
	a.Works = slices.Delete(a.Works, i, i+1)
	if a.current == gone {
		a.current = nil
		a.ClearCursor()
		if len(a.Works) > 0 {
			a.current = a.Works[min(i, len(a.Works)-1)]
		}
		a.windowChanged()
	}
	if len(a.Works) == 0 {
		a.Menu, a.Drawer, a.Sheet = "", "", ""
	}
	a.work(func() func() {
		err := a.Engine.Close(context.Background(), id)
		return func() {
			if err != nil {
				a.refuse(gone.Source.Name, err)
			}
		}
	})
}

// Idle reports whether nothing is under way.
func (a *App) Idle() bool { return a.busy == 0 }

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
		a.Loop.UnlockRender()
	})
}

// later runs f once what has changed is on screen.
func (a *App) later(f func()) {
	if a.Shown == nil {
		f()
		return
	}
	a.busy++
	a.Shown(func() {
		a.Loop.Lock()
		a.busy--
		f()
		a.Loop.UnlockRender()
	})
}

// update changes the state from within slow work.
func (a *App) update(change func()) {
	a.Loop.Lock()
	change()
	a.Loop.UnlockRender()
}

func (a *App) windowChanged() {
	if a.WindowChanged != nil {
		a.WindowChanged()
	}
}

func (a *App) refuse(name string, err error) {
	a.Refused = append(a.Refused, api.Rejected{Name: name, Fault: *pcp.AsFault(err)})
}

// Dismiss clears the list of refused files.
func (a *App) Dismiss() { a.Refused = nil }

// ToggleMenu opens a menu, or closes it when it is open.
func (a *App) ToggleMenu(menu string, panel int) {
	if a.Menu == menu && a.MenuFor == panel {
		a.Menu = ""
		return
	}
	a.Menu, a.MenuFor = menu, panel
}

// ToggleDrawer opens a page of the drawer, or closes it.
func (a *App) ToggleDrawer(page string) {
	if a.Drawer == page {
		page = ""
	}
	a.Drawer = page
}

// ToggleSheet opens a sheet on a phone, or closes it.
func (a *App) ToggleSheet(sheet string) {
	if a.Sheet == sheet {
		sheet = ""
	}
	a.Sheet = sheet
}

// SetCursor moves the cursor from outside the charts.
func (a *App) SetCursor(t pcp.Time) {
	a.Cursor, a.HasCur = t, true
	a.CursorRev++
}

// ClearCursor takes the cursor away.
func (a *App) ClearCursor() {
	a.HasCur, a.Pinned = false, false
	a.CursorRev++
}

// TogglePin keeps the cursor where it is, or lets it follow the pointer again.
// Without a cursor there is one in the middle of the window first.
func (a *App) TogglePin() {
	w := a.current
	if w == nil {
		return
	}
	if !a.HasCur {
		a.stepCursor(w, 0)
	}
	a.Pinned = !a.Pinned
	a.CursorRev++
}

// Open says whether there is anything but the empty page to show.
func (a *App) Open() bool { return len(a.Works) > 0 || a.Reading != nil }
