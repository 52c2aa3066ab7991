// Package api defines every question and answer that crosses from the core to a
// caller, with the same names that pcpscope.d.ts gives to JavaScript. It answers
// none of them. Keeping the types here lets the page use them without linking a
// parser.
//
// Go types are represented in JavaScript as follows: pcp.Time is a bigint of
// nanoseconds; []float64 a Float64Array; []int64 a BigInt64Array; []uint64 a
// BigUint64Array; []uint8 a Uint8Array; pointers and slices tagged omitempty
// are left out when nil; json.RawMessage is the parsed value.
package api

import (
	"encoding/json"

	"pcpscope/core/pcp"
)

// Version is the version of the JavaScript contract.
const Version = 1

// A SourceID identifies an open source until it is closed. IDs are not reused.
type SourceID int

// Progress reports how far a long call has got.
type Progress struct {
	Phase string  `json:"phase"` // for people: "reading web01.0.zst"
	Done  float64 `json:"done"`  // bytes
	Total float64 `json:"total"`
}

// Opened is the answer to open.
type Opened struct {
	Sources  []Source   `json:"sources"`
	Rejected []Rejected `json:"rejected"`
	Skipped  *Skipped   `json:"skipped,omitempty"`  // what containers held besides PCP's files
	Settings []Setting  `json:"settings,omitempty"` // configuration files of PCP's tools
}

// Skipped counts files in containers that are not part of an archive.
type Skipped struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"` // after unpacking
}

// Rejected is a file that could not be used, and why.
type Rejected struct {
	Name  string    `json:"name"`
	Fault pcp.Fault `json:"fault"`
}

// Source is one archive, one set of archives of a host, or one MMV file.
type Source struct {
	ID       SourceID `json:"id"`
	Kind     string   `json:"kind"` // "archive" or "mmv"
	Name     string   `json:"name"`
	Host     string   `json:"host"`
	Timezone string   `json:"timezone"`
	Zoneinfo string   `json:"zoneinfo"`
	PID      int32    `json:"pid"`
	Version  int      `json:"version"`
	Start    pcp.Time `json:"start"`
	End      pcp.Time `json:"end"`
	Metrics  int      `json:"metrics"`
	Bytes    int64    `json:"bytes"` // of the files as given
	Members  []string `json:"members"`
	Gaps     []Gap    `json:"gaps"`
	// GapCount is the number of gaps: Gaps lists at most a thousand, the
	// longest, and evenly spaced marks.
	GapCount    int         `json:"gapCount"`
	Problems    []pcp.Fault `json:"problems"`
	Fingerprint string      `json:"fingerprint"`
	// OnDemand is true for a source on a server that is read only as questions
	// need it. Values of a window are a preview (Query.Partial) until
	// everything is requested: by a query that is not partial, by loaded, or by
	// summary.
	OnDemand bool `json:"onDemand,omitempty"`
	// Loaded is the fraction of the data that has been read, 0 to 1. Until it
	// is 1, problems, gaps and the end may still change.
	Loaded float64 `json:"loaded"`
}

// SourceFile is one file of a source, and how far it has been read.
type SourceFile struct {
	Name     string   `json:"name"`               // as in Source.Members
	Bytes    int64    `json:"bytes"`              // of the file as given
	Read     int64    `json:"read"`               // bytes read so far
	Unpacked int64    `json:"unpacked,omitempty"` // bytes after decompression, for a compressed file
	Records  int      `json:"records,omitempty"`  // of a data volume, or entries of a temporal index
	First    pcp.Time `json:"first,omitempty"`    // time of the first record read of a data volume
	Last     pcp.Time `json:"last,omitempty"`     // and of the last
}

// Gap is a stretch of time about which nothing is known.
type Gap struct {
	Start pcp.Time `json:"start"`
	End   pcp.Time `json:"end"`
	Why   string   `json:"why"` // "mark", "between archives" or "missing volume"
}

// Metric is a metric's metadata.
type Metric struct {
	Name       string          `json:"name"`
	PMID       string          `json:"pmid"`
	Type       string          `json:"type"`
	Semantics  string          `json:"semantics"`
	InDom      *string         `json:"indom"` // null for a singular metric
	Units      string          `json:"units"`
	Oneline    string          `json:"oneline"`
	Help       string          `json:"help"`
	Labels     json.RawMessage `json:"labels"` // an object
	Expression string          `json:"expression,omitempty"`
}

