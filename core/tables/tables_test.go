package tables

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/export"
	"pcpscope/core/pcp"
)

// written collects the files of a sink.
type written map[string]*bytes.Buffer

func (w written) create(name string) (io.Writer, error) {
	if w[name] != nil {
		return nil, fmt.Errorf("%s is written twice", name)
	}
	w[name] = new(bytes.Buffer)
	return w[name], nil
}

func begin(t testing.TB, format string) (export.Sink, written) {
	t.Helper()
	w := written{}
	sink, err := New(format, w.create)
	if err != nil {
		t.Fatal(err)
	}
	return sink, w
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The tables have a row for each value passed to a sink, with the number of
// its series.
func TestTablesHoldWhatTheyAreGiven(t *testing.T) {
	sink, files := begin(t, "csv")
	sda := "sda \"fast\", first"
	must(t,
		sink.Series(&export.Series{Host: "a", Source: "20261121", Metric: "disk.dev.read", Instance: &sda, InstanceID: 7, Type: "U64", Semantics: "counter", Units: "count", Labels: `{"x":"1,2"}`}),
		sink.Samples([]pcp.Time{1, 2, 3}, []float64{0.5, 18446744073709551615, -1}, []string{"", "18446744073709551615", ""}),
		sink.Series(&export.Series{Host: "a", Source: "20261121", Metric: "kernel.uname.release", Type: "STRING", Semantics: "discrete", Labels: "{}"}),
		sink.Strings([]pcp.Time{4, 5}, []string{"6.1\n6.2", ""}),
		sink.Series(&export.Series{Host: "b", Source: "20261122", Metric: "log", Type: "EVENT", Labels: "{}"}),
		sink.Events([]export.Event{{Logged: 9, Time: 8, Flags: "point", Missed: 2, Parameters: `[{"metric":"m","value":1}]`}}),
		sink.Series(&export.Series{Host: "b", Source: "20261122", Metric: "mem.free", Labels: "{}"}),
		sink.Samples([]pcp.Time{6}, []float64{math.Inf(1)}, nil),
		sink.Close())
	for name, want := range map[string][][]string{
		"series.csv": {{"series", "host", "source", "metric", "instance", "instance_id", "type", "semantics", "units", "labels"},
			{"0", "a", "20261121", "disk.dev.read", sda, "7", "U64", "counter", "count", `{"x":"1,2"}`},
			{"1", "a", "20261121", "kernel.uname.release", "", "", "STRING", "discrete", "", "{}"},
			{"2", "b", "20261122", "log", "", "", "EVENT", "", "", "{}"}, {"3", "b", "20261122", "mem.free", "", "", "", "", "", "{}"}},
		"samples.csv": {{"series", "time", "value", "exact"}, {"0", "1", "0.5", ""}, {"0", "2", "1.8446744073709552e+19", "18446744073709551615"}, {"0", "3", "-1", ""}, {"3", "6", "inf", ""}},
		"strings.csv": {{"series", "time", "value"}, {"1", "4", "6.1\n6.2"}, {"1", "5", ""}},
		"events.csv":  {{"series", "logged", "time", "flags", "missed", "parameters"}, {"2", "9", "8", "point", "2", `[{"metric":"m","value":1}]`}},
	} {
		got, err := csv.NewReader(files[name]).ReadAll()
		if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%s: %v\n%q, want\n%q", name, err, got, want)
		}
	}
	if _, err := New("xlsx", written{}.create); err == nil || !strings.Contains(err.Error(), "xlsx") {
		t.Errorf("a format that is not known: %v", err)
	}
	full := func(string) (io.Writer, error) { return nil, io.ErrShortWrite }
	for _, format := range Formats {
		if _, err := New(format, full); err == nil {
			t.Errorf("%s says nothing of a file that cannot be made", format)
		}
	}
}

