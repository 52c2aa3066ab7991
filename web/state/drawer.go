package state

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Drawer holds the table below the panels.
type Drawer struct {
	Table  *TableData // nil while there is none
	at     pcp.Time   // the moment that tables of a moment are of
	pinned bool       // at is a moment; else the whole window
	rev    int        // of the cursor, when that was decided
	key    string     // what Table answers
	cancel context.CancelFunc
	busy   bool
}

// TableData is a table as the page shows it: virtual, sorted and filtered
// there.
type TableData struct {
	Page    string // of the drawer: "cursor", "processes", "summary", "records", "metrics", "instances", "problems"
	Title   string
	Note    string
	Name    string // of the file that it is saved as
	Empty   string // what to say where there is no row
	Rows    int
	Columns []TableColumn
	SortBy  int // column, -1 for none
	Full    float64
	Marks   []string // classes of rows, or nil
	Rev     int
}

// A TableColumn has one text or one number for each row. Where it has both,
// the texts are shown, and the numbers are what is sorted and exported.
type TableColumn struct {
	Head, Group         string
	As                  string // what it is called where it is exported, if that differs
	Kind                string // "text", "number", "bar", "figure": a number as text, "exact": the same, exported as text, "id", "badge", "time": seconds since the epoch, "action": a button, or one for each line, that picks the row
	Width               string // as CSS has it; "" for what suits the kind
	Decimals            int    // of a number, -1: as each needs; of the seconds of a time
	Strong, Faint, Mono bool
	Spare               bool // not shown until it is asked for
	Wide                bool // not shown on a narrow page until it is asked for
	Texts               []string
	Numbers             []float64
	Tags                []string     // words set apart before the text of some rows, with spaces between them; or nil
	Under               *TableColumn // of texts, in a second line
}

// Name is the column's, unlike that of any other of its table.
func (c *TableColumn) Name() string {
	if c.Group != "" {
		return c.Head + ", " + c.Group
	}
	return c.Head
}

// A TableView is what the user chose of a page of the drawer.
type TableView struct {
	Sort   string `json:"sort,omitempty"` // name of a column; "" for the table's own order
	Down   bool   `json:"down,omitempty"`
	Filter string `json:"filter,omitempty"`
	// Columns says of some, by name, whether they are shown: of those where
	// the user wants it otherwise than the page has it.
	Columns map[string]bool `json:"columns,omitempty"`
}

// Shows says whether a column is to be shown, on a narrow page or another.
func (v TableView) Shows(c *TableColumn, narrow bool) bool {
	if on, chosen := v.Columns[c.Name()]; chosen {
		return on
	}
	return !c.Spare && !(narrow && c.Wide)
}

// ViewTable keeps how the user sorted and filtered a page of the drawer.
func (a *App) ViewTable(page string, v TableView) {
	v.Columns = a.Views[page].Columns
	a.view(page, v)
}

// ShowColumn shows a column of a page of the drawer, or hides it.
func (a *App) ShowColumn(page, name string, on bool) {
	v := a.Views[page]
	v.Columns = maps.Clone(v.Columns)
	if v.Columns == nil {
		v.Columns = map[string]bool{}
	}
	v.Columns[name] = on
	a.view(page, v)
}

func (a *App) view(page string, v TableView) {
	if a.Views == nil {
		a.Views = map[string]TableView{}
	}
	a.Views[page] = v
}

// PickRow acts on a row of the drawer's table.
func (a *App) PickRow(row int) {
	w := a.current
	if w == nil || w.Drawer.Table == nil || w.Drawer.Table.Page != a.Drawer {
		return
	}
	switch a.Drawer {
	case "problems":
		if list := w.Problems(); row >= 0 && row < len(list) {
			w.ShowProblem(list[row])
		}
	case "metrics":
		if row >= 0 && row < len(w.Metrics) {
			w.Select(w.Metrics[row].Name)
		}
	}
}

