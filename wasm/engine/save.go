package engine

import (
	"context"
	"io"

	"pcpscope/core/api"
	"pcpscope/core/save"
	"pcpscope/wasm/rpc"
)

// A Storage stores the files of one save; Take hands one out.
type Storage interface {
	save.Storage
	Take(name string) (rpc.Blob, error)
	Put(name string, data rpc.Blob) // a file written by another worker
}

// SaveTo sets where saved files are stored, with a new storage for each call,
// instead of in the engine's memory.
func (s *Server) SaveTo(storage func() Storage) { s.storage = storage }

func (s *Server) save(ctx context.Context, q api.SaveQuery, p progress) (rpc.Saved, error) {
	var kept Storage = memory{}
	if s.storage != nil {
		kept = s.storage()
	}
	files, report, err := s.session.Save(ctx, q, kept, p)
	if err != nil {
		return rpc.Saved{}, err
	}
	out := rpc.Saved{Report: report}
	out.Files, err = takeFiles(kept, files)
	return out, err
}

// takeFiles takes files from a storage.
func takeFiles(kept Storage, files []save.Packed) ([]rpc.SavedFile, error) {
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

// memory is a storage of byte slices.
type memory map[string]*[]byte

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

func (m memory) Create(name string) (io.WriteCloser, error) {
	m[name] = &[]byte{}
	return memoryFile{m[name]}, nil
}

func (m memory) Open(name string) (io.ReaderAt, int64, error) {
	return memoryFile{m[name]}, int64(len(*m[name])), nil
}

func (m memory) Join(name string, pieces []save.Piece) error {
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

func (m memory) Put(name string, data rpc.Blob) {
	b := data.([]byte)
	m[name] = &b
}

func (m memory) Take(name string) (rpc.Blob, error) { return *m[name], nil }
