package xz

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ulikunitz "github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"pcpscope/internal/reference"
)

const history = 64 << 20

func open(b []byte) *Reader {
	if bytes.HasPrefix(b, magic) {
		return NewReader(bytes.NewReader(b), history)
	}
	return NewLZMAReader(bytes.NewReader(b), history)
}

// pack returns what xz(1) made of in; it was recorded.
func pack(t testing.TB, args string, in []byte) []byte {
	t.Helper()
	return reference.Recorded(t, "", "xz "+args, in)
}

var settings = []string{
	"-c", "-0c", "-9c", "-c --check=crc32", "-c --check=sha256", "-c --check=none", "-c --block-size=70000 -T1", "-c --block-size=70000 -T2",
	"-c --lzma2=preset=6,lc=0,lp=0,pb=0", "-c --lzma2=preset=6,lc=0,lp=4,pb=4", "-c --lzma2=preset=6,lc=4,lp=0,pb=1", "-c --lzma2=preset=1,dict=4KiB",
	"-c --lzma2=preset=1,dict=100KiB,nice=273", "-c --format=lzma", "-c --format=lzma --lzma1=dict=4KiB,lc=1,lp=3,pb=3", "-0c --format=lzma",
}

// samples of all that the format treats in its own way: literals, repetitions
// of one byte, of short and of long patterns, near and far, and noise, which
// LZMA2 stores as it is: so many bytes of noise, lines of text, and patterns.
func samples(random, lines, longest int) map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	var text bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&text, "%08x kernel.all.load %d %d\n", i, rng.IntN(7), i/100)
	}
	var patterns bytes.Buffer
	for n := 1; n < longest; n++ {
		patterns.Write(bytes.Repeat(noise[n*300:n*301], 1+2000/n))
	}
	noise = noise[:random]
	far := append(bytes.Clone(noise), make([]byte, 150_000)...)
	far = append(far, noise...)
	return map[string][]byte{
		"empty": {}, "one": {1}, "noise": noise, "text": text.Bytes(), "zeros": make([]byte, 150_000), "patterns": patterns.Bytes(), "far": far,
		"mixed": append(append(bytes.Clone(text.Bytes()), noise[:random*7/10]...), text.Bytes()...),
	}
}

func TestUnpackWhatToolPacks(t *testing.T) {
	for _, args := range settings {
		t.Run(args, func(t *testing.T) {
			for name, plain := range samples(1_000, 150, 40) {
				checkUnpacks(t, name, pack(t, args, plain), plain)
			}
		})
	}
}

// The same with more data, by the tool where it is installed.
func TestTool(t *testing.T) {
	for _, args := range settings {
		t.Run(args, func(t *testing.T) {
			for name, plain := range samples(100_000, 4_000, 300) {
				checkUnpacks(t, name, reference.Output(t, "", "xz "+args, plain), plain)
			}
		})
	}
}

func checkUnpacks(t *testing.T, name string, packed, plain []byte) {
	t.Helper()
	got, err := io.ReadAll(open(packed))
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(plain), err)
	}
}

// Every archive that PCP packed itself, compared with what xz(1) unpacks.
func TestCorpus(t *testing.T) {
	var paths []string
	filepath.WalkDir(reference.Need(t, "corpus"), func(p string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".xz") {
			paths = append(paths, p)
		}
		return nil
	})
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		want := reference.Pipe(t, "xz", "-dc", p)
		if at, err := differ(open(b), want); at >= 0 || err != nil {
			t.Errorf("%s: differs at byte %d, %v", p, at, err)
		}
		want.Close()
	}
	t.Logf("compared %d files with xz(1)", len(paths))
	if len(paths) < 130 {
		t.Errorf("compared %d files, want 130", len(paths))
	}
}

// differ returns where two readers begin to differ, or -1. Files of many
// megabytes are compared without being held.
func differ(got, want io.Reader) (at int64, err error) {
	var a, b [64 << 10]byte
	for {
		n, gotErr := io.ReadFull(got, a[:])
		m, wantErr := io.ReadFull(want, b[:])
		if !bytes.Equal(a[:n], b[:m]) {
			return at, nil
		}
		if gotErr != nil || wantErr != nil {
			if gotErr == io.EOF || gotErr == io.ErrUnexpectedEOF {
				gotErr = nil
			}
			return -1, gotErr
		}
		at += int64(n)
	}
}

// Streams end to end, with padding between and after them.
func TestStreams(t *testing.T) {
	a, b := pack(t, "-c", []byte("first ")), pack(t, "-c --check=sha256", []byte("second"))
	for pad := range 10 {
		zeros := make([]byte, pad)
		got, err := io.ReadAll(open(bytes.Join([][]byte{a, zeros, b, zeros}, nil)))
		if want := pad%4 == 0; (err == nil) != want || !strings.HasPrefix("first second", string(got)) {
			t.Errorf("padding %d: %q, %v", pad, got, err)
		}
	}
	got, err := io.ReadAll(open(append(a, "something else"...)))
	if string(got) != "first " || err == nil {
		t.Errorf("unpacked = %q, %v; want \"first \" and an error", got, err)
	}
}

