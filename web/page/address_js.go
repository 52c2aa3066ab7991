package page

import (
	"bytes"
	"path"
	"strings"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
	"pcpscope/web/session"
)

// address keeps the URL in step with the view, opens links and session files, and records
// recently opened sources.
type address struct {
	seen    map[api.SourceID]bool
	note    int  // which opening of the note field was given the focus
	share   bool // the dialog was open at the last drawing
	top     bool // the page is not framed
	waiting bool // an update of the URL is scheduled
	link    string
	pending *session.Session // whose files the empty page asks for
}

// listen reads the link that the page was opened with, and later ones.
func (k *address) listen(a *app.App) {
	k.top = js.Global().Get("parent").Equal(js.Global().Get("window"))
	a.Page.Address = func() string {
		return strings.Split(window.Location().Href(), "#")[0]
	}
	a.Page.Copy = func(text string) {
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
		session, err := session.ParseLink(fragment, func() { rpc.Yield(a.Engine) })
		a.Loop.Lock()
		switch {
		case err != nil:
			a.Intake.Refused = append(a.Intake.Refused, api.Rejected{Name: "The link", Fault: *pcp.AsFault(err)})
		case session != nil:
			a.Restore(session)
		}
		a.Loop.UnlockRender()
	}
	listen(js.Global(), "hashchange", func(js.Value) {
		if js.Global().Get("history").Get("state").Type() == js.TypeObject {
			k.link = strings.TrimPrefix(window.Location().Hash(), "#")
			return // a step back or forward, handled by history
		}
		go follow()
	})
	listen(byID("forget-wanted").Underlying(), "click", func(js.Value) {
		go func() {
			a.Loop.Lock()
			a.DropPending()
			a.Loop.UnlockRender()
			k.address("")
		}()
	})
	follow()
}

// sync is called after each drawing, under the loop's lock.
func (k *address) sync(a *app.App) {
	if r := &a.NoteEditor; r.Open && r.Rev != k.note {
		k.note = r.Rev
		byID("note-text").Focus()
	}
	if a.Share.Open && !k.share {
		selectAll("share-link")
	}
	k.share = a.Share.Open
	k.want(a)
	for _, tab := range a.Tabs {
		if !k.seen[tab.Source.ID] {
			if k.seen == nil {
				k.seen = map[api.SourceID]bool{}
			}
			k.seen[tab.Source.ID] = true
			note(tab)
		}
	}
	if k.top && !k.waiting && a.Idle() && a.Pending == nil {
		k.waiting = true
		time.AfterFunc(500*time.Millisecond, func() { k.update(a) })
	}
}

// update sets the URL to the current view, or to no fragment when nothing is open.
func (k *address) update(a *app.App) {
	a.Loop.Lock()
	k.waiting = false
	link, keep := "", a.Pending != nil || a.Intake.Reading != nil
	if a.Current() != nil {
		link = a.Session().Link()
	}
	a.Loop.UnlockOnly()
	if !keep {
		k.address(link)
	}
}

// address puts a link into the URL without adding a history entry.
func (k *address) address(link string) {
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

// want lists on the empty page what a link needs.
func (k *address) want(a *app.App) {
	if a.Pending == k.pending {
		return
	}
	k.pending = a.Pending
	var list []canvas.MissingSource
	for _, w := range a.Missing() {
		title, text := w.Describe(a.Page.Resolve)
		list = append(list, canvas.MissingSource{Title: title, Text: text})
	}
	canvas.Do(canvas.ShowMissing, canvas.MissingSources{List: list})
}

// note records a newly opened source.
func note(tab *app.Tab) {
	host := tab.Source.Host
	if tab.Source.Kind == "mmv" {
		host = "MMV file"
	}
	canvas.Do(canvas.Remember, canvas.Recent{
		Fingerprint: tab.Source.Fingerprint, Kind: tab.Source.Kind, Name: path.Base(tab.Source.Name), Host: host,
		Span: tab.Subtitle(), Bytes: tab.Source.Bytes, Files: tab.Source.Members,
	})
}

// sessions removes session files from a list of files, and restores them. It is slow work.
func (k *address) sessions(a *app.App, files []app.File) []app.File {
	var left []app.File
	for _, f := range files {
		data, ok := f.Data.(js.Value)
		if !ok || !strings.HasSuffix(strings.ToLower(f.Name), ".json") || f.Size > session.MaxBytes {
			left = append(left, f)
			continue
		}
		start, err := bytesOf(data.Call("slice", 0, 200))
		if err != nil || !bytes.Contains(start, []byte(`"pcpscope"`)) {
			left = append(left, f)
			continue
		}
		var kept *session.Session
		text, err := bytesOf(data)
		if err == nil {
			kept, err = session.Parse(bytes.TrimPrefix(text, []byte("\ufeff")), func() { rpc.Yield(a.Engine) })
		}
		a.Loop.Lock()
		if err != nil {
			a.Intake.Refused = append(a.Intake.Refused, api.Rejected{Name: f.Name, Fault: *pcp.AsFault(err)})
		} else {
			a.Restore(kept)
		}
		a.Loop.UnlockRender()
	}
	return left
}

// bytesOf reads a Blob.
func bytesOf(blob js.Value) ([]byte, error) {
	buffer, err := rpc.Await(blob.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	view := js.Global().Get("Uint8Array").New(buffer)
	data := make([]byte, view.Length())
	js.CopyBytesToGo(data, view)
	return data, nil
}

func selectAll(testid string) {
	if el := query(`[data-testid="` + testid + `"]`); el != nil {
		el.Focus()
		(&dom.HTMLInputElement{BasicHTMLElement: el}).Select()
		el.Underlying().Set("scrollLeft", 0) // the beginning of a link is the recognisable part
	}
}
