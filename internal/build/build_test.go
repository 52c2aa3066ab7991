package build

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func newBuilder(t *testing.T) *builder {
	return &builder{Options: Options{Root: "../..", Dist: t.TempDir(), Compress: true, Log: t.Logf}, made: map[string]bool{}}
}

func TestCompressedCopiesUnpackToTheirFiles(t *testing.T) {
	b := newBuilder(t)
	text := []byte(strings.Repeat("kernel.all.load ", 1000))
	for _, name := range []string{"a.js", "small.js", "sample/web01.0.zst"} {
		data := text
		if name == "small.js" {
			data = text[:100]
		}
		if err := b.write(name, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.compress(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(b.packed)
	if want := []string{"a.js.br", "a.js.gz"}; !slices.Equal(b.packed, want) {
		t.Fatalf("the compressed copies are %v, want %v", b.packed, want)
	}
	for name, open := range map[string]func(io.Reader) io.Reader{
		"a.js.br": func(r io.Reader) io.Reader { return brotli.NewReader(r) },
		"a.js.gz": func(r io.Reader) io.Reader { z, _ := gzip.NewReader(r); return z },
	} {
		packed, err := os.ReadFile(filepath.Join(b.Dist, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(open(bytes.NewReader(packed))); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s unpacks to %d bytes, %v; want %d", name, len(got), err, len(text))
		}
	}
}

// Outdated files of an earlier build are removed; so is a compressed copy of a file
// that has changed, if this build makes none.
func TestSweepLeavesNothingStale(t *testing.T) {
	b := newBuilder(t)
	big := bytes.Repeat([]byte("x"), 2*worthwhile)
	b.write("a.js", big)
	if err := b.compress(); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(b.Dist, "old.js"), big, 0o644)

	quick := newBuilder(t)
	quick.Dist, quick.Compress = b.Dist, false
	os.Remove(filepath.Join(b.Dist, "a.js"))
	old, _ := os.Stat(filepath.Join(b.Dist, "a.js.br"))
	quick.write("a.js", append(big, 'y'))
	later := old.ModTime().Add(1e9)
	os.Chtimes(filepath.Join(b.Dist, "a.js"), later, later)
	if err := quick.compress(); err != nil {
		t.Fatal(err)
	}
	if err := quick.sweep(); err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadDir(b.Dist)
	if len(left) != 1 || left[0].Name() != "a.js" {
		t.Errorf("left in dist: %v, want a.js alone", left)
	}
}
