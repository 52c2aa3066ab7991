package cli

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/internal/nodejs"
	"pcpscope/internal/reference"
)

// askEngine runs e2e/js/tables.mjs; without Node and DuckDB the test is skipped.
func askEngine(t *testing.T, question any, answer any) {
	t.Helper()
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := nodejs.Script("../..", "e2e/js/tables.mjs", string(text))
	if err != nil {
		t.Skip(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
}

type cells = []any

// statements are the SQL blocks in the guide, each with the line above it.
func statements(t *testing.T) (setup []string, questions map[string]string, order []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	questions = map[string]string{}
	for _, m := range regexp.MustCompile("(?s)([^\n]+)\n\n```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if setup == nil {
			for _, s := range strings.Split(m[2], ";\n") {
				if strings.TrimSpace(s) != "" {
					setup = append(setup, s)
				}
			}
			continue
		}
		questions[m[1]] = m[2]
		order = append(order, m[1])
	}
	return setup, questions, order
}

// DuckDB reads what convert wrote, and answers the guide's questions as the
// program does.
func TestDuckDB(t *testing.T) {
	if err := nodejs.Ready("../.."); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	out, said, status := call(t, "convert", "--json", "-o", filepath.Join(dir, "tables"), web01, db01)
	if status != Done {
		t.Fatal(said)
	}
	var converted struct{ Reply api.ExportReport }
	if err := json.Unmarshal([]byte(out), &converted); err != nil {
		t.Fatal(err)
	}
	setup, questions, order := statements(t)
	if len(order) != 11 {
		t.Fatalf("the guide has %d statements", len(order))
	}
	counts := "SELECT (SELECT count(*) FROM series), (SELECT count(*) FROM samples), (SELECT count(*) FROM strings), (SELECT count(*) FROM events), (SELECT count(exact) FROM samples), " +
		"(SELECT count(*) FROM (SELECT series, time, lag(series) OVER () s, lag(time) OVER () t FROM samples) WHERE s > series OR s = series AND t >= time)"
	all := append(append([]string{}, setup...), counts)
	for _, q := range order {
		all = append(all, questions[q])
	}
	var answers [][]cells
	askEngine(t, map[string]any{"dir": dir, "sql": all}, &answers)
	answers = answers[len(setup):]
	r := converted.Reply
	if got := fmt.Sprint(answers[0][0][:4]); got != fmt.Sprint([]int{r.Series, r.Samples, r.Strings, r.Events}) || r.Events == 0 {
		t.Errorf("DuckDB counts %s, the program %+v", got, r)
	}
	if fmt.Sprint(answers[0][0][4]) == "0" || fmt.Sprint(answers[0][0][5]) != "0" {
		t.Errorf("exact numbers and rows out of order: %v", answers[0][0])
	}
	w := newWorked(t)
	for i, q := range order {
		rows := answers[i+1]
		if strings.HasPrefix(q, "The same as pmlogsummary") {
			w.summaries(rows)
			continue
		}
		if got, want := shown(rows), w.must(q); got != want {
			t.Errorf("%s\nDuckDB says %s\nthe program   %s", q, got, want)
		}
	}
}

// shown is rows as text, numbers to six digits.
func shown(rows []cells) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, c := range row {
			text := fmt.Sprint(c)
			if v, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(v) < 1e15 {
				text = strconv.FormatFloat(v, 'g', 6, 64)
			}
			cells = append(cells, text)
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, ", ")
}

// must returns the answer to a question.
func (w *worked) must(question string) string {
	w.t.Helper()
	want, ok := w.answer(question)
	if !ok {
		w.t.Errorf("%q has no answer to compare with", question)
	}
	return want
}

// worked answers the questions of the guide with calls of the core.
type worked struct {
	t   *testing.T
	s   *core.Session
	src api.Source
	all []api.Summary
}

