package web

import (
	"path"
	"strings"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/state"
)

// keeper keeps the address in step with what is shown, opens links and files
// of sessions, and remembers what was opened.
type keeper struct {
	seen    map[api.SourceID]bool
	remark  int  // opening of the note's field that was given the focus
	share   bool // the dialog was open at the last drawing
	top     bool // the page is not in a frame of another
	waiting bool // the address will be brought up to date soon
	link    string
	wanted  *state.Session // that the empty page asks for
}

// mostSessionBytes bounds a file that is looked into for a session.
const mostSessionBytes = 4 << 20

// listen reads the link that the page was opened with, and those that follow.
func (k *keeper) listen(app *state.App) {
	k.top = js.Global().Get("parent").Equal(js.Global().Get("window"))
	app.Address = func() string {
		return strings.Split(window.Location().Href(), "#")[0]
	}
	app.Copy = func(text string) {
		clipboard := js.Global().Get("navigator").Get("clipboard")
		if clipboard.Truthy() {
			go rpc.Await(clipboard.Call("writeText", text))
		}
		selectAll("share-link")
	}
	follow := func() {
		fragment := window.Location().Hash()
		if strings.TrimPrefix(fragment, "#") == k.link {
			return
		}
		session, err := state.ParseLink(fragment)
		app.Loop.Lock()
		switch {
		case err != nil:
			app.Refused = append(app.Refused, api.Rejected{Name: "The link", Fault: *pcp.AsFault(err)})
		case session != nil:
			app.Restore(session)
		}
		app.Loop.UnlockRender()
	}
	window.AddEventListener("hashchange", false, func(dom.Event) {
		if js.Global().Get("history").Get("state").Type() == js.TypeObject {
			k.link = strings.TrimPrefix(window.Location().Hash(), "#")
			return // a step back or forward, which history acts on
		}
		go follow()
	})
	byID("forget-wanted").AddEventListener("click", false, func(dom.Event) {
		go func() {
			app.Loop.Lock()
			app.Forget()
			app.Loop.UnlockRender()
			k.address("")
		}()
	})
	follow()
}

// sync is called after each drawing, under the loop's lock.
func (k *keeper) sync(app *state.App) {
	if r := &app.Remarking; r.Open && r.Rev != k.remark {
		k.remark = r.Rev
		byID("remark-text").Focus()
	}
	if app.Share.Open && !k.share {
		selectAll("share-link")
	}
	k.share = app.Share.Open
	k.want(app)
	for _, w := range app.Works {
		if !k.seen[w.Source.ID] {
			if k.seen == nil {
				k.seen = map[api.SourceID]bool{}
			}
			k.seen[w.Source.ID] = true
			note(w)
		}
	}
	if k.top && !k.waiting && app.Idle() && app.Wanted == nil {
		k.waiting = true
		time.AfterFunc(500*time.Millisecond, func() { k.update(app) })
	}
}

// update brings the address up to date: it holds what is shown, and nothing
// when nothing is.
func (k *keeper) update(app *state.App) {
	app.Loop.Lock()
	k.waiting = false
	link, keep := "", app.Wanted != nil || app.Reading != nil
	if app.Current() != nil {
		link = app.Session().Link()
	}
	app.Loop.UnlockOnly()
	if !keep {
		k.address(link)
	}
}

// address puts a link into the address without a step in the history.
func (k *keeper) address(link string) {
	if link == k.link {
		return
	}
	k.link = link
	history := js.Global().Get("history")
	location := window.Location()
	to := location.Pathname() + location.Search()
	if link != "" {
		to += "#" + link
	}
	history.Call("replaceState", history.Get("state"), "", to)
}

// want tells the empty page what a link asks for.
func (k *keeper) want(app *state.App) {
	if app.Wanted == k.wanted {
		return
	}
	k.wanted = app.Wanted
	list := []any{}
	for _, w := range app.Missing() {
		title, text := w.Wish(app.Resolve)
		list = append(list, map[string]any{"title": title, "text": text})
	}
	js.Global().Get("pcprecent").Call("wants", list)
}

// note remembers a source that was opened.
func note(w *state.Work) {
	files := []any{}
	for _, m := range w.Source.Members {
		files = append(files, m)
	}
	host := w.Source.Host
	if w.Source.Kind == "mmv" {
		host = "MMV file"
	}
	js.Global().Get("pcprecent").Call("note", map[string]any{
		"fingerprint": w.Source.Fingerprint, "kind": w.Source.Kind, "name": path.Base(w.Source.Name), "host": host,
		"span": w.Subtitle(), "bytes": w.Source.Bytes, "files": files,
	})
}

// sessions takes files of sessions out of those that were given, and restores
// what they keep. It is slow work.
func (k *keeper) sessions(app *state.App, files []state.File) []state.File {
	var left []state.File
	for _, f := range files {
		data, ok := f.Data.(js.Value)
		if !ok || !strings.HasSuffix(strings.ToLower(f.Name), ".json") || f.Size > mostSessionBytes {
			left = append(left, f)
			continue
		}
		text, err := rpc.Await(data.Call("text"))
		if err != nil || !strings.Contains(text.String()[:min(len(text.String()), 200)], `"pcpscope"`) {
			left = append(left, f)
			continue
		}
		session, err := state.ParseSession([]byte(text.String()))
		app.Loop.Lock()
		if err != nil {
			app.Refused = append(app.Refused, api.Rejected{Name: f.Name, Fault: *pcp.AsFault(err)})
		} else {
			app.Restore(session)
		}
		app.Loop.UnlockRender()
	}
	return left
}

func selectAll(testid string) {
	if el := query(`[data-testid="` + testid + `"]`); el != nil {
		el.Focus()
		(&dom.HTMLInputElement{BasicHTMLElement: el}).Select()
		el.Underlying().Set("scrollLeft", 0) // a link is known by its beginning
	}
}
