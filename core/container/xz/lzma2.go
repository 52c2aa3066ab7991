package xz

import (
	"encoding/binary"
	"io"
)

// lzma2 is LZMA in chunks, each with its compressed and uncompressed size.
type lzma2 struct {
	d                   decoder
	needDict, needProps bool
	needState           bool
	in                  []byte
	packed              int // bytes of the current chunk in in
	left                int // bytes of it still to be decoded
	step                int // how many of them in the next step
}

func (l *lzma2) reset() {
	l.needDict, l.needProps, l.needState = true, true, true
	l.left, l.step = 0, firstStep
}

const (
	maxPacked = 1 << 16 // compressed bytes of a chunk
	lzmaChunk = 0x80
	// firstStep is how much of a block is decoded first, and then twice as much
	// each time, so that readers of only its beginning need not wait for a
	// whole chunk.
	firstStep = 4 << 10
)

// chunk decodes the next chunk into w, or a part of it. It returns how many
// bytes it consumed and produced; io.EOF after the last. From a truncated chunk
// it decodes what it can.
func (l *lzma2) chunk(r io.Reader, w *window) (packed, plain int, err error) {
	if l.left > 0 {
		n, err := l.more(w)
		return 0, n, err
	}
	var head [6]byte
	if err := full(r, head[:1]); err != nil {
		return 0, 0, err
	}
	control := head[0]
	if control == 0 {
		return 1, 0, io.EOF
	}
	size := 3
	switch {
	case control >= lzmaChunk+0x40:
		size = 6
	case control >= lzmaChunk:
		size = 5
	case control > 2:
		return 1, 0, bad("a chunk of a kind that does not exist")
	}
	if err := full(r, head[1:size]); err != nil {
		return 1, 0, err
	}
	if control == 1 || control >= lzmaChunk+0x60 {
		w.clear()
		l.needDict = false
	}
	if l.needDict {
		return size, 0, bad("the first chunk needs data from before it")
	}
	plain = int(binary.BigEndian.Uint16(head[1:])) + 1
	if control < lzmaChunk {
		w.room(plain)
		n, err := io.ReadFull(r, w.buf[w.pos:w.pos+plain])
		w.pos += n
		return size + n, n, early(err)
	}
	plain += int(control&0x1f) << 16
	if size == 6 {
		l.needProps = !l.d.properties(head[5], 4)
		if l.needProps {
			return size, 0, errCorrupt
		}
	}
	if control >= lzmaChunk+0x20 {
		if l.needProps {
			return size, 0, bad("the first chunk needs properties from before it")
		}
		l.d.resetState()
		l.needState = false
	}
	if l.needState || l.needProps {
		return size, 0, bad("the first chunk needs a state from before it")
	}
	packed = int(binary.BigEndian.Uint16(head[3:])) + 1
	n, err := l.lzma(r, w, packed, plain)
	return size + packed, n, err
}

// lzma begins a chunk with sizes packed and plain, and returns how many bytes
// have been decoded so far.
func (l *lzma2) lzma(r io.Reader, w *window, packed, plain int) (int, error) {
	if l.in == nil {
		l.in = make([]byte, maxPacked+inSlack)
	}
	there, err := io.ReadFull(r, l.in[:packed])
	clear(l.in[there : there+inSlack])
	if there < 5 {
		if err == nil {
			err = errCorrupt
		}
		return 0, early(err)
	}
	d := &l.d
	if !d.start(l.in) {
		return 0, errCorrupt
	}
	d.in, d.ip = l.in, 5
	if err != nil {
		w.room(plain)
		from, end := w.pos, w.pos+plain
		w.pos, _ = d.run(w.buf, w.first, w.pos, end, end, w.bias, there-inSlack)
		d.tail(w, end, end, there)
		return w.pos - from, early(err)
	}
	l.packed, l.left = packed, plain
	return l.more(w)
}

// more decodes the next step of the current chunk.
func (l *lzma2) more(w *window) (int, error) {
	soft := min(l.left, l.step)
	hard := min(l.left, soft+maxMatch)
	l.step = min(2*l.step, maxPiece)
	w.room(hard)
	from := w.pos
	var why outcome
	w.pos, why = l.d.run(w.buf, w.first, from, from+soft, from+hard, w.bias, l.packed)
	n := w.pos - from
	l.left -= n
	switch {
	case why == tooFar:
		return n, w.tooFar()
	case why != outFull || l.left == 0 && !l.d.finished(l.packed):
		return n, errCorrupt
	}
	return n, nil
}

// finished reports whether the range coder has reached its end, at end.
func (d *decoder) finished(end int) bool {
	if d.rng < normalize {
		d.rng, d.code = d.rng<<8, d.code<<8|int64(d.in[d.ip])
		d.ip++
	}
	return d.code == 0 && d.ip == end
}

// tail decodes symbol by symbol near the end of truncated input, which has
// there bytes, and stops before a symbol that depends on missing bytes.
func (d *decoder) tail(w *window, soft, hard, there int) outcome {
	for w.pos < soft {
		pos, why := d.run(w.buf, w.first, w.pos, w.pos+1, hard, w.bias, there)
		if d.ip > there {
			return inEmpty
		}
		w.pos = pos
		if why != outFull {
			return why
		}
	}
	return outFull
}

// tooFar chooses the error for a repetition from before the beginning.
func (w *window) tooFar() error {
	if w.dict == w.limit {
		return ErrHistory
	}
	return errDistance
}

// full reads all of b, which must exist.
func full(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	return early(err)
}

// early is the error for an input that ends too early.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
