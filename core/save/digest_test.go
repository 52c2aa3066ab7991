package save

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Without PCP installed, saved files are compared byte for byte, by digest,
// with files whose records were printed by pmlogdump 6.0.3; the second digest
// of each line is of its output. SAVE_DIGESTS=update rewrites the digests
// where PCP is installed.
func TestSavedIsWhatPmlogdumpHasRead(t *testing.T) {
	const file = "testdata/digests.txt"
	var lines []string
	all := groups(t, folders()[0])
	names := []string{}
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	known, _ := os.ReadFile(file)
	for _, name := range names {
		a := load(t, all[name])
		from := a.Records()[0].Time + 100*second
		for i, q := range []Request{{}, {Version: 2}, {Version: 3, Strict: true}, {Metrics: []string{"disk", "kernel.all"}}, {Every: 10 * second}, {Repair: true}} {
			q.Parts, q.Start, q.End = []*archive.Archive{a}, from, from+pcp.Time(10)*second
			out, _ := write(t, q)
			sum := sha256.New()
			for _, suffix := range []string{"meta", "index", "0"} {
				sum.Write(out[suffix].Bytes())
			}
			line := fmt.Sprintf("%s %d %x", name, i, sum.Sum(nil)[:12])
			was := ""
			for l := range strings.Lines(string(known)) {
				if strings.HasPrefix(l, fmt.Sprintf("%s %d ", name, i)) {
					was = strings.TrimSpace(l)
				}
			}
			if !strings.HasPrefix(was, line+" ") && os.Getenv("SAVE_DIGESTS") != "update" {
				t.Errorf("%s is not what was read: %q", line, was)
			}
			if text, ok := dump(t, out.store(t, "saved")); ok {
				line += fmt.Sprintf(" %x", sha256.Sum256([]byte(text)))[:25]
				if line != was && os.Getenv("SAVE_DIGESTS") != "update" {
					t.Logf("pmlogdump prints %s, version 6.0.3 %s", line, was)
				}
			}
			lines = append(lines, line)
		}
	}
	if os.Getenv("SAVE_DIGESTS") == "update" {
		os.MkdirAll("testdata", 0o755)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
