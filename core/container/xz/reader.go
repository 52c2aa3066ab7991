// Package xz decompresses the xz and the older lzma format.
//
// It is written for large files that compress very well, such as archives of
// performance data: output is decoded into flat memory, so that a repetition is
// one copy. It reads streams end to end, verifies checksums, and delivers
// everything before an error. Memory grows with the data, not with what a
// header asks for.
//
// The formats: "The .xz File Format" 1.2.1 and the LZMA specification, both
// public domain. Filters other than LZMA2 are not supported.
package xz

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// ErrUnsupported is wrapped by errors about rarely used features of the format:
// filters other than LZMA2.
var ErrUnsupported = errors.New("xz: unsupported")

// ErrHistory is the error for data that refer further back than the reader was
// allowed to keep.
var ErrHistory = errors.New("xz: a repetition from further back than is kept")

// A Reader decompresses. Its errors are sticky. io.ErrUnexpectedEOF says that
// the input ends too early; all that could be decoded has been delivered.
type Reader struct {
	in    *bufio.Reader
	w     window
	err   error
	steps func() error // decodes some more; io.EOF after the last

	lzma2        lzma2
	check        hash.Hash                             // nil if there is none, or an unknown one
	want         int                                   // size of the check in the file
	block        struct{ header, packed, plain int64 } // of the current block; packed and plain are counted
	known        struct{ packed, plain int64 }         // according to its header, or -1
	index        totals                                // of the blocks of the current stream
	flags        byte
	inBlock, any bool
}

// totals suffice to compare a stream's blocks with its index.
type totals struct {
	blocks          uint64
	unpadded, plain uint64
	mix             uint64 // depends on every number and their order
}

func (t *totals) add(unpadded, plain uint64) {
	t.blocks, t.unpadded, t.plain = t.blocks+1, t.unpadded+unpadded, t.plain+plain
	t.mix = (t.mix*0x9e3779b97f4a7c15+unpadded)*0x9e3779b97f4a7c15 + plain
}

// NewReader returns a reader of the xz format with at most history bytes of
// history.
func NewReader(r io.Reader, history int) *Reader {
	x := &Reader{in: buffered(r), w: window{limit: history}}
	x.steps = x.xzStep
	return x
}

func buffered(r io.Reader) *bufio.Reader {
	if b, ok := r.(*bufio.Reader); ok && b.Size() >= 4096 {
		return b
	}
	return bufio.NewReaderSize(r, 64<<10)
}

func (x *Reader) Read(p []byte) (int, error) {
	for {
		if b := x.w.ready(); len(b) > 0 {
			n := copy(p, b)
			x.w.given += n
			return n, nil
		}
		if x.err != nil || len(p) == 0 {
			return 0, x.err
		}
		x.err = x.steps()
	}
}

// Close frees memory, which the next Reader reuses. Nothing can be read
// afterwards.
func (x *Reader) Close() error {
	x.err = io.ErrClosedPipe
	x.w.release()
	x.w.pos, x.w.given = 0, 0
	return nil
}

var (
	magic       = []byte("\xfd7zXZ\x00")
	footerMagic = []byte("YZ")
	checkSizes  = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}
)

func bad(format string, args ...any) error { return fmt.Errorf("xz: "+format, args...) }

// xzStep reads the next part of the file: a header, a chunk of a block, the end
// of a block, or an index. Section numbers are those of the format.
func (x *Reader) xzStep() error {
	if x.inBlock {
		return x.blockStep()
	}
	if x.flags == 0xff || !x.any {
		return x.streamHeader()
	}
	first, err := x.in.ReadByte()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	if first == 0 {
		return x.streamEnd()
	}
	return x.blockHeader(first)
}

