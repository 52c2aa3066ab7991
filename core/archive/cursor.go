package archive

import (
	"encoding/binary"
	"strings"

	"pcpscope/core/pcp"
)

func be32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func be64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

// A cursor reads the fields of one record. Its first failure sticks: later
// reads return zeros, so decoders need only one check at the end.
type cursor struct {
	buf   []byte // the record from its first length word up to its last
	at    int    // next byte
	base  int64  // offset of buf in its file
	all   string // the file's text, to share substrings of; "" to copy them
	fault *pcp.Fault
}

func (c *cursor) fail(field, format string, args ...any) {
	if c.fault == nil {
		c.fault = pcp.Faultf(pcp.Corrupt, format, args...).At(c.base+int64(c.at), field)
	}
}

func (c *cursor) left() int { return len(c.buf) - c.at }

// take returns the next n bytes, which belong to the record.
func (c *cursor) take(field string, n int) []byte {
	if c.fault != nil {
		return nil
	}
	if n < 0 || n > c.left() {
		c.fail(field, "The field %s needs %s bytes, but the record has only %s left.", field, pcp.Grouped(n), pcp.Grouped(c.left()))
		return nil
	}
	b := c.buf[c.at : c.at+n]
	c.at += n
	return b
}

func (c *cursor) u32(field string) uint32 {
	b := c.take(field, 4)
	if b == nil {
		return 0
	}
	return be32(b)
}

func (c *cursor) i32(field string) int32 { return int32(c.u32(field)) }

// count reads a number of elements of at least size bytes each. It fails if the
// record cannot hold them, before anyone allocates for them.
func (c *cursor) count(field string, size int) int {
	n := c.i32(field)
	if c.fault == nil && (n < 0 || int64(n)*int64(size) > int64(c.left())) {
		c.at -= 4
		c.fail(field, "The record says %s = %s, which its remaining %s bytes cannot hold.", field, pcp.Grouped(n), pcp.Grouped(c.left()-4))
		return 0
	}
	return int(n)
}

// text reads n bytes up to the first NUL among them.
func (c *cursor) text(field string, n int) string {
	from := int(c.base) + c.at
	if b := c.take(field, n); c.fault != nil || c.all == "" {
		return cString(b)
	}
	text, _, _ := strings.Cut(c.all[from:from+n], "\x00")
	return text
}

// time reads a timestamp of the given version. See spec/archive.md section 2.2.
func (c *cursor) time(version int) pcp.Time {
	if version == 2 {
		b := c.take("timestamp", 8)
		if b == nil {
			return 0
		}
		return timeV2(b)
	}
	b := c.take("timestamp", 12)
	if b == nil {
		return 0
	}
	return timeV3(b)
}

// timeV2 decodes seconds and microseconds.
func timeV2(b []byte) pcp.Time {
	return pcp.MakeTime(int64(int32(be32(b))), int64(int32(be32(b[4:])))*1000)
}

// timeV3 decodes 64 bits of seconds, low word first, and nanoseconds.
func timeV3(b []byte) pcp.Time {
	return pcp.MakeTime(int64(uint64(be32(b[4:]))<<32|uint64(be32(b))), int64(int32(be32(b[8:]))))
}

// possible reports whether a time was read as it is: version 3 has room for 292 billion years,
// of which 1678 to 2262 can be told apart.
func possible(t pcp.Time) bool { return t != pcp.MinTime && t != pcp.MaxTime }

// cString returns b up to its first NUL.
func cString(b []byte) string {
	s := string(b)
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}
