// Package zstd compresses the files of saved archives. It is a package of its own
// because the page's program does without: it would be 50 kB of the download.
package zstd

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// NewWriter returns a writer that compresses to out at the fastest level. Its Close
// writes what is left, and leaves out open.
func NewWriter(out io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
}
