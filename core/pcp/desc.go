package pcp

import (
	"fmt"
	"strconv"
	"strings"
)

// A Type is the type of a metric's values, with PCP's numbers (PMAPI(3)).
type Type int32

const (
	NoSupport       Type = -1 // known to the agent, but never with a value
	Int32           Type = 0
	Uint32          Type = 1
	Int64           Type = 2
	Uint64          Type = 3
	Float           Type = 4
	Double          Type = 5
	String          Type = 6
	Aggregate       Type = 7 // opaque bytes
	AggregateStatic Type = 8 // opaque bytes; not expected in archives
	Event           Type = 9
	HighresEvent    Type = 10
	Unknown         Type = 255 // only ever the type of a value block
)

var typeNames = map[Type]string{
	NoSupport: "NOSUPPORT", Int32: "32", Uint32: "U32", Int64: "64", Uint64: "U64",
	Float: "FLOAT", Double: "DOUBLE", String: "STRING", Aggregate: "AGGREGATE",
	AggregateStatic: "AGGREGATE_STATIC", Event: "EVENT", HighresEvent: "HIGHRES_EVENT", Unknown: "UNKNOWN",
}

// String returns the short name: "U64". Unknown numbers, as in damaged
// archives, appear as "type-16".
func (t Type) String() string {
	if s, ok := typeNames[t]; ok {
		return s
	}
	return fmt.Sprintf("type-%d", int32(t))
}

// Numeric reports whether values of the type are numbers.
func (t Type) Numeric() bool { return t >= Int32 && t <= Double }

// Integer reports whether values of the type are integers.
func (t Type) Integer() bool { return t >= Int32 && t <= Uint64 }

// Events reports whether values of the type are event records.
func (t Type) Events() bool { return t == Event || t == HighresEvent }

// Width returns the size in bytes of a number of the type, 0 for other types.
func (t Type) Width() int {
	switch t {
	case Int32, Uint32, Float:
		return 4
	case Int64, Uint64, Double:
		return 8
	}
	return 0
}

// Semantics says how to interpret values of a metric (PMAPI(3)).
type Semantics int32

const (
	Counter  Semantics = 1 // grows; its rate is what matters
	Instant  Semantics = 3 // a level at one time
	Discrete Semantics = 4 // a level that holds until it is changed
)

// String returns PCP's word, or "semantics-7" for an unknown number.
func (s Semantics) String() string {
	switch s {
	case Counter:
		return "counter"
	case Instant:
		return "instant"
	case Discrete:
		return "discrete"
	}
	return fmt.Sprintf("semantics-%d", int32(s))
}

// A Desc is a metric's descriptor, pmDesc in PMAPI(3).
type Desc struct {
	PMID  PMID
	Type  Type
	InDom InDom
	Sem   Semantics
	Units Units
}

// IsRate reports whether values of a metric are rates already: of a counter per
// unit of time, or of a counter of time as a share of it. What sar2pcp and
// iostat2pcp import has the names of the kernel's counters and such values.
func (d Desc) IsRate() bool {
	real := d.Type == Float || d.Type == Double
	return d.Sem == Instant && real && (d.Units.Time == -1 || d.Units.Dimensionless())
}

// IsLevel reports whether a value is that of its own time, and not of the time since the
// record before.
func (d Desc) IsLevel() bool { return d.Sem != Counter && !d.IsRate() }

// IsLevelNamed is IsLevel for a metric whose name is known. It tells shares of space, such as
// filesys.full, and what programs export without units, from shares of time.
func (d Desc) IsLevelNamed(metric string) bool {
	return d.IsLevel() || d.Sem == Instant && d.Units.Dimensionless() && !ofTime(metric)
}

// ofTime reports whether values of a metric that have no units are of the time since the record
// before: what sar2pcp(1) and iostat2pcp(1) import, and what PCP derives from counters.
func ofTime(metric string) bool {
	switch metric[strings.LastIndexByte(metric, '.')+1:] {
	case "avactive", "aveq", "avqsz", "avrqsz", "avg_qlen", "await", "svctm", "util", "write_ratio":
		return true
	}
	return strings.Contains(metric, ".cpu.")
}

// IsLatency reports whether the values of a metric named like a counter of time are
// latencies in milliseconds, as iostat2pcp(1) writes disk.dev.avactive and
// disk.dev.read_rawactive. From sar2pcp(1), which writes disk.dev.avqsz too, avactive
// is a share of time. has reports whether there is a metric.
func (d Desc) IsLatency(metric string, has func(string) bool) bool {
	switch {
	case !d.IsRate():
		return false
	case strings.HasSuffix(metric, "_rawactive"):
		return true
	}
	return metric == "disk.dev.avactive" && d.Units.Dimensionless() && !has("disk.dev.avqsz")
}

// Difference says how one descriptor of a metric differs from another, such as
// "its type from U32 to U64"; "" if in nothing but their PMID. Of several
// differences it says one.
func Difference(from, to Desc) string {
	switch {
	case from.Type != to.Type:
		return fmt.Sprintf("its type from %s to %s", from.Type, to.Type)
	case from.Sem != to.Sem:
		return fmt.Sprintf("its semantics from %s to %s", from.Sem, to.Sem)
	case from.InDom != to.InDom:
		return fmt.Sprintf("its instance domain from %s to %s", from.InDom, to.InDom)
	case from.Units != to.Units:
		quoted := func(u Units) string {
			if text := u.String(); text != "" {
				return strconv.Quote(text)
			}
			return "none" // as pminfo -d says
		}
		return "its units from " + quoted(from.Units) + " to " + quoted(to.Units)
	}
	return ""
}