// streamHeader reads the 12 bytes of 2.1.1, or finds the end of the file.
func (x *Reader) streamHeader() error {
	var b [12]byte
	for { // padding between streams: zeros, in multiples of four (2.2)
		if _, err := io.ReadFull(x.in, b[:4]); err != nil {
			if err == io.EOF && !x.any {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if !x.any || binary.BigEndian.Uint32(b[:]) != 0 {
			break
		}
	}
	if err := full(x.in, b[4:]); err != nil {
		return err
	}
	if string(b[:6]) != string(magic) {
		if x.any {
			return bad("something else follows the compressed data")
		}
		return bad("not an xz file")
	}
	if crc32.ChecksumIEEE(b[6:8]) != binary.LittleEndian.Uint32(b[8:]) {
		return bad("the checksum of the stream header is wrong")
	}
	if b[6] != 0 || b[7] > 15 {
		return fmt.Errorf("%w flags in the stream header", ErrUnsupported)
	}
	x.any, x.flags, x.index = true, b[7], totals{}
	x.want, x.check = checkSizes[b[7]], nil
	switch b[7] {
	case 1:
		x.check = crc32.NewIEEE()
	case 4:
		x.check = newCRC64()
	case 10:
		x.check = sha256.New()
	}
	return nil
}

// blockHeader reads the header after its first byte (3.1).
func (x *Reader) blockHeader(first byte) error {
	size := 4 * (int(first) + 1)
	var buf [1024]byte
	b := buf[:size]
	b[0] = first
	if err := full(x.in, b[1:]); err != nil {
		return err
	}
	body, sum := b[:size-4], b[size-4:]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(sum) {
		return bad("the checksum of a block header is wrong")
	}
	flags, rest := body[1], body[2:]
	if flags&0x3c != 0 {
		return fmt.Errorf("%w flags in a block header", ErrUnsupported)
	}
	x.known.packed, x.known.plain = -1, -1
	for _, v := range []struct {
		bit byte
		to  *int64
	}{{0x40, &x.known.packed}, {0x80, &x.known.plain}} {
		if flags&v.bit == 0 {
			continue
		}
		n, err := vli(&rest)
		if err != nil {
			return err
		}
		*v.to = int64(n)
	}
	if flags&3 != 0 {
		return fmt.Errorf("%w filters", ErrUnsupported)
	}
	id, err := vli(&rest)
	if err != nil {
		return err
	}
	length, err := vli(&rest)
	if err != nil {
		return err
	}
	if id != 0x21 {
		return fmt.Errorf("%w filter %#x", ErrUnsupported, id)
	}
	if length != 1 || len(rest) < 1 || rest[0] > 40 {
		return bad("the properties of LZMA2 are wrong")
	}
	dict := uint64(2|rest[0]&1) << (rest[0]/2 + 11)
	for _, c := range rest[1:] {
		if c != 0 {
			return bad("the padding of a block header is not zero")
		}
	}
	x.block.header, x.block.packed, x.block.plain = int64(size), 0, 0
	x.w.reset(dict)
	x.lzma2.reset()
	if x.check != nil {
		x.check.Reset()
	}
	x.inBlock = true
	return nil
}

// blockStep decodes a chunk of the block.
func (x *Reader) blockStep() error {
	packed, plain, err := x.lzma2.chunk(x.in, &x.w)
	x.block.packed += int64(packed)
	x.block.plain += int64(plain)
	if x.check != nil {
		x.check.Write(x.w.buf[x.w.pos-plain : x.w.pos])
	}
	if err == io.EOF {
		return x.blockEnd()
	}
	return err
}

// blockEnd reads the padding and the check (3.3, 3.4).
func (x *Reader) blockEnd() error {
	k := &x.known
	if k.packed >= 0 && k.packed != x.block.packed || k.plain >= 0 && k.plain != x.block.plain {
		return bad("a block has another size than its header says")
	}
	var buf [3 + 64]byte
	pad := int(-x.block.packed & 3)
	b := buf[:pad+x.want]
	if err := full(x.in, b); err != nil {
		return err
	}
	for _, c := range b[:pad] {
		if c != 0 {
			return bad("the padding of a block is not zero")
		}
	}
	if x.check != nil {
		sum := x.check.Sum(nil)
		if x.flags != 10 { // the CRCs are stored little-endian
			for i, j := 0, len(sum)-1; i < j; i, j = i+1, j-1 {
				sum[i], sum[j] = sum[j], sum[i]
			}
		}
		if string(sum) != string(b[pad:]) {
			return bad("the checksum is wrong")
		}
	}
	x.index.add(uint64(x.block.header+x.block.packed+int64(x.want)), uint64(x.block.plain))
	x.inBlock = false
	return nil
}

// streamEnd reads the index after its first byte, and the footer (4, 2.1.2).
func (x *Reader) streamEnd() error {
	sum := crc32.NewIEEE()
	sum.Write([]byte{0})
	size := int64(1)
	next := func() (byte, error) {
		b, err := x.in.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		sum.Write([]byte{b})
		size++
		return b, err
	}
	blocks, err := vliFrom(next)
	if err != nil {
		return err
	}
	if blocks != x.index.blocks {
		return bad("the index lists %d blocks instead of %d", blocks, x.index.blocks)
	}
	var listed totals
	for range blocks {
		unpadded, err := vliFrom(next)
		if err != nil {
			return err
		}
		plain, err := vliFrom(next)
		if err != nil {
			return err
		}
		listed.add(unpadded, plain)
	}
	if listed != x.index {
		return bad("the index does not fit the blocks")
	}
	for size%4 != 0 {
		if b, err := next(); err != nil {
			return err
		} else if b != 0 {
			return bad("the padding of the index is not zero")
		}
	}
	var b [4 + 12]byte
	if err := full(x.in, b[:]); err != nil {
		return err
	}
	footer := b[4:]
	switch {
	case sum.Sum32() != binary.LittleEndian.Uint32(b[:]):
		return bad("the checksum of the index is wrong")
	case string(footer[10:]) != string(footerMagic) || crc32.ChecksumIEEE(footer[4:10]) != binary.LittleEndian.Uint32(footer):
		return bad("the stream footer is damaged")
	case footer[8] != 0 || footer[9] != x.flags || (int64(binary.LittleEndian.Uint32(footer[4:]))+1)*4 != size+4:
		return bad("the stream footer does not fit the stream")
	}
	x.flags = 0xff // between streams
	return nil
}

// vli consumes a variable-length number from the front of b (1.2).
func vli(b *[]byte) (uint64, error) {
	return vliFrom(func() (byte, error) {
		if len(*b) == 0 {
			return 0, bad("a block header is too short")
		}
		c := (*b)[0]
		*b = (*b)[1:]
		return c, nil
	})
}

func vliFrom(next func() (byte, error)) (n uint64, err error) {
	for i := range 9 {
		b, err := next()
		if err != nil {
			return 0, err
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if b == 0 && i > 0 {
				break
			}
			return n, nil
		}
	}
	return 0, bad("a number is malformed")
}
