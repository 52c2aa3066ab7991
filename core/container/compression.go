package container

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pcpscope/core/container/xz"
	"pcpscope/core/pcp"
)

// A Compression is one of the formats in which PCP stores archive members.
type Compression uint8

const (
	None     Compression = iota // plain bytes
	Gzip                        // .gz
	Bzip2                       // .bz2, .bz
	XZ                          // .xz
	LZMA                        // .lzma, the predecessor of xz
	Compress                    // .Z, of compress(1)
	Zstd                        // .zst
)

var compressionNames = [...]string{"none", "gzip", "bzip2", "xz", "lzma", "compress", "zstd"}

func (c Compression) String() string {
	if int(c) < len(compressionNames) {
		return compressionNames[c]
	}
	return "unknown"
}

// Suffixes of compressed members of archives, best first. See spec/archive.md section 1.2.
var suffixes = []string{".xz", ".lzma", ".bz2", ".bz", ".gz", ".Z", ".z", ".zst"}

// TrimSuffix returns name without the suffix of a compressed member, and
// whether there was one. Only Sniff knows the actual compression.
func TrimSuffix(name string) (string, bool) {
	for _, s := range suffixes {
		if stem, ok := strings.CutSuffix(name, s); ok && stem != "" && !strings.HasSuffix(stem, "/") {
			return stem, true
		}
	}
	return name, false
}

// SniffLen is how many bytes Sniff and Describe want to see, if there are so
// many: enough to include the magic of a tar, at byte 257.
const SniffLen = 1024

// Sniff detects the compression from a file's first bytes. It ignores the name.
func Sniff(head []byte) Compression {
	switch {
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return XZ
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x1f, 0x9d}):
		return Compress
	case len(head) >= 10 && bytes.HasPrefix(head, []byte("BZh")) && '1' <= head[3] && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90"):
		return Bzip2
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}),
		len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18": // begins with a skippable frame
		return Zstd
	case looksLZMA(head):
		return LZMA
	}
	return None
}

// looksLZMA guesses, as xz(1) does, because the format has no magic: a
// properties byte, a dictionary of 2^n or 2^n+2^(n-1) bytes, a size of less
// than 256 GiB or unknown, and the range coder's first byte, which is always 0.
// A size of 0 is rejected: zeros at the start of a damaged file look the same,
// and an empty result is useless anyway.
func looksLZMA(head []byte) bool {
	if len(head) < 14 || head[0] >= 9*5*5 || head[13] != 0 {
		return false
	}
	dict := binary.LittleEndian.Uint32(head[1:])
	if top := bits.Len32(dict); dict != 1<<32-1 && (dict < 4096 || dict<<(32-top)<<2 != 0) {
		return false
	}
	size := binary.LittleEndian.Uint64(head[5:])
	return size == 1<<64-1 || 0 < size && size < 1<<38
}

// freeGrowth is how much any file may unpack to.
const freeGrowth = 128 << 20

// growths is how many times its own size a file of each kind may unpack to in
// addition. It is close to the maximum of the format, so that only files made
// for the purpose reach it: archives in which hardly a value changes reach some
// hundreds.
var growths = [...]int64{None: 1 << 40, Gzip: 900, Bzip2: 3000, XZ: 3000, LZMA: 3000, Compress: 900, Zstd: 3000}

// Bomb reports whether a file that unpacks from packed to unpacked bytes was
// made to fill the memory.
func (c Compression) Bomb(packed, unpacked int64) bool {
	return unpacked > freeGrowth && unpacked/growths[c] > max(packed, 1)
}

// BombFault is the fault of a decompression bomb.
func BombFault(unpacked int64) *pcp.Fault {
	return pcp.Faultf(pcp.Corrupt, "This file unpacks to more than %d MiB and was abandoned: it holds no real data.", unpacked>>20)
}

// maxWindow is the largest history in bytes that a decoder keeps. Strong
// settings (xz -9, zstd --ultra -22) ask for 64 and 128 MiB; the zstd library
// allocates it at once, whatever follows, and zstd(1) itself refuses more.
const maxWindow = 128 << 20

// NewReader opens r with the built-in decoders; see Unpacker.NewReader.
func (c Compression) NewReader(r io.Reader) (io.ReadCloser, error) {
	return new(Unpacker).NewReader(c, r)
}

// here returns the built-in decoder.
func (c Compression) here(raw io.Reader) (io.ReadCloser, error) {
	r := buffered(raw)
	switch c {
	case Gzip:
		return &gunzip{src: r}, nil
	case Bzip2:
		return io.NopCloser(bzip2.NewReader(r)), nil
	case XZ:
		return xz.NewReader(r, maxWindow), nil
	case LZMA:
		return xz.NewLZMAReader(r, maxWindow), nil
	case Compress:
		return newUncompress(r), nil
	case Zstd:
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(1<<62))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, pcp.Faultf(pcp.Unsupported, "Files compressed in this way cannot be read.")
}

// fault converts an error of a decoder to a fault.
func (c Compression) fault(err error) error {
	var f *pcp.Fault
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return pcp.Faultf(pcp.Truncated, "The %v data end early: the file was cut short when it was written or copied.", c)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, xz.ErrHistory):
		return pcp.Faultf(pcp.OutOfMemory, "The %v data ask for more than %d MiB of history.", c, maxWindow>>20)
	case errors.Is(err, xz.ErrUnsupported):
		return pcp.Faultf(pcp.Unsupported, "The %v data use a rare feature of the format that is not supported (%v).", c, err)
	}
	return pcp.Faultf(pcp.Corrupt, "The %v data are damaged (%v).", c, err)
}

// guard converts a decoder's errors to faults, and keeps the first.
type guard struct {
	io.ReadCloser
	c     Compression
	yield func()
	err   error
	idle  int
}

func (g *guard) Read(p []byte) (n int, err error) {
	if g.err != nil || len(p) == 0 {
		return 0, g.err
	}
	if g.yield != nil {
		g.yield()
		p = p[:min(len(p), stretch)]
	}
	n, err = g.ReadCloser.Read(p)
	if g.idle++; n > 0 {
		g.idle = 0
	} else if err == nil && g.idle > 100 {
		err = io.ErrNoProgress
	}
	if err != nil && err != io.EOF {
		err = g.c.fault(err)
	}
	g.err = err
	return n, err
}
