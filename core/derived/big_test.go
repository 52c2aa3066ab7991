package derived_test

import (
	"os"
	"testing"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// fetched is a source with prefetched frames.
type fetched struct {
	*recorded
	frames map[string]*series.Frame
}

func (f *fetched) Frame(name string) (*series.Frame, error) { return f.frames[name], nil }

// BenchmarkBig computes the CPU of 977 processes over four and a half hours,
// beside the cost of fetching the operands. The archive is the one in the
// folder that PCPSCOPE_BIG names, or beside the repository.
func BenchmarkBig(b *testing.B) {
	dir := os.Getenv("PCPSCOPE_BIG")
	if dir == "" {
		dir = reference.Need(b, "corpus", "big")
	}
	a := openArchive(b, dir, "20180416.10.00")
	grid := series.Grid{Start: a.Start(), Step: 60e9, Count: int((a.End()-a.Start())/pcp.Time(60e9)) + 1}
	e, err := derived.Parse("100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))")
	if err != nil {
		b.Fatal(err)
	}
	bound, faults := e.Bind(a)
	if faults != nil {
		b.Fatal(faults)
	}
	f := &fetched{a, map[string]*series.Frame{}}
	b.Run("fetch operands", func(b *testing.B) {
		for b.Loop() {
			a.at(grid)
			for _, name := range bound.Operands {
				f.frames[name], _ = a.Frame(name)
			}
		}
	})
	b.Run("evaluate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := bound.Eval(grid, f); err != nil {
				b.Fatal(err)
			}
		}
	})
}