// A sample of the text, by the letter of the OpenMetrics 1.0 grammar.
var sampleLine = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)\{hostname="((?:[^"\\\n]|\\[\\n"])*)"(?:,instname="((?:[^"\\\n]|\\[\\n"])*)",instid="(-?\d+)")?\} ([-+]?(?:[0-9.]+(?:e[-+]?\d+)?|Inf)) (-?\d+\.\d{9})$`)

// A metric of a text.
type sampled struct {
	family, kind, host, instance, id, value, time string
}

// parsed parses a text: contiguous families, each with its type, # EOF last.
func parsed(t testing.TB, text string) (list []sampled) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if n := len(lines); n < 2 || lines[n-1] != "" || lines[n-2] != "# EOF" {
		t.Fatalf("the text does not end with # EOF: %q", text[max(0, len(text)-30):])
	}
	family, kind := "", ""
	var done []string
	for _, l := range lines[:len(lines)-2] {
		if rest, ok := strings.CutPrefix(l, "# TYPE "); ok {
			family, kind, _ = strings.Cut(rest, " ")
			if slices.Contains(done, family) || kind != "counter" && kind != "gauge" {
				t.Fatalf("%q, a second time or of no kind", l)
			}
			done = append(done, family)
			continue
		}
		if strings.HasPrefix(l, "# HELP "+family+" ") {
			continue
		}
		m := sampleLine.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("%q is no sample", l)
		}
		if want := family + map[string]string{"counter": "_total"}[kind]; m[1] != want {
			t.Fatalf("%q is in the family %s", l, want)
		}
		back := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`)
		list = append(list, sampled{family, kind, back.Replace(m[2]), back.Replace(m[3]), m[4], m[5], m[6]})
	}
	return list
}

