package save

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A Request says what to write, and how.
type Request struct {
	// Parts are the archives of one host, loaded, in order of their starts.
	Parts []*archive.Archive
	// Start and End are the window, both included; both zero for everything.
	Start, End pcp.Time
	// Strict omits the records before the window. Otherwise those with the
	// metrics' last values before it are written too: a counter has no rate
	// before its second value.
	Strict bool
	// Metrics are names, or prefixes of names up to a dot; nil for all.
	Metrics []string
	// Instances are names; nil for all. They do not affect singular metrics.
	Instances []string
	// Version is that of the result, 2 or 3; 0 for the highest of the parts.
	Version int
	// VolumeSize is how many bytes a data volume has before another one is
	// begun; 0 for DefaultVolume.
	VolumeSize int64
	// Every thins: one value for each interval of that length. 0 for no thinning.
	Every pcp.Time
	// Repair also fixes what PCP's tools reject although readers of damaged
	// archives accept it: descriptors, encodings, instances without a name.
	Repair bool
	// Rewrite, if set, changes texts on their way.
	Rewrite Rewriter
}

// DefaultVolume is the size of data volumes, the same as current pmlogger's.
const DefaultVolume = 100 << 20

// maxVolumeV2 is the limit of an offset of the index and of PCP's own tools.
const maxVolumeV2 = 1<<31 - 1

// A Report says what was written.
type Report struct {
	Start, End pcp.Time // of the first and last record
	Records    int
	Marks      int
	Metrics    int
	Volumes    int
	Notes      []string // what may be unexpected, one sentence each
}

// A Progress is called with how far a phase has got, in bytes.
type Progress func(phase string, done, total int64)

// Write writes an archive. create opens the file of a suffix: "meta", "index",
// "0" and so on. Each is closed when it is complete, the metadata last.
func Write(ctx context.Context, q Request, create func(suffix string) (io.WriteCloser, error), progress Progress) (Report, error) {
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	var said struct { // last
		phase       string
		done, total int64
	}
	report := progress
	progress = func(phase string, done, total int64) {
		said.phase, said.done, said.total = phase, done, total
		report(phase, done, total)
	}
	p, err := newPlan(q, func() bool {
		progress("preparing", 0, 1)
		return ctx.Err() == nil
	})
	if err != nil {
		return Report{}, err
	}
	label := p.label()
	if q.Rewrite != nil {
		label.Host, label.Timezone, label.Zoneinfo = q.Rewrite.Host(label.Host), q.Rewrite.Zone(label.Timezone), q.Rewrite.Zone(label.Zoneinfo)
	}
	out, err := archive.NewWriter(label, create)
	if err != nil {
		out.Close()
		return Report{}, err
	}
	w := writer{ctx: ctx, plan: p, out: out, progress: progress}
	w.turn = func() bool {
		report(said.phase, said.done, said.total)
		return ctx.Err() == nil
	}
	if err = w.run(); err == nil {
		err = out.Close()
	} else {
		out.Close()
	}
	if ctx.Err() != nil {
		return Report{}, pcp.Faultf(pcp.Cancelled, "Saving was stopped.")
	}
	if err != nil {
		var known *pcp.Fault
		if !errors.As(err, &known) {
			err = pcp.Faultf(pcp.Internal, "The archive could not be written: %v.", err)
		}
		return Report{}, err
	}
	w.report.Notes = p.notes.list
	return w.report, nil
}

// notes collects distinct sentences.
type notes struct {
	list []string
}

const maxNotes = 500

func (n *notes) add(s string) {
	for _, known := range n.list {
		if known == s {
			return
		}
	}
	if len(n.list) == maxNotes {
		n.list = append(n.list, "There are more notes of this kind.")
	}
	if len(n.list) <= maxNotes {
		n.list = append(n.list, s)
	}
}

// Name makes a base name for files from what a user typed, or from a source's
// name: no folders, nothing that file systems refuse.
func Name(s string) string {
	s = path.Base(strings.ReplaceAll(s, "\\", "/"))
	s = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '-'
		}
		return r
	}, s)
	if s = strings.Trim(s, ". "); s == "" {
		s = "archive"
	}
	return s
}