func newWorked(t *testing.T) *worked {
	s := core.NewSession(core.Options{})
	opened, files, err := s.OpenPath(t.Context(), nil, web01)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	w := &worked{t: t, s: s, src: opened.Sources[0]}
	if w.src, err = s.Loaded(t.Context(), w.src.ID, nil); err != nil {
		t.Fatal(err)
	}
	if w.all, err = s.Summary(t.Context(), api.SummaryQuery{Source: w.src.ID}, nil); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *worked) of(metric, instance string) api.Summary {
	for _, s := range w.all {
		if s.Metric == metric && (s.Instance == nil && instance == "" || s.Instance != nil && s.Instance.Name == instance) {
			return s
		}
	}
	w.t.Fatalf("there is no %s[%s]", metric, instance)
	return api.Summary{}
}

func (w *worked) answer(question string) (string, bool) {
	n := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	round := func(v float64, digits int) float64 {
		text := strconv.FormatFloat(v, 'f', digits, 64)
		v, _ = strconv.ParseFloat(text, 64)
		return v
	}
	for words, answer := range map[string]func() string{
		"Which hosts": func() string {
			return w.src.Host + " " + n(round(100-100*w.of("kernel.all.cpu.idle", "").TimeAverage/w.of("hinv.ncpu", "").Maximum, 1)) + ", db01.example.com 37.5"
		},
		"At what hour": func() string { // the sample lies within one
			s := w.of("kernel.all.load", "1 minute")
			return fmt.Sprintf("%d %s %d", w.src.Start.Std().UTC().Hour(), n(round(s.StochasticAverage, 4)), s.Count)
		},
		"What is the 95th": func() string {
			var list []string
			for _, name := range []string{"1 minute", "15 minute", "5 minute"} {
				list = append(list, w.src.Host+" "+name+" "+n(round(w.of("kernel.all.load", name).P95, 3)))
			}
			return strings.Join(list, ", ")
		},
		"How much was read": func() string {
			return w.src.Host + " vda " + n(w.of("disk.dev.total_bytes", "vda").Sum) + " " + n(round(100*w.of("disk.dev.avactive", "vda").TimeAverage, 3))
		},
		"When was free": func() string {
			s := w.of("mem.util.free", "")
			return w.src.Host + " " + n(s.Minimum) + " " + fmt.Sprint(int64(s.MinimumAt)/1000)
		},
	} {
		if strings.HasPrefix(question, words) {
			return answer(), true
		}
	}
	return w.logged(question)
}

// summaries compares DuckDB's summary with the program's, for every series.
func (w *worked) summaries(rows []cells) {
	had := map[string]cells{}
	for _, r := range rows {
		if r[0] == w.src.Host {
			had[fmt.Sprint(r[1], "[", r[2], "]")] = r
		}
	}
	compared := 0
	for _, s := range w.all {
		name := s.Metric + "[<nil>]"
		if s.Instance != nil {
			name = s.Metric + "[" + s.Instance.Name + "]"
		}
		r, ok := had[name]
		if !ok {
			w.t.Errorf("DuckDB has no %s", name)
			continue
		}
		for i, want := range []float64{float64(s.Count), s.TimeAverage, s.Minimum, s.Maximum} {
			got, err := strconv.ParseFloat(fmt.Sprint(r[i+3]), 64)
			if err != nil || math.Abs(got-want) > 1e-5*math.Max(math.Abs(want), 1e-9) {
				w.t.Errorf("%s, %d: DuckDB has %v, the program %v", name, i, r[i+3], want)
			}
		}
		compared++
	}
	if compared < 1000 || compared > len(rows) {
		w.t.Errorf("%d series were compared", compared)
	}
}

// raw returns the logged values of a metric.
func (w *worked) raw(metric string) *api.Frame {
	f, err := w.s.Fetch(w.t.Context(), api.Query{Source: w.src.ID, Metrics: []string{metric}, Mode: "raw"}, nil)
	if err != nil {
		w.t.Fatalf("%s: %v", metric, err)
	}
	return f
}

