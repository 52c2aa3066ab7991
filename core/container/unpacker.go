package container

import "io"

// An Unpacker opens compressed files with the help of the host program. Its
// zero value needs none.
type Unpacker struct {
	// Yield, if set, is called regularly while something is decompressed: at
	// least once per stretch of output bytes. A single-threaded program can do
	// other work in it.
	Yield func()
	// Offload, if set, is tried first.
	Offload Offload
}

const stretch = 256 << 10

// NewReader returns a decompressor for r, compressed as c, which must be at the
// first byte of a file. Several streams end to end read as one file.
//
// A truncated or damaged file is delivered as far as it can be read, and then
// Read returns a *pcp.Fault, Truncated or Corrupt. Close frees memory; it does
// not close r.
func (u *Unpacker) NewReader(c Compression, r io.Reader) (io.ReadCloser, error) {
	if c == None {
		return io.NopCloser(r), nil
	}
	d, err := u.open(c, r)
	if err != nil {
		return nil, c.fault(err)
	}
	return &guard{ReadCloser: d, c: c, yield: u.Yield}, nil
}

// Ahead is NewReader, but only if the file is unpacked ahead in another thread;
// otherwise it returns an error. Browsers unpack gzip in the calling thread.
func (u *Unpacker) Ahead(c Compression, in Input) (io.ReadCloser, error) {
	if c == Gzip {
		return nil, errHere
	}
	h, err := u.handOver(c, in)
	if err != nil {
		return nil, err
	}
	return &guard{ReadCloser: h, c: c, yield: u.Yield}, nil
}
