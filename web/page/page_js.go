package page

import (
	"syscall/js"
	"time"

	"github.com/vugu/vugu"
	"honnef.co/go/js/dom/v2"

	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
	"pcpscope/web/ui"
)

// page is everything around the components: the two halves of index.html, the files that
// boot.js took, the keyboard, the canvases.
type page struct {
	app            *app.App
	charts         *canvas.Charts
	embedding      embedding
	history        history
	prefs          prefs
	pcpscope       js.Value
	welcome, bench *dom.BasicHTMLElement
	working        held // while the state waits for a reply
	drawing        held // while a drawing is due: on a slow machine, frames pass before it has its turn
	refused        int
	editor         editor
	address        address
	draws          int    // number of drawings
	open           bool   // something was open at the last drawing
	searching      bool   // the search was open then
	title          string // of the page
	idleDelay      *time.Timer
	completing     bool // panels out of sight are being fetched
}

// draw renders the components and then everything that depends on them.
func (p *page) draw(d *drawing, build *vugu.BuildEnv, root *ui.Root) {
	p.app.Loop.Lock()
	p.draws++
	p.app.RefreshDrawer() // draw what is available at once
	p.app.RefreshTables()
	p.app.RefreshDays()
	p.app.RefreshExplain()
	p.app.Loop.UnlockOnly()
	d.show(build.RunBuild(root))
	loop := p.app.Loop
	loop.Lock()
	defer loop.UnlockOnly()
	if open := p.app.Open(); p.draws == 1 || open != p.open {
		p.open = open
		hide(p.welcome, open)
		hide(p.bench, !open)
	}
	p.refusals()
	p.charts.Sync()
	p.app.FetchVisible()
	p.editor.sync(&p.app.Editor)
	p.hold()
	p.embedding.report(p.app)
	p.history.follow(p.app)
	if open := p.app.Search.Open; open != p.searching {
		// Focus events need the lock that is held here.
		switch p.searching = open; {
		case open && !hasFocus("search"): // a button opened it, as on a phone
			canvas.Do(canvas.FocusSoon, canvas.Target{Name: "search"})
		case !open && hasFocus("search"): // something was picked: keys are for the page again
			canvas.Do(canvas.FocusSoon, canvas.Target{Name: "page"})
		}
	}
	p.prefs.save(p.app)
	p.address.sync(p.app)
	title := "pcpscope"
	if tab := p.app.Current(); tab != nil {
		title = tab.Title() + " – pcpscope"
	}
	if title != p.title {
		p.title = title
		document().Set("title", title)
	}
}

// refusals lists rejected files on the empty page; if something is open, they are shown
// above the panels.
func (p *page) refusals() {
	n := len(p.app.Intake.Refused)
	if p.app.Open() || n == p.refused {
		return
	}
	p.refused = n
	var list []canvas.Refusal
	for _, r := range p.app.Intake.Refusals() {
		list = append(list, canvas.Refusal{Names: r.Names, Reason: r.Reason, All: r.All})
	}
	canvas.Do(canvas.Refuse, canvas.Refusals{List: list})
}

// hold keeps idle() from settling while the state waits for a reply.
func (p *page) hold() {
	if p.working.set(p.pcpscope, !p.app.Idle()) {
		p.complete()
	}
}

// A held keeps idle() from settling while something is due.
type held struct{ release js.Value }

// set begins or ends that, and reports whether it has ended. It does nothing before the engine is there.
func (h *held) set(pcpscope js.Value, due bool) (ended bool) {
	switch {
	case pcpscope.IsUndefined():
	case due && h.release.IsUndefined():
		h.release = pcpscope.Call("hold")
	case !due && !h.release.IsUndefined():
		h.release.Invoke()
		h.release = js.Undefined()
		return true
	}
	return false
}

// connect waits for the engine and then starts accepting files.
func (p *page) connect() {
	pcpscope, err := rpc.Await(js.Global().Get("pcpscopeReady"))
	if err != nil {
		return // main.js has reported it
	}
	p.app.Loop.Lock()
	yielder := newYielder()
	p.app.Engine, p.app.Page.Lazy = worker{rpc.Client{Pcpscope: pcpscope, Pause: yielder.yield}, yielder}, true
	p.app.Page.Origin = window.Location().Origin()
	p.app.Page.Do = func(action string) {
		query(`[data-boot="` + action + `"]`).Click()
	}
	p.pcpscope = pcpscope
	p.app.Loop.UnlockOnly()
	p.address.listen(p.app)
	p.listen()
	p.embedding.listen(p)
	p.history.listen(p)
	p.printing()
	p.app.Page.Shown = p.shown
}

