package derived

import (
	"regexp"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Our own functions: see the package comment. Expected values are computed by
// hand from DM.
func TestBeyondPCP(t *testing.T) {
	f := dm()
	tried := ""
	for _, tt := range []struct{ in, desc, want string }{
		{"sum(rate(a.cnt))", "DOUBLE i count / sec", "0 1.1 12.1 .1 8.1"},
		{"max(a.lvl + 1)", "U32 i", "10 10 10 10 10"},
		{"avg(-a.lvl)", "FLOAT i", "-3.3333333 -3.6666667 -4 -4.3333333 -4.6666667"},
		{"count(rate(a.cnt))", "U32 i count", "0 3 3 2 3"},
		{"max(rate(a.cnt))", "DOUBLE i count / sec", "- 1 10 .1 7"},
		{"max(m.late + 0)", "U32 i", "- - 20 32 42"},
		{"1e3 * b.n", "DOUBLE d", "4000 4000 4000 4000 4000"},
		{"topn(1, a.lvl)", "U32 i *", "z9; z9; z9; z9; z9"},
		{"topn(2, a.lvl)", "U32 i *", "x1 z9; y2 z9; x3 z9; y4 z9; x5 z9"},
		{"topn(9, m.late)", "U32 i *", "-; -; x20; x30 z32; x40 z42"},
		{"topn(1, a.lvl * 0)", "U32 i *", "x0; x0; x0; x0; x0"},
		{"median(a.lvl)", "DOUBLE i", "1 2 3 4 5"},
		{"percentile(25, a.lvl)", "DOUBLE i", ".5 1 1.5 2 2.5"},
		{"percentile(0, a.lvl)", "DOUBLE i", "0 0 0 0 0"}, {"percentile(100, a.lvl)", "DOUBLE i", "9 9 9 9 9"},
		{"p90(m.late)", "DOUBLE i", "- - 20 31.8 41.8"}, {"p95(m.late)", "DOUBLE i", "- - 20 31.9 41.9"}, {"p99(m.late)", "DOUBLE i", "- - 20 31.98 41.98"}, // of x30 z32 and x40 z42
		{`movavg(b.free, "20 sec")`, "DOUBLE i Kbyte", "1000 1500 1750 1000 375"},
		{`movavg(b.free, "30s")`, "DOUBLE i Kbyte", "1000 1500 1500 1333.3333333333333 750"},
		{`movavg(b.free, "1s")`, "DOUBLE i Kbyte", "1000 2000 1500 500 250"},
		{`movavg(b.free, "1 day")`, "DOUBLE i Kbyte", "1000 1500 1500 1250 1050"},
		{`movavg(m.late, "20s")`, "DOUBLE i *", "-; -; x20; x25 z32; x35 z37"},
		{"slope(b.free)", "DOUBLE i Kbyte / sec", "-37.5 -37.5 -37.5 -37.5 -37.5"}, // of -100 -75 -62.5 -58.3 -50 -25 -18.75 -16.7 25 100
		{"slope(b.sec)", "DOUBLE i", ".5 .5 .5 .5 .5"}, {"slope(m.late)", "DOUBLE i / sec *", "-; -; x1; x1 z1; x1 z1"},
		{`movslope(b.free, "1s")`, "DOUBLE i Kbyte / sec", "- - - - -37.5"}, {`movslope(b.sec, "1min")`, "DOUBLE i", "- - - - .5"}, {`movslope(m.late, "1min")`, "DOUBLE i / sec *", "-; -; -; -; -"}, // of five values at least
		{`movslope(b.str, "1min")`, "error", "needs numbers"},
		{`rescale(slope(b.free), "Mbyte/hour")`, "DOUBLE i Mbyte / hour", "-131.8359375 -131.8359375 -131.8359375 -131.8359375 -131.8359375"},
		{"tally(a.lvl, a.cnt)", "U32 i *", "x1 y0 z0; x0 y1 z0; x0 y0 z1; x0 y0 z0; x0 y0 z0"},                                                                                                       // x is 1, y 2 and z 3
		{"tally(-a.lvl, a.cnt)", "U32 i *", "x0 y0 z0; x0 y0 z0; x0 y0 z0; x0 y0 z0; x0 y0 z0"}, {"tally(a.lvl + 4294967293, a.cnt)", "U32 i *", "x0 y0 z0; x0 y0 z0; x0 y0 z0; x1 y0 z0; x0 y1 z0"}, // 4 and 5 wrap to 1 and 2
		{"tally(m.late, a.lvl)", "U32 i *", "-; -; x0 y0 z0; x0 y0 z0; x0 y0 z0"}, {"tally(m.late, m.late)", "U32 i *", "-; -; x0; x0 z0; x0 z0"},
		{"tally(b.n, a.cnt)", "error", "needs instances"}, {"tally(a.lvl, b.n)", "error", "needs instances"}, {"tally(rate(a.cnt), a.cnt)", "error", "not whole numbers"},
		{"slope(b.str)", "error", "needs numbers"},
		{"b.n[x] + b.n", "U32 d", "- - - - -"}, {"b.n + matchinst(/x/, b.n)", "U32 d", "- - - - -"}, // nothing to choose from
		{"rate(b.flt)", "DOUBLE i / sec", "- -.15 -.225 1e9 -1e9"}, // differences in single precision
		{"b.str", "STRING i", "hello0 hello1 hello2 hello3 hello4"}, {"scalar(b.str)", "STRING i", "hello0 hello1 hello2 hello3 hello4"}, {"count(b.str)", "U32 i count", "1 1 1 1 1"},
		{"scalar(a.cnt)", "U64 c count", "7 8 9 10 11"}, // z, whose number 3 is in the first of 3 chains, is the first
		{"b.dbl != b.dbl", "U32 i", "0 0 0 0 0"}, {"(b.n/0 - b.n/0) == 1", "U32 d", "0 0 0 0 0"}, {"(b.n/0 - b.n/0) != 1", "U32 d", "1 1 1 1 1"},
		{"b.i64 < b.u64", "U32 i", "0 1 0 1 0"}, // in U64: -50 is large
		{"b.flt >= b.flt", "U32 i", "1 1 1 1 1"}, {"b.i32 <= 0", "U32 i", "0 1 0 0 0"}, {"b.n || 0", "U32 d", "1 1 1 1 1"}, {"b.flt && b.n", "U32 i", "1 0 1 1 1"},
		{"rescale(b.i32, \"count\")", "32 i count", "-5 0 7 2147483647 -2147483648"},
		{`rescale(mkconst(20, units="power (kW)"), "power (W)")`, "U32 d power (W)", "20000 20000 20000 20000 20000"},
		{`rescale(mkconst(5000000, units="Gbyte"), "byte")`, "U32 d byte", "- - - - -"}, // does not fit 32 bits
	} {
		check(t, f, tt.in, tt.desc, tt.want)
		tried += " " + tt.in
	}
	for _, fn := range Functions {
		if fn.Ours && !regexp.MustCompile(`\b`+fn.Name+`\(`).MatchString(tried) {
			t.Errorf("%s is never tried", fn.Signature)
		}
	}
}

// reasons lists why points are missing: the reason for each, and for an
// operand its name and reason.
func reasons(f *series.Frame, k int) string {
	v := &f.Vectors[k]
	var list []string
	for i := range v.Vals {
		w := v.Missing(i)
		s := w.String()
		if w == series.OperandMissing {
			s = v.Cause.Operands[v.Cause.Which[i]] + ": " + v.Cause.Why[i].String()
		}
		list = append(list, s)
	}
	return strings.Join(list, "; ")
}

func TestReasons(t *testing.T) {
	f := dm()
	for _, tt := range []struct {
		in     string
		vector int
		want   string
	}{
		{"rate(b.c32)", 0, "no previous sample; ; the counter went backwards; ; the counter went backwards"},
		{"delta(b.n)", 0, "no previous sample; ; ; ; "},
		{"m.late + a.lvl", 0, "m.late: before the first observation; m.late: before the first observation; ; ; "},
		{"a.lvl * m.late", 1, "m.late: before the first observation; m.late: before the first observation; m.late: before the first observation; ; "},
		{"delta(m.late)", 0, "m.late: before the first observation; m.late: before the first observation; no previous sample; ; "},
		{"rate(b.c32) * max(m.late)", 0, "no previous sample; m.late: before the first observation; the counter went backwards; ; the counter went backwards"},
		{"b.i32 > 0 ? b.free : novalue()", 0, "; the expression leaves it out; ; ; "},
		{"topn(2, a.lvl)", 0, "; the expression leaves it out; ; the expression leaves it out; "},
		{"(slope(m.late))[z]", 0, "m.late: before the first observation; m.late: before the first observation; m.late: before the first observation; ; "},
		{"slope(b.i32 == 7 ? b.free : novalue())", 0, "the expression leaves it out; the expression leaves it out; no previous sample; the expression leaves it out; the expression leaves it out"},
		{"m.late ? a.lvl : a.lvl", 1, "m.late: before the first observation; m.late: before the first observation; m.late: before the first observation; ; "},
		{`rescale(mkconst(5000000, units="Gbyte"), "byte")`, 0, strings.Repeat("the value cannot be converted; ", 4) + "the value cannot be converted"},
	} {
		if out := evaluate(t, f, tt.in); out != nil {
			if got := reasons(out, tt.vector); got != tt.want {
				t.Errorf("%s: %s\nwant %s", tt.in, got, tt.want)
			}
		}
	}
	f.frames["b.n"].Vectors = nil
	if got := reasons(evaluate(t, f, "b.n * b.free"), 0); got != strings.Repeat("b.n: not in this archive; ", 4)+"b.n: not in this archive" {
		t.Errorf("an operand without data: %s", got)
	}
}

// Operands that were never logged leave no times to evaluate anything at.
func TestNoTimes(t *testing.T) {
	f := dm()
	for _, in := range []string{"b.i32", "rate(b.i32)", "-rate(b.i32)", "rate(b.i32) * 2", "delta(b.i32) * instant(b.i32)", "b.i32 / rate(b.i32)", "!delta(b.i32)", "sum(rate(b.i32)) > 2"} {
		b := bound(t, f, in)
		out, err := b.EvalAt(nil, atNone{f})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		for _, v := range out.Vectors {
			if len(v.Vals) != 0 {
				t.Errorf("%s has %d values at no time", in, len(v.Vals))
			}
		}
	}
}

// atNone has the frames of a fake without any times.
type atNone struct{ *fake }

func (a atNone) Frame(name string) (*series.Frame, error) {
	f, err := a.fake.Frame(name)
	if err != nil {
		return nil, err
	}
	out := &series.Frame{Desc: f.Desc}
	for _, v := range f.Vectors {
		out.Vectors = append(out.Vectors, series.Vector{Inst: v.Inst, Name: v.Name})
	}
	return out, nil
}

func TestGapsInsteadOfInfinityAndZero(t *testing.T) {
	f := dm()
	for _, tt := range []struct{ in, want, why string }{
		{"b.free / b.i32", "-200; -; 214.28571428571428; 2.3283064376228985e-07; -1.1641532182693481e-07", "; division by zero; ; ; "},
		{"b.i32 / b.i32", "1; -; 1; 1; 1", "; division by zero; ; ; "},
		// Rates of spec/derived.md, section 12.1, line 3: PCP's average and sum of none are 0. At
		// the fourth point a counter went backwards: 0.1 is the sum of the others alone, 0.05 the average.
		{"avg(rate(a.cnt))", "-; 0.36666667; 4.0333333; -; 2.6999998", "no previous sample; ; ; the counter went backwards; "},
		{"sum(rate(a.cnt))", "-; 1.1; 12.1; -; 8.1", "no previous sample; ; ; the counter went backwards; "},
		{"2 * sum(rate(a.cnt))", "-; 2.2; 24.2; -; 16.2", "no previous sample; ; ; the counter went backwards; "},
		// Line 25.
		{"avg(m.late)", "-; -; 20; 31; 41", "m.late: before the first observation; m.late: before the first observation; ; ; "},
		{"sum(m.late)", "-; -; 20; 62; 82", "m.late: before the first observation; m.late: before the first observation; ; ; "},
		{"sum(a.cnt[nope])", "0; 0; 0; 0; 0", "; ; ; ; "}, // there is nothing to add up
	} {
		b := bound(t, f, tt.in)
		out, err := b.WithGaps().Eval(dmGrid, f)
		if err != nil {
			t.Fatal(err)
		}
		if got := values(out); got != tt.want || reasons(out, 0) != tt.why {
			t.Errorf("%s = %s (%s), want %s", tt.in, got, reasons(out, 0), tt.want)
		}
	}
}

// Error codes that were logged in place of values. See spec/derived.md section 12.6.
func TestLoggedErrors(t *testing.T) {
	single := pcp.Desc{Type: pcp.Int32, Sem: pcp.Instant, InDom: pcp.NullInDom}
	i := vector(pcp.Int32, pcp.NoInstance, "", "5 . 7 . . 9")
	i.Why[1], i.Why[4] = series.ErrorLogged, series.ErrorLogged
	i.Codes = map[int]pcp.Code{1: pcp.ErrValue, 4: pcp.ErrAppVersion}
	f := &fake{frames: map[string]*series.Frame{}}
	f.add("e.i", single, i)
	f.add("e.x", single, vector(pcp.Int32, pcp.NoInstance, "", "5 0 7 0 0 9"))
	times := []pcp.Time{0, 10e9, 20e9, 30e9, 40e9, 50e9}
	for _, tt := range []struct{ in, want string }{
		{"e.i + e.x", "10 PM_ERR_VALUE 14 - PM_ERR_APPVERSION 18"},
		{"count(e.i)", "1 0 1 0 0 1"},
		{"delta(e.i)", "- PM_ERR_VALUE PM_ERR_VALUE - PM_ERR_APPVERSION PM_ERR_APPVERSION"},
		{"avg(e.i)", "5 PM_ERR_VALUE 7 0 PM_ERR_APPVERSION 9"},
		{"-e.i", "-5 PM_ERR_VALUE -7 - PM_ERR_APPVERSION -9"},
	} {
		b := bound(t, f, tt.in)
		out, err := b.EvalAt(times, f)
		if err != nil {
			t.Fatal(err)
		}
		v := &out.Vectors[0]
		var got []string
		for i := range v.Vals {
			w := v.Missing(i)
			if w == series.OperandMissing {
				w = v.Cause.Why[i]
			}
			switch w {
			case series.HasValue:
				got = append(got, number(out.Desc.Type, v.Vals[i]))
			case series.ErrorLogged:
				got = append(got, v.Codes[i].Symbol())
			default:
				got = append(got, "-")
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s = %s, want %s", tt.in, strings.Join(got, " "), tt.want)
		}
	}
}

func TestLookback(t *testing.T) {
	f := dm()
	for _, tt := range []struct {
		in   string
		want int
	}{
		{"b.n", 0}, {"rate(b.sec)", 1}, {"delta(delta(a.cnt)) * rate(a.cnt)", 2}, {`movavg(rate(b.sec), "1min")`, 6}, {`movavg(b.n, "10s")`, 0}, {`movavg(b.n, "11s")`, 1},
		{`movslope(b.n, "10s")`, 8}, {`movslope(b.n, "1hour")`, 359}, {`movslope(rate(b.sec), "1hour")`, 360},
	} {
		e, _ := Parse(tt.in)
		b, faults := e.Bind(f)
		if faults != nil {
			t.Fatal(faults)
		}
		if got := b.Lookback(10e9); got != tt.want {
			t.Errorf("%s looks back %d points, want %d", tt.in, got, tt.want)
		}
	}
}

// An operand's frame must not change, however the evaluation reuses memory.
func TestOperandsAreNotWritten(t *testing.T) {
	before, f := dm(), dm()
	for _, tt := range worked {
		if tt.desc != "error" {
			evaluate(t, f, tt.in)
		}
	}
	for name, frame := range f.frames {
		if got, want := values(frame), values(before.frames[name]); got != want {
			t.Errorf("%s became %s, was %s", name, got, want)
		}
	}
}
