package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// eventText writes an event as the expectations below do.
func eventText(e api.EventRecord) string {
	s := e.Flags
	if e.Missed > 0 {
		s += fmt.Sprintf(" %d", e.Missed)
	}
	for _, p := range e.Params {
		s += " " + strings.TrimPrefix(p.Metric, "sample.event.") + "=" + p.Value
	}
	return s
}

// The two metrics that describe event records are listed, as by pminfo(1), and have no values
// outside of them: pminfo -f says "No value(s) available!", not that there is no such metric.
func TestMetricsOfEventRecords(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	for _, mode := range []string{"interp", "raw"} {
		f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"event.flags", "event.missed"}, Mode: mode}, nil)
		if err != nil || len(f.Columns) != 2 {
			t.Fatalf("%v, %+v", err, f)
		}
		for _, c := range f.Columns {
			if want := c.Metric + " has no values of its own; it is a part of event records."; c.Fault == nil || c.Fault.Message != want {
				t.Errorf("%s: %+v, want %q", mode, c.Fault, want)
			}
		}
	}
}

// Event records come with their times and parameters. Expected is the output
// of pmdumplog for web01 at 03:54:01, its last record.
func TestEventRecords(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"sample.event.records"}, Mode: "raw"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := len(f.Times) - 1
	got := map[string][]string{}
	for _, c := range f.Columns {
		for _, e := range c.Events {
			if e.At == last {
				got[c.Instance.Name] = append(got[c.Instance.Name], time.Unix(0, int64(e.Time)).UTC().Format("15:04:05.000000")+" "+eventText(e))
			}
		}
	}
	want := map[string][]string{
		"fungus": {"03:53:51.332105 point type=1", "03:53:52.332105 point type=2 param_64=-3"},
		"bogus":  {"03:54:01.332105 point param_string=fetch #1197", "03:54:01.332105 point param_string=bingo!"},
	}
	for instance, list := range want {
		if len(got[instance]) != len(list) {
			t.Errorf("%s has %q", instance, got[instance])
			continue
		}
		for i, line := range list {
			clock, rest, _ := strings.Cut(line, " ")
			if !strings.Contains(got[instance][i], clock) || !strings.HasSuffix(got[instance][i], " "+rest) {
				t.Errorf("%s, record %d is %q, want %q", instance, i, got[instance][i], line)
			}
		}
	}
	f, _ = s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"sample.event.records"}, Instances: []string{"bogus"}, Mode: "raw"}, nil)
	if c := f.Columns[0]; len(f.Columns) != 1 || eventText(c.Events[len(c.Events)-1]) != "point param_string=bingo!" {
		t.Errorf("of one instance there are %d columns", len(f.Columns))
	}
}

// Flags, lost records and all types of parameters: as pmdumplog prints the
// last value of instance fungus in eventrec.
func TestEventRecordsOfAllKinds(t *testing.T) {
	s, o := openAll(t, archiveFiles(reference.Need(t, "corpus", "archives"), "eventrec")...)
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"sample.event.records"}, Instances: []string{"fungus"}, Mode: "raw"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range f.Columns[0].Events {
		if e.At == len(f.Times)-1 {
			got = append(got, eventText(e))
		}
	}
	want := []string{
		"start,id,parent type=4 param_u64=5 param_string=6",
		"point type=7 param_double=8 param_double=-9",
		"end type=10 param_u64=11 param_string=twelve param_string=thirteen param_32=-14 param_u32=15",
		"missed 7",
		"point type=16 param_float=-17 param_aggregate=0103070f1f3f7fff",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the records are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
