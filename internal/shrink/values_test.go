package shrink

import "testing"

// A call of the compiler's: it leaves an address on Go's stack.
const calling = "2001 4108 6b 2201 2400 2001 4281 8084 8001 3703 00 4100 1005 "

func TestValues(t *testing.T) {
	check(t, "stored, and not read again", values,
		enter+"4207 2103 2001 2003 3703 08 4100 0f 0b", enter+"2001 4207 3703 08 4100 0f 0b")
	check(t, "stored, and read again", values,
		enter+"4207 2103 2001 2003 3703 08 2003 a7 0f 0b", enter+"2001 4207 2203 3703 08 2003 a7 0f 0b")
	check(t, "two loads, then two stores elsewhere", values,
		enter+"2001 2903 28 2103 2001 2903 20 2104 2001 2003 3703 68 2001 2004 3703 60 4100 0f 0b",
		enter+"2001 2001 2903 28 3703 68 2001 2001 2903 20 3703 60 4100 0f 0b")
	check(t, "a call forgets it", values,
		enter+"4207 2103 2001 2003 3703 08 "+calling+"1a 2003 a7 0f 0b", enter+"2001 4207 3703 08 "+calling+"1a 2003 a7 0f 0b")
	check(t, "a helper of the runtime does not", values,
		enter+"4207 2103 2001 2003 3703 08 1005 2003 a7 0f 0b", enter+"2001 4207 2203 3703 08 1005 2003 a7 0f 0b")
	check(t, "never read", values, enter+"2001 2903 08 2103 4100 0f 0b", enter+"4100 0f 0b")
	check(t, "copied to itself", values, enter+"2003 2103 2003 a7 0f 0b", enter+"2003 a7 0f 0b")
	check(t, "read where a branch leads", values,
		enter+"0240 4207 2103 2001 2003 3703 08 2004 a7 0d00 4209 2103 0b 2003 a7 0f 0b",
		enter+"0240 2001 4207 2203 3703 08 2004 a7 0d00 4209 2103 0b 2003 a7 0f 0b")
	check(t, "read in the next turn of a loop", values,
		enter+"0340 2003 2104 4207 2103 2001 2003 3703 08 2004 a7 0d00 0b 4100 0f 0b",
		enter+"0340 2003 2104 2001 4207 2203 3703 08 2004 a7 0d00 0b 4100 0f 0b")
	for what, left := range map[string]string{
		"a store to where it is loaded from":     enter + "2001 2903 08 2103 2001 2004 3703 0c 2001 2003 3703 20 4100 0f 0b",
		"a store to who knows where":             enter + "2001 2903 08 2103 2004 a7 2005 3703 00 2001 2003 3703 20 4100 0f 0b",
		"a store, and a load from who knows":     enter + "2004 a7 2903 08 2103 2001 2005 3703 30 2001 2003 3703 20 4100 0f 0b",
		"a call in between":                      enter + "4207 2103 1005 2001 2003 3703 08 4100 0f 0b",
		"a block in between":                     enter + "4207 2103 0240 2001 2003 3703 08 0b 4100 0f 0b",
		"what it is made of changes":             enter + "2004 2103 4209 2204 1a 2001 2003 3703 08 2004 a7 0f 0b",
		"the stack pointer changes":              enter + "2001 2903 08 2103 2001 4108 6a 2201 2003 3703 08 4100 0f 0b",
		"what computes it does something, too":   enter + "1005 2103 2001 2003 3703 08 4100 0f 0b",
		"what follows takes a value from before": enter + "2001 4207 2103 4109 6a 2003 3703 08 4100 0f 0b",
	} {
		check(t, what, values, left, left)
	}
}

func TestConditions(t *testing.T) {
	check(t, "there and back", conditions, "2003 50 ad 50 45 0d00", "2003 50 0d00")
	check(t, "widened and narrowed", conditions, "2003 50 ad a7 0d00", "2003 50 0d00")
	check(t, "is it zero, of a condition", conditions, "2003 50 ad 50 2104", "2003 50 45 2104")
	check(t, "not less", conditions, "2003 2004 54 45 0d00", "2003 2004 5a 0d00")
	check(t, "not equal, as a value", conditions, "2003 2004 51 ad 50 ad 2105", "2003 2004 52 ad 2105")
	check(t, "a narrow constant", conditions, "4280 8080 8008 a7 2903 00", "4180 8080 8078 2903 00")
	check(t, "nothing", conditions, "01 2003 01 1a", "2003 1a")
	for what, left := range map[string]string{
		"floats, which may not be numbers": "2003 2004 63 45 0d00",
		"wide, is it not zero":             "2003 50 45 0d00",
		"twice, as a value":                "2003 45 45 ad 2104",
	} {
		check(t, what, conditions, left, left)
	}
}
