package tables

import (
	"errors"

	"pcpscope/core/columns"
	"pcpscope/core/export"
	"pcpscope/core/pcp"
)

var about = [][2]string{{"pcpscope.tables", Version}}

var samplesSchema = columns.Schema{Name: "samples", SortedBy: 2, Metadata: about, Fields: []columns.Field{
	{Name: "series", Kind: columns.Int32, Delta: true},
	{Name: "time", Kind: columns.Int64, Time: true},
	{Name: "value", Kind: columns.Float64},
	{Name: "exact", Kind: columns.String, Nullable: true, Sparse: true},
}}

var stringsSchema = columns.Schema{Name: "strings", SortedBy: 2, Metadata: about, Fields: []columns.Field{
	{Name: "series", Kind: columns.Int32, Delta: true},
	{Name: "time", Kind: columns.Int64, Time: true},
	{Name: "value", Kind: columns.String},
}}

var eventsSchema = columns.Schema{Name: "events", SortedBy: 2, Metadata: about, Fields: []columns.Field{
	{Name: "series", Kind: columns.Int32, Delta: true},
	{Name: "logged", Kind: columns.Int64, Time: true},
	{Name: "time", Kind: columns.Int64, Time: true},
	{Name: "flags", Kind: columns.String},
	{Name: "missed", Kind: columns.Int32},
	{Name: "parameters", Kind: columns.String, JSON: true},
}}

var seriesSchema = columns.Schema{Name: "series", SortedBy: 1, Metadata: about, Fields: []columns.Field{
	{Name: "series", Kind: columns.Int32, Delta: true},
	{Name: "host", Kind: columns.String},
	{Name: "source", Kind: columns.String},
	{Name: "metric", Kind: columns.String},
	{Name: "instance", Kind: columns.String, Nullable: true},
	{Name: "instance_id", Kind: columns.Int32, Nullable: true},
	{Name: "type", Kind: columns.String},
	{Name: "semantics", Kind: columns.String},
	{Name: "units", Kind: columns.String},
	{Name: "labels", Kind: columns.String, JSON: true},
}}

// tables is the sink that writes four tables.
type tables struct {
	series, samples, strings, events columns.Writer
	n                                int32 // number of series so far
	ids                              []int32
	nulls                            []bool
}

// Series implements export.Sink.
func (t *tables) Series(s *export.Series) error {
	name, null := "", []bool{s.Instance == nil}
	if s.Instance != nil {
		name = *s.Instance
	}
	t.n++
	one := func(text string) columns.Column { return columns.Column{Strings: []string{text}} }
	return t.series.Write([]columns.Column{
		{Int32s: []int32{t.n - 1}}, one(s.Host), one(s.Source), one(s.Metric), {Strings: []string{name}, Null: null}, {Int32s: []int32{s.InstanceID}, Null: null},
		one(s.Type), one(s.Semantics), one(s.Units), one(s.Labels),
	})
}

// same is a column that repeats the number of the series n times.
func (t *tables) same(n int) columns.Column {
	for len(t.ids) < n {
		t.ids = append(t.ids, 0)
	}
	for i := range t.ids[:n] {
		t.ids[i] = t.n - 1
	}
	return columns.Column{Int32s: t.ids[:n]}
}

// none is a column without any value.
func (t *tables) none(n int, texts []string) columns.Column {
	for len(t.nulls) < n {
		t.nulls = append(t.nulls, true)
	}
	return columns.Column{Strings: texts, Null: t.nulls[:n]}
}

var empty = make([]string, 1<<16)

// Samples implements export.Sink.
func (t *tables) Samples(times []pcp.Time, values []float64, exact []string) error {
	for from := 0; from < len(times); {
		n := min(len(times)-from, len(empty))
		digits := t.none(n, empty[:n])
		if exact != nil {
			part := exact[from : from+n]
			digits = columns.Column{Strings: part, Null: make([]bool, n)}
			for i, s := range part {
				digits.Null[i] = s == ""
			}
		}
		if err := t.samples.Write([]columns.Column{t.same(n), {Int64s: stamps(times[from : from+n])}, {Float64s: values[from : from+n]}, digits}); err != nil {
			return err
		}
		from += n
	}
	return nil
}

// Strings implements export.Sink.
func (t *tables) Strings(times []pcp.Time, values []string) error {
	return t.strings.Write([]columns.Column{t.same(len(times)), {Int64s: stamps(times)}, {Strings: values}})
}

// Events implements export.Sink.
func (t *tables) Events(list []export.Event) error {
	var logged, at columns.Column
	var flags, missed, params columns.Column
	for _, e := range list {
		logged.Int64s = append(logged.Int64s, int64(e.Logged))
		at.Int64s = append(at.Int64s, int64(e.Time))
		flags.Strings = append(flags.Strings, e.Flags)
		missed.Int32s = append(missed.Int32s, int32(e.Missed))
		params.Strings = append(params.Strings, e.Parameters)
	}
	return t.events.Write([]columns.Column{t.same(len(list)), logged, at, flags, missed, params})
}

// Close implements export.Sink.
func (t *tables) Close() error {
	return errors.Join(t.samples.Close(), t.strings.Close(), t.events.Close(), t.series.Close())
}

func stamps(times []pcp.Time) []int64 {
	out := make([]int64, len(times))
	for i, v := range times {
		out[i] = int64(v)
	}
	return out
}
