package container

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A File is a file with random access.
type File struct {
	Name string // path as the user knows it, "/" between folders
	Size int64
	At   io.ReaderAt
}

// A Leaf is a useful file: a part of an archive (still compressed, if it was),
// an MMV file (never compressed), or a configuration file of one of PCP's
// tools.
//
// The name of a file from a container begins with the container's name as if
// that were a folder, so that hosts whose archives have the same names stay
// separate.
type Leaf struct {
	File
	Kind Kind // Member, MMV, Derived, View, PmrepConfig or PmieRules
}

// A Rejected file cannot be used, for the given reason.
type Rejected struct {
	Name  string
	Fault pcp.Fault
}

// Skipped counts files in containers that are not part of an archive.
type Skipped struct {
	Files int
	Bytes int64
}

// Expanded is what Expand found.
type Expanded struct {
	Leaves   []Leaf // sorted by name
	Folios   []Folio
	Rejected []Rejected  // given files that cannot be used
	Problems []pcp.Fault // containers that could not be read completely, and what was used of them
	Skipped  Skipped
}

// Options limits the work of Expand. Fields that are 0 have a default.
type Options struct {
	Spool    Spool // for unpacked members; default: memory, up to 1 GiB
	Depth    int   // nesting of containers; default 4
	Entries  int   // files in all containers together; default 2 million
	Unpacked int64 // bytes decompressed in total; default 256 GiB
	Unpacker Unpacker
}

func (o Options) withDefaults() Options {
	if o.Spool == nil {
		o.Spool = NewMemory(budget.New(1 << 30).Claim(0))
	}
	if o.Depth == 0 {
		o.Depth = 4
	}
	if o.Entries == 0 {
		o.Entries = 2_000_000
	}
	if o.Unpacked == 0 {
		o.Unpacked = 256 << 30
	}
	return o
}

// Limits of what is stored about containers, which a small file could exceed by
// far.
const (
	maxCandidates = 200_000 // parts of archives
	maxProblems   = 500     // reported individually
	maxNamed      = 20_000  // archives in folios
	maxPath       = 4096    // bytes of a file's name, as in Linux
)

// noteSize is the memory for a file in a container, without its bytes and its
// name, which is in several lists.
const noteSize = 600

// Progress reports how far the given files have been read, in bytes. It is
// called several times a second on the working goroutine, and may yield.
type Progress func(phase string, done, total int64)

// Expand sorts the files given by a user. Parts of archives and MMV files are
// left as they are, even compressed. Containers (tar and zip, compressed or
// not, nested) are read once, as a stream; only PCP's files in them are kept.
// The only error is a cancelled context: unreadable files are reported in the
// result, beside the readable ones.
func Expand(ctx context.Context, files []File, opt Options, progress Progress) (*Expanded, error) {
	x := &expander{opt: opt.withDefaults(), ctx: ctx, progress: progress, out: new(Expanded)}
	for _, f := range files {
		x.total += f.Size
	}
	ahead := newReadAhead(files)
	for i, f := range files {
		x.phase = "reading " + path.Base(f.Name)
		it := item{name: f.Name, known: f.Name, size: f.Size, r: x.source(f, ahead.head(i)), fixed: f.At, given: true}
		words, err := x.lookGiven(it)
		switch {
		case err != nil:
			x.reject(f.Name, pcp.AsFault(err))
		case words != "":
			x.reject(f.Name, pcp.Faultf(pcp.Unsupported, "This is %s.", words))
		}
		x.before += f.Size
		x.done.Store(x.before)
		if err := x.tick(); err != nil {
			return nil, err
		}
	}
	x.settle()
	return x.out, nil
}

func cancelled() error { return pcp.Faultf(pcp.Cancelled, "Opening was cancelled.") }

// A candidate is a file that may be part of an archive, or just have such a
// name: the files beside it decide.
type candidate struct {
	File
	spooled SpoolFile // nil for one that can be read in place
	given   bool      // not from a container
	sure    bool      // begins like a part of an archive
}

type expander struct {
	opt      Options
	ctx      context.Context
	progress Progress
	out      *Expanded

	candidates []candidate
	containers []string // those given
	entries    int
	unpacked   int64
	named      int // archives named by the folios
	more       int // problems beyond those listed
	longNames  int // number of files whose names are too long

	copying []byte // buffer of keep

	taken func() int64 // how much of the file last opened in a zip has been read

	phase    string
	before   int64 // bytes of the files already processed
	done     atomic.Int64
	total    int64
	reported time.Time
}

// An item is one file to examine, given or in a container.
type item struct {
	name  string // its own; a compressed file's without the suffix
	known string // the name that users know
	size  int64
	r     io.Reader
	fixed io.ReaderAt // the same bytes with lasting random access; else nil
	given bool        // not from a container
}

