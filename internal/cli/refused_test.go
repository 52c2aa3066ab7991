package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// As with pmval(1) and pmrep(1), nothing is printed if one of several metrics does not exist or one
// of several expressions is none: the others would look like all that was asked for.
func TestValuesOfAnUnknownMetricAmongOthers(t *testing.T) {
	archive := users(t)
	for more, want := range map[string]string{"no.such": "no metric no.such", "no.such + 1": "no metric no.such", "rate(": "The expression ends", "kernel.all.nusers(": "kernel.all.nusers("} {
		for _, form := range []string{"--json=false", "--json", "--raw"} {
			out, said, status := call(t, "values", form, "kernel.all.nusers", "-m", more, archive)
			if status != Wrong || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, want) {
				t.Errorf("%s, %s: status %d, %s%s", more, form, status, out, said)
			}
		}
	}
	other := users(t)
	out, said, status := call(t, "values", "kernel.all.load", "-m", "kernel.all.nusers", archive, web01, other)
	if status != Unreadable || !strings.HasPrefix(out, web01+" of ") || strings.Contains(out, archive) || strings.Count(said, "There is no metric kernel.all.load here.") != 2 {
		t.Errorf("that one of several sources has: status %d, %s%s", status, out, said)
	}
}

// last returns the values in the last column of a table.
func last(table string) (list []string) {
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); strings.HasPrefix(line, "2023-") {
			list = append(list, f[len(f)-1])
		}
	}
	return list
}

