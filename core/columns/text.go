package columns

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSV writes a table as comma-separated values (RFC 4180) with a header line.
// Times are nanoseconds since 1970; a missing value is an empty field, an empty
// string a pair of quotes.
type CSV struct {
	schema Schema
	w      *bufio.Writer
	line   []byte
	begun  bool
}

// NewCSV begins a file.
func NewCSV(out io.Writer, s Schema) *CSV { return &CSV{schema: s, w: bufio.NewWriterSize(out, 1<<18)} }

// Write implements Writer.
func (c *CSV) Write(batch []Column) error {
	rows, err := rowsOf(c.schema, batch)
	if err != nil {
		return err
	}
	c.head()
	for i := range rows {
		b := c.line[:0]
		for k, f := range c.schema.Fields {
			if k > 0 {
				b = append(b, ',')
			}
			col := &batch[k]
			switch {
			case col.Null != nil && col.Null[i]:
			case f.Kind == String:
				b = appendQuoted(b, col.Strings[i])
			default:
				b = appendNumber(b, col, f.Kind, i)
			}
		}
		c.line = append(b, '\n')
		if _, err := c.w.Write(c.line); err != nil {
			return err
		}
	}
	return nil
}

func (c *CSV) head() {
	if c.begun {
		return
	}
	c.begun = true
	for k, f := range c.schema.Fields {
		if k > 0 {
			c.w.WriteByte(',')
		}
		c.w.WriteString(f.Name)
	}
	c.w.WriteByte('\n')
}

// Close implements Writer.
func (c *CSV) Close() error {
	c.head()
	return c.w.Flush()
}

func appendQuoted(b []byte, s string) []byte {
	if s != "" && !strings.ContainsAny(s, "\",\n\r") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

func appendNumber(b []byte, c *Column, k Kind, i int) []byte {
	switch k {
	case Int32:
		return strconv.AppendInt(b, int64(c.Int32s[i]), 10)
	case Int64:
		return strconv.AppendInt(b, c.Int64s[i], 10)
	}
	v := c.Float64s[i]
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 && (v != 0 || !math.Signbit(v)) {
		return strconv.AppendInt(b, int64(v), 10)
	}
	switch {
	case math.IsInf(v, 1):
		return append(b, "inf"...)
	case math.IsInf(v, -1):
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// JSONLines writes a table as one JSON object per line. Times are nanoseconds
// since 1970; numbers that JSON lacks are strings, "inf" and "NaN".
type JSONLines struct {
	schema Schema
	w      *bufio.Writer
	line   []byte
}

// NewJSONLines begins a file.
func NewJSONLines(out io.Writer, s Schema) *JSONLines {
	return &JSONLines{schema: s, w: bufio.NewWriterSize(out, 1<<18)}
}

// Write implements Writer.
func (j *JSONLines) Write(batch []Column) error {
	rows, err := rowsOf(j.schema, batch)
	if err != nil {
		return err
	}
	for i := range rows {
		b := append(j.line[:0], '{')
		for k, f := range j.schema.Fields {
			col := &batch[k]
			null := col.Null != nil && col.Null[i]
			if null && f.Sparse {
				continue
			}
			if k > 0 {
				b = append(b, ',')
			}
			b = append(append(append(b, '"'), f.Name...), `":`...)
			switch {
			case null:
				b = append(b, "null"...)
			case f.JSON:
				b = append(b, col.Strings[i]...)
			case f.Kind == String:
				b = appendJSON(b, col.Strings[i])
			case f.Kind == Float64 && (math.IsInf(col.Float64s[i], 0) || col.Float64s[i] != col.Float64s[i]):
				b = append(appendNumber(append(b, '"'), col, f.Kind, i), '"')
			default:
				b = appendNumber(b, col, f.Kind, i)
			}
		}
		j.line = append(b, '}', '\n')
		if _, err := j.w.Write(j.line); err != nil {
			return err
		}
	}
	return nil
}

// appendJSON appends a string as JSON.
func appendJSON(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] >= utf8.RuneSelf {
			quoted, _ := json.Marshal(s)
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// Close implements Writer.
func (j *JSONLines) Close() error { return j.w.Flush() }
