package hostile

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// parts is an archive in memory, by suffix.
type parts map[string][]byte

// A Mutator damages inputs as a bug, a disk or a person might: archives by
// records, lengths, counts, timestamps, and references between files; texts by
// words; JSON by its values.
type Mutator struct {
	*rand.Rand
	seeds  []parts
	counts map[string]int // see Count
}

// Count notes that an input of a kind is damaged.
func (m *Mutator) Count(kind string) { m.counts[kind]++ }

// archive returns a damaged copy of one of the seeds.
func (m *Mutator) archive() parts {
	p := maps.Clone(m.seeds[m.IntN(len(m.seeds))])
	for range 1 + m.IntN(4) {
		suffixes := slices.Sorted(maps.Keys(p))
		s := suffixes[m.IntN(len(suffixes))]
		switch {
		case m.IntN(60) == 0:
			m.files(p, s)
		case m.IntN(12) == 0:
			p[s] = m.Bytes(slices.Clone(p[s]))
		case s == "index":
			p[s] = m.entries(slices.Clone(p[s]))
		default:
			p[s] = m.records(p[s], s)
		}
	}
	return p
}

// files loses a file, or swaps it for another.
func (m *Mutator) files(p parts, s string) {
	others := slices.Sorted(maps.Keys(p))
	switch o := others[m.IntN(len(others))]; m.IntN(4) {
	case 0:
		delete(p, s)
	case 1:
		p[s], p[o] = p[o], p[s]
	case 2:
		p[strconv.Itoa(m.IntN(12))] = p[s]
	case 3:
		p[s] = m.seeds[m.IntN(len(m.seeds))][s] // from another archive
	}
	if len(p) == 0 {
		p["0"] = nil
	}
}

// split splits a file into its label and its records, as far as their lengths
// are valid.
func split(data []byte) (list [][]byte) {
	for len(data) >= 8 {
		n := int(binary.BigEndian.Uint32(data))
		if n < 8 || n > len(data) {
			break
		}
		list = append(list, data[:n:n])
		data = data[n:]
	}
	return append(list, data[:len(data):len(data)])
}

// records damages one record of a file, or their order.
func (m *Mutator) records(data []byte, suffix string) []byte {
	list := split(data)
	i := m.IntN(len(list))
	j := m.IntN(len(list))
	switch m.IntN(10) {
	case 0:
		list = slices.Delete(list, i, i+1)
	case 1:
		list = slices.Insert(list, i, list[j])
	case 2:
		list[i], list[j] = list[j], list[i]
	case 3: // from another archive
		if other := split(m.seeds[m.IntN(len(m.seeds))][suffix]); len(other) > 1 {
			list = slices.Insert(list, i, other[m.IntN(len(other))])
		}
	case 4:
		list[i] = m.length(list[i])
	case 5:
		list = list[:i+1]
		list[i] = list[i][:m.IntN(len(list[i])+1)]
	default:
		list[i] = m.fields(list[i])
	}
	return bytes.Join(list, nil)
}

// word returns a troublesome value for counts, lengths and numbers, or one near
// the old value.
func (m *Mutator) word(was word) word {
	bad := [...]word{0, 1, 2, 3, 4, 7, 8, 12, 0xff, 0x100, 0xffff, 0x10000, 0xfffffc, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, epoch}
	switch m.IntN(4) {
	case 0:
		return bad[m.IntN(len(bad))]
	case 1:
		return was + word(m.IntN(17)) - 8
	case 2:
		return was ^ 1<<m.IntN(32)
	}
	return m.Uint32()
}

// length changes a record's lengths: one of them, both, or the bytes between.
func (m *Mutator) length(rec []byte) []byte {
	rec = slices.Clone(rec)
	if len(rec) < 8 {
		return rec
	}
	first, last := rec[:4], rec[len(rec)-4:]
	n := m.word(binary.BigEndian.Uint32(first))
	switch m.IntN(4) {
	case 0:
		binary.BigEndian.PutUint32(first, n)
	case 1:
		binary.BigEndian.PutUint32(last, n)
	case 2:
		binary.BigEndian.PutUint32(first, n)
		binary.BigEndian.PutUint32(last, n)
	case 3: // more or fewer bytes, with matching lengths
		body := rec[4 : len(rec)-4]
		if cut := m.IntN(13); m.IntN(2) == 0 && cut < len(body) {
			body = body[:len(body)-cut]
		} else {
			body = append(slices.Clone(body), make([]byte, cut)...)
		}
		return record(body)
	}
	return rec
}

