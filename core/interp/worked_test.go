package interp

import (
	"fmt"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// The expected values of this file are the worked examples of spec/interp.md
// section 16, which were obtained from libpcp 7.2.1, and of the white paper
// "Explaining Value Interpolation with PCP".

var (
	tens    = []float64{10, 20, 30, 40, 50, 60, 70, 80, 90}
	paperC  = single(pcp.Uint64, pcp.Counter, tens, 610, 720, 1020, 1020, 1020, 1050, 1100, 1200, 1210)
	paperI  = single(pcp.Uint64, pcp.Instant, tens, 400, 880, 650, 1120, 1120, 940, 580, 1200, 850)
	paperD  = single(pcp.Uint64, pcp.Discrete, tens, 400, 880, 650, 1120, 1120, 940, 580, 1200, 850)
	noMarks = segment(99)
)

// expand writes repeated values out: "-*4 5" is "-, -, -, -, 5".
func expand(s string) string {
	var out []string
	for _, w := range strings.Fields(s) {
		n := 1
		if v, times, ok := strings.Cut(w, "*"); ok {
			fmt.Sscan(times, &n)
			w = v
		}
		for range n {
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}

func TestWhitePaper(t *testing.T) {
	for _, tt := range []struct {
		name string
		obs  *series.Observations
		grid series.Grid
		want string
	}{
		{"counter 25", paperC, steps(0, 25, 5), "- 870 1020 1150 -"},
		{"counter 3", paperC, steps(0, 3, 34), "-*4 632 665 698 750 840 930 1020*7 1023 1032 1041 1050 1065 1080 1095 1120 1150 1180 1201 1204 1207 1210 -*3"},
		{"counter fractions", paperC, steps(10.5, 0.5, 5), "616 621 627 632 638"},
		{"instant 15", paperI, steps(0, 15, 7), "- 400 650 1120 940 580 850"},
		{"instant 25", paperI, steps(0, 25, 4), "- 880 1120 580"},
		{"discrete 4", paperD, steps(0, 4, 25), "-*3 400 880*3 650*2 1120*5 940*3 580*2 1200*3 850*3"},
	} {
		check(t, tt.name, values(Interpolate(tt.obs, noMarks, tt.grid, Options{}, nil)), expand(tt.want))
	}
	// Beyond the last observation a discrete value lasts to the archive's end
	// (16.3; libpcp's defect 1 shows an older one).
	check(t, "discrete 35", values(Interpolate(paperD, segment(300), steps(35, 35, 9), Options{}, nil)), expand("650 580 850*6 -"))
}

// interpmark holds the three metrics of 16.2, as far as the text gives them.
func TestMarks(t *testing.T) {
	seg := segment(119.037179, 34.997095, 72.010660, 74.024256)
	ts := []float64{29.997794, 31.997843, 33.997885, 39.011398, 41.011319, 43.011312}
	write := single(pcp.Uint64, pcp.Counter, ts, 417341, 417343, 417352, 417358, 417363, 417368)
	ncpu := single(pcp.Uint32, pcp.Discrete, []float64{3, 39.5, 84}, 6, 6, 6)
	read := single(pcp.Uint64, pcp.Counter, []float64{74.023256}, 185350)
	for _, tt := range []struct {
		name string
		obs  *series.Observations
		ts   []float64 // each in a context of its own
		want string
	}{
		{"counter", write, []float64{31, 32, 33, 33.997885, 34, 34.997095, 35, 39, 39.011398, 40, 41}, "417342 417343 417348 417352 - - - - 417358 417360 417363"},
		{"one between marks", read, []float64{73, 74.0229, 74.023256, 74.0235}, "- - 185350 -"},
		{"discrete", ncpu, []float64{5, 30, 34.997094, 34.997095, 35, 40, 70, 75, 80, 85, 115, 119.0372, 119.038, 119.0382}, "6 6 6 - - 6 6 - - 6 6 6 6 -"},
	} {
		var got []string
		for _, at := range tt.ts {
			got = append(got, values(Interpolate(tt.obs, seg, steps(at, 0, 1), Options{}, nil)))
		}
		check(t, tt.name, strings.Join(got, " "), tt.want)
	}
	f := func(start, step float64, n int) string {
		return values(Interpolate(write, seg, steps(start, step, n), Options{}, nil))
	}
	check(t, "a fetch across the mark has nothing", f(30, 10, 3), "417341, -, -")
	check(t, "the next one has", f(30, 6, 3), "417341, -, 417365")
	check(t, "starting behind it has at once", f(40, 2, 2), "417360, 417365")
	check(t, "backwards", f(42, -2, 7), expand("417365 417360 -*2 -  417343 417341"))
	check(t, "outside the ends", values(Interpolate(ncpu, seg, steps(-0.0011, 0.0006, 2), Options{}, nil)), "-, -")
}

func TestMarkReasons(t *testing.T) {
	seg := segment(100, 35, 72)
	o := single(pcp.Uint64, pcp.Counter, []float64{10, 30, 40, 60}, 1, 2, 3, 4)
	check(t, "reasons", reasons(Interpolate(o, seg, steps(5, 10, 10), Options{}, nil), 0),
		"before the first observation, , , across a mark, , , after the last observation, after the last observation, after the last observation, after the last observation")
}

func TestProximity(t *testing.T) {
	uptime := single(pcp.Uint32, pcp.Instant, []float64{1.998028, 3.997881, 5.998053, 7.998}, 232886, 232888, 232890, 232892)
	var got []string
	for _, s := range []float64{1.998027, 2, 2.5, 2.997954, 2.997955, 3, 3.5, 4, 4.5, 5, 6.5, 7} {
		got = append(got, values(Interpolate(uptime, noMarks, steps(s, 0, 1), Options{}, nil)))
	}
	check(t, "kernel.all.uptime", strings.Join(got, " "), "- 232886 232886 232886 232888 232888 232888 232888 232888 232890 232890 232892")
	load := single(pcp.Float, pcp.Instant, []float64{5.001828, 10.003952}, 0.0244140625, 0.0224609375)
	check(t, "load", values(Interpolate(load, noMarks, steps(7.5, 0.01, 2), Options{}, nil)), "0.024414062, 0.022460938")
	sys := single(pcp.Uint32, pcp.Counter, []float64{5.001828, 10.003952, 14.997426}, 52479950, 52480000, 52480080)
	check(t, "cpu.sys", values(Interpolate(sys, noMarks, steps(7.5, 4.5, 2), Options{}, nil)), "52479975, 52480032")
	sw := single(pcp.Uint64, pcp.Counter, []float64{0, 0.302183, 1.189889, 60.000246, 60.302304}, 4960597, 4960686, 4961008, 4967914, 4967987)
	check(t, "pswitch", values(Interpolate(sw, noMarks, steps(0.15, 29.85, 2), Options{}, nil)), "4960641, 4964391")
}

func TestTypesAndDecreases(t *testing.T) {
	ts := []float64{0, 10, 20, 30, 40}
	wrap := Options{CounterWrap: true}
	for _, tt := range []struct {
		typ  pcp.Type
		vs   []any
		opt  Options
		want string
	}{
		{pcp.Uint32, []any{100, 103, 50, 4294967200, 100}, Options{}, "101 102 90 63 1073741838 3221225413 3221225425 1073741875"},
		{pcp.Uint32, []any{100, 103, 50, 4294967200, 100}, wrap, "101 102 1073741914 3221225535 1073741838 3221225413 4294967249 51"},
		{pcp.Int32, []any{100, 103, -5, 2147483600}, Options{}, "101 102 76 22 536870896 1610612699 - -"},
		{pcp.Int64, []any{100, 103, -5, 2147483600}, Options{}, "101 102 76 22 536870896 1610612699 - -"},
		{pcp.Float, []any{100, 103, 50, 1e10, 0.5}, Options{}, "100.75 102.25 89.75 63.25 2.5e+09 7.5e+09 7.5e+09 2.5e+09"},
		{pcp.Double, []any{100, 103, 50, 1e18, 0.5}, Options{}, "100.75 102.25 89.75 63.25 2.5000000000000006e+17 7.5e+17 7.5e+17 2.5e+17"},
		{pcp.Uint64, []any{100, 103, 50}, wrap, "101 102 4611686018427387904 13835058055282163712 - - - -"},
		// RULE where 7.2.1 goes wrong (defects 5, 6, 7), computed by hand in exact arithmetic:
		// a double holds 2^63 and more only in steps of 2048.
		{pcp.Int32, []any{2147483600, -2147483648, 2147483647}, Options{}, "1073741788 -1073741835 -1073741823 1073741823 - - - -"},
		{pcp.Int32, []any{2147483600, -2147483600}, wrap, "2147483624 -2147483624 - - - - - -"},
		{pcp.Uint64, []any{uint64(50), uint64(1) << 63}, Options{}, "2305843009213693952 6917529027641081856 - - - - - -"},
		{pcp.Uint64, []any{uint64(1<<64 - 1), uint64(1<<64 - 1)}, Options{}, "18446744073709551615 18446744073709551615 - - - - - -"},
		{pcp.Int64, []any{uint64(1 << 63), uint64(1<<63 - 1)}, Options{}, "-4611686018427387904 4611686018427387904 - - - - - -"},
	} {
		o := single(tt.typ, pcp.Counter, ts, tt.vs...)
		check(t, fmt.Sprint(tt.typ, tt.vs, tt.opt), values(Interpolate(o, noMarks, steps(2.5, 5, 8), tt.opt, nil)), expand(tt.want))
	}
	// Inside a run the value passes through the same arithmetic, except on an observation.
	o := single(pcp.Uint64, pcp.Counter, ts, uint64(1<<53+1), uint64(1<<53+1), uint64(1<<53+1))
	check(t, "above 2^53", values(Interpolate(o, noMarks, steps(0, 5, 5), Options{}, nil)),
		"9007199254740993, 9007199254740992, 9007199254740993, 9007199254740992, 9007199254740993")
	o = single(pcp.Int32, pcp.Counter, ts, -3, -3, -3)
	check(t, "a negative constant", values(Interpolate(o, noMarks, steps(0, 5, 5), Options{}, nil)), "-3, -2, -3, -2, -3")
}

func TestMissingInstances(t *testing.T) {
	make := func(sem pcp.Semantics, vs ...any) *series.Observations {
		return build(pcp.Desc{Type: pcp.Uint64, Sem: sem, InDom: pcp.MakeInDom(29, 1)},
			obs{0, 1, vs[0]}, obs{0, 2, vs[4]}, obs{10, 1, vs[1]}, obs{20, 1, vs[2]}, obs{20, 2, vs[5]}, obs{30, 1, vs[3]})
	}
	counter := make(pcp.Counter, 100, 110, 120, 130, 1000, 1200)
	instant := make(pcp.Instant, 1, 2, 3, 4, 11, 13)
	discrete := make(pcp.Discrete, 1, 2, 3, 4, 11, 13)
	g := steps(5, 5, 12)
	check(t, "counter", values(Interpolate(counter, segment(60), g, Options{}, nil)),
		"105 1050, 110 1100, 115 1150, 120 1200, 125 -, 130 -, - -, - -, - -, - -, - -, - -")
	check(t, "instant", values(Interpolate(instant, segment(60), g, Options{}, nil)),
		"1 11, 2 11, 2 13, 3 13, 3 -, 4 -, - -, - -, - -, - -, - -, - -")
	check(t, "discrete", values(Interpolate(discrete, segment(60), g, Options{}, nil)),
		"1 11, 2 11, 2 13, 3 13, 3 13, 4 13, 4 13, 4 13, 4 13, 4 13, 4 13, 4 13")
	check(t, "reasons", reasons(Interpolate(counter, segment(60), steps(20, 5, 4), Options{}, nil), 1),
		", after the last observation, the instance is absent, the instance is absent")
}

func TestErrorCodes(t *testing.T) {
	o := single(pcp.Int32, pcp.Instant, []float64{0, 20, 50}, 5, 7, 9)
	o.Voids = []series.Void{{Time: at(10), Code: -12351}, {Time: at(30)}, {Time: at(40), Code: -12350}, {Time: at(60), Code: -12389}}
	f := Interpolate(o, segment(60), steps(0, 5, 13), Options{}, nil)
	check(t, "values", values(f), expand("5 5 5 7 7 7 7 7 9 9 9 - -"))
	check(t, "reasons", fmt.Sprint(f.Vectors[0].Missing(11), f.Vectors[0].Codes), "an error was logged map[11:temporarily unavailable 12:temporarily unavailable]")

	never := &series.Observations{Desc: o.Desc, Voids: o.Voids[:1]}
	f = Interpolate(never, segment(60), steps(0, 30, 2), Options{}, nil)
	check(t, "only errors", reasons(f, 0), "an error was logged, an error was logged")
}

// proc.id.uid of pcp-atop-boot (16.10): instance lists at 0.049574, 1.053020 and 3.052882.
func TestDyingInstances(t *testing.T) {
	o := build(pcp.Desc{Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.MakeInDom(3, 9)},
		obs{0.049574, 2956902, 1000}, obs{1.053020, 2956910, 1000}, obs{3.052882, 1, 0})
	life := func(inst int32) (birth, death pcp.Time, ok bool) {
		switch inst {
		case 2956902:
			return at(0.049574), at(1.053020), true
		case 2956910:
			return at(1.053020), at(3.052882), true
		}
		return 0, 0, false
	}
	var got []string
	for _, s := range []float64{0.05, 1.05, 1.05302, 1.3, 3.05, 3.3} {
		got = append(got, values(Interpolate(o, segment(5), steps(s, 0, 1), Options{Empty: true}, life)))
	}
	check(t, "uid", strings.Join(got, ", "), "- 1000 -, - 1000 -, - 1000 1000, - - 1000, - - 1000, 0 - -")
}

func TestStrings(t *testing.T) {
	for _, sem := range []pcp.Semantics{pcp.Instant, pcp.Discrete} {
		o := single(pcp.String, sem, []float64{0, 10, 20, 30, 40}, "str0", "str1", "str2", "str3", "str4")
		check(t, sem.String(), values(Interpolate(o, segment(40), steps(4, 4, 10), Options{}, nil)),
			expand("str0 str0 str1 str1 str2 str2 str2 str3 str3 str4"))
	}
}

// The directory "multi" of 16.11, as far as the text gives it.
func TestSeveralArchives(t *testing.T) {
	segs := []Segment{{Start: label, End: at(120.006080)}, {Start: at(173.948890), End: at(353.954026)}, {Start: at(383.138819), End: at(949.896843)}}
	ncpu := func(ts ...float64) *series.Observations {
		return single(pcp.Uint32, pcp.Discrete, ts, []any{4, 4, 4}[:len(ts)]...)
	}
	load := func(ts []float64, vs ...any) *series.Observations { return single(pcp.Float, pcp.Instant, ts, vs...) }
	set := func(obs ...*series.Observations) []*series.Observations { return obs }
	f := func(obs []*series.Observations, start, step float64, n int) series.Frame {
		return NewFetcher(segs, steps(start, step, n), Options{}).Frame(obs, nil)
	}
	discrete := set(ncpu(10), ncpu(174), ncpu(384))
	check(t, "hinv.ncpu", values(f(discrete, 60, 30, 8)), expand("4 4 4 - 4*4"))
	check(t, "hinv.ncpu backwards", values(f(discrete, 270, -30, 8)), expand("4*4 - 4 4 4"))
	check(t, "ends", values(f(discrete, 120.0070, 0.0001, 2)), "4, -")
	loads := set(load([]float64{60.016927, 120.006080}, 3.08, 3.24), load([]float64{233.957893, 293.955560}, 2.9, 3.03), nil)
	fr := f(loads, 60, 30, 8)
	check(t, "kernel.all.load", values(fr), expand("- 3.08 3.24 -*3 2.9 3.03"))
	check(t, "reasons", reasons(fr, 0), "before the first observation, , , across a mark, across a mark, across a mark, , ")
	// A counter's fetch right behind the gap is empty if the one before was not.
	count := set(single(pcp.Uint64, pcp.Counter, []float64{100, 120}, 100, 120), single(pcp.Uint64, pcp.Counter, []float64{174, 194}, 10, 30), nil)
	check(t, "counter", values(f(count, 110, 70, 3)), "110, -, -")
	check(t, "counter, next", values(f(count, 110, 66, 2)), "110, -")
	check(t, "counter, in the gap first", values(f(count, 110, 33.5, 3)), "110, -, 13")
}

// An archive set whose members disagree: values are right on both sides.
func TestChangedDescriptor(t *testing.T) {
	segs := []Segment{{Start: label, End: at(10)}, {Start: at(20), End: at(30)}}
	g := steps(5, 20, 2)
	kb, mb := pcp.Units{Space: 1, SpaceScale: 1}, pcp.Units{Space: 1, SpaceScale: 2}
	for _, tt := range []struct {
		a, b         pcp.Type
		ua, ub       pcp.Units
		va, vb       any
		typ          pcp.Type
		want, reason string
	}{
		{pcp.Uint32, pcp.Uint64, kb, kb, 7, uint64(1 << 63), pcp.Uint64, "7, 9223372036854775808", ", "},
		{pcp.Int32, pcp.Int64, kb, kb, -7, 8, pcp.Int64, "-7, 8", ", "},
		{pcp.Int32, pcp.Uint64, kb, kb, -7, 8, pcp.Double, "-7, 8", ", "},
		{pcp.Uint32, pcp.Float, kb, kb, 7, 0.5, pcp.Double, "7, 0.5", ", "},
		{pcp.Uint32, pcp.Uint32, kb, mb, 1536, 2, pcp.Double, "1.5, 2", ", "},
		{pcp.Uint32, pcp.Uint32, pcp.Units{Count: 1}, mb, 1536, 2, pcp.Double, "-, 2", "the value cannot be converted, "},
		{pcp.String, pcp.Uint32, kb, kb, "x", 2, pcp.Uint32, "-, 2", "the value cannot be converted, "},
		{pcp.String, pcp.String, kb, kb, "x", "y", pcp.String, "x, y", ", "},
	} {
		a := single(tt.a, pcp.Discrete, []float64{0, 10}, tt.va, tt.va)
		b := single(tt.b, pcp.Discrete, []float64{20, 30}, tt.vb, tt.vb)
		a.Desc.Units, b.Desc.Units = tt.ua, tt.ub
		f := NewFetcher(segs, g, Options{}).Frame([]*series.Observations{a, b}, nil)
		name := fmt.Sprint(tt.a, " then ", tt.b)
		check(t, name, values(f), tt.want)
		check(t, name+": reasons", reasons(f, 0), tt.reason)
		check(t, name+": type", f.Desc.Type.String(), tt.typ.String())
	}
}

// Archives that overlap: from its start on the later one speaks, and where it
// has ended before the earlier one did, that one again.
func TestOverlappingArchives(t *testing.T) {
	segs := []Segment{{Start: label, End: at(100)}, {Start: at(40), End: at(60)}}
	a := single(pcp.Uint32, pcp.Discrete, []float64{0, 30, 50, 80}, 1, 2, 3, 4)
	b := single(pcp.Uint32, pcp.Discrete, []float64{45, 55}, 10, 20)
	f := NewFetcher(segs, steps(0, 10, 11), Options{}).Frame([]*series.Observations{a, b}, nil)
	check(t, "values", values(f), expand("1 1 2 2 - 10 20 4 4 4 4"))
}

// Records that could not be read are the reason for what is missing there.
func TestHoles(t *testing.T) {
	seg := segment(100)
	seg.Holes = []Hole{{Span: pcp.Span{Start: at(40), End: at(70)}, Why: series.VolumeMissing}}
	o := single(pcp.Uint32, pcp.Counter, []float64{10, 30}, 1, 2)
	for _, g := range []series.Grid{steps(0, 20, 5), steps(80, -20, 5)} {
		f := Interpolate(o, seg, g, Options{}, nil)
		want := "before the first observation, , the volume is missing, the volume is missing, after the last observation"
		if g.Step < 0 {
			want = "after the last observation, the volume is missing, the volume is missing, , before the first observation"
		}
		check(t, "reasons", reasons(f, 0), want)
	}
}
