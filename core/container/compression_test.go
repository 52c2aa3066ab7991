package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// tools are the system's compressors; we must unpack their output.
var tools = []struct {
	c    Compression
	args string
}{
	{Gzip, "gzip -c"}, {Gzip, "gzip -1c"}, {Bzip2, "bzip2 -c"}, {Bzip2, "bzip2 -1c"},
	{XZ, "xz -c"}, {XZ, "xz -0c"}, {XZ, "xz -9ec"}, {XZ, "xz -c --check=crc32"}, {XZ, "xz -c --check=sha256"},
	{XZ, "xz -c --check=none"}, {XZ, "xz -c --block-size=65536 -T2"}, {XZ, "xz -c --lzma2=preset=6,lc=0,lp=2,pb=0"},
	{XZ, "xz -c --lzma2=dict=4KiB,lc=4,pb=4"}, {LZMA, "xz -c --format=lzma"}, {LZMA, "xz -0c --format=lzma"},
	{Compress, "compress -c"}, {Compress, "compress -c -b 10"}, {Compress, "compress -c -b 12"},
	{Zstd, "zstd -c"}, {Zstd, "zstd -19c"}, {Zstd, "zstd -c --no-check"}, {Zstd, "zstd -c --long=27"},
}

// pack returns what a tool made of in; it was recorded.
func pack(t testing.TB, args string, in []byte) []byte {
	t.Helper()
	return reference.Recorded(t, "", args, in)
}

func unpack(c Compression, in io.Reader) ([]byte, error) { return unpackWith(Unpacker{}, c, in) }

func unpackWith(u Unpacker, c Compression, in io.Reader) ([]byte, error) {
	r, err := u.NewReader(c, in)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// records are as repetitive as archives are.
func records(n int) []byte {
	rng := rand.New(rand.NewPCG(3, 4))
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%08x kernel.all.load %d %d\n", i, rng.IntN(7), i/100)
	}
	return b.Bytes()
}

// samples of what compresses well and badly: a number of bytes of noise and
// lines of text.
func samples(random, lines int) map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, random)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	text := records(lines)
	return map[string][]byte{
		"empty": {}, "one byte": {'x'}, "noise": noise, "records": text, "zeros": make([]byte, 1<<18),
		"mixed": append(append(bytes.Clone(noise), text...), noise...),
	}
}

func TestUnpackWhatToolsPack(t *testing.T) {
	for _, tool := range tools {
		t.Run(tool.args, func(t *testing.T) {
			for name, plain := range samples(1_500, 200) {
				checkUnpacks(t, name, tool.c, pack(t, tool.args, plain), plain)
			}
		})
	}
}

// The same with more data, by the tools installed: several blocks, and full
// code tables.
func TestTools(t *testing.T) {
	for _, tool := range tools {
		t.Run(tool.args, func(t *testing.T) {
			for name, plain := range samples(70_000, 4_000) {
				checkUnpacks(t, name, tool.c, reference.Output(t, "", tool.args, plain), plain)
			}
		})
	}
}

func checkUnpacks(t *testing.T, name string, c Compression, packed, plain []byte) {
	t.Helper()
	if got := Sniff(packed[:min(len(packed), SniffLen)]); got != c {
		t.Errorf("%s: taken for %v", name, got)
	}
	got, err := unpack(c, bytes.NewReader(packed))
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%s: %d bytes instead of %d, error %v", name, len(got), len(plain), err)
	}
}

// Concatenated streams read as one file in every format that has an end
// marker.
func TestStreamsEndToEnd(t *testing.T) {
	for _, args := range []string{"gzip -c", "bzip2 -c", "xz -c", "zstd -c"} {
		t.Run(args, func(t *testing.T) {
			a, b := []byte(strings.Repeat("first ", 1000)), []byte("second")
			packed := bytes.Join([][]byte{pack(t, args, a), pack(t, args, nil), pack(t, args, b)}, nil)
			got, err := unpack(Sniff(packed), bytes.NewReader(packed))
			if err != nil || string(got) != string(a)+string(b) {
				t.Errorf("%d bytes, error %v", len(got), err)
			}
		})
	}
}

func TestZerosAfterGzip(t *testing.T) {
	packed := append(gzipped([]byte("text")), make([]byte, 10_000)...)
	if got, err := unpack(Gzip, bytes.NewReader(packed)); err != nil || string(got) != "text" {
		t.Errorf("unpacked = %q, %v; want \"text\"", got, err)
	}
	got, err := unpack(Gzip, bytes.NewReader(append(packed, "junk"...)))
	if !errors.Is(err, &pcp.Fault{Kind: pcp.Corrupt}) || string(got) != "text" {
		t.Errorf("junk after the data: %q, %v", got, err)
	}
}

