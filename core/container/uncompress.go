package container

import (
	"bufio"
	"errors"
	"io"
)

// uncompress reads the format of compress(1): LZW with codes of 9 to 16 bits,
// least significant bit first.
//
// Undocumented, but true of every file: codes come in groups of eight, of as
// many bytes as a code has bits, and when the width changes or the table is
// cleared, the rest of the group is padding.
type uncompress struct {
	src *bufio.Reader
	out []byte // decoded, not yet delivered
	err error

	maxWidth uint
	block    bool // code 256 clears the table

	width uint
	group [16]byte // bytes of eight codes
	have  uint     // valid bits of group
	used  uint     // bits consumed

	prev   int // previous code, -1 for none
	first  byte
	free   int // next code to be defined
	prefix []uint16
	suffix []byte
	stack  []byte
}

const clearCode = 256

var errLZW = errors.New("a code that was not defined")

func newUncompress(r *bufio.Reader) *uncompress {
	u := &uncompress{src: r, width: 9, prev: -1}
	var head [3]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		u.err = io.ErrUnexpectedEOF
		return u
	}
	u.maxWidth = uint(head[2] & 31)
	u.block = head[2]&0x80 != 0
	if head[0] != 0x1f || head[1] != 0x9d || u.maxWidth < 9 || u.maxWidth > 16 || head[2]&0x60 != 0 {
		u.err = errors.New("not the header of compress(1)")
		return u
	}
	u.prefix = make([]uint16, 1<<u.maxWidth)
	u.suffix = make([]byte, 1<<u.maxWidth)
	u.reset()
	return u
}

func (u *uncompress) reset() {
	u.width, u.prev = 9, -1
	u.free = 256
	if u.block {
		u.free = 257
	}
}

func (u *uncompress) Read(p []byte) (int, error) {
	for len(u.out) == 0 && u.err == nil {
		u.step()
	}
	if len(u.out) == 0 {
		return 0, u.err
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *uncompress) Close() error { return nil }

// code returns the next code from the group, reading a new group if need be.
func (u *uncompress) code() (int, bool) {
	if u.used+u.width > u.have {
		if u.have != 0 && u.have < 8*u.width { // the last group was a short one
			u.err = u.end()
			return 0, false
		}
		n, err := io.ReadFull(u.src, u.group[:u.width])
		u.have, u.used = 8*uint(n), 0
		if u.have < u.width {
			u.err = u.end()
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				u.err = err
			}
			return 0, false
		}
	}
	at := u.used / 8
	b := uint(u.group[at]) | uint(u.group[at+1])<<8
	if at+2 < uint(len(u.group)) {
		b |= uint(u.group[at+2]) << 16
	}
	c := b >> (u.used % 8) & (1<<u.width - 1)
	u.used += u.width
	return int(c), true
}

// end distinguishes a file that ends after its last code, padded to a whole
// byte with zeros, from one that ends inside a code. The format has no end
// marker.
func (u *uncompress) end() error {
	if rest := u.have - u.used; rest >= 8 || rest > 0 && u.group[u.used/8]>>(u.used%8) != 0 {
		return io.ErrUnexpectedEOF
	}
	return io.EOF
}

// newGroup drops the padding of the current group.
func (u *uncompress) newGroup() { u.have, u.used = 0, 0 }

// step decodes codes until a few KiB are available.
func (u *uncompress) step() {
	buf := u.stack[:0]
	for len(buf) < 32<<10 {
		c, ok := u.code()
		if !ok {
			break
		}
		if c == clearCode && u.block {
			u.reset()
			u.newGroup()
			continue
		}
		if c > u.free || u.prev < 0 && c > 255 || c == u.free && u.free == 1<<u.maxWidth {
			u.err = errLZW
			break
		}
		buf = u.expand(buf, c)
	}
	u.stack, u.out = buf, buf
}

// expand appends the text of code c and defines the next code.
func (u *uncompress) expand(buf []byte, c int) []byte {
	start, code := len(buf), c
	if c == u.free { // defined by this very occurrence: the previous text and its first byte
		buf = append(buf, u.first)
		code = u.prev
	}
	for code > 255 {
		buf = append(buf, u.suffix[code])
		code = int(u.prefix[code])
	}
	buf = append(buf, byte(code))
	u.first = byte(code)
	for i, j := start, len(buf)-1; i < j; i, j = i+1, j-1 {
		buf[i], buf[j] = buf[j], buf[i]
	}
	if u.prev >= 0 && u.free < 1<<u.maxWidth {
		u.prefix[u.free], u.suffix[u.free] = uint16(u.prev), u.first
		u.free++
		if u.free > 1<<u.width-1 && u.width < u.maxWidth {
			u.width++
			u.newGroup()
		}
	}
	u.prev = c
	return buf
}
