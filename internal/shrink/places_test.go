package shrink

import (
	"encoding/hex"
	"slices"
	"testing"
)

// A function that calls another twice: the calls return to the places 2 and 4,
// and nothing leads to 1, 3 and 5.
const (
	callTo   = "2001 4108 6b 2201 2400 2001 "
	rest     = "2002 84 3703 00 4100 1007 2300 2101 0440 4101 0f 0b "
	twoCalls = enter + "0240 0240 0240 0240 2000 0e05 00 00 01 02 03 03 0b " + callTo + "4202 " + rest + "0b 2003 1a 0b " + callTo + "4204 " + rest + "0b 4100 0f 0b"
)

func TestRenumber(t *testing.T) {
	var list []int64
	renumber := func(deferred int64) func([]instruction) []instruction {
		return func(code []instruction) []instruction {
			f := &function{code: code}
			list = f.renumber(deferred)
			return f.code
		}
	}
	check(t, "two calls", renumber(0), twoCalls,
		enter+"0240 0240 0240 2000 0e03 00 00 01 02 0b "+callTo+"4202 "+rest+"0b 2003 1a "+callTo+"4203 "+rest+"0b 4100 0f 0b")
	if want := []int64{0, 1, 2, 4}; !slices.Equal(list, want) {
		t.Errorf("the places were %d, want %d", list, want)
	}
	check(t, "with deferred functions", renumber(3), twoCalls,
		enter+"0240 0240 0240 0240 2000 0e04 00 00 01 02 03 0b "+callTo+"4202 "+rest+"0b 2003 1a 0b "+callTo+"4204 "+rest+"0b 4100 0f 0b")
	check(t, "with branches and a jump back", renumber(0),
		enter+"0240 0340 0240 0240 0240 2000 0e03 00 01 02 02 0b 0b 2003 0d00 0b 2003 0d01 4101 2100 0c00 0b 0b 4101 0b",
		enter+"0240 0340 0240 0240 0240 2000 0e01 00 01 0b 0b 2003 0d00 0b 2003 0d01 4101 2100 0c00 0b 0b 4101 0b")
	check(t, "with the call of a function value", renumber(0),
		enter+"0240 0240 0240 2000 0e02 00 01 02 0b 0b "+callTo+"4202 2002 84 3703 00 4210 88 a7 2100 4100 2000 1100 00 0440 4101 0f 0b 0b 4100 0f 0b", // three blocks
		enter+"0240 0240 2000 0e02 00 00 01 0b "+callTo+"4202 2002 84 3703 00 4210 88 a7 2100 4100 2000 1100 00 0440 4101 0f 0b 0b 4100 0f 0b")
	for what, left := range map[string]string{
		"the place is read elsewhere":  enter + "0240 0240 2000 0e01 00 01 0b 2000 1a 0b 4100 0f 0b",
		"the place is no constant":     enter + "0240 0240 2000 0e01 00 01 0b 2003 2100 0b 4100 0f 0b",
		"there is a second table":      enter + "0240 0240 2000 0e01 00 01 0b 2003 0e01 00 01 0b 4100 0f 0b",
		"a place is beyond the table":  enter + "0240 0240 2000 0e01 00 01 0b 4109 2100 0c00 0b 4100 0f 0b",
		"a constant is stored instead": enter + "2001 4108 6b 2201 2400 2001 4207 3703 00 4100 0f 0b",
	} {
		check(t, what, renumber(0), left, left)
	}
}

// The table has 0 for the places 0 to 2, and 5 for 3 to 9.
func TestRenumberTable(t *testing.T) {
	table, list := []byte{2, 3, 10, 7, 0}, []int64{0, 1, 2, 4}
	if got := hex.EncodeToString(renumberTable(table, list)); got != "02030aff7f00" {
		t.Errorf("at the places: %s", got)
	}
	// The call that returns to 4 is at 3.
	if got := hex.EncodeToString(renumberTable(table, beforeCalls(list))); got != "02020aff7f00" {
		t.Errorf("before them: %s", got)
	}
	// From -1 for the places 0 to 3 to 8; nothing known from 6 on.
	if got := hex.EncodeToString(renumberTable([]byte{0, 4, 18, 2, 0}, []int64{0, 1, 5, 6})); got != "0002120111ff7f00" {
		t.Errorf("from nothing to nothing: %s", got)
	}
}

func TestConsecutive(t *testing.T) {
	change := func(deferred int64) func([]instruction) []instruction {
		return func(code []instruction) []instruction { return consecutive(code, deferred) }
	}
	const added = "2001 2903 00 4202 7c 3703 00 4100 1007 2300 2101 0440 4101 0f 0b "
	check(t, "past the end of a block where nothing leads", change(0), twoCalls,
		enter+"0240 0240 0240 0240 2000 0e05 00 00 01 02 03 03 0b "+callTo+"4202 "+rest+"0b 2003 1a 0b "+callTo+added+"0b 4100 0f 0b")
	check(t, "not where deferred functions are run", change(3), twoCalls, twoCalls)
	const head = enter + "0240 0240 0240 2000 0e05 00 00 00 01 01 02 "
	check(t, "past an if that returns", change(0),
		head+"0b "+callTo+"4203 "+rest+"2003 0440 "+callTo+"4209 "+rest+"0f 0b "+callTo+"4205 "+rest+"0b 0b 4100 0f 0b",
		head+"0b "+callTo+"4203 "+rest+"2003 0440 "+callTo+"2001 2903 00 4206 7c 3703 00 4100 1007 2300 2101 0440 4101 0f 0b 0f 0b "+callTo+added+"0b 0b 4100 0f 0b")
	for what, left := range map[string]string{
		"a branch comes from elsewhere": head + "0b " + callTo + "4203 " + rest + "2003 0d00 " + callTo + "4204 " + rest + "0b " + callTo + "4205 " + rest + "0b 4100 0f 0b",
		"another call returns there":    head + "0b " + callTo + "4204 " + rest + "0b " + callTo + "4202 " + rest + "4100 0f 0b 0b",
		"the stack begins between":      head + "0b " + callTo + "4203 " + rest + "2001 4110 6b 2201 2400 " + callTo + "4204 " + rest + "0b 0b 4100 0f 0b",
	} {
		if what == "a branch comes from elsewhere" {
			check(t, what, change(0), left, head+"0b "+callTo+"4203 "+rest+"2003 0d00 "+callTo+"2001 2903 00 4201 7c 3703 00 4100 1007 2300 2101 0440 4101 0f 0b 0b "+callTo+"4205 "+rest+"0b 4100 0f 0b")
			continue
		}
		check(t, what, change(0), left, left)
	}
}
