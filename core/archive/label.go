package archive

import (
	"fmt"
	"path"

	"pcpscope/core/pcp"
)

// A Label is the first record of every file of an archive. See spec/archive.md section 4.
type Label struct {
	Version  int // 2 or 3
	PID      int32
	Start    pcp.Time
	Volume   int32 // number of a data volume, -1 for .meta, -2 for .index
	Features uint32
	Host     string
	Timezone string // a TZ string: the offset when the archive was begun
	Zoneinfo string // ":Europe/Berlin"; version 3 only, may be empty
}

const (
	labelLenV2 = 132
	labelLenV3 = 808
	volumeMeta = -1
	volumeIdx  = -2
)

func labelLen(version int) int {
	if version == 2 {
		return labelLenV2
	}
	return labelLenV3
}

// readLabel decodes the label at the start of head. A file of fewer than 8
// bytes counts as empty. volume is the number according to the file's name.
func readLabel(head []byte, file string, volume int32) (Label, *pcp.Fault) {
	var l Label
	bad := func(at int64, field, format string, args ...any) (Label, *pcp.Fault) {
		return l, pcp.Faultf(pcp.Corrupt, format, args...).In(file).At(at, field)
	}
	if len(head) == 0 {
		return bad(0, "", "The file is empty.")
	}
	if len(head) < 8 {
		return l, pcp.Faultf(pcp.Truncated, "The file ends after %s, inside its label.", pcp.Counted(len(head), "byte", "bytes")).In(file).At(int64(len(head)), "label")
	}
	magic := be32(head[4:])
	if magic>>8 != 0x500526 {
		return bad(4, "magic", "This is not a file of a PCP archive: its label has the magic number 0x%08x.", magic)
	}
	switch l.Version = int(magic & 0xff); l.Version {
	case 1:
		return l, pcp.Faultf(pcp.Unsupported, "%s is a PCP archive of version 1, a format retired in 1998 that nothing reads any more.", path.Base(file)).In(file).At(4, "magic")
	case 2, 3:
	default:
		return bad(4, "magic", "The label names archive version %d; versions 2 and 3 exist.", l.Version)
	}
	n := labelLen(l.Version)
	if got := be32(head); got != uint32(n) {
		return bad(0, "length", "The label says that it is %s bytes long; one of version %d has %d.", pcp.Grouped(int32(got)), l.Version, n)
	}
	if len(head) < n {
		return l, pcp.Faultf(pcp.Truncated, "The file ends after %s, inside its label.", pcp.Counted(len(head), "byte", "bytes")).In(file).At(int64(len(head)), "label")
	}
	if got := be32(head[n-4:]); got != uint32(n) {
		return bad(int64(n-4), "length", "The length at the end of the label is %s, at its start %d.", pcp.Grouped(int32(got)), n)
	}
	c := cursor{buf: head[:n-4], at: 8}
	l.PID = c.i32("pid")
	l.Start = c.time(l.Version)
	volumeAt := int64(c.at)
	l.Volume = c.i32("volume")
	if l.Version == 2 {
		l.Host, l.Timezone = c.text("hostname", 64), c.text("timezone", 40)
	} else {
		l.Features = c.u32("features")
		c.u32("reserved")
		l.Host, l.Timezone, l.Zoneinfo = c.text("hostname", 256), c.text("timezone", 256), c.text("zoneinfo", 256)
	}
	if l.Volume != volume {
		return bad(volumeAt, "volume", "The label says %s, the file's name says %s.", volumeWord(l.Volume), volumeWord(volume))
	}
	return l, nil
}

func volumeWord(v int32) string {
	switch v {
	case volumeMeta:
		return "metadata"
	case volumeIdx:
		return "temporal index"
	}
	return fmt.Sprintf("data volume %d", v)
}
