// Package tables writes observations in the tidy form that query engines like: a
// row for each value, not a column for each series.
//
//	samples  series, time, value, exact
//	strings  series, time, value
//	events   series, logged, time, flags, missed, parameters
//	series   series, host, source, metric, instance, instance_id, type, semantics, units, labels
//
// Rows are sorted by series and time; docs/engines.md describes the columns.
// Package columns writes them as Parquet, Arrow, CSV or JSON lines. Alternatively,
// numbers are written as OpenMetrics text, which has labels instead of tables.
package tables

import (
	"io"

	"pcpscope/core/columns"
	"pcpscope/core/export"
	"pcpscope/core/pcp"
)

// Version is the version of the tables, stored in files whose format has a
// place for it.
const Version = "1"

// Formats are the formats that New supports.
var Formats = []string{"parquet", "arrow", "csv", "jsonl", "openmetrics"}

// New returns the sink for a format; create opens its files. An unknown format
// is an error.
func New(format string, create func(name string) (io.Writer, error)) (export.Sink, error) {
	var table func(w io.Writer, s columns.Schema) columns.Writer
	switch format {
	case "parquet":
		table = func(w io.Writer, s columns.Schema) columns.Writer { return columns.NewParquet(w, s) }
	case "arrow":
		table = func(w io.Writer, s columns.Schema) columns.Writer { return columns.NewArrow(w, s) }
	case "csv":
		table = func(w io.Writer, s columns.Schema) columns.Writer { return columns.NewCSV(w, s) }
	case "jsonl":
		table = func(w io.Writer, s columns.Schema) columns.Writer { return columns.NewJSONLines(w, s) }
	case "openmetrics":
		return newOpenMetrics(create)
	default:
		return nil, pcp.Faultf(pcp.BadArgument, "Observations are written as parquet, arrow, csv, jsonl or openmetrics, not as %q.", format)
	}
	t := &tables{}
	for _, one := range []struct {
		to     *columns.Writer
		schema columns.Schema
	}{{&t.samples, samplesSchema}, {&t.strings, stringsSchema}, {&t.events, eventsSchema}, {&t.series, seriesSchema}} {
		w, err := create(one.schema.Name + "." + format)
		if err != nil {
			return nil, err
		}
		*one.to = table(w, one.schema)
	}
	return t, nil
}
