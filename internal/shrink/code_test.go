package shrink

import (
	"encoding/hex"
	"strings"
	"testing"
)

// Code in these tests is in the binary form of the WebAssembly core
// specification, section 5.4; what it must become was worked out by hand from
// what the instructions mean (section 4.4).

// code reads instructions from hexadecimal digits.
func code(t *testing.T, digits string) []instruction {
	t.Helper()
	text, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatal(err)
	}
	r := reader{b: text}
	var code []instruction
	for r.at < len(text) && !r.bad {
		code = append(code, r.instruction())
	}
	if r.bad {
		t.Fatalf("%s cannot be read", digits)
	}
	return code
}

func digits(code []instruction) string {
	return hex.EncodeToString((&function{code: code}).write()[1:])
}

func check(t *testing.T, what string, change func([]instruction) []instruction, from, want string) {
	t.Helper()
	want = strings.Join(strings.Fields(want), "")
	if got := digits(change(code(t, from))); got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}

const enter = "2300 2101 "

func TestJumps(t *testing.T) {
	// A block for unwinding, the loop, three places: 0 and 1 are the first.
	const head = enter + "0240 0340 0240 0240 0240 2000 0e04 00 00 01 02 02 "
	check(t, "ahead, without a condition", jumps,
		head+"0b 4103 2100 0c02 0b 0b 4100 0f 0b 00 0b 4101 0b",
		enter+"0240 0240 0240 0240 0240 2000 0e04 00 00 01 02 02 0b 0c01 0b 0b 4100 0f 0b 00 0b 4101 0b")
	check(t, "ahead, with a condition, and back", jumps,
		head+"0b 2003 0440 4102 2100 0c03 0b 0b 2003 0440 4101 2100 0c02 0b 0b 4100 0f 0b 00 0b 4101 0b",
		head+"0b 2003 0d00       0b 2003 0440 4101 2100 0c02 0b 0b 4100 0f 0b 00 0b 4101 0b")
	check(t, "a place beyond the table is its default", jumps,
		head+"0b 4109 2100 0c02 0b 0b 4100 0f 0b 00 0b 4101 0b",
		enter+"0240 0240 0240 0240 0240 2000 0e04 00 00 01 02 02 0b 0c01 0b 0b 4100 0f 0b 00 0b 4101 0b")
	check(t, "from within an if", jumps,
		head+"0b 2003 0440 2004 0440 4103 2100 0c04 0b 2105 0b 0b 0b 4101 2100 0c00 0b 00 0b 4101 0b",
		head+"0b 2003 0440 2004 0d02 2105 0b 0b 0b 4101 2100 0c00 0b 00 0b 4101 0b")
	check(t, "past the call of a function value", jumps,
		head+"0b 4103 2100 0c02 0b 2003 2100 4100 2000 1100 00 1a 0b 4100 0f 0b 00 0b 4101 0b",
		enter+"0240 0240 0240 0240 0240 2000 0e04 00 00 01 02 02 0b 0c01 0b 2003 2100 4100 2000 1100 00 1a 0b 4100 0f 0b 00 0b 4101 0b")
	for what, left := range map[string]string{
		"the place is read elsewhere":         head + "0b 4103 2100 0c02 0b 2000 1a 0b 4100 0f 0b 00 0b 4101 0b",
		"something else goes to the loop":     head + "0b 4103 2100 0c02 0b 0c01 0b 4100 0f 0b 00 0b 4101 0b",
		"the place is set for another way":    head + "0b 4103 2100 0c02 0b 4101 2100 0b 4100 0f 0b 00 0b 4101 0b",
		"there is no loop":                    enter + "0240 0240 2000 0e02 00 00 01 0b 4100 0f 0b 4101 0b",
		"there is a second table":             head + "0b 2003 0e01 01 00 0b 4103 2100 0c01 0b 4100 0f 0b 00 0b 4101 0b",
		"more ends than blocks":               head + "0b 0b 0b 0b 0b 0b 0b 0b 4103 2100 0c02",
		"a block leads to a value":            enter + "0240 0340 027f 2000 0e01 00 00 0b 0b 0b 0b",
		"the function ends behind its blocks": enter + "0240 0340 0240",
	} {
		check(t, what, jumps, left, left)
	}
}

