package core

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// historyFiles are days of a host that was recorded for weeks, such as
// "20170227"; all if none is given. Without the files the test is skipped.
func historyFiles(t *testing.T, days ...string) []string {
	t.Helper()
	dir := reference.Need(t, "corpus", "history")
	if len(days) == 0 {
		days = []string{"*"}
	}
	var list []string
	for _, day := range days {
		found, _ := filepath.Glob(filepath.Join(dir, day+".*"))
		list = append(list, found...)
	}
	return list
}

// month is the whole history, opened once for all tests because that takes
// seconds.
func month(t *testing.T) (*Session, api.Opened) {
	t.Helper()
	files := historyFiles(t)
	opened.Do(func() { opened.s, opened.o = openFor(t, context.Background(), func(*os.File) {}, files...) })
	return opened.s, opened.o
}

var opened struct {
	sync.Once
	s *Session
	o api.Opened
}

// A minute of four days, at which the load was 126.58, is in a chart of a
// hundred points: TZ=UTC pmlogsummary -mMyI 20170227 kernel.all.load prints
// "0.174 0.000 126.580 03:40:42.753 2996" of one minute. CPU time was logged
// twice a minute, 1.2 ms apart: pmlogsummary prints 36.862 of the eight CPUs of
// 20170301, which is what a clock of 10 ms makes of 1.2 ms.
func TestPeaksOfDays(t *testing.T) {
	s, o := openAll(t, historyFiles(t, "20170225", "20170227", "20170228", "20170301")...)
	q := api.Query{Source: o.Sources[0].ID, Metrics: []string{"kernel.all.load", "kernel.all.cpu.user", "rate(kernel.all.cpu.user) / hinv.ncpu"}, Convert: "rate", Pixels: 100, Reduce: "mean", Statistics: &api.Range{}}
	f, err := s.Fetch(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	load := &f.Columns[0]
	_, highest := peaks(load)
	at := load.Statistics.MaximumAt.Std().UTC().Truncate(time.Millisecond)
	if want := time.Date(2017, 2, 27, 3, 40, 42, 753e6, time.UTC); float32(highest) != 126.58 || float32(load.Statistics.Maximum) != 126.58 || !at.Equal(want) {
		t.Errorf("the highest load is %g in the chart, %g at %v in its statistics", highest, load.Statistics.Maximum, at)
	}
	for i, limit := range []float64{8, 1} {
		c := &f.Columns[3+i]
		if _, high := peaks(c); high > limit || high < limit/20 || c.Statistics.Maximum != high {
			t.Errorf("%s reaches %g, %g in its statistics", c.Metric, high, c.Statistics.Maximum)
		}
	}
}

// Forty days of a host fit in twelve lines, of which the first is about what
// was not recorded. The figures were counted in the data volumes by another
// program: timestamps of all records (spec/archive.md section 5), sorted, and
// the steps of at least 300 s.
func TestMonthInTwelveLines(t *testing.T) {
	s, o := month(t)
	v, err := s.Overview(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) > 12 || v.Findings[0].Resource != "Collector" || v.Findings[0].Times != 30 {
		t.Errorf("%d findings, the first %+v", len(v.Findings), v.Findings[0])
	}
	r := v.Recording
	// pmdumplog -m of all 34: at 40 marks, or changes of the log, 90 to 300 s from record to record, 5,663.26 s in all.
	if len(r.Outages) != 30 || math.Abs(r.Missing/3600-325.90) > 0.01 || math.Abs(r.Length/3600-960.98) > 0.01 || r.Pauses != 40 || math.Abs(r.Paused-5663.26) > 0.1 {
		t.Errorf("%d outages, %.2f of %.2f hours, %d pauses of %.0f s", len(r.Outages), r.Missing/3600, r.Length/3600, r.Pauses, r.Paused)
	}
	boots := 0
	for _, e := range v.History {
		if e.Kind == "boot" {
			boots++
		}
	}
	if boots != 26 {
		t.Errorf("%d reboots in the history", boots)
	}
}

// A day whose data volume is missing is reported with the file's name, even
// if its metadata and index are there.
func TestDayWithoutVolume(t *testing.T) {
	var files []string
	for _, f := range historyFiles(t, "20170223", "20170224", "20170225") {
		if filepath.Base(f) != "20170224.0.xz" {
			files = append(files, f)
		}
	}
	s, o := openAll(t, files...)
	v, err := s.Overview(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := v.Recording; len(r.Outages) != 1 || r.Outages[0].Why != "missing volume" || !slices.Equal(r.Outages[0].Files, []string{"20170224.0"}) || math.Abs(r.Missing/3600-24) > 0.1 {
		t.Errorf("recording = %+v, want one missing volume of 24 hours", r)
	}
	if f := v.Findings[0]; f.Level != "look" || !strings.Contains(f.Text, "1 day") || !strings.Contains(f.Text, "20170224.0") {
		t.Errorf("the first finding is %+v", f)
	}
}
