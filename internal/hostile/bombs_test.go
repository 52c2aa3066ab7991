package hostile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/ulikunitz/xz/lzma"

	"pcpscope/core"
)

// A bomb unpacks to 4 GiB. It is given up after at most maxMiB, which every browser unpacks in
// less than two seconds (e2e's TestDecompressionBombs measures it). Its message says so, and the
// test counts it: while something is unpacked, other work gets a turn every 64 KiB or so.
const (
	bomb   = 4 << 30
	maxMiB = 256
	limit  = 10_000
)

var givenUp = regexp.MustCompile(`unpacks to more than (\d+) MiB and was abandoned`)

// packed makes a file that unpacks to a beginning followed by many
// repetitions of a piece.
type packed func(begin, piece []byte) []byte

// piece is compressed once and then repeated in compressed form.
const piece = 8 << 20

// repeatedGzip is a beginning and repetitions of a piece up to the size of the
// bomb. The end is missing, but no reader gets that far.
func repeatedGzip(begin, with []byte) []byte {
	deflated := func(data []byte) []byte {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		w.Write(data)
		w.Flush()
		return b.Bytes()
	}
	b := append([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), deflated(begin)...)
	return append(b, bytes.Repeat(deflated(with), bomb/len(with))...)
}

// repeated does the same in a format whose streams can be concatenated.
func repeated(pack func([]byte) []byte) packed {
	return func(begin, with []byte) []byte {
		return append(pack(begin), bytes.Repeat(pack(with), bomb/len(with))...)
	}
}

// oneLZMA is a beginning and zeros in one stream that declares the size of
// the bomb, and ends when more is requested than may be unpacked.
func oneLZMA(begin, with []byte) []byte {
	var b bytes.Buffer
	w, err := lzma.WriterConfig{DictCap: 1 << 16, SizeInHeader: true, Size: bomb}.NewWriter(&b)
	if err != nil {
		panic(err)
	}
	w.Write(begin)
	for range (160 << 20) / len(with) {
		w.Write(with)
	}
	w.Close() // fails because the data are incomplete
	return b.Bytes()
}

// fullTable is a beginning and zeros in the format of compress(1): once the
// table is full, each code of two bytes stands for tens of thousands.
func fullTable(begin, with []byte) []byte {
	const first, last = 257, 1<<16 - 1
	out := bytes.NewBuffer([]byte{0x1f, 0x9d, 0x80 | 16})
	var group []byte
	held, bits, n, width := uint64(0), 0, 0, 9
	flush := func() {
		for len(group) < width { // eight codes take as many bytes as a code has bits
			group = append(group, byte(held))
			held, bits = held>>8, max(0, bits-8)
		}
		out.Write(group)
		group, held, bits, n = nil, 0, 0, 0
	}
	next := first
	put := func(code int) {
		held |= uint64(code) << bits
		for bits += width; bits >= 8; bits -= 8 {
			group = append(group, byte(held))
			held >>= 8
		}
		if n++; n == 8 {
			flush()
		}
	}
	grow := func() { // the entry added for the previous code
		if next <= last {
			next++
		}
		if next == 1<<width && width < 16 {
			if n > 0 {
				flush()
			}
			width++
		}
	}
	put(int(begin[0]))
	for _, c := range begin[1:] {
		put(int(c))
		grow()
	}
	put(0)
	grow()
	for next <= last { // each code is the previous one and one more zero
		put(next)
		grow()
	}
	longest := last
	for size := 0; size < bomb; size += 60_000 {
		put(longest)
	}
	if n > 0 {
		flush()
	}
	return out.Bytes()
}

// rawZip is a zip of one deflated file with arbitrary metadata.
func rawZip(name string, gz []byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(len(gz) - 10), UncompressedSize64: bomb})
	if err != nil {
		panic(err)
	}
	w.Write(gz[10:])
	z.Close()
	return b.Bytes()
}

// bzipZeros is 8 MiB of zeros as packed by "bzip2 -9", which stores little
// more than their number; other bytes are packed in small blocks.
func bzipZeros(data []byte) []byte {
	if len(data) == piece {
		b, _ := hex.DecodeString("425a6839314159265359a23d4b580040404080c00000040008200030cc0529a60100d8808078bb9229c2848511ea5ac0")
		return b
	}
	return bzipped(data)
}

