package interp

import (
	"fmt"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// processes makes a metric like proc.psinfo.utime of a busy day: 1,629 rows
// 10 s apart, 977 instances of which a third live all the time, 25 changes each.
func processes(sem pcp.Semantics) (*series.Observations, Segment) {
	o := &series.Observations{Desc: pcp.Desc{Type: pcp.Uint32, Sem: sem, InDom: pcp.MakeInDom(3, 9)}}
	for i := range 1629 {
		o.Times = append(o.Times, at(float64(i)*10.001))
	}
	for id := range 977 {
		s := series.Series{Inst: int32(id)}
		first, last := 0, 1629
		if id%3 > 0 {
			first, last = id, id+600
		}
		for k := range 25 {
			s.Runs = append(s.Runs, series.Run{Row: uint32(first + k*(min(last, 1629)-first)/25), Val: uint64(id * k)})
		}
		if last < 1629 {
			s.Runs = append(s.Runs, series.Run{Row: uint32(last) | series.Gone})
		}
		o.Series = append(o.Series, s)
	}
	return o, segment(1629 * 10.001)
}

func BenchmarkFrame(b *testing.B) {
	for _, sem := range []pcp.Semantics{pcp.Counter, pcp.Instant, pcp.Discrete} {
		for _, step := range []float64{60, 10, 1} {
			b.Run(fmt.Sprintf("%v/step=%vs", sem, step), func(b *testing.B) {
				o, seg := processes(sem)
				n := int(1629 * 10.001 / step)
				b.ReportMetric(float64(n*len(o.Series)), "values/op")
				for b.Loop() {
					Interpolate(o, seg, steps(0, step, n), Options{}, nil)
				}
			})
		}
	}
}