// fields changes words of a record. Which of them are counts, timestamps or
// numbers depends on the record, so all may be hit, those at its beginning more
// often.
func (m *Mutator) fields(rec []byte) []byte {
	rec = slices.Clone(rec)
	if len(rec) < 12 {
		return rec
	}
	words := (len(rec) - 8) / 4
	for range 1 + m.IntN(3) {
		at := m.IntN(words)
		if m.IntN(2) == 0 {
			at = m.IntN(min(words, 12))
		}
		w := rec[4+4*at:]
		if m.IntN(4) == 0 { // a word from elsewhere in the record
			copy(w[:4], rec[4+4*m.IntN(words):])
		} else {
			binary.BigEndian.PutUint32(w, m.word(binary.BigEndian.Uint32(w)))
		}
	}
	return rec
}

// entries damages the temporal index.
func (m *Mutator) entries(data []byte) []byte {
	if len(data) < 140 {
		return m.Bytes(data)
	}
	at := 132 + 4*m.IntN((len(data)-132)/4)
	binary.BigEndian.PutUint32(data[at:], m.word(binary.BigEndian.Uint32(data[at:])))
	return data
}

// Bytes damages arbitrary bytes.
func (m *Mutator) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	at := m.IntN(len(b))
	switch m.IntN(6) {
	case 0:
		b[at] ^= 1 << m.IntN(8)
	case 1:
		b[at] = byte(m.Uint32())
	case 2:
		return b[:at]
	case 3:
		return slices.Insert(b, at, bytes.Repeat([]byte{byte(m.Uint32())}, 1+m.IntN(9))...)
	case 4:
		return slices.Delete(b, at, min(len(b), at+1+m.IntN(64)))
	case 5:
		copy(b[at:], b[m.IntN(len(b)):])
	}
	return b
}

// mmv damages an MMV file: its words, preferably those that are offsets.
func (m *Mutator) mmv(seed []byte) []byte {
	b := slices.Clone(seed)
	for range 1 + m.IntN(4) {
		if m.IntN(5) == 0 || len(b) < 48 {
			b = m.Bytes(b)
			continue
		}
		at := 4 * m.IntN(len(b)/4)
		if m.IntN(2) == 0 {
			at = 4 * m.IntN(min(len(b)/4, 60))
		}
		w := b[at:]
		value := m.word(binary.LittleEndian.Uint32(w))
		if m.IntN(3) == 0 {
			value = word(m.IntN(len(b) + 40)) // an offset in the file
		}
		binary.LittleEndian.PutUint32(w, value)
	}
	return b
}

// Text damages text: words are lost, doubled, moved.
func (m *Mutator) Text(seed string) string {
	tokens := strings.SplitAfter(seed, " ")
	for range 1 + m.IntN(4) {
		if len(tokens) == 0 {
			break
		}
		i, j := m.IntN(len(tokens)), m.IntN(len(tokens))
		odd := [...]string{"(", ")", "((((", "\"", "'", "[", "]", "\n", "\x00", "\xff", "{", "}", "rate(", "? :", "1e999", "-", "\\", "#", "%", "mem.util.free ", "999999999999999999999 "}
		switch m.IntN(5) {
		case 0:
			tokens = slices.Delete(tokens, i, i+1)
		case 1:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 2:
			tokens = slices.Insert(tokens, i, tokens[j])
		case 3:
			tokens[i] += odd[m.IntN(len(odd))]
		case 4:
			tokens[i] = string(m.Bytes([]byte(tokens[i])))
		}
	}
	return strings.Join(tokens, "")
}
