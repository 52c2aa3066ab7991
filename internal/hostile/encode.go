package hostile

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// An encoder assembles the files of an archive record by record, valid or not:
// package archive's Writer would refuse most of what is wanted here. See
// spec/archive.md sections 3 to 10.
type encoder struct {
	version int
	host    string
	meta    []byte
	volumes map[int][]byte
	index   []byte
}

// epoch is the time of the label, and of metadata, in seconds.
const epoch = 1_700_000_000

func newEncoder(version int) *encoder {
	return newEncoderOf("victim", version)
}

// newEncoderOf is newEncoder for another host.
func newEncoderOf(host string, version int) *encoder {
	e := &encoder{version: version, host: host, volumes: map[int][]byte{}}
	e.meta = e.label(-1)
	return e
}

type word = uint32

func put(b []byte, words ...word) []byte {
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}

// record wraps a payload in its two lengths.
func record(payload []byte) []byte {
	n := word(len(payload) + 8)
	return put(append(put(make([]byte, 0, n), n), payload...), n)
}

// stamp appends a time in seconds after epoch.
func (e *encoder) stamp(b []byte, sec int) []byte {
	if e.version == 2 {
		return put(b, word(epoch+sec), 0)
	}
	return put(b, word(epoch+sec), 0, 0)
}

func (e *encoder) label(volume int) []byte {
	field := func(b []byte, s string, n int) []byte {
		f := make([]byte, n)
		copy(f, s)
		return append(b, f...)
	}
	b := e.stamp(put(nil, 0x50052600|word(e.version), 1234), 0)
	b = put(b, word(volume))
	if e.version == 2 {
		b = field(field(b, e.host, 64), "UTC", 40)
	} else {
		b = field(field(field(put(b, 0, 0), e.host, 256), "UTC", 256), "", 256)
	}
	return record(b)
}

// id spreads numbers over clusters and domains, from 1 on: it avoids the
// domains that PCP reserves.
func id(i int) pcp.PMID { return pcp.MakePMID(1+i/4_000_000, i/1000%4000, i%1000) }

// desc appends a descriptor. Without names it omits even their count, as one of
// PCP's writers does.
func (e *encoder) desc(d pcp.Desc, names ...string) {
	b := put(nil, 1, word(d.PMID), word(d.Type), word(d.InDom), word(d.Sem), d.Units.Bits())
	b = put(b, word(len(names)))
	for _, name := range names {
		b = append(put(b, word(len(name))), name...)
	}
	e.meta = append(e.meta, record(b)...)
}

// metric appends a descriptor of a plain number.
func (e *encoder) metric(i int, dom pcp.InDom, sem pcp.Semantics, names ...string) {
	e.desc(pcp.Desc{PMID: id(i), Type: pcp.Uint32, InDom: dom, Sem: sem}, names...)
}

// indom appends an instance domain record as given: names at offsets of a
// table.
func (e *encoder) indom(dom pcp.InDom, sec int, ids, offsets []int, table string) {
	kind := word(5)
	if e.version == 2 {
		kind = 2
	}
	e.inDomRecord(kind, dom, sec, ids, offsets, table)
}

// delta appends a delta record; an offset of -1 removes an instance.
func (e *encoder) delta(dom pcp.InDom, sec int, ids, offsets []int, table string) {
	e.inDomRecord(6, dom, sec, ids, offsets, table)
}

func (e *encoder) inDomRecord(kind word, dom pcp.InDom, sec int, ids, offsets []int, table string) {
	b := put(nil, kind)
	if kind == 2 {
		b = put(b, word(epoch+sec), 0)
	} else {
		b = put(b, word(epoch+sec), 0, 0)
	}
	b = put(b, word(dom), word(len(ids)))
	for _, i := range ids {
		b = put(b, word(i))
	}
	for _, o := range offsets {
		b = put(b, word(o))
	}
	e.meta = append(e.meta, record(append(b, table...))...)
}

