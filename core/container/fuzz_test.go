package container

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
	"pcpscope/internal/damaged"
)

// Whatever the bytes, a decoder ends, and its error is a fault with a sentence.
func FuzzUnpack(f *testing.F) {
	for _, tool := range tools {
		packed := pack(f, tool.args, records(200))
		for _, b := range append(damaged.Copies(packed, 8), packed) {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := Sniff(b)
		if c == None {
			return
		}
		r, err := c.NewReader(bytes.NewReader(b))
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<24))
			r.Close()
		}
		if err != nil {
			if _, ok := err.(*pcp.Fault); !ok || err.(*pcp.Fault).Message == "" {
				t.Errorf("%T: %v", err, err)
			}
		}
	})
}

// compress has no checksums, so its decoder sees all that a fuzzer invents.
func FuzzUncompress(f *testing.F) {
	for _, args := range []string{"compress -c", "compress -c -b 10"} {
		packed := pack(f, args, records(200))
		for _, b := range append(damaged.Copies(packed[2:], 40), packed[2:], []byte{0x80 | 31}, []byte{8, 0, 0, 0, 0, 0, 0}) {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Compress.NewReader(bytes.NewReader(append([]byte{0x1f, 0x9d}, b...)))
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<24))
		}
		if len(b) > 0 && (b[0]&31 < 9 || b[0]&31 > 16) && err == nil { // its table has an entry for each code
			t.Errorf("codes of %d bits are read", b[0]&31)
		}
	})
}

// Whatever is dropped, what comes out can be read, and is within the budget.
func FuzzExpand(f *testing.F) {
	label := "\x00\x00\x00\x84\x50\x05\x26\x02"
	f.Add("a.tar", tarOf(f, "x.meta", label, "x.0", label, "x.index", "", "y.txt", "hello"))
	f.Add("a.tar.gz", gzipped(tarOf(f, "x.meta", label)))
	f.Add("a.zip", zipOf(f, "x.meta", label, "x.0", label+"data", "b.tar", string(tarOf(f, "x.0", label))))
	cut := zipOf(f, "x.meta", label, "x.0", label+"data", "y.tar", string(tarOf(f, "x.0", label)))
	f.Add("cut.zip", cut[:len(cut)-30])
	f.Add("large.tar.gz", gzipped(tarOf(f, "x.0", label+strings.Repeat("x", 3<<20))))
	for _, good := range [][]byte{tarOf(f, "x.meta", label, "x.0", label), zipOf(f, "x.meta", label, "b.tar", string(tarOf(f, "x.0", label)))} {
		for _, b := range damaged.Copies(good, 40) {
			f.Add("a.zip", b)
		}
	}
	f.Add("Latest", []byte("PCPFolio\nVersion: 1\nArchive: a b\n"))
	f.Add("x.meta", []byte(label))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		memory := NewMemory(budget.New(1 << 20).Claim(0))
		x, err := Expand(t.Context(), []File{memFile(name, b)}, Options{Spool: memory, Unpacked: 1 << 24}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range x.Leaves {
			if l.Size < 0 || l.Size > 2<<20 {
				t.Fatalf("%s has %d bytes", l.Name, l.Size)
			}
			if got := content(t, l.File); int64(len(got)) != l.Size {
				t.Fatalf("%s: %d of %d bytes", l.Name, len(got), l.Size)
			}
		}
		if len(x.Leaves)+len(x.Folios)+len(x.Rejected)+len(x.Problems) == 0 {
			t.Errorf("no message about the file")
		}
	})
}
