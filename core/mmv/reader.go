package mmv

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"pcpscope/core/pcp"
)

// A reader is the state of parsing a file.
type reader struct {
	data     []byte
	order    binary.ByteOrder
	file     File
	sections [sectionLabels + 1][]section

	domainOf  map[pcp.InDom]int            // -> index of file.InDoms
	domainAt  map[uint32]bool              // serials that are defined in the file
	joined    map[int]map[int32]bool       // by index: the instances of domains that were merged
	adopted   map[pcp.InDom]map[int32]bool // instances of domains that are not defined in the file
	metricAt  map[uint64]int               // offset of an entry -> index of raw and file.Metrics
	raw       []rawMetric                  // beside file.Metrics
	tallies   []*tally
	tallied   map[string]*tally // by sentence
	instances uint64            // read so far
}

// Types of sections. See spec/mmv.md section 2.2.
const (
	sectionDomains   = 1
	sectionInstances = 2
	sectionMetrics   = 3
	sectionValues    = 4
	sectionStrings   = 5
	sectionLabels    = 6
)

var sectionNames = [...]string{"", "instance domains", "instances", "metrics", "values", "strings", "labels"}

// A section is a sequence of entries, all of which lie in the file.
type section struct {
	offset, size uint64 // of the first entry; of each
	count        int
}

const (
	headerSize   = 40
	contentsSize = 16
	stringSize   = 256
	nameSize     = 64 // of version 1
	labelSize    = 256
	valueSize    = 32
	domainSize   = 32
)

func (r *reader) instanceSize() uint64 {
	if r.file.Version == 1 {
		return 80
	}
	return 24
}

func (r *reader) metricSize() uint64 {
	if r.file.Version == 1 {
		return 104
	}
	return 48
}

// has reports whether n bytes lie at offset, which may be any 64 bits.
func (r *reader) has(offset, n uint64) bool {
	size := uint64(len(r.data))
	return offset <= size && n <= size-offset
}

func (r *reader) u32(at uint64) uint32 { return r.order.Uint32(r.data[at:]) }
func (r *reader) u64(at uint64) uint64 { return r.order.Uint64(r.data[at:]) }

// text returns the string at offset: up to the NUL, limit bytes or the end of
// the file. ok is false if not even the first byte is in the file.
func (r *reader) text(offset uint64, limit int) (string, bool) {
	if offset >= uint64(len(r.data)) {
		return "", false
	}
	b := r.data[offset:]
	b = b[:min(len(b), limit)]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b), true
}

// ref returns the string entry at an offset; offset 0 means none.
func (r *reader) ref(offset uint64, field string) string {
	if offset == 0 {
		return ""
	}
	s, ok := r.text(offset, stringSize-1)
	if !ok {
		r.note(offset, field, pcp.Corrupt, "A "+field+" lies behind the end of the file")
	}
	return s
}

// header reads the header. See spec/mmv.md sections 1 and 2.1.
func (r *reader) header() *pcp.Fault {
	if len(r.data) < 4 || string(r.data[:4]) != "MMV\x00" {
		return pcp.Faultf(pcp.Unsupported, "This is not an MMV file: it does not begin with \"MMV\".").At(0, "magic")
	}
	if len(r.data) < headerSize {
		return pcp.Faultf(pcp.Truncated, "The file ends inside its header, after %d of %d bytes.", len(r.data), headerSize).At(int64(len(r.data)), "header")
	}
	little, big := binary.LittleEndian.Uint32(r.data[4:]), binary.BigEndian.Uint32(r.data[4:])
	switch {
	case 1 <= little && little <= 3:
		r.order, r.file.Version = binary.LittleEndian, int(little)
	case 1 <= big && big <= 3:
		r.order, r.file.Version, r.file.BigEndian = binary.BigEndian, int(big), true
	default:
		return pcp.Faultf(pcp.Unsupported, "MMV files of version %d are not known; there are versions 1, 2 and 3.", min(little, big)).At(4, "version")
	}
	f := &r.file
	f.Generation1, f.Generation2 = r.u64(8), r.u64(16)
	f.Flags, f.PID = Flags(r.u32(28)), int32(r.u32(32))
	cluster := int32(r.u32(36))
	f.Cluster = int(cluster) & 0xfff
	if cluster == 0 {
		f.Cluster = 1 // what the agent gives to the first file that leaves the choice to it
	}
	if int32(f.Cluster) != cluster && cluster != 0 {
		r.problem(pcp.Faultf(pcp.Corrupt, "The cluster is %d, outside 0 to 4095; PCP's agent refuses the file.", cluster).At(36, "cluster"),
			fmt.Sprintf("It was read as cluster %d.", f.Cluster))
	}
	switch {
	case f.Generation1 == 0:
		r.problem(pcp.Faultf(pcp.Truncated, "The generation number is 0: the file was caught while its program was writing its definitions.").At(8, "generation1"),
			"It is shown as it is; read it again later.")
	case f.Generation1 != f.Generation2:
		r.problem(pcp.Faultf(pcp.Truncated, "The two generation numbers differ: the file was caught while its program was writing its definitions.").At(16, "generation2"),
			"It is shown as it is; read it again later.")
	}
	return nil
}