// A truncated file delivers its beginning, and then an error. How much of it
// depends on the format's blocks.
func TestCutShort(t *testing.T) {
	plain := records(10_000)
	for _, tt := range []struct {
		args string
		part float64 // of the plain bytes that the first half of the packed ones must give
	}{
		{"gzip -c", .4}, {"bzip2 -1c", .25}, {"xz -c", .4}, {"xz -c --format=lzma", .4}, {"zstd -c", .25}, {"compress -c", .3},
	} {
		t.Run(tt.args, func(t *testing.T) {
			packed := pack(t, tt.args, plain)
			half := packed[:len(packed)/2]
			got, err := unpack(Sniff(packed), bytes.NewReader(half))
			if !bytes.HasPrefix(plain, got) {
				t.Fatal("what was delivered is not the beginning")
			}
			if len(got) < int(tt.part*float64(len(plain))) {
				t.Errorf("only %d of %d bytes", len(got), len(plain))
			}
			if !errors.Is(err, &pcp.Fault{Kind: pcp.Truncated}) && !strings.HasPrefix(tt.args, "compress") {
				t.Errorf("error %v", err)
			}
			for n := 1; n < 40; n++ {
				got, err := unpack(Sniff(packed), bytes.NewReader(packed[:n]))
				if err == nil && Sniff(packed) != Compress {
					t.Errorf("%d bytes of the file: %d bytes, error %v", n, len(got), err)
				}
			}
		})
	}
}

// A flipped bit is detected, or, if the format has no checksum, does no harm.
func TestFlippedBits(t *testing.T) {
	plain := records(800)
	for _, args := range []string{"gzip -c", "bzip2 -c", "xz -c", "zstd -c", "compress -c", "xz -c --format=lzma"} {
		t.Run(args, func(t *testing.T) {
			packed := pack(t, args, plain)
			c := Sniff(packed)
			for i := 0; i < len(packed); i += 1 + len(packed)/100 {
				bad := bytes.Clone(packed)
				bad[i] ^= 1 << (i % 8)
				got, err := unpack(c, io.LimitReader(bytes.NewReader(bad), int64(len(bad))))
				if err == nil && !bytes.Equal(got, plain) && (c == Gzip && i > 10 || c == XZ || c == Bzip2) {
					t.Errorf("bit flipped in byte %d went unnoticed", i)
				}
				var f *pcp.Fault
				if err != nil && !errors.As(err, &f) {
					t.Errorf("byte %d: %T is no fault: %v", i, err, err)
				}
			}
		})
	}
}

// The browser's gunzip stops after the first stream; ours continues.
func TestGunzipOffloaded(t *testing.T) {
	a, b := bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 1000)
	packed := append(gzipped(a), gzipped(b)...)
	used := false
	u := Unpacker{Offload: func(_ Compression, r io.ReadSeeker) (io.ReadCloser, error) {
		used = true
		io.CopyN(io.Discard, r, 30)
		return io.NopCloser(io.MultiReader(bytes.NewReader(a[:70_000]), failing{})), nil
	}}
	in := bytes.NewReader(append([]byte("skip"), packed...))
	in.Seek(4, io.SeekStart)
	got, err := unpackWith(u, Gzip, in)
	if err != nil || string(got) != string(a)+string(b) || !used {
		t.Errorf("%d bytes, error %v, hook used: %v", len(got), err, used)
	}
	used = false
	if got, err := unpackWith(u, Gzip, io.MultiReader(bytes.NewReader(packed))); err != nil || len(got) != len(a)+len(b) || used {
		t.Errorf("input that cannot seek: %d bytes, error %v, hook used: %v", len(got), err, used)
	}
	u.Offload = func(Compression, io.ReadSeeker) (io.ReadCloser, error) { return nil, errors.ErrUnsupported }
	if got, err := unpackWith(u, Gzip, bytes.NewReader(packed)); err != nil || len(got) != len(a)+len(b) {
		t.Errorf("a hook that declines: %d bytes, error %v", len(got), err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) {
	return 0, errors.New("TypeError: junk found after end of compressed data")
}

func TestSniffPlain(t *testing.T) {
	for _, head := range []string{
		"", "\x00\x00\x00\x84\x50\x05\x26\x02", "\x00\x00\x03\x28\x50\x05\x26\x03", "MMV\x00\x01\x00\x00\x00", "MMV\x00\x00\x00\x00\x01",
		"PCPFolio\nVersion: 1\n", "BZh9 is how it begins", "BZh91AY", "#kmchart\n", strings.Repeat("\x00", 600), "PK\x03\x04", "]]]]]]]]]]]]]]]]]]]]",
		"\x00\x00\x20" + strings.Repeat("\x00", 31) + "UTC", // what damage left of a label: a dictionary of 8 KiB, and nothing in it
	} {
		if c := Sniff([]byte(head)); c != None {
			t.Errorf("%q is taken for %v", head, c)
		}
	}
}

func TestTrimSuffix(t *testing.T) {
	for in, want := range map[string]string{
		"a/web01.0.xz": "a/web01.0", "web01.meta.Z": "web01.meta", "x.zst": "x", ".xz": ".xz", "a/.gz": "a/.gz", "b.bz": "b", "b.lz4": "b.lz4", "b.0.gz.xz": "b.0.gz",
	} {
		if got, _ := TrimSuffix(in); got != want {
			t.Errorf("TrimSuffix(%q) = %q, want %q", in, got, want)
		}
	}
}
