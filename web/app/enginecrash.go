package app

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/session"
)

// failed handles an error that may mean that the engine has crashed: a new one, with
// nothing open, then answers.
func (a *App) failed(err error) {
	fault := pcp.AsFault(err)
	message := fault.Message
	switch fault.Kind {
	case pcp.Internal, pcp.OutOfMemory:
	case pcp.BadArgument: // a new engine does not know the source
		message = "The engine stopped, and what was open was lost."
	default:
		return
	}
	if a.again != nil { // reopening does this check itself
		a.again.fault = fault
		return
	}
	if a.Lost != "" {
		return
	}
	a.checkLost(func(lost bool) {
		if lost {
			a.Lost = message
		}
	})
}

// checkLost finds out whether the engine still has everything open.
func (a *App) checkLost(then func(lost bool)) {
	a.work(func() func() {
		open, err := rpc.Invoke(context.Background(), a.Engine, rpc.Sources, rpc.None{}, nil)
		if err != nil {
			return func() { then(false) }
		}
		return func() {
			then(slices.ContainsFunc(a.Tabs, func(tab *Tab) bool {
				return !slices.ContainsFunc(open, func(s api.Source) bool { return s.ID == tab.Source.ID })
			}))
		}
	})
}

// OpenAgain reopens the lost sources one by one, and restores their views. A source that
// crashes the engine again is left out and named.
func (a *App) OpenAgain() {
	a.Lost = ""
	a.again = &reopening{app: a, batches: a.batches(), shown: a.Session(), left: a.Intake.crashing()}
	a.again.start()
}

// batches are the files of each open source; those from the same container stay together.
// Files that belong to no source come last.
func (a *App) batches() [][]File {
	var list [][]File
	var whole [][]File // as originally given
	used := map[string]bool{}
	for _, tab := range a.Tabs {
		if !slices.ContainsFunc(whole, func(b []File) bool { return &b[0] == &tab.files[0] }) {
			whole = append(whole, tab.files)
		}
		own := slices.DeleteFunc(slices.Clone(tab.files), func(f File) bool { return !slices.Contains(tab.Source.Members, f.Name) })
		if len(own) < len(tab.Source.Members) { // they came in a container
			own = tab.files
		}
		if slices.ContainsFunc(list, func(b []File) bool { return &b[0] == &own[0] }) {
			continue
		}
		list = append(list, own)
		for _, f := range own {
			used[f.Name] = true
		}
	}
	for _, files := range whole {
		if rest := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return used[f.Name] }); len(rest) > 0 {
			list = append(list, rest)
		}
	}
	return list
}

// A reopening is the state of reopening lost sources.
type reopening struct {
	app     *App
	shown   *session.Session
	batches [][]File
	at      int            // the one being reopened
	fault   *pcp.Fault     // the fault of a request, about it or another
	left    []api.Rejected // those left out
}

// crashing are the sources that crashed the engine when they were first opened. They
// still have to be named once the others are open again.
func (i *Intake) crashing() []api.Rejected {
	return slices.DeleteFunc(slices.Clone(i.Refused), func(r api.Rejected) bool {
		return r.Fault.Kind != pcp.Internal && r.Fault.Kind != pcp.OutOfMemory
	})
}

// start begins with nothing open.
func (r *reopening) start() {
	a := r.app
	for _, tab := range a.Tabs {
		tab.stop()
	}
	a.Tabs, a.current = nil, nil
	a.Cursor.Clear()
	a.Search.reset()
	a.windowChanged()
	a.Pending = r.shown.Clone()
	r.at = 0
	r.next()
}

func (r *reopening) next() {
	a := r.app
	if r.at == len(r.batches) {
		a.again = nil
		if len(r.left) > 0 {
			a.Intake.Refused = append(a.Intake.Refused, r.left...)
			a.DropPending() // do not ask for a link's missing sources now
		}
		return
	}
	a.Intake.take(r.batches[r.at], func(api.Opened, error) {}, r.opened)
}

// opened continues once everything first requested of a source has been answered. If that
// crashed the engine, this source was the cause and is left out.
func (r *reopening) opened(reading *Reading) {
	if reading.failed != nil {
		r.fault = pcp.AsFault(reading.failed)
	}
	r.app.settle(func() {
		r.app.checkLost(func(lost bool) { r.judge(reading, lost) })
	})
}

func (r *reopening) judge(reading *Reading, lost bool) {
	known := r.fault
	r.fault = nil
	if !lost { // the engine lives, or there was nothing to lose: the page already shows the error
		r.at++
		r.next()
		return
	}
	if known == nil || known.Kind != pcp.Internal && known.Kind != pcp.OutOfMemory {
		known = pcp.Faultf(pcp.Internal, "It no longer responded.")
	}
	files := r.batches[r.at]
	name := files[0].Name
	if len(reading.tabs) > 0 {
		name = reading.tabs[0].Source.Name
	} else if more := len(files) - 1; more > 0 {
		name += " and " + format.Plural(more, "more file")
	}
	r.left = append(r.left, api.Rejected{Name: name, Fault: *pcp.Faultf(known.Kind, "Left out, because the engine stopped while reopening it. %s", known.Message)})
	r.batches = slices.Delete(slices.Clone(r.batches), r.at, r.at+1)
	r.start()
}
