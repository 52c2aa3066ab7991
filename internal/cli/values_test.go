package cli

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/recording"
)

// Without an interval, values are printed as often as the metrics were logged, so that
// none is left out: every 20 s here, and once for what was logged once, which no sample
// at another time has.
func TestValuesAsOftenAsLogged(t *testing.T) {
	once := []float64{math.NaN(), math.NaN(), 42, math.NaN()}
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"kernel.all.nusers": {"": recording.Rising(4, 5, 1)}, "kernel.all.nprocs": {"": once},
	}}.Write(t)
	for metric, want := range map[string][]string{"kernel.all.nusers": {"5", "6", "7", "8"}, "kernel.all.nprocs": {"42"}} {
		out, said, status := call(t, "values", metric, strings.TrimSuffix(files[0], filepath.Ext(files[0])))
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if status != Done || len(lines) != 3+len(want) {
			t.Errorf("%s: status %d, %s\n%s", metric, status, said, out)
			continue
		}
		for i, v := range want {
			if f := strings.Fields(lines[3+i]); f[len(f)-1] != v {
				t.Errorf("%s: %q, want %s", metric, lines[3+i], v)
			}
		}
	}
}

// Integers have all their digits, as in pmval(1): 11.6 days of CPU time in nanoseconds, up to 2^53,
// and beside one beyond it.
func TestValuesHaveAllDigits(t *testing.T) {
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"cgroup.cpuacct.usage": {"/a": []float64{1_000_000_123_456_789, 1_000_000_123_456_799, 1 << 53}, "/b": []float64{1_000_000_123_456_789, 1 << 53, 1 << 60}},
	}}.Write(t)
	archive := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	for instance, values := range map[string][]string{
		"/a": {"1000000123456789", "1000000123456799", "9007199254740992"}, "/b": {"1000000123456789", "9007199254740992", "1152921504606846976"},
	} {
		out, said, status := call(t, "values", "cgroup.cpuacct.usage", "-r", "-i", instance, archive)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if status != Done || len(lines) != 3+3 {
			t.Fatalf("%s: status %d, %s\n%s", instance, status, said, out)
		}
		for i, want := range values {
			if f := strings.Fields(lines[3+i]); f[len(f)-1] != want {
				t.Errorf("%s: %q, want %s", instance, lines[3+i], want)
			}
		}
	}
}

// A window is cut to the recording, as by pmval(1).
func TestValuesWithinTheRecording(t *testing.T) {
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"kernel.all.nusers": {"": recording.Rising(4, 5, 1)},
	}}.Write(t)
	archive := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	out, said, status := call(t, "values", "kernel.all.nusers", archive, "-S", "@2023-11-14 22:00", "-T", "20min", "-t", "20sec")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); status != Done || len(lines) != 3+4 || !strings.HasSuffix(lines[3], "5") || !strings.HasSuffix(lines[6], "8") {
		t.Errorf("status %d, %s\n%s", status, said, out)
	}
	out, said, status = call(t, "values", "kernel.all.nusers", archive, "-S", "@2023-11-14 22:00", "-s", "2", "-t", "20sec")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); status != Done || len(lines) != 3+2 || !strings.HasSuffix(lines[3], "5") || !strings.HasSuffix(lines[4], "6") {
		t.Errorf("of two samples: status %d, %s\n%s", status, said, out)
	}
	out, said, status = call(t, "values", "kernel.all.nusers", archive, "-S", "@2023-11-14 22:00", "-T", "40sec", "-s", "2", "-t", "20sec")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); status != Done || len(lines) != 3+2 || !strings.HasSuffix(lines[3], "5") || !strings.HasSuffix(lines[4], "6") {
		t.Errorf("of two samples up to 40 s after the start: status %d, %s\n%s", status, said, out)
	}
}

