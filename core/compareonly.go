package core

import (
	"slices"

	"pcpscope/core/analysis"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// comparedMetric is a metric in one of two windows: its table, of rates if it is a counter, and which
// series have values, whether or not rates can be made of them.
type comparedMetric struct {
	table *analysis.Table
	span  pcp.Span
	line  timeline
	names *inDom
	seen  map[string]bool // instances that have values, by name; nil until needed
}

// without reports whether a series that has values in another window is missing from this one:
// as many records as it takes there fit in here, too, and it has no value. A counter that was
// read once has no rate, and what is logged every five minutes may not be in one of them.
func (w *comparedMetric) without(name string, other *analysis.Sample, span pcp.Span) bool {
	if other.Count < minSamples {
		return false
	}
	interval := other.Covered * span.End.Since(span.Start) / float64(other.Count)
	return w.span.End.Since(w.span.Start) >= minSamples*interval && !w.has(name)
}

// has reports whether an instance has a value; instances that were given another number are the
// same ones if they have the same name.
func (w *comparedMetric) has(name string) bool {
	if w.seen == nil {
		w.seen = map[string]bool{}
		for _, o := range w.line.obs {
			if o != nil {
				w.add(o)
			}
		}
	}
	return w.seen[name]
}

func (w *comparedMetric) add(o *series.Observations) {
	from, _ := slices.BinarySearch(o.Times, w.span.Start)
	to, at := slices.BinarySearch(o.Times, w.span.End)
	if at {
		to++
	}
	if from == to {
		return
	}
	for _, in := range o.Series {
		if valued(in.Runs, from, to, len(o.Times)) {
			w.seen[w.names.nameOf(in.Inst)] = true
		}
	}
}

// valued reports whether there is a value in the rows from one to another; rows is the
// number of all rows.
func valued(runs []series.Run, from, to, rows int) bool {
	for k, run := range runs {
		end := rows
		if k+1 < len(runs) {
			end = int(runs[k+1].Row & series.RowNum)
		}
		if run.Row&(series.Gone|series.Failed) == 0 && int(run.Row&series.RowNum) < to && end > from {
			return true
		}
	}
	return false
}
