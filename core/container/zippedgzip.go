package container

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"sync/atomic"
)

// worthOffloading is from which compressed size a file of a zip is offloaded: a zip may
// have a million tiny files.
const worthOffloading = 64 << 10

// A zippedGzip is a deflated file of a zip, read as the gzip file that gzip(1) would have
// made of it: the data are the same, only what surrounds them differs. So whatever reads
// gzip faster than the decoder here reads zips, too. RFC 1952, 2.2 and 2.3.
type zippedGzip struct {
	*io.SectionReader
	taken atomic.Int64 // how many bytes of it have been read; another goroutine may read them
}

func newZippedGzip(f *zip.File, at io.ReaderAt, from int64) *zippedGzip {
	head := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255} // deflated, nothing else is known
	tail := binary.LittleEndian.AppendUint32(nil, f.CRC32)
	tail = binary.LittleEndian.AppendUint32(tail, uint32(f.UncompressedSize64))
	packed := int64(min(f.CompressedSize64, 1<<62))
	whole := enclosed{head: head, body: io.NewSectionReader(at, from, packed), tail: tail}
	return &zippedGzip{SectionReader: io.NewSectionReader(whole, 0, int64(len(head))+packed+int64(len(tail)))}
}

func (z *zippedGzip) Read(p []byte) (int, error) {
	n, err := z.SectionReader.Read(p)
	z.taken.Add(int64(n))
	return n, err
}

// enclosed is a file between two pieces of memory.
type enclosed struct {
	head, tail []byte
	body       *io.SectionReader
}

func (e enclosed) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		k := 0
		switch at, after := off+int64(n), int64(len(e.head))+e.body.Size(); {
		case at < int64(len(e.head)):
			k = copy(p[n:], e.head[at:])
		case at < after:
			k, err = e.body.ReadAt(p[n:n+int(min(int64(len(p)-n), after-at))], at-int64(len(e.head)))
		case at < after+int64(len(e.tail)):
			k = copy(p[n:], e.tail[at-after:])
		default:
			return n, io.EOF
		}
		if n += k; k == 0 {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF // the file is shorter than the zip says
			}
			return n, err
		}
	}
	return n, nil
}