// AttendDrawer sees to it that the drawer's table is of what the page shows
// now. It is called before each drawing and after each move of the cursor, under the
// lock.
func (a *App) AttendDrawer() {
	w := a.current
	if w == nil || a.Drawer == "" || a.Insight == nil {
		return
	}
	d := &w.Drawer
	switch {
	case a.HasCur:
		d.at, d.pinned, d.rev = a.Cursor, true, a.CursorRev
	case d.rev != a.CursorRev: // taken away, not only left
		d.pinned, d.rev = false, a.CursorRev
	}
	if d.pinned && (d.at < w.Window.Start || d.at > w.Window.End) {
		d.pinned = false
	}
	key := a.Drawer + fmt.Sprint(w.Window, w.Source.Loaded)
	load := w.loadSummary
	switch a.Drawer {
	case "cursor":
		key, load = "cursor"+fmt.Sprint(d.at, d.pinned, w.shownRev()), w.loadCursor
	case "processes":
		key, load = key+fmt.Sprint(d.at, d.pinned), w.loadProcesses
	case "summary":
	case "records":
		key, load = key+fmt.Sprint(w.recorded()), w.loadRecords
	case "metrics":
		key, load = "metrics"+fmt.Sprint(len(w.Metrics), len(w.Tree.states)), w.loadMetrics
	case "instances":
		key, load = "instances"+fmt.Sprint(w.Selected, w.Source.Loaded, w.Source.End), w.loadInstances
	case "problems":
		key, load = "problems"+fmt.Sprint(len(w.Source.Problems), w.Source.Loaded, w.Inspected.Done), w.loadProblems
	default:
		return
	}
	if key == d.key || d.busy {
		return
	}
	d.key = key
	load()
}

// shownRev changes with what the panels show.
func (w *Work) shownRev() int {
	rev := 0
	for _, p := range w.Panels {
		rev += p.Rev
	}
	return rev
}

// Late says that the table is not yet of what the page shows.
func (d *Drawer) Late(page string) bool { return d.busy || d.Table == nil || d.Table.Page != page }

func (d *Drawer) show(t TableData) {
	if d.Table != nil {
		t.Rev = d.Table.Rev
	}
	t.Rev++
	d.Table = &t
}

// ask runs a question of the drawer beside the loop and shows its answer.
func (w *Work) askDrawer(question func() (TableData, error)) {
	d, page := &w.Drawer, w.app.Drawer
	d.busy = true
	w.app.work(func() func() {
		t, err := question()
		return func() {
			d.busy = false
			if err != nil {
				w.app.failed(err)
				t = TableData{SortBy: -1, Empty: pcp.AsFault(err).Message}
			}
			t.Page = page
			d.show(t)
		}
	})
}

func whenAt(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }

func texts1(head, width string, n int) TableColumn {
	return TableColumn{Head: head, Kind: "text", Width: width, Texts: make([]string, 0, n)}
}

// titled puts a column of what people call the instances after theirs, the
// one at place at, where they are called anything else.
func (t *TableData) titled(at int, titles []string) {
	if !slices.ContainsFunc(titles, func(s string) bool { return s != "" }) {
		return
	}
	called := texts1("called", "minmax(90px, 1fr)", 0)
	called.Texts = titles
	t.Columns = slices.Insert(t.Columns, at+1, called)
}

