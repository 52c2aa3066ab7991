package engine

// heads are the beginnings of files that were read. While files are opened, each is read
// from its beginning several times: to tell what it is, what is in it, and what belongs to
// it. In a browser a read takes a millisecond or more, however short it is.
type heads[File comparable] struct {
	of    map[File][]byte
	order []File // in which they were kept
	bytes int    // of all
}

// The maximum number of bytes that are kept of a file, and of all.
const (
	maxHead  = 1 << 20
	maxHeads = 16 << 20
)

// read copies the bytes of a file from an offset on, and reports whether all are there.
func (h *heads[File]) read(p []byte, f File, off int64) bool {
	head := h.of[f]
	return off+int64(len(p)) <= int64(len(head)) && copy(p, head[off:]) == len(p)
}

// keep keeps a copy of the first bytes of a file, if they are more than are kept of it. The
// oldest others give way.
func (h *heads[File]) keep(f File, head []byte) {
	had := len(h.of[f])
	if len(head) <= had || len(head) > maxHead {
		return
	}
	if had == 0 {
		if h.of == nil {
			h.of = map[File][]byte{}
		}
		h.order = append(h.order, f)
	}
	h.of[f] = append([]byte(nil), head...)
	for h.bytes += len(head) - had; h.bytes > maxHeads; h.order = h.order[1:] {
		h.bytes -= len(h.of[h.order[0]])
		delete(h.of, h.order[0])
	}
}

// drop keeps nothing any more.
func (h *heads[File]) drop() { *h = heads[File]{} }
