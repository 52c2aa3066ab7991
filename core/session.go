package core

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/budget"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
)

// A File is one file as a user gave it.
type File struct {
	Name string // path as the user knows it, "/" between folders
	Size int64
	At   io.ReaderAt
	// Modified is when the file was last written, 0 if not known. It is the
	// time of an MMV file's values.
	Modified pcp.Time
}

// A Session holds open sources. Its methods are safe for concurrent use.
type Session struct {
	mu      sync.Mutex
	sources []*source // in the order they were opened
	last    api.SourceID
	opt     Options
	memory  *budget.Budget
	spare   idleTime
}

// Options configures a session.
type Options struct {
	// Memory is the budget in bytes for everything that the session holds:
	// metadata, values, unpacked files, answers, and working memory; 0 means
	// the default.
	Memory int64
	// Lanes is how many compressed archives of a source are read at once; 0
	// means one. More helps only if unpacking is offloaded.
	Lanes int
	// Yield, if set, is called often during long work, from the goroutine doing
	// it. On a single thread it lets events be handled.
	Yield func()
	// YieldReading, if set, is called in place of Yield while files are unpacked and
	// read. Reading goes on when it returns.
	YieldReading func()
	// Offload, if set, may decompress files instead of the decoders here.
	Offload container.Offload
	// After is the last source ID given out by an earlier session, so that this
	// session does not reuse it.
	After api.SourceID
	// Zone looks up a time zone by name, such as "Europe/Berlin"; nil means
	// time.LoadLocation.
	Zone func(name string) (*time.Location, error)
	// Compose returns a text in Unicode normalization form C; nil means
	// golang.org/x/text, whose tables a browser build leaves out.
	Compose func(text string) string
	// Zstd compresses files that are saved; nil means save.Zstd, which a browser
	// build leaves out.
	Zstd save.Compressor
}

// NewSession returns a session without open sources.
func NewSession(opt Options) *Session {
	if opt.Memory <= 0 {
		opt.Memory = defaultMemory
	}
	if opt.YieldReading == nil {
		opt.YieldReading = opt.Yield
	}
	return &Session{opt: opt, last: opt.After, memory: budget.New(opt.Memory)}
}

// proceed yields and returns the context's error, nil to go on. Long work calls
// it often.
func (s *Session) proceed(ctx context.Context) error {
	if s.opt.Yield != nil {
		s.opt.Yield()
	}
	if j := jobOf(ctx); j != nil {
		s.spare.turn(ctx, j)
	}
	if ctx.Err() != nil {
		return cancelled()
	}
	return nil
}

func (s *Session) unpacker() container.Unpacker {
	return container.Unpacker{Yield: s.opt.YieldReading, Offload: s.opt.Offload}
}

// Sources describes all open sources, in the order they were opened.
func (s *Session) Sources() []api.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]api.Source, 0, len(s.sources))
	for _, src := range s.sources {
		list = append(list, src.describe())
	}
	return list
}

// Close stops all work on a source and releases its memory.
func (s *Session) Close(id api.SourceID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.sources, func(src *source) bool { return src.about.ID == id })
	if i < 0 {
		return unknownSource(id)
	}
	s.sources[i].stop()
	s.sources[i].release()
	s.sources = slices.Delete(s.sources, i, i+1)
	return nil
}

// Loaded waits until all of a source has been read, and describes it.
func (s *Session) Loaded(ctx context.Context, id api.SourceID, progress func(api.Progress)) (api.Source, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Source{}, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return api.Source{}, err
	}
	return src.describe(), nil
}

// Halt stops the reading of a source. Partial queries are answered from what
// has been read so far; any other question resumes the reading.
func (s *Session) Halt(id api.SourceID) (api.Source, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Source{}, err
	}
	src.loader.Halt()
	return src.describe(), nil
}

// Files reports how far each file of a source has been read. It does not wait.
func (s *Session) Files(id api.SourceID) ([]api.SourceFile, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	files := []api.SourceFile{}
	for _, p := range src.parts {
		for _, f := range p.Files() {
			files = append(files, api.SourceFile{Name: f.Name, Bytes: f.Size, Read: f.Read, Unpacked: f.Unpacked, Records: f.Records, First: f.First, Last: f.Last})
		}
	}
	return files, nil
}

func (s *Session) source(id api.SourceID) (*source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.sources {
		if src.about.ID == id {
			return src, nil
		}
	}
	return nil, unknownSource(id)
}

func unknownSource(id api.SourceID) error {
	return pcp.Faultf(pcp.BadArgument, "There is no open source with the ID %d.", id)
}