// A window in which nothing was recorded is the command line's mistake, whatever is asked of it;
// among several sources, one that has nothing there lacks an answer, and the rest is done.
func TestWindowsWithoutARecord(t *testing.T) {
	write := func(host string, samples int) string {
		files := recording.Recording{Host: host, Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
			"kernel.all.nusers": {"": recording.Rising(samples, 5, 1)},
		}}.Write(t)
		return strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	}
	minute, hour := write("minute", 4), write("hour", 181) // from 22:13:20 UTC
	out := t.TempDir()
	for _, window := range [][]string{{"-S", "@2023-11-15 10:00", "-T", "@2023-11-15 11:00"}, {"-S", "@2023-11-13 10:00", "-T", "@2023-11-13 11:00"}, {"-S", "@2023-11-15 10:00"}} {
		for _, command := range [][]string{
			{"values", "kernel.all.nusers"}, {"values", "-t", "2h", "kernel.all.nusers"}, {"values", "--raw", "kernel.all.nusers"}, {"values", "-s", "2", "kernel.all.nusers"},
			{"summary"}, {"story"}, {"explain"}, {"moves", "kernel.all.nusers"}, {"check", "--above", "90", "kernel.all.nusers"},
			{"report", "--html", "-o", filepath.Join(out, "report.html")}, {"convert", "-o", out}, {"save", "-o", filepath.Join(out, "saved")},
		} {
			got, said, status := call(t, append(append(command, minute), window...)...)
			if status != Wrong || got != "" || !strings.HasPrefix(said, "pcpscope: Nothing was recorded in this window: the recording is from ") {
				t.Errorf("%s %s: status %d, %s%s", command, window, status, got, said)
			}
		}
	}
	if list, _ := os.ReadDir(out); len(list) != 0 {
		t.Errorf("%v were written", list)
	}
	got, said, status := call(t, "summary", minute, hour, "-S", "@2023-11-14 22:20", "-T", "@2023-11-14 22:30")
	if status != Unreadable || strings.Count(got, "kernel.all.nusers") != 1 || !strings.Contains(said, "minute") || strings.Contains(said, "hour") {
		t.Errorf("of two sources: status %d, %s%s", status, got, said)
	}
}

// Instances are separated by commas, which may stand in quotes; a name with a quote is one as it is.
func TestInstanceNames(t *testing.T) {
	for text, want := range map[string][]string{"sda,sdb": {"sda", "sdb"}, `"1,2",3`: {"1,2", "3"}, `q"x,y`: {`q"x,y`}, "1 minute": {"1 minute"}, "": nil} {
		var got names
		if err := got.Set(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"filesys.used": {`q"x,y`: recording.Steady(4, 5.0), "other": recording.Steady(4, 7.0)},
	}}.Write(t)
	archive := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	out, said, status := call(t, "values", "-i", `q"x,y`, "filesys.used", archive)
	if status != Done || !strings.Contains(out, `q"x,y`) || strings.Contains(out, "other") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
	saved := filepath.Join(t.TempDir(), "saved")
	if _, said, status := call(t, "save", "-i", `q"x,y`, "-o", saved, archive); status != Done {
		t.Fatalf("status %d, %s", status, said)
	}
	out, said, status = call(t, "values", "filesys.used", saved)
	if status != Done || !strings.Contains(out, `q"x,y`) || strings.Contains(out, "other") {
		t.Errorf("of what was saved: status %d, %s%s", status, out, said)
	}
}

// A setting that was logged once, before the window, has its value at the start of the window,
// as printed by pmval(1), in a table before what was logged; a level that was not logged
// again has none.
func TestValuesOfSettingsInForce(t *testing.T) {
	nan := math.NaN()
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"hinv.ncpu": {"": []float64{4, nan, nan, nan}}, "kernel.all.nprocs": {"": []float64{42, nan, nan, nan}}, "kernel.all.nusers": {"": []float64{nan, nan, 7, nan}}, "mem.physmem": {"": recording.Rising(4, 1, 1)},
	}}.Write(t)
	archive := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	out, said, status := call(t, "values", "hinv.ncpu", archive, "-S", "30sec")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); status != Done || said != "" || len(lines) != 3+1 || !strings.HasSuffix(lines[3], ":50.000  4") { // 22:13:20 and 30 s
		t.Errorf("status %d, %s\n%s", status, said, out)
	}
	out, said, status = call(t, "values", "hinv.ncpu", "-m", "kernel.all.nusers", archive, "-S", "30sec")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); status != Done || said != "" || len(lines) != 3+1+1+2+1 || !strings.HasSuffix(lines[3], "  4") || !strings.HasSuffix(lines[7], "  7") {
		t.Errorf("status %d, %s\n%s", status, said, out)
	}
	if out, said, status = call(t, "values", "kernel.all.nprocs", archive, "-S", "30sec"); status != Wrong || !strings.Contains(said, "no values in this window") {
		t.Errorf("status %d, %s\n%s", status, said, out)
	}
}

