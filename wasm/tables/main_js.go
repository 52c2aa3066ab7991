// Command tables is the program, for js/wasm, that writes observations as
// Parquet, Arrow, CSV, JSON lines or OpenMetrics, and compresses saved archives
// with zstd. The page loads it when it is needed; the engine runs it in a worker of
// its own (wasm/engine, startTables) and sends it a stream: of core/export, or the
// bytes of a file.
package main

import (
	"bytes"
	"hash"
	"hash/crc32"
	"io"
	"syscall/js"

	"pcpscope/core/export"
	"pcpscope/core/pcp"
	"pcpscope/core/tables"
	"pcpscope/core/zstd"
	"pcpscope/wasm/rpc"
)

var (
	scope      = js.Global()
	uint8Array = scope.Get("Uint8Array")
	arrayClass = scope.Get("Array")
	blobClass  = scope.Get("Blob")
)

// Incoming messages are {piece}, a part of the stream, empty at the end of a file; outgoing ones are
// {more} for each piece written, and {files} or {fault} at the end.
func main() {
	in := &pieces{waiting: make(chan js.Value, 64)}
	scope.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		in.waiting <- args[0].Get("data").Get("piece")
		return nil
	}))
	out := &files{}
	if err := write(in, out); err != nil {
		wire, _ := rpc.Encode(*pcp.AsFault(err)).ToJS()
		post(map[string]any{"fault": wire})
		return
	}
	list := []any{}
	for _, f := range out.list {
		list = append(list, map[string]any{"name": f.name, "size": f.size, "crc": float64(f.crc.Sum32()), "data": blobClass.New(f.parts)})
	}
	post(map[string]any{"files": list})
}

func post(m map[string]any) { scope.Call("postMessage", m) }

func write(in io.Reader, out *files) error {
	format := scope.Get("pcpscopeJob").Get("format").String()
	if format == "zstd" {
		if err := compress(in, out); err != nil {
			return err
		}
	} else {
		sink, err := tables.New(format, out.create)
		if err != nil {
			return err
		}
		if err := export.Feed(in, sink); err != nil {
			return err
		}
	}
	for _, f := range out.list {
		f.flush()
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// compress writes one file, compressed.
func compress(in io.Reader, out *files) error {
	to, err := out.create("zst")
	if err != nil {
		return err
	}
	z, err := zstd.NewWriter(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, in); err != nil {
		return err
	}
	return z.Close()
}

// pieces is the incoming messages as one stream, which an empty one ends.
type pieces struct {
	waiting chan js.Value
	left    bytes.Reader
	begun   bool
}

func (p *pieces) Read(b []byte) (int, error) {
	for p.left.Len() == 0 {
		if p.begun {
			post(map[string]any{"more": true})
		}
		p.begun = true
		piece := <-p.waiting
		if piece.Length() == 0 {
			return 0, io.EOF
		}
		data := make([]byte, piece.Length())
		js.CopyBytesToGo(data, piece)
		p.left.Reset(data)
	}
	return p.left.Read(b)
}

// files become Blobs: the browser stores them, on disk if they are large.
type files struct{ list []*file }

type file struct {
	name  string
	parts js.Value // an Array
	size  int64
	crc   hash.Hash32
	buf   []byte
	err   error
}

func (f *files) create(name string) (io.Writer, error) {
	one := &file{name: name, parts: arrayClass.New(), crc: crc32.NewIEEE()}
	f.list = append(f.list, one)
	return one, nil
}

// partSize is how much of a file is passed to the browser at a time.
const partSize = 1 << 20

func (f *file) Write(b []byte) (int, error) {
	f.buf = append(f.buf, b...)
	f.size += int64(len(b))
	f.crc.Write(b)
	if len(f.buf) >= partSize {
		f.flush()
	}
	return len(b), f.err
}

func (f *file) flush() {
	defer func() {
		if recover() != nil { // the browser is out of memory
			f.err = pcp.Faultf(pcp.OutOfMemory, "The browser has no room for the exported file; export a shorter window, or fewer metrics.")
		}
	}()
	part := uint8Array.New(len(f.buf))
	js.CopyBytesToJS(part, f.buf)
	f.parts.Call("push", blobClass.New(arrayClass.New(part)))
	f.buf = f.buf[:0]
}
