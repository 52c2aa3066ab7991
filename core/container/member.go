package container

import (
	"encoding/binary"
	"path"
	"strconv"
	"strings"
)

// Values of a label's volume field in files other than data volumes. See
// spec/archive.md section 4.1.
const (
	PartMeta  = -1
	PartIndex = -2
)

// SplitMember splits the name of an archive's file into the base name with its
// folders, the part of the archive that it is, and how good its compression is:
// 0 for none, then the smaller the better. See spec/archive.md section 1.1.
func SplitMember(name string) (base string, part, rank int, ok bool) {
	dir, file := path.Split(name)
	for i, s := range suffixes {
		if stem, found := strings.CutSuffix(file, s); found && strings.Contains(stem, ".") {
			file, rank = stem, i+1
			break
		}
	}
	dot := strings.LastIndexByte(file, '.')
	if dot < 0 {
		return "", 0, 0, false
	}
	base = dir + file[:dot]
	switch last := file[dot+1:]; last {
	case "meta":
		return base, PartMeta, rank, true
	case "index":
		return base, PartIndex, rank, true
	default:
		n, err := strconv.ParseUint(last, 10, 31)
		if err != nil || strconv.FormatUint(n, 10) != last { // libpcp opens volumes by "%d"
			return "", 0, 0, false
		}
		return base, int(n), rank, true
	}
}

// A likeness says how well the first bytes of a file match a label.
type likeness int

const (
	noLabel   likeness = iota
	halfLabel          // the length or the magic is right, or the file ends before either
	fullLabel
)

// looksLabel compares the beginning of a plain file with a label record. See
// spec/archive.md section 4. version is 0 if the magic is not one of PCP's.
func looksLabel(head []byte) (l likeness, version int) {
	if len(head) < 8 {
		if len(head) == 0 || strings.HasPrefix("\x00\x00\x00\x84\x50\x05\x26", string(head[:min(len(head), 7)])) ||
			strings.HasPrefix("\x00\x00\x03\x28\x50\x05\x26", string(head[:min(len(head), 7)])) {
			return halfLabel, 0
		}
		return noLabel, 0
	}
	length, magic := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
	rightLength := length == 132 || length == 808
	if magic>>8 != 0x500526 {
		if rightLength {
			return halfLabel, 0
		}
		return noLabel, 0
	}
	version = int(magic & 0xff)
	if !rightLength {
		return halfLabel, version
	}
	return fullLabel, version
}
