package mmv

import (
	"encoding/json"
	"path"

	"pcpscope/core/pcp"
)

// Domain is the number of PCP's mmv agent: its metrics are 70.cluster.item.
const Domain = 70

// MaxSize is the largest file in bytes that Read accepts. Real ones have less
// than one MiB.
const MaxSize = 64 << 20

// Flags of a file's header. See spec/mmv.md section 2.1.
type Flags uint32

const (
	NoPrefix Flags = 1 // metric names do not contain the file's name
	Process  Flags = 2 // the agent exports the file only while the process exists
	Sentinel Flags = 4 // special values mean "no value available"
)

// A File is one MMV file at the moment it was read.
type File struct {
	Name      string // last component of the path it was read from
	Version   int    // 1, 2 or 3
	BigEndian bool   // byte order of the host that wrote it
	// The generation numbers are equal, and not 0, in a complete file.
	Generation1, Generation2 uint64
	Flags                    Flags
	PID                      int32 // of the writer
	Cluster                  int   // in effect; 1 if the file leaves the choice to the agent
	Metrics                  []Metric
	InDoms                   []InDom
	Problems                 []pcp.Fault
	Bytes                    int
}

// Complete is false for a file that was read while its writer was changing its
// definitions. Its content may be anything. See spec/mmv.md section 5.
func (f *File) Complete() bool { return f.Generation1 != 0 && f.Generation1 == f.Generation2 }

// A Metric is one metric with all its values.
type Metric struct {
	Name    string // full name: "mmv.acme.products.count"; unique in the file
	Desc    pcp.Desc
	Oneline string
	Help    string          // the one-line text if there is no other
	Labels  json.RawMessage // of cluster, domain and metric, merged, sorted; nil for none
	Values  []Value         // in the order of the instance domain
	// Hidden says why the agent would not export the metric; nil if it would.
	Hidden *Hidden
}

// An InDom is an instance domain. The agent never shows its help texts.
type InDom struct {
	ID            pcp.InDom
	Oneline, Help string
	Instances     []Instance
}

// An Instance is a member of an instance domain.
type Instance struct {
	pcp.Instance
	Labels json.RawMessage // its own, without those of the levels above; nil for none
}

// A Value is the value of one instance.
type Value struct {
	Inst int32  // pcp.NoInstance for a singular metric
	Bits uint64 // encoded as in package series; 0 for a string
	Text string // of a STRING
	// Since is not 0 while an interval is being timed: the microsecond since
	// 1970 when it began. Bits has the total of the intervals before. See
	// spec/mmv.md section 4.5.
	Since int64
}

// Elapsed returns the value of a timer at a time, including the running
// interval. For other values it is just Bits.
func (v Value) Elapsed(at pcp.Time) uint64 {
	if v.Since == 0 {
		return v.Bits
	}
	sec, nsec := at.Split()
	return v.Bits + uint64(sec*1e6+nsec/1e3-v.Since)
}

// CheckSize returns the error of a file larger than MaxSize, for callers that have
// not read it yet.
func CheckSize(name string, size int64) error {
	if size > MaxSize {
		return pcp.Faultf(pcp.OutOfMemory, "This MMV file is larger than %d MiB, the limit.", MaxSize>>20).In(name)
	}
	return nil
}

// Read parses a file. name is the file's name, which is part of its metrics'
// names; its folders are ignored. data is not retained.
//
// Only a file that is not an MMV file at all is an error. Everything else is
// read as far as possible, and reported in Problems.
func Read(name string, data []byte) (*File, error) {
	if err := CheckSize(name, int64(len(data))); err != nil {
		return nil, err
	}
	r := &reader{data: data, file: File{Name: path.Base(name), Bytes: len(data)}}
	if f := r.header(); f != nil {
		return nil, f.In(name)
	}
	r.contents()
	r.domains()
	r.metrics()
	r.labels()
	r.values()
	r.notes()
	f := r.file // without the reader and its data
	return &f, nil
}
