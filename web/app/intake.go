package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
)

// openFiles opens files or URLs. It is slow work.
func (i *Intake) openFiles(ctx context.Context, files []File, progress func(api.Progress)) (api.Opened, error) {
	in, far := rpc.OpenRequest{Charts: true}, rpc.OpenURLRequest{Headers: []rpc.Header{}, Origin: i.app.Page.Origin}
	for _, f := range files {
		if f.URL != "" {
			far.URLs = append(far.URLs, f.URL)
		} else {
			in.Files = append(in.Files, f.wire())
		}
	}
	rpc.Yield(i.app.Engine)
	if len(far.URLs) > 0 {
		// One token serves all of them: it is for the page's own server, whose files are
		// opened separately.
		if token := files[0].Token; token != "" && !slices.ContainsFunc(files, func(f File) bool { return f.Token != token }) {
			far.Headers = append(far.Headers, rpc.Header{Name: "Authorization", Value: "Bearer " + token})
		}
		return rpc.Invoke(ctx, i.app.Engine, rpc.OpenURL, far, progress)
	}
	return rpc.Invoke(ctx, i.app.Engine, rpc.Open, in, progress)
}

// Intake handles files being opened.
type Intake struct {
	Reading *Reading // what is being opened, or nil
	Refused []api.Rejected
	next    []batch // added while something else was being read
	app     *App
}

// OnOpened is called with the result for files that were passed in from outside the page.
type OnOpened func(opened api.Opened, err error)

// A batch is a set of files opened together.
type batch struct {
	files  []File
	opened OnOpened
	after  func(r *Reading)
}

// Open opens files that were dropped or chosen. Open sources stay open.
func (i *Intake) Open(files []File) { i.OpenThen(files, func(api.Opened, error) {}) }

// OpenThen does the same and reports the result, under the loop's lock.
func (i *Intake) OpenThen(files []File, done OnOpened) { i.take(files, done, nil) }

// take does it, and calls after, if not nil, once everything opened has been read.
func (i *Intake) take(files []File, done OnOpened, after func(r *Reading)) {
	if len(files) == 0 {
		done(api.Opened{Sources: []api.Source{}, Rejected: []api.Rejected{}}, nil)
		return
	}
	if i.Reading != nil { // one batch at a time: the engine reads faster that way
		i.next = append(i.next, batch{files, done, after})
		return
	}
	i.Refused = nil
	files = i.withMissing(files)
	ctx, cancel := context.WithCancel(context.Background())
	r := &Reading{cancel: cancel, files: files, opened: done, began: time.Now()}
	if after != nil {
		r.after = func() { after(r) }
	}
	for i, f := range files {
		if i < maxSorted {
			r.Files = append(r.Files, ReadFile{Name: f.Name, Size: f.Size})
		}
		r.Bytes += f.Size
	}
	sorting.Stable(r.Files, func(x, y ReadFile) int { return strings.Compare(x.Name, y.Name) })
	if more := len(files) - maxFiles; more > 0 {
		r.Files, r.more = r.Files[:maxFiles], more
	}
	for k := range r.Files {
		f := &r.Files[k]
		f.As, f.Left = GuessKind(f.Name)
	}
	i.Reading = r
	i.app.work(func() func() {
		opened, err := i.openFiles(ctx, files, func(p api.Progress) {
			i.app.update(func() { r.Progress = p })
		})
		return func() { i.opened(ctx, r, opened, err) }
	})
}

// opened takes over the result of an open call.
func (i *Intake) opened(ctx context.Context, r *Reading, opened api.Opened, err error) {
	a := i.app
	done := func() { r.opened(opened, err) }
	if err != nil {
		defer done()
		defer i.finish(r)
		if ctx.Err() == nil {
			name := r.Files[0].Name
			if more := len(r.files) - 1; more > 0 {
				name += " and " + format.Plural(more, "more file")
			}
			r.failed = err
			a.refuse(name, err)
			a.failed(err) // it may have cost what was open before
		}
		return
	}
	i.Refused = opened.Rejected
	if len(opened.Sources) == 0 {
		defer done()
		defer a.Definitions.take(opened.Settings)
		i.finish(r)
		return
	}
	left := len(opened.Sources)
	i.show(ctx, r, opened, 0, &left, func() {
		a.Definitions.take(opened.Settings)
		done()
	})
}

// sourcesAtOnce is how many sources are taken over per turn of the loop.
const sourcesAtOnce = 5

