package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// The host of the sample archive, as its label has it.
const sampleHost = "pcp-testhost"

// A prepared recording has no name of the machine, and Explain and the truth say the
// same of it.
func TestPrepare(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "made")
	archive, err := filepath.Abs("../../testdata/live/web01")
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(from, archive)
	if err != nil {
		t.Fatal(err)
	}
	asked := func(folder string) (api.Source, api.Explanation) {
		s := core.NewSession(core.Options{Lanes: 2})
		opened, closer, err := s.OpenPath(t.Context(), nil, folder)
		if err != nil || len(opened.Sources) != 1 {
			t.Fatal(err, opened)
		}
		t.Cleanup(func() { closer.Close() })
		src, err := s.Loaded(t.Context(), opened.Sources[0].ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Text: "+120"}, End: &api.When{Text: "+150"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return src, x
	}
	src, x := asked(archive)
	writeFault(t, from, rel, src, sampleHost) // as a command it has a pseudonym, too
	var out bytes.Buffer
	if err := prepare(t.Context(), from, to, &out); err != nil {
		t.Fatal(err, out.String())
	}
	known, err := readTruth(to)
	if err != nil || known.Archive != "" || len(known.Faults) != 1 {
		t.Fatalf("%+v, %v", known, err)
	}
	saved, y := asked(to)
	if src.Host != sampleHost || saved.Host == sampleHost {
		t.Errorf("the host was %q and is %q", src.Host, saved.Host)
	}
	if len(x.Rows) == 0 || len(y.Rows) != len(x.Rows) {
		t.Fatalf("%d rows of the original, %d of what was saved: %q", len(x.Rows), len(y.Rows), y.Text)
	}
	for i := range x.Rows {
		if a, b := &x.Rows[i], &y.Rows[i]; a.Metric != b.Metric || a.Subject != b.Subject && a.Family != "network" || a.Score != b.Score {
			t.Errorf("row %d was %s, %s, %g; is %s, %s, %g", i, a.Subject, a.Metric, a.Score, b.Subject, b.Metric, b.Score)
		}
	}
	if err := filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(sampleHost)) {
			t.Errorf("%s names the host", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := judgeFolder(t.Context(), to, false, 1); err != nil {
		t.Error(err)
	}
}

// writeFault writes a truth with a fault of a command that lasts as long as the
// archive.
func writeFault(t *testing.T, folder, archive string, src api.Source, command string) {
	t.Helper()
	start, end := src.Start.Std().Format(time.RFC3339Nano), src.End.Std().Format(time.RFC3339Nano)
	text := fmt.Sprintf(`{"archive": %q, "start": %q, "end": %q, "seed": 7, "faults": [{"kind": "a", "family": "cpu", "command": %q, "start": %[2]q, "end": %[3]q}]}`, archive, start, end, command)
	if err := os.WriteFile(filepath.Join(folder, "truth.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The command of a fault has in the truth the name that it has in the archive.
func TestPrepareCommands(t *testing.T) {
	commands := func(folder string) (api.Source, []string) {
		s := core.NewSession(core.Options{})
		opened, closer, err := s.OpenPath(t.Context(), nil, folder)
		if err != nil || len(opened.Sources) != 1 {
			t.Fatal(err, opened)
		}
		t.Cleanup(func() { closer.Close() })
		used, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: opened.Sources[0].ID}, nil)
		if err != nil || len(used.Series) < 2 {
			t.Fatal(err, used)
		}
		var list []string
		for _, c := range used.Series {
			list = append(list, c.Name)
		}
		return opened.Sources[0], list
	}
	archive, err := filepath.Abs("../../testdata/processes/db01")
	if err != nil {
		t.Fatal(err)
	}
	from, to := t.TempDir(), t.TempDir()
	rel, err := filepath.Rel(from, archive)
	if err != nil {
		t.Fatal(err)
	}
	src, before := commands(archive)
	for i, name := range before {
		writeFault(t, from, rel, src, name)
		var out bytes.Buffer
		if err := prepare(t.Context(), from, to, &out); err != nil {
			t.Fatal(err, out.String())
		}
		known, err := readTruth(to)
		if err != nil {
			t.Fatal(err)
		}
		if _, after := commands(to); len(after) != len(before) || after[i] != known.Faults[0].Command {
			t.Errorf("%s is %s in the truth, while the archive has %q", name, known.Faults[0].Command, after)
		}
	}
}

// A recording is made with what its line says, and prepared.
func TestRecord(t *testing.T) {
	reference.Program(t, "python3")
	dir := t.TempDir()
	lab := filepath.Join(dir, "lab.py")
	live, err := filepath.Abs("../../testdata/live")
	if err != nil {
		t.Fatal(err)
	}
	script := "import sys, shutil, glob, os, json\nfor f in glob.glob(" + fmt.Sprintf("%q", live) + " + '/web01.*'): shutil.copy(f, sys.argv[1])\n" +
		"json.dump({'start': 1, 'end': 2, 'args': sys.argv[2:]}, open(sys.argv[1] + '/truth.json', 'w'))\n"
	if err := os.WriteFile(lab, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	r := recording{folder: filepath.Join(dir, "made"), seed: 11, interval: 2, minutes: 40, quiet: true}
	if r.made() {
		t.Error("it is there before it was made")
	}
	var out bytes.Buffer
	if err := r.record(t.Context(), lab, &out); err != nil {
		t.Fatal(err, out.String())
	}
	data, err := os.ReadFile(filepath.Join(r.folder, "truth.json"))
	if want := `"--minutes","40","--seed","11","--interval","2","--quiet"`; err != nil || !strings.Contains(strings.Join(strings.Fields(string(data)), ""), want) {
		t.Errorf("%s, %v; want %s", data, err, want)
	}
	if files, _ := filepath.Glob(filepath.Join(r.folder, recordingName+".*.zst")); !r.made() || len(files) == 0 {
		t.Errorf("nothing compressed in %s", r.folder)
	}
}

func TestReadRecordings(t *testing.T) {
	list, err := readRecordings("testdata/" + listName)
	if err != nil || len(list) != 9 {
		t.Fatal(err, list)
	}
	quiet, use := 0, map[string]int{}
	for _, r := range list {
		if r.minutes == 0 {
			if !r.made() {
				t.Errorf("%s is neither there nor can be made", r.folder)
			}
			continue
		}
		use[r.use]++
		if r.quiet {
			quiet++
		}
		if r.minutes < 40 {
			t.Errorf("%+v is shorter than 40 minutes", r)
		}
	}
	if quiet != 2 || use["tune"] != 3 || use["measure"] != 3 {
		t.Errorf("%d quiet ones, %v", quiet, use)
	}
	for text, want := range map[string]string{
		"a tune 1 2":           "perhaps",
		"a look":               `"look" is neither`,
		"a tune 1 x 40":        `"x" is no number`,
		"a tune 1 0 40":        `"0" is no number`,
		"a tune 1 2 40 silent": `"silent" is not`,
	} {
		file := filepath.Join(t.TempDir(), listName)
		if err := os.WriteFile(file, []byte("# list\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRecordings(file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ":2:") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
