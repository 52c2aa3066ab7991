package state

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// Reading is what the page shows while files are being opened.
type Reading struct {
	Files    []ReadFile
	Progress api.Progress
	Bytes    int64   // of all files
	works    []*Work // opened so far
	files    []File
	began    time.Time
	told     Told
	cancel   context.CancelFunc
}

// Told hears what became of files that were given from outside the page.
type Told func(opened api.Opened, err error)

// A batch is files that were given together.
type batch struct {
	files []File
	told  Told
}

// A ReadFile is a file on its way in.
type ReadFile struct {
	Name string
	Size int64
	As   string // what its name says that it is
	Left bool   // nothing is expected from it
}

// Take opens files that were dropped or chosen. What is open stays open.
func (a *App) Take(files []File) { a.TakeFor(files, func(api.Opened, error) {}) }

// TakeFor does the same and tells what came of it, under the loop's lock.
func (a *App) TakeFor(files []File, told Told) {
	if len(files) == 0 {
		told(api.Opened{Sources: []api.Source{}, Rejected: []api.Rejected{}}, nil)
		return
	}
	if a.Reading != nil { // one batch after the other: the engine reads faster alone
		a.next = append(a.next, batch{files, told})
		return
	}
	a.Refused = nil
	files = a.withMissing(files)
	ctx, cancel := context.WithCancel(context.Background())
	r := &Reading{cancel: cancel, files: files, told: told, began: time.Now()}
	for _, f := range files {
		as, left := Recognise(f.Name)
		r.Files = append(r.Files, ReadFile{Name: f.Name, Size: f.Size, As: as, Left: left})
		r.Bytes += f.Size
	}
	sorting.Stable(r.Files, func(x, y ReadFile) int { return strings.Compare(x.Name, y.Name) })
	a.Reading = r
	a.work(func() func() {
		opened, err := a.Engine.Open(ctx, files, func(p api.Progress) {
			a.update(func() { r.Progress = p })
		})
		return func() { a.opened(ctx, r, opened, err) }
	})
}

// opened takes over what an open brought.
func (a *App) opened(ctx context.Context, r *Reading, opened api.Opened, err error) {
	defer func() { r.told(opened, err) }()
	if err != nil {
		defer a.finish(r)
		if ctx.Err() == nil {
			name := r.Files[0].Name
			if len(r.Files) > 1 {
				name = format.Plural(len(r.Files), "file")
			}
			a.refuse(name, err)
		}
		return
	}
	a.Refused = opened.Rejected
	defer a.settled(opened.Settings)
	if len(opened.Sources) == 0 {
		a.finish(r)
		return
	}
	left := len(opened.Sources)
	for i, s := range opened.Sources {
		if w := a.sameAs(s); w != nil {
			opened.Sources[i] = w.Source
			if left--; i == 0 {
				a.Show(w.Source.ID)
			}
			continue
		}
		w := a.newWork(s)
		w.files = r.files
		a.Works = append(a.Works, w)
		r.works = append(r.works, w)
		if i == 0 {
			a.Show(s.ID)
		}
		w.start()
		if s.Loaded >= 1 || s.OnDemand {
			left--
			a.askFiles(w)
			continue
		}
		a.load(ctx, w, r, &left)
	}
	if left == 0 {
		a.finish(r)
	}
}

// sameAs returns what shows the same files already, and lets the source go that
// was opened for them once more. Those that a link waits for are left alone.
func (a *App) sameAs(s api.Source) *Work {
	i := slices.IndexFunc(a.Works, func(w *Work) bool {
		return w.Source.Kind == "archive" && w.Source.Loaded >= 1 && w.Source.Fingerprint == s.Fingerprint && w.Source.ID != s.ID
	})
	if i < 0 || a.Wanted != nil {
		return nil
	}
	a.work(func() func() {
		a.Engine.Close(context.Background(), s.ID)
		return nil
	})
	return a.Works[i]
}