// loadCursor lists the values at the cursor of all that the panels draw.
func (w *Work) loadCursor() {
	d := &w.Drawer
	t := TableData{Page: "cursor", Name: "values", SortBy: -1, Empty: "Point at a chart, or tap it, to see the values there."}
	if !d.pinned {
		d.show(t)
		return
	}
	t.Title, t.Empty = "At "+w.Clock.TimeFine(d.at), "No line is drawn here."
	list := w.ValuesAt(d.at)
	metric, instance, value, unit, why := texts1("metric", "minmax(0, 2fr)", len(list)), texts1("instance", "minmax(0, 1fr)", len(list)), texts1("value", "110px", len(list)), texts1("unit", "120px", len(list)), texts1("reason", "minmax(0, 1fr)", len(list))
	value.Strong, why.Faint = true, true
	value.Kind = "figure"
	titles := make([]string, 0, len(list))
	for _, v := range list {
		titles = append(titles, v.Title)
		value.Numbers = append(value.Numbers, v.Number)
		metric.Texts, instance.Texts, value.Texts = append(metric.Texts, v.Metric), append(instance.Texts, v.Instance), append(value.Texts, v.Value)
		unit.Texts, why.Texts = append(unit.Texts, v.Unit), append(why.Texts, v.Why)
	}
	t.Rows, t.Columns = len(list), []TableColumn{metric, instance, value, unit, why}
	t.titled(1, titles)
	d.show(t)
}

// loadProcesses lists the processes at the cursor, or over the window where
// there is none.
func (w *Work) loadProcesses() {
	q := api.ProcessQuery{Source: w.Source.ID, Start: whenAt(w.Window.Start), End: whenAt(w.Window.End)}
	at, pinned := w.Drawer.at, w.Drawer.pinned
	if pinned {
		q = api.ProcessQuery{Source: w.Source.ID, At: whenAt(at)}
	}
	w.askDrawer(func() (TableData, error) {
		t, err := w.app.Insight.Processes(w.ctx, q)
		if err != nil {
			return TableData{}, err
		}
		return w.processTable(t, pinned), nil
	})
}

// inNoSample is the row for what no logged process accounts for.
const inNoSample = "in no sample"

// spare are columns of processes that have no room at first.
var spare = []string{"waiting", "blocked", "virtual", "swapped", "voluntary", "forced", "parent"}

