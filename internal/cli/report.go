package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/zone"
	"pcpscope/wasm/engine"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/report"
	"pcpscope/web/timeline"
)

func (r *run) report() *cobra.Command {
	c := &cobra.Command{
		Use:   "report ARCHIVE...",
		Short: "What is known of a source, as a text or as a page with charts",
		Long: `Says what is missing, what was found, the worst case of each resource and what became of the host, as a text of at most 80 columns and,
for months too, about 80 lines. With --html it is the report that the page prints and saves: one file with the charts of a dashboard,
which any browser opens; nothing is fetched and no script runs.`,
		Example: "  pcpscope report web01\n  pcpscope report --html -o web01.html web01\n  pcpscope report --html --dashboard disks -S 10:00 -T 11:00 web01 > disks.html",
	}
	var w window
	r.windowFlags(c, &w, false)
	f := c.Flags()
	html := f.Bool("html", false, "one HTML file with charts")
	output := f.StringP("output", "o", "", "output file, or a folder for one file per source; default: standard output")
	dashboard := f.String("dashboard", "", "with --html: ID of the dashboard whose charts are shown; default: the first one")
	f.BoolVar(&r.force, "force", false, "overwrite what exists")
	c.RunE = func(c *cobra.Command, args []string) error {
		if !*html && *dashboard != "" {
			return wrong("report: --dashboard goes with --html")
		}
		if !*html && w != (window{}) {
			return wrong("report: a window goes with --html; the text is about the whole archive")
		}
		if r.json && (*html || *output != "") {
			return wrong("report: --json is the overview, on the standard output; --html and -o do not go with it")
		}
		folder := isFolder(*output)
		if *output != "" {
			if err := haveFolder(filepath.Dir(filepath.Clean(*output))); err != nil {
				return err
			}
		}
		made := func() error { return nil } // the report of the only source, once it is known to be that
		written := false
		err := r.eachIn(c.Context(), &w, args, func(s *core.Session, src api.Source) error {
			if r.json {
				o, err := s.Overview(c.Context(), src.ID, r.progress)
				if err != nil {
					return err
				}
				return r.reply(&src, o)
			}
			if written && !folder && (*html || *output != "") {
				return wrong("%s is another source, and one file holds the report of one: -o takes a folder, too.", r.called(src))
			}
			written = true
			text, err := r.reportOn(c.Context(), s, src, w, *dashboard, *html)
			if err != nil {
				return err
			}
			name := *output
			if folder {
				base := filepath.Base(src.Name)
				if r.apart { // archives in other folders may have the same name
					base = filepath.Base(folderOf(src)) + "-" + base
				}
				name = filepath.Join(name, base+"-report"+map[bool]string{true: ".html", false: ".txt"}[*html])
			}
			if !folder && (*html || name != "") {
				made = func() error { return r.writeReport(name, text) }
				return nil
			}
			return r.writeReport(name, text)
		})
		if err != nil {
			return err
		}
		return made()
	}
	return c
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return strings.HasSuffix(filepath.ToSlash(name), "/") || err == nil && info.IsDir()
}

// writeReport writes a file, which gets its final name once it is complete; ""
// is standard output.
func (r *run) writeReport(name, text string) error {
	if name == "" {
		_, err := io.WriteString(r.exact, text)
		return err
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return r.writeThrough(name, text)
	}
	dir, base := filepath.Dir(name), filepath.Base(name)
	if _, err := makeFolder(dir); err != nil { // what -o names, if it ends in a slash
		return err
	}
	storage, err := newDirStorage(dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(storage.dir)
	if err := os.WriteFile(storage.path(base), []byte(text), 0o666); err != nil {
		return pcp.Faultf(pcp.Internal, "%v.", err)
	}
	if err := storage.release(dir, []string{base}, r.force); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Out, "%s: %s\n", name, format.Bytes(float64(len(text))))
	return err
}