// finish ends a reading, unless it was cancelled and another is under way, and
// goes on with what was given meanwhile.
func (a *App) finish(r *Reading) {
	if a.Reading == r {
		a.Reading = nil
	}
	a.takeNext()
}

// load waits until a source has been read. left counts those that r waits for.
func (a *App) load(ctx context.Context, w *Work, r *Reading, left *int) {
	a.work(func() func() {
		done, err := a.Engine.Loaded(ctx, w.Source.ID, func(p api.Progress) {
			files, _ := a.Engine.Files(ctx, w.Source.ID)
			a.update(func() { w.grow(p, files) })
		})
		return func() {
			if *left--; *left == 0 {
				defer a.finish(r)
			}
			if err == nil {
				w.loaded(done)
				a.askFiles(w)
			} else if ctx.Err() == nil && slices.Contains(a.Works, w) { // else it was closed meanwhile
				a.refuse(w.Source.Name, err)
			}
		}
	})
}

// askFiles asks how far the files of a source have been read, for the list of
// those that are being read.
func (a *App) askFiles(w *Work) {
	if a.Reading == nil {
		return
	}
	a.work(func() func() {
		files, _ := a.Engine.Files(w.ctx, w.Source.ID)
		return func() { w.reads = files }
	})
}

// ReadAll reads the whole of a source of which only a preview is shown.
func (w *Work) ReadAll() {
	a := w.app
	if a.Reading != nil || !w.Preview() {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.Reading = &Reading{cancel: cancel, files: w.files, Bytes: w.Source.Bytes, works: []*Work{w}, began: time.Now()}
	for _, name := range w.Source.Members {
		as, _ := Recognise(name)
		a.Reading.Files = append(a.Reading.Files, ReadFile{Name: name, As: as})
	}
	w.progress, w.reads = api.Progress{}, nil
	left := 1
	a.load(ctx, w, a.Reading, &left)
}

// Preview says whether the values that are shown are a few of those that
// there are, because the source lies on a server and was not read, or because
// the reading was cancelled.
func (w *Work) Preview() bool { return (w.Source.OnDemand || w.halted) && w.Source.Loaded < 1 }

func (a *App) takeNext() {
	if a.Reading == nil && len(a.next) > 0 {
		b := a.next[0]
		a.next = a.next[1:]
		a.TakeFor(b.files, b.told)
	}
}

// CancelReading stops the reading. What is open by then stays open, with what
// has been read of it.
func (a *App) CancelReading() {
	if r := a.Reading; r != nil {
		r.cancel()
		for _, w := range r.works {
			if w.Source.Loaded < 1 {
				a.halt(w)
			}
		}
		a.Reading = nil
		a.takeNext()
	}
}

// Recognise says what a file is by its name alone, before its bytes are
// known. Left means that nothing is read from such files.
func Recognise(name string) (as string, left bool) {
	base := strings.ToLower(path.Base(name))
	for _, suffix := range []string{".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst"} {
		if strings.HasSuffix(base, suffix) {
			return "tar container", false
		}
	}
	if strings.HasSuffix(base, ".zip") {
		return "zip container", false
	}
	base = uncompressed(base)
	ext := strings.TrimPrefix(path.Ext(base), ".")
	switch {
	case ext == "meta":
		return "metadata", false
	case ext == "index":
		return "temporal index", false
	case isVolume(ext):
		return "volume " + strings.TrimLeft(ext[:len(ext)-1], "0") + ext[len(ext)-1:], false
	case ext == "folio" || base == "latest":
		return "folio", false
	case base == "pmlogger.log" || ext == "log":
		return "a program's own log", true
	}
	return "known when its first bytes are read", false
}

// uncompressed is a file's name without the suffixes of compression.
func uncompressed(name string) string {
	for _, suffix := range []string{".xz", ".lzma", ".bz2", ".bz", ".gz", ".z", ".Z", ".zst"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

func isVolume(ext string) bool { return ext != "" && strings.Trim(ext, "0123456789") == "" }
