package series

import (
	"math"

	"pcpscope/core/pcp"
)

// A Grid is evenly spaced times: Start, Start+Step, ..., Count in all. Step is
// in nanoseconds and may be negative; it is not 0 unless Count is 1.
type Grid struct {
	Start pcp.Time
	Step  int64
	Count int
}

// At returns the i-th time.
func (g Grid) At(i int) pcp.Time { return g.Start + pcp.Time(int64(i)*g.Step) }

// Why is the reason for a missing value at a grid point. Its text is shown to
// users; the zero value means that there is a value.
type Why uint8

const (
	HasValue       Why = iota
	BeforeFirst        // before the first observation
	AfterLast          // after the last observation
	AcrossMark         // a mark lies between here and the observations
	InstanceAbsent     // the instance does not exist at this time
	WentBackwards      // a rate of a counter that decreased
	ErrorLogged        // the agent reported an error code instead of a value
	NotInArchive       // the metric is not logged at all
	NoPrevious         // a rate or difference needs a previous sample
	NotConvertible     // the value is not of the metric's type (PM_ERR_CONV), or a conversion failed
	OperandMissing     // derived: an operand has no value; see Vector.Operand
	DividedByZero      // derived
	NotRead            // this part of the archive has not been read yet
	VolumeMissing      // the data volume for this time was not given
	DataDamaged        // the record for this time is damaged
	NotLogged          // raw mode: the metric is not in this record
	NotChosen          // derived: the expression itself excludes this value
)

var whyText = [...]string{
	"", "before the first observation", "after the last observation", "across a mark", "the instance is absent",
	"the counter went backwards", "an error was logged", "not in this archive", "no previous sample",
	"the value cannot be converted", "an operand has no value", "division by zero", "not read yet",
	"the volume is missing", "the data are damaged", "not logged at this time",
	"the expression leaves it out",
}

func (w Why) String() string {
	if int(w) < len(whyText) {
		return whyText[w]
	}
	return "unknown reason"
}

// A Vector holds the values of one instance on a grid.
type Vector struct {
	Inst int32
	Name string   // external instance name; "" for a singular metric
	Vals []uint64 // one for each grid point, encoded as in Bits for Frame.Desc.Type; 0 if missing
	Why  []Why    // nil if no value is missing, else one for each point
	// Codes holds error codes for points whose Why is ErrorLogged; nil if there
	// are none.
	Codes map[int]pcp.Code
	// Operand names the missing operand of a derived metric with OperandMissing
	// points; "" otherwise. Cause has it for each point.
	Operand string
	Cause   *Cause
}

// A Cause says for each point of a derived vector whose Why is OperandMissing
// which operand has no value, and why. Several vectors may share one.
type Cause struct {
	Operands []string // metrics
	Which    []uint8  // index into Operands
	Why      []Why    // the operand's own reason
}

// Missing returns why point i has no value, or HasValue.
func (v *Vector) Missing(i int) Why {
	if v.Why == nil {
		return HasValue
	}
	return v.Why[i]
}

// A Frame holds the values of one metric on a grid. Vectors are sorted by
// instance ID. Instances without any value on the grid may be left out.
type Frame struct {
	Desc    pcp.Desc
	Grid    Grid
	Vectors []Vector
	Blobs   Blobs
}

// Float converts a value of any numeric type to float64; NaN for other types.
func Float(t pcp.Type, v uint64) float64 {
	switch t {
	case pcp.Int32, pcp.Int64:
		return float64(int64(v))
	case pcp.Uint32, pcp.Uint64:
		return float64(v)
	case pcp.Float:
		return float64(math.Float32frombits(uint32(v)))
	case pcp.Double:
		return math.Float64frombits(v)
	}
	return math.NaN()
}