// lookGiven examines a given file; a panic loses only this one.
func (x *expander) lookGiven(it item) (words string, err error) {
	defer pcp.Recover("looking at "+path.Base(it.known), &err)
	return x.look(it, 1), nil
}

// look uses the item, or says what it is if it cannot be used.
func (x *expander) look(it item, depth int) (words string) {
	peek := newPeeker(it.r)
	head, err := peek.head()
	if err != nil && len(head) == 0 && err != io.EOF {
		x.problem(it.known, err, "")
		return ""
	}
	it.r = peek
	_, _, _, named := SplitMember(it.name)
	kind, words := Describe(it.name, head)
	switch {
	case kind == Tar || kind == Zip || kind == Packed && !named:
		if depth > x.opt.Depth {
			x.problem(it.known, pcp.Faultf(pcp.Unsupported, "Containers are nested more than %d deep.", x.opt.Depth), "It was left out.")
			return ""
		}
		if kind != Packed && it.given {
			x.containers = append(x.containers, it.known)
		}
		switch kind {
		case Tar:
			x.tar(it, depth)
		case Zip:
			x.zip(it, depth)
		default:
			return x.packed(it, head, depth)
		}
	case kind == Member && named, kind == Packed, named && (kind == Retired || kind == Empty || kind == Other && it.given):
		if len(x.candidates) == maxCandidates {
			x.problem(it.known, pcp.Faultf(pcp.OutOfMemory, "There are more than %d parts of archives.", maxCandidates), "It was left out.")
			return ""
		}
		if f, s, ok := x.keep(it); ok {
			sure := kind == Member || kind == Packed && x.innerLabel(f) > noLabel
			x.candidates = append(x.candidates, candidate{File: f, spooled: s, given: it.given, sure: sure})
		}
	case kind == MMV, it.given && (kind == Derived || kind == View || kind == PmrepConfig || kind == PmieRules):
		it.known, _ = TrimSuffix(it.known) // these are kept unpacked
		if f, _, ok := x.keep(it); ok {
			x.out.Leaves = append(x.out.Leaves, Leaf{f, kind})
		}
	case kind == FolioFile:
		x.folio(it)
	default:
		return words
	}
	return ""
}

// packed looks into a compressed file that is not named like a part of an
// archive.
func (x *expander) packed(it item, head []byte, depth int) string {
	c := Sniff(head)
	_, words := Describe(it.name, head)
	if it.fixed != nil {
		it.r = x.again(it) // from the first byte, and seekable
	}
	r, err := x.opt.Unpacker.NewReader(c, it.r)
	if err != nil {
		return words
	}
	defer r.Close()
	name, _ := TrimSuffix(it.name)
	inner := x.look(item{name: name, known: it.known, r: x.meter(c, r, x.readSoFar), size: -1, given: it.given}, depth+1)
	if inner == "" {
		return ""
	}
	return inner + ", compressed"
}

// keep makes sure that an item's bytes can be read again. Truncated items are
// kept as far as they go.
func (x *expander) keep(it item) (File, SpoolFile, bool) {
	if !it.given { // a container of a few kB may hold millions of names
		if err := x.opt.Spool.Note(noteSize + 4*len(it.known)); err != nil {
			x.problem(it.known, err, "It was left out.")
			return File{}, nil, false
		}
	}
	if it.fixed != nil {
		return File{it.known, it.size, it.fixed}, nil, true
	}
	s, err := x.opt.Spool.Create(it.known)
	if err != nil {
		x.problem(it.known, err, "It was left out.")
		return File{}, nil, false
	}
	if x.copying == nil {
		x.copying = make([]byte, 64<<10)
	}
	_, err = io.CopyBuffer(onlyWriter{s}, onlyReader{it.r}, x.copying)
	f := pcp.AsFault(err)
	switch {
	case err == nil:
	case x.ctx.Err() != nil || f.Kind == pcp.OutOfMemory || s.Size() == 0:
		x.problem(it.known, err, "It was left out.")
		s.Discard()
		return File{}, nil, false
	default:
		x.problem(it.known, err, fmt.Sprintf("The %s bytes before were used.", pcp.Grouped(s.Size())))
	}
	return File{it.known, s.Size(), s}, s, true
}