// logged answers questions about single values.
func (w *worked) logged(question string) (string, bool) {
	list, err := w.s.Metrics(w.src.ID, "")
	if err != nil {
		w.t.Fatal(err)
	}
	type line struct {
		name string
		n    int
	}
	var lines []line
	atMost := func(limit int) string {
		slices.SortFunc(lines, func(a, b line) int { return cmp.Or(b.n-a.n, strings.Compare(a.name, b.name)) })
		var text []string
		for _, l := range lines[:min(limit, len(lines))] {
			text = append(text, l.name+" "+strconv.FormatFloat(float64(l.n), 'g', 6, 64))
		}
		return strings.Join(text, ", ")
	}
	switch {
	case strings.HasPrefix(question, "Which interfaces"):
		for _, c := range w.raw("network.interface.total.bytes").Columns {
			lines = append(lines, line{w.src.Host + " " + c.Instance.Name, int(w.of("network.interface.total.bytes", c.Instance.Name).Sum)})
		}
		return atMost(3), true
	case strings.HasPrefix(question, "Which processes"): // two steps of what processes have while the disks are busy
		return "db01.example.com 001305 pg_dump 9000, db01.example.com 001306 gzip 5000, db01.example.com 001201 postgres: checkpointer 800, " +
			"db01.example.com 001205 postgres: walwriter 100, db01.example.com 001400 backup.sh 60", true
	case strings.HasPrefix(question, "Which strings"):
		for _, m := range list {
			if m.Type != "STRING" || m.Expression != "" {
				continue
			}
			n := 0
			for _, c := range w.raw(m.Name).Columns {
				var before *string
				for _, v := range c.Strings {
					if v != nil && before != nil && *v != *before {
						n++
					}
					if v != nil {
						before = v
					}
				}
			}
			if n > 0 {
				lines = append(lines, line{m.Name, n})
			}
		}
		return atMost(3), true
	case strings.HasPrefix(question, "Which events"):
		var text []string
		for _, m := range list {
			if m.Type != "EVENT" && m.Type != "HIGHRES_EVENT" {
				continue
			}
			n, missed := 0, 0
			for _, c := range w.raw(m.Name).Columns {
				n += len(c.Events)
				for _, e := range c.Events {
					missed += e.Missed
				}
			}
			if n > 0 {
				text = append(text, fmt.Sprintf("%s %d %d", m.Name, n, missed))
			}
		}
		return strings.Join(text, ", "), true
	case strings.HasPrefix(question, "Which counters"):
		var text []string
		for _, m := range list {
			if m.Semantics != "counter" || m.Expression != "" {
				continue
			}
			for _, c := range w.raw(m.Name).Columns {
				n, before := 0, math.NaN()
				for _, v := range c.Values {
					if v < before {
						n++
					}
					if v == v {
						before = v
					}
				}
				if n > 0 {
					name := "<nil>"
					if c.Instance != nil {
						name = c.Instance.Name
					}
					text = append(text, fmt.Sprintf("%s %s %d", m.Name, name, n))
				}
			}
		}
		return strings.Join(text, ", "), true
	}
	return "", false
}

// everything is the answers to the ten questions, one after the other.
func (w *worked) everything() string {
	_, _, order := statements(w.t)
	var list []string
	for _, q := range order[:10] {
		list = append(list, w.must(q))
	}
	return strings.Join(list, ", ")
}

