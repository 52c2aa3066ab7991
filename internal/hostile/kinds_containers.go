package hostile

import (
	"archive/tar"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// containerKinds are many files, in folders and in containers.
var containerKinds = []Kind{
	{Name: "archives in a folder", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			for suffix, b := range small(i).parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "archives that overlap in pairs", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			for suffix, b := range small(2*i - i%2).parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "archives with instances of their own", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 16 {
			e := newEncoder(2)
			e.metric(0, dom, pcp.Counter, "a.b")
			e.instances(dom, 60*i, 4*i, 4)
			for k := range 3 {
				pairs := []pair{{4 * i, k}, {4*i + 1, k}, {4*i + 2, k}, {4*i + 3, k}}
				e.result(0, 60*i+20*k, set{pmid: id(0), pairs: pairs})
			}
			for suffix, b := range e.parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "archives of one time", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			for suffix, b := range small(0).parts() {
				list = append(list, file(fmt.Sprintf("d%d/a.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "files of no use", Make: func(n int) []core.File {
		var list []core.File
		for i := range n {
			list = append(list, file(fmt.Sprintf("d/note%d.txt", i), []byte("nothing")))
		}
		return list
	}},
	{Name: "volumes without metadata", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			list = append(list, file(fmt.Sprintf("d/a%d.0", i), small(i).parts()["0"]))
		}
		return list
	}},
	{Name: "files in a tar", Make: func(n int) []core.File {
		return []core.File{file("a.tar", tarOf(n, func(i int) (string, []byte) { return fmt.Sprintf("d/x%d", i), []byte("nothing") }))}
	}},
	{Name: "volumes in a compressed tar", Unpacked: func(n int) int64 { return int64(len(tarOfVolumes(n))) }, Make: func(n int) []core.File {
		return []core.File{file("a.tar.gz", gzipped(tarOfVolumes(n)))}
	}},
	{Name: "folios in a tar", Make: func(n int) []core.File {
		return []core.File{file("a.tar", tarOf(n, func(i int) (string, []byte) {
			return fmt.Sprintf("f%d", i), []byte("PCPFolio\nVersion: 1\nArchive: h a\n")
		}))}
	}},
	{Name: "a folio of many archives", Make: func(n int) []core.File {
		list := small(0).files()
		return append(list, file("folio", []byte("PCPFolio\nVersion: 1\n"+strings.Repeat("Archive: h a\n", n))))
	}},
	{Name: "files in a zip", Make: func(n int) []core.File {
		return []core.File{file("a.zip", zipOf(n, func(i int) (string, []byte) { return fmt.Sprintf("d/%d.0", i), []byte("nothing") }))}
	}},
	{Name: "empty containers", Make: func(n int) []core.File {
		var list []core.File
		empty := tarOf(1, func(int) (string, []byte) { return "x", nil })
		for i := range n / 4 {
			list = append(list, file(fmt.Sprintf("c%d.tar", i), empty))
		}
		return list
	}},
	{Name: "containers, an archive in each", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 16 {
			parts := small(i).parts()
			list = append(list, file(fmt.Sprintf("c%d.tar", i), tarOf(2, func(k int) (string, []byte) {
				suffix := []string{"meta", "0"}[k]
				return "a." + suffix, parts[suffix]
			})))
		}
		return list
	}},
	{Name: "metadata, compressed", Make: func(n int) []core.File {
		e := newEncoder(2)
		for range n {
			e.metric(0, none, pcp.Counter, "a.b")
		}
		values(e, 0)
		p := e.parts()
		return []core.File{file("a.meta.gz", gzipped(p["meta"])), file("a.0.gz", gzipped(p["0"]))}
	}},
	{Name: "archives of one folder and one time", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			for suffix, b := range small(i % 7).parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "archives of as many hosts", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			e := newEncoderOf(fmt.Sprint("h", i), 2)
			e.metric(0, none, pcp.Counter, "a.b")
			e.one(0, id(0), -1, i)
			e.one(20, id(0), -1, i)
			for suffix, b := range e.parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "archives with a metric of its own in each", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 16 {
			e := newEncoder(2)
			e.metric(i, none, pcp.Counter, fmt.Sprint("a.b", i))
			e.one(60*i, id(i), -1, i)
			e.one(60*i+20, id(i), -1, i)
			for suffix, b := range e.parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), b))
			}
		}
		return list
	}},
	{Name: "volumes without metadata, and archives with them", Make: func(n int) []core.File {
		var list []core.File
		for i := range n / 4 {
			parts := small(i).parts()
			list = append(list, file(fmt.Sprintf("d/a%d.0", i), parts["0"]))
			if i%2 == 0 {
				list = append(list, file(fmt.Sprintf("d/a%d.meta", i), parts["meta"]))
			}
		}
		return list
	}},
	{Name: "long names in a tar", Make: func(n int) []core.File { // of the POSIX form, which stand in records of their own
		return []core.File{file("a.tar", tarOf(n/16, func(i int) (string, []byte) {
			return fmt.Sprintf("d%d/", i) + strings.Repeat("x/", 1500) + "a.0", []byte("nothing")
		}))}
	}},
	{Name: "names in a tar that are too long", Make: func(n int) []core.File {
		return []core.File{file("a.tar", tarOf(n/32, func(i int) (string, []byte) {
			return fmt.Sprintf("d%d/", i) + strings.Repeat("x/", 5000) + "a.0", []byte("nothing")
		}))}
	}},
	{Name: "a long name in a tar", Make: func(n int) []core.File {
		return []core.File{file("a.tar", tarOf(2, func(i int) (string, []byte) {
			return strings.Repeat("x/", min(5*n, 500_000)) + fmt.Sprint(i), []byte("nothing")
		}))}
	}},
	{Name: "records of a file in a tar", Make: func(n int) []core.File {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for range max(1, n/20_000) {
			more := map[string]string{}
			for i := range min(n, 20_000) {
				more[fmt.Sprintf("MY.n%d", i)] = "x"
			}
			w.WriteHeader(&tar.Header{Name: "d/a.0", Size: 0, Mode: 0o644, Typeflag: tar.TypeReg, PAXRecords: more})
		}
		w.Close()
		return []core.File{file("a.tar", b.Bytes())}
	}},
	{Name: "long names in a zip", Make: func(n int) []core.File {
		return []core.File{file("a.zip", zipOf(n/16, func(i int) (string, []byte) {
			return fmt.Sprintf("d%d/", i) + strings.Repeat("x/", 1500) + "a.0", []byte("nothing")
		}))}
	}},
	{Name: "a folio that names many", Make: func(n int) []core.File {
		var b strings.Builder
		b.WriteString("PCPFolio\nVersion: 1\n")
		for i := range n {
			fmt.Fprintf(&b, "Archive: h%d d/a%d\n", i, i)
		}
		list := []core.File{file("d/folio", []byte(b.String()))}
		for i := range n / 16 {
			for suffix, part := range small(i).parts() {
				list = append(list, file(fmt.Sprintf("d/a%d.%s", i, suffix), part))
			}
		}
		return list
	}},
	{Name: "containers in containers", Make: func(n int) []core.File {
		inner := tarOf(1, func(int) (string, []byte) { return "x", []byte("nothing") })
		return []core.File{file("a.tar", tarOf(n/8, func(i int) (string, []byte) { return fmt.Sprintf("d/c%d.tar", i), inner }))}
	}},
	{Name: "folders in folders", Make: func(n int) []core.File {
		var list []core.File
		for suffix, b := range small(0).parts() {
			list = append(list, file(strings.Repeat("d/", n)+"a."+suffix, b))
		}
		return list
	}},
}

