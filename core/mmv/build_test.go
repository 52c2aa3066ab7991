package mmv

import (
	"encoding/binary"
)

// A builder makes files byte by byte after the tables of spec/mmv.md,
// in either byte order and any version. It shares nothing with the reader.
type builder struct {
	order   binary.ByteOrder
	version uint32
	flags   uint32
	cluster uint32
	gen     [2]uint64

	domains, instances, metrics, values, strings, labels [][]byte
	fix                                                  []func(base map[string]uint64)
}

func newBuilder(order binary.ByteOrder, version uint32) *builder {
	return &builder{order: order, version: version, cluster: 321, gen: [2]uint64{7, 7}}
}

func (b *builder) entry(size int) []byte { return make([]byte, size) }

// ptr writes the offset of the i-th entry of a section once that is known.
func (b *builder) ptr(e []byte, at int, section string, i, size int) {
	b.fix = append(b.fix, func(base map[string]uint64) { b.order.PutUint64(e[at:], base[section]+uint64(i*size)) })
}

// str adds a string and points e at it.
func (b *builder) str(e []byte, at int, s string) {
	entry := make([]byte, 256)
	copy(entry, s)
	b.ptr(e, at, "strings", len(b.strings), 256)
	b.strings = append(b.strings, entry)
}

func (b *builder) instanceSize() int {
	if b.version == 1 {
		return 80
	}
	return 24
}

func (b *builder) metricSize() int {
	if b.version == 1 {
		return 104
	}
	return 48
}

type inst struct {
	id   int32
	name string
}

// domain adds an instance domain and returns the number of its first instance.
func (b *builder) domain(serial uint32, oneline, help string, insts ...inst) int {
	e := b.entry(32)
	b.order.PutUint32(e, serial)
	b.order.PutUint32(e[4:], uint32(len(insts)))
	first := len(b.instances)
	b.ptr(e, 8, "instances", first, b.instanceSize())
	if oneline != "" {
		b.str(e, 16, oneline)
	}
	if help != "" {
		b.str(e, 24, help)
	}
	for _, in := range insts {
		i := b.entry(b.instanceSize())
		b.ptr(i, 0, "domains", len(b.domains), 32)
		b.order.PutUint32(i[12:], uint32(in.id))
		if b.version == 1 {
			copy(i[16:80], in.name)
		} else {
			b.str(i, 16, in.name)
		}
		b.instances = append(b.instances, i)
	}
	b.domains = append(b.domains, e)
	return first
}

type metric struct {
	name          string
	item          uint32
	typ, sem      int32
	units         uint32
	domain        int32
	oneline, help string
}

func (b *builder) metric(m metric) int {
	e := b.entry(b.metricSize())
	at := 8
	if b.version == 1 {
		copy(e[:64], m.name)
		at = 64
	} else {
		b.str(e, 0, m.name)
	}
	rest := e[at:]
	b.order.PutUint32(rest, m.item)
	b.order.PutUint32(rest[4:], uint32(m.typ))
	b.order.PutUint32(rest[8:], uint32(m.sem))
	b.order.PutUint32(rest[12:], m.units)
	b.order.PutUint32(rest[16:], uint32(m.domain))
	if m.oneline != "" {
		b.str(e, at+24, m.oneline)
	}
	if m.help != "" {
		b.str(e, at+32, m.help)
	}
	b.metrics = append(b.metrics, e)
	return len(b.metrics) - 1
}

// value adds the value of a metric and instance, -1 for none. u is a uint32,
// uint64 or string.
func (b *builder) value(metric, instance int, u any, extra int64) []byte {
	e := b.entry(32)
	b.order.PutUint64(e[8:], uint64(extra))
	switch u := u.(type) {
	case uint32:
		b.order.PutUint32(e, u)
	case uint64:
		b.order.PutUint64(e, u)
	case string:
		b.str(e, 8, u)
	}
	b.ptr(e, 16, "metrics", metric, b.metricSize())
	if instance >= 0 {
		b.ptr(e, 24, "instances", instance, b.instanceSize())
	}
	b.values = append(b.values, e)
	return e
}

func (b *builder) label(flags, identity uint32, internal int32, json string) {
	e := b.entry(256)
	b.order.PutUint32(e, flags)
	b.order.PutUint32(e[4:], identity)
	b.order.PutUint32(e[8:], uint32(internal))
	copy(e[12:], json)
	b.labels = append(b.labels, e)
}

// bytes lays the file out.
func (b *builder) bytes() []byte {
	sections := []struct {
		name    string
		kind    uint32
		entries [][]byte
	}{{"domains", 1, b.domains}, {"instances", 2, b.instances}, {"metrics", 3, b.metrics}, {"values", 4, b.values}, {"strings", 5, b.strings}, {"labels", 6, b.labels}}
	contents, n := make([]byte, 0, 96), uint32(0)
	base := map[string]uint64{}
	for _, s := range sections {
		if len(s.entries) > 0 {
			n++
		}
	}
	at := uint64(40 + 16*n)
	for _, s := range sections {
		if len(s.entries) == 0 {
			continue
		}
		base[s.name] = at
		e := make([]byte, 16)
		b.order.PutUint32(e, s.kind)
		b.order.PutUint32(e[4:], uint32(len(s.entries)))
		b.order.PutUint64(e[8:], at)
		contents = append(contents, e...)
		at += uint64(len(s.entries) * len(s.entries[0]))
	}
	for _, f := range b.fix {
		f(base)
	}
	out := make([]byte, 40)
	copy(out, "MMV\x00")
	b.order.PutUint32(out[4:], b.version)
	b.order.PutUint64(out[8:], b.gen[0])
	b.order.PutUint64(out[16:], b.gen[1])
	b.order.PutUint32(out[24:], n)
	b.order.PutUint32(out[28:], b.flags)
	b.order.PutUint32(out[32:], 4711)
	b.order.PutUint32(out[36:], b.cluster)
	out = append(out, contents...)
	for _, s := range sections {
		for _, e := range s.entries {
			out = append(out, e...)
		}
	}
	return out
}
