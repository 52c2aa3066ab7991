package pcp

import (
	"fmt"
	"strconv"
	"strings"
)

// A PMID identifies a metric. It packs a domain (9 bits), a cluster (12) and
// an item (10); the top bit is a flag that readers ignore. See PMAPI(3).
type PMID uint32

// NullPMID is PM_ID_NULL: no metric.
const NullPMID PMID = 0xffffffff

// MakePMID packs the three parts, each truncated to its width.
func MakePMID(domain, cluster, item int) PMID {
	return PMID(domain&0x1ff)<<22 | PMID(cluster&0xfff)<<10 | PMID(item&0x3ff)
}

// Domain returns the number of the agent that owns the metric, 0 to 511.
func (p PMID) Domain() int { return int(p>>22) & 0x1ff }

// Cluster returns the group of the metric within its agent, 0 to 4095.
func (p PMID) Cluster() int { return int(p>>10) & 0xfff }

// Item returns the number of the metric within its cluster, 0 to 1023.
func (p PMID) Item() int { return int(p) & 0x3ff }

// String returns the text form of pmIDStr(3): "60.0.20".
func (p PMID) String() string {
	switch {
	case p == NullPMID:
		return "PM_ID_NULL"
	case p.Domain() == 511 && p.Item() == 0: // root of a dynamic subtree
		return fmt.Sprintf("%d.*.*", p.Cluster())
	}
	b := append(strconv.AppendInt(make([]byte, 0, len("511.4095.1023")), int64(p.Domain()), 10), '.')
	b = append(strconv.AppendInt(b, int64(p.Cluster()), 10), '.')
	return string(strconv.AppendInt(b, int64(p.Item()), 10)) // without fmt: metrics without a name are called by it
}

// ParsePMID parses the result of String.
func ParsePMID(s string) (PMID, bool) {
	if s == "PM_ID_NULL" {
		return NullPMID, true
	}
	parts := strings.SplitN(s, ".", 4)
	if len(parts) != 3 {
		return 0, false
	}
	root := parts[1] == "*" && parts[2] == "*"
	if root {
		parts = []string{"511", parts[0], "0"}
	}
	var numbers [3]int
	for i, bits := range [...]int{9, 12, 10} {
		n, err := strconv.ParseUint(parts[i], 10, bits)
		if err != nil {
			return 0, false
		}
		numbers[i] = int(n)
	}
	id := MakePMID(numbers[0], numbers[1], numbers[2])
	return id, id.String() == s
}

// An InDom identifies an instance domain: an agent's domain (9 bits) and a
// serial number (22 bits). See PMAPI(3).
type InDom uint32

// NullInDom is PM_INDOM_NULL: the metric is singular.
const NullInDom InDom = 0xffffffff

// MakeInDom packs domain and serial, each truncated to its width.
func MakeInDom(domain, serial int) InDom {
	return InDom(domain&0x1ff)<<22 | InDom(serial&0x3fffff)
}

// Domain returns the number of the agent that owns the domain, 0 to 511.
func (d InDom) Domain() int { return int(d>>22) & 0x1ff }

// Serial returns the number of the instance domain within its agent.
func (d InDom) Serial() int { return int(d) & 0x3fffff }

// String returns the text form of pmInDomStr(3): "60.1".
func (d InDom) String() string {
	if d == NullInDom {
		return "PM_INDOM_NULL"
	}
	return fmt.Sprintf("%d.%d", d.Domain(), d.Serial())
}

// ParseInDom parses the result of String.
func ParseInDom(s string) (InDom, bool) {
	if s == "PM_INDOM_NULL" {
		return NullInDom, true
	}
	a, b, ok := strings.Cut(s, ".")
	domain, err1 := strconv.ParseUint(a, 10, 9)
	serial, err2 := strconv.ParseUint(b, 10, 22)
	if !ok || err1 != nil || err2 != nil {
		return 0, false
	}
	return MakeInDom(int(domain), int(serial)), true
}

// NoInstance is PM_IN_NULL, the instance number of a singular metric's value.
const NoInstance int32 = -1

// An Instance is one member of an instance domain.
type Instance struct {
	ID   int32
	Name string // external name, such as "1 minute"
}