func TestAddresses(t *testing.T) {
	check(t, "narrow at once", addresses, "2003 ad 4210 7c a7 2903 08", "2003 4110 6a 2903 08")
	check(t, "below zero", addresses, "2003 ad 4278 7c a7 2903 00", "2003 4178 6a 2903 00")
	check(t, "a sum that stays wide", addresses, "2003 ad 4210 7c 2104", "2003 ad 4210 7c 2104")
	check(t, "load from the stack", addresses, "2001 ad 4210 7c a7 2903 08 2104", "2001 2903 18 2104")
	check(t, "store to the stack", addresses, "2001 4110 6a 2003 4201 7c 3703 08", "2001 2003 4201 7c 3703 18")
	check(t, "store what is loaded from the stack", addresses, "2001 4110 6a 2001 4120 6a 2903 00 3703 00", "2001 2001 2903 20 3703 10")
	for what, left := range map[string]string{
		"another pointer":             "2003 4110 6a 2903 08",
		"below the pointer":           "2001 4170 6a 2903 08",
		"the address itself is kept":  "2001 4110 6a 2204 2903 08",
		"the address is what is kept": "2003 2001 4110 6a ad 3703 00",
		"a call comes between":        "2001 4110 6a 1005 3703 00",
		"nothing uses it":             "2001 4110 6a",
	} {
		check(t, what, addresses, left, left)
	}
}

func TestUnwinding(t *testing.T) {
	check(t, "from two depths", unwinding,
		enter+"0240 0240 4100 1005 0d01 0b 4100 1006 0d00 0b 4101 0b",
		enter+"0240 0240 4100 1005 0440 4101 0f 0b 0b 4100 1006 0440 4101 0f 0b 0b 4101 0b")
	for what, left := range map[string]string{
		"to another block":          enter + "0240 0240 2003 0d00 0b 0b 4101 0b",
		"to a loop":                 enter + "0340 2003 0d00 0b 4101 0b",
		"to an earlier block":       enter + "0240 2003 0d00 0b 0240 0b 4101 0b",
		"the function returns zero": enter + "0240 2003 0d00 0b 4100 0b",
		"something is done before":  enter + "0240 2003 0d00 0b 1005 4101 0b",
	} {
		check(t, what, unwinding, left, left)
	}
}

func TestLeaving(t *testing.T) {
	check(t, "frame and address", leaving, "2001 4110 6a 2201 2400 2001 4108 6a 2201 2400 4100 0f", "2001 4118 6a 2201 2400 4100 0f")
	for what, left := range map[string]string{
		"the address alone":         "2001 4108 6a 2201 2400 4100 0f",
		"of another local":          "2001 4110 6a 2201 2400 2003 4108 6a 2201 2400 4100 0f",
		"something comes between":   "2001 4110 6a 2201 2400 1a 2001 4108 6a 2201 2400 4100 0f",
		"the stack grows, downward": "2001 4110 6a 2201 2400 2001 4108 6b 2201 2400 2001",
	} {
		check(t, what, leaving, left, left)
	}
}

func TestReturns(t *testing.T) {
	f := &function{
		locals: []locals{{1, i32}, {3, i64}},
		// Addresses 0x10010001 and 0x10010002, then another number, and one
		// that is stored elsewhere.
		code: code(t, enter+"2001 4281 8084 8001 3703 00 2002 2001 4282 8084 8001 3703 00 2203 2001 4281 8088 8001 3703 00 2001 4281 8084 8001 3703 08 0b"),
	}
	f.returns()
	const base = "4280 8084 8001 2102 "
	want := strings.Join(strings.Fields(base+enter+"2001 4201 2002 84 3703 00 2003 2001 4202 2002 84 3703 00 2204 2001 4281 8088 8001 3703 00 2001 4281 8084 8001 3703 08 0b"), "")
	if got := digits(f.code); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := hex.EncodeToString((&function{locals: f.locals}).write()); got != "02"+"017f"+"047e" {
		t.Errorf("locals are %s", got)
	}
	alone := &function{locals: []locals{{1, i32}}, code: code(t, enter+"2001 4281 8084 8001 3703 00 0b")}
	alone.returns()
	if len(alone.locals) != 1 || len(alone.code) != 6 {
		t.Error("one address alone is not worth a local")
	}
}
