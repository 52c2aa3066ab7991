package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A process has, at each sample, the value of the last run at or before its row,
// unless that says that it is gone: spans tells the same, in ranges.
func TestSpans(t *testing.T) {
	draw := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		var runs []series.Run
		for row := draw.IntN(9); row < 60; row += 1 + draw.IntN(30) {
			r := series.Run{Row: uint32(row), Val: draw.Uint64()}
			r.Row |= []uint32{0, 0, series.Gone, series.Failed}[draw.IntN(4)]
			runs = append(runs, r)
		}
		rows := make([]int, 1+draw.IntN(60))
		for i := range rows {
			rows[i] = draw.IntN(64) - 1
		}
		slices.Sort(rows) // the same row again, and -1, is what a metric has that is logged more rarely
		first, last := draw.IntN(len(rows)+2)-1, draw.IntN(len(rows)+2)-1
		var want, got []string
		for k := max(first, 0); k <= min(last, len(rows)-1); k++ {
			at := -1
			for r := range runs {
				if int(runs[r].Row&series.RowNum) <= rows[k] {
					at = r
				}
			}
			if at >= 0 && runs[at].Row&(series.Gone|series.Failed) == 0 {
				want = append(want, fmt.Sprint(k, runs[at].Val))
			}
		}
		spans(runs, rows, first, last, func(run series.Run, from, to int) {
			for k := from; k < to; k++ {
				got = append(got, fmt.Sprint(k, run.Val))
			}
		})
		if !slices.Equal(got, want) {
			t.Fatalf("samples %d to %d at rows %v of %v: got %v, want %v", first, last, rows, runs, got, want)
		}
	}
}

// idleProcesses are processes whose counters grow in every 2000th sample.
func idleProcesses(processes, samples int) *processHost {
	p := &processHost{names: map[int32]string{}, obs: map[string]*series.Observations{}}
	p.cpu(1, float64(samples), 60)
	for _, m := range rateMetrics {
		o := &series.Observations{Desc: counter(ms)}
		for k := range samples {
			o.Times = append(o.Times, start+pcp.Time(k)*10e9)
		}
		for i := range processes {
			s := series.Series{Inst: int32(i + 1)}
			for k := 0; k < samples; k += 2000 {
				s.Runs = append(s.Runs, series.Run{Row: uint32(k), Val: math.Float64bits(float64(k))})
			}
			o.Series = append(o.Series, s)
		}
		p.obs[m] = o
	}
	return p
}

// A table of processes over a window takes time by what they did, not by the number
// of samples that they were in.
func TestTablesOfIdleProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time, under the race detector")
	}
	took := func(samples int) time.Duration {
		p := NewHost(idleProcesses(300, samples)).Processes()
		best := time.Hour
		for range 5 {
			began := time.Now()
			table, ok, err := p.Table(start, start+pcp.Time(samples)*10e9, anyBytes)
			if best = min(best, time.Since(began)); !ok || err != nil || len(table.Processes) != 300 {
				t.Fatalf("%d processes, %v", len(table.Processes), err)
			}
		}
		return best
	}
	if few, many := took(500), took(16_000); many > 8*few+20*time.Millisecond {
		t.Errorf("300 processes in 16,000 samples take %v, in 500 %v", many, few)
	}
}
