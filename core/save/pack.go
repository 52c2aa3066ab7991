package save

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"hash"
	"hash/crc32"
	"io"
	"strings"
	"time"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// A Storage keeps files that are being written until they are released all at
// once. Otherwise they are lost with it: there is never half an archive.
type Storage interface {
	Create(name string) (io.WriteCloser, error)
	// Open returns what was written.
	Open(name string) (at io.ReaderAt, size int64, err error)
	// Join makes one file out of pieces, and removes those that are files.
	Join(name string, pieces []Piece) error
}

// A Piece of a file is bytes, or a complete other file of the storage.
type Piece struct {
	Bytes []byte
	File  string
}

// A Packed file has been written to the storage.
type Packed struct {
	Name string
	Size int64
	CRC  uint32 // of a file that was written elsewhere, for a zip
	crc  hash.Hash32
}

func (f *Packed) sum() uint32 {
	if f.crc == nil {
		return f.CRC
	}
	return f.crc.Sum32()
}

// A packer writes the files of an archive to a storage.
type packer struct {
	storage Storage
	name    string
	zstd    Compressor // nil for none
	zip     bool       // needs checksums
	files   []*Packed
}

// create opens the file of a suffix. Data volumes and metadata are compressed,
// as PCP's daily job does; the index is not.
func (p *packer) create(suffix string) (io.WriteCloser, error) {
	f := &Packed{Name: p.name + "." + suffix}
	if p.zip {
		f.crc = crc32.NewIEEE()
	}
	packed := p.zstd != nil && suffix != "index"
	if packed {
		f.Name += ".zst"
	}
	w, err := p.storage.Create(f.Name)
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, f)
	out := &buffered{counted: &counted{w: w, f: f}, buf: make([]byte, 0, pieceSize)}
	if !packed {
		return out, nil
	}
	z, err := p.zstd(out)
	if err != nil {
		out.Close()
		return nil, err
	}
	return &zipped{z, out}, nil
}

// pieceSize is how much is passed to the storage at a time.
const pieceSize = 1 << 20

// backSize is how much is read back at a time: each read costs a browser some
// milliseconds.
const backSize = 8 << 20

// counted counts the bytes passed on.
type counted struct {
	w io.WriteCloser
	f *Packed
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.f.Size += int64(n)
	if c.f.crc != nil {
		c.f.crc.Write(b[:n])
	}
	return n, err
}

// buffered passes on large pieces.
type buffered struct {
	*counted
	buf []byte
}

func (b *buffered) Write(p []byte) (int, error) {
	if len(b.buf)+len(p) > cap(b.buf) {
		if err := b.flush(); err != nil {
			return 0, err
		}
	}
	if len(p) >= cap(b.buf) {
		return b.counted.Write(p)
	}
	b.buf = append(b.buf, p...)
	return len(p), nil
}

func (b *buffered) flush() error {
	_, err := b.counted.Write(b.buf)
	b.buf = b.buf[:0]
	return err
}

func (b *buffered) Close() error {
	err := b.flush()
	if cerr := b.w.Close(); err == nil {
		err = cerr
	}
	return err
}

// A Compressor returns a writer that compresses to out. Its Close writes what is left,
// and releases it; it leaves out open.
type Compressor func(out io.Writer) (io.WriteCloser, error)

// zipped compresses.
type zipped struct {
	io.WriteCloser
	out *buffered
}

func (z *zipped) Close() error {
	err := z.WriteCloser.Close()
	if cerr := z.out.Close(); err == nil {
		err = cerr
	}
	return err
}

// To says where a saved archive goes.
type To struct {
	Storage   Storage
	Name      string     // base name
	Zstd      Compressor // of data volumes and metadata, with zstd; nil leaves them as they are
	Container string     // "tar", "zip", or "" for separate files
}

// Pack writes an archive to a storage and returns its files, the metadata last,
// or the one that holds them all. check, which may be nil, first gets each
// file, uncompressed; if it returns an error there is no result.
func Pack(ctx context.Context, q Request, to To, check func(name string, r io.Reader) error, progress Progress) ([]Packed, Report, error) {
	if to.Container != "" && to.Container != "tar" && to.Container != "zip" {
		return nil, Report{}, pcp.Faultf(pcp.BadArgument, "Archives are packed as tar or zip, not as %s.", to.Container)
	}
	p := packer{storage: to.Storage, name: Name(to.Name), zstd: to.Zstd, zip: to.Container == "zip"}
	report, err := Write(ctx, q, p.create, progress)
	if err != nil {
		return nil, report, err
	}
	if check != nil {
		if err := p.check(ctx, check, progress); err != nil {
			return nil, report, err
		}
	}
	files := make([]Packed, 0, len(p.files))
	for _, f := range p.files[1:] { // the metadata were begun first, and go last
		files = append(files, *f)
	}
	files = append(files, *p.files[0])
	files, err = Bundle(to.Storage, p.name, to.Container, files, report.End)
	return files, report, err
}