// Truncated anywhere, a file delivers the beginning of its data, the more the
// later the cut, and io.ErrUnexpectedEOF.
func TestCut(t *testing.T) {
	plain := samples(0, 2_500, 0)["text"]
	for _, args := range []string{"-c", "-c --format=lzma", "-c --block-size=70000 -T1"} {
		packed := pack(t, args, plain)
		last := 0
		for n := 1; n < len(packed); n += 1 + n/40 {
			got, err := io.ReadAll(open(append(make([]byte, 0, n), packed[:n]...)))
			if n < 6 {
				continue // not even the magic
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(plain, got) || len(got) < last {
				t.Fatalf("%s cut at %d: %d bytes (before: %d), %v", args, n, len(got), last, err)
			}
			last = len(got)
		}
		if last < len(plain)*9/10 {
			t.Errorf("%s: the last cut gives %d of %d bytes", args, last, len(plain))
		}
	}
}

// Any damage is detected, as by xz(1), and loses nothing before its chunk.
func TestDamage(t *testing.T) {
	plain := samples(0, 800, 0)["text"]
	packed := pack(t, "-c", plain)
	for i := range packed {
		bad := bytes.Clone(packed)
		bad[i] ^= 1 << (i % 8)
		got, err := io.ReadAll(open(bad))
		if err == nil {
			t.Fatalf("damage to byte %d goes unnoticed", i)
		}
		if len(got) > len(plain)+2<<20 {
			t.Fatalf("damage to byte %d: %d bytes", i, len(got))
		}
	}
}

// A header may ask for 4 GiB of history: memory follows the data.
func TestHistory(t *testing.T) {
	plain := samples(0, 800, 0)["text"]
	for _, args := range []string{"-c --lzma2=preset=1,dict=1GiB", "-c --format=lzma --lzma1=preset=1,dict=1GiB"} {
		packed := pack(t, args, plain)
		x := open(packed)
		got, err := io.ReadAll(x)
		if err != nil || !bytes.Equal(got, plain) || len(x.w.buf) > 8<<20 {
			t.Errorf("%s: %d bytes, %v, window of %d", args, len(got), err, len(x.w.buf))
		}
	}
	noise := samples(20_000, 0, 0)["noise"]
	far := bytes.Join([][]byte{noise, make([]byte, 5<<20), noise}, nil)
	x := NewReader(bytes.NewReader(pack(t, "-c", far)), 30_000)
	got, err := io.ReadAll(x)
	if !errors.Is(err, ErrHistory) || !bytes.HasPrefix(far, got) || len(got) < 300_000 {
		t.Errorf("too little history: %d bytes, %v", len(got), err)
	}
}

func FuzzAgainstUlikunitz(f *testing.F) {
	for _, name := range []string{"text", "patterns", "mixed"} {
		var b bytes.Buffer
		w, _ := ulikunitz.NewWriter(&b)
		w.Write(samples(20_000, 800, 100)[name][:10_000])
		w.Close()
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(b), 1<<20), 1<<22))
		other, otherErr := ulikunitz.ReaderConfig{DictCap: 4096}.NewReader(bytes.NewReader(b))
		if err != nil || otherErr != nil {
			return
		}
		want, otherErr := io.ReadAll(io.LimitReader(other, 1<<22))
		if otherErr == nil && !bytes.Equal(got, want) {
			t.Errorf("%d bytes, want %d", len(got), len(want))
		}
	})
}

// xz checksums would stop a fuzzer; these data have none.
func FuzzRaw(f *testing.F) {
	for _, name := range []string{"text", "patterns", "mixed"} {
		var b bytes.Buffer
		w, _ := lzma.NewWriter(&b)
		w.Write(samples(20_000, 800, 100)[name][:10_000])
		w.Close()
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4 {
			b[3], b[4] = 0, 0 // a small dictionary, for the sake of the other decoder
		}
		got, err := io.ReadAll(io.LimitReader(NewLZMAReader(bytes.NewReader(b), 1<<25), 1<<22))
		other, otherErr := lzma.NewReader(bytes.NewReader(b))
		if otherErr != nil {
			return
		}
		want, otherErr := io.ReadAll(io.LimitReader(other, 1<<22))
		if otherErr == nil && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
		}
	})
}

// Two archives of the same size: one repeats itself more than the other.
var benchFiles = [][]string{{"corpus", "big", "20180416.10.00.0.xz"}, {"corpus", "history", "20170303.0.xz"}}

func benchmark(b *testing.B, open func(io.Reader) (io.Reader, error)) {
	for _, path := range benchFiles {
		b.Run(path[1], func(b *testing.B) {
			packed, err := os.ReadFile(reference.Need(b, path...))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				r, err := open(bytes.NewReader(packed))
				if err != nil {
					b.Fatal(err)
				}
				n, err := io.Copy(onlyWriter{}, onlyReader{r})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(n)
			}
		})
	}
}

func BenchmarkReader(b *testing.B) {
	benchmark(b, func(r io.Reader) (io.Reader, error) { return NewReader(r, history), nil })
}

func BenchmarkUlikunitz(b *testing.B) {
	benchmark(b, func(r io.Reader) (io.Reader, error) { return ulikunitz.NewReader(r) })
}

type onlyReader struct{ io.Reader }
type onlyWriter struct{}

func (onlyWriter) Write(p []byte) (int, error) { return len(p), nil }