// -s and -T limit each other, as with pmval(1), and -s counts observations with --raw, as with
// `pmval -U`.
func TestNumberOfValues(t *testing.T) {
	archive := users(t)
	for line, want := range map[string]string{
		"-t 20 -s 2": "5 6", "-t 20 -T 30 -s 3": "5 6", "-t 20 -T 50 -s 2": "5 6", "-t 20 -S 20 -T 30 -s 9": "6 7", "-s 2 -T 50": "5 6", "-t 20 -s 9": "5 6 7 8", "-t 20 -S 30 -s 9": "6 7",
		"--raw -s 1": "5", "--raw -s 3": "5 6 7", "--raw -s 4": "5 6 7 8", "--raw -s 9": "5 6 7 8", "--raw -S 30 -s 1": "7", "--raw -T 30 -s 3": "5 6",
	} {
		args := append([]string{"values", "kernel.all.nusers", archive}, strings.Fields(line)...)
		out, said, status := call(t, args...)
		if got := strings.Join(last(out), " "); status != Done || got != want {
			t.Errorf("%s: status %d, %s, want %s; %s", line, status, got, want, said)
		}
		if args = append(args, "--json"); !strings.Contains(line, "--raw") {
			args = append(args, "-t", "20")
		}
		out, _, status = call(t, args...)
		var got struct {
			Reply struct{ Columns []struct{ Values []int } }
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || status != Done || len(got.Reply.Columns) != 1 || len(got.Reply.Columns[0].Values) != len(strings.Fields(want)) {
			t.Errorf("%s --json: status %d, %v, %s", line, status, err, out)
		}
	}
	for _, args := range [][]string{{"--raw", "-t", "20", "kernel.all.nusers", archive}, {"-t", "20", "sample.event.records", web01}} {
		if out, said, status := call(t, append([]string{"values"}, args...)...); status != Wrong || out != "" || !strings.Contains(said, "-t does not go with") {
			t.Errorf("%s: status %d, %s%s", args, status, out, said)
		}
	}
	if out, said, status := call(t, "values", "-s", "2", "-i", "bogus", "sample.event.records", web01); status != Done || strings.Count(out, " records: ")+strings.Count(out, " record: ") != 2 {
		t.Errorf("two values of event records: status %d, %s%s", status, out, said)
	}
}

// An instance that no operand of an expression has is refused, as it is of a metric.
func TestUnknownInstancesOfExpressions(t *testing.T) {
	for _, line := range []string{"values EXPR -i 1,nope", "values kernel.all.load -m EXPR -i 1,nope", "check EXPR --above 9 -i 1,nope", "convert -m EXPR -i 1,nope -o OUT"} {
		line = strings.ReplaceAll(strings.ReplaceAll(line, "EXPR", "kernel.all.load*2"), "OUT", t.TempDir())
		out, said, status := call(t, append(strings.Fields(line), web01)...)
		if status != Wrong || out != "" || said != "pcpscope: None of these metrics has an instance nope.\n" {
			t.Errorf("%s: status %d, %s%s", line, status, out, said)
		}
	}
	out, said, status := call(t, "values", "kernel.all.load*2", "-i", "1,5 minute", "-s", "2", web01)
	if status != Done || !strings.Contains(out, "[1 minute]") || !strings.Contains(out, "[5 minute]") || strings.Contains(out, "[15 ") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
}

// A prefix that no metric has is refused, as by pminfo(1); of several sources, one must have it.
func TestUnknownPrefix(t *testing.T) {
	archive := users(t)
	for _, prefix := range []string{"no.such", "kernel.all.nus"} {
		if out, said, status := call(t, "metrics", "--prefix", prefix, archive); status != Wrong || out != "" || !strings.Contains(said, "no metric "+prefix) {
			t.Errorf("%s: status %d, %s%s", prefix, status, out, said)
		}
	}
	out, said, status := call(t, "metrics", "--prefix", "kernel.all.load", archive, web01)
	if status != Unreadable || !strings.Contains(out, "15 minute load average") || strings.Count(said, "\n") != 1 {
		t.Errorf("of two sources: status %d, %s%s", status, out, said)
	}
}

// More points than a query may have are asked for on the command line: it is that which is wrong.
func TestTooManyPoints(t *testing.T) {
	out, said, status := call(t, "values", "-s", "50000001", "kernel.all.nusers", users(t))
	if status != Wrong || out != "" || !strings.Contains(said, "50,000,001 points are too many") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
}

// What is written where there is no folder makes none: the name is misspelt.
func TestOutputInAFolderThatDoesNotExist(t *testing.T) {
	dir, archive := t.TempDir(), users(t)
	no := filepath.Join(dir, "nothere")
	for _, args := range [][]string{{"report"}, {"report", "--html"}, {"save"}, {"convert"}, {"index"}} {
		of := archive
		if args[0] == "index" {
			of = filepath.Dir(filepath.Dir(archive))
		}
		for _, name := range []string{"x", "x/"} {
			out, said, status := call(t, append(args, "-o", no+"/"+name, of)...)
			if want := "There is no folder " + no; status != Wrong || out != "" || !strings.Contains(said, want) {
				t.Errorf("%s -o %s: status %d, %s%s", args, name, status, out, said)
			}
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("%v were made, %v", list, err)
	}
	if _, said, status := call(t, "convert", "-o", no, archive); status != Done {
		t.Errorf("a folder for the files of a conversion: status %d, %s", status, said)
	}
	if _, said, status := call(t, "convert", "-o", archive+".meta", archive); status != Wrong || !strings.Contains(said, "no folder") {
		t.Errorf("a file in place of a folder: status %d, %s", status, said)
	}
}

// A volume has a size.
func TestVolumeSize(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []string{"-3", "0"} {
		if _, said, status := call(t, "save", "--volume-size", size, "-o", filepath.Join(dir, "a"), users(t)); status != Wrong || !strings.Contains(said, "--volume-size") {
			t.Errorf("%s: status %d, %s", size, status, said)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%v were written", list)
	}
}

// What --json prints goes to the standard output, and is no page.
func TestReportAsJSONHasNoFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "report")
	for _, args := range [][]string{{"-o", name}, {"--html"}} {
		if out, said, status := call(t, append([]string{"report", "--json", web01}, args...)...); status != Wrong || out != "" || !strings.Contains(said, "--json") {
			t.Errorf("%s: status %d, %s%s", args, status, out, said)
		}
	}
}

// A metric to index that no archive has is named; what has not changed may have it.
func TestIndexOfUnknownMetrics(t *testing.T) {
	dir := t.TempDir()
	if err := os.Rename(filepath.Dir(users(t)), filepath.Join(dir, "h")); err != nil {
		t.Fatal(err)
	}
	index := func(args ...string) (said string, status int) {
		out, said, status := call(t, append([]string{"index", dir}, args...)...)
		if !strings.Contains(out, "hosts: 1, days: 1,") {
			t.Errorf("%s: %s%s", args, out, said)
		}
		return said, status
	}
	unknown := []string{"-m", "kernel.all.nuser,kernel.all.nusers", "-m", "kernel.all"}
	if said, status := index(unknown...); status != Wrong || said != "pcpscope: None of these archives has numbers of kernel.all.nuser, kernel.all; --metric takes the full names of metrics.\n" {
		t.Errorf("unknown metrics: status %d, %s", status, said)
	}
	for _, args := range [][]string{unknown, {"-m", "kernel.all.nusers"}, nil} { // nothing is read; all are known; the default ones
		if said, status := index(args...); status != Done || said != "" {
			t.Errorf("%s: status %d, %s", args, status, said)
		}
	}
}

// A folder that has nothing to index, as one whose archives are not in folders of hosts, stays as it is.
func TestIndexOfNothingLeavesNothing(t *testing.T) {
	dir := filepath.Dir(users(t))
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if out, said, status := call(t, "index", dir); status != Unreadable || out != "" || said != "pcpscope: There is no archive in a folder of a host in "+dir+".\n" {
		t.Errorf("status %d, %s%s", status, out, said)
	}
	if after, err := os.ReadDir(dir); err != nil || len(after) != len(before) {
		t.Errorf("%v, %v; there were %v", after, err, before)
	}
}
