package hostile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// A packing is a compression in which PCP's files are delivered. See
// spec/archive.md section 1.2.
type packing struct {
	suffix string
	pack   func([]byte) []byte
}

var packings = []packing{{".gz", gzipped}, {".xz", xzipped}, {".zst", zstded}, {".bz2", bzipped}, {".Z", compressed}, {".lzma", lzmaed}}

// Packed compresses data according to a suffix: ".gz", ".xz", ".zst", ".bz2",
// ".Z" or ".lzma".
func Packed(suffix string, data []byte) []byte {
	at := slices.IndexFunc(packings, func(p packing) bool { return p.suffix == suffix })
	return packings[at].pack(data)
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
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func xzipped(data []byte) []byte {
	var b bytes.Buffer
	w, err := xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&b)
	if err != nil {
		panic(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func lzmaed(data []byte) []byte {
	var b bytes.Buffer
	w, err := lzma.WriterConfig{DictCap: 1 << 16}.NewWriter(&b)
	if err != nil {
		panic(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zstded(data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(data, nil)
}

// compressed writes the format of compress(1) with 9-bit codes for single
// bytes, eight to a group. The table is cleared before it would need longer
// codes, which ends a group early.
func compressed(data []byte) []byte {
	const clear, many = 256, 248 // below the 255 codes after which there are 512
	out := []byte{0x1f, 0x9d, 0x80 | 9 + 1}
	group, n := [2]uint64{}, 0
	put := func(code int) {
		bit := 9 * n
		group[bit/64] |= uint64(code) << (bit % 64)
		if bit%64 > 55 {
			group[bit/64+1] |= uint64(code) >> (64 - bit%64)
		}
		n++
	}
	flush := func() {
		if n > 0 {
			b := binary.LittleEndian.AppendUint64(nil, group[0])
			out = append(append(out, b...), byte(group[1]))
		}
		group, n = [2]uint64{}, 0
	}
	for at, c := range data {
		if at > 0 && at%many == 0 {
			put(clear)
			flush()
		}
		if put(int(c)); n == 8 {
			flush()
		}
	}
	last := (9*n + 7) / 8
	flush()
	if last > 0 {
		out = out[:len(out)-9+last]
	}
	return out
}

// bzipped writes bzip2 in small blocks, with codes of nearly equal length.
func bzipped(data []byte) []byte {
	w := bitWriter{}
	w.bits(uint64('B')<<16|'Z'<<8|'h', 24)
	w.bits('1', 8)
	all := uint32(0)
	for len(data) > 0 {
		n := min(len(data), 4000)
		sum := bzipBlock(&w, data[:n])
		all = (all<<1 | all>>31) ^ sum
		data = data[n:]
	}
	w.bits(0x177245385090, 48)
	w.bits(uint64(all), 32)
	w.bits(0, 7)
	return w.out
}

type bitWriter struct {
	out  []byte
	held uint64
	n    uint
}

func (w *bitWriter) bits(v uint64, n uint) {
	for ; n > 8; n -= 8 {
		w.bits(v>>(n-8)&0xff, 8)
	}
	w.held, w.n = w.held<<n|v&(1<<n-1), w.n+n
	for ; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.held>>(w.n-8)))
	}
}

// bzipBlock writes one block and returns its checksum.
func bzipBlock(w *bitWriter, data []byte) uint32 {
	crc := ^uint32(0)
	for _, c := range data {
		crc ^= uint32(c) << 24
		for range 8 {
			crc = crc<<1 ^ 0x04c11db7*(crc>>31)
		}
	}
	crc = ^crc
	var plain []byte // four equal bytes are followed by how many more there are
	for i := 0; i < len(data); {
		n := 1
		for n < 255 && i+n < len(data) && data[i+n] == data[i] {
			n++
		}
		for range min(n, 4) {
			plain = append(plain, data[i])
		}
		if n >= 4 {
			plain = append(plain, byte(n-4))
		}
		i += n
	}
	twice := slices.Concat(plain, plain)
	turns := make([]int, len(plain))
	for i := range turns {
		turns[i] = i
	}
	slices.SortFunc(turns, func(a, b int) int {
		return cmp.Or(bytes.Compare(twice[a:a+len(plain)], twice[b:b+len(plain)]), cmp.Compare(a, b))
	})
	used := [256]bool{}
	for _, c := range plain {
		used[c] = true
	}
	var front []byte
	for c := range 256 {
		if used[c] {
			front = append(front, byte(c))
		}
	}
	last := len(front) + 1 // the symbol at the end
	var symbols []int
	zeros := 0
	flush := func() {
		for ; zeros > 0; zeros = (zeros - 1) / 2 {
			symbols = append(symbols, (zeros-1)&1)
		}
	}
	for _, t := range turns {
		at := bytes.IndexByte(front, twice[t+len(plain)-1])
		if at == 0 {
			zeros++
			continue
		}
		flush()
		symbols = append(symbols, at+1)
		c := front[at]
		copy(front[1:], front[:at])
		front[0] = c
	}
	flush()
	symbols = append(symbols, last)
	w.bits(0x314159265359, 48)
	w.bits(uint64(crc), 32)
	w.bits(0, 1)
	w.bits(uint64(slices.Index(turns, 0)), 24)
	for k := range 17 { // which of 16 ranges have bytes that are used, and which those are
		for c := range 16 {
			if k == 0 {
				w.bit(slices.Contains(used[16*c:16*c+16], true))
			} else if slices.Contains(used[16*k-16:16*k], true) {
				w.bit(used[16*k-16+c])
			}
		}
	}
	tables, groups := 2, (len(symbols)+49)/50
	w.bits(uint64(tables), 3)
	w.bits(uint64(groups), 15)
	w.bits(0, uint(groups))              // all use the first table
	length := uint(bits.Len(uint(last))) // of a code, less one for as many as can be shorter
	shorter := 1<<length - last - 1
	for range tables {
		w.bits(uint64(length-1), 5)
		for s := range last + 1 {
			if s == shorter {
				w.bits(2, 2) // one longer from here on
			}
			w.bits(0, 1)
		}
	}
	for _, s := range symbols {
		if s < shorter {
			w.bits(uint64(s), length-1)
		} else {
			w.bits(uint64(s+shorter), length)
		}
	}
	return crc
}

func (w *bitWriter) bit(on bool) {
	if on {
		w.bits(1, 1)
	} else {
		w.bits(0, 1)
	}
}
