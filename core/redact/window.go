package redact

import "io"

// A window is the part of a file that is being looked at.
type window struct {
	r        io.Reader
	room     []byte
	from, to int   // of room: what has been read and not been taken
	at       int64 // where that is in the file
	err      error // why there is no more
}

const piece = 256 << 10 // bytes that are read at a time

func (w *window) buf() []byte { return w.room[w.from:w.to] }

// need reads until there are n bytes, and reports whether there are. Room grows
// with what comes, not with what is asked for.
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

// take hands out the next n bytes, or as many as there are: they stand until
// the next call of need.
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

// label returns the size of the label, that of all there is where it has none.
func (w *window) label() int {
	if w.need(4) {
		if n := be32(w.buf()); n == labelV2 || n == labelV3 {
			return n
		}
	}
	return 0
}
