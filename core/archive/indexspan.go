package archive

import (
	"io"

	"pcpscope/core/pcp"
)

// IndexSpan reads from a temporal index which archive it belongs to and how far
// that archive goes: to the time of the last entry, which pmlogger writes when
// it ends a volume, so that an archive still being written may go further. It
// reads only the label and that entry. ok is false if the file is not an
// uncompressed index, or has no entry. See spec/archive.md section 10.
func IndexSpan(index io.ReaderAt, size int64) (l Label, end pcp.Time, ok bool) {
	head := make([]byte, min(size, labelLenV3))
	if _, err := index.ReadAt(head, 0); err != nil && err != io.EOF {
		return l, 0, false
	}
	l, fault := readLabel(head, "", volumeIdx)
	if fault != nil {
		return l, 0, false
	}
	first, step := int64(labelLen(l.Version)), int64(indexEntryLen(l.Version))
	n := (size - first) / step
	if n < 1 {
		return l, 0, false
	}
	last := make([]byte, step)
	if _, err := index.ReadAt(last, first+(n-1)*step); err != nil && err != io.EOF {
		return l, 0, false
	}
	end = indexEntry(last, l.Version).Time
	return l, end, end >= l.Start
}