// Bundle makes one file of several on a storage: a tar or a zip; if container is
// "" it leaves them separate.
func Bundle(storage Storage, name, container string, files []Packed, modified pcp.Time) ([]Packed, error) {
	var pieces []Piece
	var err error
	switch container {
	case "":
		return files, nil
	case "tar":
		pieces, err = packTar(files, modified)
	case "zip":
		pieces, err = packZip(files, modified)
	default:
		err = pcp.Faultf(pcp.BadArgument, "Files are packed as tar or zip, not as %s.", container)
	}
	if err != nil {
		return nil, err
	}
	one := Packed{Name: name + "." + container}
	for _, piece := range pieces {
		one.Size += int64(len(piece.Bytes))
	}
	for _, f := range files {
		one.Size += f.Size
	}
	return []Packed{one}, storage.Join(one.Name, pieces)
}

// check reads the files back.
func (p *packer) check(ctx context.Context, check func(name string, r io.Reader) error, progress Progress) error {
	back := progressSink{ctx: ctx, progress: progress}
	for _, f := range p.files {
		back.total += f.Size
	}
	for _, f := range p.files {
		at, size, err := p.storage.Open(f.Name)
		if err != nil {
			return err
		}
		file := newAhead(at, size)
		defer file.Close()
		back.phase, back.r = "checking "+f.Name, file
		name, r := f.Name, io.Reader(&back)
		if plain, packed := strings.CutSuffix(f.Name, ".zst"); packed {
			z, err := container.Zstd.NewReader(r)
			if err != nil {
				return err
			}
			defer z.Close()
			name, r = plain, z
		}
		if err := check(name, r); err != nil {
			return err
		}
	}
	return nil
}

// progressSink reports progress over several files, and stops with the context.
type progressSink struct {
	ctx         context.Context
	r           io.Reader
	phase       string
	done, total int64
	progress    Progress
}

func (w *progressSink) Read(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, errStopped
	}
	w.progress(w.phase, w.done, w.total)
	n, err := w.r.Read(b)
	w.done += int64(n)
	return n, err
}

// packTar returns the pieces of a tar.
func packTar(files []Packed, modified pcp.Time) ([]Piece, error) {
	var pieces []Piece
	for _, f := range files {
		var head bytes.Buffer
		err := tar.NewWriter(&head).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: f.Size, Mode: 0o644, ModTime: modified.Std().Truncate(time.Second), Format: tar.FormatPAX})
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, Piece{Bytes: head.Bytes()}, Piece{File: f.Name}, Piece{Bytes: make([]byte, -f.Size&511)})
	}
	return append(pieces, Piece{Bytes: make([]byte, 1024)}), nil
}

// packZip returns the pieces of a zip whose files are stored uncompressed. The
// writer gets as many bytes as each file has, which are discarded.
func packZip(files []Packed, modified pcp.Time) ([]Piece, error) {
	var out sink
	z := zip.NewWriter(&out)
	blank := make([]byte, 1<<20)
	for _, f := range files {
		w, err := z.CreateRaw(&zip.FileHeader{Name: f.Name, Method: zip.Store, Modified: modified.Std(), CRC32: f.sum(), CompressedSize64: uint64(f.Size), UncompressedSize64: uint64(f.Size)})
		if err != nil {
			return nil, err
		}
		z.Flush()
		out.skip = true
		for left := f.Size; left > 0; {
			n := min(left, int64(len(blank)))
			if _, err := w.Write(blank[:n]); err != nil {
				return nil, err
			}
			left -= n
		}
		z.Flush()
		out.skip = false
		out.pieces = append(out.pieces, Piece{File: f.Name})
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.pieces, nil
}

// sink keeps what is written, except for what is skipped.
type sink struct {
	pieces []Piece
	skip   bool
}

func (s *sink) Write(b []byte) (int, error) {
	if !s.skip {
		s.pieces = append(s.pieces, Piece{Bytes: bytes.Clone(b)})
	}
	return len(b), nil
}
