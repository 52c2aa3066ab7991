package interp

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// label is the start of every archive made by hand.
const label = pcp.Time(1_500_000_000 * 1e9)

// at returns the moment sec seconds after label, to the nanosecond.
func at(sec float64) pcp.Time { return label + pcp.Time(math.Round(sec*1e9)) }

// An obs is one observation by hand: when, of which instance, what.
type obs struct {
	t    float64
	inst int32
	v    any
}

// build makes the runs that a reader would have made of observations, one
// record for each distinct time. Every row of the metric is one of those times.
func build(desc pcp.Desc, list ...obs) *series.Observations {
	o := &series.Observations{Desc: desc}
	rows := map[int32]map[pcp.Time]uint64{}
	for _, x := range list {
		t := at(x.t)
		if n := len(o.Times); n == 0 || o.Times[n-1] != t {
			o.Times = append(o.Times, t)
		}
		if rows[x.inst] == nil {
			rows[x.inst] = map[pcp.Time]uint64{}
		}
		rows[x.inst][t] = bitsOf(o, desc.Type, x.v)
	}
	for inst, seen := range rows {
		s := series.Series{Inst: inst}
		present, last := false, uint64(0)
		for r, t := range o.Times {
			v, ok := seen[t]
			switch {
			case ok && (!present || v != last):
				s.Runs = append(s.Runs, series.Run{Row: uint32(r), Val: v})
			case !ok && present:
				s.Runs = append(s.Runs, series.Run{Row: uint32(r) | series.Gone})
			}
			present, last = ok, v
		}
		o.Series = append(o.Series, s)
	}
	sort.Slice(o.Series, func(i, j int) bool { return o.Series[i].Inst < o.Series[j].Inst })
	return o
}

// single makes observations of a singular metric at times ts.
func single(typ pcp.Type, sem pcp.Semantics, ts []float64, vs ...any) *series.Observations {
	var list []obs
	for i, v := range vs {
		list = append(list, obs{ts[i], pcp.NoInstance, v})
	}
	return build(pcp.Desc{Type: typ, Sem: sem, InDom: pcp.NullInDom}, list...)
}

func bitsOf(o *series.Observations, typ pcp.Type, v any) uint64 {
	switch x := v.(type) {
	case string:
		for i := range o.Blobs.Len() {
			if string(o.Blobs.At(uint64(i))) == x {
				return uint64(i)
			}
		}
		return o.Blobs.Add([]byte(x))
	case uint64:
		return x
	case int:
		switch typ {
		case pcp.Float:
			return uint64(math.Float32bits(float32(x)))
		case pcp.Double:
			return math.Float64bits(float64(x))
		}
		return uint64(int64(x))
	case float64:
		if typ == pcp.Float {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(x)
	}
	panic(fmt.Sprintf("%T", v))
}

// text prints the values of a frame at point i: "870", "105 1050", "-".
func text(f series.Frame, i int) string {
	if len(f.Vectors) == 0 {
		return "-"
	}
	var words []string
	for _, v := range f.Vectors {
		words = append(words, value(f, v, i))
	}
	return strings.Join(words, " ")
}

func value(f series.Frame, v series.Vector, i int) string {
	if v.Missing(i) != series.HasValue {
		return "-"
	}
	x := v.Vals[i]
	switch f.Desc.Type {
	case pcp.Int32, pcp.Int64:
		return fmt.Sprint(int64(x))
	case pcp.Uint32, pcp.Uint64:
		return fmt.Sprint(x)
	case pcp.Float:
		return fmt.Sprint(math.Float32frombits(uint32(x)))
	case pcp.Double:
		return fmt.Sprint(math.Float64frombits(x))
	}
	return string(f.Blobs.At(x))
}

// values prints a whole frame, points separated by commas.
func values(f series.Frame) string {
	var words []string
	for i := range f.Grid.Count {
		words = append(words, text(f, i))
	}
	return strings.Join(words, ", ")
}

func reasons(f series.Frame, v int) string {
	var words []string
	for i := range f.Grid.Count {
		words = append(words, f.Vectors[v].Missing(i).String())
	}
	return strings.Join(words, ", ")
}

// steps is a grid of n points, in seconds after label.
func steps(start, step float64, n int) series.Grid {
	return series.Grid{Start: at(start), Step: int64(math.Round(step * 1e9)), Count: n}
}

func segment(end float64, marks ...float64) Segment {
	s := Segment{Start: label, End: at(end)}
	for _, m := range marks {
		s.Marks = append(s.Marks, at(m))
	}
	return s
}

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got  %s\n want %s", what, got, want)
	}
}
