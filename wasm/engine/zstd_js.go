package engine

import (
	"bufio"
	"io"

	"pcpscope/core/pcp"
)

// A zstdWriter compresses a file in a worker that runs wasm/tables, and then copies the
// result to out: this program does not contain the code that compresses.
type zstdWriter struct {
	*bufio.Writer
	worker TablesWriter
	out    io.Writer
}

func newZstdWriter(out io.Writer) (io.WriteCloser, error) {
	worker, err := startTables("zstd")
	if err != nil {
		return nil, pcp.Faultf(pcp.Unsupported, "Compression needs a separate worker, which cannot be started here; save without compression.")
	}
	return &zstdWriter{bufio.NewWriterSize(worker, pieceSize), worker, out}, nil
}

// Close compresses what is left, and ends the worker.
func (z *zstdWriter) Close() error {
	defer z.worker.Stop()
	if err := z.Flush(); err != nil {
		return err
	}
	if _, err := z.worker.Write(nil); err != nil { // an empty piece ends the stream
		return err
	}
	files, err := z.worker.Files()
	if err != nil {
		return err
	}
	at, size, err := readBlob(files[0].Data)
	if err != nil {
		return err
	}
	buf := make([]byte, min(size, readBack))
	for off := int64(0); off < size; off += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), size-off)]
		if _, err := at.ReadAt(buf, off); err != nil && err != io.EOF {
			return err
		}
		if _, err := z.out.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// readBack is how much of the result is read at a time: each read costs a browser some
// milliseconds.
const readBack = 8 << 20