// instances appends a record of the instances from, from+1, … with distinct
// names.
func (e *encoder) instances(dom pcp.InDom, sec, from, n int) {
	var table bytes.Buffer
	ids, offsets := make([]int, n), make([]int, n)
	for i := range n {
		ids[i], offsets[i] = from+i, table.Len()
		table.WriteString("i" + strconv.Itoa(from+i) + "\x00")
	}
	e.indom(dom, sec, ids, offsets, table.String())
}

type labels struct {
	inst int
	json string
}

// labelRecord appends label sets of a class.
func (e *encoder) labelRecord(class, ident word, sec int, sets ...labels) {
	b := e.stamp(put(nil, map[int]word{2: 3, 3: 7}[e.version]), sec)
	b = put(b, class, ident, word(len(sets)))
	for _, s := range sets {
		b = put(append(put(b, word(s.inst), word(len(s.json))), s.json...), 0)
	}
	e.meta = append(e.meta, record(b)...)
}

// help appends a help text: kind is 5 for the one-line and 6 for the long text
// of a metric.
func (e *encoder) help(kind, ident word, text string) {
	e.meta = append(e.meta, record(append(put(nil, 4, kind, ident), text+"\x00"...))...)
}

// A pair is an instance and its value in situ.
type pair struct{ inst, val int }

// A set is the values of one metric in a record: pairs, blocks, or a code.
type set struct {
	pmid   pcp.PMID
	code   int // if there are no values
	pairs  []pair
	typ    pcp.Type // of blocks
	insts  []int
	blocks [][]byte
}

func (s *set) n() int { return max(len(s.pairs), len(s.blocks)) }

// result appends a data record.
func (e *encoder) result(volume, sec int, sets ...set) {
	b := put(e.stamp(nil, sec), word(len(sets)))
	at := len(b) + 4
	for i := range sets {
		at += 8
		if n := sets[i].n(); n > 0 {
			at += 4 + 8*n
		}
	}
	for i := range sets {
		s := &sets[i]
		if s.n() == 0 {
			b = put(b, word(s.pmid), word(s.code))
			continue
		}
		b = put(b, word(s.pmid), word(s.n()), word(min(1, len(s.blocks))))
		for _, p := range s.pairs {
			b = put(b, word(p.inst), word(p.val))
		}
		for k, block := range s.blocks {
			b = put(b, word(s.insts[k]), word(at+8)/4)
			at += (4 + len(block) + 3) &^ 3
		}
	}
	for i := range sets {
		for _, block := range sets[i].blocks {
			b = append(put(b, word(sets[i].typ)<<24|word(4+len(block))), block...)
			for len(b)%4 != 0 {
				b = append(b, '~')
			}
		}
	}
	e.volume(volume, record(b))
}

// volume appends bytes to a data volume, after its label if need be.
func (e *encoder) volume(number int, b []byte) {
	if e.volumes[number] == nil {
		e.volumes[number] = e.label(number)
	}
	e.volumes[number] = append(e.volumes[number], b...)
}

// one appends a record of one value.
func (e *encoder) one(sec int, pmid pcp.PMID, inst, val int) {
	e.result(0, sec, set{pmid: pmid, pairs: []pair{{inst, val}}})
}

// entry appends to the temporal index.
func (e *encoder) entry(sec, volume, meta, offset int) {
	if e.index == nil {
		e.index = e.label(-2)
	}
	e.index = put(e.stamp(e.index, sec), word(volume))
	if e.version == 2 {
		e.index = put(e.index, word(meta), word(offset))
	} else {
		e.index = put(e.index, 0, word(meta), 0, word(offset))
	}
}

// parts returns the files by suffix.
func (e *encoder) parts() map[string][]byte {
	list := map[string][]byte{"meta": e.meta}
	for n, b := range e.volumes {
		list[strconv.Itoa(n)] = b
	}
	if e.index != nil {
		list["index"] = e.index
	}
	return list
}

// files returns them as a user would give them.
func (e *encoder) files() []core.File {
	var list []core.File
	for suffix, b := range e.parts() {
		list = append(list, file("a."+suffix, b))
	}
	return list
}

func file(name string, b []byte) core.File {
	return core.File{Name: name, Size: int64(len(b)), At: bytes.NewReader(b)}
}
