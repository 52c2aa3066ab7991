package save

import (
	"context"
	"hash"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pcpscope/core/pcp"
	"pcpscope/core/save/bundle"
)

// A packer writes the files of an archive to a shelf.
type packer struct {
	shelf bundle.Shelf
	name  string
	zstd  bool
	zip   bool // needs checksums
	files []*written
}

// written is a file, and the checksum of what is in it, where that is needed.
type written struct {
	bundle.Packed
	crc hash.Hash32
}

func (f *written) packed() bundle.Packed {
	if f.crc != nil {
		f.CRC = f.crc.Sum32()
	}
	return f.Packed
}

// create opens the file of a suffix. Data volumes and metadata are compressed,
// as PCP's daily job does; the index is not.
func (p *packer) create(suffix string) (io.WriteCloser, error) {
	f := &written{Packed: bundle.Packed{Name: p.name + "." + suffix}}
	if p.zip {
		f.crc = crc32.NewIEEE()
	}
	packed := p.zstd && suffix != "index"
	if packed {
		f.Name += ".zst"
	}
	w, err := p.shelf.Create(f.Name)
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, f)
	out := &buffered{counted: &counted{w: w, f: f}, buf: make([]byte, 0, pieceSize)}
	if !packed {
		return out, nil
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	return &zipped{z, out}, nil
}

// pieceSize is how much is passed to the shelf at a time.
const pieceSize = 1 << 20

// backSize is how much is read back at a time: each read costs a browser some
// milliseconds.
const backSize = 8 << 20

// counted counts the bytes passed on.
type counted struct {
	w io.WriteCloser
	f *written
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

// zipped compresses.
type zipped struct {
	*zstd.Encoder
	out *buffered
}

func (z *zipped) Close() error {
	err := z.Encoder.Close()
	if cerr := z.out.Close(); err == nil {
		err = cerr
	}
	return err
}

// To says where a saved archive goes.
type To struct {
	Shelf     bundle.Shelf
	Name      string // base name
	Zstd      bool   // compress data volumes and metadata
	Container string // "tar", "zip", or "" for separate files
}

// Pack writes an archive to a shelf and returns its files, the metadata last,
// or the one that holds them all. check, which may be nil, first gets each
// file, uncompressed; if it returns an error there is no result.
func Pack(ctx context.Context, q Request, to To, check func(name string, r io.Reader) error, progress Progress) ([]bundle.Packed, Report, error) {
	if to.Container != "" && to.Container != "tar" && to.Container != "zip" {
		return nil, Report{}, pcp.Faultf(pcp.BadArgument, "Archives are packed as tar or zip, not as %s.", to.Container)
	}
	p := packer{shelf: to.Shelf, name: bundle.Name(to.Name), zstd: to.Zstd, zip: to.Container == "zip"}
	report, err := Write(ctx, q, p.create, progress)
	if err != nil {
		return nil, report, err
	}
	if check != nil {
		if err := p.check(ctx, check, progress); err != nil {
			return nil, report, err
		}
	}
	files := make([]bundle.Packed, 0, len(p.files))
	for _, f := range p.files[1:] { // the metadata were begun first, and go last
		files = append(files, f.packed())
	}
	files = append(files, p.files[0].packed())
	files, err = bundle.Bundle(to.Shelf, p.name, to.Container, files, report.End)
	return files, report, err
}

// check reads the files back.
func (p *packer) check(ctx context.Context, check func(name string, r io.Reader) error, progress Progress) error {
	back := watched{ctx: ctx, progress: progress}
	for _, f := range p.files {
		back.total += f.Size
	}
	for _, f := range p.files {
		at, size, err := p.shelf.Open(f.Name)
		if err != nil {
			return err
		}
		file := newAhead(at, size)
		defer file.Close()
		back.phase, back.r = "checking "+f.Name, file
		name, r := f.Name, io.Reader(&back)
		if plain, packed := strings.CutSuffix(f.Name, ".zst"); packed {
			z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
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

// watched reports progress over several files, and stops with the context.
type watched struct {
	ctx         context.Context
	r           io.Reader
	phase       string
	done, total int64
	progress    Progress
}

func (w *watched) Read(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, errStopped
	}
	w.progress(w.phase, w.done, w.total)
	n, err := w.r.Read(b)
	w.done += int64(n)
	return n, err
}
