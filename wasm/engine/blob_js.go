package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"syscall/js"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

var (
	uint8Array = js.Global().Get("Uint8Array")
	blobClass  = js.Global().Get("Blob")
)

// A blobReader reads ranges of a browser's Blob or File. It awaits promises instead of
// using FileReaderSync, so that the worker keeps receiving messages.
type blobReader struct {
	blob js.Value
	size int64
	file bool   // blob is a File that has not been sliced
	of   *files // nil in one of the engine's own workers
}

// files are the user's files, which the engine reads.
type files struct {
	workers *unpackers // which read larger parts
	heads   heads[*blobReader]
	kept    int  // how many beginnings were kept
	expires bool // they are dropped in a while
}

// smallBlob is up to how many bytes are read as a whole: taking a slice waits for another
// process, and a folder may have ten thousand small files.
const smallBlob = 32 << 10

// partBytes is from how many bytes on a worker reads them.
const partBytes = 64 << 10

// readBlob opens a Blob for the engine's own workers.
func readBlob(b rpc.Blob) (io.ReaderAt, int64, error) { return (*files)(nil).read(b) }

// read opens a Blob.
func (f *files) read(b rpc.Blob) (io.ReaderAt, int64, error) {
	v, ok := b.(js.Value)
	if ok && v.InstanceOf(js.Global().Get("ArrayBuffer")) { // FileReader, for workers that cannot read Blobs directly
		view := uint8Array.New(v)
		data := make([]byte, view.Length())
		js.CopyBytesToGo(data, view)
		return bytes.NewReader(data), int64(len(data)), nil
	}
	if !ok || !v.InstanceOf(blobClass) {
		return nil, 0, errors.New("not a Blob")
	}
	r := &blobReader{blob: v, size: int64(v.Get("size").Float()), file: true, of: f}
	return r, r.size, nil
}

// keepHead keeps the beginning of a file while files are being opened.
func (f *files) keepHead(r *blobReader, head []byte) {
	f.heads.keep(r, head)
	if f.kept++; !f.expires {
		f.expires = true
		go f.expire()
	}
}

// headTimeout is how long beginnings are kept after the last one was read.
const headTimeout = 2 * time.Second

// expire drops them once no other has been kept for a while.
func (f *files) expire() {
	for kept := -1; f.kept != kept; time.Sleep(headTimeout) {
		kept = f.kept
	}
	f.heads.drop()
	f.expires = false
}

// Blob returns the Blob itself, for the browser's built-in decoders.
func (r *blobReader) Blob() js.Value { return r.blob }

func (r *blobReader) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || off > r.size {
		return 0, fmt.Errorf("offset %d is outside the file's %d bytes", off, r.size)
	}
	end := off + int64(len(p))
	if end > r.size {
		end, err = r.size, io.EOF
	}
	if end == off {
		return 0, err
	}
	p = p[:end-off]
	if r.of != nil && r.of.heads.read(p, r, off) {
		return len(p), err
	}
	whole := r.size <= smallBlob
	if r.file && !whole {
		// Chromium looks at the file on disk, and waits for that, each time that a
		// File is sliced; not for slices of a slice.
		r.blob, r.file = r.blob.Call("slice"), false
	}
	buffer, read := js.Undefined(), false
	if r.of != nil && end-off >= partBytes {
		buffer, read = r.of.workers.read(r.blob, off, end)
	}
	if !read {
		part := r.blob
		if !whole {
			part = part.Call("slice", off, end)
		}
		var failed error
		if buffer, failed = rpc.Await(part.Call("arrayBuffer")); failed != nil {
			// Browsers refuse to read a file that was changed or deleted on disk
			// after it was chosen.
			return 0, pcp.Faultf(pcp.BadArgument, "The browser can no longer read this file: it was changed or removed after it was chosen. Choose it again.")
		}
	}
	view := uint8Array.New(buffer)
	from := int64(0)
	if whole {
		from = min(off, int64(view.Length()))
	}
	n = js.CopyBytesToGo(p, view.Call("subarray", from))
	switch {
	case r.of == nil:
	case whole:
		head := make([]byte, view.Length())
		js.CopyBytesToGo(head, view)
		r.of.keepHead(r, head)
	case off == 0:
		r.of.keepHead(r, p[:n])
	}
	if n < len(p) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
