package derived

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// fake is a source made of frames.
type fake struct {
	frames  map[string]*series.Frame
	members map[pcp.InDom][]Member
}

func (f *fake) Desc(name string) (pcp.Desc, bool) {
	m, ok := f.frames[name]
	if !ok {
		return pcp.Desc{}, false
	}
	return m.Desc, true
}

func (f *fake) Names() []string                          { return slices.Sorted(maps.Keys(f.frames)) }
func (f *fake) Frame(name string) (*series.Frame, error) { return f.frames[name], nil }
func (f *fake) Instances(d pcp.InDom) []Member           { return f.members[d] }
func (f *fake) add(name string, d pcp.Desc, v ...series.Vector) {
	f.frames[name] = &series.Frame{Desc: d, Vectors: v}
}

// bits reads a number of type t as a frame holds it.
func bits(t pcp.Type, text string) uint64 {
	switch t {
	case pcp.Double, pcp.Float:
		size := map[pcp.Type]int{pcp.Double: 64, pcp.Float: 32}[t]
		v, err := strconv.ParseFloat(text, size)
		if err != nil {
			panic(err)
		}
		if size == 32 {
			return uint64(math.Float32bits(float32(v)))
		}
		return math.Float64bits(v)
	case pcp.Int32, pcp.Int64:
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(err)
		}
		return uint64(v)
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// vector reads "100 . 130": a point per word, "." for a missing one.
func vector(t pcp.Type, inst int32, name, text string) series.Vector {
	v := series.Vector{Inst: inst, Name: name}
	words := strings.Fields(text)
	for i, w := range words {
		if w != "." {
			v.Vals = append(v.Vals, bits(t, w))
			continue
		}
		v.Vals = append(v.Vals, 0)
		if v.Why == nil {
			v.Why = make([]series.Why, len(words))
		}
		v.Why[i] = series.BeforeFirst
	}
	return v
}

func units(text string) pcp.Units {
	u, _, err := pcp.ParseUnits(text)
	if err != nil {
		panic(err)
	}
	return u
}

var dmGrid = series.Grid{Start: 0, Step: 10e9, Count: 5}

// dm is the small archive DM of spec/derived.md section 12.1, at its five moments.
func dm() *fake {
	abc, nic := pcp.MakeInDom(240, 1), pcp.MakeInDom(240, 3)
	f := &fake{map[string]*series.Frame{}, map[pcp.InDom][]Member{
		abc: {{Instance: pcp.Instance{ID: 1, Name: "x"}}, {Instance: pcp.Instance{ID: 2, Name: "y"}}, {Instance: pcp.Instance{ID: 3, Name: "z"}}},
		nic: {{Instance: pcp.Instance{ID: 0, Name: "eth0"}}, {Instance: pcp.Instance{ID: 1, Name: "lo"}}},
	}}
	set := func(name string, t pcp.Type, s pcp.Semantics, u string, rows ...string) {
		v := []series.Vector{}
		for i, r := range rows {
			if r != "" {
				v = append(v, vector(t, int32(i+1), string(rune('x'+i)), r))
			}
		}
		f.add(name, pcp.Desc{Type: t, Sem: s, InDom: abc, Units: units(u)}, v...)
	}
	one := func(name string, t pcp.Type, s pcp.Semantics, u, row string) {
		f.add(name, pcp.Desc{Type: t, Sem: s, InDom: pcp.NullInDom, Units: units(u)}, vector(t, pcp.NoInstance, "", row))
	}
	const u32, u64, i32, i64, flt, dbl = pcp.Uint32, pcp.Uint64, pcp.Int32, pcp.Int64, pcp.Float, pcp.Double
	const counter, instant, discrete = pcp.Counter, pcp.Instant, pcp.Discrete
	// z is not there at 20, where a counter is interpolated
	set("a.cnt", u64, counter, "count", "100 110 130 130 200", "1000 1000 1100 50 60", "7 8 9 10 11")
	set("a.bytes", u64, counter, "byte", "409600 450560 532480 532480 819200", "4096000 4096000 4505600 204800 245760", "28672 32768 36864 40960 45056")
	set("a.kb", u32, counter, "Kbyte", "400 440 520 520 800", "4000 4000 4400 200 240", "28 32 36 40 44")
	set("a.ms", u32, counter, "millisec", "0 2500 5000 15000 15000", "100 200 300 400 500", "0 0 0 0 0")
	set("a.lvl", u32, instant, "", "1 0 3 0 5", "0 2 0 4 0", "9 9 9 9 9")
	set("m.late", u32, instant, "", ". . 20 30 40", "", ". . . 32 42")
	one("b.free", u64, instant, "Kbyte", "1000 2000 1500 500 250")
	one("b.total", u64, discrete, "Mbyte", "8 8 8 16 16")
	one("b.n", u32, discrete, "", "4 4 4 4 4")
	one("b.i32", i32, instant, "", "-5 0 7 2147483647 -2147483648")
	one("b.i64", i64, instant, "", "-50 0 70 9007199254740993 -9007199254740993")
	one("b.flt", flt, instant, "", "1.5 0 -2.25 1e10 0.1")
	one("b.dbl", dbl, instant, "", "1.5 0 -2.25 1e300 0.1")
	one("b.u64", u64, instant, "", "0 1 10 18446744073709551615 5")
	one("b.c32", u32, counter, "count", "10 20 5 4294967290 4")
	one("b.c64", u64, counter, "count", "10 20 5 18446744073709551610 4")
	one("b.x32", i32, counter, "count", "10 20 5 7 9")
	one("b.sec", u32, counter, "sec", "100 105 110 120 120")
	one("b.ms", dbl, counter, "millisec", "1000 11000 21000 31000 41000")
	one("b.usec", u64, counter, "microsec", "0 5000000 5000000 20000000 30000000")
	one("b.bytes", u64, counter, "byte", "0 1048576 3145728 3145728 4194304")
	one("b.cnt", u32, instant, "count", "1 2 3 4 5")
	one("b.cntk", u32, instant, "count x 10^3", "10 20 30 40 50")
	hello := &series.Frame{Desc: pcp.Desc{Type: pcp.String, Sem: instant, InDom: pcp.NullInDom}, Vectors: []series.Vector{{Inst: pcp.NoInstance, Vals: []uint64{0, 1, 2, 3, 4}}}}
	for i := range 5 {
		hello.Blobs.Add(fmt.Appendf(nil, "hello%d", i))
	}
	f.frames["b.str"] = hello
	f.add("n.speed", pcp.Desc{Type: flt, Sem: instant, InDom: nic, Units: units("Mbyte/sec")}, vector(flt, 0, "eth0", "100 100 100 100 100"), vector(flt, 1, "lo", "0 0 0 0 0"))
	f.add("n.in", pcp.Desc{Type: u64, Sem: counter, InDom: nic, Units: units("byte")}, vector(u64, 0, "eth0", "0 104857600 209715200 209715200 314572800"), vector(u64, 1, "lo", "0 10 20 30 40"))
	return f
}

// bound parses and binds an expression.
func bound(t testing.TB, md Metadata, text string) *Bound {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	b, faults := e.Bind(md)
	if faults != nil {
		t.Fatal(faults)
	}
	return b
}

// evaluate binds and computes an expression on DM.
func evaluate(t *testing.T, f *fake, text string) *series.Frame {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	b, faults := e.Bind(f)
	if len(faults) > 0 {
		t.Errorf("%s: %s", text, faults[0].Message)
		return nil
	}
	out, err := b.Eval(dmGrid, f)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	return out
}

// number prints a value so that it reads back exactly.
func number(t pcp.Type, v uint64) string {
	switch t {
	case pcp.Int32, pcp.Int64:
		return strconv.FormatInt(int64(v), 10)
	case pcp.Uint32, pcp.Uint64:
		return strconv.FormatUint(v, 10)
	case pcp.Float:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	}
	return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
}

// canonical rewrites an expected number as number prints it.
func canonical(t pcp.Type, text string) string { return number(t, bits(t, text)) }

// expected rewrites "-; x10 y0" (a set) or "- 10 20" (singular), one part for
// each moment, to what values gives.
func expected(t pcp.Type, set bool, text string) string {
	var parts []string
	if set {
		parts = strings.Split(text, ";")
	} else {
		parts = strings.Fields(text)
	}
	for i, p := range parts {
		words := strings.Fields(p)
		for j, w := range words {
			n := 0
			if set {
				n = strings.IndexAny(w, "-.0123456789")
				for _, inst := range []string{"eth0", "lo", "15_minute", "5_minute"} {
					if strings.HasPrefix(w, inst) {
						n = len(inst)
					}
				}
			}
			if w != "-" && t.Numeric() {
				words[j] = w[:n] + canonical(t, w[n:])
			}
		}
		parts[i] = strings.Join(words, " ")
	}
	return strings.Join(parts, "; ")
}

func values(f *series.Frame) string {
	n := 0
	if len(f.Vectors) > 0 {
		n = len(f.Vectors[0].Vals)
	} else {
		n = f.Grid.Count
	}
	parts := make([]string, n)
	for i := range parts {
		var at []string
		for k := range f.Vectors {
			v := &f.Vectors[k]
			switch {
			case v.Missing(i) != series.HasValue:
				if v.Vals[i] != 0 {
					at = append(at, "garbage")
				}
			case f.Desc.Type == pcp.String:
				at = append(at, v.Name+string(f.Blobs.At(v.Vals[i])))
			default:
				at = append(at, v.Name+number(f.Desc.Type, v.Vals[i]))
			}
		}
		if parts[i] = strings.Join(at, " "); len(at) == 0 {
			parts[i] = "-"
		}
	}
	return strings.Join(parts, "; ")
}
