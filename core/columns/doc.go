// Package columns writes tables in the formats that query engines read:
// Parquet, Arrow, CSV and JSON lines. A table has a schema, and is written in
// batches of columns.
//
// Parquet files are assembled here from the lower packages of
// github.com/parquet-go/parquet-go (the structures of the format, Thrift, delta
// encoding), Arrow files with github.com/google/flatbuffers, both compressed
// with github.com/klauspost/compress/zstd. The writers of parquet-go and of
// apache/arrow-go would add 8 MB and 23 MB to a program that is 15 MB with
// everything else in it (docs/engines.md has the figures), and the same again
// to what a page loads for an export.
package columns

import "fmt"

// A Kind is the type of a column's values.
type Kind uint8

const (
	Int32 Kind = iota
	Int64
	Float64
	String
)

// A Field describes a column.
type Field struct {
	Name     string
	Kind     Kind
	Nullable bool
	Time     bool // an Int64 of nanoseconds since 1970, UTC
	JSON     bool // a String that holds JSON, which JSON lines embed unquoted
	Sparse   bool // almost always missing: JSON lines leave it out
	// Delta is for integers that grow by about the same from row to row. Others
	// have a dictionary, as long as there are few distinct values.
	Delta bool
}

// A Schema describes a table.
type Schema struct {
	Name     string
	Fields   []Field
	SortedBy int // rows are sorted by this many of the first fields, ascending
	// Metadata are key-value pairs stored in the file, if its format supports
	// them.
	Metadata [][2]string
}

// A Column is the values of one field in a batch: the slice of its kind. Null,
// if present, says which rows have no value.
type Column struct {
	Int32s   []int32
	Int64s   []int64
	Float64s []float64
	Strings  []string
	Null     []bool
}

// A Writer writes a table.
type Writer interface {
	// Write appends rows. Columns are in the order of the schema, all of the
	// same length; they are not retained.
	Write(batch []Column) error
	// Close ends the table. It does not close the underlying writer.
	Close() error
}

func (c *Column) len(k Kind) int {
	switch k {
	case Int32:
		return len(c.Int32s)
	case Int64:
		return len(c.Int64s)
	case Float64:
		return len(c.Float64s)
	}
	return len(c.Strings)
}

// append appends rows of another column.
func (c *Column) append(k Kind, more *Column, rows int) {
	if more.Null != nil && c.Null == nil {
		c.Null = make([]bool, c.len(k), c.len(k)+rows)
	}
	if c.Null != nil {
		if more.Null != nil {
			c.Null = append(c.Null, more.Null...)
		} else {
			c.Null = append(c.Null, make([]bool, rows)...)
		}
	}
	c.Int32s = append(c.Int32s, more.Int32s...)
	c.Int64s = append(c.Int64s, more.Int64s...)
	c.Float64s = append(c.Float64s, more.Float64s...)
	c.Strings = append(c.Strings, more.Strings...)
}

// reset empties a column and keeps its memory.
func (c *Column) reset() {
	clear(c.Strings)
	*c = Column{Int32s: c.Int32s[:0], Int64s: c.Int64s[:0], Float64s: c.Float64s[:0], Strings: c.Strings[:0]}
}

// rowsOf checks a batch and returns its number of rows.
func rowsOf(s Schema, batch []Column) (int, error) {
	if len(batch) != len(s.Fields) {
		return 0, fmt.Errorf("table %s: a batch has %d columns, not %d", s.Name, len(batch), len(s.Fields))
	}
	rows := 0
	for i, f := range s.Fields {
		c := &batch[i]
		n := c.len(f.Kind)
		switch {
		case i == 0:
			rows = n
		case n != rows:
			return 0, fmt.Errorf("table %s: column %s has %d rows, not %d", s.Name, f.Name, n, rows)
		}
		if c.Null != nil && (len(c.Null) != n || !f.Nullable) {
			return 0, fmt.Errorf("table %s: column %s has rows without a value that it may not have", s.Name, f.Name)
		}
	}
	return rows, nil
}

// gathered collects the rows of a group.
type gathered struct {
	schema  Schema
	columns []Column
	rows    int
	bytes   int // of strings
}

func newGathered(s Schema) gathered {
	return gathered{schema: s, columns: make([]Column, len(s.Fields))}
}

// maxText is the most bytes of strings in a group, give or take a batch.
const maxText = 32 << 20

// add appends rows of a batch, and returns how many were taken: no more than
// fill the group.
func (g *gathered) add(batch []Column, from, rows, limit int) int {
	n := min(rows-from, limit-g.rows)
	for i, f := range g.schema.Fields {
		part := slice(&batch[i], f.Kind, from, from+n)
		g.columns[i].append(f.Kind, &part, n)
		for _, s := range part.Strings {
			g.bytes += len(s)
		}
	}
	g.rows += n
	return n
}

func (g *gathered) full(limit int) bool { return g.rows >= limit || g.bytes >= maxText }

func (g *gathered) reset() {
	for i := range g.columns {
		g.columns[i].reset()
	}
	g.rows, g.bytes = 0, 0
}

func slice(c *Column, k Kind, from, to int) (out Column) {
	switch k {
	case Int32:
		out.Int32s = c.Int32s[from:to]
	case Int64:
		out.Int64s = c.Int64s[from:to]
	case Float64:
		out.Float64s = c.Float64s[from:to]
	default:
		out.Strings = c.Strings[from:to]
	}
	if c.Null != nil {
		out.Null = c.Null[from:to]
	}
	return out
}
