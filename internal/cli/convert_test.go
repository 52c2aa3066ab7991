package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pcpscope/internal/recording"
)

// Over many archives, damaged, truncated and empty ones do not stop a
// conversion: the rest is written, and problems are named at the end.
func TestConvertManyWithBadOnes(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "tables")
	put := func(name string, data []byte) {
		to := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(to), 0o755)
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, suffix := range []string{"meta", "index", "0.zst"} {
		data, err := os.ReadFile(web01 + "." + suffix)
		if err != nil {
			t.Fatal(err)
		}
		put("a/one."+suffix, data)
		put("d/two."+suffix, data)
		if suffix == "0.zst" {
			data = data[:len(data)/2]
		}
		put("b/cut."+suffix, data)
	}
	put("c/bad.meta", []byte("no archive"))
	put("c/bad.0", nil)
	got, said, status := call(t, "convert", "--to", "csv", "-m", "kernel.all.load", "-o", out, dir)
	if status != Unreadable || !strings.HasPrefix(got, "9 series, ") || !strings.Contains(said, "bad") || !strings.Contains(said, "cut") {
		t.Errorf("status %d, %s%s", status, got, said)
	}
	text, err := os.ReadFile(filepath.Join(out, "series.csv"))
	if err != nil || strings.Count(string(text), "\n") != 10 || !bytes.Contains(text, []byte(",one,")) || !bytes.Contains(text, []byte(",two,")) {
		t.Errorf("CSV = %v, %s; want ten lines with the instances one and two", err, text)
	}
	if list, _ := os.ReadDir(out); len(list) != 4 {
		t.Errorf("%v were left", list)
	}
	// The same for an archive without the metric, or one that ends before the
	// window.
	for _, args := range [][]string{{"-m", "proc.psinfo"}, {"-m", "hinv.ncpu", "-S", "@2026-11-21 03:52:00"}} {
		got, said, status = call(t, append(append([]string{"convert", "--force", "--to", "csv", "-o", out}, args...), db01, web01)...)
		if status != Unreadable || !strings.Contains(got, " series, ") || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %s%s", args, status, got, said)
		}
	}
	if _, said, status := call(t, "convert", "--force", "-o", out, "-m", "no.such", db01, web01); status != Wrong || said != "pcpscope: There is no metric no.such here.\n" {
		t.Errorf("a metric that none has: status %d, %s", status, said)
	}
	if _, said, status := call(t, "convert", "-o", filepath.Join(dir, "none"), filepath.Join(dir, "c")); status != Unreadable || said == "" {
		t.Errorf("nothing to convert: status %d, %s", status, said)
	}
	if list, _ := os.ReadDir(filepath.Join(dir, "none")); len(list) != 0 {
		t.Errorf("%v were written of nothing", list)
	}
}

// An existing file stops a conversion and is not changed.
func TestConvertKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "events.parquet")
	os.WriteFile(mine, []byte("mine"), 0o644)
	if _, said, status := call(t, "convert", "-o", dir, web01); status != Wrong || !strings.Contains(said, "--force") {
		t.Errorf("status %d, %s", status, said)
	}
	if text, _ := os.ReadFile(mine); string(text) != "mine" {
		t.Error("an existing file was overwritten without --force")
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%v were left", list)
	}
	if _, said, status := call(t, "convert", "--force", "-m", "hinv", "-o", dir, web01); status != Done {
		t.Errorf("status %d, %s", status, said)
	}
	if text, _ := os.ReadFile(mine); !bytes.HasPrefix(text, []byte("PAR1")) {
		t.Error("an existing file was not overwritten with --force")
	}
	var heard bytes.Buffer
	if status := Run(t.Context(), Streams{Out: broken{}, Err: &heard}, []string{"convert", "--force", "-m", "hinv", "-o", dir, web01}); status != Done || heard.Len() > 0 {
		t.Errorf("a broken pipe: status %d, %s", status, heard.String())
	}
}

// A conversion that fails leaves no folder that was not there before.
func TestConvertThatFailsLeavesNoFolder(t *testing.T) {
	there, fresh := t.TempDir(), filepath.Join(t.TempDir(), "fresh")
	for _, dir := range []string{there, fresh} {
		for _, line := range []string{"-m no.such " + web01, "--to xml " + web01, filepath.Join(t.TempDir(), "none")} {
			if _, said, status := call(t, append([]string{"convert", "-o", dir}, strings.Fields(line)...)...); status == Done {
				t.Errorf("%s: status %d, %s", line, status, said)
			}
		}
	}
	if _, err := os.Stat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was left: %v", err)
	}
	if list, err := os.ReadDir(there); err != nil || len(list) > 0 {
		t.Errorf("%v were left in a folder that was there: %v", list, err)
	}
}

// The page is served on this machine, with archives one click away, until the
// program is told to stop.
func TestServe(t *testing.T) {
	site := t.TempDir()
	os.WriteFile(filepath.Join(site, "index.html"), []byte("the page"), 0o644)
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- Run(ctx, Streams{Out: io.Discard, Err: write}, []string{"serve", "--listen", "127.0.0.1:0", "--site", site, filepath.Dir(web01)})
	}()
	line := make([]byte, 200)
	n, err := read.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).Find(line[:n])
	if at == nil {
		t.Fatalf("output = %s", line[:n])
	}
	for path, want := range map[string]string{"": "the page", "archives/": "web01.meta", "catalog.json": `"archives":"/archives/"`} {
		r, err := http.Get(string(at) + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != 200 || !strings.Contains(string(text), want) {
			t.Errorf("%s: %d %.200s", path, r.StatusCode, text)
		}
	}
	stop()
	select {
	case status := <-ended:
		if status != Done {
			t.Errorf("exit status = %d, want success", status)
		}
	case <-time.After(10 * time.Second):
		t.Error("the command did not end within 10 s")
	}
}

// Of an archive with a number and a text, OpenMetrics has the number alone: one series, and three
// values.
func TestConvertCountsWhatIsWritten(t *testing.T) {
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"kernel.all.nusers": {"": recording.Rising(3, 5, 1)}, "cgroup.cpuacct.id.container": {"x": []string{"6.1", "6.1", "6.2"}},
	}}.Write(t)
	base := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	for to, want := range map[string]string{"openmetrics": "1 series, 3 values", "csv": "2 series, 6 values"} {
		out, said, status := call(t, "convert", "-o", t.TempDir(), "--to", to, base)
		if status != Done || !strings.HasPrefix(out, want) || strings.Contains(said, "3 strings and event records were left out") != (to == "openmetrics") {
			t.Errorf("%s: status %d, %s%s, want %s", to, status, out, said, want)
		}
	}
	out, said, _ := call(t, "convert", "-o", t.TempDir(), "--to", "openmetrics", "--json", base)
	if !strings.Contains(out, `"series":1,"samples":3,"strings":0,"events":0,"notes":["`) {
		t.Errorf("the report is %s%s", out, said)
	}
}
