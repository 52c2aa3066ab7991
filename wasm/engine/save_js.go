package engine

import (
	"io"
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/core/save"
	"pcpscope/wasm/rpc"
)

// blobs stores files as Blobs: the browser keeps them, on disk if they are
// large, and only one piece at a time is in WebAssembly's memory.
type blobs map[string]*blobFile

type blobFile struct {
	parts js.Value // an Array
	blob  js.Value // when it is closed
}

func newBlobs() Storage { return blobs{} }

var arrayClass = js.Global().Get("Array")

func (s blobs) Create(name string) (io.WriteCloser, error) {
	s[name] = &blobFile{parts: arrayClass.New()}
	return s[name], nil
}

func (f *blobFile) Write(b []byte) (n int, err error) {
	defer func() {
		if e := recover(); e != nil { // the browser is out of memory
			err = pcp.Faultf(pcp.OutOfMemory, "The browser has no room for the saved file; save a shorter window, or fewer metrics.")
		}
	}()
	piece := uint8Array.New(len(b))
	js.CopyBytesToJS(piece, b)
	f.parts.Call("push", blobClass.New(arrayClass.New(piece)))
	return len(b), nil
}

func (f *blobFile) Close() error {
	f.blob, f.parts = blobClass.New(f.parts), js.Undefined()
	return nil
}

func (s blobs) Open(name string) (io.ReaderAt, int64, error) {
	r := &blobReader{blob: s[name].blob, size: int64(s[name].blob.Get("size").Float())}
	return r, r.size, nil
}

func (s blobs) Join(name string, pieces []save.Piece) error {
	parts := arrayClass.New()
	for _, p := range pieces {
		if p.File != "" {
			parts.Call("push", s[p.File].blob)
			delete(s, p.File)
			continue
		}
		piece := uint8Array.New(len(p.Bytes))
		js.CopyBytesToJS(piece, p.Bytes)
		parts.Call("push", piece)
	}
	s[name] = &blobFile{blob: blobClass.New(parts)}
	return nil
}

func (s blobs) Put(name string, data rpc.Blob) { s[name] = &blobFile{blob: data.(js.Value)} }

func (s blobs) Take(name string) (rpc.Blob, error) { return s[name].blob, nil }
