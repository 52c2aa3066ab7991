package hostile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"strings"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// otherKinds are containers, MMV files and the files that set up PCP's tools.
var otherKinds = []Kind{
	{"archives in a folder", func(n int) []core.File {
		var list []core.File
		for i := range n / 20 {
			for suffix, b := range small(i).parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{"archives of one time", func(n int) []core.File {
		var list []core.File
		for i := range n / 20 {
			for suffix, b := range small(0).parts() {
				list = append(list, file(fmt.Sprintf("d%d/a.%s", i, suffix), b))
			}
		}
		return list
	}},
	{"files of no use", func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			list = append(list, file(fmt.Sprintf("d/note%d.txt", i), []byte("nothing")))
		}
		return list
	}},
	{"volumes without metadata", func(n int) []core.File {
		var list []core.File
		for i := range n / 20 {
			list = append(list, file(fmt.Sprintf("d/a%d.0", i), small(i).parts()["0"]))
		}
		return list
	}},
	{"files in a tar", func(n int) []core.File {
		return []core.File{file("a.tar", tarOf(n/8, func(i int) (string, []byte) { return fmt.Sprintf("d/x%d", i), []byte("nothing") }))}
	}},
	{"volumes in a compressed tar", func(n int) []core.File {
		e := small(0).parts()
		return []core.File{file("a.tar.gz", gzipped(tarOf(n/8, func(i int) (string, []byte) {
			if i == 0 {
				return "d/a.meta", e["meta"]
			}
			return fmt.Sprintf("d/a.%d", i), e["0"][:132]
		})))}
	}},
	{"folios in a tar", func(n int) []core.File {
		return []core.File{file("a.tar", tarOf(n/8, func(i int) (string, []byte) {
			return fmt.Sprintf("f%d", i), []byte("PCPFolio\nVersion: 1\nArchive: h a\n")
		}))}
	}},
	{"a folio of many archives", func(n int) []core.File {
		list := small(0).files()
		return append(list, file("folio", []byte("PCPFolio\nVersion: 1\n"+strings.Repeat("Archive: h a\n", n))))
	}},
	{"files in a zip", func(n int) []core.File {
		return []core.File{file("a.zip", zipOf(n/8, func(i int) (string, []byte) { return fmt.Sprintf("d/%d.0", i), []byte("nothing") }))}
	}},
	{"empty containers", func(n int) []core.File {
		var list []core.File
		empty := tarOf(1, func(int) (string, []byte) { return "x", nil })
		for i := range n / 20 {
			list = append(list, file(fmt.Sprintf("c%d.tar", i), empty))
		}
		return list
	}},
	{"containers, an archive in each", func(n int) []core.File {
		var list []core.File
		for i := range n / 40 {
			parts := small(i).parts()
			list = append(list, file(fmt.Sprintf("c%d.tar", i), tarOf(2, func(k int) (string, []byte) {
				suffix := []string{"meta", "0"}[k]
				return "a." + suffix, parts[suffix]
			})))
		}
		return list
	}},
	{"metadata, compressed", func(n int) []core.File {
		e := newEncoder(2)
		for range n {
			e.metric(0, none, pcp.Counter, "a.b")
		}
		values(e, 0)
		p := e.parts()
		return []core.File{file("a.meta.gz", gzipped(p["meta"])), file("a.0.gz", gzipped(p["0"]))}
	}},
	{"metrics of an MMV file", func(n int) []core.File { return []core.File{mmvFile(n, 1)} }},
	{"instances of an MMV file", func(n int) []core.File { return []core.File{mmvFile(1, n)} }},
	{"metrics and instances of an MMV file", func(n int) []core.File { return []core.File{mmvFile(root(n), root(n))} }},
	{"definitions", func(n int) []core.File {
		var b strings.Builder
		for i := range n / 4 {
			fmt.Fprintf(&b, "my.d%d = rate(a.b) * %d\n", i, i)
		}
		return append(small(0).files(), file("my.conf", []byte(b.String())))
	}},
	{"definitions of definitions", func(n int) []core.File {
		var b strings.Builder
		fmt.Fprintf(&b, "my.d0 = a.b\n")
		for i := range min(n/4, 400) {
			fmt.Fprintf(&b, "my.d%d = my.d%d + 1\n", i+1, i)
		}
		return append(small(0).files(), file("my.conf", []byte(b.String())))
	}},
	{"a configuration of pmrep", func(n int) []core.File {
		var b strings.Builder
		b.WriteString("[mine]\nheader = yes\n")
		for i := range n / 4 {
			fmt.Fprintf(&b, "a.b%d = x%d,,,,8\n", i, i)
		}
		return append(small(0).files(), file("pmrep.conf", []byte(b.String())))
	}},
	{"a view of pmchart", func(n int) []core.File {
		var b strings.Builder
		b.WriteString("#kmchart\nversion 1\n")
		for i := range n / 8 {
			fmt.Fprintf(&b, "chart title \"t%d\" style plot\n\tplot color #123456 metric a.b\n", i)
		}
		return append(small(0).files(), file("my.view", []byte(b.String())))
	}},
}

// small is an archive of three values, one minute after the one before.
func small(i int) *encoder {
	e := newEncoder(2)
	e.metric(0, none, pcp.Counter, "a.b")
	for k := range 3 {
		e.one(60*i+20*k, id(0), -1, i+k)
	}
	return e
}

func tarOf(n int, entry func(i int) (string, []byte)) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range n {
		name, data := entry(i)
		w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644, Typeflag: tar.TypeReg})
		w.Write(data)
	}
	w.Close()
	return b.Bytes()
}

func zipOf(n int, entry func(i int) (string, []byte)) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range n {
		name, data := entry(i)
		w, _ := z.Create(name)
		w.Write(data)
	}
	z.Close()
	return b.Bytes()
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// mmvFile is a file of version 1 with so many metrics of one domain, each with
// a value for each of its instances. See spec/mmv.md sections 2 and 3.
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