// endless is the beginning of a tar whose single file claims to have 8 GiB.
func endless(name string, first []byte) []byte {
	head := tarOf(1, func(int) (string, []byte) { return name, nil })[:512]
	copy(head[124:], "77777777777\x00")
	copy(head[148:], "        ") // the checksum counts its own field as blanks
	sum := 0
	for _, c := range head {
		sum += int(c)
	}
	copy(head[148:], fmt.Sprintf("%06o\x00 ", sum))
	return append(head, first...)
}

// A few megabytes that unpack to 4 GiB are rejected with a message before much
// of them has been unpacked, in every format.
func TestBombsEndSoon(t *testing.T) {
	a := small(0).parts()
	a["index"] = small(0).label(-2)
	zeros := make([]byte, piece)
	tarred := endless("sos/a.0", a["0"])
	list := func(names []string, data ...[]byte) []core.File {
		files := make([]core.File, len(names))
		for i := range names {
			files[i] = file(names[i], data[i])
		}
		return files
	}
	volume := func(suffix string, pack packed) []core.File {
		return list([]string{"a.meta", "a.0" + suffix}, a["meta"], pack(a["0"], zeros))
	}
	zipped := zipOf(2, func(i int) (string, []byte) {
		return []string{"sos/a.meta", "sos/a.0.zst"}[i], [][]byte{a["meta"], repeated(zstded)(a["0"], zeros)}[i]
	})
	inner := repeatedGzip(tarred, zeros)
	cutZip := rawZip("sos/a.0", repeatedGzip(a["0"], zeros))
	cutZip = cutZip[:len(cutZip)-30]
	binary.LittleEndian.PutUint16(cutZip[6:], 0)            // no descriptor follows
	binary.LittleEndian.PutUint32(cutZip[18:], 0xffff_fff0) // as if it continued
	nested := gzipped(tarOf(1, func(int) (string, []byte) { return "sos.tar.gz", inner }))
	for name, files := range map[string][]core.File{
		"volume.gz":         volume(".gz", repeatedGzip),
		"volume.xz":         volume(".xz", repeated(xzipped)),
		"volume.zst":        volume(".zst", repeated(zstded)),
		"volume.bz2":        volume(".bz2", repeated(bzipZeros)),
		"volume.lzma":       volume(".lzma", oneLZMA),
		"volume.Z":          volume(".Z", fullTable),
		"metadata.gz":       list([]string{"a.0", "a.meta.gz"}, a["0"], repeatedGzip(a["meta"], zeros)),
		"index.gz":          list([]string{"a.0", "a.meta", "a.index.gz"}, a["0"], a["meta"], repeatedGzip(a["index"], zeros)),
		"tar.gz":            list([]string{"sos.tgz"}, inner),
		"tar.xz":            list([]string{"sos.tar.xz"}, repeated(xzipped)(tarred, zeros)),
		"tar.gz in tar.gz":  list([]string{"all.tgz"}, nested),
		"zip cut short":     list([]string{"sos.zip"}, cutZip),
		"zip":               list([]string{"sos.zip"}, rawZip("sos/a.0", repeatedGzip(a["0"], zeros))),
		"volume.zst in zip": list([]string{"all.zip"}, zipped),
		"gz in gz":          list([]string{"a.meta", "a.0.gz"}, a["meta"], gzipped(repeatedGzip(a["0"], zeros))),
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			s := core.NewSession(core.Options{Memory: 1 << 30, Yield: func() { calls++ }})
			opened, err := s.Open(t.Context(), files, nil)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, r := range opened.Rejected {
				said = append(said, r.Fault.Message)
			}
			for _, src := range opened.Sources {
				whole, err := s.Loaded(t.Context(), src.ID, nil)
				if err != nil {
					said = append(said, err.Error())
				}
				for _, p := range whole.Problems {
					said = append(said, p.Message)
				}
			}
			if len(said) == 0 {
				t.Error("no message about it")
			}
			if calls > limit {
				t.Errorf("unpacking yielded %d times, want at most %d: it should have stopped earlier; reported: %q", calls, limit, said)
			}
			for _, text := range said {
				if m := givenUp.FindStringSubmatch(text); m != nil {
					if n, _ := strconv.Atoi(m[1]); n > maxMiB {
						t.Errorf("%s", text)
					}
				}
			}
			t.Logf("%d calls, %.200q", calls, said)
		})
	}
}
