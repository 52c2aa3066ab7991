package page

import (
	"strings"
	"sync"
	"syscall/js"
	"time"

	"github.com/vugu/vugu"

	"pcpscope/wasm/garbage"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
	"pcpscope/web/ui"
)

// leastGarbage is how many bytes of garbage may accumulate. WebAssembly never returns memory,
// so it is less than in the engine, which needs more anyway.
const leastGarbage = 8 << 20

// Run shows the user interface, for as long as the page is there.
func Run(version string) {
	garbage.Pace(leastGarbage)
	var lock sync.RWMutex
	env := vugu.NewEventEnvImpl(&lock, nil)
	build, err := vugu.NewBuildEnv(env)
	if err != nil {
		panic(err)
	}
	if strings.Contains(js.Global().Get("location").Get("search").String(), "test=1") {
		version = "test" // screenshots are compared: nothing in them may depend on the build
	}
	page := &page{welcome: byID("welcome"), bench: byID("app")}
	loop := loop{env, make(chan bool, 1), page}
	app := app.New(nil, loop)
	app.Page.Picture = savePicture(app)
	app.Version, app.Page.Resolve, app.Page.Save, app.Page.Files = version, resolve, save, handles{}
	app.Page.LocalZone = localZone()
	app.Page.Keep = keepFiles
	if canFolder() {
		app.Page.Folder = chooseFolder
	}
	page.app, page.charts = app, canvas.New(app)
	page.prefs.load(app)
	root, drawing := &ui.Root{App: app}, newDrawing("mount", loop)
	// The components show nothing before something is open. Drawing them for
	// the first time takes as long as everything else, so the page becomes
	// usable first.
	go func() {
		page.connect()
		canvas.Page().Call("mounted")
		time.Sleep(settle)
		loop.draw()
	}()
	for range loop.dirty {
		began := time.Now()
		page.draw(drawing, build, root)
		page.drawing.set(page.pcpscope, len(loop.dirty) > 0)
		// Replies arrive in quick succession. Drawing after each would leave no
		// time for what the user does.
		time.Sleep(min(time.Since(began)/2, 25*time.Millisecond))
	}
}

// settle is how long after its start the page is first drawn, unless there is a
// reason to draw it earlier.
const settle = 200 * time.Millisecond

// loop is Vugu's lock, with requests to draw merged: ten changes between two
// drawings need one.
type loop struct {
	vugu.EventEnv
	dirty chan bool
	page  *page
}

func (l loop) draw() {
	select {
	case l.dirty <- true:
		l.page.drawing.set(l.page.pcpscope, true)
	default:
	}
}

// UnlockRender releases the lock and asks for a drawing.
func (l loop) UnlockRender() {
	l.EventEnv.UnlockOnly()
	l.draw()
}
