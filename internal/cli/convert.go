package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/tables"
)

func (r *run) convert() *cobra.Command {
	c := &cobra.Command{
		Use:   "convert -o FOLDER ARCHIVE...",
		Short: "Observations as tidy tables: Parquet, Arrow, CSV, JSON lines, OpenMetrics",
		Long: `Writes every observation as it was logged: a table "samples" of series, time and value, sorted by series and time, tables "strings"
and "events" of texts and event records, and a table "series" of what each is: a file for each table. As OpenMetrics it is a text for
backfilling Prometheus and VictoriaMetrics, one for each source, with labels in place of the tables. What is in FOLDER stays there;
of the same names nothing is overwritten without --force, and files get their names when all of them are whole.`,
		Example: "  pcpscope convert -o tables web01\n  pcpscope convert -o tables --to csv -m kernel.all -m disk.dev -S 10:00 -T 11:00 web01\n" +
			"  pcpscope convert -o om --to openmetrics -S -1h web01",
	}
	var w window
	r.windowFlags(c, &w, false)
	output := c.Flags().StringP("output", "o", "", "folder for the files")
	to := c.Flags().String("to", "parquet", "parquet, arrow, csv, jsonl or openmetrics")
	c.RegisterFlagCompletionFunc("to", oneOf(tables.Formats))
	metrics := c.Flags().StringArrayP("metric", "m", nil, "a metric, a prefix of metric names, or an expression; may be repeated")
	instances := instancesFlag(c)
	c.Flags().BoolVar(&r.force, "force", false, "overwrite what exists")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *output == "" {
			return wrong("convert: -o says where to")
		}
		out, err := r.newFiled(*output)
		if err != nil {
			return err
		}
		defer out.drop()
		sink, err := tables.New(*to, out.create)
		if err != nil {
			return err
		}
		var all api.ExportReport
		all.Notes = []string{}
		sources := 0
		err = r.eachIn(c.Context(), &w, args, func(s *core.Session, src api.Source) error {
			q := api.ExportQuery{Source: src.ID, Metrics: *metrics, Instances: *instances, Start: when(w.start), End: when(w.end), Zone: r.zoneName(), Format: *to}
			report, err := s.Export(c.Context(), q, sink, r.progress)
			if err == nil {
				if report.Series > 0 && all.Series == 0 || sources == 0 {
					all.Start, all.End = report.Start, report.End
				} else if report.Series > 0 {
					all.Start, all.End = min(all.Start, report.Start), max(all.End, report.End)
				}
				sources++
			}
			all.Series, all.Samples, all.Strings, all.Events = all.Series+report.Series, all.Samples+report.Samples, all.Strings+report.Strings, all.Events+report.Events
			for _, n := range report.Notes {
				all.Notes = append(all.Notes, r.called(src)+": "+n)
			}
			return err
		})
		if err != nil {
			return err
		}
		if sources == 0 { // the problem has been noted
			return nil
		}
		if err := sink.Close(); err != nil { // then the files are not whole
			return err
		}
		if err := out.finish(); err != nil {
			return err
		}
		if r.json {
			return r.reply(nil, all)
		}
		for _, n := range all.Notes {
			r.note("%s", n)
		}
		_, err = fmt.Fprintf(r.Out, "%s series, %s in %s\n", pcp.Grouped(int64(all.Series)), pcp.Counted(int(all.Samples+all.Strings+all.Events), "value", "values"), *output)
		return err
	}
	return c
}

// filed are files of a folder, which get their final names once all are
// complete.
type filed struct {
	storage dirStorage
	dir     string
	made    bool // the folder was not there before, and is not to stay if this fails
	files   []*os.File
	force   bool
}

func (r *run) newFiled(dir string) (*filed, error) {
	made, err := makeFolder(dir)
	if err != nil {
		return nil, err
	}
	storage, err := newDirStorage(dir)
	if err != nil {
		return nil, err
	}
	return &filed{storage: storage, dir: dir, made: made, force: r.force}, nil
}

// create begins a file, unless its name is taken.
func (f *filed) create(name string) (io.Writer, error) {
	if err := free(filepath.Join(f.dir, name), f.force); err != nil {
		return nil, err
	}
	file, err := os.Create(f.storage.path(name))
	if err != nil {
		return nil, err
	}
	f.files = append(f.files, file)
	return file, nil
}

// finish gives the files their final names.
func (f *filed) finish() error {
	var names []string
	for _, file := range f.files {
		if err := file.Close(); err != nil {
			return err
		}
		names = append(names, filepath.Base(file.Name()))
	}
	err := f.storage.release(f.dir, names, f.force)
	f.made = f.made && err != nil
	return err
}

// drop removes files without their final names, and the folder if it was made for them.
func (f *filed) drop() {
	for _, file := range f.files {
		file.Close()
	}
	os.RemoveAll(f.storage.dir)
	if f.made {
		os.Remove(f.dir) // unless something else is in it
	}
}