// writeThrough writes to what a link leads to, or into a pipe or device: renaming a finished
// file would take the place of /dev/stdout.
func (r *run) writeThrough(name, text string) error {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		if err := free(name, r.force); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err == nil {
		_, err = io.WriteString(f, text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return pcp.Faultf(pcp.Internal, "%v.", err)
	}
	return nil
}

// reportOn makes the report with the page's application, without a page.
func (r *run) reportOn(ctx context.Context, s *core.Session, src api.Source, w window, dashboard string, html bool) (string, error) {
	span, err := s.Window(src.ID, when(w.start), when(w.end), r.zoneName())
	if err != nil {
		return "", err
	}
	view := newViewer(s)
	view.Page.Lazy = !html // charts that are not written need no values
	window := timeline.Window{Start: span.Start, End: span.End}
	if w.start == "" && w.end == "" {
		window = timeline.Window{Start: pcp.MinTime, End: pcp.MaxTime}
	}
	tab := view.Intake.Attach(src, window)
	if r.zone != "" && !tab.Times.SetZone(r.zoneName()) {
		return "", wrong("report: no zone is called %q", r.zone)
	}
	view.rest(ctx)
	if dashboard != "" {
		tab.Dashboard.Open(dashboard)
		if view.rest(ctx); tab.Dashboard.Shown == nil || tab.Dashboard.Shown.ID != dashboard {
			return "", pcp.Faultf(pcp.BadArgument, "There is no dashboard %q for %s. It has %s.", dashboard, src.Name, strings.Join(view.dashboards(), ", "))
		}
	}
	if tab.Fault != nil {
		return "", tab.Fault
	}
	if !html {
		text := ""
		tab.Reports.Text(func(made *report.Report) { text = made.Text(false) })
		view.rest(ctx)
		return text, ctx.Err()
	}
	for range 2 { // first the days, then the unusual ones
		view.RefreshDays()
		view.rest(ctx)
	}
	text := ""
	tab.Reports.Page(func(made *report.Report) { text = made.HTML() })
	view.rest(ctx)
	return text, ctx.Err()
}

// A viewer is the page's application without a page: its queries are answered
// in this process, one at a time.
type viewer struct {
	*app.App
	jobs []func()
}

func newViewer(s *core.Session) *viewer {
	v := &viewer{App: app.New(&inside{Server: engine.NewServer(s, nil, nil)}, alone{})}
	v.Go = func(job func()) { v.jobs = append(v.jobs, job) }
	v.Version = version()
	v.Page.Resolve = func(name string) (format.OffsetFunc, bool) {
		loc, err := zone.Load(name, time.LoadLocation)
		if err != nil {
			return nil, false
		}
		return func(unix int64) int {
			_, east := time.Unix(unix, 0).In(loc).Zone()
			return east
		}, true
	}
	return v
}

// rest runs everything that is pending.
func (v *viewer) rest(ctx context.Context) {
	for len(v.jobs) > 0 && ctx.Err() == nil {
		job := v.jobs[0]
		v.jobs = v.jobs[1:]
		job()
	}
}

// dashboards are the IDs of those that show something.
func (v *viewer) dashboards() []string {
	var list []string
	for _, d := range v.Current().Dashboard.List {
		if d.Available {
			list = append(list, d.ID)
		}
	}
	return list
}

// inside passes queries to the engine in this process.
type inside struct {
	*engine.Server
	calls int
}

func (i *inside) Call(ctx context.Context, method string, in rpc.Message, progress func(api.Progress)) (rpc.Message, error) {
	i.calls++
	if progress == nil {
		progress = func(api.Progress) {}
	}
	out, fault := i.Server.Call(ctx, i.calls, method, in, progress)
	if fault != nil {
		return out, fault
	}
	return out, nil
}

// alone is a no-op lock for a single goroutine.
type alone struct{}

func (alone) Lock()         {}
func (alone) UnlockOnly()   {}
func (alone) UnlockRender() {}
