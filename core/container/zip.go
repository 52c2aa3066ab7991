package container

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"

	"pcpscope/core/pcp"
)

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) // the second is an empty one
}

// zipMethod returns the decoder of a compression method, nil for unknown ones.
// Spec: PKWARE's APPNOTE.TXT 4.4.5.
func zipMethod(method uint16) func(io.Reader) (io.ReadCloser, error) {
	switch method {
	case zipStored:
		return None.NewReader
	case zipDeflated:
		return func(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil }
	case 12:
		return Bzip2.NewReader
	case 93:
		return Zstd.NewReader
	case 95:
		return XZ.NewReader
	}
	return nil
}

// zipCompression maps methods to compressions, for their limits.
var zipCompression = map[uint16]Compression{zipStored: None, zipDeflated: Gzip, 12: Bzip2, 93: Zstd, 95: XZ}

const (
	zipEncrypted = 1 // flag bit
	zipStored    = 0 // method
)

// zip examines every file in a zip. Its directory is at the end, so a zip that
// comes from a stream is spooled first.
func (x *expander) zip(it item, depth int) {
	at, size := it.fixed, it.size
	if it.fixed == nil {
		f, s, ok := x.keep(it)
		if !ok {
			return
		}
		defer s.Discard() // so files that are stored uncompressed must be kept on their own
		at, size = f.At, f.Size
	}
	z, err := zip.NewReader(newWindow(at, size), size)
	if err != nil {
		it.r = newWindow(at, size)
		f, done := cutZip(x.zipCut(it, depth))
		x.problem(it.known, f, done)
		return
	}
	var inflater zipInflater
	z.RegisterDecompressor(zipDeflated, func(r io.Reader) io.ReadCloser {
		body := &io.LimitedReader{R: r, N: 1 << 62}
		x.taken = func() int64 { return 1<<62 - body.N }
		return inflater.read(body)
	})
	for _, method := range []uint16{12, 93, 95} {
		z.RegisterDecompressor(method, func(r io.Reader) io.ReadCloser {
			body := &io.LimitedReader{R: r, N: 1 << 62}
			x.taken = func() int64 { return 1<<62 - body.N }
			d, err := zipMethod(method)(bufio.NewReaderSize(body, 64<<10))
			if err != nil {
				return io.NopCloser(failed{err})
			}
			return d
		})
	}
	for _, f := range z.File {
		if err := x.enter(); err != nil {
			x.problem(it.known, err, "")
			return
		}
		if f.FileInfo().Mode().IsRegular() {
			x.zipEntry(f, at, it, depth)
		}
		if it.given {
			x.done.Store(min(x.done.Load()+int64(min(f.CompressedSize64, 1<<40)), x.before+it.size))
		}
	}
}

// zipEntry examines a file of the zip that is in at.
func (x *expander) zipEntry(f *zip.File, at io.ReaderAt, it item, depth int) {
	if x.tooLong(f.Name, int64(min(f.UncompressedSize64, 1<<62))) {
		return
	}
	sub := item{name: f.Name, known: inside(it.known, f.Name), size: int64(min(f.UncompressedSize64, 1<<62))}
	if f.Flags&zipEncrypted != 0 {
		if _, _, _, named := SplitMember(f.Name); named {
			x.problem(sub.known, pcp.Faultf(pcp.Unsupported, "This file is encrypted."), "It was left out.")
		} else {
			x.skip(sub.size)
		}
		return
	}
	if from, err := f.DataOffset(); err == nil && it.fixed != nil && f.Method == zipStored && from <= it.size-sub.size {
		sub.fixed = io.NewSectionReader(it.fixed, from, sub.size)
	}
	r, err := x.openZipped(f, at)
	if err != nil {
		x.problem(sub.known, zipFault(err), "It was left out.")
		return
	}
	defer r.Close()
	sub.r = x.meter(zipCompression[f.Method], zipReader{r}, x.taken)
	if words := x.look(sub, depth+1); words != "" {
		x.skip(sub.size)
	}
}

// openZipped opens a file of the zip that is in at; x.taken tells from then on how much
// of its compressed bytes has been read.
func (x *expander) openZipped(f *zip.File, at io.ReaderAt) (io.ReadCloser, error) {
	if f.Method == zipDeflated && f.CompressedSize64 >= worthOffloading && f.CRC32 != 0 { // 0 may be unset
		if from, err := f.DataOffset(); err == nil {
			z := newZippedGzip(f, at, from)
			if r, err := x.opt.Unpacker.handOver(Gzip, z); err == nil {
				x.taken = z.taken.Load
				return r, nil
			}
		}
	}
	x.taken = func() int64 { return int64(min(f.CompressedSize64, 1<<62)) }
	return f.Open()
}

// A zipInflater inflates the files of a zip one after another and reuses its
// 100 kB of buffers: a zip may have a million tiny files.
type zipInflater struct {
	packed *bufio.Reader
	plain  io.ReadCloser
}

func (z *zipInflater) read(r io.Reader) io.ReadCloser {
	if z.plain == nil {
		z.packed = bufio.NewReaderSize(r, 64<<10)
		z.plain = flate.NewReader(z.packed)
	} else {
		z.packed.Reset(r)
		z.plain.(flate.Resetter).Reset(z.packed, nil)
	}
	return z.plain
}

func zipFault(err error) error {
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return pcp.Faultf(pcp.Unsupported, "This file uses a compression method that is not supported.")
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, gzip.ErrChecksum):
		return pcp.Faultf(pcp.Corrupt, "This file is damaged: its checksum is wrong.")
	}
	var f *pcp.Fault
	if errors.As(err, &f) {
		return err
	}
	return pcp.Faultf(pcp.Corrupt, "The zip file is damaged (%v).", err)
}

// zipReader converts errors inside a file.
type zipReader struct{ r io.Reader }

func (z zipReader) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = pcp.Faultf(pcp.Truncated, "The zip file ends inside this file.")
	default:
		err = zipFault(err)
	}
	return n, err
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
