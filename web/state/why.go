package state

// Whys are the words for the codes in a column's why, by code: those of
// series.Why, which the page does not link. A test of the whole house keeps
// the two equal.
var Whys = []string{
	"", "before the first observation", "after the last observation", "across a mark", "the instance is absent",
	"the counter went backwards", "an error was logged", "not in this archive", "no previous sample",
	"the value cannot be converted", "an operand has no value", "division by zero", "not read yet",
	"the volume is missing", "the data are damaged",
}

// Why returns the words for one code.
func Why(code uint8) string {
	if int(code) < len(Whys) {
		return Whys[code]
	}
	return "unknown reason"
}
