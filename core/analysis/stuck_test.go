package analysis

import (
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A process that hangs is told from one that waits and goes on. States are by sample, ten
// seconds apart; what is expected follows from where the process ran.
func TestStuck(t *testing.T) {
	long := strings.Repeat("D", 20)
	for _, tt := range []struct {
		name, as, states string
		used             []float64 // CPU time of some samples, in pairs: from the sample on, ms
		started          int       // the sample from which on the number is another process's
		cut              int       // a break before this sample
		switches         []float64 // as used, of voluntary context switches
		want             string
	}{
		{name: "three minutes", states: "SRR" + long + "R", want: "3-22 dd (PID 1) hung: it waited in state D for 3 min 10 s and did not run"},
		{name: "to the end", states: "S" + long, want: "1-20 dd (PID 1) hung: it waited in state D for 3 min 10 s and did not run"},
		{name: "twice", states: long + "R" + long, want: "0-40 dd (PID 1) hung: it waited in state D for 3 min 10 s and did not run; worst of twice, 6 min 20 s in all"},
		{name: "never for long", states: strings.Repeat("DDDDDDDDDDDDS", 3)},
		{name: "uses CPU time in between", states: long, used: []float64{10, 5}},
		{name: "uses CPU time once", states: long, used: []float64{4, 5}, want: "4-19 dd (PID 1) hung: it waited in state D for 2 min 30 s and did not run"},
		{name: "is switched in between", states: long, switches: []float64{10, 5}},
		{name: "a kernel thread", as: "000001 (dd)", states: long},
		{name: "across a break", states: long, cut: 10},
		{name: "two processes with the same number", states: long, started: 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &processHost{names: map[int32]string{1: "000001 /bin/dd"}}
			if tt.as != "" {
				p.names[1] = tt.as
			}
			if tt.cut > 0 {
				p.cuts = append(p.cuts, start+pcp.Time(tt.cut)*10e9-5e9)
			}
			n := len(tt.states)
			steps := func(pairs []float64) []float64 {
				list := make([]float64, n)
				for i := range list {
					list[i] = 100
					for k := 0; k < len(pairs); k += 2 {
						if float64(i) >= pairs[k] {
							list[i] += pairs[k+1]
						}
					}
				}
				return list
			}
			p.with("psinfo.utime", counter(ms), map[int32][]float64{1: steps(tt.used)})
			p.with("psinfo.vctxsw", pcp.Desc{Type: pcp.Double, Sem: pcp.Instant}, map[int32][]float64{1: steps(tt.switches)})
			starts := make([]float64, n)
			for i := range starts {
				starts[i] = 50
				if tt.started > 0 && i >= tt.started {
					starts[i] = 900
				}
			}
			p.with("psinfo.start_time", pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}, map[int32][]float64{1: starts})
			states := &series.Observations{Desc: pcp.Desc{Type: pcp.String, Sem: pcp.Instant}}
			one := series.Series{Inst: 1}
			for i, c := range tt.states {
				states.Times = append(states.Times, start+pcp.Time(i)*10e9)
				if i == 0 || tt.states[i-1] != byte(c) {
					one.Runs = append(one.Runs, series.Run{Row: uint32(i), Val: states.Blobs.Add([]byte(string(c)))})
				}
			}
			states.Series = []series.Series{one}
			p.obs["psinfo.sname"] = states
			_, findings := NewHost(p).Judge()
			if got := told(findings, 10e9); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