// The average of a single value is that value, where `pmlogsummary` 6.0.3 prints 42.000 as
// the stochastic average and 0.000 as that over time. A rising line and a setting have the
// averages over time that it prints, 6.000 and 4.000.
func TestSummaryOfOneValue(t *testing.T) {
	nan := math.NaN()
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"kernel.all.nusers": {"": recording.Rising(4, 5, 1)}, "kernel.all.nprocs": {"": []float64{nan, nan, 42, nan}}, "hinv.ncpu": {"": []float64{nan, 4, nan, nan}},
	}}.Write(t)
	out, said, status := call(t, "summary", strings.TrimSuffix(files[0], filepath.Ext(files[0])))
	for name, want := range map[string]string{"kernel.all.nusers": "6", "kernel.all.nprocs": "42", "hinv.ncpu": "4"} {
		_, rest, _ := strings.Cut(out, name)
		if f := strings.Fields(rest); status != Done || len(f) == 0 || f[0] != want {
			t.Errorf("the average of %s is not %s: status %d, %s\n%s", name, want, status, said, out)
		}
	}
}

// Where the logger was restarted again and again, no rate is known for long: the summary, the
// report and the explanation of a window say so.
func TestRestarts(t *testing.T) {
	const samples = 600 // in the middle third, every other is a mark
	values := recording.Rising(samples, 5, 1)
	for i := 200; i < 400; i += 2 {
		values[i] = math.NaN()
	}
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 10e9, Values: map[string]map[string]any{"kernel.all.nusers": {"": values}}}.Write(t)
	archive := strings.TrimSuffix(files[0], filepath.Ext(files[0]))
	const all, part = "Rates are unknown for 33 min 20 s, in which the logger was restarted 100 times.", "Rates are unknown for 10 min, in which the logger was restarted 30 times."
	from, to := "2200s", "600s" // after the start, and after that
	for want, args := range map[string][]string{all: {"summary"}, part: {"summary", "-S", from, "-T", to}, all + " ": {"report"}, part + " ": {"explain", "-S", from, "-T", to}} {
		out, said, status := call(t, append(args, archive)...)
		if out = strings.Join(strings.Fields(out), " "); status != Done || !strings.Contains(out, strings.TrimSpace(want)) || strings.Contains(out, "no outages") {
			t.Errorf("%s: status %d, %s\n%s", args, status, said, out)
		}
	}
	if out, _, status := call(t, "summary", "-T", "1500s", archive); status != Done || strings.Contains(out, "Rates are") {
		t.Errorf("without restarts: %s", out)
	}
}

// An expression that selects an instance is not named with that instance twice.
func TestSelectedInstancesAreNamedOnce(t *testing.T) {
	for expression, want := range map[string]string{"kernel.all.load[1 minute]": "kernel.all.load[1 minute]", "(rate(kernel.all.load))[15 minute]": "(rate(kernel.all.load))[15 minute]", "kernel.all.load[15]": "kernel.all.load[15][15 minute]"} {
		out, said, status := call(t, "values", expression, "-s", "3", web01)
		if lines := strings.Split(out, "\n"); status != Done || len(lines) < 2 || strings.TrimSpace(strings.TrimPrefix(lines[1], "time")) != want {
			t.Errorf("%s: status %d, %s%s", expression, status, out, said)
		}
	}
}

// Where no instance of a metric has a value, as at the very start of web01, that is said, and there
// is no table of times without columns. pmval prints "No values available".
func TestValuesOfNothing(t *testing.T) {
	for _, args := range [][]string{{"-s", "1"}, {"-s", "1", "-t", "10sec"}, {"--raw", "-T", "0.01sec"}} {
		out, said, status := call(t, append([]string{"values", "kernel.all.load", web01}, args...)...)
		if status != Wrong || out != "" || said != "pcpscope: web01: kernel.all.load has no values in this window.\n" {
			t.Errorf("%s: status %d, %s%s", args, status, out, said)
		}
	}
	out, said, status := call(t, "values", "kernel.all.load", "-m", "hinv.ncpu", "-s", "1", web01)
	if status != Done || !strings.Contains(out, "hinv.ncpu") || !strings.Contains(said, "kernel.all.load has no values") {
		t.Errorf("with one that has: status %d, %s%s", status, out, said)
	}
	out, said, status = call(t, "values", "network.interface.in.bytes", "-m", "network.interface.out.bytes", "-S", "1min", "-s", "1", web01)
	if status != Done || strings.Count(out, "\n") != 2 || !strings.Contains(said, "None of these 8 series has a value") {
		t.Errorf("of rates one below the other: status %d, %s%s", status, out, said)
	}
}

// Where nothing can be summarised, as of counters that were read once, that is said.
func TestSummaryOfNothing(t *testing.T) {
	out, said, status := call(t, "summary", "../../testdata/mmv/acme")
	if status != Done || out != "" || said != "pcpscope: acme: No series has a number in this window; counters have rates from their second record.\n" {
		t.Errorf("status %d, %s%s", status, out, said)
	}
}
