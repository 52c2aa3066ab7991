package xz

import "sync"

// A window is the flat buffer that data are decoded into: what may still be
// repeated lies in front of what is new.
type window struct {
	buf   []byte // outSlack longer than is used
	first int    // where the data begin that may be repeated
	pos   int    // where decoding goes on
	given int    // up to where the caller has taken the data
	bias  int    // pos + bias counts from the last reset of the dictionary, modulo 16
	dict  int    // bytes that may be repeated
	most  int    // of them that we keep
}

// maxPiece is the most that is decoded in one go: a chunk of LZMA2.
const maxPiece = 2 << 20

// ready returns what is decoded and not yet taken.
func (w *window) ready() []byte { return w.buf[w.given:w.pos] }

// reset begins a block with a dictionary of the given size. All that was
// decoded has been taken.
func (w *window) reset(dict uint64) {
	w.dict = int(min(dict, uint64(w.most)))
	w.pos, w.given = 0, 0
	w.clear()
}

// clear forgets what may be repeated.
func (w *window) clear() { w.first, w.bias = w.pos, -w.pos&15 }

// room makes sure that n bytes can be decoded. All that was decoded has been
// taken. The buffer grows with the data; when it holds the dictionary and
// as much again, the dictionary moves to the front.
func (w *window) room(n int) {
	if w.pos+n+outSlack <= len(w.buf) {
		return
	}
	shift := (w.pos - min(w.pos-w.first, w.dict)) &^ 15
	buf := w.buf
	if full := w.dict + max(min(w.dict, 16<<20), maxPiece+64); len(buf) < full {
		buf = buffer(min(full, max(2*len(buf), w.pos-shift+n+outSlack)))
	}
	copy(buf, w.buf[shift:w.pos])
	if len(buf) != len(w.buf) {
		w.release()
	}
	w.buf = buf
	w.pos, w.given, w.first = w.pos-shift, w.given-shift, max(w.first-shift, 0)
}

// spare are large buffers of readers that were closed: where files are read one
// after the other, memory is taken once.
var spare sync.Pool

const worthKeeping = 1 << 20

// buffer returns a buffer of n bytes or more, with anything in it.
func buffer(n int) []byte {
	if n >= worthKeeping {
		if b, ok := spare.Get().(*[]byte); ok && len(*b) >= n {
			return *b
		}
	}
	return make([]byte, n)
}

// release gives the buffer back.
func (w *window) release() {
	if b := w.buf; len(b) >= worthKeeping {
		spare.Put(&b)
	}
	w.buf = nil
}
