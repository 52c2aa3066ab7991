package interp

import (
	"fmt"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// rated prints a frame's rates as pmval 6.0.3 prints them: "!" for a counter that went backwards.
func rated(f series.Frame) string {
	var out []string
	for i := 1; i < f.Grid.Count; i++ {
		var words []string
		for _, v := range f.Vectors {
			switch v.Missing(i) {
			case series.HasValue:
				words = append(words, fmt.Sprintf("%.4g", series.Float(f.Desc.Type, v.Vals[i])))
			case series.WentBackwards:
				words = append(words, "!")
			default:
				words = append(words, "-")
			}
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, ", ")
}

// Expected values: spec/interp.md section 16.14, printed by pmval.
func TestRate(t *testing.T) {
	ts := []float64{0, 10, 20, 30, 40}
	desc := pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.MakeInDom(29, 1)}
	var list []obs
	for i, row := range [][]int{{100, 1000, 7}, {110, 1000, 8}, {130, 1100, -1}, {130, 50, 10}, {200, 60, 11}} {
		for k, v := range row {
			if v >= 0 {
				list = append(list, obs{ts[i], int32(k), v})
			}
		}
	}
	check(t, "x y z", rated(Rate(Interpolate(build(desc, list...), segment(40), steps(0, 10, 5), Options{}, nil), Options{})),
		"1 0 0.1, 2 10 0.1, 0 ! 0.1, 7 1 0.1")

	ms := func(scale uint8) pcp.Units { return pcp.Units{Time: 1, TimeScale: scale} }
	for _, tt := range []struct {
		typ  pcp.Type
		unit pcp.Units
		wrap bool
		vs   []any
		want string
	}{
		{pcp.Uint32, pcp.Units{}, false, []any{10, 20, 5, 4294967290, 4}, "1, !, 4.295e+08, !"},
		{pcp.Uint32, pcp.Units{}, true, []any{10, 20, 5, 4294967290, 4}, "1, 4.295e+08, 4.295e+08, 1"},
		{pcp.Uint64, ms(pcp.Millisec), false, []any{0, 2500, 5000, 15000, 15000}, "0.25, 0.25, 1, 0"},
		{pcp.Uint64, ms(pcp.Sec), false, []any{100, 105, 110, 120, 120}, "0.5, 0.5, 1, 0"},
		{pcp.Uint64, ms(pcp.Microsec), false, []any{0, 5000000, 5000000, 20000000, 30000000}, "0.5, 0, 1.5, 1"},
	} {
		o := single(tt.typ, pcp.Counter, ts, tt.vs...)
		o.Desc.Units = tt.unit
		opt := Options{CounterWrap: tt.wrap}
		f := Rate(Interpolate(o, segment(40), steps(0, 10, 5), opt, nil), opt)
		check(t, fmt.Sprint(tt.unit, tt.vs), rated(f), tt.want)
		back := Rate(Interpolate(o, segment(40), steps(40, -10, 5), opt, nil), opt)
		words := strings.Split(tt.want, ", ")
		for i, j := 0, 3; i < j; i, j = i+1, j-1 {
			words[i], words[j] = words[j], words[i]
		}
		check(t, "backwards", rated(back), strings.Join(words, ", "))
		logged := RawRate(Logged([]*series.Observations{o}, label, at(40), Options{}), nil, opt)
		check(t, "between observations", rated(series.Frame{Desc: logged.Desc, Grid: f.Grid, Vectors: logged.Vectors}), tt.want)
	}
	f := Rate(Interpolate(paperC, noMarks, steps(0, 25, 4), Options{}, nil), Options{})
	check(t, "reasons", reasons(f, 0), "before the first observation, no previous sample, , ")
	check(t, "units", rateDesc(pcp.Desc{Units: ms(pcp.Millisec)}).Units.String()+"|"+f.Desc.Units.String(), "|/ sec")
}

// The utilisation of moomba.client's cpu3, pmval -S 7.5 -t 5: 0.013.
func TestUtilisation(t *testing.T) {
	o := single(pcp.Uint32, pcp.Counter, []float64{5.001828, 10.003952, 14.997426}, 52479950, 52480000, 52480080)
	o.Desc.Units = pcp.Units{Time: 1, TimeScale: pcp.Millisec}
	f := Rate(Interpolate(o, segment(20), steps(7.5, 5, 2), Options{}, nil), Options{})
	check(t, "cpu3", fmt.Sprintf("%.3E", series.Float(pcp.Double, f.Vectors[0].Vals[1])), "1.300E-02")
}

func TestLogged(t *testing.T) {
	o := single(pcp.Int32, pcp.Instant, []float64{0, 20, 50}, 5, 7, 9)
	o.Voids = []series.Void{{Time: at(10), Code: -12351}, {Time: at(30)}, {Time: at(40), Code: -12350}, {Time: at(60), Code: -12389}}
	raw := Logged([]*series.Observations{o}, label, at(60), Options{})
	f := series.Frame{Desc: raw.Desc, Grid: series.Grid{Count: len(raw.Times)}, Vectors: raw.Vectors}
	check(t, "values", values(f), expand("5 - 7 - - 9 -"))
	check(t, "reasons", reasons(f, 0), ", an error was logged, , the instance is absent, an error was logged, , an error was logged")
	check(t, "codes", fmt.Sprint(raw.Vectors[0].Codes[1], ", ", raw.Vectors[0].Codes[4]), "value missing, not supported by the monitored software")
	check(t, "a part", fmt.Sprint(len(Logged([]*series.Observations{o}, at(10), at(20), Options{}).Times)), "2")

	two := Logged([]*series.Observations{single(pcp.Uint64, pcp.Counter, []float64{10, 20}, 1, 2), nil, single(pcp.Uint64, pcp.Counter, []float64{30, 40}, 3, 4)}, label, at(99), Options{})
	times, where := Union([]Raw{raw, two})
	check(t, "union", fmt.Sprint(len(times), where), "7 [[0 1 2 3 4 5 6] [1 2 3 4]]")
	cut := RawRate(two, []pcp.Time{at(25)}, Options{})
	check(t, "rates across a mark", reasons(series.Frame{Grid: series.Grid{Count: 4}, Vectors: cut.Vectors}, 0), "no previous sample, , no previous sample, ")
}
