package xz

import (
	"encoding/binary"
	"io"
)

// alone is the lzma format: a header of 13 bytes and one LZMA stream.
type alone struct {
	d     decoder
	left  uint64 // bytes still to come; unknown if all bits are set
	in    []byte
	have  int // bytes in in
	ended error
}

const unknownSize = 1<<64 - 1

// NewLZMAReader returns a reader of the lzma format with at most history bytes
// of history.
func NewLZMAReader(r io.Reader, history int) *Reader {
	x := &Reader{in: buffered(r), w: window{limit: history}}
	a := &alone{in: make([]byte, 64<<10+inSlack)}
	x.steps = func() error {
		x.steps = func() error { return a.step(x.in, &x.w) }
		return a.header(x.in, &x.w)
	}
	return x
}

func (a *alone) header(r io.Reader, w *window) error {
	var b [13 + 5]byte
	if err := full(r, b[:]); err != nil {
		return err
	}
	if !a.d.properties(b[0], 12) {
		return bad("not an lzma file")
	}
	a.left = binary.LittleEndian.Uint64(b[5:])
	w.reset(max(uint64(binary.LittleEndian.Uint32(b[1:])), 4096))
	a.d.resetState()
	if !a.d.start(b[13:]) {
		return errCorrupt
	}
	a.d.in = a.in
	return nil
}

// step decodes up to 256 KiB.
func (a *alone) step(r io.Reader, w *window) error {
	d := &a.d
	if a.left == 0 {
		return io.EOF
	}
	rest := copy(a.in, a.in[min(d.ip, a.have):a.have])
	for a.have = rest; a.have < len(a.in)-inSlack && a.ended == nil; {
		n, err := r.Read(a.in[a.have : len(a.in)-inSlack])
		a.have, a.ended = a.have+n, err
	}
	d.ip = 0
	soft := int(min(256<<10, a.left))
	hard := int(min(uint64(soft+maxMatch), a.left))
	w.room(hard)
	from := w.pos
	pos, why := d.run(w.buf, w.first, w.pos, w.pos+soft, w.pos+hard, w.bias, a.have-inSlack)
	w.pos = pos
	if why == inEmpty && a.ended != nil {
		clear(a.in[a.have : a.have+inSlack])
		why = d.tail(w, from+soft, from+hard, a.have)
	}
	if a.left != unknownSize {
		a.left -= uint64(w.pos - from)
	}
	switch {
	case why == tooFar:
		return w.tooFar()
	case why == corrupt:
		return errCorrupt
	case why == ended && a.left != unknownSize && a.left != 0:
		return errCorrupt
	case why == ended:
		return io.EOF
	case why == inEmpty && a.ended != nil:
		return early(a.ended)
	}
	return nil
}
