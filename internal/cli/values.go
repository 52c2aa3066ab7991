package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// maxColumns is how many series are printed side by side; more are printed one
// below the other.
const maxColumns = 6

func (r *run) values() *cobra.Command {
	c := &cobra.Command{
		Use:   "values METRIC ARCHIVE...",
		Short: "Values of metrics or derived expressions over time",
		Long: `Values at regular times, interpolated as PCP's tools do, counters as rates; or, with --raw, as they were logged.
Event records are printed as text, when they were logged.
METRIC is a name or an expression of derived metrics; more of them with -m.`,
		Example: "  pcpscope values kernel.all.load -t 2min web01\n  pcpscope values disk.dev.read -m disk.dev.write -i sda,sdb -S 10:00 -T 11:00 web01\n" +
			"  pcpscope values '100 * mem.util.used / hinv.physmem' -t 10sec -s 5 web01",
		Args: cobra.MinimumNArgs(2),
	}
	var w window
	r.windowFlags(c, &w, true)
	more := c.Flags().StringArrayP("metric", "m", nil, "another metric or expression")
	instances := instancesFlag(c)
	raw := c.Flags().Bool("raw", false, "print the observations as logged")
	counters := c.Flags().BoolP("counters", "r", false, "print counters as they are, not as rates")
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("samples") && w.samples < 1 {
			return wrong("-s is a number of values, from 1 on; it is %d", w.samples)
		}
		if *raw && w.interval != "" {
			return wrong("values: --raw prints what was logged when it was, so that -t does not go with it")
		}
		found := false
		err := r.eachIn(c.Context(), &w, args[1:], func(s *core.Session, src api.Source) error {
			q := api.Query{Source: src.ID, Metrics: append([]string{args[0]}, *more...), Instances: *instances, Start: when(w.start), End: when(w.end), Interval: when(w.interval),
				Count: w.samples, Zone: r.zoneName(), Convert: "rate"}
			if *counters || *raw {
				q.Convert = "none"
			}
			src, err := s.Loaded(c.Context(), src.ID, r.progress)
			if err != nil {
				return err
			}
			if w, err := s.Window(src.ID, q.Start, q.End, q.Zone); err == nil && q.Start != nil && w.Start < src.Start {
				start := int64(src.Start) // also with -s, and what -T counts from
				q.Start = &api.When{Nanos: &start}
			}
			if err := s.HaveInstances(src.ID, q.Metrics, q.Instances); err != nil {
				return err
			}
			events, err := haveEvents(s, src, q.Metrics)
			if err != nil {
				return err
			}
			if events && w.interval != "" {
				return pcp.Faultf(pcp.BadArgument, "Event records are printed when they were logged: -t does not go with them.")
			}
			once := false
			switch {
			case *raw, events: // interpolation passes over most event records
				q.Mode = "raw"
			case q.Interval == nil && !r.json:
				if err := asLogged(c.Context(), s, src, &q); err != nil {
					return err
				}
				once = q.Mode == "raw"
			}
			f, err := r.fetch(c.Context(), s, q)
			if err != nil {
				return err
			}
			var held *api.Frame
			if once {
				if held, err = stillHeld(c.Context(), s, q, f); err != nil {
					return err
				}
			}
			some := held != nil && len(held.Columns) > 0
			for _, col := range f.Columns {
				if col.Fault != nil {
					r.note("%s: %v", r.called(src), named(col, len(q.Metrics)))
				}
				some = some || col.Fault == nil
			}
			found = found || some
			if r.json {
				return r.reply(&src, f)
			}
			if !some { // why has been noted
				return nil
			}
			r.head(src)
			if held != nil && len(held.Columns) > 0 {
				if err := r.frame(src, held); err != nil || len(f.Times) == 0 {
					return err
				}
				fmt.Fprintln(r.Out)
			}
			return r.frame(src, f)
		})
		if err == nil && !found && r.status == Done {
			r.status = Wrong
		}
		return err
	}
	return c
}

