//go:build !race

// See readback_test.go.

package columns

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// rowsFrom makes rows from bytes: each begins with a byte that says which of
// its values are missing.
func rowsFrom(data []byte) (b []Column, rows int) {
	b = make([]Column, len(everything.Fields))
	next := func() uint64 {
		var v [8]byte
		data = data[copy(v[:], data):]
		return binary.LittleEndian.Uint64(v[:])
	}
	for ; len(data) > 0 && rows < 1000; rows++ {
		gone := data[0]
		data = data[1:]
		for i, f := range everything.Fields {
			switch f.Kind {
			case Int32:
				b[i].Int32s = append(b[i].Int32s, int32(next()))
			case Int64:
				b[i].Int64s = append(b[i].Int64s, int64(next()))
			case Float64:
				b[i].Float64s = append(b[i].Float64s, math.Float64frombits(next()))
			default:
				n := min(int(next()%40), len(data))
				b[i].Strings = append(b[i].Strings, string(data[:n]))
				data = data[n:]
			}
			if f.Nullable {
				b[i].Null = append(b[i].Null, gone>>(i%8)&1 != 0)
			}
		}
	}
	return b, rows
}

// Whatever the values are, parquet-go reads them back, and all four formats
// are valid files.
func FuzzWriters(f *testing.F) {
	f.Add([]byte{}, byte(1))
	f.Add(bytes.Repeat([]byte{0, 255, 128, 7}, 200), byte(3))
	f.Add(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 0x7f, 0xf8}, 300), byte(200))
	f.Fuzz(func(t *testing.T, data []byte, batch byte) {
		all, rows := rowsFrom(data)
		write := func(w Writer) {
			step := int(batch) + 1
			for at := 0; at < rows; at += step {
				part := make([]Column, len(all))
				for i, f := range everything.Fields {
					part[i] = slice(&all[i], f.Kind, at, min(at+step, rows))
				}
				if err := w.Write(part); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var file, arrow, comma, lines bytes.Buffer
		write(NewParquet(&file, everything))
		read, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil || read.NumRows() != int64(rows) {
			t.Fatalf("%d rows: %v", rows, err)
		}
		for i, field := range everything.Fields {
			compareColumn(t, read, i, field, &all[i])
		}
		if write(NewArrow(&arrow, everything)); !bytes.HasPrefix(arrow.Bytes(), []byte(arrowMagic)) || !bytes.HasSuffix(arrow.Bytes(), []byte(arrowMagic)) {
			t.Error("the Arrow file is not whole")
		}
		write(NewCSV(&comma, everything))
		table, err := csv.NewReader(&comma).ReadAll()
		if err != nil || len(table) != rows+1 {
			t.Fatalf("CSV of %d rows: %d, %v", rows, len(table), err)
		}
		for i, row := range table[1:] {
			if want := strconv.FormatInt(all[1].Int64s[i], 10); row[1] != want {
				t.Fatalf("row %d of CSV: %q, want %s", i, row[1], want)
			}
		}
		write(NewJSONLines(&lines, everything))
		n := 0
		for _, line := range bytes.Split(bytes.TrimSuffix(lines.Bytes(), []byte("\n")), []byte("\n")) {
			if len(line) == 0 {
				continue
			}
			if n++; !json.Valid(line) && json.Valid([]byte(all[7].Strings[n-1])) {
				t.Fatalf("%q is no JSON", line)
			}
		}
		if n != rows {
			t.Fatalf("%d lines of %d rows", n, rows)
		}
	})
}