// tarOfVolumes has metadata, and volumes that hold nothing but their labels.
func tarOfVolumes(n int) []byte {
	e := small(0).parts()
	return tarOf(n, func(i int) (string, []byte) {
		if i == 0 {
			return "d/a.meta", e["meta"]
		}
		return fmt.Sprintf("d/a.%d", i), e["0"][:132]
	})
}

// packedKinds are archives of many metrics and many records, in each container:
// their files packed one by one, as PCP's own tools do, and in a tar, as those who
// send them do.
func packedKinds() (list []Kind) {
	unpacked := func(n int) (size int64) {
		for _, b := range broad(n).parts() {
			size += int64(len(b))
		}
		return size
	}
	for _, p := range packings {
		list = append(list, Kind{Name: "an archive as " + p.suffix, Unpacked: unpacked, Make: func(n int) (files []core.File) {
			for suffix, b := range broad(n).parts() {
				files = append(files, file("a."+suffix+p.suffix, p.pack(b)))
			}
			return files
		}}, Kind{Name: "an archive in a tar" + p.suffix, Unpacked: unpacked, Make: func(n int) []core.File {
			return []core.File{file("a.tar"+p.suffix, p.pack(tarred(broad(n).parts())))}
		}})
	}
	return append(list, Kind{Name: "an archive in a tar", Make: func(n int) []core.File {
		return []core.File{file("a.tar", tarred(broad(n).parts()))}
	}}, Kind{Name: "an archive in a zip", Unpacked: unpacked, Make: func(n int) []core.File {
		parts := broad(n).parts()
		suffixes := slices.Sorted(maps.Keys(parts))
		return []core.File{file("a.zip", zipOf(len(suffixes), func(i int) (string, []byte) { return "d/a." + suffixes[i], parts[suffixes[i]] }))}
	}})
}

func tarred(parts map[string][]byte) []byte {
	suffixes := slices.Sorted(maps.Keys(parts))
	return tarOf(len(suffixes), func(i int) (string, []byte) { return "d/a." + suffixes[i], parts[suffixes[i]] })
}

// broad is an archive of n metrics, n instances and n records.
func broad(n int) *encoder {
	e := newEncoder(3)
	e.metric(0, dom, pcp.Counter, "disk.dev.read")
	e.instances(dom, 0, 0, n)
	wide(e, []int{0}, n, 2)
	for i := range n {
		e.metric(i+1, none, pcp.Instant, fmt.Sprintf("m%d.n%d", i%10, i))
		e.one(60+i, id(i+1), -1, i)
	}
	return e
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
