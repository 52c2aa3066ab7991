package redact

import (
	"cmp"
	"slices"
)

// A matcher finds any of many texts in one pass, ignoring case, through a table
// of the first three bytes of each.
type matcher struct {
	begins  bitset // the first three bytes of each
	inside  bitset // those at the first stride positions of each, if they are long enough
	lists   map[uint32][]needle
	longest int
}

type needle struct {
	text  string // in lower case
	word  bool   // whole words only
	entry *entry
}

// A bitset has a bit for each sequence of three bytes, in lower case.
type bitset []uint64

func (s bitset) has(k uint32) bool { return s[k>>6]>>(k&63)&1 != 0 }
func (s bitset) set(k uint32)      { s[k>>6] |= 1 << (k & 63) }

const (
	shortest = 3                         // bytes of the shortest searchable text
	longText = 8                         // and of one that does not occur by chance
	stride   = longText - (shortest - 1) // positions of a long text, one of which is examined
)

func newMatcher() *matcher {
	return &matcher{begins: make(bitset, 1<<18), lists: map[uint32][]needle{}}
}

func key(b string) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

// add takes in a text, which comes after those before it in order.
func (m *matcher) add(p needle) {
	if len(p.text) < shortest {
		return
	}
	k := key(p.text)
	m.begins.set(k)
	m.lists[k] = append(m.lists[k], p)
	m.longest = max(m.longest, len(p.text))
}

// addLong is add for texts of at least longText bytes, for findLong.
func (m *matcher) addLong(p needle) {
	if m.inside == nil {
		m.inside = make(bitset, 1<<18)
	}
	m.add(p)
	for i := range stride {
		m.inside.set(key(p.text[i:]))
	}
}

// find returns the first match in b at or after from: its position, and the
// text.
func (m *matcher) find(b []byte, from int) (at int, p needle, ok bool) {
	if len(b)-from < shortest {
		return 0, needle{}, false
	}
	begins := m.begins
	k := lower32[b[from]]<<8 | lower32[b[from+1]]
	for i, c := range b[from+2:] {
		k = (k<<8 | lower32[c]) & 0xffffff
		if !begins.has(k) {
			continue
		}
		if p, ok := m.matching(b, from+i, k); ok {
			return from + i, p, true
		}
	}
	return 0, needle{}, false
}

// findLong is find for texts added by addLong: it examines only every stride-th
// position, since each of them covers one.
func (m *matcher) findLong(b []byte) (at int, p needle, ok bool) {
	if m.inside == nil {
		return 0, needle{}, false
	}
	inside := m.inside
	for i := 0; i+2 < len(b); i += stride {
		if !inside.has(lower32[b[i]]<<16 | lower32[b[i+1]]<<8 | lower32[b[i+2]]) {
			continue
		}
		for s := max(0, i-stride+1); s <= i; s++ {
			k := lower32[b[s]]<<16 | lower32[b[s+1]]<<8 | lower32[b[s+2]]
			if !m.begins.has(k) {
				continue
			}
			if p, ok := m.matching(b, s, k); ok {
				return s, p, true
			}
		}
	}
	return 0, needle{}, false
}

// matching returns the longest text that b has at i, whose key is k. Byte by byte
// it narrows the list to the texts that go on like b, which are adjacent: of a
// hundred thousand instances all names may begin alike.
func (m *matcher) matching(b []byte, i int, k uint32) (longest needle, found bool) {
	list := m.lists[k]
	for n := shortest; len(list) > 0; n++ { // all begin with the n bytes of b
		if p := list[0]; len(p.text) == n {
			if end := i + n; !p.word || (i == 0 || !letter(b[i-1])) && (end == len(b) || !letter(b[end])) {
				longest, found = p, true
			}
			list = list[1:]
		}
		if i+n >= len(b) {
			break
		}
		c := lower[b[i+n]]
		from, _ := slices.BinarySearchFunc(list, c, func(p needle, c byte) int { return cmp.Compare(p.text[n], c) })
		list = list[from:]
		to, _ := slices.BinarySearchFunc(list, int(c)+1, func(p needle, c int) int { return cmp.Compare(int(p.text[n]), c) })
		list = list[:to]
	}
	return longest, found
}

// lower maps ASCII to lower case and leaves other bytes unchanged.
var lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

var lower32 = func() (t [256]uint32) {
	for i, c := range lower {
		t[i] = uint32(c)
	}
	return t
}()

// letter reports whether a byte belongs to a word.
func letter(c byte) bool {
	c = lower[c]
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
