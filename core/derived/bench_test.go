package derived

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// processes makes a source like a day of process metrics: 977 instances that
// come and go, 272 points.
func processes() (*fake, series.Grid) {
	r := rand.New(rand.NewPCG(1, 2))
	const instances, points = 977, 272
	f := &fake{frames: map[string]*series.Frame{}}
	d := pcp.Desc{Type: pcp.Uint32, Sem: pcp.Counter, InDom: pcp.MakeInDom(3, 9), Units: units("millisec")}
	for _, name := range []string{"proc.psinfo.utime", "proc.psinfo.stime"} {
		var list []series.Vector
		for i := range instances {
			v := series.Vector{Inst: int32(i * 7), Name: fmt.Sprintf("%06d command", i*7), Vals: make([]uint64, points)}
			from, to := 0, points
			if i%3 != 0 { // short-lived
				from = r.IntN(points)
				to = from + r.IntN(points-from)
				v.Why = make([]series.Why, points)
				for k := range v.Why {
					if k < from || k >= to {
						v.Why[k] = series.InstanceAbsent
					}
				}
			}
			for k := from; k < to; k++ {
				v.Vals[k] = uint64(k * i)
			}
			list = append(list, v)
		}
		f.add(name, d, list...)
	}
	f.add("hinv.ncpu", pcp.Desc{Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.NullInDom}, series.Vector{Inst: pcp.NoInstance, Vals: make([]uint64, points)})
	return f, series.Grid{Start: 1e18, Step: 60e9, Count: points}
}

func BenchmarkEval(b *testing.B) {
	f, grid := processes()
	for _, text := range []string{
		"rate(proc.psinfo.utime)",
		"100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))",
		"sum(rate(proc.psinfo.utime))",
		"avg(proc.psinfo.utime)",
		"topn(10, rate(proc.psinfo.utime))",
		"p95(rate(proc.psinfo.utime))",
		`movavg(rate(proc.psinfo.utime), "10min")`,
		`movslope(proc.psinfo.utime, "1hour")`, `movslope(proc.psinfo.utime, "1day")`,
		"delta(proc.psinfo.utime) == 0 ? mkconst(0, type=double, semantics=instant) : delta(proc.psinfo.stime) / delta(proc.psinfo.utime)",
		"matchinst(/^00000/, rate(proc.psinfo.utime))",
	} {
		bound := bound(b, f, text)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bound.Eval(grid, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBind(b *testing.B) {
	f, _ := processes()
	e, err := Parse("100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime)) / hinv.ncpu")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, faults := e.Bind(f); faults != nil {
			b.Fatal(faults)
		}
	}
}

// BenchmarkAvailable asks which built-in definitions a source allows.
func BenchmarkAvailable(b *testing.B) {
	f, _ := processes()
	for b.Loop() {
		if n := len(Builtin().Available(f)); n != 0 {
			b.Fatal(n)
		}
	}
}
