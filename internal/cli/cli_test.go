package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/export"
	"pcpscope/core/tables"
	"pcpscope/internal/fleetgen"
	"pcpscope/wasm/engine"
	"pcpscope/wasm/rpc"
)

const web01 = "../../testdata/live/web01"

// call runs the program.
func call(t testing.TB, args ...string) (out, said string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = Run(t.Context(), Streams{In: strings.NewReader(""), Out: &o, Err: &e}, args)
	return o.String(), e.String(), status
}

// local is the engine of the page, in this process.
type local struct {
	*engine.Server
	calls int
}

func (l *local) Call(ctx context.Context, method string, in rpc.Message, progress func(api.Progress)) (rpc.Message, error) {
	l.calls++
	if progress == nil {
		progress = func(api.Progress) {}
	}
	out, fault := l.Server.Call(ctx, l.calls, method, in, progress)
	if fault != nil {
		return out, fault
	}
	return out, nil
}

// nativeTables writes tables in this process, in place of the page's worker.
type nativeTables struct {
	*io.PipeWriter
	written []engine.WrittenFile
	done    chan error
}

func startTables(format string) (engine.TablesWriter, error) {
	in, out := io.Pipe()
	n := &nativeTables{PipeWriter: out, done: make(chan error, 1)}
	sink, err := tables.New(format, func(name string) (io.Writer, error) {
		n.written = append(n.written, engine.WrittenFile{Name: name, Data: []byte{}})
		return io.Discard, nil
	})
	if err != nil {
		return nil, err
	}
	go func() { n.done <- export.Feed(in, sink) }()
	return n, nil
}

func (n *nativeTables) Files() ([]engine.WrittenFile, error) {
	n.Close()
	return n.written, <-n.done
}

func (n *nativeTables) Stop() { n.Close() }

