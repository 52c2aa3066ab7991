package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// Event records are printed as text. Expected is what `pmdumplog -a` prints of web01 at 03:54:01
// and the second before.
func TestEventRecordsAreReadable(t *testing.T) {
	out, said, status := call(t, "values", "sample.event.records", "-i", "bogus,fungus", "-S", "-2sec", web01)
	last := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	for _, want := range []string{
		"2026-11-21 03:54:01.332",
		"2 records: 03:53:51.332105 point sample.event.type=1; 03:53:52.332105 point sample.event.type=2 sample.event.param_64=-3",
		`2 records: 03:54:01.332105 point sample.event.param_string="fetch #1197"; 03:54:01.332105 point sample.event.param_string=bingo!`,
	} {
		if status != Done || !strings.Contains(last, want) {
			t.Errorf("status %d, %s, %q; want %q", status, said, last, want)
		}
	}
	if !strings.Contains(out, "no records") || strings.Contains(out, "000000016b") {
		t.Errorf("values:\n%s", out)
	}
}

// With --json, too, event records are those that were logged, and there is no -t for them: of bogus,
// `pmdumplog -a` prints two records at 03:54:01.
func TestEventRecordsAsJSON(t *testing.T) {
	plain, said, status := call(t, "values", "--json", "sample.event.records", "-i", "bogus", "-S", "-1sec", web01)
	if want := `"flags":"point","params":[{"metric":"sample.event.param_string","value":"bingo!"}]`; status != Done || !strings.Contains(plain, want) {
		t.Errorf("status %d, %s%s", status, plain, said)
	}
	if raw, said, status := call(t, "values", "--json", "--raw", "sample.event.records", "-i", "bogus", "-S", "-1sec", web01); status != Done || raw != plain {
		t.Errorf("--raw: status %d, %s%s", status, raw, said)
	}
	if out, said, status := call(t, "values", "--json", "-t", "1", "sample.event.records", web01); status != Wrong || out != "" || !strings.Contains(said, "-t does not go with them") {
		t.Errorf("-t: status %d, %s%s", status, out, said)
	}
}

// Flags, records that were lost, and bytes, as pmval prints the first value of the reference
// archive.
func TestEventRecordsOfAllKinds(t *testing.T) {
	out, said, status := call(t, "values", "sample.event.records", "-i", "fungus", filepath.Join(reference.Need(t, "corpus", "archives"), "eventrec"))
	for _, want := range []string{
		"5 records: 12:00:41.555", " start,id,parent sample.event.type=4 sample.event.param_u64=5 sample.event.param_string=6; 12:00:42.555",
		" end sample.event.type=10 ", " missed 7; ", " sample.event.param_float=-17 sample.event.param_aggregate=0103070f1f3f7fff\n",
	} {
		if status != Done || !strings.Contains(out, want) {
			t.Errorf("status %d, %s\n%s\nwant %q", status, said, out, want)
		}
	}
}

// With --raw, counters are what was logged: 100, 300 and 600, not rates.
func TestRawCounters(t *testing.T) {
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"kernel.all.pswitch": {"": []float64{100, 300, 600}},
	}}.Write(t)
	base := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	for args, want := range map[string]string{"--raw": "count 100 300 600", "-r": "count 100 300 600", "-t 20sec": "count / sec - 10 15"} {
		out, said, status := call(t, append([]string{"values", "kernel.all.pswitch", base}, strings.Fields(args)...)...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if status != Done || len(lines) != 6 {
			t.Errorf("%s: status %d, %s\n%s", args, status, said, out)
			continue
		}
		got := []string{strings.TrimSpace(lines[2])}
		for _, l := range lines[3:] {
			f := strings.Fields(l)
			got = append(got, f[len(f)-1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", args, got, want)
		}
	}
}
