// Package browser is what a program in a worker has of its browser: Blobs as
// files, decoders, workers that unpack, and the turn of the event loop.
package browser

import (
	"io"

	"pcpscope/core/save/bundle"
	"pcpscope/wasm/rpc"
)

// A Shelf keeps the files of one save; Take hands one out.
type Shelf interface {
	bundle.Shelf
	Take(name string) (rpc.Blob, error)
	Put(name string, data rpc.Blob) // a file that was written elsewhere
}

// HandedOut takes files from a shelf.
func HandedOut(kept Shelf, files []bundle.Packed) ([]rpc.SavedFile, error) {
	list := []rpc.SavedFile{}
	for _, f := range files {
		blob, err := kept.Take(f.Name)
		if err != nil {
			return nil, err
		}
		list = append(list, rpc.SavedFile{Name: f.Name, Bytes: float64(f.Size), Data: blob})
	}
	return list, nil
}

// Memory is a shelf of byte slices.
type Memory map[string]*[]byte

type memoryFile struct{ to *[]byte }

func (f memoryFile) Write(b []byte) (int, error) { *f.to = append(*f.to, b...); return len(b), nil }
func (f memoryFile) Close() error                { return nil }

func (f memoryFile) ReadAt(b []byte, off int64) (int, error) {
	if off >= int64(len(*f.to)) {
		return 0, io.EOF
	}
	n := copy(b, (*f.to)[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (m Memory) Create(name string) (io.WriteCloser, error) {
	m[name] = &[]byte{}
	return memoryFile{m[name]}, nil
}

func (m Memory) Open(name string) (io.ReaderAt, int64, error) {
	return memoryFile{m[name]}, int64(len(*m[name])), nil
}

func (m Memory) Join(name string, pieces []bundle.Piece) error {
	var all []byte
	for _, p := range pieces {
		all = append(all, p.Bytes...)
		if p.File != "" {
			all = append(all, *m[p.File]...)
			delete(m, p.File)
		}
	}
	m[name] = &all
	return nil
}

func (m Memory) Put(name string, data rpc.Blob) {
	b := data.([]byte)
	m[name] = &b
}

func (m Memory) Take(name string) (rpc.Blob, error) { return *m[name], nil }