// contents reads the table of contents. See spec/mmv.md sections 2.2, 7.1 and 7.2.
func (r *reader) contents() {
	n := int32(r.u32(24))
	if n < 2 {
		r.problem(pcp.Faultf(pcp.Corrupt, "The table of contents has %d entries, fewer than 2; PCP's agent refuses the file.", n).At(24, "tocs"), "")
	}
	if room := (len(r.data) - headerSize) / contentsSize; int(n) > room {
		r.problem(pcp.Faultf(pcp.Truncated, "The table of contents has %d entries, but the file ends after %d; PCP's agent refuses it.", n, room).At(24, "tocs"),
			fmt.Sprintf("The %d that are there were used.", room))
		n = int32(room)
	}
	sizes := [...]uint64{0, domainSize, r.instanceSize(), r.metricSize(), valueSize, stringSize, labelSize}
	limits := [...]uint32{sectionMetrics: 1023, sectionDomains: 4194303, sectionLabels: 255}
	var named [sectionLabels + 1]map[section]bool
	var entries [sectionLabels + 1]uint64 // of sections so far
	for i := range max(n, 0) {
		at := uint64(headerSize + contentsSize*i)
		kind, count, offset := r.u32(at), r.u32(at+4), r.u64(at+8)
		if kind == 0 || kind > sectionLabels {
			r.note(at, "toc.type", pcp.Unsupported, fmt.Sprintf("The table of contents names a section of type %d, which is not known", kind))
			continue
		}
		name, size := sectionNames[kind], sizes[kind]
		if kind == sectionInstances || kind == sectionStrings {
			continue // only reached through offsets
		}
		if offset > uint64(len(r.data)) {
			r.problem(pcp.Faultf(pcp.Truncated, "The %s begin behind the end of the file.", name).At(int64(at+8), "toc.offset"), "They were left out.")
			continue
		}
		if room := (uint64(len(r.data)) - offset) / size; uint64(count) > room {
			r.problem(pcp.Faultf(pcp.Truncated, "There should be %d %s, but the file ends after %d; PCP's agent ignores them all.", count, name, room).At(int64(at+4), "toc.count"),
				"Those that are there were used.")
			count = uint32(room)
		} else if int(kind) < len(limits) && limits[kind] != 0 && count > limits[kind] {
			r.problem(pcp.Faultf(pcp.Unsupported, "There are %d %s, more than the %d that PCP's agent accepts; it ignores them all.", count, name, limits[kind]).At(int64(at+4), "toc.count"),
				"They were used nevertheless.")
		}
		if len(r.sections[kind]) > 0 {
			r.note(at, "toc.type", pcp.Corrupt, "There is more than one section of "+name+"; PCP's agent uses only parts of them")
			count = min(count, uint32(uint64(len(r.data))/size-entries[kind])) // sections that overlap would multiply
		}
		s := section{offset, size, int(count)}
		if named[kind] == nil {
			named[kind] = map[section]bool{}
		}
		if count == 0 || named[kind][s] { // the first entry with a name, item or instance counts anyway
			continue
		}
		named[kind][s] = true
		entries[kind] += uint64(count)
		r.sections[kind] = append(r.sections[kind], s)
	}
}

// entries calls f with the offset of every entry of the sections of a kind.
func (r *reader) entries(kind int, f func(at uint64)) {
	for _, s := range r.sections[kind] {
		for i := range uint64(s.count) {
			f(s.offset + i*s.size)
		}
	}
}
