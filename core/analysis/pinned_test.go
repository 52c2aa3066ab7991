package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A process that uses one CPU for an hour is found, whatever a few samples say.
// Use is given in pairs: samples, ten seconds apart, and percent of one CPU. The
// first sample has no use; what is expected follows from the sums.
func TestPinned(t *testing.T) {
	const nothing = ""
	for _, tt := range []struct {
		name string
		use  []float64
		cut  int // a break before this sample
		want string
	}{
		{"for an hour", []float64{361, 100}, 0, "0-360 spin (PID 1) used 100 % of one CPU for 1 h"},
		{"three single samples", []float64{136, 100, 1, 90, 134, 100, 1, 90, 134, 100, 1, 90, 134, 100}, 0, "0-540 spin (PID 1) used 100 % of one CPU for 1 h 30 min"},
		{"three pauses of half a minute", []float64{136, 100, 3, 10, 134, 100, 3, 0, 134, 100, 3, 10, 134, 100}, 0, "0-546 spin (PID 1) used 98 % of one CPU for 1 h 31 min"}, // 5,376 of 5,460 s
		{"begins and ends with less", []float64{31, 80, 360, 100, 30, 80}, 0, "30-390 spin (PID 1) used 100 % of one CPU for 1 h"},
		{"not quite an hour", []float64{350, 100, 100, 0}, 0, nothing},
		{"pauses of five minutes", []float64{161, 100, 30, 0, 170, 100, 30, 0, 160, 100}, 0, nothing},
		{"every other 20 s", repeated(300, 2, 100, 2, 50), 0, nothing},
		{"three threads, a third of the time", repeated(40, 3, 300, 6, 0), 0, nothing},
		{"twice, hours apart", []float64{361, 100, 720, 0, 400, 100}, 0, "0-1480 spin (PID 1) used 100 % of one CPU for 1 h 7 min; longest of twice, 2 h 7 min in all"},
		{"across a break", []float64{361, 100}, 180, nothing},
		{"after a break", []float64{403, 100}, 30, "30-402 spin (PID 1) used 100 % of one CPU for 1 h 2 min"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &processHost{names: map[int32]string{1: "000001 /bin/spin"}}
			if tt.cut > 0 {
				p.cuts = append(p.cuts, start+pcp.Time(tt.cut)*10e9-5e9)
			}
			vals := growing(level(tt.use...))
			for i := range vals {
				vals[i] *= 10 // percent to ms in a second
			}
			p.with("psinfo.utime", counter(ms), map[int32][]float64{1: vals})
			_, findings := NewHost(p).Judge()
			if got := told(findings, 10e9); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// repeated is pairs, n times.
func repeated(n int, pairs ...float64) []float64 { return slices.Repeat(pairs, n) }

// told is what findings say, a line each, with the samples at which they begin and end.
func told(findings []api.Finding, step pcp.Time) string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%d-%d %s", (f.Start-start)/step, (f.End-start)/step, f.Text))
	}
	return strings.Join(lines, "\n")
}
