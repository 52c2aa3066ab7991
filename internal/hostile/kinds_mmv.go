package hostile

import (
	"encoding/binary"
	"fmt"
	"io"

	"pcpscope/core"
)

// mmvKinds are files of memory mapped values.
var mmvKinds = []Kind{
	{Name: "metrics of an MMV file", Make: func(n int) []core.File { return []core.File{mmvFile(n, 1)} }},
	{Name: "instances of an MMV file", Make: func(n int) []core.File { return []core.File{mmvFile(1, n)} }},
	{Name: "metrics and instances of an MMV file", Make: func(n int) []core.File { return []core.File{mmvFile(root(n), root(n))} }},
	{Name: "instances of an MMV file, highest first", Make: func(n int) []core.File {
		f := mmvFile(1, n)
		b, _ := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
		const at, size = 40 + 4*16 + 32, 80 // of the instances: see mmvFile
		for i := range n {
			binary.LittleEndian.PutUint32(b[at+size*i+12:], uint32(n-i))
		}
		return []core.File{file("victim", b)}
	}},
	{Name: "texts of an MMV file", Make: func(n int) []core.File { return []core.File{mmvStrings(n, 0, 1)} }},
	{Name: "labels of an MMV file", Make: func(n int) []core.File { return []core.File{mmvStrings(20, n, 1)} }},
	{Name: "sections of an MMV file", Make: func(n int) []core.File { return []core.File{mmvStrings(20, 20, n)} }},
	{Name: "MMV files", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			f := mmvFile(2, 2)
			f.Name = fmt.Sprintf("d/m%d", i)
			list = append(list, f)
		}
		return list
	}},
}

// mmvFile is a file of version 1 with metrics of one domain, each with a value
// for each of its instances. See spec/mmv.md sections 2 and 3.
func mmvFile(metrics, instances int) core.File {
	const header, toc, domain, instance, metric, value = 40, 16, 32, 80, 104, 32
	at := header + 4*toc
	domainAt := at
	at += domain
	instanceAt := at
	at += instances * instance
	metricAt := at
	at += metrics * metric
	valueAt := at
	at += metrics * instances * value
	b := make([]byte, at)
	le := binary.LittleEndian
	copy(b, "MMV\x00")
	le.PutUint32(b[4:], 1)
	le.PutUint64(b[8:], 5)
	le.PutUint64(b[16:], 5)
	le.PutUint32(b[24:], 4)
	le.PutUint32(b[36:], 7)
	for i, s := range [][3]int{{1, 1, domainAt}, {2, instances, instanceAt}, {3, metrics, metricAt}, {4, metrics * instances, valueAt}} {
		e := b[header+toc*i:]
		le.PutUint32(e, uint32(s[0]))
		le.PutUint32(e[4:], uint32(s[1]))
		le.PutUint64(e[8:], uint64(s[2]))
	}
	le.PutUint32(b[domainAt:], 1)
	le.PutUint32(b[domainAt+4:], uint32(instances))
	le.PutUint64(b[domainAt+8:], uint64(instanceAt))
	for i := range instances {
		e := b[instanceAt+instance*i:]
		le.PutUint64(e, uint64(domainAt))
		le.PutUint32(e[12:], uint32(i))
		copy(e[16:80], fmt.Sprint("i", i))
	}
	for i := range metrics {
		e := b[metricAt+metric*i:]
		copy(e[:64], fmt.Sprintf("m%d.x", i))
		le.PutUint32(e[64:], uint32(i))
		le.PutUint32(e[68:], 1) // U32
		le.PutUint32(e[72:], 3) // instant
		le.PutUint32(e[80:], 1) // its domain
		for k := range instances {
			v := b[valueAt+value*(i*instances+k):]
			le.PutUint64(v, uint64(i+k))
			le.PutUint64(v[16:], uint64(metricAt+metric*i))
			le.PutUint64(v[24:], uint64(instanceAt+instance*k))
		}
	}
	return file("victim", b)
}

// mmvStrings is a file of version 3 with string metrics, whose names, help and
// values are strings, and with labels. Each entry of its table is repeated
// times times.
func mmvStrings(metrics, labels, times int) core.File {
	const header, toc, metric, value, text, label = 40, 16, 48, 32, 256, 256
	metricAt := header + 4*times*toc
	valueAt := metricAt + metrics*metric
	textAt := valueAt + metrics*value
	labelAt := textAt + 2*metrics*text
	b := make([]byte, labelAt+labels*label)
	le := binary.LittleEndian
	copy(b, "MMV\x00")
	le.PutUint32(b[4:], 3)
	le.PutUint64(b[8:], 5)
	le.PutUint64(b[16:], 5)
	le.PutUint32(b[24:], uint32(4*times))
	le.PutUint32(b[36:], 7)
	for i, s := range [][3]int{{3, metrics, metricAt}, {4, metrics, valueAt}, {5, 2 * metrics, textAt}, {6, labels, labelAt}} {
		for k := range times {
			e := b[header+toc*(4*k+i):]
			le.PutUint32(e, uint32(s[0]))
			le.PutUint32(e[4:], uint32(s[1]))
			le.PutUint64(e[8:], uint64(s[2]))
		}
	}
	for i := range metrics {
		name, content := textAt+2*i*text, textAt+(2*i+1)*text
		copy(b[name:], fmt.Sprintf("m%d.x", i))
		copy(b[content:], fmt.Sprintf("text %d", i))
		e := b[metricAt+metric*i:]
		le.PutUint64(e, uint64(name))
		le.PutUint32(e[8:], uint32(i%1024))
		le.PutUint32(e[12:], 6) // a text
		le.PutUint32(e[16:], 4) // discrete
		le.PutUint64(e[32:], uint64(content))
		le.PutUint64(e[40:], uint64(content))
		v := b[valueAt+value*i:]
		le.PutUint64(v[8:], uint64(content))
		le.PutUint64(v[16:], uint64(metricAt+metric*i))
	}
	for i := range labels {
		e := b[labelAt+label*i:]
		le.PutUint32(e, 16) // of a metric
		le.PutUint32(e[4:], uint32(i%20))
		le.PutUint32(e[8:], 0xffffffff)
		copy(e[12:], fmt.Sprintf(`{"a%d":%d}`, i, i))
	}
	return file("victim", b)
}
