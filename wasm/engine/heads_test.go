package engine

import (
	"bytes"
	"testing"
)

// What was read of a file is read again from memory, and nothing else is.
func TestHeads(t *testing.T) {
	var h heads[string]
	p := make([]byte, 3)
	if h.read(p, "a", 0) {
		t.Error("a file of which nothing is kept was read")
	}
	h.keep("a", []byte("0123"))
	h.keep("a", []byte("01")) // less is no news
	if !h.read(p, "a", 1) || string(p) != "123" {
		t.Errorf("read %q, want 123", p)
	}
	if h.read(p, "a", 2) || h.read(p, "a", 9) {
		t.Error("bytes that are not kept were read")
	}
	if h.read(p, "b", 0) {
		t.Error("another file's bytes were read")
	}
	h.keep("a", make([]byte, maxHead+1))
	if !h.read(p, "a", 0) || string(p) != "012" {
		t.Errorf("%q after a read of too much to be kept", p)
	}
	h.keep("a", []byte("01234"))
	if !h.read(p, "a", 2) || string(p) != "234" || h.bytes != 5 {
		t.Errorf("%q of %d bytes", p, h.bytes)
	}
	if h.drop(); h.read(p, "a", 0) {
		t.Error("dropped bytes were read")
	}
}

// They have a limit, whatever is opened: the oldest give way.
func TestHeadsHaveALimit(t *testing.T) {
	var h heads[int]
	const n = 1000
	for i := range n {
		h.keep(i, bytes.Repeat([]byte{byte(i)}, maxHead))
	}
	p, kept := make([]byte, maxHead), 0
	for i := range n {
		if h.read(p, i, 0) {
			kept++
			if i < n-maxHeads/maxHead || p[maxHead-1] != byte(i) {
				t.Errorf("file %d begins with %d", i, p[0])
			}
		}
	}
	if kept != maxHeads/maxHead || len(h.order) != kept || h.bytes != maxHeads {
		t.Errorf("%d files are kept, %d in order, %d bytes", kept, len(h.order), h.bytes)
	}
}
