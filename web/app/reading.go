package app

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// Reading is the state shown while files are being opened.
type Reading struct {
	Files    []ReadFile // those that are listed
	more     int        // number of others
	Progress api.Progress
	Bytes    int64  // of all files
	tabs     []*Tab // opened so far
	files    []File
	began    time.Time
	opened   OnOpened
	cancel   context.CancelFunc
	failed   error  // what ended it, other than the user or the end of the files
	after    func() // called when it is over; may be nil
}

// maxFiles is how many files are listed while they are being read.
const maxFiles = 200

// maxSorted is from how many files these are chosen.
const maxSorted = 5000

// A ReadFile is a file being opened.
type ReadFile struct {
	Name string
	Size int64
	As   string // what it is, judging by its name
	Left bool   // will not be read
}

// Sources are the tabs whose files are being read.
func (r *Reading) Sources() []*Tab { return r.tabs }

// A FileRow is one line of the list of files being read: an archive, or one of its files.
type FileRow struct {
	ReadFile
	Group    bool
	State    string
	Share    float64 // fraction read, 0 to 1; below 0 if not applicable
	Unpacked int64   // bytes unpacked so far from a compressed file
	Now      bool    // it is being read now
}

// Rows lists the files: as a flat list while only their names are known, then grouped by
// archive.
func (r *Reading) Rows() []FileRow {
	var rows []FileRow
	files, taken := r.volumesLast(), make([]bool, len(r.Files))
	for _, tab := range r.tabs {
		rows = append(rows, tab.Loading.fileRow())
		reads := map[string]api.SourceFile{}
		for _, f := range tab.Loading.reads {
			reads[path.Base(f.Name)] = f
		}
		for i, f := range files {
			if taken[i] || !tab.Loading.has(f.Name) {
				continue
			}
			taken[i] = true
			rows = append(rows, tab.Loading.memberRow(f, reads[path.Base(f.Name)]))
		}
	}
	var left []FileRow
	for i, f := range files {
		switch {
		case taken[i]:
		case f.Left:
			left = append(left, FileRow{ReadFile: f, Share: -1, State: "skipped"})
		case len(r.tabs) > 0 && f.container():
			rows = append(rows, FileRow{ReadFile: f, Share: -1, State: "unpacked"})
		default:
			rows = append(rows, FileRow{ReadFile: f, Share: -1})
		}
	}
	if len(left) > 0 && len(r.tabs) > 0 {
		rows = append(rows, FileRow{ReadFile: ReadFile{Name: "Not data", As: "these are not read"}, Group: true, Share: -1})
	}
	return append(rows, left...)
}

// volumesLast returns the files in reading order: volumes by number, after metadata and
// index.
func (r *Reading) volumesLast() []ReadFile {
	list := slices.Clone(r.Files)
	sorting.Stable(list, func(x, y ReadFile) int { return x.order() - y.order() })
	return list
}

// fileRow is the line of the archive itself.
func (l *Loading) fileRow() FileRow {
	s := l.tab.Source
	as := "archive, version " + strconv.Itoa(s.Version)
	if s.Kind == "mmv" {
		as = "Memory Mapped Values, version " + strconv.Itoa(s.Version)
	}
	if s.Host != "" {
		as += ", host " + s.Host
	}
	row := FileRow{ReadFile: ReadFile{Name: s.Name, As: as}, Group: true, Share: -1, State: "complete"}
	if s.Loaded < 1 {
		row.State = "being read"
		if done, total := l.amount(); total > 0 {
			row.State = format.Percent(done / total)
		}
	}
	return row
}

// memberRow is the line of one file of the archive. All except data volumes were read when
// it was opened.
func (l *Loading) memberRow(f ReadFile, read api.SourceFile) FileRow {
	tab := l.tab
	row := FileRow{ReadFile: f, Share: 1, State: "read", Unpacked: read.Unpacked}
	switch {
	case f.As == "metadata":
		row.State = format.Plural(tab.Source.Metrics, "metric")
	case f.As == "temporal index" && read.Records > 1:
		row.State = format.Count(read.Records) + " entries"
	case !f.volume():
	case tab.Source.Loaded < 1 && read.Read == 0:
		row.Share, row.State = 0, "waiting"
	case tab.Source.Loaded < 1 && read.Read < read.Bytes:
		row.Share, row.Now = float64(read.Read)/float64(read.Bytes), true
		row.State = format.Percent(row.Share)
		if read.Records > 0 {
			row.State += ", at " + tab.Clock.Within(read.Last, tab.Source.Start, tab.Source.End)
		}
	case read.Records > 0:
		row.State = tab.Clock.Range(read.First, read.Last)
	}
	return row
}

func (f ReadFile) volume() bool { return strings.HasPrefix(f.As, "volume ") }

func (f ReadFile) container() bool { return strings.HasSuffix(f.As, " container") }

// order is the number of a volume; other files come first.
func (f ReadFile) order() int {
	if !f.volume() {
		return -1
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(f.As, "volume "))
	return n
}

// amount returns how many bytes have been read, and of how many.
func (r *Reading) amount() (done, total float64) {
	for _, tab := range r.tabs {
		d, t := tab.Loading.amount()
		if tab.Source.Loaded >= 1 {
			d = t
		}
		done, total = done+d, total+t
	}
	if total == 0 {
		return r.Progress.Done, r.Progress.Total
	}
	return done, total
}

// unpacked is the number of bytes unpacked from compressed files.
func (r *Reading) unpacked() (n int64) {
	for _, tab := range r.tabs {
		for _, f := range tab.Loading.reads {
			n += f.Unpacked
		}
	}
	return n
}

// Share is the fraction read, 0 to 1.
func (r *Reading) Share() float64 {
	done, total := r.amount()
	if total <= 0 {
		return 0
	}
	return min(1, done/total)
}

// Title counts the files that have been read.
func (r *Reading) Title() string {
	read, all := 0, 0
	for _, row := range r.Rows() {
		if row.Group {
			continue
		}
		all++
		if row.Share >= 1 || row.State == "unpacked" || row.Left {
			read++
		}
	}
	if len(r.tabs) == 0 {
		return "Reading " + format.Plural(len(r.files), "file")
	}
	return "Reading " + strconv.Itoa(min(read+1, all)) + " of " + format.Plural(all+r.more, "file")
}

// Sentence says how far reading has got, and how long it may still take.
func (r *Reading) Sentence() string {
	done, total := r.amount()
	if total <= 0 {
		if r.Bytes == 0 && r.Progress.Phase != "" { // of a folder on a server
			return strings.ToUpper(r.Progress.Phase[:1]) + r.Progress.Phase[1:]
		}
		return format.Bytes(float64(r.Bytes))
	}
	s := format.Bytes(done) + " of " + format.Bytes(total)
	if n := r.unpacked(); n > 0 {
		s += ", " + format.Bytes(float64(n)) + " unpacked"
	}
	if len(r.tabs) == 0 && r.Progress.Phase != "" {
		s += ", " + r.Progress.Phase
	}
	if took := time.Since(r.began); took > time.Second && done > 0 && done < total {
		left := time.Duration(float64(took) * (total - done) / done)
		s += ", about " + format.Span(int64(left.Round(time.Second)+time.Second)) + " left"
	}
	return s
}
