package shrink

import "testing"

// A check of a pointer calls function 7 with place n, written out or with the
// function's number in local 2.
func TestNilChecks(t *testing.T) {
	// The stack is 0 deep at the places 0 and 1, and 16 from 2 on.
	change := func(code []instruction) []instruction { return nilChecks(code, 7, []byte{2, 2, 32, 9, 0}) }
	const push, after = "0440 2001 4108 6b 2201 2400 2001 ", "2300 2101 0440 4101 0f 0b 0b "
	check(t, "the second leaves the place of the first, and both return", change,
		push+"4202 2002 84 3703 00 4100 1007 "+after+push+"4205 2002 84 3703 00 4100 1007 "+after,
		push+"4202 2002 84 3703 00 4100 1007 0f 0b "+push+"4202 2002 84 3703 00 4100 1007 0f 0b")
	check(t, "with a place written out", change,
		push+"4282 8084 8001 3703 00 4100 1007 "+after+"0b",
		push+"4282 8084 8001 3703 00 4100 1007 0f 0b 0b")
	check(t, "where the stack is as deep at place 1", func(code []instruction) []instruction { return nilChecks(code, 7, []byte{2, 1, 32, 9, 0}) },
		push+"4282 8084 8001 3703 00 4100 1007 "+after+push+"4205 2002 84 3703 00 4100 1007 "+after,
		push+"4281 8084 8001 3703 00 4100 1007 0f 0b "+push+"4281 8084 8001 3703 00 4100 1007 0f 0b")
	for what, left := range map[string]string{
		"of another function":    push + "4202 2002 84 3703 00 4100 1008 " + after,
		"that goes on otherwise": push + "4202 2002 84 3703 00 4100 1007 2300 2101 1a 0b",
		"that is not complete":   push + "4202 2002 84 3703 00 4100",
		"without a place":        push + "2003 3703 00 4100 1007 " + after,
	} {
		check(t, what, change, left, left)
	}
}