// Families are contiguous even if names become equal; each source has a text
// of its own; strings and events are omitted.
func TestOpenMetrics(t *testing.T) {
	sink, files := begin(t, "openmetrics")
	odd := "C:\\ \"x\"\nnext"
	must(t,
		sink.Series(&export.Series{Host: "a", Source: "1", Metric: "disk.dev.read", Instance: &odd, InstanceID: -3, Semantics: "counter"}),
		sink.Samples([]pcp.Time{1_500_000_000, 2_000_000_001}, []float64{5, 6}, []string{"", "9007199254740993"}),
		sink.Series(&export.Series{Host: "a", Source: "1", Metric: "disk.dev_read", Semantics: "instant"}),
		sink.Samples([]pcp.Time{1}, []float64{math.Inf(-1)}, nil),
		sink.Series(&export.Series{Host: "a", Source: "1", Metric: "kernel.uname", Semantics: "discrete"}),
		sink.Strings([]pcp.Time{1}, []string{"Linux"}),
		sink.Series(&export.Series{Host: "b", Source: "1", Metric: "disk.dev.read", Semantics: "counter"}),
		sink.Samples([]pcp.Time{1}, []float64{1e-9}, nil),
		sink.Close())
	if len(files) != 2 {
		t.Fatalf("%d texts of two sources with numbers", len(files))
	}
	for name, want := range map[string][]sampled{
		"openmetrics.txt": {{"disk_dev_read", "counter", "a", odd, "-3", "5", "1.500000000"}, {"disk_dev_read", "counter", "a", odd, "-3", "9007199254740993", "2.000000001"},
			{"disk_dev_read_2", "gauge", "a", "", "", "-Inf", "0.000000001"}},
		"openmetrics-2.txt": {{"disk_dev_read", "counter", "b", "", "", "1e-09", "0.000000001"}},
	} {
		if got := parsed(t, files[name].String()); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Two days of a host in folders of their own are sources of the same name. Each has a text of its
// own, with the same families: OpenMetrics 1.0 has each family once in a text, and the times of a
// metric ascending.
func TestOpenMetricsOfSourcesOfOneName(t *testing.T) {
	sink, files := begin(t, "openmetrics")
	for _, at := range []pcp.Time{2_000_000_000, 1_000_000_000, 3_000_000_000} {
		for i, metric := range []string{"disk.all.read", "disk.all.write"} {
			must(t, sink.Series(&export.Series{Host: "a", Source: "web01", Metric: metric, InstanceID: -1, Semantics: "counter"}),
				sink.Samples([]pcp.Time{at}, []float64{float64(i)}, nil))
		}
	}
	must(t, sink.Close())
	for name, at := range map[string]string{"openmetrics.txt": "2.000000000", "openmetrics-2.txt": "1.000000000", "openmetrics-3.txt": "3.000000000"} {
		want := []sampled{{"disk_all_read", "counter", "a", "", "", "0", at}, {"disk_all_write", "counter", "a", "", "", "1", at}}
		if files[name] == nil {
			t.Errorf("there is no %s", name)
		} else if got := parsed(t, files[name].String()); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// No sample of a family could be one of another: the OpenMetrics 1.0 specification has counters
// foo with samples foo_total and foo_created, and rules out a gauge of such a name beside them.
func TestOpenMetricsSamplesHaveOneFamily(t *testing.T) {
	for _, tt := range [][3]string{ // counter, gauge, family of the gauge
		{"x.tot", "x.tot_total", "x_tot_total_2"},
		{"x.tot", "x.tot.created", "x_tot_created_2"},
		{"x.tot", "x_tot", "x_tot_2"},
		{"x.tot", "x.tot.count", "x_tot_count"},
	} {
		sink, files := begin(t, "openmetrics")
		must(t,
			sink.Series(&export.Series{Host: "a", Metric: tt[0], Semantics: "counter"}), sink.Samples([]pcp.Time{1}, []float64{5}, nil),
			sink.Series(&export.Series{Host: "a", Metric: tt[1], Semantics: "instant"}), sink.Samples([]pcp.Time{1}, []float64{6}, nil),
			sink.Close())
		if got := parsed(t, files["openmetrics.txt"].String()); len(got) != 2 || got[0].family != "x_tot" || got[1].family != tt[2] || got[1].value != "6" {
			t.Errorf("a counter %s and a gauge %s: %+v, want the families x_tot and %s", tt[0], tt[1], got, tt[2])
		}
	}
	sink, files := begin(t, "openmetrics")
	must(t,
		sink.Series(&export.Series{Host: "a", Metric: "x.tot.total", Semantics: "instant"}), sink.Samples([]pcp.Time{1}, []float64{6}, nil),
		sink.Series(&export.Series{Host: "a", Metric: "x_tot", Semantics: "counter"}), sink.Samples([]pcp.Time{1}, []float64{5}, nil),
		sink.Close())
	if text := files["openmetrics.txt"].String(); !strings.Contains(text, "\nx_tot_2_total{") || !strings.Contains(text, "\nx_tot_total{") {
		t.Errorf("a gauge, and then a counter with samples of its name:\n%s", text)
	}
}

// Whatever hosts, metrics and instances are called, the text is valid, with
// their names as labels.
func FuzzOpenMetrics(f *testing.F) {
	f.Add("web01", "disk.dev.read", "sda", "counter", 1.5, int64(1_500_000_000))
	f.Add("", "9lives", "\\\"\n", "instant", math.Inf(1), int64(-1))
	f.Add("a\x00b", "ünicode.metric", "\xff", "discrete", math.MaxFloat64, int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, host, metric, instance, semantics string, value float64, at int64) {
		if value != value { // no sink receives NaN
			return
		}
		sink, files := begin(t, "openmetrics")
		for _, m := range []string{metric, metric + ".", metric + "_"} {
			must(t, sink.Series(&export.Series{Host: host, Source: "s", Metric: m, Instance: &instance, Semantics: semantics, Units: instance}),
				sink.Samples([]pcp.Time{pcp.Time(at)}, []float64{value}, nil))
		}
		must(t, sink.Close())
		list := parsed(t, files["openmetrics.txt"].String())
		if len(list) != 3 || list[0].family == list[1].family || list[1].family == list[2].family || list[0].family == list[2].family {
			t.Fatalf("metrics = %+v, want three of different families", list)
		}
		for _, s := range list {
			v, err := strconv.ParseFloat(s.value, 64)
			if err != nil || v != value || s.host != host || s.instance != instance {
				t.Fatalf("%+v of %q, %q, %v", s, host, instance, value)
			}
		}
	})
}
