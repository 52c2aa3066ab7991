// Package bundle keeps files while they are written, and makes one file of
// several: a tar or a zip. What is in them is not looked at.
package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// A Shelf keeps files that are being written until they are released all at
// once. Otherwise they are lost with it: there is never half an archive.
type Shelf interface {
	Create(name string) (io.WriteCloser, error)
	// Open returns what was written.
	Open(name string) (at io.ReaderAt, size int64, err error)
	// Join makes one file out of pieces, and removes those that are files.
	Join(name string, pieces []Piece) error
}

// A Piece of a file is bytes, or a complete other file of the shelf.
type Piece struct {
	Bytes []byte
	File  string
}

// A Packed file has been written to the shelf.
type Packed struct {
	Name string
	Size int64
	CRC  uint32 // CRC-32, which a zip needs
}

// Bundle makes one file of several on a shelf: a tar or a zip; if container is
// "" it leaves them separate.
func Bundle(shelf Shelf, name, container string, files []Packed, modified pcp.Time) ([]Packed, error) {
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
	return []Packed{one}, shelf.Join(one.Name, pieces)
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
		w, err := z.CreateRaw(&zip.FileHeader{Name: f.Name, Method: zip.Store, Modified: modified.Std(), CRC32: f.CRC, CompressedSize64: uint64(f.Size), UncompressedSize64: uint64(f.Size)})
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
