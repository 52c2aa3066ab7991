package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A series is what a row of the table series says.
type seriesRow struct {
	Series     int             `json:"series"` // from 0 on, as the rows of samples have it
	Host       string          `json:"host"`
	Source     string          `json:"source"`
	Metric     string          `json:"metric"`
	Instance   *string         `json:"instance"`
	InstanceID *int32          `json:"instanceId"`
	Type       string          `json:"type"`
	Semantics  string          `json:"semantics"`
	Units      string          `json:"units"`
	Labels     json.RawMessage `json:"labels"`
}

// A tables takes series in the order of their numbers, and what was observed
// of each in order of time: numbers, or texts.
type tables interface {
	series(s seriesRow) error
	sample(series int, t pcp.Time, v float64, exact string) error
	text(series int, t pcp.Time, s string) error
	close() error
}

func (r *run) convert() *cobra.Command {
	c := &cobra.Command{
		Use:   "convert -o FOLDER ARCHIVE...",
		Short: "Observations as tidy tables: CSV, JSON lines, OpenMetrics",
		Long: `Writes every observation as it was logged: a table "samples" of series, time and value, sorted by series and time, a table "strings"
of texts, and a table "series" of what each is. As CSV or JSON lines, a file for each table; as OpenMetrics one text for backfilling
Prometheus and VictoriaMetrics, with labels in place of the tables. Event records are left out.`,
		Example: "  pcpscope convert -o tables -m kernel.all -m disk.dev web01\n  pcpscope convert -o om --to openmetrics -S -1h web01",
	}
	var w window
	r.windowFlags(c, &w, false)
	output := c.Flags().StringP("output", "o", "", "folder for the files")
	to := c.Flags().String("to", "csv", "csv, jsonl or openmetrics")
	metrics := c.Flags().StringArrayP("metric", "m", nil, "only this metric, or those below it")
	c.Flags().BoolVar(&r.force, "force", false, "overwrite what exists")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *output == "" {
			return wrong("convert: -o says where to")
		}
		out, err := r.newTables(*output, *to)
		if err != nil {
			return err
		}
		conv := conversion{run: r, out: out, window: w}
		err = r.each(c.Context(), args, func(s *core.Session, src api.Source) error { return conv.source(c.Context(), s, src, *metrics) })
		if err != nil {
			out.drop()
			return err
		}
		if err := out.finish(); err != nil {
			out.drop()
			return err
		}
		if conv.skipped > 0 {
			r.note("%d metrics of event records or opaque bytes are left out", conv.skipped)
		}
		if r.json {
			return r.reply(nil, map[string]int{"series": conv.n, "samples": conv.samples})
		}
		_, err = fmt.Fprintf(r.Out, "%s series, %s values in %s\n", pcp.Grouped(int64(conv.n)), pcp.Grouped(int64(conv.samples)), *output)
		return err
	}
	return c
}

// A conversion goes over sources.
type conversion struct {
	*run
	out                 *filed
	window              window
	n, samples, skipped int
}

