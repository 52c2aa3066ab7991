package derived

import (
	"fmt"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// dmAnd is DM with metrics that its tables of rules need as well.
func dmAnd() *fake {
	f := dm()
	one := func(name string, t pcp.Type, s pcp.Semantics, d pcp.InDom, u string) {
		v := vector(t, pcp.NoInstance, "", "1 2 3 4 5")
		if d != pcp.NullInDom {
			v = vector(t, 1, "x", "1 2 3 4 5")
		}
		f.add(name, pcp.Desc{Type: t, Sem: s, InDom: d, Units: units(u)}, v)
	}
	one("e.celsius", pcp.Double, pcp.Instant, pcp.NullInDom, "temperature (C)")
	one("e.fahrenheit", pcp.Double, pcp.Instant, pcp.NullInDom, "temperature (F)")
	one("e.volt", pcp.Double, pcp.Instant, pcp.NullInDom, "voltage (V)")
	one("p.one", pcp.Uint32, pcp.Instant, pcp.MakeInDom(3, 9), "")
	one("p.two", pcp.Uint32, pcp.Instant, pcp.MakeInDom(3, 39), "")
	one("c.one", pcp.Uint32, pcp.Instant, pcp.MakeInDom(60, 0), "")
	one("c.two", pcp.Uint32, pcp.Instant, pcp.MakeInDom(127, 5), "")
	one("b.xflt", pcp.Float, pcp.Counter, pcp.NullInDom, "")
	return f
}

// Every semantic error of spec/derived.md section 9.4, by the words that PCP 7.2.1 has
// for it, and where several apply (spec/derived.md section 4) the one that comes first.
func TestSemanticErrors(t *testing.T) {
	f := dmAnd()
	for _, tt := range []struct{ pcp, in, say string }{
		{"Unknown operand metric", "no.such + 1", "There is no metric no.such"},
		{"Unknown operand metric", "defined(no.such) && no.such > 3 ? 1 : 2", "There is no metric no.such"},
		{"Metadata for operand metric not available", "mkconst(1, meta=no.such)", "no.such, whose metadata is to be used, does not exist here"},
		{"Unknown metric for ternary expression", "b.n > 3 ? no.such : b.free", "There is no metric no.such"},
		{"Unknown metric for ternary expression", "0.5 ? b.n : no.such", "There is no metric no.such"},   // a double is no constant guard,
		{"Unknown metric for ternary expression", "1 > 0 ? b.n : no.such", "There is no metric no.such"}, // nor is a comparison
		{"Illegal operator for counters", "a.cnt * a.cnt", "two counters can only be added or subtracted"},
		{"Illegal operator for counters", "a.cnt / a.cnt", "two counters can only be added or subtracted"},
		{"Illegal operator for counter and non-counter", "a.cnt + b.n", "a counter can only be multiplied or divided"},
		{"Illegal operator for counter and non-counter", "a.cnt - b.n", "a counter can only be multiplied or divided"},
		{"Illegal operator for counter and non-counter", "a.cnt + n.speed", "a counter can only be multiplied or divided"}, // before domains
		{"Illegal operator for non-counter and counter", "b.n + a.cnt", "can only be multiplied with a counter"},
		{"Illegal operator for non-counter and counter", "b.n - a.cnt", "can only be multiplied with a counter"},
		{"Illegal operator for non-counter and counter", "2 / a.cnt", "can only be multiplied with a counter"},
		{"Illegal operator for non-counter and counter", "b.str - a.cnt", "can only be multiplied with a counter"}, // before types
		{"Non-arithmetic type for left operand", "b.str + b.str", "b.str is not a number"},
		{"Non-arithmetic type for left operand", "b.str && b.free", "b.str is not a number"}, // before dimensions
		{"Non-arithmetic type for right operand", "b.n + b.str", "b.str is not a number"},
		{"Non-arithmetic type for right operand", "b.c32 * b.str", "b.str is not a number"},
		{"Dimensions are not the same", "b.free + instant(b.sec)", "their dimensions differ, so that a sum"},
		{"Dimensions are not the same", "b.free - instant(b.sec)", "their dimensions differ, so that a difference"},
		{"Dimensions are not the same", "b.free > 1000.5", "their dimensions differ, so that they cannot be compared"},
		{"Dimensions are not the same", "b.free && b.n", "conditions without units"},
		{"Dimensions are not the same", "b.n || b.free", "conditions without units"},
		{"Dimensions are not the same", "a.lvl + n.speed", "their dimensions differ"}, // before domains
		{"Non-counter and not dimensionless for left operand", "b.free * b.c32", "b.free must have no units"},
		{"Non-counter and not dimensionless for right operand", "b.c32 * b.free", "b.free must have no units"},
		{"Non-counter and not dimensionless for right operand", "b.c32 / b.free", "b.free must have no units"},
		{"Non-counter and not dimensionless for right operand", "b.c32 > b.free", "b.free must have no units"},
		{"Extra units not allowed for both operands of *", "e.celsius * e.volt", "only one side of * may have a physical unit"},
		{"Different extra units not allowed for both operands of /", "e.celsius / e.volt", "their physical units differ"},
		{"Operands have incompatible extra units or scale", "e.celsius + e.fahrenheit", "their physical units differ"},
		{"Operands have incompatible extra units or scale", "e.celsius < e.fahrenheit", "their physical units differ"},
		{"Operands should have the same instance domain", "instant(a.bytes) + instant(n.in)", "their instances are of different kinds"},
		{"Non-arithmetic operand for function", "avg(b.str)", "avg() needs numbers"}, {"Non-arithmetic operand for function", "sum(b.str)", "sum() needs numbers"},
		{"Non-arithmetic operand for function", "min(b.str)", "min() needs numbers"}, {"Non-arithmetic operand for function", "max(b.str)", "max() needs numbers"},
		{"Non-arithmetic operand for function", "delta(b.str)", "delta() needs numbers"}, {"Non-arithmetic operand for function", "rate(b.str)", "rate() needs numbers"},
		{"Non-arithmetic operand for function", `rescale(b.str, "sec")`, "rescale() needs numbers"},
		{"Non-arithmetic operand for unary negation", "-b.str", "is not a number and cannot be negated"},
		{"Incorrect time dimension for operand", `rate(mkconst(1, units="sec^2"))`, "no time, or time once"},
		{"Incorrect time dimension for operand", "rate(n.speed)", "no time, or time once"},
		{"Incompatible dimensions", `rescale(b.free, "sec")`, "the dimensions differ"},
		{"Non-arithmetic operand for ternary guard", "b.str ? b.n : b.n", "must be a number"},
		{"Non-scalar ternary guard with scalar expressions", "a.lvl ? b.n : b.n", "has a value for each instance"},
		{"Different types", "b.n ? b.i32 : b.i64", "types differ"},
		{"Different instance domains", "b.n ? instant(a.cnt) : instant(n.in)", "instance domains differ"},
		{"Different semantics", "b.n ? b.free : mkconst(1, type=u64, units=Kbyte)", "semantics differ"},
		{"Different units or scale (space)", "b.n ? b.free : instant(b.c64)", "units differ"},
		{"Different units or scale (space)", `b.n ? b.free : rescale(b.free, "Mbyte")`, "units differ"},
		{"Different units or scale (time)", `b.n ? b.usec : rescale(b.usec, "sec")`, "units differ"},
		{"Different units or scale (count)", "b.n ? b.cnt : b.cntk", "units differ"},
		{"Different units or scale (extra)", "b.n ? e.celsius : e.fahrenheit", "units differ"},
		{"Different units or scale (extra)", "b.n ? e.celsius : e.volt", "units differ"},
	} {
		e, err := Parse(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if _, faults := e.Bind(f); len(faults) == 0 || !strings.Contains(faults[0].Message, tt.say) || faults[0].Span == nil {
			t.Errorf("%s: %v, want a fault with %q (PCP: %s)", tt.in, faults, tt.say, tt.pcp)
		}
	}
}

// What the tables of spec/derived.md sections 4 to 7 say beyond the worked examples. Values
// follow from DM by hand.
func TestRules(t *testing.T) {
	f := dmAnd()
	for _, tt := range []struct{ in, desc, want string }{
		// 4: semantics
		{"b.c32 - b.x32", "U32 c count", "0 0 0 4294967283 4294967291"},
		{"b.i32 * b.c32", "U32 i count", "4294967246 0 35 6 0"}, // modulo 2^32: -(2^31-1)*6 is 6, as 2^32 divides 6*2^31
		{"b.n < b.c32", "U32 d", "1 1 1 1 0"}, {"b.c32 > b.n", "U32 c", "1 1 1 1 0"},
		{"defined(b.n) * b.c64", "U64 d count", "10 20 5 18446744073709551610 4"}, {"1 * b.c64", "U64 c count", "10 20 5 18446744073709551610 4"}, // defined() is not a literal
		{"defined(b.n) < b.c32", "U32 d", "1 1 1 1 1"}, {"defined(b.n) + b.cnt", "U32 i", "2 3 4 5 6"}, {"1 + b.cnt", "U32 i count", "2 3 4 5 6"},
		{"b.n * b.n", "U32 d", "16 16 16 16 16"}, {"b.n * b.cnt", "U32 i count", "4 8 12 16 20"},
		// 4: equal domains
		{"p.one + p.two", "U32 i 3.9", "x2; x4; x6; x8; x10"}, {"p.two + p.one", "U32 i 3.39", "x2; x4; x6; x8; x10"},
		{"c.one * c.two", "U32 i 60.0", "x1; x4; x9; x16; x25"}, {"c.two + c.two", "U32 i 127.5", "x2; x4; x6; x8; x10"},
		// 4: physical units
		{"e.celsius * b.n", "DOUBLE i temperature (C)", "4 8 12 16 20"}, {"b.n / e.volt", "DOUBLE i / voltage (V)", "4 2 1.3333333333333333 1 .8"},
		{"e.volt / e.volt", "DOUBLE i", "1 1 1 1 1"}, {"e.volt + e.volt", "DOUBLE i voltage (V)", "2 4 6 8 10"},
		// 5.1
		{"-b.flt", "FLOAT i", "-1.5 -0 2.25 -1e10 -0.1"}, {"-b.i64", "64 i", "50 0 -70 -9007199254740993 9007199254740993"}, {"-4000000000", "32 i", "294967296 294967296 294967296 294967296 294967296"},
		{"!b.n", "U32 d", "0 0 0 0 0"}, {"avg(b.cnt)", "FLOAT i count", "1 2 3 4 5"}, {"min(a.kb)", "U32 i Kbyte", "28 32 36 40 44"},
		{"delta(b.i64)", "64 i", "- 50 70 9007199254740923 -18014398509481986"}, {"delta(b.dbl)", "DOUBLE i", "- -1.5 -2.25 1e300 -1e300"}, {"delta(b.flt)", "FLOAT i", "- -1.5 -2.25 1e10 -1e10"},
		{"rate(b.xflt)", "DOUBLE i / sec", "- .1 .1 .1 .1"}, {"instant(b.n)", "U32 d", "4 4 4 4 4"}, {"instant(b.str)", "STRING i", "hello0 hello1 hello2 hello3 hello4"},
		{`rescale(b.n, "count")`, "U32 d count", "4 4 4 4 4"}, {`rescale(b.cntk, "count")`, "U32 i count", "10000 20000 30000 40000 50000"},
		{"defined(b.n) + defined(no.such)", "U32 d", "1 1 1 1 1"},
		{"mkconst(3, type=64)", "64 d", "3 3 3 3 3"}, {"mkconst(3, type=u64, semantics=counter)", "U64 c", "3 3 3 3 3"}, {"mkconst(3, type=double)", "DOUBLE d", "3 3 3 3 3"},
		{"mkconst(3, meta=a.cnt, type=32, semantics=instant, units=sec, indom=null)", "32 i sec", "3 3 3 3 3"}, // explicit ones win
		{"mkconst(3, type=32, type=float)", "FLOAT d", "3 3 3 3 3"},                                            // the last counts
		{"b.n > 3 ? novalue(meta=a.cnt) : instant(a.cnt)", "U64 i count *", "-; -; -; -; -"},
		// 5.2
		{"defined(no.such) && defined(b.n) ? no.such : b.cnt", "U32 i count", "1 2 3 4 5"}, {"1 && !0 ? b.cnt : no.such", "U32 i count", "1 2 3 4 5"},
		{"b.i32 > 0 ? instant(a.cnt) : novalue(type=32)", "U64 i count *", "x100 y1000 z7; -; x130 y1100 z9; x130 y50 z10; x200 y60 z11"},
		{"b.i64 > 0 ? max(m.late) : b.cnt * 0 / 1", "error", "types differ"},
		// 6
		{"0 / (b.n/0 - b.n/0)", "DOUBLE d", "0 0 0 0 0"}, {"-b.n / 0", "DOUBLE i", "-inf -inf -inf -inf -inf"}, {"b.n / 0 + 1", "DOUBLE d", "inf inf inf inf inf"},
		{"b.i32 + b.n", "U32 i", "4294967295 4 11 2147483651 2147483652"}, {"b.i64 < 0 * b.u64", "U32 i", "0 0 0 0 0"},
		{"a.cnt + b.c64", "U64 c count *", "x110 y1010 z17; x130 y1020 z28; x135 y1105 z14; x124 y44 z4; x204 y64 z15"},
		{"a.lvl * m.late", "U32 i *", "-; -; x60; x0 z288; x200 z378"}, {"a.cnt[y] + b.c64", "U64 c count *", "y1010; y1020; y1105; y44; y64"},
		{"sum(n.in) + 0 * b.bytes", "U64 c byte", "0 104857610 209715220 209715230 314572840"},
		// 7
		{"sum(b.n)", "U32 d", "4 4 4 4 4"}, {"delta(7)", "64 i", "- 0 0 0 0"}, {"rate(matchinst(/x/, a.cnt))", "DOUBLE i count / sec *", "-; x1; x2; x0; x7"},
		{"sum(mkconst(2147483648, indom=240.1))", "U32 d", "2147483648 2147483648 2147483648 2147483648 2147483648"}, // wraps: 3 * 2^31
	} {
		check(t, f, tt.in, tt.desc, tt.want)
	}
}

// spec/derived.md section 11: what PCP 7.2.1 crashes on or gets wrong,
// by its number there, and what is right.
func TestDefects(t *testing.T) {
	f := dmAnd()
	loads := pcp.MakeInDom(60, 2)
	f.add("load", pcp.Desc{Type: pcp.Float, Sem: pcp.Instant, InDom: loads}, vector(pcp.Float, 1, "1 minute", "1 1 1 1 1"), vector(pcp.Float, 5, "5 minute", "5 5 5 5 5"), vector(pcp.Float, 15, "15 minute", "15 15 15 15 15"))
	f.members[loads] = []Member{{Instance: pcp.Instance{ID: 1, Name: "1 minute"}}, {Instance: pcp.Instance{ID: 5, Name: "5 minute"}}, {Instance: pcp.Instance{ID: 15, Name: "15 minute"}}}
	for _, tt := range []struct {
		n              int
		in, desc, want string
	}{
		{1, "!b.i64", "U32 i", "0 1 0 0 0"}, {1, "!b.dbl", "U32 i", "0 1 0 0 0"}, {1, "!b.flt", "U32 i", "0 1 0 0 0"}, {1, "!b.free", "U32 i", "0 0 0 0 0"},
		{1, "!a.cnt", "U32 c *", "x0 y0 z0; x0 y0 z0; x0 y0 z0; x0 y0 z0; x0 y0 z0"},
		{2, "m.late > 25 ? m.late : a.lvl", "U32 i *", "-; -; x3; x30 z32; x40 z42"}, // by instance, though the lists differ
		{2, "b.i64 >= 0 ? a.lvl : m.late", "U32 i *", "-; -; x3 y0 z9; x0 y4 z9; x40 z42"},
		{2, "b.i64 >= 0 ? mkconst(7, semantics=instant) : m.late", "U32 i *", "-; -; x7; x7 z7; x40 z42"},
		{2, "m.late > 31 ? novalue() : m.late", "U32 i *", "-; -; x20; x30; -"},
		{2, "b.i64 > 0 ? novalue() : b.n", "U32 d", "4 4 - - 4"},
		{2, "b.i32 == 7 ? b.str : b.str", "STRING i", "hello0 hello1 hello2 hello3 hello4"},
		{3, "b.n > 3 ? novalue() : novalue()", "error", "Only one arm"},
		{4, "max(m.late)", "U32 i", "- - 20 32 42"}, {4, "min(m.late)", "U32 i", "- - 20 30 40"},
		{5, "delta(a.cnt[x])", "DOUBLE i count *", "-; x10; x20; x0; x70"}, {5, "rate(a.cnt[x])", "DOUBLE i count / sec *", "-; x1; x2; x0; x7"},
		{5, "delta(instant(b.n))", "64 i", "- 0 0 0 0"}, {5, "rate(instant(b.bytes))", "DOUBLE i byte / sec", "- 104857.6 209715.2 0 104857.6"},
		{6, "rate(b.x32)", "DOUBLE i count / sec", "- 1 - .2 .2"}, {6, "rate(b.free)", "DOUBLE i Kbyte / sec", "- 100 -50 -100 -25"},
		{6, "rate(a.lvl)", "DOUBLE i / sec *", "-; x-.1 y.2 z0; x.3 y-.2 z0; x-.3 y.4 z0; x.5 y-.4 z0"}, // U32 that falls
		{7, "mkconst(1,units=Mbyte)+b.free", "DOUBLE i Mbyte", "1.9765625 2.953125 2.46484375 1.48828125 1.244140625"},
		{7, `mkconst(2.0,units="Kbyte")*b.n`, "DOUBLE d Kbyte", "8 8 8 8 8"},
		{7, `(b.n / mkconst(1.0,units="millisec")) * mkconst(2.0,units="sec")`, "DOUBLE d", "8000 8000 8000 8000 8000"}, // 2000x
		{9, "load[15]", "FLOAT i 60.2", "15_minute15; 15_minute15; 15_minute15; 15_minute15; 15_minute15"},
		{9, "load[5]", "FLOAT i 60.2", "5_minute5; 5_minute5; 5_minute5; 5_minute5; 5_minute5"},
		{10, "mkconst(3, meta=a.cnt)", "U64 c count *", "x3 y3 z3; x3 y3 z3; x3 y3 z3; x3 y3 z3; x3 y3 z3"},
		{11, "anon(PM_TYPE_FOO)", "error", "is not a type"}, {11, "anon(PM_TYPE_STRING)", "error", "is not a type"}, {11, "anon(PM_TYPE_FLOAT)", "FLOAT d", "- - - - -"},
		{12, "mkconst(4294967295, type=32)", "32 d", "-1 -1 -1 -1 -1"}, {12, "mkconst(2147483648, type=32)", "32 d", "-2147483648 -2147483648 -2147483648 -2147483648 -2147483648"},
	} {
		check(t, f, tt.in, tt.desc, tt.want)
	}

	// 8: after a pattern that is not one, a slash divides again
	if _, err := Parse("matchinst(/[/, a.cnt)"); err == nil {
		t.Error("8: a bad pattern passes")
	}
	check(t, f, "b.n / 3 / b.n", "DOUBLE d", "0.3333333333333333 0.3333333333333333 0.3333333333333333 0.3333333333333333 0.3333333333333333")

	// 13: definitions have their place, however many there are
	var s Set
	for i := range 1100 {
		if _, err := s.Define(fmt.Sprintf("many.m%d", i), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []int{0, 1020, 1021, 1099} { // 511.0.1 and .2 are PCP's own, item 0 is never used
		name, cluster, item := fmt.Sprintf("many.m%d", i), (i+2)/1023, (i+2)%1023+1
		if got, want := s.Lookup(name).PMID.String(), fmt.Sprintf("511.%d.%d", cluster, item); got != want {
			t.Errorf("13: %s is %s, want %s", name, got, want)
		}
		b, faults := s.BindName(name, f)
		if faults != nil {
			t.Fatal(faults)
		}
		if out, err := b.Eval(dmGrid, f); err != nil || values(out) != strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%d; ", i), 5), "; ") {
			t.Errorf("13: %s = %s, %v", name, values(out), err)
		}
	}
}

// check compares what an expression is and gives, or its first fault. A domain
// other than 240.1 is written out; blanks in names of instances are "_".
func check(t *testing.T, f *fake, in, desc, want string) {
	t.Helper()
	if desc == "error" {
		e, err := Parse(in)
		if err == nil {
			_, faults := e.Bind(f)
			if len(faults) == 0 {
				t.Errorf("%s: no fault, want one with %q", in, want)
				return
			}
			err = &faults[0]
		}
		if fault := pcp.AsFault(err); fault.Kind != pcp.BadExpression || fault.Span == nil || !strings.Contains(fault.Message, want) {
			t.Errorf("%s: %v, want a fault with %q", in, fault, want)
		}
		return
	}
	out := evaluate(t, f, in)
	if out == nil {
		return
	}
	if got := describe(out.Desc); got != desc {
		t.Errorf("%s is %q, want %q", in, got, desc)
	}
	got := values(out)
	for _, v := range out.Vectors {
		got = strings.ReplaceAll(got, v.Name, strings.ReplaceAll(v.Name, " ", "_"))
	}
	if want := expected(out.Desc.Type, out.Desc.InDom != pcp.NullInDom, want); got != want {
		t.Errorf("%s = %s, want %s", in, got, want)
	}
}

func describe(d pcp.Desc) string {
	s := d.Type.String() + " " + d.Sem.String()[:1] + " " + d.Units.String()
	switch d.InDom {
	case pcp.NullInDom:
	case pcp.MakeInDom(240, 1):
		s += " *"
	default:
		s += " " + d.InDom.String()
	}
	return strings.Join(strings.Fields(s), " ")
}
