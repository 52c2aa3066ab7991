package container

import "io"

// An Unpacker opens compressed files with the help of the program that it runs
// in. Its zero value needs none.
type Unpacker struct {
	// Yield, where it is set, is called now and then while something is
	// decompressed: at least once for every stretch of bytes that come out. A
	// program that has one thread lets other work be done in it.
	Yield func()
	// Offload, where it is set, is asked first.
	Offload Offload
}

const stretch = 256 << 10

// NewReader returns a reader of what r holds, compressed as c, which must be
// at the first byte of a file. Files of several streams end to end read as
// one.
//
// A file that breaks off or is damaged is delivered as far as it can be read,
// and then Read returns a *pcp.Fault, Truncated or Corrupt. Closing lets go of
// memory; it does not close r.
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

// Ahead returns a reader as NewReader does, but only one that unpacks ahead in
// another thread; otherwise an error. Browsers unpack gzip in the thread that
// asks.
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
