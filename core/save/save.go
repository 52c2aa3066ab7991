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
	// Start and End are the window, both included. The zero of both is all.
	Start, End pcp.Time
	// Strict leaves the records before the window out. Otherwise those that
	// hold what the metrics were last, before it begins, are written too: a
	// counter has no rate before its second value.
	Strict bool
	// Metrics are names, or beginnings of names up to a dot; nil for all.
	Metrics []string
	// Instances are names; nil for all. Singular metrics are not concerned.
	Instances []string
	// Version is that of the result, 2 or 3; 0 for the highest of the parts.
	Version int
	// VolumeSize is from how many bytes on another data volume is begun; 0 for
	// DefaultVolume.
	VolumeSize int64
	// Every thins: one value for each interval of that length. 0 for no thinning.
	Every pcp.Time
	// Repair also mends what does not disturb a reader of damaged archives but
	// does disturb PCP's: descriptors, encodings, instances without a name.
	Repair bool
	// Rewrite, if it is there, changes texts on their way.
	Rewrite Rewriter
}

// DefaultVolume is the size of data volumes: that of pmlogger's today.
const DefaultVolume = 100 << 20

// maxVolumeV2 is what an offset of the index and PCP's own tools can take.
const maxVolumeV2 = 1<<31 - 1

// A Report says what was written.
type Report struct {
	Start, End pcp.Time // of the first and last record
	Records    int
	Marks      int
	Metrics    int
	Volumes    int
	Notes      []string // what is otherwise than the user may think, one sentence each
}

// A Progress is told how far a phase has come, in bytes.
type Progress func(phase string, done, total int64)

// Write writes an archive. create opens the file of a suffix: "meta", "index",
// "0" and so on. Each is closed when it is whole, the metadata last.
func Write(ctx context.Context, q Request, create func(suffix string) (io.WriteCloser, error), progress Progress) (Report, error) {
	if progress == nil {
		progress = func(string, int64, int64) {}
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

// notes collects sentences, each once.
type notes struct {
	list []string
	more int
}

const maxNotes = 500

func (n *notes) add(s string) {
	for _, known := range n.list {
		if known == s {
			return
		}
	}
	if len(n.list) == maxNotes {
		n.list = append(n.list, "There is more of this kind.")
	}
	if len(n.list) <= maxNotes {
		n.list = append(n.list, s)
	}
}

// Name makes a base name for files of what a user typed, or of a source's
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
