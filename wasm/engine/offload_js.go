package engine

import (
	"errors"
	"io"
	"syscall/js"

	"pcpscope/core/container"
)

// offload hands compressed files over to what is faster than this thread.
type offload struct{ unpackers *unpackers }

// worthHanding is from how many compressed bytes on a file goes to another
// worker, which has to be started first.
const worthHanding = 256 << 10

// open is container.Offload: gzip goes to the decoder that the browser has
// built in, the other kinds to a worker, if they lie in files of the user.
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
	if !ok || size < worthHanding {
		return nil, errors.ErrUnsupported
	}
	return o.unpackers.open(c, file.blob, in)
}
