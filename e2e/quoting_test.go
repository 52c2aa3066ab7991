package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Exported command lines and tables contain names from files: no program may
// interpret such a name as a command.

// scheming writes an archive whose names are commands: metrics for a shell,
// instances for a spreadsheet.
func scheming(t *testing.T, base string, metrics, instances []string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: "h", Timezone: "UTC"}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) {
		files = append(files, filepath.Join(dir, base+"."+suffix))
		return os.Create(files[len(files)-1])
	})
	if err != nil {
		t.Fatal(err)
	}
	indom := pcp.MakeInDom(60, 1)
	var list []pcp.Instance
	for i, name := range instances {
		list = append(list, pcp.Instance{ID: int32(i), Name: name})
	}
	steps := []error{w.InDom(label.Start, indom, list)}
	for i, name := range metrics {
		steps = append(steps, w.Desc(pcp.Desc{PMID: pcp.MakePMID(60, 0, i), Type: pcp.Uint32, InDom: indom, Sem: pcp.Instant}, name))
	}
	for k := range 20 {
		var sets []archive.ValueSet
		for i := range metrics {
			set := archive.ValueSet{PMID: pcp.MakePMID(60, 0, i), Type: pcp.Uint32}
			for j := range instances {
				set.Values = append(set.Values, archive.Value{Inst: int32(j), Val: uint64(k)})
			}
			sets = append(sets, set)
		}
		steps = append(steps, w.Record(label.Start+pcp.Time(k)*1e9, sets))
	}
	for _, err := range append(steps, w.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestCommandLinesRunNothingElse(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed")
	}
	for _, tt := range []struct {
		base, metric string
		commands     int
	}{
		{"web01", "a.b;touch pwned", 2}, {"web01", "a.$(touch pwned)", 2}, {"web01", "a.`touch pwned`'", 2},
		{"web01", "a.b\ntouch pwned\n", 0}, {"web01", "a.b\x1b[201~\rtouch pwned\r", 0}, {"a -z -t 10 ;touch pwned;", "a.b", 2},
	} {
		p := open(t, "/")
		p.drop("body", scheming(t, tt.base, []string{tt.metric}, []string{"one"})...)
		p.idle()
		filter(p, "a.")
		click(p, id("tree-metric"))
		click(p, id("add-new-panel"))
		menu(p)
		commands := texts(p, id("panel-commands")+" code")
		if len(commands) != tt.commands {
			t.Errorf("%q in %q: the commands are %q, want %d", tt.metric, tt.base, commands, tt.commands)
		}
		for _, command := range commands {
			dir := t.TempDir()
			run := exec.Command(sh, "-c", `pmrep() { for last; do :; done; printf %s "$last"; }; pmval() { pmrep "$@"; }; `+command)
			run.Dir = dir
			out, err := run.CombinedOutput()
			if err != nil || string(out) != tt.metric {
				t.Errorf("%s\nhas the last word %q (%v), want %q", command, out, err, tt.metric)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("%s\nleaves %s behind", command, left[0].Name())
			}
		}
		p.Close()
	}
}

// cells are test cases for every function that writes cells.
func cells(t *testing.T) (list []struct{ Text, CSV, Pasted string }) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "web", "format", "testdata", "cells.json"))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestCellsForSpreadsheets(t *testing.T) {
	p := open(t, "/")
	for _, c := range cells(t) {
		text, _ := json.Marshal(c.Text)
		if got := eval[[]string](p, fmt.Sprintf(`import("/cells.js").then((m) => [m.csvCell(%s), m.pastedCell(%s)])`, text, text)); got[0] != c.CSV || got[1] != c.Pasted {
			t.Errorf("%q: %q, want %q and %q", c.Text, got, c.CSV, c.Pasted)
		}
	}
	// The page uses these functions: in the CSV of charts and tables, and for
	// copied tables.
	const evil = "-2+3+cmd|' /C calc'!A0"
	p.drop("body", scheming(t, "web01", []string{"=a.b"}, []string{evil})...)
	p.idle()
	files := kept(p)
	eval[bool](p, `(globalThis.copied = "", Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copied = text } } }), true)`)
	filter(p, "a.")
	click(p, id("tree-metric"))
	click(p, id("add-new-panel"))
	menu(p)
	click(p, id("panel-csv"))
	click(p, id("tab-summary"))
	p.idle()
	click(p, id("summary-rows-csv"))
	click(p, id("summary-rows-copy"))
	saved := files()
	for what, text := range map[string]string{"the chart": saved[0], "the table": saved[2]} {
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, evil) {
			t.Errorf("%s is saved without the instance: %.300q", what, text)
		}
		for _, cell := range lines[0] {
			plainCell(t, what, cell)
		}
		for _, cell := range lines[1] {
			plainCell(t, what, cell)
		}
	}
	if !strings.Contains(eval[string](p, "copied"), evil) {
		t.Errorf("copied is %.300q", eval[string](p, "copied"))
	}
	for cell := range strings.FieldsFuncSeq(eval[string](p, "copied"), func(r rune) bool { return r == '\t' || r == '\n' }) {
		plainCell(t, "the copied table", cell)
	}
	if got := eval[string](p, `import("/embed/csv.js").then(({ csv }) => csv({ start: 0n, times: new Float64Array([0]), columns: [{ metric: "=a", instance: { id: 0, name: "x" }, units: "", values: ["`+evil+`"] }] }))`); got != "time,'=a[x]\r\n1970-01-01T00:00:00Z,'"+evil+"\r\n" {
		t.Errorf("the frame exports %q", got)
	}
}

// plainCell fails if a spreadsheet would interpret a cell as a formula.
func plainCell(t *testing.T, where, cell string) {
	t.Helper()
	if cell == "" || !strings.ContainsRune("=+-@", rune(cell[0])) {
		return
	}
	if _, err := strconv.ParseFloat(cell, 64); err != nil {
		t.Errorf("%s has the cell %q", where, cell)
	}
}
