package redact

import "io"

// A window is the part of a file being examined.
type window struct {
	r        io.Reader
	room     []byte
	from, to int   // range of room that has been read and not taken
	at       int64 // offset of that in the file
	err      error // why there is no more
}

const piece = 256 << 10 // bytes read at a time

func (w *window) buf() []byte { return w.room[w.from:w.to] }

// need reads until n bytes are available, and reports whether they are. Memory
// grows with what is read, not with n.
func (w *window) need(n int) bool {
	for w.to-w.from < n && w.err == nil {
		if len(w.room)-w.to < piece {
			room := w.room
			if w.to-w.from+piece > len(room) {
				room = make([]byte, 2*(w.to-w.from)+4*piece)
			}
			w.from, w.to, w.room = 0, copy(room, w.buf()), room
		}
		var got int
		got, w.err = w.r.Read(w.room[w.to : w.to+piece])
		w.to += got
	}
	return w.to-w.from >= n
}

// take returns the next n bytes, or as many as there are, valid until the next
// call of need.
func (w *window) take(n int) ([]byte, int64) {
	w.need(n)
	b, at := w.buf(), w.at
	b = b[:min(n, len(b))]
	w.from, w.at = w.from+len(b), at+int64(len(b))
	return b, at
}

const (
	labelV2 = 132
	labelV3 = 808
)

// label returns the size of the label, or of everything if there is none.
func (w *window) label() int {
	if w.need(4) {
		if n := be32(w.buf()); n == labelV2 || n == labelV3 {
			return n
		}
	}
	return 0
}