func (w *Work) processTable(t api.ProcessTable, moment bool) TableData {
	out := TableData{Name: "processes", Title: "At " + w.Moment(t.End), SortBy: 5, Empty: "No process was logged then."}
	if !moment {
		out.Title = w.Clock.Range(t.Start, t.End)
	}
	out.Note = w.processNote(t, moment)
	rows := slices.Clone(t.Processes)
	if t.InNoSample != nil && *t.InNoSample > 0.05 {
		rows = append([]api.Process{{Instance: -1, Command: inNoSample, Path: "programs that began and ended between two samples", CPU: t.InNoSample}}, rows...)
	}
	n := len(rows)
	has := func(column string) bool { return slices.Contains(t.Columns, column) }
	text := func(head, width string, of func(p *api.Process) string) {
		c := texts1(head, width, n)
		for i := range rows {
			c.Texts = append(c.Texts, of(&rows[i]))
		}
		c.Strong, c.Faint, c.Spare = head == "Command", head == "Path", head == "Cgroup"
		c.Wide = head != "Command" // what was used comes next
		out.Columns = append(out.Columns, c)
	}
	numeric := func(name, head, group, kind string, width, decimals int, factor float64, of func(p *api.Process) *float64) {
		if !has(name) {
			return
		}
		c := TableColumn{Head: head, Group: group, Kind: kind, Width: fmt.Sprintf("%dpx", width), Decimals: decimals, Numbers: make([]float64, n), Spare: slices.Contains(spare, name)}
		for i := range rows {
			c.Numbers[i] = math.NaN()
			if v := of(&rows[i]); v != nil {
				c.Numbers[i] = *v * factor
			}
		}
		out.Columns = append(out.Columns, c)
	}
	pid := TableColumn{Head: "PID", Kind: "id", Width: "56px", Faint: true, Numbers: make([]float64, n)}
	for i := range rows {
		pid.Numbers[i] = float64(rows[i].PID)
		if rows[i].Instance < 0 {
			pid.Numbers[i] = math.NaN()
		}
	}
	out.Columns = append(out.Columns, pid)
	text("Command", "132px", func(p *api.Process) string { return p.Command })
	text("Path", "minmax(80px, 1fr)", func(p *api.Process) string { return p.Path })
	text("User", "92px", func(p *api.Process) string { return p.User })
	text("State", "68px", func(p *api.Process) string { return p.State })
	numeric("cpu", "CPU", "% of one CPU", "bar", 70, 1, 1, func(p *api.Process) *float64 { return p.CPU })
	out.SortBy = len(out.Columns) - 1
	const mib, kib = 1.0 / (1 << 20), 1.0 / 1024
	numeric("userCPU", "user", "% of one CPU", "number", 46, 1, 1, func(p *api.Process) *float64 { return p.UserCPU })
	numeric("sysCPU", "sys", "% of one CPU", "number", 46, 1, 1, func(p *api.Process) *float64 { return p.SysCPU })
	numeric("waiting", "for a CPU", "% waiting", "number", 62, 1, 1, func(p *api.Process) *float64 { return p.Waiting })
	numeric("blocked", "for I/O", "% waiting", "number", 62, 1, 1, func(p *api.Process) *float64 { return p.Blocked })
	numeric("resident", "Resident", "MiB", "number", 62, 1, mib, func(p *api.Process) *float64 { return p.Resident })
	numeric("virtual", "Virtual", "MiB", "number", 66, 1, mib, func(p *api.Process) *float64 { return p.Virtual })
	numeric("swapped", "Swapped", "MiB", "number", 62, 1, mib, func(p *api.Process) *float64 { return p.Swapped })
	numeric("read", "Read", "KiB/s", "number", 56, 1, kib, func(p *api.Process) *float64 { return p.Read })
	numeric("write", "Write", "KiB/s", "number", 56, 1, kib, func(p *api.Process) *float64 { return p.Write })
	numeric("minor", "Minor", "faults/s", "number", 56, 0, 1, func(p *api.Process) *float64 { return p.Minor })
	numeric("major", "Major", "faults/s", "number", 56, 0, 1, func(p *api.Process) *float64 { return p.Major })
	numeric("voluntary", "Voluntary", "switches/s", "number", 62, 0, 1, func(p *api.Process) *float64 { return p.Voluntary })
	numeric("forced", "Forced", "switches/s", "number", 56, 0, 1, func(p *api.Process) *float64 { return p.Forced })
	numeric("threads", "Threads", "", "number", 50, 0, 1, func(p *api.Process) *float64 { return p.Threads })
	numeric("nice", "Nice", "", "number", 36, 0, 1, func(p *api.Process) *float64 { return p.Nice })
	numeric("processor", "CPU", "last on", "number", 42, 0, 1, func(p *api.Process) *float64 { return p.Processor })
	numeric("parent", "Parent", "PID", "id", 56, 0, 1, func(p *api.Process) *float64 { return p.Parent })
	if has("cgroup") {
		text("Cgroup", "minmax(80px, 0.5fr)", func(p *api.Process) string { return p.Cgroup })
	}
	started := TableColumn{Head: "Started", Kind: "time", Width: "148px", Texts: make([]string, n), Numbers: make([]float64, n), Tags: make([]string, n)}
	for i := range rows {
		started.Numbers[i] = math.NaN()
		if s := rows[i].Started; s != nil {
			started.Numbers[i] = s.Since(0)
		}
		switch p := &rows[i]; {
		case p.Started != nil && w.Clock.Date(*p.Started) == w.Clock.Date(t.End):
			started.Texts[i] = w.Clock.Time(*p.Started)
		case p.Started != nil:
			started.Texts[i] = w.Clock.ShortDateTime(*p.Started)
		}
		var tags []string
		if rows[i].New {
			tags = append(tags, "new")
		}
		if rows[i].Ended {
			tags = append(tags, "ended")
		}
		started.Tags[i] = strings.Join(tags, " ")
		mark := ""
		if rows[i].Instance < 0 {
			mark = "rest"
		}
		out.Marks = append(out.Marks, mark)
	}
	out.Columns = append(out.Columns, started)
	out.Rows = n
	return out
}

