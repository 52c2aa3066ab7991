package xz

import "sync"

// A window is the flat output buffer: history followed by new data.
type window struct {
	buf   []byte // outSlack longer than is used
	first int    // start of the history
	pos   int    // where decoding continues
	given int    // end of what the caller has taken
	bias  int    // pos + bias counts from the last reset of the dictionary, modulo 16
	dict  int    // dictionary size
	limit int    // limit of the history that is kept
}

// maxPiece is the most that is decoded at once: a chunk of LZMA2.
const maxPiece = 2 << 20

// ready returns what has been decoded and not yet taken.
func (w *window) ready() []byte { return w.buf[w.given:w.pos] }

// reset begins a block with a dictionary of the given size. The caller has
// taken everything.
func (w *window) reset(dict uint64) {
	w.dict = int(min(dict, uint64(w.limit)))
	w.pos, w.given = 0, 0
	w.clear()
}

// clear drops the history.
func (w *window) clear() { w.first, w.bias = w.pos, -w.pos&15 }

// room makes sure that n bytes can be decoded. The caller has taken everything.
// The buffer grows with the data; when it holds twice the dictionary, the
// dictionary moves to the front.
func (w *window) room(n int) {
	if w.pos+n+outSlack <= len(w.buf) {
		return
	}
	shift := (w.pos - min(w.pos-w.first, w.dict)) &^ 15
	buf := w.buf
	if full := w.dict + max(min(w.dict, 16<<20), maxPiece+64); len(buf) < full {
		size := max(2*len(buf), w.pos-shift+n+outSlack)
		if size >= worthKeeping && full <= usual { // the steps between would be garbage
			size = full
		}
		buf = buffer(min(full, size))
	}
	copy(buf, w.buf[shift:w.pos])
	if len(buf) != len(w.buf) {
		w.release()
	}
	w.buf = buf
	w.pos, w.given, w.first = w.pos-shift, w.given-shift, max(w.first-shift, 0)
}

// spare are large buffers of closed readers, so that reading files one after
// the other allocates once.
var spare sync.Pool

const worthKeeping = 1 << 20

// usual is what the window of xz -6, the default, takes, and a little more.
const usual = 20 << 20

// buffer returns a buffer of at least n bytes with arbitrary contents.
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
