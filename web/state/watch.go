package state

import (
	"context"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Watch follows the MMV file of a running program: it is read again and
// again, and the charts show the last minutes.
type Watch struct {
	On    bool
	Times int      // readings since it was begun
	From  pcp.Time // when it was begun; 0 before
	Last  pcp.Time // of the newest reading
	Fault string   // why a reading failed, the file could not be read, or how to go on
	stop  context.CancelFunc
}

// An Updater takes further readings of an MMV file. The page's Engine is one.
type Updater interface {
	Update(ctx context.Context, id api.SourceID, f File) (api.Source, error)
}

// A Rereader reads a file of the user's again, as far as the browser lets it.
type Rereader interface {
	// Can says whether the file of a name can be read again without asking.
	Can(name string) bool
	// CanAsk says whether the user can be asked for a file that can.
	CanAsk() bool
	// Ask lets the user choose such a file; "" when they change their mind.
	Ask() (name string, err error)
	Again(name string) (File, error)
}

const (
	watchEvery = time.Second
	watchShown = pcp.Time(2 * time.Minute)
	patience   = 20 // readings of a file that is being rewritten, one after the other
)

// CanWatch says whether the source is a file that can be followed.
func (w *Work) CanWatch() bool { return w.Source.Kind == "mmv" && len(w.Source.Members) > 0 }

// StartWatch begins to follow the source's file, after asking for it where
// the browser has forgotten where it is.
func (a *App) StartWatch(w *Work) {
	u, ok := a.Engine.(Updater)
	r := a.Rereader
	if !ok || r == nil || !w.CanWatch() || w.Watch.On {
		return
	}
	name := w.Source.Members[0]
	switch {
	case r.Can(name):
		a.follow(w, u, name)
	case r.CanAsk():
		a.Go(func() {
			picked, err := r.Ask()
			a.update(func() {
				switch {
				case err != nil:
					w.Watch.Fault = "The file could not be had: " + pcp.AsFault(err).Message
				case picked != "":
					a.follow(w, u, picked)
				}
			})
		})
	default:
		w.Watch.Fault = "This browser cannot read a file again by itself. Choose it again for each new reading."
	}
}

// StopWatch ends it. What was read stays.
func (w *Work) StopWatch() {
	if w.Watch.On {
		w.Watch.stop()
		w.Watch.On = false
	}
}

// follow reads the file each second until it is stopped.
func (a *App) follow(w *Work, u Updater, name string) {
	ctx, stop := context.WithCancel(w.ctx)
	w.Watch = Watch{On: true, stop: stop}
	a.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			src, err := a.readAgain(ctx, w, u, name)
			if ctx.Err() != nil {
				return
			}
			a.update(func() { w.read(src, err) })
			select {
			case <-ctx.Done():
			case <-time.After(max(watchEvery-time.Since(began), 50*time.Millisecond)):
			}
		}
	})
}

// readAgain takes one reading. A file that is just being rewritten is read
// again until it is whole.
func (a *App) readAgain(ctx context.Context, w *Work, u Updater, name string) (api.Source, error) {
	for n := 0; ; n++ {
		f, err := a.Rereader.Again(name)
		if err != nil {
			return api.Source{}, err
		}
		src, err := u.Update(ctx, w.Source.ID, f)
		if err == nil || pcp.AsFault(err).Kind != pcp.Truncated || n == patience {
			return src, err
		}
		time.Sleep(watchEvery / patience)
	}
}

// settle reads a file again that was caught while its program was writing it,
// as far as the browser lets it, and shows it once it is whole.
func (a *App) settle(w *Work) {
	u, ok := a.Engine.(Updater)
	half := slices.ContainsFunc(w.Source.Problems, func(f pcp.Fault) bool { return strings.HasPrefix(f.Field, "generation") })
	if !ok || a.Rereader == nil || !half || !w.CanWatch() || !a.Rereader.Can(w.Source.Members[0]) {
		return
	}
	a.work(func() func() {
		src, err := a.readAgain(w.ctx, w, u, w.Source.Members[0])
		var list []api.Metric
		if err == nil {
			list, err = a.Engine.Metrics(w.ctx, src.ID)
		}
		return func() {
			if err == nil { // else the problem stands
				w.loaded(src)
				w.renew(list)
			}
		}
	})
}

// TakeReading takes one more reading from a file that the user gave, where
// the browser cannot read it by itself.
func (a *App) TakeReading(w *Work, f File) {
	u, ok := a.Engine.(Updater)
	if !ok || !w.CanWatch() {
		return
	}
	a.work(func() func() {
		src, err := u.Update(w.ctx, w.Source.ID, f)
		return func() {
			fault := w.Watch.Fault
			w.read(src, err)
			if err == nil {
				w.Watch.Fault = fault // how to go on still holds
			}
		}
	})
}

// read takes over a reading.
func (w *Work) read(src api.Source, err error) {
	if err != nil {
		w.Watch.Fault = pcp.AsFault(err).Message
		return
	}
	watch := &w.Watch
	watch.Fault = ""
	watch.Times++
	watch.Last = src.End
	if watch.From == 0 {
		watch.From = src.End
	}
	more := src.Metrics != w.Source.Metrics
	w.setSource(src)
	clear(w.instances)
	w.Window = Window{max(watch.From, src.End-watchShown), src.End}
	if w.Window.Len() < int64(10*watchEvery) { // the first readings fill a chart that is there already
		w.Window.End = w.Window.Start + pcp.Time(10*watchEvery)
	}
	w.app.windowChanged()
	w.refresh()
	w.loadPulse()
	if w.Selected != "" {
		w.Select(w.Selected)
	}
	if more {
		w.app.Go(func() {
			list, err := w.app.Engine.Metrics(w.ctx, src.ID)
			w.app.update(func() {
				if err == nil {
					w.renew(list)
				}
			})
		})
	}
}

// Text says how far the watching has come.
func (w *Watch) Text(clock format.Clock) string {
	switch {
	case w.Fault != "":
		return w.Fault
	case w.Times == 0 && w.On:
		return "reading…"
	case w.Times == 0:
		return ""
	}
	text := format.Plural(w.Times, "reading") + ", the last at " + clock.Time(w.Last)
	if w.On {
		return text + ", one each second"
	}
	return text
}
