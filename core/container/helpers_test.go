package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

const live = "../../testdata/live"

// liveFiles returns the members of the project's own archives by name.
func liveFiles(t testing.TB) map[string][]byte {
	t.Helper()
	paths, _ := filepath.Glob(live + "/web01*")
	if len(paths) < 6 {
		t.Fatalf("only %d files in %s", len(paths), live)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(p)] = b
	}
	return files
}

func memFile(name string, b []byte) File {
	return File{Name: name, Size: int64(len(b)), At: bytes.NewReader(b)}
}

func expand(t testing.TB, opt Options, files ...File) *Expanded {
	t.Helper()
	x, err := Expand(t.Context(), files, opt, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func content(t testing.TB, f File) []byte {
	t.Helper()
	b, err := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
	if err != nil || int64(len(b)) != f.Size {
		t.Fatalf("%s: %d of %d bytes, %v", f.Name, len(b), f.Size, err)
	}
	return b
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func xzipped(b []byte) []byte {
	var out bytes.Buffer
	w, _ := xz.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zstded(b []byte) []byte {
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	return w.EncodeAll(b, nil)
}

func zipOf(t testing.TB, nameAndText ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(nameAndText); i += 2 {
		w, err := z.Create(nameAndText[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, nameAndText[i+1])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sizedZipOf writes sizes before the data, not behind them.
func sizedZipOf(t testing.TB, nameAndText ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(nameAndText); i += 2 {
		plain := []byte(nameAndText[i+1])
		var packed bytes.Buffer
		f, _ := flate.NewWriter(&packed, flate.DefaultCompression)
		f.Write(plain)
		f.Close()
		w, err := z.CreateRaw(&zip.FileHeader{Name: nameAndText[i], Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(plain),
			CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(plain))})
		if err != nil {
			t.Fatal(err)
		}
		w.Write(packed.Bytes())
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, nameAndText ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(nameAndText); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: nameAndText[i], Size: int64(len(nameAndText[i+1])), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, nameAndText[i+1])
	}
	w.Close()
	return b.Bytes()
}