func (w *Work) processNote(t api.ProcessTable, moment bool) string {
	length := format.Span(round(float64(t.End - t.Start)))
	note := "rates over the " + length + " before it; "
	if !moment {
		note = "averages over " + length + "; "
	}
	if t.Machine != nil && t.Listed != nil { // first: it is what the table cannot show
		note += fmt.Sprintf("%s CPUs busy of %d, %s by listed processes", format.Number(*t.Machine/100, 2), t.CPUs, format.Number(*t.Listed/100, 2))
		if t.InNoSample != nil {
			note += ", " + format.Number(*t.InNoSample/100, 2) + " by programs in no sample"
		}
		note += "; "
	}
	return note + format.Plural(len(t.Processes), "process") + fmt.Sprintf(", %d new, %d ended", t.Started, t.Ended)
}

// loadSummary sums up every numeric series over the window.
func (w *Work) loadSummary() {
	window := w.Window
	w.askDrawer(func() (TableData, error) {
		list, err := w.app.Insight.Summary(w.ctx, api.SummaryQuery{Source: w.Source.ID, Start: whenAt(window.Start), End: whenAt(window.End)})
		if err != nil {
			return TableData{}, err
		}
		return w.summaryTable(list, window), nil
	})
}

func (w *Work) summaryTable(list []api.Summary, window Window) TableData {
	n := len(list)
	t := TableData{Name: "summary", Title: w.Clock.Range(window.Start, window.End), Note: format.Count(n) + " series, counters as rates, as pmlogsummary has them", Rows: n, SortBy: -1, Empty: "No numeric value in this window."}
	metric, instance, units := texts1("metric", "minmax(180px, 2fr)", n), texts1("instance", "minmax(90px, 1fr)", n), texts1("unit", "96px", n)
	titles := make([]string, n)
	for i := range list {
		metric.Texts = append(metric.Texts, list[i].Metric)
		name := ""
		if list[i].Instance != nil {
			name, titles[i] = list[i].Instance.Name, list[i].Title
		}
		instance.Texts, units.Texts = append(instance.Texts, name), append(units.Texts, list[i].Units)
	}
	t.Columns = []TableColumn{metric, instance, units}
	t.titled(1, titles)
	number := func(head, kind string, of func(s *api.Summary) float64) {
		c := TableColumn{Head: head, Kind: kind, Width: "78px", Decimals: -1, Numbers: make([]float64, n)}
		if kind == "time" {
			c.Decimals = 0
		}
		for i := range list {
			c.Numbers[i] = of(&list[i])
		}
		t.Columns = append(t.Columns, c)
	}
	number("average", "number", func(s *api.Summary) float64 { return s.TimeAverage })
	number("median", "number", func(s *api.Summary) float64 { return s.Median })
	number("p95", "number", func(s *api.Summary) float64 { return s.P95 })
	number("p99", "number", func(s *api.Summary) float64 { return s.P99 })
	number("minimum", "number", func(s *api.Summary) float64 { return s.Minimum })
	number("min. at", "time", func(s *api.Summary) float64 { return s.MinimumAt.Since(0) })
	number("maximum", "number", func(s *api.Summary) float64 { return s.Maximum })
	number("max. at", "time", func(s *api.Summary) float64 { return s.MaximumAt.Since(0) })
	number("std. dev.", "number", func(s *api.Summary) float64 { return s.Stddev })
	number("samples", "number", func(s *api.Summary) float64 { return float64(s.Count) })
	t.Columns[len(t.Columns)-1].Decimals = 0
	return t
}

