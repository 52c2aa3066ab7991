package derived

import "strings"

// A Function is a function of the language.
type Function struct {
	Name      string
	Signature string // as a user would write it: "rescale(x, \"units\")"
	Help      string // one or two sentences
	Ours      bool   // an extension of PCP's language
	id        functionID
	args      []argument // nil for functions with a syntax of their own
}

type functionID uint8

const (
	fnAnon functionID = iota
	fnAvg
	fnCount
	fnDefined
	fnDelta
	fnInstant
	fnMatch
	fnMax
	fnMin
	fnConst
	fnMovAvg
	fnMovSlope
	fnNoValue
	fnPercentile
	fnRate
	fnRescale
	fnScalar
	fnSlope
	fnSum
	fnTally
	fnTopN
)

// An argument is the kind of an argument.
type argument uint8

const (
	argExpr     argument = iota
	argMetric            // a metric's name
	argType              // PM_TYPE_U32 and so on
	argUnits             // a string with units
	argDuration          // a string such as "5min"
	argNumber            // a number literal
)

// percentiles maps short names to percentiles.
var percentiles = map[string]float64{"median": 50, "p90": 90, "p95": 95, "p99": 99}

// Functions lists all functions, by name. See spec/derived.md sections 3, 5.1 and 7.
var Functions = []Function{
	{"anon", "anon(PM_TYPE_U32)", "A metric of the given type that never has a value. PCP uses it internally.", false, fnAnon, []argument{argType}},
	{"avg", "avg(x)", "The mean over all instances of x at each moment; 0 when there are none.", false, fnAvg, []argument{argExpr}},
	{"count", "count(x)", "How many instances of x have a value at each moment.", false, fnCount, []argument{argExpr}},
	{"defined", "defined(metric)", "1 when the source knows the metric, otherwise 0. Decides a ternary before anything is read.", false, fnDefined, []argument{argMetric}},
	{"delta", "delta(x)", "How much x changed since the sample before, in the units of x. Negative when it fell.", false, fnDelta, []argument{argExpr}},
	{"instant", "instant(x)", "x itself, but no longer a counter: nothing will turn it into a rate.", false, fnInstant, []argument{argExpr}},
	{"matchinst", "matchinst(/pattern/, x)", "The instances of x whose name, up to the first blank, matches the regular expression; with !/pattern/ those that do not.", false, fnMatch, nil},
	{"max", "max(x)", "The largest value over all instances of x at each moment.", false, fnMax, []argument{argExpr}},
	{"median", "median(x)", "The middle value over all instances of x at each moment.", true, fnPercentile, []argument{argExpr}},
	{"min", "min(x)", "The smallest value over all instances of x at each moment.", false, fnMin, []argument{argExpr}},
	{"mkconst", "mkconst(number, type=…, semantics=…, units=…, indom=…, meta=metric)", "A constant with metadata of its own, or with that of another metric.", false, fnConst, nil},
	{"movavg", "movavg(x, \"5min\")", "The mean of the values of x in the last five minutes, or any other length of time.", true, fnMovAvg, []argument{argExpr, argDuration}},
	{"movslope", "movslope(x, \"1hour\")", "How much x grows per second at each moment: the median of the slopes between its values of the last hour, or any other length of time, which outliers do not move; of its last nine points at least. None before they reach over a sixth of that time.", true, fnMovSlope, []argument{argExpr, argDuration}},
	{"novalue", "novalue(type=…, semantics=…, units=…, indom=…, meta=metric)", "No value at all; only as one arm of a ternary.", false, fnNoValue, nil},
	{"p90", "p90(x)", "The 90th percentile over all instances of x at each moment.", true, fnPercentile, []argument{argExpr}},
	{"p95", "p95(x)", "The 95th percentile over all instances of x at each moment.", true, fnPercentile, []argument{argExpr}},
	{"p99", "p99(x)", "The 99th percentile over all instances of x at each moment.", true, fnPercentile, []argument{argExpr}},
	{"percentile", "percentile(95, x)", "The given percentile, 0 to 100, over all instances of x at each moment.", true, fnPercentile, []argument{argNumber, argExpr}},
	{"rate", "rate(x)", "The change of x per second since the sample before. A time becomes utilisation: 1 means all of the time.", false, fnRate, []argument{argExpr}},
	{"rescale", "rescale(x, \"units\")", "x in other units of the same dimension: rescale(mem.physmem, \"Gbyte\").", false, fnRescale, []argument{argExpr, argUnits}},
	{"scalar", "scalar(x)", "The first instance of x as a value without instances.", false, fnScalar, []argument{argExpr}},
	{"slope", "slope(x)", "How much x grows per second over all of the time that is asked for: the median of the slopes between its values, which outliers do not move. One number, the same at every moment.", true, fnSlope, []argument{argExpr}},
	{"sum", "sum(x)", "The total over all instances of x at each moment; 0 when there are none.", false, fnSum, []argument{argExpr}},
	{"tally", "tally(x, y)", "For each instance of y how many instances of x have its number as their value: tally(hinv.map.cpu_node, kernel.pernode.cpu.user) is the number of CPUs of each node.", true, fnTally, []argument{argExpr, argExpr}},
	{"topn", "topn(5, x)", "The instances of x with the largest values at each moment, so many of them.", true, fnTopN, []argument{argNumber, argExpr}},
}

// lookup finds a function by its exact name, or returns nil.
func lookup(name string) *Function {
	for i := range Functions {
		if Functions[i].Name == name {
			return &Functions[i]
		}
	}
	return nil
}

// similar returns the candidate nearest to name, "" if none is near enough.
// Case is ignored.
func similar(name string, candidates []string) string {
	best, least := "", 1+len(name)/3
	folded := strings.ToLower(name)
	for _, c := range candidates {
		if d := distance(folded, strings.ToLower(c), least); d < least || d == least && best == "" {
			best, least = c, d
		}
	}
	return best
}

// distance returns the edit distance (insert, delete, replace, swap neighbours)
// of a and b; anything above limit is limit+1.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		lowest := row[0]
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			lowest = min(lowest, row[j+1])
		}
		if lowest > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