// fetch answers a query of which both ends may be given, and refuses one for what a source does not
// have or cannot compute: without its column, a table would look as if it were complete. As with
// pmval(1), Count and End limit each other, and of observations Count is how many moments there are.
func (r *run) fetch(ctx context.Context, s *core.Session, q api.Query) (*api.Frame, error) {
	f, err := s.Fetch(ctx, q, r.progress)
	if err != nil {
		return nil, err
	}
	for _, col := range f.Columns {
		if col.Fault != nil && (col.Fault.Kind == pcp.UnknownMetric || col.Fault.Kind == pcp.BadExpression) {
			return nil, named(col, len(q.Metrics))
		}
	}
	if q.Count == 0 || len(f.Times) == 0 {
		return f, nil
	}
	at := func(i int) pcp.Time { return f.Start + pcp.Time(math.Round(f.Times[i]*1e9)) }
	if n := q.Count; q.Mode == "raw" && n < len(f.Times) {
		end := int64(at(n-1) + (at(n)-at(n-1))/2) // in seconds, the moments may be a little off
		q.End = &api.When{Nanos: &end}
		return s.Fetch(ctx, q, r.progress)
	}
	if q.Mode == "raw" {
		return f, nil
	}
	w, err := s.Window(q.Source, q.Start, q.End, q.Zone)
	if err != nil {
		return nil, err
	}
	if at(len(f.Times)-1) <= w.End {
		return f, nil
	}
	q.Count = 0
	return s.Fetch(ctx, q, r.progress)
}

// named is the fault of a column, which says which one it is of where there are others.
func named(col api.Column, columns int) error {
	if columns == 1 || strings.Contains(col.Fault.Message, col.Metric) {
		return col.Fault
	}
	return pcp.Faultf(col.Fault.Kind, "%s: %s", col.Metric, col.Fault.Message)
}

// asLogged sets the interval of a query to the shortest usual one of its metrics, or of
// what was logged a few times to the shortest of all, so that none of its values is left
// out. What was logged once is printed as it was.
func asLogged(ctx context.Context, s *core.Session, src api.Source, q *api.Query) error {
	list, err := s.Cadences(ctx, src.ID, q.Metrics, false)
	const few, points = 100, 10_000
	usual, length := int64(0), int64(src.End-src.Start)
	for _, c := range list {
		n := int64(c.Usual)
		if least := int64(c.Least); c.Records < few && least > 0 && length/least < points {
			n = least
		}
		if n > 0 && (usual == 0 || n < usual) {
			usual = n
		}
	}
	if usual > 0 {
		q.Interval = &api.When{Nanos: &usual}
	} else {
		q.Mode = "raw"
	}
	return err
}

