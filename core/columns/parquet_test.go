package columns

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var everything = Schema{Name: "all", SortedBy: 1, Metadata: [][2]string{{"made by", "a test"}}, Fields: []Field{
	{Name: "id", Kind: Int32, Delta: true},
	{Name: "time", Kind: Int64, Time: true},
	{Name: "grows", Kind: Int64, Nullable: true, Delta: true},
	{Name: "level", Kind: Float64},
	{Name: "rare", Kind: Float64, Nullable: true},
	{Name: "host", Kind: String},
	{Name: "note", Kind: String, Nullable: true},
	{Name: "labels", Kind: String, JSON: true},
	{Name: "small", Kind: Int32, Nullable: true},
}}

// some makes rows from a number on: few and many distinct values, long texts,
// rows without a value.
func some(r *rand.Rand, from, n, distinct int) []Column {
	b := make([]Column, len(everything.Fields))
	for i := range n {
		row := from + i
		b[0].Int32s = append(b[0].Int32s, int32(row/7))
		b[1].Int64s = append(b[1].Int64s, 1e18+int64(row%1000)*1_000_003)
		b[2].Int64s, b[2].Null = append(b[2].Int64s, int64(row)*97-5), append(b[2].Null, row%5 == 0)
		b[3].Float64s = append(b[3].Float64s, float64(r.IntN(distinct))/8)
		b[4].Float64s, b[4].Null = append(b[4].Float64s, r.NormFloat64()), append(b[4].Null, r.IntN(100) > 0)
		b[5].Strings = append(b[5].Strings, fmt.Sprint("host-", row%11))
		b[6].Strings, b[6].Null = append(b[6].Strings, strings.Repeat("ü", r.IntN(90))+fmt.Sprint(r.IntN(distinct))), append(b[6].Null, row%3 == 0)
		b[7].Strings = append(b[7].Strings, `{"a":1}`)
		b[8].Int32s, b[8].Null = append(b[8].Int32s, 0), append(b[8].Null, true)
	}
	return b
}

// The same rows make the same bytes, however they are batched.
func TestParquetIsDeterministic(t *testing.T) {
	write := func(batch int) []byte {
		all := some(rand.New(rand.NewPCG(3, 4)), 0, 20_000, 5000)
		var out bytes.Buffer
		w := NewParquet(&out, everything)
		for at := 0; at < 20_000; at += batch {
			part := make([]Column, len(all))
			for i, f := range everything.Fields {
				part[i] = slice(&all[i], f.Kind, at, min(at+batch, 20_000))
			}
			if err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	if !bytes.Equal(write(20_000), write(333)) {
		t.Error("other batches make another file")
	}
}

// NaN cannot be ordered, and the two zeros are equal.
func TestBoundsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
		told      bool
	}{
		{[]float64{1, math.NaN(), 3}, 0, 0, false},
		{[]float64{0, 2}, math.Copysign(0, -1), 2, true},
		{[]float64{-2, math.Copysign(0, -1)}, -2, 0, true},
		{[]float64{math.Inf(-1), math.Inf(1)}, math.Inf(-1), math.Inf(1), true},
	} {
		b := boundsOf(&Column{Float64s: c.values}, Float64)
		if b.known() != c.told {
			t.Errorf("%v: bounds %v", c.values, b.known())
		} else if c.told && (!bytes.Equal(b.low, appendPlain(nil, &Column{Float64s: []float64{c.low}}, Float64, 0)) || !bytes.Equal(b.high, appendPlain(nil, &Column{Float64s: []float64{c.high}}, Float64, 0))) {
			t.Errorf("%v: %x to %x", c.values, b.low, b.high)
		}
	}
}

// A batch that does not fit its schema is an error, and writes nothing.
func TestBatchesThatDoNotFit(t *testing.T) {
	s := Schema{Name: "two", Fields: []Field{{Name: "a", Kind: Int32}, {Name: "b", Kind: String}}}
	for _, w := range []Writer{NewParquet(new(bytes.Buffer), s), NewArrow(new(bytes.Buffer), s), NewCSV(new(bytes.Buffer), s), NewJSONLines(new(bytes.Buffer), s)} {
		for _, batch := range [][]Column{nil, {{Int32s: []int32{1}}}, {{Int32s: []int32{1}}, {Strings: []string{"x", "y"}}}, {{Int32s: []int32{1}, Null: []bool{true}}, {Strings: []string{"x"}}}} {
			if w.Write(batch) == nil {
				t.Errorf("%T takes %v", w, batch)
			}
		}
	}
}

// full is a full disk.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, fmt.Errorf("no space left on device")
	}
	return len(b), nil
}

func TestFullDisk(t *testing.T) {
	all := some(rand.New(rand.NewPCG(3, 4)), 0, 3000, 5000)
	for _, make := range []func(out io.Writer) Writer{
		func(out io.Writer) Writer { return NewParquet(out, everything) }, func(out io.Writer) Writer { return NewArrow(out, everything) },
		func(out io.Writer) Writer { return NewCSV(out, everything) }, func(out io.Writer) Writer { return NewJSONLines(out, everything) },
	} {
		write := func(out io.Writer) error {
			w := make(out)
			return errors.Join(w.Write(all), w.Close())
		}
		var whole bytes.Buffer
		if err := write(&whole); err != nil {
			t.Fatal(err)
		}
		for left := 0; left < whole.Len(); left += 1 + whole.Len()/20 {
			if write(&full{left}) == nil {
				t.Errorf("%T says nothing of a disk with room for %d of %d bytes", make(nil), left, whole.Len())
			}
		}
	}
}

// Columns are encoded in goroutines of their own, whose panics would end the
// program.
func TestPanicOfAColumn(t *testing.T) {
	w := NewParquet(io.Discard, Schema{Name: "odd", Fields: []Field{{Name: "id", Kind: Int32}, {Name: "odd", Kind: 100}}})
	err := errors.Join(w.Write([]Column{{Int32s: []int32{1}}, {Strings: []string{"a"}}}), w.EndGroup())
	if err == nil || !strings.Contains(err.Error(), "the column odd") {
		t.Errorf("error = %v, want one that names the column odd", err)
	}
}
