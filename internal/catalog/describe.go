package catalog

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// An Object is a file in the folder of a host.
type Object struct {
	Name     string
	Size     int64
	Tag      string // changes when the file does
	Modified time.Time
}

// A Reader reads a part of a file in the folder of a host.
type Reader func(ctx context.Context, name string, offset, length int64) ([]byte, error)

// atOnce is how many indexes are read in parallel.
const atOnce = 6

// Describe lists the archives of a host from the files in its folder. For days
// that have not changed since before (which may be nil) nothing is read; for
// others, parts of the temporal indexes.
func Describe(ctx context.Context, host string, files []Object, before *Host, read Reader) *Host {
	bases := map[string][]Object{}
	for _, f := range files {
		if base := archive.Base(f.Name); base != "" {
			bases[base] = append(bases[base], f)
		}
	}
	days := map[string]*Day{}
	spans := map[string]*span{} // by base name
	var unread []*span
	for base, list := range bases {
		s := &span{base: base}
		spans[base] = s
		day := dateOf(base)
		index := slices.IndexFunc(list, func(f Object) bool { return f.Name == base+".index" })
		if index >= 0 {
			s.index = &list[index]
		}
		if day == "" { // only its index has the date
			s.read(ctx, read)
			day = list[0].Modified.UTC().Format(time.DateOnly)
			if s.known {
				day = at(s.label.Start).Format(time.DateOnly)
			}
		}
		if days[day] == nil {
			days[day] = &Day{Day: day}
		}
		s.day = days[day]
		for _, f := range list {
			s.day.Files = append(s.day.Files, File{f.Name, f.Size, V(f.Tag)})
		}
	}
	h := &Host{Version: Version, Host: host, Days: []Day{}}
	known := map[string]Day{}
	if before != nil {
		h.Timezone = before.Timezone
		for _, d := range before.Days {
			if d.Start != "" {
				known[d.Fingerprint] = d
			}
		}
	}
	for _, d := range days {
		d.sum()
	}
	for _, s := range spans {
		if d, ok := known[s.day.Fingerprint]; ok {
			s.day.Start, s.day.End = d.Start, d.End
		} else if s.index != nil && !s.known {
			unread = append(unread, s)
		}
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, s := range unread {
		slots <- struct{}{}
		wg.Go(func() {
			s.read(ctx, read)
			<-slots
		})
	}
	wg.Wait()
	var last pcp.Time
	for _, s := range spans {
		if !s.known {
			continue
		}
		from, to := text(s.label.Start), text(s.end)
		if s.day.Start == "" || s.day.Start > from {
			s.day.Start = from
		}
		s.day.End = max(s.day.End, to)
		if s.end > last {
			last, h.Timezone = s.end, s.label.Timezone
		}
	}
	for _, d := range days {
		h.Days = append(h.Days, *d)
	}
	slices.SortFunc(h.Days, byDay)
	return h
}

// A span is the time of one archive.
type span struct {
	base  string
	index *Object
	day   *Day
	label archive.Label
	end   pcp.Time
	known bool
}

// read reads the span from the index: a small one completely, with one request.
func (s *span) read(ctx context.Context, read Reader) {
	if s.index == nil {
		return
	}
	const small = 64 << 10
	var at io.ReaderAt = reads(func(p []byte, off int64) (int, error) {
		data, err := read(ctx, s.index.Name, off, int64(len(p)))
		return copy(p, data), err
	})
	if s.index.Size <= small {
		data, err := read(ctx, s.index.Name, 0, s.index.Size)
		if err != nil {
			return
		}
		at = bytes.NewReader(data)
	}
	s.label, s.end, s.known = archive.IndexSpan(at, s.index.Size)
}

type reads func(p []byte, off int64) (int, error)

func (f reads) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

func at(t pcp.Time) time.Time { return time.Unix(0, int64(t)).UTC() }

// text formats a time so that texts sort in order of time.
func text(t pcp.Time) string { return at(t).Format("2006-01-02T15:04:05.000000000Z") }

// Dated makes a host's line from the names of its files; ok is false if a name
// has no date.
func Dated(host string, names []string) (l Line, ok bool) {
	l.Host = host
	days, seen := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		if len(name) > 8 && name[8] == '.' && seen[name[:8]] { // other files of a known day
			continue
		}
		base := archive.Base(name)
		if base == "" {
			continue
		}
		day := dateOf(base)
		if day == "" {
			return l, false
		}
		days[day], seen[base[:8]] = true, true
		if l.First == "" || day < l.First {
			l.First = day
		}
		l.Last = max(l.Last, day)
	}
	l.Days = len(days)
	return l, true
}
