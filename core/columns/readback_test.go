//go:build !race

// Compiling parquet-go for the race detector takes longer than all tests of this
// package, and reading a file back is done by one goroutine.

package columns

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
	_ "github.com/parquet-go/parquet-go/compress/zstd"
)

// parquet-go reads what was written.
func TestParquetReadsBack(t *testing.T) {
	for _, c := range []struct{ rows, batch, groups, distinct int }{
		{0, 1, 0, 10}, {1, 1, 0, 10}, {9, 4, 0, 10}, {1000, 256, 3, 300}, {pageRows + 77, 50_000, 0, 1 << 20}, {5000, 5000, 0, 1 << 30},
	} {
		r := rand.New(rand.NewPCG(1, uint64(c.rows)))
		var file bytes.Buffer
		w := NewParquet(&file, everything)
		want := make([]Column, len(everything.Fields))
		batches := 0
		for at := 0; at < c.rows; at += c.batch {
			b := some(r, at, min(c.batch, c.rows-at), c.distinct)
			for i, f := range everything.Fields {
				want[i].append(f.Kind, &b[i], b[i].len(f.Kind))
			}
			if err := w.Write(b); err != nil {
				t.Fatal(err)
			}
			if batches++; batches < c.groups {
				w.EndGroup()
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if c.rows > 0 && len(f.RowGroups()) != max(1, c.groups) {
			t.Errorf("%d rows: %d groups", c.rows, len(f.RowGroups()))
		}
		if v, _ := f.Lookup("made by"); v != "a test" || f.NumRows() != int64(c.rows) {
			t.Errorf("%d rows: metadata %q, %d rows", c.rows, v, f.NumRows())
		}
		for i, field := range everything.Fields {
			compareColumn(t, f, i, field, &want[i])
		}
	}
}

// compareColumn compares a column with what parquet-go reads, and its pages
// with the bounds in the index.
func compareColumn(t *testing.T, f *parquet.File, i int, field Field, want *Column) {
	t.Helper()
	row := 0
	for _, g := range f.RowGroups() {
		chunk := g.ColumnChunks()[i]
		index, err := chunk.ColumnIndex()
		if errors.Is(err, parquet.ErrMissingColumnIndex) && field.Name == "note" { // a text is too long for a bound
			index, err = nil, nil
		}
		if err != nil {
			t.Fatalf("%s: %v", field.Name, err)
		}
		pages := chunk.Pages()
		for p := 0; ; p++ {
			page, err := pages.ReadPage()
			if err != nil {
				break
			}
			values := make([]parquet.Value, page.NumValues())
			n, _ := page.Values().ReadValues(values)
			if n != len(values) {
				t.Fatalf("%s: %d values of %d", field.Name, n, len(values))
			}
			for _, v := range values {
				if !sameValue(v, want, field.Kind, row) {
					t.Fatalf("%s, row %d: %v", field.Name, row, v)
				}
				if index != nil && !v.IsNull() && (page.Type().Compare(v, index.MinValue(p)) < 0 || page.Type().Compare(v, index.MaxValue(p)) > 0) {
					t.Fatalf("%s, row %d: %v is not between %v and %v", field.Name, row, v, index.MinValue(p), index.MaxValue(p))
				}
				row++
			}
		}
		pages.Close()
	}
	if row != want.len(field.Kind) {
		t.Errorf("%s: %d rows, not %d", field.Name, row, want.len(field.Kind))
	}
}

func sameValue(v parquet.Value, c *Column, k Kind, i int) bool {
	if c.Null != nil && c.Null[i] {
		return v.IsNull()
	}
	switch k {
	case Int32:
		return v.Int32() == c.Int32s[i]
	case Int64:
		return v.Int64() == c.Int64s[i]
	case Float64:
		return math.Float64bits(v.Double()) == math.Float64bits(c.Float64s[i])
	}
	return string(v.ByteArray()) == c.Strings[i]
}
