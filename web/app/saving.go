package app

import (
	"context"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// Saving is the dialog that saves the source as an archive, or exports its observations as
// tables.
type Saving struct {
	Open               bool
	Format             string // of an export, as api.ExportQuery.Format; "" for an archive
	Panel              *Panel // whose tables are exported; nil for Metrics and Instances
	Whole              bool   // the whole source, not just the window
	Metrics, Instances string // names as typed; "" for all
	Version            int    // 2, 3, or 0 for the source's own
	Name               string // base name of the files; "" to name them after the source
	Volume             string // maximum size of data volumes, as typed; "" for the default
	Zstd               bool
	Container          string // "tar", "zip" or "files"
	Every              string // thinning interval; "" for all values
	Repair             bool
	Redact             bool
	Stays              map[string]bool // kinds of text that are not replaced
	Words              string          // the user's own, one per line
	Key                string          // of the pseudonyms, if the user sets one

	Table    *api.Redaction // what will be replaced; nil until known
	Busy     bool
	Progress api.Progress
	Fault    string
	Report   *api.SaveReport   // of the last save
	Exported *api.ExportReport // or of the last export
	Files    []string          // files of the last save or export
	stop     context.CancelFunc
	asked    int // numbers the requests for the table, to drop outdated replies
	app      *App
}

// Show opens the dialog for the source on screen.
func (s *Saving) Show() {
	tab := s.app.current
	if tab == nil {
		return
	}
	s.app.Layout.Menu = ""
	*s = Saving{app: s.app, Open: true, Container: "tar", Stays: map[string]bool{}, Whole: tab.Window == tab.Whole(), Repair: len(tab.Source.Problems) > 0}
}

// ShowTables opens the export dialog: for the metrics of a panel, or the whole source.
func (s *Saving) ShowTables(p *Panel) {
	if s.Show(); s.Open {
		s.Format, s.Panel, s.Whole = "parquet", p, p == nil
	}
}

// Close closes the dialog and stops what it is doing.
func (s *Saving) Close() {
	s.Cancel()
	s.Open = false
}

// Cancel stops saving.
func (s *Saving) Cancel() {
	if s.stop != nil {
		s.stop()
	}
}

// query is the request that the dialog describes.
func (s *Saving) query() api.SaveQuery {
	tab := s.app.current
	q := api.SaveQuery{Source: tab.Source.ID, Version: s.Version, Container: s.Container, Repair: s.Repair, Name: strings.TrimSpace(s.Name), Metrics: listed(s.Metrics, " ,\t\n"), Instances: listed(s.Instances, ",\n")}
	if !s.Whole {
		start, end := int64(tab.Window.Start), int64(tab.Window.End)
		q.Start, q.End = &api.When{Nanos: &start}, &api.When{Nanos: &end}
	}
	q.VolumeSize, _ = volumeSize(s.Volume)
	if s.Zstd {
		q.Compress = "zstd"
	}
	if every := strings.TrimSpace(s.Every); every != "" {
		q.Every = &api.When{Text: every}
	}
	if s.Redact {
		q.Redact = &api.Redact{Words: listed(s.Words, "\n"), Key: strings.TrimSpace(s.Key)}
		for kind, stays := range s.Stays {
			if stays {
				q.Redact.Without = append(q.Redact.Without, kind)
			}
		}
		if q.Redact.Key == "" && s.Table != nil {
			q.Redact.Key = s.Table.Key // the pseudonyms that were shown
		}
	}
	return q
}

// exportQuery is the export request that the dialog describes.
func (s *Saving) exportQuery() api.ExportQuery {
	q := s.query()
	out := api.ExportQuery{Source: q.Source, Start: q.Start, End: q.End, Metrics: q.Metrics, Instances: q.Instances, Format: s.Format, Container: q.Container, Name: q.Name}
	if s.Panel != nil {
		out.Metrics, out.Instances = s.Panel.Metrics, nil
	}
	return out
}

// listed splits a text at separators.
func listed(text, between string) []string {
	var list []string
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(between, r) }) {
		if one = strings.TrimSpace(one); one != "" {
			list = append(list, one)
		}
	}
	return list
}