// recorded are the metrics whose records are listed: those of the active
// panel, else the one whose details are shown.
func (w *Work) recorded() []string {
	var list []string
	p := w.find(w.Active)
	if p == nil {
		if w.Selected != "" {
			return []string{w.Selected}
		}
		return nil
	}
	for _, expression := range p.Metrics {
		if w.Metric(expression) != nil {
			list = append(list, expression)
			continue
		}
		for _, name := range named().FindAllString(expression, -1) {
			if w.Metric(name) != nil && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// mostRecords bounds the list of records.
const mostRecords = 200_000

// loadRecords lists what was logged of the active panel's metrics in the
// window: values as they stand in the archive.
func (w *Work) loadRecords() {
	metrics, window := w.recorded(), w.Window
	if len(metrics) == 0 {
		w.Drawer.show(TableData{Page: "records", SortBy: -1, Empty: "Click a panel to see what was logged for it."})
		return
	}
	w.askDrawer(func() (TableData, error) {
		f, err := w.app.Engine.Fetch(w.ctx, api.Query{Source: w.Source.ID, Metrics: metrics, Mode: "raw", Start: whenAt(window.Start), End: whenAt(window.End)}, nil)
		if err != nil {
			return TableData{}, err
		}
		sayEvents(f)
		return w.recordTable(f, metrics), nil
	})
}

func (w *Work) recordTable(f *api.Frame, metrics []string) TableData {
	t := TableData{Name: "records", Title: "As logged", SortBy: -1, Empty: "Nothing was logged for " + strings.Join(metrics, ", ") + " in this window."}
	at := TableColumn{Head: "time", Kind: "time", Width: "128px", Decimals: 6} // as pmdumplog has them
	metric, instance, value, units := texts1("metric", "minmax(160px, 2fr)", 0), texts1("instance", "minmax(90px, 1fr)", 0), texts1("value", "minmax(110px, 1fr)", 0), texts1("unit", "110px", 0)
	value.Kind, value.Strong = "exact", true
	full := false
	for i := range f.Times {
		for k := range f.Columns {
			c := &f.Columns[k]
			text := ""
			switch {
			case i < len(c.Strings) && c.Strings[i] != nil:
				text = *c.Strings[i]
			case i < len(c.Values) && !math.IsNaN(c.Values[i]):
				m := w.Metric(c.Metric)
				text = exact(c, i, m != nil && m.Type == "FLOAT")
			default:
				continue
			}
			if full = len(at.Numbers) >= mostRecords; full {
				break
			}
			name := ""
			if c.Instance != nil {
				name = c.Instance.Name
			}
			at.Numbers = append(at.Numbers, f.Start.Since(0)+f.Times[i])
			if value.Numbers = append(value.Numbers, math.NaN()); i < len(c.Values) {
				value.Numbers[len(value.Numbers)-1] = c.Values[i]
			}
			metric.Texts, instance.Texts, value.Texts, units.Texts = append(metric.Texts, c.Metric), append(instance.Texts, name), append(value.Texts, text), append(units.Texts, c.Units)
		}
	}
	t.Rows = len(at.Numbers)
	t.Note = format.Plural(t.Rows, "value") + " of " + strings.Join(metrics[:min(3, len(metrics))], ", ")
	if len(metrics) > 3 {
		t.Note += " and " + format.Count(len(metrics)-3) + " more"
	}
	if full {
		t.Note = "the first " + t.Note + "; zoom in for the rest"
	}
	t.Columns = []TableColumn{at, metric, instance, value, units}
	return t
}

// exact writes a logged value without loss: with as many digits as tell it from
// all others of its type.
func exact(c *api.Column, i int, single bool) string {
	switch list := c.Exact.(type) {
	case []int64:
		return fmt.Sprint(list[i])
	case []uint64:
		return fmt.Sprint(list[i])
	}
	if v := c.Values[i]; v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return fmt.Sprintf("%.0f", v)
	}
	if single {
		return strconv.FormatFloat(c.Values[i], 'g', -1, 32)
	}
	return fmt.Sprint(c.Values[i])
}
