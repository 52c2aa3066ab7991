package worker

import (
	"strconv"
	"strings"
)

// A Range is a part of an object: Length bytes from Offset on, or to the end
// if Length is negative; or the last Suffix bytes. nil means everything.
type Range struct{ Offset, Length, Suffix int64 }

// Within returns the range in an object of the given size; ok is false if it
// is empty.
func (r *Range) Within(size int64) (offset, length int64, ok bool) {
	switch {
	case r == nil:
		return 0, size, true
	case r.Suffix > 0:
		n := min(r.Suffix, size)
		return size - n, n, size > 0
	case r.Offset >= size:
		return 0, 0, false
	case r.Length < 0:
		return r.Offset, size - r.Offset, true
	}
	return r.Offset, min(r.Length, size-r.Offset), true
}

// parseRange reads a Range header with a single byte range. Multiple ranges
// and invalid headers may be ignored (RFC 9110 14.2): nil.
func parseRange(header string) *Range {
	spec, ok := strings.CutPrefix(header, "bytes=")
	if !ok || strings.Contains(spec, ",") {
		return nil
	}
	first, last, ok := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok {
		return nil
	}
	number := func(s string) (int64, bool) {
		v, err := strconv.ParseUint(s, 10, 63)
		return int64(v), err == nil
	}
	if first == "" { // a suffix: the last bytes
		n, ok := number(last)
		switch {
		case !ok:
			return nil
		case n == 0: // which no object has
			return &Range{Offset: 1<<63 - 1, Length: -1}
		}
		return &Range{Suffix: n}
	}
	from, ok := number(first)
	if !ok {
		return nil
	}
	if last == "" {
		return &Range{Offset: from, Length: -1}
	}
	to, ok := number(last)
	if !ok || to < from {
		return nil
	}
	return &Range{Offset: from, Length: to - from + 1}
}
