package derived

import (
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// The results on DM of spec derived 12.2, by PCP 7.2.1, in the order there.
// desc is type, semantics (c i d), units, and "*" for the domain 240.1.
var worked = []struct{ in, desc, want string }{
	{"delta(a.cnt)", "DOUBLE i count *", "-; x10 y0 z1; x20 y100 z1; x0 y-1050 z1; x70 y10 z1"},
	{"delta(a.kb)", "64 i Kbyte *", "-; x40 y0 z4; x80 y400 z4; x0 y-4200 z4; x280 y40 z4"},
	{"rate(a.cnt)", "DOUBLE i count / sec *", "-; x1 y0 z.1; x2 y10 z.1; x0 z.1; x7 y1 z.1"},
	{"rate(a.ms)", "DOUBLE i *", "-; x.25 y.01 z0; x.25 y.01 z0; x1 y.01 z0; x0 y.01 z0"},
	{"rate(b.sec)", "DOUBLE i", "- .5 .5 1 0"},
	{"rate(b.usec)", "DOUBLE i", "- .5 0 1.5 1"},
	{"delta(b.c32)", "64 i count", "- 10 -15 4294967285 -4294967286"},
	{"delta(b.c64)", "DOUBLE i count", "- 10 -15 1.8446744073709552e19 -1.8446744073709552e19"},
	{"rate(b.c32)", "DOUBLE i count / sec", "- 1 - 429496728.5 -"},
	{"delta(b.i32)", "32 i", "- 5 7 2147483640 1"},
	{"delta(delta(a.cnt))", "DOUBLE i count *", "-; -; x10 y100 z0; x-20 y-1150 z0; x70 y1060 z0"},
	{"instant(a.cnt)", "U64 i count *", "x100 y1000 z7; x110 y1000 z8; x130 y1100 z9; x130 y50 z10; x200 y60 z11"},
	{"b.i32 + b.n", "U32 i", "4294967295 4 11 2147483651 2147483652"},
	{"b.n - 10", "U32 d", "4294967290 4294967290 4294967290 4294967290 4294967290"},
	{"b.i64 + b.u64", "U64 i", "18446744073709551566 1 80 9007199254740992 18437736874454810628"},
	{"b.u64 - 2", "U64 i", "18446744073709551614 18446744073709551615 8 18446744073709551613 3"},
	{"b.flt * b.i64", "FLOAT i", "-75 0 -157.5 9.00719925e25 -9.00719939e14"},
	{"b.flt + b.dbl", "DOUBLE i", "3 0 -4.5 1e300 0.20000000149011612"},
	{"b.n/3", "DOUBLE d", "1.3333333333333333 1.3333333333333333 1.3333333333333333 1.3333333333333333 1.3333333333333333"},
	{"b.n/0", "DOUBLE d", "inf inf inf inf inf"},
	{"0/0", "DOUBLE d", "0 0 0 0 0"},
	{"b.i32/0", "DOUBLE i", "-inf 0 inf inf -inf"},
	{"-b.n", "32 i", "-4 -4 -4 -4 -4"},
	{"-b.u64", "64 i", "0 -1 -10 1 -5"},
	{"-a.cnt", "64 i count *", "x-100 y-1000 z-7; x-110 y-1000 z-8; x-130 y-1100 z-9; x-130 y-50 z-10; x-200 y-60 z-11"},
	{"a.cnt*2", "U64 c count *", "x200 y2000 z14; x220 y2000 z16; x260 y2200 z18; x260 y100 z20; x400 y120 z22"},
	{"2*a.cnt", "U64 c count *", "x200 y2000 z14; x220 y2000 z16; x260 y2200 z18; x260 y100 z20; x400 y120 z22"},
	{"a.cnt/2", "DOUBLE c count *", "x50 y500 z3.5; x55 y500 z4; x65 y550 z4.5; x65 y25 z5; x100 y30 z5.5"},
	{"b.n*a.cnt", "U64 d count *", "x400 y4000 z28; x440 y4000 z32; x520 y4400 z36; x520 y200 z40; x800 y240 z44"},
	{"a.bytes + a.kb", "DOUBLE c Kbyte *", "x800 y8000 z56; x880 y8000 z64; x1040 y8800 z72; x1040 y400 z80; x1600 y480 z88"},
	{"b.free + b.total", "DOUBLE i Mbyte", "8.9765625 9.953125 9.46484375 16.48828125 16.244140625"},
	{"b.free / b.total", "DOUBLE i", "0.1220703125 0.244140625 0.18310546875 0.030517578125 0.0152587890625"},
	{"b.free < b.total", "U32 i", "0 0 0 0 0"},
	{"b.free == 1000", "U32 i", "1 0 0 0 0"},
	{"b.free > 1000.5", "error", "dimensions differ"},
	{"a.cnt > 99.5", "U32 c *", "x1 y1 z0; x1 y1 z0; x1 y1 z0; x1 y0 z0; x1 y0 z0"},
	{"b.cnt + b.n", "U32 i count", "5 6 7 8 9"},
	{"b.n + b.cnt", "U32 i", "5 6 7 8 9"},
	{"b.cnt + b.cntk", "DOUBLE i count x 10^3", "10.001 20.002 30.003 40.004 50.005"},
	{"b.cnt * b.cntk", "DOUBLE i count x 10^3^2", "0.01 0.04 0.09 0.16 0.25"},
	{"avg(a.cnt)", "FLOAT i count", "369 372.666687 413 63.3333282 90.3333282"},
	{"delta(avg(a.cnt))", "FLOAT i count", "- 3.66668701 40.333313 -349.666687 27"},
	{"sum(a.cnt)", "U64 c count", "1107 1118 1239 190 271"},
	{"rate(sum(a.cnt))", "DOUBLE i count / sec", "- 1.1 12.1 - 8.1"},
	{"count(m.late)", "U32 i count", "0 0 1 2 2"},
	{"avg(m.late)", "FLOAT i", "0 0 20 31 41"},
	{"sum(m.late)", "U32 i", "0 0 20 62 82"},
	{"max(a.lvl)", "U32 i", "9 9 9 9 9"},
	{"min(a.lvl)", "U32 i", "0 0 0 0 0"},
	{"defined(no.such)", "U32 d", "0 0 0 0 0"},
	{"defined(m.late)", "U32 d", "1 1 1 1 1"},
	{"a.cnt[x]", "U64 c count *", "x100; x110; x130; x130; x200"},
	{"(a.cnt + a.cnt)[y]", "U64 c count *", "y2000; y2000; y2200; y100; y120"},
	{"a.cnt[nope]", "U64 c count *", "-; -; -; -; -"},
	{"a.cnt[ x]", "U64 c count *", "-; -; -; -; -"},
	{"b.n[x]", "U32 d", "- - - - -"},
	{"a.cnt[x] + a.cnt[y]", "U64 c count *", "-; -; -; -; -"},
	{"scalar(a.cnt[x]) + scalar(a.cnt[y])", "U64 c count", "1100 1110 1230 180 260"},
	{"matchinst(/^[xy]$/, a.cnt)", "U64 c count *", "x100 y1000; x110 y1000; x130 y1100; x130 y50; x200 y60"},
	{"matchinst(!/^[xy]$/, a.cnt)", "U64 c count *", "z7; z8; z9; z10; z11"},
	{"a.cnt + matchinst(/y/, a.cnt)", "U64 c count *", "y2000; y2000; y2200; y100; y120"},
	{"(delta(a.cnt))[y]", "DOUBLE i count *", "-; y0; y100; y-1050; y10"},
	{"rate(scalar(a.cnt[y]))", "DOUBLE i count / sec", "- 0 10 - 1"},
	{"m.late + a.lvl", "U32 i *", "-; -; x23; x30 z41; x45 z51"},
	{"a.lvl > 1 ? a.lvl : mkconst(7,semantics=instant)", "U32 i *", "x7 y7 z9; x7 y2 z9; x3 y7 z9; x7 y4 z9; x5 y7 z9"},
	{"b.i32 > 0 ? b.free : novalue()", "U64 i Kbyte", "1000 - 1500 500 250"},
	{"b.n > 3 ? a.lvl : 0", "error", "semantics differ"},
	{"b.n > 3 ? 1 : 2.5", "error", "types differ"},
	{"a.lvl > 0 ? 1 : 0", "error", "has a value for each instance"},
	{"b.n > 3 ? b.free : b.total", "error", "semantics differ"},
	{"defined(no.such) ? no.such : b.free", "U64 i Kbyte", "1000 2000 1500 500 250"},
	{"!defined(no.such) || defined(x.y) ? b.free : novalue()", "U64 i Kbyte", "1000 2000 1500 500 250"},
	{"0 ? no.such : b.free", "U64 i Kbyte", "1000 2000 1500 500 250"},
	{`defined(no.such) ? b.free : novalue(type=float,semantics=counter,units="Kbyte")`, "FLOAT c Kbyte", "- - - - -"},
	{"b.n > 3 ? no.such : b.free", "error", "There is no metric no.such"},
	{`rescale(b.free,"Mbyte")`, "U64 i Mbyte", "1 2 1 0 0"},
	{`rescale(b.free,"byte")`, "U64 i byte", "1024000 2048000 1536000 512000 256000"},
	{`rescale(rate(b.bytes),"Mbyte/hour")`, "DOUBLE i Mbyte / hour", "- 360 720 0 360"},
	{`rescale(b.ms,"sec")`, "DOUBLE c sec", "1 11 21 31 41"},
	{`rescale(b.sec,"millisec")`, "U32 c millisec", "100000 105000 110000 120000 120000"},
	{"mkconst(3, indom=240.1)", "U32 d *", "x3 y3 z3; x3 y3 z3; x3 y3 z3; x3 y3 z3; x3 y3 z3"},
	{"mkconst(3, meta=a.cnt)", "U64 c count *", "x3 y3 z3; x3 y3 z3; x3 y3 z3; x3 y3 z3; x3 y3 z3"},
	{"mkconst(3.7,type=float)", "FLOAT d", "3.7 3.7 3.7 3.7 3.7"},
	{"b.sec + b.usec", "DOUBLE c sec", "100 110 115 140 150"},
	{"b.sec - b.ms", "DOUBLE c sec", "99 94 89 89 79"},
	{`rescale(mkconst(20.0, units="temperature (C)"), "temperature (F)")`, "DOUBLE d temperature (F)", "68 68 68 68 68"},
	{`b.n / mkconst(2.0, units="voltage (V)")`, "DOUBLE d / voltage (V)", "2 2 2 2 2"},
	{"a.cnt*a.cnt", "error", "two counters can only be added or subtracted"},
	{"a.cnt+b.n", "error", "a counter can only be multiplied or divided"},
	{"2/a.cnt", "error", "can only be multiplied with a counter"},
	{"b.c32*b.free", "error", "b.free must have no units"},
	{"b.free && b.n", "error", "conditions without units"},
	{"b.n + b.str", "error", "b.str is not a number"},
	{`rate(mkconst(1,units="sec^2"))`, "error", "no time, or time once"},
	{`rescale(b.free,"sec")`, "error", "the dimensions differ"},
	{"1||0&&0", "U32 d", "0 0 0 0 0"},
	{"1?2:3?4:5", "U32 d", "4 4 4 4 4"},
	{"0?2:0?4:5", "U32 d", "5 5 5 5 5"},
	{"!0+1", "U32 d", "0 0 0 0 0"},
	{"!1==0", "U32 d", "1 1 1 1 1"},
	{"2*-3", "U32 i", "4294967290 4294967290 4294967290 4294967290 4294967290"},
	{"5-7", "U32 d", "4294967294 4294967294 4294967294 4294967294 4294967294"},
	{"-3000000000", "32 i", "1294967296 1294967296 1294967296 1294967296 1294967296"},
	{"1.5&&1", "U32 d", "1 1 1 1 1"},

	// 12.3
	{"delta(n.in)/delta(b.ms)", "DOUBLE i byte / millisec 240.3", "-; eth010485.76 lo0.001; eth010485.76 lo0.001; eth00 lo0.001; eth010485.76 lo0.001"},
	{"n.speed - delta(n.in)/delta(b.ms)", "DOUBLE i Mbyte / sec 240.3", "-; eth090 lo-9.5367431640625e-07; eth090 lo-9.5367431640625e-07; eth0100 lo-9.5367431640625e-07; eth090 lo-9.5367431640625e-07"},
	{"delta(a.bytes)/delta(a.cnt)", "DOUBLE i byte / count *", "-; x4096 y0 z4096; x4096 y4096 z4096; x0 y4096 z4096; x4096 y4096 z4096"},
}

func TestWorkedExamples(t *testing.T) {
	f := dm()
	for _, tt := range worked {
		if tt.desc == "error" {
			e, err := Parse(tt.in)
			if err != nil {
				t.Errorf("%s: %v", tt.in, err)
				continue
			}
			_, faults := e.Bind(f)
			if len(faults) == 0 || !strings.Contains(faults[0].Message, tt.want) || faults[0].Kind != pcp.BadExpression || faults[0].Span == nil {
				t.Errorf("%s: faults %v, want one with %q", tt.in, faults, tt.want)
			}
			continue
		}
		out := evaluate(t, f, tt.in)
		if out == nil {
			continue
		}
		d := out.Desc
		desc := d.Type.String() + " " + d.Sem.String()[:1] + " " + d.Units.String()
		switch d.InDom {
		case pcp.NullInDom:
		case pcp.MakeInDom(240, 1):
			desc += " *"
		default:
			desc += " " + d.InDom.String()
		}
		if desc = strings.Join(strings.Fields(desc), " "); desc != tt.desc {
			t.Errorf("%s is %q, want %q", tt.in, desc, tt.desc)
		}
		if got, want := values(out), expected(d.Type, d.InDom != pcp.NullInDom, tt.want); got != want {
			t.Errorf("%s = %s, want %s", tt.in, got, want)
		}
	}
}
