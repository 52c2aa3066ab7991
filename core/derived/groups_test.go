package derived

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// divided is a fake that supplies instances in groups of a thousand only.
type divided struct {
	*fake
	t     *testing.T
	asked int
}

func (d *divided) Frame(name string) (*series.Frame, error) {
	d.t.Errorf("all instances of %s were asked for at once", name)
	return d.fake.Frame(name)
}

func (d *divided) Groups(name string) (list [][2]int32) {
	for from := 0; from < len(d.frames[name].Vectors); from += 1000 {
		list = append(list, [2]int32{int32(from), int32(from + 999)})
	}
	return list
}

func (d *divided) FrameOf(name string, first, last int32) (*series.Frame, error) {
	d.asked++
	f := *d.frames[name]
	f.Vectors = slices.DeleteFunc(slices.Clone(f.Vectors), func(v series.Vector) bool { return v.Inst < first || v.Inst > last })
	return &f, nil
}

func (d *divided) Numbered(pcp.InDom) int32 { return int32(len(d.frames["a"].Vectors)) }

// TestAggregatesInGroups computes aggregates over the numbers 0 to 9,999, twice
// these at the second point, of which the first has no value there.
func TestAggregatesInGroups(t *testing.T) {
	const n = 10_000
	f := &fake{frames: map[string]*series.Frame{}}
	var list []series.Vector
	for i := range uint64(n) {
		v := series.Vector{Inst: int32(i), Vals: []uint64{i, 2 * i}}
		if i == 0 {
			v.Why = []series.Why{series.HasValue, series.InstanceAbsent}
		}
		list = append(list, v)
	}
	f.add("a", pcp.Desc{Type: pcp.Uint64, Sem: pcp.Instant, InDom: 1}, list...)
	grid := series.Grid{Step: 1e9, Count: 2}
	for _, c := range []struct {
		text  string
		point int
		want  float64
		delta float64 // avg() is in single precision
	}{
		{"sum(a)", 0, n * (n - 1) / 2, 0}, {"sum(a)", 1, n * (n - 1), 0},
		{"count(a)", 0, n, 0}, {"count(a)", 1, n - 1, 0},
		{"max(a)", 0, n - 1, 0}, {"max(a)", 1, 2*n - 2, 0},
		{"min(a)", 0, 0, 0}, {"min(a)", 1, 2, 0},
		{"avg(a)", 0, (n - 1) / 2.0, 1}, {"avg(a)", 1, n, 2},
		{"sum(rate(a))", 1, n * (n - 1) / 2, 0}, // each grows by its number in a second
		{"max(a * 2 - a)", 0, n - 1, 0},
	} {
		e, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		b, faults := e.Bind(f)
		if faults != nil {
			t.Fatal(faults)
		}
		d := &divided{fake: f, t: t}
		got, err := b.Eval(grid, d)
		if err != nil {
			t.Fatal(err)
		}
		v := got.Vectors[0]
		if x := series.Float(got.Desc.Type, v.Vals[c.point]); v.Missing(c.point) != series.HasValue || math.Abs(x-c.want) > c.delta {
			t.Errorf("%s is %v at point %d (%v), want %v", c.text, x, c.point, v.Missing(c.point), c.want)
		}
		if d.asked < n/1000 {
			t.Errorf("%s asked for %d groups", c.text, d.asked)
		}
	}
}
