package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/recording"
)

// Each subject has one row, which says how many series of it changed beside the one it shows: a
// disk that is idle for half an hour and then writes has three.
func TestCompareCountsSeries(t *testing.T) {
	const half = 180
	then := func(step float64) []float64 {
		return append(recording.Steady(half, 1000.0), recording.Rising(half, 1000, step)...)
	}
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 10e9, Values: map[string]map[string]any{
		"disk.dev.avactive":    {"sda": then(9000)},
		"disk.dev.write":       {"sda": then(2000)},
		"disk.dev.write_bytes": {"sda": then(200000)},
	}}.Write(t)
	base := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	out, said, status := call(t, "compare", "-A", "0sec/29min", "-B", "31min/59min", base)
	rows := 0
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "disk.") {
			if rows++; !strings.Contains(line, "and 2 more") {
				t.Errorf("a row is %q", line)
			}
		}
	}
	if status != Done || rows != 1 || !strings.Contains(out, "3 of 3 series differ") {
		t.Errorf("status %d, %s\n%s", status, said, out)
	}
}

// What cannot be read is named, with the reason, and gives the status of that.
func TestCompareWithWhatCannotBeRead(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(text, []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	for other, want := range map[string]string{
		text: text + ": This is a text.", text + "2": "There is no file, folder or archive named " + text + "2.", filepath.Dir(text): "There is no archive and no MMV file in " + filepath.Dir(text) + ".",
	} {
		for _, args := range [][]string{{web01, other}, {other, web01}} {
			if out, said, status := call(t, append([]string{"compare"}, args...)...); status != Unreadable || out != "" || said != "pcpscope: "+want+"\n" {
				t.Errorf("%s: status %d, %s%s", args, status, out, said)
			}
		}
	}
}
