package engine

import (
	"errors"
	"io"
	"syscall/js"

	"pcpscope/core/container"
)

// offload passes compressed files to decoders that are faster than this
// thread.
type offload struct{ unpackers *unpackers }

// minOffload is the compressed size from which a file is worth starting
// another worker.
const minOffload = 256 << 10

// open is container.Offload: gzip goes to the browser's built-in decoder,
// other formats to a worker if they are files of the user.
func (o offload) open(c container.Compression, src io.ReadSeeker) (io.ReadCloser, error) {
	if c == container.Gzip {
		if !js.Global().Get("DecompressionStream").Truthy() {
			return nil, errors.ErrUnsupported
		}
		return newGunzip(src)
	}
	in, ok := src.(container.Input)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	at, size := in.File()
	file, ok := at.(*blobReader)
	if !ok || size < minOffload {
		return nil, errors.ErrUnsupported
	}
	return o.unpackers.open(c, file.blob, in)
}
