package interp_test

import (
	"fmt"
	"testing"

	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// BenchmarkBig asks about 1,080 metrics with 36,890 series over four and a
// half hours, when the archive lies beside the repository.
func BenchmarkBig(b *testing.B) {
	reference.Need(b)
	a := load(b, reference.Sets(b)[1], "20180416.10.00")
	seg := segmentOf(a)
	var all []*series.Observations
	var utime *series.Observations
	for _, m := range a.Metrics() {
		if o, ok := a.Observations(m.PMID); ok && m.Type.Numeric() {
			all = append(all, o)
			if len(m.Names) > 0 && m.Names[0] == "proc.psinfo.utime" {
				utime = o
			}
		}
	}
	grid := func(step int64) series.Grid {
		return series.Grid{Start: seg.Start, Step: step * 1e9, Count: int(int64(seg.End-seg.Start)/(step*1e9)) + 1}
	}
	for _, step := range []int64{60, 10, 1} {
		b.Run(fmt.Sprintf("utime/step=%ds", step), func(b *testing.B) {
			for b.Loop() {
				interp.Interpolate(utime, seg, grid(step), interp.Options{}, nil)
			}
		})
	}
	b.Run("rate of utime/step=60s", func(b *testing.B) {
		f := interp.Interpolate(utime, seg, grid(60), interp.Options{}, nil)
		for b.Loop() {
			interp.Rate(f, interp.Options{})
		}
	})
	b.Run("every metric/step=60s", func(b *testing.B) {
		for b.Loop() {
			f := interp.NewFetcher([]interp.Segment{seg}, grid(60), interp.Options{})
			for _, o := range all {
				f.Frame([]*series.Observations{o}, nil)
			}
		}
	})
	for _, opt := range []interp.SummaryOptions{{}, {Distribution: true}} {
		b.Run(fmt.Sprintf("summary of all/distribution=%v", opt.Distribution), func(b *testing.B) {
			for b.Loop() {
				s := interp.NewSummariser([]interp.Segment{seg}, pcp.Span{Start: seg.Start, End: seg.End}, opt)
				for _, o := range all {
					s.Metric([]*series.Observations{o})
				}
			}
		})
	}
}
