package core

import (
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// A start before the recording is its start, also for an end that counts from it, and an
// end after it is its end, as of PCP's tools. Numbers remain, as charts may begin before
// the recording, and so does what lies beyond it.
func TestWindowOfTexts(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "window", Step: 600e9, Values: map[string]map[string]any{"hinv.ncpu": {"": recording.Steady(7, 1.0)}}})
	at := func(minutes int) pcp.Time { return recording.Start + pcp.Time(minutes)*60e9 }
	text := func(s string) *api.When { return &api.When{Text: s} }
	for _, tt := range []struct {
		name       string
		start, end *api.When
		from, to   int // minutes after the start; the recording ends after 60
	}{
		{"end counted from a start before the recording", text("-5h"), text("10min"), 0, 10},
		{"end after the recording", text("20min"), text("5h"), 20, 60},
		{"both beyond", text("-5h"), text("@2030-01-01"), 0, 60},
		{"end counted from the start", text("20min"), text("30min"), 20, 50},
		{"start counted back from the end", text("-20min"), nil, 40, 60},
		{"end counted back", nil, text("-20min"), 0, 40},
		{"start after the recording, no end", text("4h"), nil, 240, 60},
		{"numbers", moment(at(-30)), moment(at(90)), -30, 90},
		{"a text and a number", text("-5h"), moment(at(90)), 0, 90},
		{"after the recording", text("2h"), text("1h"), 120, 180},
		{"before the recording", text("-5h"), text("-4h"), -240, -180},
	} {
		of, err := s.source(src.ID)
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.window(of, tt.start, tt.end, "UTC")
		if want := (window{at(tt.from), at(tt.to)}); err != nil || w != want {
			t.Errorf("%s: %v (%v), want %v", tt.name, w, err, want)
		}
	}
}

// Typed times and days are in the zone that a label names, as all times that are shown: summer
// time begins in it on 31 March 2024, 01:00 UTC. "archive" is what -z is for PCP's tools, the value
// of TZ alone: pmval -z -S '@2024-03-31 09:00' prints the record of 08:00 UTC.
func TestZoneOfTheLabel(t *testing.T) {
	start := pcp.Time(time.Date(2024, 3, 30, 12, 0, 0, 0, time.UTC).UnixNano())
	for _, tt := range []struct {
		timezone, zoneinfo, asked string
		typed                     int // hour of UTC that 09:00 is on the 31st
		hours                     int // that the 31st has
	}{
		{"CET-1", ":Europe/Berlin", "", 7, 23},
		{"CET-1", ":Europe/Berlin", "archive", 8, 24},
		{"CET-1", ":Nowhere/At_All", "", 8, 24},
		{"CET-1", "", "", 8, 24},
		{"CET-1CEST,M3.5.0,M10.5.0/3", "", "", 7, 23},
		{"", ":Europe/Berlin", "", 7, 23},
	} {
		w := written{}
		out, err := archive.NewWriter(archive.Label{Version: 3, Host: "h", Start: start, Timezone: tt.timezone, Zoneinfo: tt.zoneinfo}, w.create("a"))
		if err != nil {
			t.Fatal(err)
		}
		out.Desc(rampLevel, "ramp.level")
		for hour := range 48 {
			out.Record(start+pcp.Time(hour)*3600e9, []archive.ValueSet{{PMID: rampLevel.PMID, Type: rampLevel.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(hour)}}}})
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		s, id := w.open(t)
		d, err := s.Days(t.Context(), api.DaysQuery{Source: id, Metric: "ramp.level", Zone: tt.asked}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if day := d.Days[1]; day.Date != "2024-03-31" || day.End.Since(day.Start) != float64(tt.hours)*3600 {
			t.Errorf("%+v: the day is %+v", tt, day)
		}
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"ramp.level"}, Start: &api.When{Text: "@2024-03-31 09:00"}, Count: 1, Zone: tt.asked}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := start + pcp.Time(12+tt.typed)*3600e9; f.Start != want || f.Columns[0].Values[0] != float64(12+tt.typed) {
			t.Errorf("%+v: the time typed is %v with %v, want %v", tt, f.Start.Std().UTC(), f.Columns[0].Values, want.Std().UTC())
		}
	}
}

// A window that ends before it starts is refused by every question, also where it is shorter
// than the interval, and an interval that leads nowhere is not called a window.
func TestReversedWindows(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "reversed", Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu":         {"": recording.Steady(7, 1.0)},
		"proc.psinfo.utime": {"000007 job": []float64{0, 100, 200, 300, 400, 500, 600}},
		"proc.psinfo.stime": {"000007 job": recording.Steady(7, 0.0)},
	}})
	start, end := moment(recording.Start+40e9), moment(recording.Start+20e9)
	long, back := int64(3600e9), int64(-5)
	fetch := func(q api.Query) error {
		q.Source, q.Metrics = src.ID, []string{"hinv.ncpu"}
		_, err := s.Fetch(t.Context(), q, nil)
		return err
	}
	_, processes := s.Processes(t.Context(), api.ProcessQuery{Source: src.ID, Start: start, End: end}, nil)
	_, consumers := s.Consumers(t.Context(), api.ConsumerQuery{Source: src.ID, Start: start, End: end}, nil)
	for name, x := range map[string]struct {
		err  error
		want string
	}{
		"an hour's interval":     {fetch(api.Query{Start: start, End: end, Interval: &api.When{Nanos: &long}}), "The window ends before it starts"},
		"pixels":                 {fetch(api.Query{Start: start, End: end, Pixels: 10}), "The window ends before it starts"},
		"processes":              {processes, "The window ends before it starts"},
		"consumers":              {consumers, "The window ends before it starts"},
		"a negative interval":    {fetch(api.Query{Interval: &api.When{Nanos: &back}}), "The interval must be longer than 0."},
		"an interval of no time": {fetch(api.Query{Interval: &api.When{Nanos: new(int64)}}), "The interval must be longer than 0."},
	} {
		if f := pcp.AsFault(x.err); x.err == nil || f.Kind != pcp.BadArgument || !strings.HasPrefix(f.Message, x.want) {
			t.Errorf("%s: %v, want %q", name, x.err, x.want)
		}
	}
}

// The last value of a setting lasts until the end of the recording in summaries of windows
// that are typed, and in statistics of charts, however long the window is.
func TestSummaryWithinTheRecording(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "window", Step: 600e9, Values: map[string]map[string]any{"hinv.ncpu": {"": []float64{1, 1, 3, 3, 3}}}})
	start, end := moment(recording.Start-3600e9), moment(recording.Start+7200e9)
	list, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID, Metrics: []string{"hinv.ncpu"}, Start: &api.When{Text: "-5h"}, End: &api.When{Text: "@2030-01-01"}}, nil)
	if err != nil || len(list) != 1 || list[0].TimeAverage != 2 || list[0].Covered != 1 { // 1 and 3 for 20 minutes each
		t.Errorf("the summary is %+v (%v)", list, err)
	}
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"hinv.ncpu"}, Start: start, End: end, Pixels: 20, Statistics: &api.Range{}}, nil)
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Statistics == nil {
		t.Fatalf("the chart has %+v (%v)", f, err)
	}
	if st := f.Columns[0].Statistics; st.Average != 2 || st.Covered != 1 {
		t.Errorf("the statistics are %+v", st)
	}
	if f.Start != pcp.Time(*start.Nanos) {
		t.Errorf("the chart begins at %v", f.Start.Std())
	}
}
