package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// Follow follows the MMV file of a running program: it is read repeatedly, and the charts
// show the last few minutes.
type Follow struct {
	On    bool
	Times int      // readings so far
	From  pcp.Time // start time; 0 before
	Last  pcp.Time // of the latest reading
	Fault string   // why a reading failed or the file could not be read, or how to continue
	stop  context.CancelFunc
	tab   *Tab
}

// A FileReader reads a user's file again, if the browser can.
type FileReader interface {
	// Can reports whether the named file can be read again without asking.
	Can(name string) bool
	// CanAsk reports whether the user can be asked for a file that can be re-read.
	CanAsk() bool
	// Ask lets the user choose such a file; "" if they cancel.
	Ask() (name string, err error)
	Again(name string) (File, error)
}

const (
	followEvery  = time.Second
	followWindow = pcp.Time(2 * time.Minute)
	maxRetries   = 20          // retries for a file that is being rewritten
	settleFor    = time.Minute // how long a file that was dropped half written is tried
)

// Can reports whether the source is a file that can be followed.
func (f *Follow) Can() bool {
	return f.tab.Source.Kind == "mmv" && len(f.tab.Source.Members) > 0
}

// Start starts following the source's file, after asking for it if the browser no longer
// has access.
func (f *Follow) Start() {
	a := f.tab.app
	r := a.Page.Files
	if r == nil || !f.Can() || f.On {
		return
	}
	name := f.tab.Source.Members[0]
	switch {
	case r.Can(name):
		f.run(name)
	case r.CanAsk():
		a.Go(func() {
			picked, err := r.Ask()
			a.update(func() {
				switch {
				case err != nil:
					f.Fault = "The file could not be obtained: " + pcp.AsFault(err).Message
				case picked != "":
					f.run(picked)
				}
			})
		})
	default:
		f.Fault = "This browser cannot re-read a file. Choose it again for each new reading."
	}
}

// Stop stops following. Readings so far are kept.
func (f *Follow) Stop() {
	if f.On {
		f.stop()
		f.On = false
	}
}

// follow reads the file each second until it is stopped.
func (f *Follow) run(name string) {
	a := f.tab.app
	ctx, stop := context.WithCancel(f.tab.ctx)
	f.begin(stop)
	a.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			src, err := f.readAgain(ctx, name)
			if ctx.Err() != nil {
				return
			}
			a.update(func() { f.read(src, err) })
			select {
			case <-ctx.Done():
			case <-time.After(max(followEvery-time.Since(began), 50*time.Millisecond)):
			}
		}
	})
}

// readAgain takes one reading. A file that is being rewritten is read again until it is
// complete: until then it may be empty, changed since its size was taken, or half written,
// and browsers tell these apart by no common error.
func (follow *Follow) readAgain(ctx context.Context, name string) (api.Source, error) {
	for n := 0; ; n++ {
		src, err := follow.readOnce(ctx, name)
		if err == nil || ctx.Err() != nil || n == maxRetries {
			return src, err
		}
		time.Sleep(followEvery / maxRetries)
	}
}

func (follow *Follow) readOnce(ctx context.Context, name string) (api.Source, error) {
	a := follow.tab.app
	f, err := a.Page.Files.Again(name)
	if err != nil {
		return api.Source{}, err
	}
	return rpc.Invoke(ctx, a.Engine, rpc.Update, rpc.UpdateRequest{Source: follow.tab.Source.ID, File: f.wire()}, nil)
}

// settle re-reads a file that was caught while being written, if the browser can, and
// shows it once it is complete. The page counts as busy for the first second; after that
// the file is tried in the background, but not forever: the program may have died.
func (follow *Follow) settle() {
	tab := follow.tab
	a := tab.app
	half := slices.ContainsFunc(tab.Source.Problems, func(f pcp.Fault) bool { return strings.HasPrefix(f.Field, "generation") })
	if a.Page.Files == nil || !half || !follow.Can() || !a.Page.Files.Can(tab.Source.Members[0]) {
		return
	}
	end := time.Now().Add(settleFor)
	a.work(func() func() {
		show, ok := follow.complete()
		if !ok {
			a.Go(func() {
				for !ok && tab.ctx.Err() == nil && time.Now().Before(end) {
					time.Sleep(followEvery)
					show, ok = follow.complete()
				}
				a.update(show)
			})
		}
		return show
	})
}

// complete reads the file once more, and returns what shows it if that succeeded; a tab
// that was closed or is being followed stays as it is, and so does the problem otherwise.
func (follow *Follow) complete() (show func(), ok bool) {
	tab := follow.tab
	src, err := follow.readAgain(tab.ctx, tab.Source.Members[0])
	var list metricList
	if err == nil {
		list, err = tab.listMetrics()
	}
	return func() {
		if err == nil && tab.ctx.Err() == nil && !follow.On {
			tab.loaded(src)
			tab.renew(list)
		}
	}, err == nil
}

// Take takes one more reading from a file that the user selected, if the browser cannot
// re-read it.
func (follow *Follow) Take(f File) {
	a := follow.tab.app
	if !follow.Can() {
		return
	}
	a.work(func() func() {
		src, err := rpc.Invoke(follow.tab.ctx, a.Engine, rpc.Update, rpc.UpdateRequest{Source: follow.tab.Source.ID, File: f.wire()}, nil)
		return func() {
			fault := follow.Fault
			follow.read(src, err)
			if err == nil {
				follow.Fault = fault // instructions how to continue stay
			}
		}
	})
}

// read adds a reading.
func (f *Follow) read(src api.Source, err error) {
	tab := f.tab
	if err != nil {
		f.Fault = pcp.AsFault(err).Message
		return
	}
	f.Fault = ""
	f.Times++
	f.Last = src.End
	if f.From == 0 {
		f.From = src.End
	}
	more := src.Metrics != tab.Source.Metrics
	tab.setSource(src)
	tab.data.forget()
	tab.Window = timeline.Window{Start: max(f.From, src.End-followWindow), End: src.End}
	if tab.Window.Len() < int64(10*followEvery) { // the first readings fill an existing chart
		tab.Window.End = tab.Window.Start + pcp.Time(10*followEvery)
	}
	tab.app.windowChanged()
	tab.data.refresh()
	tab.Pulse.load()
	if tab.Selected != "" {
		tab.Select(tab.Selected)
	}
	if more {
		tab.app.Go(func() {
			list, err := tab.listMetrics()
			tab.app.update(func() {
				if err == nil {
					tab.renew(list)
				}
			})
		})
	}
}

// begin discards earlier readings.
func (f *Follow) begin(stop context.CancelFunc) {
	*f = Follow{tab: f.tab, On: true, stop: stop}
}

// Text describes how far following has got.
func (f *Follow) Text(clock format.Clock) string {
	switch {
	case f.Fault != "":
		return f.Fault
	case f.Times == 0 && f.On:
		return "reading…"
	case f.Times == 0:
		return ""
	}
	text := format.Plural(f.Times, "reading") + ", the last at " + clock.Time(f.Last)
	if f.On {
		return text + ", one per second"
	}
	return text
}