// listen starts accepting files, keys and canvas events.
func (p *page) listen() {
	intake := canvas.Page().Get("intake")
	canvas.Listen(func(e canvas.Event) {
		go func() {
			p.charts.Handle(e)
			if _, ok := e.(canvas.Cursor); ok { // cursor moves do not draw the page
				p.app.Loop.Lock()
				p.embedding.report(p.app)
				p.app.Loop.UnlockOnly()
			}
		}()
	})
	keyboardEvent := js.Global().Get("KeyboardEvent")
	listen(js.Global(), "keydown", func(e js.Value) {
		if e.InstanceOf(keyboardEvent) { // form fillers send other events
			p.key(&dom.KeyboardEvent{BasicEvent: &dom.BasicEvent{Value: e}})
		}
	})
	intake.Call("onReplacement", js.FuncOf(func(_ js.Value, args []js.Value) any {
		files := filesOf(args[0], func() {})
		go func() {
			p.app.Loop.Lock()
			if tab := p.app.Current(); tab != nil && len(files) > 0 {
				tab.Follow.Take(files[0])
			}
			p.app.Loop.UnlockRender()
		}()
		return nil
	}))
	byID("engine-status").SetTextContent("pcpscope " + p.app.Version + " · ready")
	p.app.Page.Guides = byID("documentation") != nil
	intake.Call("onFiles", js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.app.Begin()
		p.hold() // at once: boot.js ends its own hold before the files are taken
		go func() {
			files := p.address.sessions(p.app, filesOf(args[0], func() { rpc.Yield(p.app.Engine) }))
			rpc.Yield(p.app.Engine)
			p.app.Loop.Lock()
			p.refused = -1
			p.app.Intake.Open(files)
			p.app.End()
			p.app.Loop.UnlockRender()
		}()
		return nil
	}))
}

// filesOf reads an array of {name, data}, as provided by boot.js, yielding regularly.
func filesOf(list js.Value, rest func()) []app.File {
	var files []app.File
	for i := range list.Length() {
		if i%200 == 199 {
			rest()
		}
		f := list.Index(i)
		files = append(files, fileOf(f.Get("name").String(), f.Get("data")))
	}
	return files
}

// fileOf is a named file: a Blob or, for a file on a server, {url, size, token}.
func fileOf(name string, data js.Value) app.File {
	f := app.File{Name: name, Size: int64(data.Get("size").Float())}
	if url := data.Get("url"); url.Type() == js.TypeString {
		f.URL = url.String()
		if token := data.Get("token"); token.Type() == js.TypeString {
			f.Token = token.String()
		}
		return f
	}
	f.Data = data
	if at := data.Get("lastModified"); at.Type() == js.TypeNumber {
		f.Modified = at.Float()
	}
	return f
}

// key passes a key to the state. This must decide before it returns whether the key is
// used: only then can the browser's own action be prevented.
func (p *page) key(e *dom.KeyboardEvent) {
	in, typing := "", false
	if el := active(); el != nil {
		in = el.GetAttribute("data-testid")
		switch el.TagName() {
		case "INPUT", "TEXTAREA", "SELECT":
			typing = true
		case "BUTTON":
			if k := e.Key(); k == "Enter" || k == " " {
				return // handled by the button itself
			}
		}
	}
	k := app.Key{Name: e.Key(), In: in, Typing: typing, Ctrl: e.CtrlKey() || e.MetaKey(), Shift: e.ShiftKey(), Alt: e.AltKey()}
	p.app.Loop.Lock()
	focus, used := p.app.Press(k)
	if !used {
		p.app.Loop.UnlockOnly()
		return
	}
	e.PreventDefault()
	if focus == "" {
		p.app.Loop.UnlockRender()
		return
	}
	// Handlers of the focus event change more: one drawing shows both.
	p.app.Loop.UnlockOnly()
	before := p.draws
	canvas.Do(canvas.Focus, canvas.Target{Name: string(focus)})
	if p.draws == before {
		p.app.Loop.Lock()
		p.app.Loop.UnlockRender()
	}
}

// hasFocus reports whether the element with a data-testid has the focus.
func hasFocus(testid string) bool {
	el := active()
	return el != nil && el.GetAttribute("data-testid") == testid
}