// settle decides on the candidates: files named like parts of an archive are
// accepted if they begin like one or lie beside one that does.
func (x *expander) settle() {
	sure := map[string]bool{}
	for _, c := range x.candidates {
		base, _, _, _ := SplitMember(c.Name)
		sure[base] = sure[base] || c.sure
	}
	latest := map[string]int{} // if a container holds a file twice the later one counts, as in tar(1)
	for i, c := range x.candidates {
		if !c.given {
			latest[c.Name] = i
		}
	}
	for i, c := range x.candidates {
		base, _, _, _ := SplitMember(c.Name)
		switch {
		case !c.given && (latest[c.Name] != i || !sure[base]):
			x.skip(c.Size)
			if c.spooled != nil {
				c.spooled.Discard()
			}
		case sure[base]:
			x.out.Leaves = append(x.out.Leaves, Leaf{c.File, Member})
		default:
			head, _ := readHead(c.At, c.Size)
			kind, words := Describe(c.Name, head)
			if kind == Packed {
				words += " that does not hold part of a PCP archive"
			}
			x.reject(c.Name, pcp.Faultf(pcp.Unsupported, "This is %s.", words))
		}
	}
	x.settleContainers()
	if x.more > 0 {
		x.out.Problems = append(x.out.Problems, *pcp.Faultf(pcp.Corrupt, "There are %d further problems of this kind.", x.more))
	}
	if x.longNames > 0 {
		x.out.Problems = append(x.out.Problems, *pcp.Faultf(pcp.Unsupported, "In containers %d files have names of more than %d bytes; they were left out.", x.longNames, maxPath))
	}
	sorting.Stable(x.out.Leaves, func(a, b Leaf) int { return strings.Compare(a.Name, b.Name) })
}

// settleContainers rejects the containers without any useful file.
func (x *expander) settleContainers() {
	if len(x.containers) == 0 {
		return
	}
	var names []string // of files from containers
	for _, l := range x.out.Leaves {
		names = append(names, l.Name)
	}
	for _, f := range x.out.Folios {
		names = append(names, f.Name)
	}
	for _, f := range x.out.Problems {
		names = append(names, f.File)
	}
	slices.Sort(names)
	has := func(name string, whole bool) bool {
		i, found := slices.BinarySearch(names, name)
		return found || !whole && i < len(names) && strings.HasPrefix(names[i], name)
	}
	for _, c := range x.containers {
		if !has(c, true) && !has(c+"/", false) {
			x.reject(c, pcp.Faultf(pcp.Unsupported, "No part of a PCP archive and no MMV file is inside."))
		}
	}
}

// innerLabel reports whether a compressed file begins like a part of an
// archive. A file that cannot be decompressed counts as one that does: its name
// says so, and its damage should be reported.
func (x *expander) innerLabel(f File) likeness {
	head, err := readHead(f.At, f.Size)
	if err != nil {
		return noLabel
	}
	c := Sniff(head)
	r, err := x.opt.Unpacker.NewReader(c, io.NewSectionReader(f.At, 0, f.Size))
	if err != nil {
		return halfLabel
	}
	defer r.Close()
	inner := make([]byte, 28)
	n, err := io.ReadFull(r, inner)
	if n == 0 && err != io.EOF {
		return halfLabel
	}
	l, _ := looksLabel(inner[:n])
	return l
}

func (x *expander) folio(it item) {
	if x.named > maxNamed {
		x.more++
		return
	}
	text, err := io.ReadAll(io.LimitReader(it.r, 1<<20))
	if err != nil && len(text) == 0 {
		x.problem(it.known, err, "")
		return
	}
	f, err := ParseFolio(it.known, text)
	if err != nil {
		x.reject(it.known, pcp.AsFault(err))
		return
	}
	if x.named += len(f.Archives); x.named > maxNamed {
		x.problem(it.known, pcp.Faultf(pcp.OutOfMemory, "The folios name more than %s archives.", pcp.Grouped(maxNamed)), "This one and those after it were left out.")
		return
	}
	x.out.Folios = append(x.out.Folios, *f)
}

func (x *expander) reject(name string, f *pcp.Fault) {
	x.out.Rejected = append(x.out.Rejected, Rejected{name, *f.In(name)})
}

func (x *expander) problem(name string, err error, done string) {
	if len(x.out.Problems) == maxProblems {
		x.more++
		return
	}
	f := *pcp.AsFault(err).In(name)
	if f.Done == "" {
		f.Done = done
	}
	x.out.Problems = append(x.out.Problems, f)
}

// tooLong skips a file whose name is too long.
func (x *expander) tooLong(name string, size int64) bool {
	if len(name) <= maxPath {
		return false
	}
	x.longNames++
	x.skip(max(size, 0))
	return true
}

// enter begins with the next file of a container.
func (x *expander) enter() error {
	if x.entries++; x.entries > x.opt.Entries {
		return pcp.Faultf(pcp.OutOfMemory, "There are more than %d files in the containers.", x.opt.Entries)
	}
	return x.tick()
}

// skip counts a file that is left out.
func (x *expander) skip(bytes int64) {
	x.out.Skipped.Files++
	x.out.Skipped.Bytes += bytes
}
