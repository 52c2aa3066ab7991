package container

import (
	"context"
	"io"
)

// A ContextReaderAt is a file whose reads may take long, as on a server, and end early with
// their context.
type ContextReaderAt interface {
	io.ReaderAt
	ReadAtContext(ctx context.Context, p []byte, off int64) (int, error)
}

// ReadAt reads from a file for as long as the context lasts.
func ReadAt(ctx context.Context, at io.ReaderAt, p []byte, off int64) (int, error) {
	if c, ok := at.(ContextReaderAt); ok {
		return c.ReadAtContext(ctx, p, off)
	}
	return at.ReadAt(p, off)
}