// Other engines give the same answers, using the files named in the guide.
func TestGuideForOtherEngines(t *testing.T) {
	guide := func(name string) string {
		path, err := filepath.Abs("../../docs/engines/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	python := func(t *testing.T, format, module, rows string) []byte {
		program := reference.Python(t, module)
		code := "import contextlib, io, json, runpy\nwith contextlib.redirect_stdout(io.StringIO()):\n    told = runpy.run_path(" + strconv.Quote(guide("with_"+module+".py")) + ")\n" +
			"for row in " + rows + ":\n    print(json.dumps(row, default=lambda v: v.item()))\n"
		return reference.Output(t, converted(t, format), program+" -B -", []byte(code))
	}
	for name, ask := range map[string]func(t *testing.T) []byte{
		"clickhouse": func(t *testing.T) []byte {
			reference.Program(t, "clickhouse")
			return reference.Output(t, converted(t, "parquet"), "clickhouse local --output-format JSONCompactEachRow --queries-file "+guide("clickhouse.sql"), nil)
		},
		"polars": func(t *testing.T) []byte {
			return python(t, "parquet", "polars", `[list(r) for q in told["questions"].values() for r in told["tables"].execute(q, eager=True).rows()]`)
		},
		"pandas": func(t *testing.T) []byte {
			return python(t, "csv", "pandas", `[r for a in told["answers"] for r in a.astype(object).where(a.notna(), None).values.tolist()]`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var rows []cells
			for d := json.NewDecoder(bytes.NewReader(ask(t))); d.More(); {
				d.UseNumber()
				var row cells
				if err := d.Decode(&row); err != nil {
					t.Fatal(err)
				}
				rows = append(rows, row)
			}
			if got, want := shown(rows), newWorked(t).everything(); got != want {
				t.Errorf("%s says %s\nthe program %s", name, got, want)
			}
		})
	}
}

// converted is a folder with the tables of the guide.
func converted(t *testing.T, format string) string {
	t.Helper()
	dir := t.TempDir()
	if _, said, status := call(t, "convert", "--to", format, "-o", filepath.Join(dir, "tables"), web01, db01); status != Done {
		t.Fatal(said)
	}
	return dir
}

// apache-arrow reads from the Arrow tables what the CSV has: rows, values,
// texts, and missing values.
func TestArrow(t *testing.T) {
	if err := nodejs.Ready("../.."); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, format := range []string{"arrow", "csv"} {
		if _, said, status := call(t, "convert", "--to", format, "-o", dir, "-m", "disk.dev.read", "-m", "kernel.uname", "-m", "sample.event", "-m", "sample.ulonglong", web01); status != Done {
			t.Fatal(said)
		}
	}
	type column struct {
		Type string
		Sum  float64
		None int
	}
	var tables map[string]struct {
		Rows    int
		Columns map[string]column
	}
	askEngine(t, map[string]any{"arrow": dir}, &tables)
	for name, types := range map[string]map[string]string{
		"series":  {"series": "Int32", "instance": "Utf8", "instance_id": "Int32", "labels": "Utf8"},
		"samples": {"series": "Int32", "time": "Timestamp<NANOSECOND", "value": "Float64", "exact": "Utf8"},
		"strings": {"value": "Utf8"},
		"events":  {"missed": "Int32", "parameters": "Utf8"},
	} {
		file, err := os.Open(filepath.Join(dir, name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		got := tables[name]
		if err != nil || got.Rows != len(rows)-1 || got.Rows == 0 || len(got.Columns) != len(rows[0]) {
			t.Fatalf("%s: %d rows of %d columns, CSV has %d of %d, %v", name, got.Rows, len(got.Columns), len(rows)-1, len(rows[0]), err)
		}
		for i, field := range rows[0] {
			c := got.Columns[field]
			if !strings.HasPrefix(c.Type, types[field]) {
				t.Errorf("%s.%s is %s", name, field, c.Type)
			}
			sum, empty := 0.0, 0
			for _, row := range rows[1:] {
				if row[i] == "" {
					empty++
				}
				if v, err := strconv.ParseFloat(row[i], 64); err == nil && c.Type != "Utf8" {
					sum += v
				} else {
					sum += float64(len(row[i]))
				}
			}
			if math.Abs(c.Sum-sum) > 1e-9*math.Abs(sum) && !strings.HasPrefix(c.Type, "Timestamp") || c.None > empty || c.Type != "Utf8" && c.None != empty {
				t.Errorf("%s.%s: apache-arrow has %+v, CSV a sum of %v and %d without", name, field, c, sum, empty)
			}
		}
	}
}