// show takes over the sources from index one on, a few per turn, and then reports that
// they are open. left counts those that r waits for.
func (intake *Intake) show(ctx context.Context, r *Reading, opened api.Opened, from int, left *int, done func()) {
	a := intake.app
	for i := from; i < len(opened.Sources); i++ {
		if i == from+sourcesAtOnce {
			a.work(func() func() {
				rpc.Yield(a.Engine)
				return func() { intake.show(ctx, r, opened, i, left, done) }
			})
			return
		}
		s := opened.Sources[i]
		if tab := intake.sameAs(s); tab != nil {
			opened.Sources[i] = tab.Source
			if *left--; i == 0 {
				a.Show(tab.Source.ID)
			}
			continue
		}
		tab := a.newTab(s)
		tab.files = r.files
		a.Tabs = append(a.Tabs, tab)
		r.tabs = append(r.tabs, tab)
		if i == 0 {
			a.Show(s.ID)
		}
		tab.start()
		if s.Loaded >= 1 || s.OnDemand {
			*left--
			intake.askFiles(tab)
			continue
		}
		if ctx.Err() != nil { // cancelled in the meantime
			intake.halt(tab)
		}
		intake.load(ctx, tab, r, left)
	}
	if *left == 0 {
		intake.finish(r)
	}
	done()
}

// sameAs returns the tab that already shows the same files, and closes the duplicate
// source. Sources that a link waits for are left alone.
func (intake *Intake) sameAs(s api.Source) *Tab {
	a := intake.app
	i := slices.IndexFunc(a.Tabs, func(tab *Tab) bool {
		return tab.Source.Kind == "archive" && tab.Source.Loaded >= 1 && tab.Source.Fingerprint == s.Fingerprint && tab.Source.ID != s.ID
	})
	if i < 0 || a.Pending != nil {
		return nil
	}
	a.work(func() func() {
		rpc.Invoke(context.Background(), a.Engine, rpc.Close, rpc.SourceRequest{Source: s.ID}, nil)
		return nil
	})
	return a.Tabs[i]
}

// finish ends a reading, unless it was cancelled and another is under way, and continues
// with files added in the meantime.
func (i *Intake) finish(r *Reading) {
	if i.Reading == r {
		i.Reading = nil
	}
	if after := r.after; after != nil {
		r.after = nil
		after()
	}
	i.takeNext()
}

// load waits until a source has been read. left counts those that r waits for.
func (i *Intake) load(ctx context.Context, tab *Tab, r *Reading, left *int) {
	a := i.app
	a.work(func() func() {
		done, err := rpc.Invoke(ctx, a.Engine, rpc.Loaded, rpc.SourceRequest{Source: tab.Source.ID}, func(p api.Progress) {
			if !tab.Loading.due() {
				return
			}
			files, _ := rpc.Invoke(ctx, a.Engine, rpc.Files, rpc.SourceRequest{Source: tab.Source.ID}, nil)
			a.update(func() { tab.Loading.progressed(p, files) })
		})
		return func() {
			if *left--; *left == 0 {
				defer i.finish(r)
			}
			if err == nil {
				tab.data.partial = false
				tab.loaded(done)
				i.askFiles(tab)
			} else if ctx.Err() == nil && slices.Contains(a.Tabs, tab) { // otherwise it was closed in the meantime
				r.failed = err
				a.refuse(tab.Source.Name, err)
				a.failed(err)
				i.halt(tab) // the user may have it read again, as from a server that was away
			}
		}
	})
}

// askFiles requests how far a source's files have been read, for the list of files.
func (i *Intake) askFiles(tab *Tab) {
	if i.Reading == nil {
		return
	}
	i.app.work(func() func() {
		files, _ := rpc.Invoke(tab.ctx, i.app.Engine, rpc.Files, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() { tab.Loading.reads = files }
	})
}

func (i *Intake) takeNext() {
	if i.Reading == nil && len(i.next) > 0 {
		b := i.next[0]
		i.next = i.next[1:]
		i.take(b.files, b.opened, b.after)
	}
}

// Cancel stops reading. Open sources stay open, with what has been read so far.
func (i *Intake) Cancel() {
	if r := i.Reading; r != nil {
		r.cancel()
		for _, tab := range r.tabs {
			if tab.Source.Loaded < 1 {
				i.halt(tab)
			}
		}
		i.Reading = nil
		i.takeNext()
	}
}

// halt stops reading a source, and shows what has been read.
func (i *Intake) halt(tab *Tab) {
	tab.Loading.halted = true
	i.app.work(func() func() {
		s, err := rpc.Invoke(context.Background(), i.app.Engine, rpc.Halt, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() {
			if err == nil {
				tab.loaded(s)
			}
		}
	})
}