// asPage opens files as the page does and returns the page's answers.
func asPage(t *testing.T, base string) (*local, api.Source) {
	t.Helper()
	read := func(b rpc.Blob) (io.ReaderAt, int64, error) {
		data := b.([]byte)
		return bytes.NewReader(data), int64(len(data)), nil
	}
	page := &local{Server: engine.NewServer(core.NewSession(core.Options{}), nil, read)}
	page.WriteTablesWith(startTables)
	names, _ := filepath.Glob(base + ".*")
	var q rpc.OpenRequest
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		q.Files = append(q.Files, rpc.File{Name: filepath.ToSlash(name), Data: data})
	}
	opened, err := rpc.Invoke(t.Context(), page, rpc.Open, q, nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatalf("Open = %+v, %v; want one source", opened, err)
	}
	src, err := rpc.Invoke(t.Context(), page, rpc.Loaded, rpc.SourceRequest{Source: opened.Sources[0].ID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return page, src
}

// --json prints exactly what the page is answered.
func TestJSONIsThatOfThePage(t *testing.T) {
	page, src := asPage(t, web01)
	text := func(s string) *api.When { return &api.When{Text: s} }
	ask := func(answer any, err error) any {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	limit := 10.0
	fetch := func(q api.Query) any {
		q.Source = src.ID
		return ask(rpc.Invoke(t.Context(), page, rpc.Fetch, q, nil))
	}
	dir := t.TempDir()
	saved, err := rpc.Invoke(t.Context(), page, rpc.Save, api.SaveQuery{Source: src.ID, Metrics: []string{"kernel.all"}, Name: "a", Container: "tar"}, nil)
	ask(nil, err)
	exported, err := rpc.Invoke(t.Context(), page, rpc.Export, api.ExportQuery{Source: src.ID, Metrics: []string{"disk.dev"}, Container: "tar"}, nil)
	ask(nil, err)
	rules, err := os.ReadFile("../../docs/examples/load.pmie")
	ask(nil, err)
	guide, err := os.ReadFile("../../docs/cli.md")
	ask(nil, err)
	_, table, _ := strings.Cut(string(guide), "| command | reply |")
	untested := map[string]bool{}
	for _, c := range (&run{}).root().Commands() {
		untested[c.Name()] = true
	}
	for command, want := range map[string]any{
		"save -m kernel.all -o " + filepath.Join(dir, "a.tar"):   saved.Report,
		"convert -m disk.dev -o " + filepath.Join(dir, "tables"): exported.Report,
		"info":                            src,
		"metrics":                         ask(rpc.Invoke(t.Context(), page, rpc.Metrics, rpc.MetricsRequest{Source: src.ID}, nil)),
		"metrics --prefix disk.dev":       ask(rpc.Invoke(t.Context(), page, rpc.Metrics, rpc.MetricsRequest{Source: src.ID, Prefix: "disk.dev"}, nil)),
		"values disk.dev.read -t 10":      fetch(api.Query{Metrics: []string{"disk.dev.read"}, Interval: text("10sec"), Convert: "rate"}),
		"values kernel.uname.release":     fetch(api.Query{Metrics: []string{"kernel.uname.release"}, Convert: "rate"}),
		"values kernel.all.load --raw -r": fetch(api.Query{Metrics: []string{"kernel.all.load"}, Mode: "raw", Convert: "none"}),
		"values sample.wrap.ulonglong -r -s 2 -m hinv.ncpu": fetch(api.Query{Metrics: []string{"sample.wrap.ulonglong", "hinv.ncpu"}, Count: 2, Convert: "none"}),
		"summary":                             ask(rpc.Invoke(t.Context(), page, rpc.Summary, api.SummaryQuery{Source: src.ID}, nil)),
		"summary -m hinv.ncpu -S 1min":        ask(rpc.Invoke(t.Context(), page, rpc.Summary, api.SummaryQuery{Source: src.ID, Metrics: []string{"hinv.ncpu"}, Start: text("1min")}, nil)),
		"findings":                            ask(rpc.Invoke(t.Context(), page, rpc.Findings, rpc.SourceRequest{Source: src.ID}, nil)),
		"report":                              ask(rpc.Invoke(t.Context(), page, rpc.Overview, rpc.SourceRequest{Source: src.ID}, nil)),
		"check kernel.all.load --above 10":    ask(rpc.Invoke(t.Context(), page, rpc.CheckRule, api.CheckQuery{Source: src.ID, Expression: "kernel.all.load", Above: &limit}, nil)),
		"compare -A 0sec/2min -B 2min/4min":   ask(rpc.Invoke(t.Context(), page, rpc.Compare, api.CompareQuery{Source: src.ID, AStart: text("0sec"), AEnd: text("2min"), BStart: text("2min"), BEnd: text("4min")}, nil)),
		"explain -S 1min -T 90sec":            ask(rpc.Invoke(t.Context(), page, rpc.Explain, api.ExplainQuery{Source: src.ID, Start: text("1min"), End: text("90sec")}, nil)),
		"story --least 2":                     ask(rpc.Invoke(t.Context(), page, rpc.Story, api.StoryQuery{Source: src.ID, Least: 2}, nil)),
		"moves kernel.all.cpu.user --limit 3": ask(rpc.Invoke(t.Context(), page, rpc.Moves, api.MovesQuery{Source: src.ID, Metric: "kernel.all.cpu.user", Limit: 3}, nil)),
		"rules ../../docs/examples/load.pmie": ask(rpc.Invoke(t.Context(), page, rpc.RunRules, api.RulesQuery{Source: src.ID, Text: string(rules), File: "load.pmie"}, nil)),
		"save --redact --list --key " + key:   ask(rpc.Invoke(t.Context(), page, rpc.Redaction, api.SaveQuery{Source: src.ID, Redact: &api.Redact{Key: key}}, nil)),
	} {
		args := strings.Fields(command)
		out, said, status := call(t, append(append(args, "--json"), web01)...)
		if status != Done || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: status %d, %s", command, status, said)
			continue
		}
		var got struct {
			APIVersion    int
			Source, Reply json.RawMessage
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.APIVersion != api.Version {
			t.Errorf("%s: %v", command, err)
		}
		same(t, command, got.Reply, want)
		if !strings.HasPrefix(command, "convert") { // it covers all sources together
			same(t, command+", source", got.Source, src)
		}
		delete(untested, args[0])
		if !strings.Contains(table, "| `"+args[0]+"` |") {
			t.Errorf("docs/cli.md does not say what %s --json replies", args[0])
		}
	}
	// The page does not index hosts, and serving has no answer.
	if delete(untested, "index"); len(untested) > 1 || !untested["serve"] {
		t.Errorf("not compared: %v", untested)
	}
}

const key = "000102030405060708090a0b0c0d0e0f"

func same(t *testing.T, what string, got json.RawMessage, want any) {
	t.Helper()
	text, err := api.JSON(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, text) {
		t.Errorf("%s: %.300s, the page has %.300s", what, got, text)
	}
}

// --json formats values as encoding/json does, where that is possible.
func TestJSONLeavesNothingOut(t *testing.T) {
	_, src := asPage(t, web01)
	got, err := api.JSON(src)
	want, _ := json.Marshal(src)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

var fence = regexp.MustCompile("(?s)```console\n(.*?)```")

// The guides' examples work as described.
func TestGuide(t *testing.T) {
	var text []byte
	for _, name := range []string{"cli.md", "fleet.md"} {
		one, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, one...)
	}
	t.Chdir("../..")
	dir := t.TempDir()
	if err := fleetgen.Write(filepath.Join(dir, "pmlogger"), 3, 2, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
		for _, example := range strings.Split("\n"+block[1], "\n$ pcpscope ")[1:] {
			line, output, _ := strings.Cut(example, "\n")
			line, comment, _ := strings.Cut(line, "#")
			args := words(strings.ReplaceAll(line, "OUT/", dir+"/"))
			shown[args[0]] = true
			out, said, status := call(t, args...)
			want := Done
			if strings.Contains(comment, "exit status 1") {
				want = Broken
			}
			if status != want || said != "" {
				t.Errorf("%s: exit status %d, want %d; %s", line, status, want, said)
			}
			pattern := regexp.QuoteMeta(strings.TrimSpace(strings.ReplaceAll(output, "OUT/", dir+"/")))
			if !regexp.MustCompile("(?s)^" + strings.ReplaceAll(pattern, "…", ".*") + "$").MatchString(trimmed(out)) {
				t.Errorf("%s prints\n%s\nand the guide says\n%s", line, out, output)
			}
		}
	}
	for _, c := range (&run{}).root().Commands() {
		if !shown[c.Name()] && c.Name() != "serve" {
			t.Errorf("the guide has no example of %s", c.Name())
		}
		if c.Example == "" {
			t.Errorf("help %s has no example", c.Name())
		}
	}
}

// trimmed removes trailing blanks from the lines of a text.
func trimmed(text string) string {
	return strings.TrimSpace(regexp.MustCompile(` +\n`).ReplaceAllString(text, "\n"))
}

// words splits a line as a shell does, as far as the guide needs that.
func words(line string) (list []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		list = append(list, strings.Trim(w, "'"))
	}
	return list
}

// Over many archives, damaged files and files that are not archives do not
// stop anything, and are named at the end.
func TestManyWithBadOnes(t *testing.T) {
	dir := t.TempDir()
	copyTo := func(name string, change func([]byte) []byte) {
		for _, suffix := range []string{"meta", "index", "0.zst"} {
			data, err := os.ReadFile(web01 + "." + suffix)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(dir, filepath.Dir(name), filepath.Base(name)+"."+suffix)
			os.MkdirAll(filepath.Dir(to), 0o755)
			if suffix == "meta" {
				data = change(data)
			}
			if err := os.WriteFile(to, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	keep := func(b []byte) []byte { return b }
	copyTo("a/one", keep)
	copyTo("b/cut", func(b []byte) []byte { return b[:len(b)-7] })
	copyTo("c/two", keep)
	os.MkdirAll(filepath.Join(dir, "d"), 0o755)
	os.WriteFile(filepath.Join(dir, "d", "bad.meta"), []byte("no archive at all, and not even a label"), 0o644)
	os.WriteFile(filepath.Join(dir, "d", "bad.0"), []byte("neither"), 0o644)
	os.WriteFile(filepath.Join(dir, "README"), []byte("hello"), 0o644)
	out, said, status := call(t, "info", "--json", dir)
	if n := strings.Count(out, "\n"); n < 3 || status != Unreadable || !strings.Contains(said, filepath.Join(dir, "b", "cut")+": ") || !strings.Contains(said, "bad") || strings.Contains(said, "README") {
		t.Errorf("status %d, %d lines; it says %s", status, n, said)
	}
	out, said, status = call(t, "info", filepath.Join(dir, "?", "one.*"), filepath.Join(dir, "none"))
	if status != Unreadable || !strings.Contains(out, "pcp-testhost") || !strings.Contains(said, "none") {
		t.Errorf("a glob: status %d, %s%s", status, out, said)
	}
	copyTo("other/one", keep) // a name that exists in another folder too
	if out, said, status = call(t, "report", "-o", filepath.Join(dir, "reports")+"/", filepath.Join(dir, "a"), filepath.Join(dir, "other")); status != Done || !strings.Contains(out, "a-one-report.txt") || !strings.Contains(out, "other-one-report.txt") {
		t.Errorf("reports of archives of one name: status %d, %s%s", status, out, said)
	}
	os.RemoveAll(filepath.Join(dir, "other"))
	os.RemoveAll(filepath.Join(dir, "reports"))
	if _, said, status = call(t, "check", "kernel.all.load", "--above", "5", dir); status != Broken {
		t.Errorf("a broken rule among bad archives: status %d, %s", status, said)
	}
	if _, said, status = call(t, "info", filepath.Join(dir, "b")); status != Done || !strings.Contains(said, "cut") {
		t.Errorf("a damaged archive: status %d, %s", status, said)
	}
}

func TestCommandLinesThatMakeNoSense(t *testing.T) {
	for _, line := range []string{"", "nosuch", "info", "values kernel.all.load", "values no.such.metric W", "values kernel.all.load( W", "values kernel.all.load -i none W", "info --nosuch W",
		"values kernel.all.load -i 1,nope W", "values mem.util.free -i sda W", "check kernel.all.load -i 1,nope --above 1 W", "check mem.util.free -i sda --above 1 W", "moves mem.util.free -i sda W",
		"values kernel.all.load -s 0 W", "values kernel.all.load -s -1 W", "values kernel.all.load -t 0 W",
		"values kernel.all.load -Z Nowhere W", "summary -Z Nowhere W", "info -Z Nowhere W", "findings -Z Nowhere W", "report -Z Nowhere W",
		"findings --fail-on nothing W", "compare W", "compare -A 1 -B 2 W", "save W", "save --list W", "check kernel.all.load W", "values kernel.all.load -S never W", "serve --site none a b"} {
		if line == "" {
			continue
		}
		out, said, status := call(t, strings.Fields(strings.ReplaceAll(line, "W", web01))...)
		if status != Wrong || !strings.HasPrefix(said, "pcpscope: ") || strings.Contains(out, "Usage") {
			t.Errorf("%s: status %d, %q", line, status, said)
		}
	}
}

// Options that say how names are replaced are no request to replace them, and without one nothing is
// written: it would have all names.
func TestOptionsOfReplacing(t *testing.T) {
	for _, option := range []string{"--word=acme", "--keep=users", "--key=k"} {
		dir := t.TempDir()
		if _, said, status := call(t, "save", option, "-o", filepath.Join(dir, "public"), web01); status != Wrong || !strings.Contains(said, "goes with --redact") {
			t.Errorf("%s: status %d, %s", option, status, said)
		}
		if list, _ := os.ReadDir(dir); len(list) != 0 {
			t.Errorf("%s: %v were written", option, list)
		}
	}
}

// Files get their final names once they are complete, and never replace
// others.
func TestSaveKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	tar := filepath.Join(dir, "a.tar")
	os.WriteFile(tar, []byte("mine"), 0o644)
	if _, said, status := call(t, "save", "-o", tar, web01); status != Wrong || !strings.Contains(said, "--force") {
		t.Errorf("status %d, %s", status, said)
	}
	if text, _ := os.ReadFile(tar); string(text) != "mine" {
		t.Error("an existing file was overwritten without --force")
	}
	if _, said, status := call(t, "save", "--force", "-o", tar, web01); status != Done || said != "" {
		t.Errorf("status %d, %s", status, said)
	}
	if out, said, status := call(t, "info", tar); status != Done || !strings.Contains(out, "pcp-testhost") {
		t.Errorf("status %d, %s", status, said)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%v were left", list)
	}
	if _, _, status := call(t, "save", "-o", filepath.Join(dir, "none", "a"), web01); status == Done {
		t.Error("saved into a folder that is not there")
	}
}

// The tables contain what pmdumplog prints, each value once, sorted by series
// and time; in the text for Prometheus each family is contiguous.
func TestConvert(t *testing.T) {
	text, err := os.ReadFile("../../e2e/testdata/web01.kernel.all.load.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`value (\S+)`).FindAllStringSubmatch(string(text), -1)
	dir := t.TempDir()
	read := func(name string) []string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	for _, kind := range []string{"parquet", "arrow", "csv", "jsonl", "openmetrics"} {
		if out, said, status := call(t, "convert", "-o", dir, "--to", kind, "-m", "kernel.all.load", web01); status != Done || !strings.HasPrefix(out, "3 series, 900 values") {
			t.Fatalf("%s: status %d, %s%s", kind, status, out, said)
		}
	}
	if _, said, status := call(t, "convert", "-o", dir, web01); status != Wrong || !strings.Contains(said, "--force") {
		t.Errorf("overwriting existing files: status %d, %s", status, said)
	}
	var rows [3][]string // of a series
	last := ""
	for _, l := range read("samples.csv")[1:] {
		f := strings.Split(l, ",")
		rows[f[0][0]-'0'] = append(rows[f[0][0]-'0'], f[2])
		if now := f[0] + f[1]; now <= last {
			t.Errorf("%s is not in order", l)
		} else {
			last = now
		}
	}
	// pmdumplog prints the three instances of a record one after the other.
	for i, w := range want {
		a, _ := strconv.ParseFloat(w[1], 64)
		b, _ := strconv.ParseFloat(rows[i%3][i/3], 64)
		if math.Abs(a-b) > 1e-6*a {
			t.Fatalf("value %d is %v, pmdumplog has %v", i, b, a)
		}
	}
	if len(want) != 900 || len(read("series.csv")) != 4 || len(read("series.jsonl")) != 3 || len(read("samples.jsonl")) != 900 {
		t.Errorf("%d values of pmdumplog", len(want))
	}
	var one struct {
		Host, Instance, Type string
		InstanceID           int `json:"instance_id"`
		Labels               map[string]any
	}
	if err := json.Unmarshal([]byte(read("series.jsonl")[2]), &one); err != nil || one.Host != "pcp-testhost" || one.Instance != "15 minute" || one.InstanceID != 15 || one.Type != "FLOAT" || one.Labels["hostname"] != "pcp-testhost" {
		t.Errorf("series = %+v, %v; want the 15 minute load of pcp-testhost", one, err)
	}
	lines := read("openmetrics.txt")
	if len(lines) != 903 || lines[0] != "# TYPE kernel_all_load gauge" || lines[902] != "# EOF" ||
		!strings.HasPrefix(lines[2], `kernel_all_load{hostname="pcp-testhost",instname="1 minute",instid="1"} `) || !strings.HasSuffix(lines[2], " 1795232942.377104473") {
		t.Errorf("%d lines, %q", len(lines), lines[:3])
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if out, said, status := call(t, "completion", shell); status != Done || !strings.Contains(out, "pcpscope") || said != "" {
			t.Errorf("%s: status %d, %s", shell, status, said)
		}
	}
	for line, want := range map[string]string{"conv": "convert\t", "convert --to p": "parquet\n", "findings --fail-on l": "error\nwarning\nnote\n", "help val": "values\t"} {
		if out, _, status := call(t, append([]string{"__complete"}, strings.Fields(line)...)...); status != Done || !strings.HasPrefix(out, want) {
			t.Errorf("%q is completed as %q", line, out)
		}
	}
}

// broken is a pipe without a reader.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.EPIPE }

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatEnds(t *testing.T) {
	var said bytes.Buffer
	if status := Run(t.Context(), Streams{Out: broken{}, Err: &said}, []string{"metrics", web01}); status != Done || said.Len() > 0 {
		t.Errorf("a broken pipe: status %d, %s", status, said.String())
	}
	if status := Run(t.Context(), Streams{Out: full{}, Err: &said}, []string{"metrics", web01}); status != Unreadable || said.Len() == 0 {
		t.Errorf("a full disk: status %d, %s", status, said.String())
	}
}
