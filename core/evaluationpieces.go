package core

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A piece is a range of the moments at which an expression is evaluated, with
// the number of moments before it that its first values need.
type piece struct {
	from, to, back int
	crossings      []int // moments, counting those before, at which nothing is known
}

// Roughly how many values of one operand are laid out at once, and the smallest
// number of moments in a piece.
var (
	pieceValues = 1 << 20
	minPiece    = 1000
)

// piecesOf divides moments so that an expression over months takes no more
// memory than one over days. widest is the largest number of instances of an
// operand.
func piecesOf(times []pcp.Time, b *derived.Bound, widest int) []piece {
	each := max(minPiece, pieceValues/max(1, widest))
	if len(times) <= each+each/2 || b.Whole() || b.Desc.Type == pcp.String {
		return []piece{{to: len(times)}}
	}
	const second = 1_000_000_000
	reach := pcp.Time(b.History(second)+1) * second // a window in whole seconds is up to one second longer
	moments := min(b.Lookback(math.MaxInt64), len(times))
	var list []piece
	for from := 0; from < len(times); from += each {
		since, _ := slices.BinarySearch(times, times[from]-reach)
		back := min(from, max(from-since, moments))
		list = append(list, piece{from: from, to: min(len(times), from+each), back: back})
	}
	return list
}

// widest returns the largest number of instances of an operand.
func (src *source) widest(b *derived.Bound, x readState) int {
	n := 1
	for _, name := range b.Operands {
		if ms, known := src.lookup(name); known {
			for _, o := range src.timeline(ms, x).obs {
				if o != nil {
					n = max(n, len(o.Series))
				}
			}
		}
	}
	return n
}

// collected turns values computed piece by piece into the form of logged
// observations.
type collected struct {
	o     *series.Observations
	runs  map[int32]*[]series.Run
	lives *lifetimes // nil: of all instances always
}

// add appends the values of the next piece. stop is called for each series, and
// true ends the work.
func (c *collected) add(f *series.Frame, p piece, stop func(int) bool) {
	if c.runs == nil {
		c.runs = map[int32]*[]series.Run{}
		c.o.Desc, c.o.Blobs = f.Desc, f.Blobs
	}
	here := map[int32]bool{}
	for i := range f.Vectors {
		if stop(0) {
			return
		}
		v := &f.Vectors[i]
		here[v.Inst] = true
		runs := c.runs[v.Inst]
		if runs == nil {
			runs = new([]series.Run)
			c.runs[v.Inst] = runs
		}
		crossings := p.crossings
		var spans []pcp.Span
		if c.lives != nil {
			spans = c.lives.spans(v.Inst)
		}
		for row := p.from; row < p.to; row++ {
			at := row - p.from + p.back
			for len(crossings) > 0 && crossings[0] < at {
				crossings = crossings[1:]
			}
			for len(spans) > 0 && spans[0].End < c.o.Times[row] {
				spans = spans[1:]
			}
			absent := c.lives != nil && (len(spans) == 0 || spans[0].Start > c.o.Times[row])
			if absent || len(crossings) > 0 && crossings[0] == at {
				c.without(runs, row, series.Gone)
			} else if v.Missing(at) != series.HasValue {
				c.without(runs, row, series.Ended)
			} else if last := len(*runs) - 1; last < 0 || (*runs)[last].Row&series.Gone != 0 || (*runs)[last].Val != v.Vals[at] {
				*runs = append(*runs, series.Run{Row: uint32(row), Val: v.Vals[at]})
			}
		}
	}
	for inst, runs := range c.runs {
		if !here[inst] {
			c.without(runs, p.from, series.Gone)
		}
	}
}

// without ends a run: why is series.Gone or series.Ended.
func (c *collected) without(runs *[]series.Run, row int, why uint32) {
	if last := len(*runs) - 1; last >= 0 && (*runs)[last].Row&^series.RowNum != why {
		*runs = append(*runs, series.Run{Row: uint32(row) | why})
	}
}

// list returns the collected series in order of instances.
func (c *collected) list() []series.Series {
	list := make([]series.Series, 0, len(c.runs))
	for inst, runs := range c.runs {
		list = append(list, series.Series{Inst: inst, Runs: *runs})
	}
	sorting.Stable(list, func(a, b series.Series) int { return cmp.Compare(a.Inst, b.Inst) })
	return list
}
