package redact

import "slices"

// A matcher finds any of many texts in one pass, whatever their case: by a
// table of the first three bytes of each.
type matcher struct {
	begins []uint64 // a bit for each three bytes, in lower case
	lists  map[uint32][]needle
	n      int
}

type needle struct {
	text  string // in lower case
	word  bool   // letters and digits must not stand around it
	entry *entry
}

const shortest = 3 // bytes of a text that can be searched for

func newMatcher() *matcher {
	return &matcher{begins: make([]uint64, 1<<18), lists: map[uint32][]needle{}}
}

func key(a, b, c byte) uint32 { return uint32(a)<<16 | uint32(b)<<8 | uint32(c) }

func (m *matcher) add(p needle) {
	if len(p.text) < shortest {
		return
	}
	k := key(p.text[0], p.text[1], p.text[2])
	m.begins[k>>6] |= 1 << (k & 63)
	list := m.lists[k]
	at, found := slices.BinarySearchFunc(list, p.text, func(q needle, s string) int {
		if len(q.text) != len(s) {
			return len(s) - len(q.text) // the longest first
		}
		if q.text == s {
			return 0
		}
		if q.text < s {
			return -1
		}
		return 1
	})
	if !found {
		m.lists[k] = slices.Insert(list, at, p)
		m.n++
	}
}

// find returns the first match in b at from or later: its place, and what it is.
func (m *matcher) find(b []byte, from int) (at int, p needle, ok bool) {
	begins := m.begins
	for i := from; i+2 < len(b); i++ {
		k := key(lower[b[i]], lower[b[i+1]], lower[b[i+2]])
		if begins[k>>6]&(1<<(k&63)) == 0 {
			continue
		}
		for _, p := range m.lists[k] {
			if matches(b, i, p) {
				return i, p, true
			}
		}
	}
	return 0, needle{}, false
}

func matches(b []byte, i int, p needle) bool {
	end := i + len(p.text)
	if end > len(b) {
		return false
	}
	for j := shortest; j < len(p.text); j++ {
		if lower[b[i+j]] != p.text[j] {
			return false
		}
	}
	return !p.word || (i == 0 || !letter(b[i-1])) && (end == len(b) || !letter(b[end]))
}

// lower is ASCII in lower case; other bytes are themselves.
var lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

// letter says whether a byte belongs to a word.
func letter(c byte) bool {
	c = lower[c]
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