// volumeSize parses a size such as "20 MiB" or "1G", in bytes; without a unit it is in
// MiB. An empty text is 0.
func volumeSize(text string) (bytes float64, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return 0, true
	}
	number := strings.TrimRight(text, " kmgib")
	unit, known := map[string]float64{"": 1 << 20, "k": 1 << 10, "kb": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mb": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gb": 1 << 30, "gib": 1 << 30}[strings.TrimSpace(text[len(number):])]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || !(n > 0 && n <= 1<<20) {
		return 0, false
	}
	return max(n*unit, 1), true
}

// SetRedact switches replacing on or off, and requests what would be replaced.
func (s *Saving) SetRedact(on bool) {
	s.Redact = on
	s.Preview()
}

// Preview requests what would be replaced with the dialog's current settings.
func (s *Saving) Preview() {
	s.asked++
	if !s.Redact || s.app.current == nil {
		s.Table = nil
		return
	}
	tab, asked, q := s.app.current, s.asked, s.query()
	s.app.work(func() func() {
		table, err := rpc.Invoke(tab.ctx, s.app.Engine, rpc.Redaction, q, nil)
		return func() {
			if asked != s.asked || !s.Open {
				return
			}
			s.Fault = ""
			if err != nil {
				s.app.failed(err)
				s.Fault = pcp.AsFault(err).Message
				return
			}
			s.Table = &table
		}
	})
}

// SetKept excludes a kind of text from replacement, or includes it.
func (s *Saving) SetKept(kind string, stays bool) {
	s.Stays[kind] = stays
	s.Preview()
}

// Save saves as a download or, with folder, into a folder that the user chooses.
func (s *Saving) Save(folder bool) {
	if s.Busy || s.app.current == nil || s.app.Page.Keep == nil {
		return
	}
	if _, ok := volumeSize(s.Volume); !ok {
		s.Fault = "The volume size must be a number of MiB or GiB, such as 20 MiB."
		return
	}
	if !folder {
		s.save(s.app.Page.Keep)
		return
	}
	if s.app.Page.Folder == nil {
		return
	}
	s.Container = "files"
	s.app.Page.Folder(func(keep func(files []rpc.SavedFile) error) {
		s.app.Loop.Lock()
		defer s.app.Loop.UnlockRender()
		s.save(keep)
	})
}

// often is the minimum interval between drawings of the progress.
const often = 100 * time.Millisecond

func (s *Saving) save(keep func(files []rpc.SavedFile) error) {
	tab, q := s.app.current, s.query()
	if tab == nil || s.Busy {
		return
	}
	tables, format := s.exportQuery(), s.Format
	ctx, stop := context.WithCancel(tab.ctx)
	s.Busy, s.stop, s.Fault, s.Report, s.Exported, s.Files, s.Progress = true, stop, "", nil, nil, nil, api.Progress{}
	var last time.Time
	progress := func(p api.Progress) {
		if time.Since(last) < often {
			return
		}
		last = time.Now()
		s.app.Go(func() { // the caller holds the loop's lock
			s.app.Loop.Lock()
			s.Progress = p
			s.app.Loop.UnlockRender()
		})
	}
	s.app.work(func() func() {
		defer stop()
		var saved rpc.Saved
		var exported rpc.Exported
		var err error
		if format == "" {
			saved, err = rpc.Invoke(ctx, s.app.Engine, rpc.Save, q, progress)
		} else {
			exported, err = rpc.Invoke(ctx, s.app.Engine, rpc.Export, tables, progress)
			saved.Files = exported.Files
		}
		if err == nil {
			err = keep(saved.Files)
		}
		return func() {
			s.Busy, s.stop = false, nil
			if err != nil {
				if f := pcp.AsFault(err); f.Kind != pcp.Cancelled {
					s.app.failed(err)
					s.Fault = f.Message
				}
				return
			}
			if format == "" {
				s.Report = &saved.Report
			} else {
				s.Exported = &exported.Report
			}
			for _, f := range saved.Files {
				s.Files = append(s.Files, f.Name)
			}
		}
	})
}