// Instance is one member of an instance domain, over the whole archive.
type Instance struct {
	ID     int32           `json:"id"`
	Name   string          `json:"name"`
	Title  string          `json:"title,omitempty"` // for people, as Column.Title
	First  pcp.Time        `json:"first"`
	Last   pcp.Time        `json:"last"`
	Labels json.RawMessage `json:"labels,omitempty"`
}

// When is a point in time or a length of time in a question: nanoseconds, or a
// text in PCP's time syntax. Nil if not given.
type When struct {
	Nanos *int64
	Text  string
}

// Query asks for values.
type Query struct {
	Source    SourceID `json:"source"`
	Metrics   []string `json:"metrics"`
	Instances []string `json:"instances,omitempty"` // names; nil for all
	Mode      string   `json:"mode,omitempty"`      // "interp" (default) or "raw"
	Start     *When    `json:"start,omitempty"`
	End       *When    `json:"end,omitempty"`
	Interval  *When    `json:"interval,omitempty"`
	Zone      string   `json:"zone,omitempty"`
	Count     int      `json:"count,omitempty"`
	Convert   string   `json:"convert,omitempty"` // "none" (default) or "rate"
	Pixels    int      `json:"pixels,omitempty"`
	// Partial asks for an immediate answer instead of waiting until the window
	// has been read: exact values as far as it has been read, followed by a
	// preview through the temporal index. Ask again for the rest.
	Partial bool `json:"partial,omitempty"`
	// Read says how much to read for the answer: "preview" (the same as
	// Partial), "window" for what exact values of the window need, or "all". By
	// default, a source on a server is read up to the end of the window.
	Read string `json:"read,omitempty"`
	Gaps bool   `json:"gaps,omitempty"` // as charts need it: division by zero, averages of nothing and sums of missing values give no value, instead of PCP's infinity or 0, and discrete operands last across marks
	// Reduce says what a point represents if its step covers several
	// observations: "sample" (default) for the value at its time, as with PCP's
	// tools, or "mean" (over time), "max", "min", "p95" or "last" of the step,
	// with the smallest and the largest beside it. Strings have "last" only.
	Reduce string `json:"reduce,omitempty"`
	// Samples, with Reduce, keeps the samples of a grid about as dense as the
	// observations, where a mean would lag behind: only steps in which samples
	// miss an observation get other extremes, and a value if there is no
	// sample.
	Samples    bool   `json:"samples,omitempty"`
	Statistics *Range `json:"statistics,omitempty"` // asks for statistics of each column over a stretch of time
}

// Range is a stretch of time in a question. A missing end is the query's.
type Range struct {
	Start *When `json:"start,omitempty"`
	End   *When `json:"end,omitempty"`
}

// Frame is the answer to fetch: columns on one time axis.
type Frame struct {
	Start   pcp.Time  `json:"start"`
	Times   []float64 `json:"times"` // seconds after Start
	Columns []Column  `json:"columns"`
	Marks   []float64 `json:"marks"` // seconds after Start; no line may cross one
	// Step is the time between points in seconds, 0 in raw mode. Reduced is the
	// reduction in columns with Low and High: "mean", "max" and so on.
	Step    float64 `json:"step,omitempty"`
	Reduced string  `json:"reduced,omitempty"`
	// Read says what the values are based on: "preview", "window" or "all", as
	// in the query.
	Read string `json:"read,omitempty"`
	// Preview is true if a part of the window has not been read yet and is
	// represented by a few of its records, or not at all.
	Preview bool `json:"preview,omitempty"`
	// ReadTo is how far, in a preview, the window has been read.
	ReadTo *pcp.Time `json:"readTo,omitempty"`
}

// Column is the values of one metric and instance.
type Column struct {
	Metric    string        `json:"metric"`
	Instance  *InstanceRef  `json:"instance"` // null for a singular metric; by number if the instance is unknown
	Units     string        `json:"units"`
	Type      string        `json:"type"`
	Semantics string        `json:"semantics"`
	Values    []float64     `json:"values,omitempty"`  // NaN: no value
	Strings   []*string     `json:"strings,omitempty"` // in JavaScript, part of "values"
	Exact     any           `json:"exact,omitempty"`   // []int64 or []uint64, if a value is beyond 2^53
	Low       []float64     `json:"low,omitempty"`     // smallest and largest in the step
	High      []float64     `json:"high,omitempty"`    // absent if the points are complete
	Why       []uint8       `json:"why,omitempty"`     // series.Why for each value; absent when none is missing
	Codes     []CodeAt      `json:"codes,omitempty"`   // error codes that were logged instead of values
	Events    []EventRecord `json:"events,omitempty"`  // in raw mode, of a metric of event records: all of them, in order of the values
	Title     string        `json:"title,omitempty"`   // the instance's name for people: of a cgroup its pod and container, of a filesystem where it is mounted
	Operand   string        `json:"operand,omitempty"` // of a derived metric: the missing operand
	Fault     *pcp.Fault    `json:"fault,omitempty"`
	// Statistics are computed from the observations, if requested; nil if there
	// are none, or for a counter that is not converted to a rate.
	Statistics *Statistics `json:"statistics,omitempty"`
}