// stillHeld returns the values that metrics have at the start of a window in which they were
// not logged, such as settings, and takes their columns out of the answer that says so.
func stillHeld(ctx context.Context, s *core.Session, q api.Query, f *api.Frame) (*api.Frame, error) {
	q.Metrics, q.Mode, q.Count, q.End = nil, "", 1, nil
	for _, col := range f.Columns {
		if col.Fault != nil {
			q.Metrics = append(q.Metrics, col.Metric)
		}
	}
	if q.Metrics == nil {
		return &api.Frame{}, nil
	}
	held, err := s.Fetch(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	held.Columns = slices.DeleteFunc(held.Columns, func(col api.Column) bool { return col.Fault != nil || cell(col, 0) == "-" })
	f.Columns = slices.DeleteFunc(f.Columns, func(col api.Column) bool {
		return col.Fault != nil && slices.ContainsFunc(held.Columns, func(h api.Column) bool { return h.Metric == col.Metric })
	})
	return held, nil
}

// haveEvents reports whether one of some metrics has event records for values.
func haveEvents(s *core.Session, src api.Source, names []string) (bool, error) {
	for _, name := range names {
		list, err := s.Metrics(src.ID, name)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(list, func(m api.Metric) bool { return m.Name == name && ofEvents(m.Type) }) {
			return true, nil
		}
	}
	return false, nil
}

// frame prints columns: side by side if they are few.
func (r *run) frame(src api.Source, f *api.Frame) error {
	var columns []api.Column
	for _, col := range f.Columns {
		if col.Fault == nil {
			columns = append(columns, col)
		}
	}
	loc := r.location(src)
	times := make([]pcp.Time, len(f.Times))
	for i, seconds := range f.Times {
		times[i] = f.Start + pcp.Time(seconds*1e9)
	}
	for i := range columns {
		if ofEvents(columns[i].Type) {
			columns[i].Strings = eventTexts(&columns[i], times, loc)
		}
	}
	layout := clock(times, loc)
	at := func(i int) string { return times[i].Std().In(loc).Format(layout) }
	w := r.table()
	if len(columns) > maxColumns {
		fmt.Fprintln(w, "time\tseries\tvalue\tunits")
		none := true
		for i := range f.Times {
			for _, col := range columns {
				if v := cell(col, i); v != "-" {
					none = false
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", at(i), series(col.Metric, col.Instance), v, col.Units)
				}
			}
		}
		if none {
			r.note("%s: None of these %d series has a value at these times; counters have no rate at the first.", r.called(src), len(columns))
		}
		return w.Flush()
	}
	names, units := []string{"time"}, []string{""}
	for _, col := range columns {
		names, units = append(names, series(col.Metric, col.Instance)), append(units, orDash(col.Units))
	}
	fmt.Fprintf(w, "%s\n%s\n", strings.Join(names, "\t"), strings.Join(units, "\t"))
	for i := range f.Times {
		row := []string{at(i)}
		for _, col := range columns {
			row = append(row, cell(col, i))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// cell formats a value, "-" if there is none.
func cell(col api.Column, i int) string {
	switch exact := col.Exact.(type) {
	case []int64:
		if i < len(exact) && i < len(col.Values) && col.Values[i] == col.Values[i] {
			return fmt.Sprint(exact[i])
		}
	case []uint64:
		if i < len(exact) && i < len(col.Values) && col.Values[i] == col.Values[i] {
			return fmt.Sprint(exact[i])
		}
	}
	switch {
	case i < len(col.Strings):
		if col.Strings[i] == nil {
			return "-"
		}
		if ofEvents(col.Type) {
			return *col.Strings[i]
		}
		return fmt.Sprintf("%q", *col.Strings[i])
	case i < len(col.Values):
		return number(col.Values[i])
	}
	return "-"
}

func (r *run) summary() *cobra.Command {
	c := &cobra.Command{
		Use:     "summary ARCHIVE...",
		Short:   "Averages, extremes and percentiles of every series",
		Example: "  pcpscope summary web01\n  pcpscope summary -m kernel.all.load -m disk.dev -S 10:00 -T 11:00 web01",
	}
	var w window
	r.windowFlags(c, &w, false)
	metrics := c.Flags().StringArrayP("metric", "m", nil, "a metric or a prefix of metric names; may be repeated")
	c.RunE = func(c *cobra.Command, args []string) error {
		return r.eachIn(c.Context(), &w, args, func(s *core.Session, src api.Source) error {
			names, err := below(s, src, *metrics)
			if err != nil {
				return err
			}
			list, err := s.Summary(c.Context(), api.SummaryQuery{Source: src.ID, Metrics: names, Start: when(w.start), End: when(w.end), Zone: r.zoneName()}, r.progress)
			if err != nil {
				return err
			}
			if r.json {
				return r.reply(&src, list)
			}
			restarts, err := s.Restarts(c.Context(), src.ID, when(w.start), when(w.end), r.zoneName())
			if err != nil {
				return err
			}
			if len(list) == 0 {
				r.note("%s: No series has a number in this window; counters have rates from their second record.", r.called(src))
				return nil
			}
			r.head(src)
			if restarts != "" {
				fmt.Fprintln(r.Out, restarts+".")
			}
			w := r.table()
			fmt.Fprintln(w, "series\taverage\tminimum\tmedian\tp95\tmaximum\tcount\tunits")
			for _, s := range list {
				average := s.TimeAverage
				if s.Covered == 0 { // for no time; pmlogsummary says 0
					average = s.StochasticAverage
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", series(s.Metric, s.Instance), number(average), number(s.Minimum), number(s.Median), number(s.P95), number(s.Maximum), s.Count, s.Units)
			}
			return w.Flush()
		})
	}
	return c
}

// below expands names to metrics: a prefix gives all metrics below it.
// Expressions stay as they are.
func below(s *core.Session, src api.Source, names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		metrics, err := s.Metrics(src.ID, name)
		if err != nil {
			return nil, err
		}
		found := false
		for _, m := range metrics {
			if m.Name == name || strings.HasPrefix(m.Name, name+".") {
				list, found = append(list, m.Name), true
			}
		}
		if !found {
			list = append(list, name)
		}
	}
	return list, nil
}