// source writes all that was observed, metric by metric.
func (v *conversion) source(ctx context.Context, s *core.Session, src api.Source, only []string) error {
	list, err := s.Metrics(src.ID, "")
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b api.Metric) int { return cmp.Compare(a.Name, b.Name) })
	for _, m := range list {
		if len(only) > 0 && !slices.ContainsFunc(only, func(p string) bool { return m.Name == p || strings.HasPrefix(m.Name, p+".") }) {
			continue
		}
		switch m.Type {
		case "EVENT", "HIGHRES_EVENT", "AGGREGATE", "NOSUPPORT":
			v.skipped++
			continue
		}
		f, err := s.Fetch(ctx, api.Query{Source: src.ID, Metrics: []string{m.Name}, Mode: "raw", Start: when(v.window.start), End: when(v.window.end), Zone: v.zoneName()}, v.progress)
		if err != nil {
			return err
		}
		for _, col := range f.Columns {
			if col.Fault == nil {
				if err := v.column(src, m, f, col); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (v *conversion) column(src api.Source, m api.Metric, f *api.Frame, col api.Column) error {
	row := seriesRow{Series: v.n, Host: src.Host, Source: src.Name, Metric: m.Name, Type: m.Type, Semantics: m.Semantics, Units: m.Units, Labels: m.Labels}
	if col.Instance != nil {
		row.Instance, row.InstanceID = &col.Instance.Name, &col.Instance.ID
	}
	if len(row.Labels) == 0 {
		row.Labels = json.RawMessage("{}")
	}
	had := false
	for i := range f.Times {
		text := i < len(col.Strings)
		if text && col.Strings[i] == nil || !text && (i >= len(col.Values) || math.IsNaN(col.Values[i])) {
			continue
		}
		if !had {
			if err := v.out.series(row); err != nil {
				return err
			}
			v.n++
			had = true
		}
		t := f.Start + pcp.Time(math.Round(f.Times[i]*1e9))
		v.samples++
		var err error
		if text {
			err = v.out.text(row.Series, t, *col.Strings[i])
		} else {
			err = v.out.sample(row.Series, t, col.Values[i], exact(col, i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exact is a number in full: whole ones of 64 bits do not fit into a float.
func exact(col api.Column, i int) string {
	switch x := col.Exact.(type) {
	case []int64:
		return strconv.FormatInt(x[i], 10)
	case []uint64:
		return strconv.FormatUint(x[i], 10)
	}
	return strconv.FormatFloat(col.Values[i], 'g', -1, 64)
}

// filed are tables in files, which get their names when all are whole.
type filed struct {
	tables
	shelf dirShelf
	dir   string
	files []*os.File
	force bool
}

func (r *run) newTables(dir, to string) (*filed, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, pcp.Faultf(pcp.BadArgument, "%v.", err)
	}
	shelf, err := newDirShelf(dir)
	if err != nil {
		return nil, pcp.Faultf(pcp.BadArgument, "%v.", err)
	}
	f := &filed{shelf: shelf, dir: dir, force: r.force}
	open := func(name string) *bufio.Writer {
		if _, taken := os.Lstat(filepath.Join(dir, name)); !r.force && !errors.Is(taken, fs.ErrNotExist) {
			err = cmp.Or(err, error(pcp.Faultf(pcp.BadArgument, "%s exists; --force overwrites it.", filepath.Join(dir, name))))
		}
		file, failed := os.Create(shelf.path(name))
		if failed != nil {
			err = failed
			return nil
		}
		f.files = append(f.files, file)
		return bufio.NewWriterSize(file, 1<<20)
	}
	switch to {
	case "csv":
		f.tables = newCSV(open("series.csv"), open("samples.csv"), open("strings.csv"))
	case "jsonl":
		f.tables = &jsonl{open("series.jsonl"), open("samples.jsonl"), open("strings.jsonl")}
	case "openmetrics":
		f.tables = &openMetrics{w: open("openmetrics.txt"), types: map[string]string{}}
	default:
		err = wrong("convert: --to is csv, jsonl or openmetrics, not %q", to)
	}
	if err != nil {
		f.drop()
		return nil, err
	}
	return f, nil
}

func (f *filed) finish() error {
	err := f.tables.close()
	for _, file := range f.files {
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return err
	}
	for _, file := range f.files {
		name := filepath.Base(file.Name())
		if err := os.Rename(f.shelf.path(name), filepath.Join(f.dir, name)); err != nil {
			return err
		}
	}
	return os.RemoveAll(f.shelf.dir)
}

func (f *filed) drop() {
	for _, file := range f.files {
		file.Close()
	}
	os.RemoveAll(f.shelf.dir)
}

// csvTables are three files of comma-separated values (RFC 4180), each with a
// line of names.
type csvTables struct {
	all          []*bufio.Writer
	names, texts *csv.Writer
	samples      *bufio.Writer
	scratch      []byte
}

func newCSV(series, samples, strings *bufio.Writer) *csvTables {
	if series == nil || samples == nil || strings == nil {
		return nil
	}
	t := &csvTables{all: []*bufio.Writer{series, samples, strings}, names: csv.NewWriter(series), texts: csv.NewWriter(strings), samples: samples}
	t.names.Write([]string{"series", "host", "source", "metric", "instance", "instance_id", "type", "semantics", "units", "labels"})
	t.texts.Write([]string{"series", "time", "value"})
	samples.WriteString("series,time,value\n")
	return t
}

func (c *csvTables) series(s seriesRow) error {
	name, id := "", ""
	if s.Instance != nil {
		name, id = *s.Instance, strconv.Itoa(int(*s.InstanceID))
	}
	return c.names.Write([]string{strconv.Itoa(s.Series), s.Host, s.Source, s.Metric, name, id, s.Type, s.Semantics, s.Units, string(s.Labels)})
}

func (c *csvTables) sample(series int, t pcp.Time, _ float64, exact string) error {
	b := strconv.AppendInt(c.scratch[:0], int64(series), 10)
	b = strconv.AppendInt(append(b, ','), int64(t), 10)
	c.scratch = append(append(append(b, ','), exact...), '\n')
	_, err := c.samples.Write(c.scratch)
	return err
}

func (c *csvTables) text(series int, t pcp.Time, s string) error {
	return c.texts.Write([]string{strconv.Itoa(series), strconv.FormatInt(int64(t), 10), s})
}

func (c *csvTables) close() error {
	c.names.Flush()
	c.texts.Flush()
	return errors.Join(c.names.Error(), c.texts.Error(), flush(c.all))
}

func flush(list []*bufio.Writer) (err error) {
	for _, w := range list {
		err = errors.Join(err, w.Flush())
	}
	return err
}

// jsonl are the same tables as a JSON object a line.
type jsonl struct{ names, samples, texts *bufio.Writer }

func (j *jsonl) series(s seriesRow) error { return writeLine(j.names, s) }

func (j *jsonl) sample(series int, t pcp.Time, v float64, exact string) error {
	if math.IsInf(v, 0) {
		exact = strconv.Quote(exact)
	}
	_, err := fmt.Fprintf(j.samples, `{"series":%d,"time":%d,"value":%s}`+"\n", series, int64(t), exact)
	return err
}

func (j *jsonl) text(series int, t pcp.Time, s string) error {
	return writeLine(j.texts, struct {
		Series int    `json:"series"`
		Time   int64  `json:"time"`
		Value  string `json:"value"`
	}{series, int64(t), s})
}

func (j *jsonl) close() error { return flush([]*bufio.Writer{j.names, j.samples, j.texts}) }

func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// openMetrics is a text of the OpenMetrics format, version 1.0: a family for
// each metric, whose values are a counter or a gauge, with their times.
type openMetrics struct {
	w      *bufio.Writer
	family string
	types  map[string]string // families that were begun, and the metric of each
	labels string
	total  string // the ending of a counter
	out    bool   // the series is left out
}

func (o *openMetrics) series(s seriesRow) error {
	name := sanitized(s.Metric)
	if o.out = s.Type == "STRING"; o.out {
		return nil
	}
	if name != o.family {
		for n := 2; o.types[name] != ""; n++ { // a family must be in one piece
			if o.types[name] == s.Source+s.Metric {
				break
			}
			name = sanitized(s.Metric) + "_" + strconv.Itoa(n)
		}
		o.family, o.types[name] = name, s.Source+s.Metric
		kind := "gauge"
		o.total = ""
		if s.Semantics == "counter" {
			kind, o.total = "counter", "_total"
		}
		if _, err := fmt.Fprintf(o.w, "# TYPE %s %s\n# HELP %s %s in %s\n", name, kind, name, escaped(s.Metric), escaped(cmp.Or(s.Units, "no units"))); err != nil {
			return err
		}
	}
	o.labels = `hostname="` + escaped(s.Host) + `"`
	if s.Instance != nil {
		o.labels += `,instname="` + escaped(*s.Instance) + `",instid="` + strconv.Itoa(int(*s.InstanceID)) + `"`
	}
	return nil
}

func (o *openMetrics) sample(_ int, t pcp.Time, v float64, exact string) error {
	switch {
	case math.IsInf(v, 1):
		exact = "+Inf"
	case math.IsInf(v, -1):
		exact = "-Inf"
	}
	sec, nsec := t.Split()
	_, err := fmt.Fprintf(o.w, "%s%s{%s} %s %d.%09d\n", o.family, o.total, o.labels, exact, sec, nsec)
	return err
}

func (o *openMetrics) text(int, pcp.Time, string) error { return nil }

func (o *openMetrics) close() error {
	o.w.WriteString("# EOF\n")
	return o.w.Flush()
}

// sanitized is a metric's name as the format has it.
func sanitized(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func escaped(s string) string { return escaper.Replace(s) }