// Statistics describe the observations of one series in a window, of a counter
// the rates between them: the same figures as in a Summary with Measured.
type Statistics struct {
	Count     int      `json:"count"`
	Average   float64  `json:"average"` // over time
	Median    float64  `json:"median"`
	P95       float64  `json:"p95"`
	P99       float64  `json:"p99"`
	Minimum   float64  `json:"minimum"`
	MinimumAt pcp.Time `json:"minimumAt"`
	Maximum   float64  `json:"maximum"`
	MaximumAt pcp.Time `json:"maximumAt"`
	Last      float64  `json:"last"` // the last in the window
	LastAt    pcp.Time `json:"lastAt"`
	Covered   float64  `json:"covered"` // fraction of the window that the series spans, 0 to 1
}

// CodeAt is an error code that was logged instead of a value.
type CodeAt struct {
	At   int    `json:"at"` // index into the frame's times
	Code int32  `json:"code"`
	Text string `json:"text"` // its meaning
}

// EventRecord is one event record, with its own timestamp.
type EventRecord struct {
	At     int          `json:"at"`               // index into the frame's times: the value that held it
	Time   pcp.Time     `json:"time"`             // when it happened, possibly long before the record
	Flags  string       `json:"flags"`            // as pmEventFlagsStr(3): "point", "start,id,parent", "missed"
	Missed int          `json:"missed,omitempty"` // how many records were lost here
	Params []EventParam `json:"params"`
}

// EventParam is one parameter of an event record.
type EventParam struct {
	Metric string `json:"metric"` // or its PMID if the source has no name for it
	Value  string `json:"value"`  // numbers in decimal, other bytes in hex
}

// InstanceRef names an instance.
type InstanceRef struct {
	ID   int32  `json:"id"`
	Name string `json:"name"`
}

// SummaryQuery asks for summaries of a window, of all numeric metrics if
// Metrics is nil.
type SummaryQuery struct {
	Source  SourceID `json:"source"`
	Metrics []string `json:"metrics,omitempty"`
	Start   *When    `json:"start,omitempty"`
	End     *When    `json:"end,omitempty"`
	Zone    string   `json:"zone,omitempty"`
	Bins    int      `json:"bins,omitempty"`
	// Measured excludes rates over less than a hundredth of the usual interval
	// between records from extremes, percentiles and bins, as Statistics do.
	// pmlogsummary includes them. The time average of values that did not last, such as
	// a single one, is their mean, where pmlogsummary says 0.
	Measured bool `json:"measured,omitempty"`
}

// Summary is one numeric series over a window, as pmlogsummary(1) computes it.
type Summary struct {
	Metric            string       `json:"metric"`
	Instance          *InstanceRef `json:"instance"`
	Title             string       `json:"title,omitempty"` // for people, as Column.Title
	Units             string       `json:"units"`
	Semantics         string       `json:"semantics"`
	TimeAverage       float64      `json:"timeAverage"`
	StochasticAverage float64      `json:"stochasticAverage"`
	Sum               float64      `json:"sum"`
	Count             int          `json:"count"`
	Minimum           float64      `json:"minimum"`
	MinimumAt         pcp.Time     `json:"minimumAt"`
	Maximum           float64      `json:"maximum"`
	MaximumAt         pcp.Time     `json:"maximumAt"`
	Median            float64      `json:"median"`
	P95               float64      `json:"p95"`
	P99               float64      `json:"p99"`
	Stddev            float64      `json:"stddev"`
	Covered           float64      `json:"covered"` // fraction of the window that the series spans, 0 to 1
	Bins              []Bin        `json:"bins,omitempty"`
}

// Bin is one class of a distribution.
type Bin struct {
	UpTo  float64 `json:"upTo"`
	Count int     `json:"count"`
}

// Hit is one match of a search.
type Hit struct {
	Metric   string       `json:"metric"`
	Instance *InstanceRef `json:"instance,omitempty"`
	Title    string       `json:"title,omitempty"` // for people, as Column.Title
	Where    string       `json:"where"`           // "name", "help", "instance", "label" or "units"
	Excerpt  string       `json:"excerpt"`
}
